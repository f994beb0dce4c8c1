"""The text forms of cards, hands, declarations and plays."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dagong import DAGUN, DAYE, XIANNING, Card, Detail, Hand, Kind, Play, notation
from dagong.notation import CARD_TEXTS, RANKS, SUITS, Declaration

SIGNS = {"D": "♦♢", "C": "♣♧", "H": "♥♡", "S": "♠♤"}
RANKED = (Kind.SINGLE, Kind.PAIR, Kind.TRIPLE, Kind.BOMB)
LONG = (Kind.PAIR_RUN, Kind.TRIPLE_RUN, Kind.ROLL)

codes = st.integers(0, 53)
hands = st.lists(st.sampled_from(list(range(54)) * 2), max_size=27).filter(
    lambda cards: all(cards.count(card) <= 2 for card in cards)
)
declarations = st.one_of(
    st.builds(Declaration, st.sampled_from(RANKED), st.integers(0, 12), st.just(1), st.none()),
    st.builds(Declaration, st.sampled_from(LONG), st.integers(0, 12), st.integers(2, 13), st.none()),
    st.builds(
        Declaration, st.just(Kind.FIVE_TEN_KING), st.just(-1), st.just(1), st.none() | st.integers(0, 3)
    ),
    st.just(Declaration(Kind.SKY_BOMB)),
)
spaces = st.sampled_from([" ", "  ", "\t", "\n"])


def spellings(text: str) -> list[str]:
    """Every way to write a card that is read as this one."""
    if text[0] == "X":
        return [text, text.lower(), "x" + text[1]]
    found = []
    for rank in [text[0], text[0].lower(), *["10"] * (text[0] == "T")]:
        for suit in [text[1], text[1].lower(), *SIGNS[text[1]], SIGNS[text[1]][0] + "\ufe0f"]:
            found += [rank + suit, suit + rank]
    return found


@pytest.mark.parametrize("text", CARD_TEXTS)
def test_every_spelling_of_a_card(text):
    code = CARD_TEXTS.index(text)
    assert str(Card(code)) == text
    for spelling in spellings(text):
        assert int(Card(spelling)) == code
        assert Hand(spelling) == Hand([code])


def test_card_codes():
    for rank, rank_text in enumerate(RANKS):
        for suit, suit_text in enumerate(SUITS):
            assert int(Card(rank_text + suit_text)) == rank * 4 + suit
    assert (int(Card("XB")), int(Card("XR"))) == (52, 53)


BAD_CARDS = [
    "",
    " ",
    "3",
    "S",
    "SS",
    "33",
    "1S",
    "11S",
    "010S",
    "100S",
    "10",
    "3SS",
    "X",
    "XX",
    "BX",
    "RX",
    "XS",
    "3X",
    "3B",
    "3S\0",
    "3\ufe0fS4",
    "\ufe0f",
    "３S",
    "3ſ",
    "\u212aS",
    "ßS",
    "٣S",
    "3♠S",
    "-3S",
    "3S.",
    "as3",
]


@pytest.mark.parametrize("text", BAD_CARDS)
def test_bad_cards_are_named(text):
    with pytest.raises(ValueError) as caught:
        Card(text)
    assert repr(text) in str(caught.value)


@given(hands)
def test_hands_round_trip(cards):
    hand = Hand(cards)
    assert Hand(str(hand)) == hand
    assert str(hand).split() == [CARD_TEXTS[code] for code in sorted(cards)]


@given(hands, st.data())
def test_hands_in_any_spelling(cards, data):
    words = [data.draw(st.sampled_from(spellings(CARD_TEXTS[code]))) for code in cards]
    separators = [data.draw(st.sampled_from([" ", ",", ", ", "\n", "\t"])) for _ in cards]
    assert Hand("".join(map("".join, zip(words, separators, strict=True)))) == Hand(cards)


@given(declarations)
def test_declarations_round_trip(declaration):
    text = notation.declaration_text(declaration)
    assert notation.parse_declaration(text) == declaration
    assert notation.parse_declaration(f" {text.upper()} ") == declaration
    assert notation.parse_declaration(text.lower().replace(" t", " 10").replace(" x", "\tx ")) == declaration


@pytest.mark.parametrize(("letter", "signs"), SIGNS.items())
def test_suit_signs_in_declarations(letter, signs):
    for sign in signs:
        assert notation.parse_declaration(f"five_ten_king {sign}").suit == SUITS.index(letter)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "pair",
        "pair X",
        "pair 44",
        "pair 1",
        "pair 4 x2",
        "pair_run 4",
        "pair_run 4 2",
        "roll 4 x",
        "roll 4 x123",
        "sky bomb",
        "sky_bomb 3",
        "five_ten_king",
        "five_ten_king X",
        "move 3",
        "single \u212a",
        "\u017fingle 3",
        "five_ten_king \u017f",
        "roll 4 x\u0662",
    ],
)
def test_bad_declarations_are_named(text):
    with pytest.raises(ValueError) as caught:
        notation.parse_declaration(text)
    assert f"{text!r} is not a declaration" in str(caught.value)


@given(hands, st.sampled_from([DAGUN, DAYE, XIANNING]), st.sampled_from(list(Detail)), st.randoms(), spaces)
def test_plays_round_trip(cards, rules, detail, chance: random.Random, space):
    plays = rules.legal_plays(cards, detail=detail)
    for play in chance.sample(range(len(plays)), min(20, len(plays))):
        text = str(plays[play])
        assert rules.parse_play(text) == plays[play]
        assert Play(text) == plays[play]
        assert rules.parse_play(text.lower()) == plays[play]
        assert rules.parse_play(text.replace(" ", space)) == plays[play]
        assert eval(repr(plays[play])) == plays[play]
        assert text == f"{plays[play].cards} as {notation.declaration_text(plays[play].declaration)}"


def test_declaration_left_out_where_only_one_exists():
    assert DAGUN.parse_play("7S") == DAGUN.parse_play("7S as single 7")
    with pytest.raises(ValueError, match="pair_run 4 x2, pair_run 5 x2, bomb 4"):
        DAGUN.parse_play("4S 4H XB XR")


def test_ace_of_spades_in_lower_case_is_a_card():
    assert DAGUN.parse_play("as") == DAGUN.parse_play("AS as single A")
    assert DAGUN.parse_play("as as") == DAGUN.parse_play("AS AS as pair A")
    assert DAGUN.parse_play("as as as pair a") == DAGUN.parse_play("AS AS")
    assert DAGUN.parse_play("ah as as pair a") == DAGUN.parse_play("AH AS")


@pytest.mark.parametrize(
    "text", ["", " ", "3S as", "as pair 4", "3S 3H as pair 4", "3S 3H pair 3", "3S as QQ"]
)
def test_bad_plays(text):
    with pytest.raises(ValueError):
        DAGUN.parse_play(text)


def test_what_is_wrong_with_a_play_is_named():
    for text, token in [
        ("3S QQ as pair 3", "'QQ'"),
        ("3S as pear 3", "'pear 3'"),
        ("3S 3H pair 3", "'pair'"),
    ]:
        with pytest.raises(ValueError, match=token):
            DAGUN.parse_play(text)


@given(st.text())
def test_any_text_is_read_or_refused(text):
    for read in (Card, Hand, Play, DAYE.parse_play, notation.parse_declaration):
        try:
            found = read(text)
        except ValueError as error:
            assert any(
                words in str(error) for words in ("is not a", "no play", "a third", "several ways", "at most")
            )
        else:
            assert read is notation.parse_declaration or read(str(found)) == found
