"""What holds for every hand, rule set and play."""

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from dagong import DAGUN, DAYE, XIANNING, Card, Detail, Hand, Play, Plays, Ruleset
from dagong.notation import declaration_text, parse_declaration
from strategies import any_hand, any_play, codes, details, hands, rulesets, seeds

MANY = settings(deadline=None, max_examples=150)
FEW = settings(deadline=None, max_examples=50)
MOST = 3000  # plays that are looked at one by one


def is_bomb(play: Play) -> bool:
    return play.kind.label in ("bomb", "five_ten_king", "roll", "sky_bomb")


def some_plays(rules: Ruleset, seed: int, number: int) -> list[Play]:
    rng = Random(seed)
    plays = [any_play(rng, rules) for _ in range(number)]
    return [play for play in plays if play is not None]


# The order


@MANY
@given(rulesets, seeds)
def test_beats_is_a_strict_order(rules: Ruleset, seed: int) -> None:
    plays = some_plays(rules, seed, 8)
    for a in plays:
        assert not rules.beats(a, a)
        for b in plays:
            assert not (rules.beats(a, b) and rules.beats(b, a))
            for c in plays:
                if rules.beats(a, b) and rules.beats(b, c):
                    assert rules.beats(a, c)


@MANY
@given(rulesets, seeds)
def test_strength_orders_bombs(rules: Ruleset, seed: int) -> None:
    plays = some_plays(rules, seed, 12)
    for a in plays:
        for b in plays:
            if is_bomb(a) and is_bomb(b):
                assert rules.beats(a, b) == (rules.strength(a) > rules.strength(b))
            elif is_bomb(a):
                assert rules.beats(a, b)
                assert rules.strength(a) > rules.strength(b)
            elif (a.kind, a.length) == (b.kind, b.length):
                assert rules.beats(a, b) == (a.rank > b.rank) == (
                    rules.strength(a) > rules.strength(b)
                ) or is_bomb(b)
            else:
                assert not rules.beats(a, b)


@MANY
@given(rulesets, hands(), details, seeds)
def test_follows_are_the_leads_that_beat(rules: Ruleset, hand: Hand, detail: int, seed: int) -> None:
    to_beat = any_play(Random(seed), rules)
    leads = rules.legal_plays(hand, detail=detail)
    assume(to_beat is not None and len(leads) <= MOST)
    follows = rules.legal_plays(hand, to_beat, detail=detail)
    assert len(set(follows)) == len(follows)
    assert set(follows) == {play for play in leads if rules.beats(play, to_beat)}
    assert follows.to_beat == to_beat


# Lists


@MANY
@given(rulesets, hands(), details, st.none() | codes, seeds)
def test_count_is_the_length(rules: Ruleset, hand: Hand, detail: int, called: int | None, seed: int) -> None:
    for to_beat in (None, *some_plays(rules, seed, 2)):
        plays = rules.legal_plays(hand, to_beat, detail=detail, called=called)
        assert rules.count_plays(hand, to_beat, detail=detail, called=called) == len(plays)


