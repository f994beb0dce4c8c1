"""Card, Hand, Ruleset, Play and Plays, each by example."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

import dagong
import oracle
from dagong import (
    CARDS_DTYPE,
    DAGUN,
    DAYE,
    PLAY_DTYPE,
    XIANNING,
    Card,
    Detail,
    Hand,
    Kind,
    Play,
    Plays,
    Ruleset,
)
from strategies import JOKERS, PACK

# Card


@pytest.mark.parametrize("code", range(54))
def test_card_codes(code: int) -> None:
    card = Card(code)
    assert str(card) == oracle.format_card(code)
    assert card == code and hash(card) == hash(code) and isinstance(card, int)
    assert card.rank == code // 4
    assert card.suit == (None if code >= 52 else code % 4)
    assert card.is_joker is (code >= 52)
    assert card.points == {2: 5, 7: 10, 10: 10}.get(code // 4, 0)


@pytest.mark.parametrize(
    "text", ["TH", "th", "10H", "10h", "♥10", "10♥", "♥t", "HT", "♡T", "T♥\ufe0f", " TH "]
)
def test_card_spellings(text: str) -> None:
    assert Card(text) == 30


@pytest.mark.parametrize("wrong", ["", "T", "H", "1H", "THH", "XX", "BX", "11H", "T H"])
def test_no_card_in_text(wrong: str) -> None:
    with pytest.raises(ValueError, match="is not a card"):
        Card(wrong)


@pytest.mark.parametrize("wrong", [-1, 54, 10**20])
def test_no_card_code(wrong: int) -> None:
    with pytest.raises(ValueError, match=str(wrong)):
        Card(wrong)


@pytest.mark.parametrize("wrong", [None, 3.0, b"3S", [3]])
def test_no_card_at_all(wrong: object) -> None:
    with pytest.raises(TypeError, match="is not a card"):
        Card(wrong)  # type: ignore[arg-type]


# Hand


def test_hand_is_a_multiset() -> None:
    hand = Hand("XB 3S TH 3S")
    assert [str(card) for card in hand] == ["3S", "3S", "TH", "XB"]
    assert all(type(card) is Card for card in hand)
    assert len(hand) == 4
    assert "3S" in hand and 30 in hand and Card("XB") in hand and "4S" not in hand
    assert hand == Hand([52, 3, "10h", Card(3)]) == Hand(np.array([3, 3, 30, 52])) == Hand(hand)
    assert hand != Hand("3S TH XB") and hand != "3S 3S TH XB"
    assert len({hand, Hand("3S 3S 10H XB")}) == 1
    assert Hand() == Hand("") == Hand([]) == Hand(" , ") and not Hand()


def test_hand_arithmetic() -> None:
    one, other = Hand("3S 4S 5S"), Hand("3S XB")
    assert one + other == Hand("3S 3S 4S 5S XB")
    assert one + other - one == other
    assert Hand("3S 3S") - Hand("3S") == Hand("3S")
    assert Hand("3S 3S") - Hand("3S 3S") == Hand()
    with pytest.raises(ValueError, match="third 3S"):
        one + Hand("3S 3S")
    with pytest.raises(ValueError, match="XB is missing"):
        one - other
    with pytest.raises(ValueError, match="3S is missing"):
        one - Hand("3S 3S")
    for wrong in ("3S", [3], None):
        with pytest.raises(TypeError):
            one + wrong
        with pytest.raises(TypeError):
            one - wrong


def test_hand_order_is_containment() -> None:
    one, two, three = Hand("3S"), Hand("3S 3S"), Hand("4S")
    assert one <= two and one < two and two >= one and two > one
    assert one <= one and one >= one and not one < one and not one > one
    assert not one <= three and not one >= three and not one < three and not one > three
    with pytest.raises(TypeError):
        one <= "3S"  # noqa: B015


def test_hand_numbers() -> None:
    hand = Hand("3S 3S 5D TH KC KC XB XR XR")
    assert hand.counts.dtype == np.uint8 and hand.counts.shape == (54,)
    assert hand.counts.nonzero()[0].tolist() == [3, 8, 30, 41, 52, 53]
    assert hand.rank_counts.tolist() == [2, 0, 1, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 3]
    assert hand.points == 35
    assert Hand(PACK).points == 200 and len(Hand(PACK)) == 108 and Hand(JOKERS).points == 0


@pytest.mark.parametrize("counts", [[0] * 53, [0] * 55, [3] + [0] * 53, [-1] + [0] * 53, [[0] * 54]])
def test_no_hand_in_counts(counts: object) -> None:
    with pytest.raises(ValueError, match=r"counts|copies"):
        Hand.from_counts(counts)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="dtype"):
        Hand.from_counts(np.zeros(54))


@pytest.mark.parametrize(("once", "twice"), [(1 << 54, 0), (-1, 0), (0, 1), (1, 2), (1, -1), (3, 1 << 54)])
def test_no_hand_in_planes(once: int, twice: int) -> None:
    with pytest.raises(ValueError, match=r"plane|held"):
        Hand.from_planes(once, twice)


def test_too_many_cards_to_play() -> None:
    cards = PACK[:28]
    for ask in (DAGUN.identify, DAGUN.legal_plays, DAGUN.count_plays, DAGUN.called_card):
        with pytest.raises(ValueError, match="28 cards"):
            ask(cards)
    assert DAGUN.count_plays(PACK[:27]) == len(DAGUN.legal_plays(PACK[:27]))
    assert DAGUN.count_plays("") == len(DAGUN.legal_plays([])) == len(DAGUN.identify("")) == 0


# Ruleset

OTHER_VALUES = {
    "lone_jokers": ("wild",),
    "ftk_max_jokers": (0, 2, 3),
    "sky_bomb": (False,),
    "natural_bombs": (False,),
    "rolls": ("hard",),
    "roll_two": (False,),
    "roll_order": ("cards_then_largest", "cards_then_top"),
    "call_rule": ("first_singleton",),
    "call_jokers": (True,),
    "scoring": ("arch",),
    "unplayed_points_to": ("first",),
    "sweep_needs_out": (False,),
    "solo_multiplier": (1, 2, 100),
    "holding_bonuses": ((), ("sky",), ("sky", "eight", "seven", "four_510k")),
    "roll_bonus": ("none", "winner_doubles"),
}
SENSELESS = {
    **{
        name: ("", "WILD", None, 1, True, ["threes"])
        for name in (
            "lone_jokers",
            "rolls",
            "roll_order",
            "call_rule",
            "scoring",
            "unplayed_points_to",
            "roll_bonus",
        )
    },
    **dict.fromkeys(
        ("sky_bomb", "natural_bombs", "roll_two", "call_jokers", "sweep_needs_out"),
        (0, 1, None, "yes", np.True_),
    ),
    "ftk_max_jokers": (-1, 4, True, False, 1.0, None, "1"),
    "solo_multiplier": (0, -4, 4.0, True, None, "4"),
    "holding_bonuses": ("sky", ("nine",), ("sky", "sky"), None, 4, (None,)),
}


@pytest.mark.parametrize("preset", oracle.PRESETS)
def test_presets_are_those_of_the_rules(preset: str) -> None:
    assert getattr(dagong, preset).fields() == oracle.PRESETS[preset]
    assert Ruleset.from_name(preset.lower()) is getattr(dagong, preset)
    assert str(getattr(dagong, preset)) == preset


def test_every_field_is_tried() -> None:
    names = {field.name for field in dataclasses.fields(Ruleset)}
    assert names == set(OTHER_VALUES) == set(SENSELESS) == set(oracle.FIELDS)


@pytest.mark.parametrize("field", OTHER_VALUES)
def test_each_field_on_its_own(field: str) -> None:
    for value in OTHER_VALUES[field]:
        house = DAGUN.replace(**{field: value})
        assert getattr(house, field) == value
        assert house != DAGUN and hash(house) != hash(DAGUN)
        assert house == DAGUN.replace(**{field: value}) and hash(house) == hash(
            DAGUN.replace(**{field: value})
        )
        assert {**house.fields(), field: getattr(DAGUN, field)} == DAGUN.fields()
        assert house.replace(**{field: getattr(DAGUN, field)}) == DAGUN
        assert f"{field}={value!r}" in repr(house)


@pytest.mark.parametrize("field", SENSELESS)
def test_senseless_values_are_refused_by_name(field: str) -> None:
    for value in SENSELESS[field]:
        with pytest.raises((ValueError, TypeError), match=field):
            DAGUN.replace(**{field: value})


def test_senseless_combinations_and_unknown_fields() -> None:
    for bonus in ("side_payment", "winner_doubles"):
        with pytest.raises(ValueError, match=r"roll_bonus.*rolls"):
            DAYE.replace(roll_bonus=bonus)
    assert DAGUN.replace(rolls="none", roll_bonus="none").rolls == "none"
    with pytest.raises(TypeError, match="jokers_are_low"):
        DAGUN.replace(jokers_are_low=True)
    with pytest.raises(TypeError):
        Ruleset(rolls="none")  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="wuhan"):
        Ruleset.from_name("wuhan")


def test_bonuses_have_one_order() -> None:
    assert DAGUN.replace(holding_bonuses=["seven", "sky", "eight"]) == DAGUN


# What a field changes among plays: its name, then cards, and their declarations under DAGUN and changed.
@pytest.mark.parametrize(
    ("field", "value", "cards", "before", "after"),
    [
        ("lone_jokers", "wild", "XB", 1, 13),
        ("lone_jokers", "wild", "XB XB XR XR", 1, 25),
        ("ftk_max_jokers", 0, "5S TS XB", 1, 0),
        ("ftk_max_jokers", 2, "5S XR XB", 1, 2),
        ("sky_bomb", False, "XB XB XR XR", 1, 1),
        ("rolls", "hard", "3S 3S 3H 4S 4S 4H 4H XB", 1, 0),
        ("roll_two", False, "2S 2S 2H 2H 3S 3S 3H 3H", 1, 0),
    ],
)
def test_fields_change_what_is_a_play(field: str, value: object, cards: str, before: int, after: int) -> None:
    assert len(DAGUN.identify(cards)) == before
    house = DAGUN.replace(**{field: value})
    assert len(house.identify(cards)) == after
    fields = house.fields()
    assert {(play.kind.label, play.rank, play.length, play.suit) for play in house.identify(cards)} == {
        tuple(found) for found in oracle.identify(fields, oracle.parse_cards(cards))
    }


@pytest.mark.parametrize(
    ("changed", "stronger", "weaker"),
    [
        ({}, "3D 3D 3C 3C 3H 3H 3S as bomb 3", "2D 2D 2C 2C 2H 2H XB XR as bomb 2"),
        ({"natural_bombs": False}, "2D 2D 2C 2C 2H 2H XB XR as bomb 2", "3D 3D 3C 3C 3H 3H 3S as bomb 3"),
        ({}, "3D 3D 3C 3C 3H 3H 4D 4D 4C 4C as roll 4 x2", "KD KD KC KC KH AD AD AC AC AH as roll A x2"),
        (
            {"roll_order": "cards_then_top"},
            "KD KD KC KC KH AD AD AC AC AH as roll A x2",
            "3D 3D 3C 3C 3H 3H 4D 4D 4C 4C as roll 4 x2",
        ),
        (
            {"roll_order": "cards_then_largest"},
            "3D 3D 3C 3C 3H 3H 4D 4D 4C 4C as roll 4 x2",
            "KD KD KC KC KH AD AD AC AC AH as roll A x2",
        ),
    ],
)
def test_fields_change_what_beats_what(changed: dict[str, object], stronger: str, weaker: str) -> None:
    rules = DAGUN.replace(**changed)
    one, other = Play(stronger), Play(weaker)
    assert rules.beats(one, other) and not rules.beats(other, one)
    assert rules.strength(one) > rules.strength(other)


# called_card

DEALT = "3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS 2S 3S 4H 5H 6H 7H 8H 9H TH JH QH KH AH 2H 2C"


def test_the_same_seed_calls_the_same_card() -> None:
    for seed in range(20):
        card = DAGUN.called_card(DEALT, first_hand=True, rng=seed)
        assert card == DAGUN.called_card(DEALT, first_hand=True, rng=np.random.default_rng(seed))
        assert type(card) is Card and DEALT.split().count(str(card)) == 1
    generator = np.random.default_rng(5)
    drawn = {DAGUN.called_card(DEALT, first_hand=True, rng=generator) for _ in range(200)}
    assert len(drawn) > 15
    assert str(DAGUN.called_card(DEALT, first_hand=True)) in DEALT


def test_called_card_takes_cards_in_any_form() -> None:
    codes = [int(Card(word)) for word in DEALT.split()]
    assert (
        DAGUN.called_card(codes) == DAGUN.called_card(map(Card, codes)) == DAGUN.called_card(np.array(codes))
    )
    assert DAGUN.called_card(DEALT.replace(" ", ", ")) == DAGUN.called_card(DEALT) == Card("4H")


def test_no_card_to_call() -> None:
    for dealt in ("", "3S 3S", "3S 4S 3S 4S"):
        with pytest.raises(ValueError, match="exactly once"):
            DAGUN.called_card(dealt)
    with pytest.raises(ValueError, match="third 3S"):
        DAGUN.called_card("3S 3S 3S")
    assert str(DAGUN.called_card("XB 3S 3S")) == "XB"  # the last resort of R5.3
    assert str(XIANNING.called_card("XB 3S 4S")) == "XB"


# Play

ONE_OF_EACH_KIND = (
    ("3S as single 3", Kind.SINGLE, 0, 1, None, 1, 0),
    ("KS XB as pair K", Kind.PAIR, 10, 1, None, 2, 1),
    ("2D 2C 2H as triple 2", Kind.TRIPLE, 12, 1, None, 3, 0),
    ("4H 4S XB XR as pair_run 5 x2", Kind.PAIR_RUN, 2, 2, None, 4, 2),
    ("4H 4S 4S 5D 5H XB as triple_run 5 x2", Kind.TRIPLE_RUN, 2, 2, None, 6, 1),
    ("5S TH KD as five_ten_king mixed", Kind.FIVE_TEN_KING, -1, 1, None, 3, 0),
    ("5H TH XR as five_ten_king H", Kind.FIVE_TEN_KING, -1, 1, 2, 3, 1),
    ("AD AD AC AC XB as bomb A", Kind.BOMB, 11, 1, None, 5, 1),
    ("2D 2D 2C 2C 3D 3D 3C 3C", Kind.ROLL, 0, 2, None, 8, 0),
    ("XB XB XR XR as sky_bomb", Kind.SKY_BOMB, -1, 1, None, 4, 4),
)


@pytest.mark.parametrize(("text", "kind", "rank", "length", "suit", "size", "jokers"), ONE_OF_EACH_KIND)
def test_play_attributes(
    text: str, kind: Kind, rank: int, length: int, suit: int | None, size: int, jokers: int
) -> None:
    play = Play(text)
    assert (
        (play.kind, play.rank, play.length, play.suit)
        == (kind, rank, length, suit)
        == tuple(play.declaration)
    )
    assert type(play.kind) is Kind
    assert (play.size, play.jokers) == (size, jokers)
    assert play.cards == Hand(text.partition(" as ")[0])
    assert play.points == play.cards.points
    assert play == DAGUN.parse_play(text)
    assert play != text and play != play.cards


def test_plays_differ_by_cards_or_declaration() -> None:
    texts = [
        "4H 4S XB XR as pair_run 5 x2",
        "4H 4S XB XR as pair_run 4 x2",
        "4H 4S XB XR as bomb 4",
        "4D 4S XB XR as bomb 4",
    ]
    assert len({Play(text) for text in texts}) == 4


@pytest.mark.parametrize(
    "text",
    [
        "3S as single 4",
        "3S 4S as pair 3",
        "3S as pair 3",
        "",
        "as single 3",
        "3S as",
        "3S as x",
        "3S 3H as bomb 3",
        "AS AS 2S 2S as pair_run 2 x2",
        "3S 3S 4S 4S as pair_run 4 x3",
        "5S TS KS as five_ten_king mixed",
        "5S TH KS as five_ten_king S",
        "XB XR as sky_bomb",
        "3S 4S 5S",
        "3S as single 3 as single 3",
        "3S 3S 3S as triple 3",
    ],
)
def test_no_play_in_text(text: str) -> None:
    for read in (Play, DAGUN.parse_play):
        with pytest.raises(ValueError):
            read(text)


def test_declarations_left_out() -> None:
    assert DAGUN.parse_play("5S KS XB") == Play("5S KS XB as five_ten_king S")
    with pytest.raises(ValueError, match=r"pair_run 4 x2, pair_run 5 x2, bomb 4"):
        DAGUN.parse_play("4H 4S XB XR")


# Plays


def test_plays_are_a_sequence() -> None:
    plays = DAGUN.legal_plays("3S 4D 4H XB", Play("3D as single 3"), detail=Detail.CARDS, called="4H")
    assert plays.hand == Hand("3S 4D 4H XB")
    assert plays.to_beat == Play("3D as single 3")
    assert plays.detail is Detail.CARDS
    assert plays.called == Card("4H") and type(plays.called) is Card
    assert DAGUN.legal_plays("3S").called is None and DAGUN.legal_plays("3S").to_beat is None
    assert [str(play) for play in plays] == ["4D as single 4", "4H as single 4"]
    assert repr(plays) == "<Plays: 2 at Detail.CARDS>"
    assert "3S as single 3" not in plays and None not in plays
    with pytest.raises(ValueError, match="3S as single 3"):
        plays.index(Play("3S as single 3"))


def test_equal_lists() -> None:
    plays = DAGUN.legal_plays("3S 4D 4H XB")
    assert plays == DAGUN.legal_plays("3S 4D 4H XB") and hash(plays) == hash(DAGUN.legal_plays("3S 4D 4H XB"))
    assert plays != plays[1:] and plays != DAYE.legal_plays("3S 4D 4H XB") and plays != list(plays)
    assert plays[:] == plays and plays[::-1][::-1] == plays and plays[3:3] == plays[5:2]
    assert plays[0:1] == plays[0:1:2] == plays[0::100]


def test_records() -> None:
    assert PLAY_DTYPE.itemsize == 16 and CARDS_DTYPE.itemsize == 32
    assert CARDS_DTYPE.names == (*PLAY_DTYPE.names, "once", "twice")
    plays = DAGUN.legal_plays("3S 4D 4H XB")
    assert plays.array.dtype == PLAY_DTYPE
    assert np.shares_memory(plays.array, plays.array)
    assert np.shares_memory(plays.array, plays[2:].array)
    assert DAGUN.legal_plays("3S", detail=Detail.CARDS).array.dtype == CARDS_DTYPE
    assert DAGUN.legal_plays("").array.shape == (0,)
    assert DAGUN.legal_plays("").cards_array().shape == (0, 54)


def test_long_lists_stay_short_in_memory() -> None:
    """Nothing is made that is not asked for, however many plays there are."""
    hand = "3D 3C 3H 3S 4D 4C 4H 4S 5D 5C 5H 5S 6D 6C 6H 6S 7D 7C 7H 7S 8D 8C 8H XB XB XR XR"
    plays = DAGUN.legal_plays(hand, detail=Detail.CARDS)
    assert len(plays) == DAGUN.count_plays(hand, detail=Detail.CARDS) > 10**6
    for place in (0, 1, len(plays) // 2, len(plays) - 1):
        assert plays.index(plays[place]) == place
    part = plays[len(plays) // 2 :: len(plays) // 9]
    assert [DAGUN.identify(play.cards).count(play) for play in part] == [1] * len(part)


# The rest


def test_public_names() -> None:
    assert all(hasattr(dagong, name) for name in dagong.__all__)
    assert set(dagong.__all__) <= set(dir(dagong))
    assert isinstance(DAGUN.legal_plays("3S"), Plays)


def test_include_folder() -> None:
    folder = Path(dagong.get_include())
    for name in ("_core.pxd", "_layout.pxd", "_bits.pxd"):
        assert (folder / "dagong" / name).is_file()
    assert Path(dagong.__file__).parent == folder / "dagong"


@pytest.mark.parametrize("detail", [Detail.RANKS, "RANKS", 3, -1, None])
def test_details(detail: object) -> None:
    if detail in (0, 1, 2):
        assert len(DAGUN.legal_plays("3S", detail=detail)) == 1
    else:
        with pytest.raises(ValueError, match="Detail"):
            DAGUN.legal_plays("3S", detail=detail)


def test_kinds_have_names() -> None:
    assert [kind.label for kind in Kind] == [kind.name.lower() for kind in Kind]
    assert len({kind.chinese for kind in Kind}) == len(Kind) == 9