@FEW
@given(rulesets, hands(14), hands(13), seeds)
def test_more_cards_lose_no_play(rules: Ruleset, one: Hand, other: Hand, seed: int) -> None:
    assume((one.counts + other.counts).max(initial=0) <= 2)
    both = rules.legal_plays(one + other, detail=Detail.CARDS)
    part = rules.legal_plays(one, detail=Detail.CARDS)
    for play in part[:: 1 + len(part) // 500]:
        assert play in both
        assert both[both.index(play)] == play


@MANY
@given(rulesets, hands(), details, st.none() | codes)
def test_plays_are_declarations_of_cards_in_the_hand(
    rules: Ruleset, hand: Hand, detail: int, called: int | None
) -> None:
    plays = rules.legal_plays(hand, detail=detail, called=called)
    assert (plays.cards_array()[:MOST] <= hand.counts).all() if len(plays) <= 50_000 else True
    for play in plays[:: 1 + len(plays) // 200]:
        assert play.cards <= hand
        assert play in rules.identify(play.cards)
        assert play.size == len(play.cards)


def projection(play: Play, detail: Detail, called: int | None) -> tuple[object, ...]:
    """What the detail tells of a play."""
    told = []
    for card in play.cards:
        own = detail is Detail.STRATEGIC and (card.points or card == called)
        told.append((card.rank, int(card) if own else -1))
    return (play.declaration, tuple(sorted(told)))


@MANY
@given(rulesets, hands(16), st.none() | codes)
def test_coarser_details_are_projections(rules: Ruleset, hand: Hand, called: int | None) -> None:
    assume(rules.count_plays(hand, detail=Detail.CARDS) <= MOST)
    lists = {detail: rules.legal_plays(hand, detail=detail, called=called) for detail in Detail}
    every = lists[Detail.CARDS]
    for detail in (Detail.RANKS, Detail.STRATEGIC):
        listed = [projection(play, detail, called) for play in lists[detail]]
        assert len(set(listed)) == len(listed)
        assert set(listed) == {projection(play, detail, called) for play in every}
        assert all(play in every for play in lists[detail])
        for place, play in enumerate(lists[detail]):
            assert lists[detail].index(play) == place
        for play in every:
            assert play in lists[detail]
            stands_for_it = lists[detail][lists[detail].index(play)]
            assert projection(stands_for_it, detail, called) == projection(play, detail, called)


ends = st.none() | st.integers(-20, 20)
steps = st.none() | st.integers(-7, 7).filter(bool)


@MANY
@given(hands(12), details, st.lists(st.tuples(ends, ends, steps), min_size=1, max_size=3))
def test_slices_are_those_of_a_list(hand: Hand, detail: int, slices: list[tuple[int | None, ...]]) -> None:
    whole = DAGUN.legal_plays(hand, detail=detail)
    assume(len(whole) <= MOST)
    plays, same = whole, list(whole)
    for start, stop, step in slices:
        plays, same = plays[start:stop:step], same[start:stop:step]
        assert isinstance(plays, Plays)
        assert len(plays) == len(same)
        assert list(plays) == same
        assert list(reversed(plays)) == same[::-1]
        assert [plays[place] for place in range(-len(same), len(same))] == same + same
        assert plays.array["strength"].tolist() == [DAGUN.strength(play) for play in same]
        assert [Hand.from_counts(cards) for cards in plays.cards_array()] == [play.cards for play in same]
        for place, play in enumerate(same):
            assert plays.index(play) == place
        for play in whole[:40]:
            assert (play in plays) == (play in same)
            assert plays.count(play) == same.count(play)
        again = pickle.loads(pickle.dumps(plays))
        assert again == plays
        assert list(again) == same


# Text


@MANY
@given(hands(54))
def test_hands_survive_text(hand: Hand) -> None:
    assert Hand(str(hand)) == hand
    assert Hand(str(hand).lower().replace("t", "10").replace(" ", ", ")) == hand
    assert Hand(str(hand).translate(str.maketrans("DCHS", "♦♣♥♠"))) == hand
    assert eval(repr(hand)) == hand
    assert Hand(list(hand)) == Hand(map(str, hand)) == Hand.from_counts(hand.counts) == hand
    assert Hand.from_planes(*hand.planes) == hand


@given(codes)
def test_cards_survive_text(code: int) -> None:
    card = Card(code)
    assert Card(str(card)) == card == code
    assert eval(repr(card)) == card
    if not card.is_joker:
        assert Card(str(card)[::-1]) == card


@MANY
@given(rulesets, seeds)
@example(DAYE, 0)
def test_plays_survive_text(rules: Ruleset, seed: int) -> None:
    for play in some_plays(rules, seed, 5):
        assert rules.parse_play(str(play)) == play == Play(str(play)) == eval(repr(play))
        assert parse_declaration(declaration_text(play.declaration)) == play.declaration
        alone = rules.identify(play.cards)
        if len(alone) == 1:
            assert rules.parse_play(str(play.cards)) == play
        else:
            with pytest.raises(ValueError, match="several ways"):
                rules.parse_play(str(play.cards))


@given(rulesets)
def test_rule_sets_survive_text(rules: Ruleset) -> None:
    assert eval(repr(rules)) == rules
    name, _, changed = str(rules).partition(" with ")
    assert eval(f"{name}.replace({changed})") == rules


# Objects


@MANY
@given(rulesets, hands(), details, st.none() | codes, seeds)
def test_copies_are_equal(rules: Ruleset, hand: Hand, detail: int, called: int | None, seed: int) -> None:
    plays = rules.legal_plays(hand, detail=detail, called=called)
    things = [rules, hand, plays, plays[1::2], Detail(detail), *map(Card, hand), *some_plays(rules, seed, 2)]
    for thing in things:
        for again in (copy.copy(thing), copy.deepcopy(thing), pickle.loads(pickle.dumps(thing))):
            assert again == thing
            assert type(again) is type(thing)
            assert hash(again) == hash(thing)


@MANY
@given(rulesets, rulesets, seeds)
def test_equal_plays_of_different_rules(rules: Ruleset, others: Ruleset, seed: int) -> None:
    for play in some_plays(rules, seed, 4):
        same = Play(str(play))
        assert play == same
        assert hash(play) == hash(same)
        assert rules.strength(play) == rules.strength(same)
        if play in others.identify(play.cards):
            assert others.strength(play) == others.strength(same)
            assert play in others.legal_plays(play.cards)
        else:
            with pytest.raises(ValueError, match="no play under"):
                others.strength(play)
            assert play not in others.legal_plays(play.cards)


@pytest.mark.parametrize(
    ("thing", "name"),
    [
        (DAGUN, "rolls"),
        (DAGUN, "new"),
        (Hand("3S"), "counts"),
        (Hand("3S"), "new"),
        (Card("3S"), "rank"),
        (Play("3S as single 3"), "rank"),
        (Play("3S as single 3"), "new"),
        (Card("3S"), "new"),
        (DAGUN.legal_plays("3S"), "hand"),
        (DAGUN.legal_plays("3S"), "new"),
    ],
)
def test_objects_are_immutable(thing: object, name: str) -> None:
    with pytest.raises(AttributeError):
        setattr(thing, name, 1)
    with pytest.raises(AttributeError):
        delattr(thing, name)


def test_arrays_do_not_change_the_list() -> None:
    plays = DAGUN.legal_plays("3S 4S 4H XB")
    with pytest.raises(ValueError, match="read-only"):
        plays.array["rank"][0] = 5
    with pytest.raises(ValueError, match="WRITEABLE"):
        plays.array.flags.writeable = True
    counts = plays.hand.counts
    counts[:] = 2
    assert plays.hand == Hand("3S 4S 4H XB")
    cards = plays.cards_array()
    cards[:] = 1
    assert plays[0].cards == Hand("3S")


def test_an_array_outlives_its_list() -> None:
    array = DAGUN.legal_plays("3S 4S 5S 6S 7S 8S XB XR")[3:].array
    expected = list(DAGUN.legal_plays("3S 4S 5S 6S 7S 8S XB XR")[3:].array["counts"])
    for _ in range(100):
        DAGUN.legal_plays("3D 4D 5D 6D 7D 8D XB XR")
    assert list(array["counts"]) == expected


# The play that stands for its equals


@pytest.mark.parametrize(
    ("hand", "called", "listed", "carries"),
    [
        ("5S TS KS 5D", None, "single 5", "5D"),
        ("5S TS KS TH", None, "single T", "TH"),
        ("5S TS KS KC", None, "single K", "KC"),
        ("5S TS KS 5D 5C", None, "pair 5", "5D 5C"),
        ("5S 5S TS KS 5D", None, "pair 5", "5D 5S"),
        ("5S TS KS 5D 5C 5H", None, "triple 5", "5D 5C 5H"),
        ("5S TS KS TD KC", None, "five_ten_king mixed", "5S TD KC"),
        ("5S TS KS 5D TC KH", None, "five_ten_king mixed", "5D TC KH"),
        # of two flushes the stronger is kept longer
        ("5S TS KS 5D TD KD", None, "single 5", "5D"),
        # the weakest suit and the black joker go first
        ("7S 7H 7D", None, "pair 7", "7D 7H"),
        ("XB XR", None, "single 3", "XB"),
        # the called card only if needed, flush or not
        ("7S 7H 7D", "7D", "single 7", "7H"),
        ("7S 7H 7D", "7D", "pair 7", "7H 7S"),
        ("7S 7H 7D", "7D", "triple 7", "7D 7H 7S"),
        ("5S TS KS 5D", "5D", "single 5", "5S"),
        ("5S TS KS 5D TD", "5D", "five_ten_king mixed", "5S TD KS"),
        ("XB XR", "XB", "single 3", "XR"),
    ],
)
def test_cards_that_break_up_least(hand: str, called: str | None, listed: str, carries: str) -> None:
    plays = DAGUN.legal_plays(hand, called=called)
    found = [
        play.cards
        for play in plays
        if str(play).endswith(listed)
        and play.jokers == len(Hand(carries) - Hand([card for card in Hand(carries) if not card.is_joker]))
    ]
    assert found == [Hand(carries)]


@MANY
@given(rulesets, hands(), st.sampled_from((0, 1)), st.integers(0, 26))
def test_the_called_card_is_spent_last(rules: Ruleset, hand: Hand, detail: int, place: int) -> None:
    assume(len(hand) > 0)
    called = list(hand)[place % len(hand)]
    plays = rules.legal_plays(hand, detail=detail, called=called)
    assume(len(plays) <= MOST)
    spares = {}
    for card in hand:
        if card != called:
            spares[card.rank] = spares.get(card.rank, 0) + 1
    for play in plays:
        number = sum(card.rank == called.rank for card in play.cards)
        told_apart = detail == Detail.STRATEGIC or play.kind.label == "five_ten_king"
        if called in play.cards and not told_apart:
            assert number > spares.get(called.rank, 0)


# Threads


@pytest.mark.parametrize("rules", [DAGUN, DAYE, XIANNING], ids=str)
def test_threads_share_everything(rules: Ruleset) -> None:
    rng = Random(7)
    questions = [(Hand(any_hand(rng)), any_play(rng, rules), Detail(rng.randrange(3))) for _ in range(40)]
    shared = rules.legal_plays(questions[0][0], detail=Detail.CARDS)

    def answers(_: int) -> list[object]:
        found: list[object] = [
            shared[0],
            shared[-1],
            len(shared),
            list(shared[:50]),
            shared[::-3][:20].array.tolist(),
        ]
        for hand, to_beat, detail in questions:
            plays = rules.legal_plays(hand, to_beat, detail=detail)
            found += [
                len(plays),
                list(plays[:20]),
                plays.cards_array()[:50].tolist() if len(plays) < MOST else 0,
            ]
            found += [rules.count_plays(hand, to_beat, detail=detail), rules.identify(hand), hash(hand)]
        return found

    alone = answers(0)
    with ThreadPoolExecutor(8) as pool:
        assert all(found == alone for found in pool.map(answers, range(16)))
