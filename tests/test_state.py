"""``State``: what holds in every position, what is refused, what a seat can see, and chance."""

from __future__ import annotations

import copy
import pickle
from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from random import Random
from typing import Any

import numpy as np
import pytest

import oracle
import oracle_game
from dagong import (
    DAGUN,
    DAYE,
    OBSERVATION_FIELDS,
    OBSERVATION_SIZE,
    XIANNING,
    Card,
    Detail,
    Hand,
    IllegalPlay,
    Kind,
    Play,
    Ruleset,
    State,
)
from strategies import HOUSES, PRESETS

ALL_RULES = (*PRESETS, *HOUSES)
SEATS = (0, 1, 2, 3)
SMALL = ("3S 4D 9C", "5D 6D 9D", "3S 7D 9S", "8D TD 9H")


def small(rules: Ruleset = DAGUN, hands: Iterable[Any] = SMALL, **given: Any) -> State:
    """A hand of few cards; unless told otherwise seat 0 deals and seat 2 is the partner."""
    return State.from_hands(rules, hands, **{"dealer": 0, "called": Card("3S"), **given})


def act(state: State, play: Play | str | None) -> None:
    if play is None:
        state.pass_()
    else:
        state.play(play)


def do(state: State, text: str) -> None:
    """Actions as `SEAT CARDS as DECLARATION`, `SEAT CARD` or `SEAT -`, with `;` between them."""
    for seat, action in oracle_game.actions_of(text):
        assert state.to_move == seat
        act(state, None if action == "pass" else action)


def step(state: State, rng: Random) -> None:
    """A random action; one in three is of the longest plays, so that hands come to an end."""
    if state.phase == "bid":
        state.bid(rng.random() < 0.1)
        return
    plays = state.legal_plays()
    if rng.random() < 0.4 and len(plays):
        sizes = plays.array["size"]
        act(state, plays[int(rng.choice((sizes == sizes.max()).nonzero()[0].tolist()))])
    else:
        act(state, state.random_play(rng.getrandbits(64)))


def played(rules: Ruleset, rng: Random, most: int = 60) -> State:
    """A dealt hand after some actions, not necessarily over."""
    state = State.deal(rules, rng.getrandbits(64), dealer=rng.choice((None, 0, 1, 2, 3)))
    for _ in range(rng.choice((rng.randrange(5), rng.randrange(most)))):
        if state.phase == "over":
            break
        step(state, rng)
    return state


def everything(state: State) -> tuple[Any, ...]:
    """All that can be seen of a state, but the result."""
    return (
        state.rules, state.phase, state.to_move, state.dealer, state.called, state.partner, state.revealed,
        state.soloist, state.hands, state.dealt_hands, state.dealt, state.last_play, state.last_player,
        state.pile_points, state.captured, state.places, state.ending, state.key, state.history,
        state.can_pass,
    )


def critical(freedom: int) -> float:
    """What chi-square exceeds once in 10,000 times (Wilson and Hilferty's approximation)."""
    part = 2 / (9 * freedom)
    return freedom * (1 - part + 3.719 * part**0.5) ** 3


def assert_drawn_from(found: Counter[Any], weights: dict[Any, float]) -> None:
    """A chi-square test that the counts came by these weights; seeds are fixed, so it is no gamble."""
    assert set(found) <= set(weights)
    number, total = sum(found.values()), sum(weights.values())
    expected = {value: number * weight / total for value, weight in weights.items()}
    assert min(expected.values()) >= 5
    statistic = sum((found[value] - wanted) ** 2 / wanted for value, wanted in expected.items())
    assert statistic < critical(len(weights) - 1)
    # and not so even that it cannot be chance
    assert len(weights) < 10 or statistic > len(weights) / 4


# What every position keeps


@pytest.mark.parametrize("rules", ALL_RULES, ids=str)
def test_cards_and_points_are_conserved(rules: Ruleset) -> None:
    rng = Random(str(rules))
    over = 0
    for _ in range(12):
        state = State.deal(rules, rng.getrandbits(64))
        for _ in range(1000):
            cards: Counter[int] = Counter(card for hand in state.hands for card in hand)
            cards.update(card for action in state.history if action.play for card in action.play.cards)
            assert cards == dict.fromkeys(range(54), 2)
            in_hands = sum(hand.points for hand in state.hands)
            assert in_hands + state.pile_points + sum(state.captured) == 200
            out = [seat for seat in SEATS if not state.hands[seat]]
            assert sorted(state.places[: len(out)]) == out
            if state.phase == "over":
                break
            assert state.result is None
            assert state.to_move not in out
            step(state, rng)
        result = state.result
        assert result is not None
        assert sum(result.payoffs) == 0
        for reason in result.reasons:
            assert sum(reason.amounts) == 0
        sums = zip(*(reason.amounts for reason in result.reasons), strict=True)
        assert tuple(map(sum, sums)) == result.payoffs
        if state.soloist is None and state.ending == "one_left":
            assert sum(result.points) == 200
        over += state.ending != "solo"
    assert over >= 3


@pytest.mark.parametrize("rules", ALL_RULES, ids=str)
def test_undo_and_redo(rules: Ruleset) -> None:
    """A walk back and forth: what was seen on the way there is seen on the way back."""
    rng = Random(f"undo {rules}")
    ends = 0
    for _ in range(6):
        state = State.deal(rules, rng.getrandbits(64))
        seen, future = [everything(state)], []
        for _ in range(400):
            back = state.phase == "over" or rng.random() < 0.05
            ends += state.phase == "over"
            for _ in range(rng.randint(1, 12) if back else 1):
                if back and len(seen) > 1:
                    state.undo()
                    future.append(seen.pop()[-2][-1])
                    assert everything(state) == seen[-1]
                    assert state.result is None
                elif not back and state.phase != "over":
                    if future and rng.random() < 0.7:
                        action = future.pop()
                        if action.solo is None:
                            act(state, action.play)
                        else:
                            state.bid(action.solo)
                    else:
                        future = []
                        step(state, rng)
                    seen.append(everything(state))
        while state.history:
            state.undo()
        assert everything(state) == seen[0]
    assert ends > 3


def test_equal_positions_by_different_ways_have_equal_keys() -> None:
    one, other = small(), small()
    do(one, "0 4D; 1 -; 2 -; 3 -; 0 9C; 1 -; 2 -; 3 -")
    do(other, "0 9C; 1 -; 2 -; 3 -; 0 4D; 1 -; 2 -; 3 -")
    assert one.key == other.key
    assert one.history != other.history
    # two tricks with points, in either order
    hands = ("5D 5C 3S", "8D 8C 9C", "3S 7D 9D", "JD QD 9H")
    one, other = small(hands=hands), small(hands=hands)
    do(one, "0 5D; 1 8D; 2 -; 3 JD; 0 -; 1 -; 2 -; 3 QD; 0 -; 1 -; 2 -")
    do(other, "0 5D; 1 -; 2 -; 3 JD; 0 -; 1 -; 2 -; 3 QD; 0 -; 1 -; 2 -")
    assert one.key != other.key      # seat 1 has played a card more here
    # who beat what on the way does not matter, nor how strong it was, once the trick is over
    one, other = small(hands=hands), small(hands=hands)
    do(one, "0 5D; 1 -; 2 7D; 3 QD; 0 -; 1 -; 2 -; 3 9H; 0 -; 1 -; 2 -; 3 JD")
    do(other, "0 5D; 1 -; 2 7D; 3 9H; 0 -; 1 -; 2 -; 3 QD; 0 -; 1 -; 2 -; 3 JD")
    assert one.key == other.key
    one.undo()
    assert one.key != other.key


def test_a_position_has_the_key_that_from_hands_gives_it() -> None:
    """Nothing else is in the key: a position without bonuses is the same whatever was played before."""
    state = small()
    do(state, "0 4D; 1 -; 2 -; 3 -; 0 9C; 1 -; 2 -; 3 TD")
    rebuilt = small(
        hands=state.hands, captured=state.captured, to_move=state.to_move, last_play=state.last_play,
        last_player=state.last_player, pile_points=state.pile_points,
    )
    assert rebuilt.key == state.key
    assert rebuilt.hands == state.hands


def test_the_bids_that_led_to_a_position_are_not_in_its_key() -> None:
    """After the bids nothing depends on how many there were."""
    state = small(bidding=True)
    for _ in range(4):
        state.bid(False)
    assert state.key == small().key
    state = small(bidding=True)
    state.bid(False)
    state.bid(True)
    assert state.key == small(called=None, soloist=1).key


def position_of(state: State) -> Hashable:
    """All that matters to the future, written out."""
    rolls = [[0, 0] for _ in SEATS]
    for action in state.history:
        if action.play is not None and action.play.kind is Kind.ROLL:
            rolls[action.seat][0] += 1
            rolls[action.seat][1] += 1 << (action.play.size // 2 - 3)
    to_beat: Hashable = None
    if state.last_play is not None:
        strength = state.rules.strength(state.last_play)
        bomb = state.last_play.kind in (Kind.BOMB, Kind.FIVE_TEN_KING, Kind.ROLL, Kind.SKY_BOMB)
        to_beat = strength if bomb else (strength, state.last_play.kind, state.last_play.length)
    every = ("sky", "eight", "seven", "four_510k")
    dealt = [tuple(map(int, hand)) for hand in state.dealt_hands]
    bonuses = [tuple(sorted(oracle_game.bonuses_of_hand(every, hand))) for hand in dealt]
    return (
        state.hands, state.phase, state.to_move, state.dealer, state.called, state.partner, state.revealed,
        state.soloist, to_beat, state.last_player, state.pile_points, state.captured, state.places,
        tuple(map(tuple, rolls)), tuple(bonuses), len(state.history) if state.phase == "bid" else None,
    )


def test_different_positions_have_different_keys() -> None:
    keys: dict[int, Hashable] = {}
    rng = Random(5)
    for number in range(250):
        state = played(PRESETS[number % 3], rng, 200)
        while True:
            position = position_of(state)
            assert keys.setdefault(state.key, position) == position
            if not state.history:
                break
            state.undo()
    assert len(keys) == len(set(keys.values())) > 10_000


def test_each_part_of_a_position_is_in_its_key() -> None:
    hands = ("3S 4D", "6D 8C", "3S 7D", "8D 9D")
    single, pair = Play("KD as single K"), Play("6D 6C as pair 6")
    under_way = {"to_move": 1, "last_player": 0, "last_play": single, "pile_points": 10}
    states = [
        small(hands=hands),
        small(hands=("3S 4C", *hands[1:])),
        small(hands=("3S 8C", "6D 4D", *hands[2:])),
        small(hands=("3S 4D 4D", *hands[1:])),
        small(hands=hands, bidding=True),
        small(hands=hands, dealer=2),
        small(hands=hands, to_move=2),
        small(hands=hands, called=Card("4D"), partner=2),
        small(hands=hands, called=Card("4D"), partner=3),
        small(hands=hands, called=None, soloist=0),
        small(hands=hands, called=None, soloist=1),
        *(small(hands=hands, captured=tuple(5 * (seat == other) for other in SEATS)) for seat in SEATS),
        small(hands=hands, captured=(0, 10, 0, 0)),
        small(hands=hands, **under_way),
        small(hands=hands, **{**under_way, "pile_points": 15}),
        small(hands=hands, **{**under_way, "last_player": 2}),
        small(hands=hands, **{**under_way, "last_play": Play("QD as single Q")}),
        small(hands=hands, **{**under_way, "last_play": pair}),
        small(hands=hands, **{**under_way, "last_play": Play("6D 6C 6H 6S as bomb 6")}),
        small(hands=hands, **{**under_way, "last_play": Play("5D 5C 6D 6C as pair_run 6 x2")}),
        small(hands=hands, **{**under_way, "last_play": Play("4D 4C 5D 5C 6D 6C as pair_run 6 x3")}),
    ]
    assert len({state.key for state in states}) == len(states)
    # which suit a single had is nothing to the one who has to beat it
    alike = {**under_way, "last_play": Play("KC as single K")}
    assert small(hands=hands, **alike).key == small(hands=hands, **under_way).key


# Copies and pickles


@pytest.mark.parametrize(
    "duplicate", [State.copy, copy.copy, copy.deepcopy], ids=["copy", "copy.copy", "deepcopy"]
)
def test_a_copy_is_independent(duplicate: Callable[[State], State]) -> None:
    rng = Random(3)
    for number in range(30):
        state = played(PRESETS[number % 3], rng)
        before = everything(state)
        twin = duplicate(state)
        assert twin is not state
        assert twin == state
        assert everything(twin) == before
        for _ in range(20):
            if twin.phase != "over":
                step(twin, rng)
        assert everything(state) == before
        twin = duplicate(state)
        for _ in range(min(4, len(twin.history))):
            twin.undo()
        assert everything(state) == before
        after = everything(twin)
        if state.phase != "over":
            step(state, rng)
        assert everything(twin) == after


def test_pickles() -> None:
    rng = Random(4)
    over = 0
    for number in range(60):
        state = played(ALL_RULES[number % len(ALL_RULES)], rng, 200)
        again = pickle.loads(pickle.dumps(state))
        assert again == state
        assert everything(again) == everything(state)
        assert again.result == state.result
        over += state.phase == "over"
        for _ in range(min(3, len(state.history))):
            state.undo()
            again.undo()
            assert everything(again) == everything(state)
    assert over > 5


def test_pickles_of_positions_made_by_hand() -> None:
    states = [
        small(bidding=True), small(called=None, soloist=3), small(to_move=2, captured=(5, 0, 10, 0)),
        small(called=Card("KD"), partner=1),
        small(hands=("", *SMALL[1:]), places=(0,), to_move=1),
        small(to_move=1, last_play=Play("KD as single K"), last_player=0, pile_points=15),
        small().sample_hidden(1, 5),
    ]
    for state in states:
        for _ in range(3):
            again = pickle.loads(pickle.dumps(state))
            assert again == state
            assert everything(again) == everything(state)
            step(state, Random(1))


def test_a_pickled_sample_cannot_be_undone_either() -> None:
    state = small()
    do(state, "0 4D")
    again = pickle.loads(pickle.dumps(state.sample_hidden(1, 0)))
    with pytest.raises(IllegalPlay, match="undo"):
        again.undo()


def test_equality() -> None:
    assert small() == small()
    turned = small(hands=SMALL[::-1], dealer=1)
    for other in (small(DAYE), small(dealer=2), small(bidding=True), small(to_move=1), turned):
        assert small() != other
    state = small()
    do(state, "0 4D")
    assert state != small()
    state.undo()
    assert state == small()
    assert small() != "a state"
    with pytest.raises(TypeError):
        hash(small())


def test_a_called_card_may_be_given_as_text() -> None:
    state = small(called="3S")
    assert state == small()
    assert state.sample_hidden(1, 0).hands[1] == state.hands[1]
    assert state.key == small().key


# Illegal actions


def refused(
    state: State, action: Callable[[], object], errors: Any = IllegalPlay, match: str | None = None
) -> None:
    """The action raises and changes nothing at all."""
    before, dumped = everything(state), pickle.dumps(state)
    with pytest.raises(errors, match=match) as caught:
        action()
    assert str(caught.value)
    assert everything(state) == before
    assert pickle.dumps(state) == dumped


def test_illegal_is_a_value_error() -> None:
    assert issubclass(IllegalPlay, ValueError)


def test_illegal_while_bidding() -> None:
    state = small(bidding=True)
    for text in ("4D as single 4", Play("4D as single 4")):
        refused(state, lambda text=text: state.play(text), match="bid")
    refused(state, state.pass_, match="bid")
    refused(state, state.legal_plays, match="bid")
    refused(state, state.random_play, match="bid")
    refused(state, state.undo, match="undo")
    for wrong in (None, "yes", 1, 0, 1.0, "True"):
        refused(state, lambda wrong=wrong: state.bid(wrong), TypeError)
    state.bid(np.bool_(False))
    state.bid(False)
    refused(state, state.pass_, match="bid")
    state.bid(True)
    refused(state, lambda: state.bid(False), match="bid")


def test_illegal_plays() -> None:
    state = small()
    refused(state, state.pass_, match="R6.1")
    refused(state, lambda: state.bid(True), match="bid")
    not_held = ("5D as single 5", "4D 4D as pair 4", "XB as single 3", "9D as single 9", "3S 3S as pair 3")
    for text in not_held:
        refused(state, lambda text=text: state.play(text), match="hold")
        refused(state, lambda text=text: state.play(Play(text)), match="hold")
    no_play = ("4D as single 5", "3S 4D as pair 4", "3S 4D", "", "garbage", "4D as", "as single 4", "ZZ")
    for text in no_play:
        refused(state, lambda text=text: state.play(text), ValueError)
    for wrong in (None, 5, b"4D", ["4D"], Hand("4D"), Card("4D")):
        refused(state, lambda wrong=wrong: state.play(wrong), (TypeError, ValueError))
    do(state, "0 4D; 1 9D")
    refused(state, lambda: state.play("9S as single 9"), match="beat")       # a tie
    refused(state, lambda: state.play("7D as single 7"), match="beat")
    refused(state, lambda: state.play("9H as single 9"), match="hold")       # of the next seat
    refused(state, lambda: state.bid(False), match="bid")


def test_illegal_kinds_and_lengths() -> None:
    hands = ("4D 4C 5D 5C 6D 6C 3S", "7D 7C 8D 8C 9D 9C TH", "3S AD AC AH KD", "2D 2C 2H 2S JD")
    state = small(hands=hands)
    do(state, "0 4D 4C 5D 5C as pair_run 5 x2")
    for text in ("7D 7C 8D 8C 9D 9C as pair_run 9 x3", "9D 9C as pair 9", "TH as single T"):
        refused(state, lambda text=text: state.play(text), match="beat")
    do(state, "1 7D 7C 8D 8C as pair_run 8 x2; 2 -")
    assert [str(play) for play in state.legal_plays()] == ["2D 2C 2H 2S as bomb 2"]
    refused(state, lambda: state.play("2D 2C 2H as triple 2"), match="beat")
    do(state, "3 2D 2C 2H 2S as bomb 2")


def test_plays_of_other_rules_are_illegal() -> None:
    four = "XB XB XR XR"
    hands = (f"{four} 3S 4D", "5D", "3S 6D", "7D")
    for rules, text in ((DAYE, f"{four} as sky_bomb"), (DAGUN, f"{four} as bomb A")):
        state = small(rules, hands)
        refused(state, lambda state=state, text=text: state.play(Play(text)), match="no play under")
        refused(state, lambda state=state, text=text: state.play(text), ValueError)
    # the strength that counts is that of the state's rules, not of those the play was made under
    house = DAGUN.replace(roll_order="cards_then_top")
    assert house.parse_play(f"{four} as sky_bomb") == DAGUN.parse_play(f"{four} as sky_bomb")


def test_illegal_when_over() -> None:
    state = small(hands=("3S", "5D 6D", "3S 7D", "8D 9D"), called=None, soloist=0)
    do(state, "0 3S")
    assert state.phase == "over"
    assert state.to_move is None
    assert not state.can_pass
    refused(state, state.pass_, match="over")
    refused(state, lambda: state.play("5D as single 5"), match="over")
    refused(state, lambda: state.bid(True), match="bid")
    refused(state, state.legal_plays, match="over")
    refused(state, state.random_play, match="over")
    state.undo()
    assert state.phase == "play"


def test_every_play_that_is_not_listed_is_illegal() -> None:
    """Of the plays that the whole pack could make, a seat may make those in its list, and no other."""
    rng = Random(8)
    refusals = allowed = 0
    for number in range(60):
        state = played(PRESETS[number % 3], rng)
        if state.phase != "play":
            continue
        legal = state.legal_plays(Detail.CARDS)
        before = everything(state)
        for seat in SEATS:
            leads = state.rules.legal_plays(state.hands[seat])
            for place in rng.sample(range(len(leads)), min(25, len(leads))):
                if leads[place] in legal:
                    state.play(leads[place])
                    state.undo()
                    allowed += 1
                else:
                    with pytest.raises(IllegalPlay):
                        state.play(leads[place])
                    refusals += 1
                assert everything(state) == before
    assert refusals > 500
    assert allowed > 50


def test_no_state_from_nothing() -> None:
    with pytest.raises(TypeError, match=r"State\.deal"):
        State()


# from_hands: what cannot be

KING = Play("KD as single K")
UNDER_WAY: dict[str, Any] = {"last_play": KING, "last_player": 0, "to_move": 1, "pile_points": 10}
WITHOUT_0 = ("", *SMALL[1:])


@pytest.mark.parametrize(
    ("given", "match"),
    [
        ({"hands": SMALL[:3]}, "3 hands"),
        ({"hands": (*SMALL, "KD")}, "5 hands"),
        ({"hands": ("3S XX", *SMALL[1:])}, "XX"),
        ({"hands": ("3S 3S 3S", *SMALL[1:])}, "third"),
        ({"hands": ("3S 9D", "9D", "3S 9D", "8D")}, "third 9D"),
        ({"hands": (list(range(28)), "4D", "3S", "8D")}, "28 cards"),
        ({"dealer": 4}, "dealer"),
        ({"dealer": -1}, "dealer"),
        ({"dealer": True}, "dealer"),
        ({"dealer": "0"}, "dealer"),
        ({"dealer": None}, "dealer"),
        ({"called": None}, "called"),
        ({"called": "ZZ"}, "ZZ"),
        ({"called": 54}, "54"),
        ({"called": Card("KD")}, "partner is needed"),
        ({"hands": ("3S 3S", "4D", "5D", "6D")}, "both copies"),
        ({"hands": ("4D", "3S 3S", "5D", "6D")}, "dealer"),
        ({"hands": ("4D", "3S", "3S 5D", "6D")}, "dealer"),
        ({"partner": 1}, "seat 2 holds"),
        ({"partner": 0}, "that is the dealer"),
        ({"called": Card("KD"), "partner": 7}, "partner"),
        ({"soloist": 4, "called": None}, "soloist"),
        ({"soloist": 1}, "soloist"),
        ({"soloist": 1, "called": None, "partner": 2}, "soloist"),
        ({"soloist": 1, "called": None, "bidding": True}, "bidding"),
        ({"captured": (0, 0, 0)}, "captured"),
        ({"captured": (0, 0, 0, 3)}, "captured"),
        ({"captured": (0, 0, 0, -5)}, "captured"),
        ({"captured": (0, 0, 0, 5.0)}, "captured"),
        ({"captured": (100, 100, 0, 5)}, "captured"),
        ({"captured": (190, 0, 0, 0)}, "captured"),          # 15 in the hands
        ({**UNDER_WAY, "pile_points": 7}, "pile_points"),
        ({**UNDER_WAY, "captured": (180, 0, 0, 0)}, "pile_points"),
        ({"pile_points": 5}, "pile_points"),
        ({"last_player": 0}, "last_play"),
        ({**UNDER_WAY, "last_player": None}, "last_player"),
        ({**UNDER_WAY, "last_player": 9}, "last_player"),
        ({**UNDER_WAY, "to_move": 0}, "to_move"),
        ({**UNDER_WAY, "to_move": None}, "to_move"),         # the dealer, who made the play
        ({**UNDER_WAY, "last_play": Play("XB XB XR XR as bomb A")}, "no play"),
        ({"to_move": 4}, "to_move"),
        ({"hands": WITHOUT_0, "called": Card("3S"), "places": (0,), "to_move": 0}, "to_move"),
        ({"hands": WITHOUT_0, "places": (1,), "to_move": 1}, "places"),
        ({"hands": WITHOUT_0, "places": (0, 0), "to_move": 1}, "places"),
        ({"places": (0,)}, "places"),
        ({"hands": ("", "", *SMALL[2:]), "to_move": 2}, "places"),
        ({"hands": ("", "", "", "8D"), "partner": 2, "places": (0, 1, 2), "to_move": 3}, "over"),
        ({"hands": WITHOUT_0, "soloist": 1, "called": None, "places": (0,)}, "over"),
        ({"bidding": True, "captured": (5, 0, 0, 0)}, "before the bids"),
        ({"bidding": True, "to_move": 1}, "before the bids"),
        ({"bidding": True, **UNDER_WAY}, "before the bids"),
    ],
    ids=str,
)
def test_refused_positions(given: dict[str, Any], match: str) -> None:
    given = dict(given)
    hands = given.pop("hands", SMALL)
    with pytest.raises(ValueError, match=match):
        small(hands=hands, **given)


@pytest.mark.parametrize(
    "given",
    [
        # first and second are partners, by the call or in DAYE too
        {"hands": ("", "6D", "", "9D"), "partner": 2, "places": (0, 2), "to_move": 1},
        {"hands": ("3S", "", "3S", ""), "places": (1, 3)},
        # DAYE: second has 105, or the first player's side 100
        {"rules": DAYE, "hands": ("", "", "3S 4C", "9D"), "places": (0, 1), "captured": (5, 105, 0, 0),
         "to_move": 2},
        {"rules": DAYE, "hands": ("", "", "3S 4C", "9D"), "places": (0, 1), "captured": (100, 5, 0, 0),
         "to_move": 2},
    ],
    ids=["partners", "others", "second has 105", "first has 100"],
)
def test_a_hand_that_is_over_is_no_position(given: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="over"):
        small(**given)


def test_a_third_copy_in_the_play_to_beat_is_refused() -> None:
    play = Play("4D 4D as pair 4")
    with pytest.raises(ValueError, match="4D"):
        small(last_play=play, last_player=3, to_move=1)


def test_the_trick_has_at_least_the_points_of_the_play_to_beat() -> None:
    with pytest.raises(ValueError, match="pile_points"):
        small(**{**UNDER_WAY, "pile_points": 0})


def test_wrong_types_for_from_hands() -> None:
    for given in ({"last_play": "KD as single K", "last_player": 0, "to_move": 1}, {"captured": 5},
                  {"places": 3}):
        with pytest.raises(TypeError):
            small(**given)
    for hands in (None, 5):
        with pytest.raises(TypeError):
            small(hands=hands)
    for rules in (None, "DAGUN"):
        with pytest.raises(TypeError):
            small(rules)


def test_positions_made_by_hand() -> None:
    state = small(**UNDER_WAY, captured=(0, 20, 0, 5))
    assert (state.phase, state.to_move, state.last_play, state.last_player) == ("play", 1, KING, 0)
    assert (state.captured, state.pile_points) == ((0, 20, 0, 5), 10)
    assert (state.partner, state.revealed, state.dealt) == (2, False, None)
    do(state, "1 -; 2 -; 3 -")
    assert (state.to_move, state.captured) == (0, (10, 20, 0, 5))
    # the partner is out, so known
    state = small(hands=("4D", "5D 6D", "", "8D"), partner=2, places=(2,), to_move=1)
    assert (state.partner, state.revealed, state.places) == (2, True, (2,))
    # the partner's copy is gone, the dealer's is not
    state = small(hands=("3S 4D", "5D 6D", "7D", "8D"), partner=3)
    assert (state.partner, state.revealed) == (3, True)
    # the dealer's is gone, the partner's is not
    state = small(hands=("4D", "5D 6D", "7D", "8D 3S"))
    assert (state.partner, state.revealed) == (3, False)
    state = small(called=None, soloist=3)
    assert (state.dealer, state.to_move, state.soloist, state.partner, state.called) == (3, 3, 3, None, None)
    assert {state.rules for state in (small(DAYE), small(rules=DAYE))} == {DAYE}


# Dealing

KNOWN_DEALS: dict[tuple[int, int, int | None], tuple[str, int, str]] = {
    (0, 0, None): (
        "KH 2H TC JH 6H | 2C 4C 5D JH 3C | TH TD 3D 7H 7H | 2D AD TS 4H 5H", 3, "QS",
    ),
    (0, 0, 0): (
        "KH 2H TC JH 6H | 2C 4C 5D JH 3C | TH TD 3D 7H 7H | 2D AD TS 4H 5H", 0, "5C",
    ),
    (0, 1, 0): (
        "2C TD 6D JC 3D | 5C QS XB TC 7C | 8S 4S 2D 9C KH | JS TC QH 7C 9C", 0, "2C",
    ),
    (1, 0, 2): (
        "QD TS 5S 2S 6D | 5D 7H 8D 9S 7S | 2H AD 4S 4C 8C | 7S JH QS 5H 3S", 2, "7C",
    ),
    (510, 7, None): (
        "XR 8D XB JS 3D | TH 8S TD AH TC | 8C QS 3C 6C 4S | 3C 4C 7S KS 7C", 0, "JS",
    ),
    (2**64 - 1, 2**63 - 1, 3): (
        "3D TS 8D QD TS | KD QC QS 5S 3D | 2S KD KS 5H 9C | 7C 3S 7D TH QD", 3, "7C",
    ),
}
KNOWN_GENERATOR_DEAL = (
    "2S TD 7H 7C 8C | 5C 3D 3S AS 5S | 7D 2C 9H 7D KD | TH 6D 2H QH 3S", 2, "9H",
)


def test_known_deals() -> None:
    """The same on every machine, for good."""
    for (seed, index, dealer), expected in KNOWN_DEALS.items():
        state = State.deal(DAGUN, seed, hand_index=index, dealer=dealer)
        first = " | ".join(" ".join(map(str, dealt[:5])) for dealt in state.dealt)
        assert (first, state.dealer, str(state.called)) == expected


def test_known_deals_by_a_numpy_generator() -> None:
    """A generator gives one 64-bit seed for each deal."""
    generator, same = np.random.default_rng(7), np.random.default_rng(7)
    for _ in range(5):
        seed = int(same.integers(1 << 64, dtype=np.uint64))
        assert State.deal(DAYE, generator, hand_index=3) == State.deal(DAYE, seed, hand_index=3)
    state = State.deal(DAGUN, np.random.default_rng(510))
    first = " | ".join(" ".join(map(str, dealt[:5])) for dealt in state.dealt)
    assert (first, state.dealer, str(state.called)) == KNOWN_GENERATOR_DEAL


def test_deals_are_told_apart() -> None:
    deals = {
        State.deal(DAGUN, seed, hand_index=index, dealer=0).hands for seed in range(40) for index in range(40)
    }
    assert len(deals) == 1600
    assert State.deal(DAGUN, None).hands != State.deal(DAGUN, None).hands


@pytest.mark.parametrize("rules", ALL_RULES, ids=str)
def test_a_deal_and_the_call(rules: Ruleset) -> None:
    fields = rules.fields()
    jokers = 0
    for index in range(400):
        dealer = None if index % 2 else index // 2 % 4
        state = State.deal(rules, 17, hand_index=index, dealer=dealer)
        assert state.phase == "bid"
        assert state.to_move == state.dealer
        assert dealer is None or state.dealer == dealer
        assert tuple(map(Hand, state.dealt)) == state.hands == state.dealt_hands
        assert [len(hand) for hand in state.dealt] == [27] * 4
        own = state.dealt[state.dealer]
        hands = [tuple(map(int, hand)) for hand in state.hands]
        if dealer is not None:
            assert state.called == rules.called_card(own)
        assert int(state.called) in oracle.called_card(fields, tuple(map(int, own)), dealer is None)
        assert state.partner == oracle_game.partner_by_call(hands, state.dealer, int(state.called))
        assert not state.revealed
        jokers += state.called >= 52
    assert (jokers > 0) is rules.call_jokers


def test_a_joker_is_called_where_nothing_else_can_be() -> None:
    pairs = " ".join(f"{rank}D {rank}D" for rank in "3456789TJQKA2")
    for rules in ALL_RULES:
        for first_hand in (False, True):
            assert rules.called_card(f"XB {pairs}", first_hand=first_hand) == Card("XB")


def test_cards_go_round_from_the_dealer() -> None:
    for index in range(10):
        from_0 = State.deal(DAGUN, 3, hand_index=index, dealer=0).dealt
        for dealer in SEATS:
            dealt = State.deal(XIANNING, 3, hand_index=index, dealer=dealer).dealt
            assert tuple(dealt[(dealer + turn) % 4] for turn in SEATS) == from_0


def test_deals_are_uniform() -> None:
    """Suits by seat, the first and the last card of each seat, the first dealer, and the call's place."""
    first: Counter[tuple[int, int]] = Counter()
    last: Counter[tuple[int, int]] = Counter()
    suits: Counter[tuple[int, str]] = Counter()
    dealers: Counter[int] = Counter()
    called: Counter[int] = Counter()
    for index in range(3000):
        state = State.deal(XIANNING, 99, hand_index=index)
        dealers[state.dealer] += 1
        called[int(state.called)] += 1
        for seat, dealt in enumerate(state.dealt):
            first[seat, int(dealt[0])] += 1
            last[seat, int(dealt[-1])] += 1
            # one card of a deal, so that the draws are independent
            if index % 4 == seat:
                suits[seat, str(dealt[index % 27])[1] if dealt[index % 27] < 52 else "X"] += 1
    assert_drawn_from(dealers, dict.fromkeys(SEATS, 1))
    for seat in SEATS:
        for counts in (first, last):
            of_seat = Counter({code: counts[seat, code] for code in range(54)})
            assert_drawn_from(of_seat, dict.fromkeys(range(54), 1))
        of_suit = Counter({suit: suits[seat, suit] for suit in "DCHSX"})
        assert_drawn_from(of_suit, {"D": 26, "C": 26, "H": 26, "S": 26, "X": 4})
    assert_drawn_from(called, dict.fromkeys(range(54), 1))


@pytest.mark.parametrize(
    "given",
    [
        {"seed": -1}, {"seed": 1 << 64}, {"seed": 1.0}, {"seed": "1"}, {"seed": True}, {"seed": Random(1)},
        {"hand_index": -1}, {"hand_index": 1 << 63}, {"hand_index": 0.0}, {"hand_index": True},
        {"hand_index": None}, {"dealer": 4}, {"dealer": -1}, {"dealer": True}, {"dealer": "1"},
    ],
    ids=str,
)
def test_refused_deals(given: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(given))):
        State.deal(DAGUN, **{"seed": 1, **given})


def test_deals_need_rules() -> None:
    for wrong in (None, "DAGUN", 3):
        with pytest.raises(TypeError):
            State.deal(wrong, 1)


# What a seat can see


def again_with(state: State, hands: list[Hand], **given: Any) -> State:
    """The same bids, plays and passes in a hand dealt otherwise."""
    bidding = any(action.solo is not None for action in state.history) or state.phase == "bid"
    first_dealer = next((action.seat for action in state.history if action.solo is not None), state.dealer)
    other = State.from_hands(state.rules, hands, dealer=first_dealer, bidding=bidding, **given)
    for action in state.history:
        if action.solo is None:
            act(other, action.play)
        else:
            other.bid(action.solo)
    return other


def numbers(state: State, seat: int) -> np.ndarray:
    return state.observe(seat, np.full(OBSERVATION_SIZE, 255, np.uint8))


def test_a_swap_of_hidden_cards_is_not_seen() -> None:
    rng = Random(21)
    swaps = calls = seen = solos = 0
    while swaps < 150 or calls < 25 or solos < 25:
        state = played(PRESETS[rng.randrange(3)], rng, 40)
        start = copy_of_the_start(state)
        called = start.called
        if state.phase == "over":
            continue
        viewer = rng.randrange(4)
        one, other = rng.sample([seat for seat in SEATS if seat != viewer], 2)
        if not state.hands[one] or not state.hands[other]:
            continue
        # in a solo hand too nobody but its holder knows where the second copy of the card called is
        secret = one != start.dealer and called in state.hands[one] and not state.revealed
        hidden = rng.random() < 0.4 and secret
        give = called if hidden and called in state.hands[one] else rng.choice(list(state.hands[one]))
        take = rng.choice(list(state.hands[other]))
        if (give == called) is not hidden or take == called or (hidden and other == start.dealer):
            continue
        hands = list(state.dealt_hands)
        hands[one] = hands[one] - Hand([give]) + Hand([take])
        hands[other] = hands[other] - Hand([take]) + Hand([give])
        swapped = again_with(state, hands, called=called)
        assert swapped.observe(viewer) == state.observe(viewer)
        assert (numbers(swapped, viewer) == numbers(state, viewer)).all()
        swaps += 1
        calls += hidden
        solos += hidden and state.soloist is not None
        if give != take:
            seen += swapped.observe(one) != state.observe(one)
            assert (numbers(swapped, one) != numbers(state, one)).any()
    assert seen > 100


def copy_of_the_start(state: State) -> State:
    """The state before anything happened."""
    start = state.copy()
    while start.history:
        start.undo()
    return start


def fields_of(array: np.ndarray) -> dict[str, list[int]]:
    """The numbers of an observation by field."""
    assert len(array) == OBSERVATION_SIZE == sum(size for _, size in OBSERVATION_FIELDS)
    found, place = {}, 0
    for name, size in OBSERVATION_FIELDS:
        found[name] = array[place : place + size].tolist()
        place += size
    return found


def one_hot(place: int | None, size: int) -> list[int]:
    return [int(place == other) for other in range(size)]


def test_what_an_observation_holds() -> None:
    rng = Random(22)
    phases: Counter[str] = Counter()
    for number in range(120):
        state = played(PRESETS[number % 3], rng, 200)
        phases[state.phase] += 1
        for seat in SEATS:
            seen, found = state.observe(seat), fields_of(numbers(state, seat))

            def turned(other: int | None, seat: int = seat) -> int | None:
                return None if other is None else (other - seat) % 4

            order = [(seat + turn) % 4 for turn in SEATS]
            assert seen.seat == seat
            assert seen.hand == state.hands[seat]
            assert found["hand"] == seen.hand.counts.tolist()
            assert seen.hand_sizes == tuple(map(len, state.hands))
            assert found["hand_sizes"] == [len(state.hands[other]) for other in order]
            put_down = [Hand("")] * 4
            for action in state.history:
                if action.play is not None:
                    put_down[action.seat] += action.play.cards
            assert seen.played == tuple(put_down)
            assert found["played"] == [int(n) for other in order for n in put_down[other].counts]
            for name in ("phase", "to_move", "dealer", "called", "revealed", "soloist", "last_play",
                         "last_player", "pile_points", "captured", "places", "history", "first_dealer",
                         "first_called"):
                assert getattr(seen, name) == getattr(state, name)
            assert seen.partner == (state.partner if state.revealed or state.partner == seat else None)
            assert found["partner"] == one_hot(turned(seen.partner), 4)
            start = copy_of_the_start(state)
            assert (seen.first_dealer, seen.first_called) == (start.dealer, start.called)
            for name in ("to_move", "dealer", "soloist", "last_player", "first_dealer"):
                assert found[name] == one_hot(turned(getattr(state, name)), 4)
            assert found["revealed"] == [state.revealed]
            assert found["called"] == one_hot(state.called, 54)
            assert found["first_called"] == one_hot(start.called, 54)
            assert found["captured"] == [state.captured[other] for other in order]
            assert found["pile"] == [state.pile_points]
            places = {seat: place for place, seat in enumerate(state.places, 1)}
            assert found["places"] == [places.get(other, 0) for other in order]
            assert found["phase"] == one_hot(("bid", "play", "over").index(state.phase), 3)
            assert found["passed_bids"] == [len(state.history) if state.phase == "bid" else 0]
            play = state.last_play
            assert found["kind"] == one_hot(None if play is None else int(play.kind) - 1, 9)
            if play is None:
                wanted = [0] * 5
            else:
                suit = 0 if play.suit is None else play.suit + 1
                wanted = [play.rank + 1, play.length, play.size, state.rules.strength(play), suit]
            low, high = found["strength"]
            assert [found["rank"][0], found["length"][0], found["size"][0], low + 256 * high,
                    found["suit"][0]] == wanted
    assert min(phases["bid"], phases["play"], phases["over"]) > 2


def test_a_solo_still_tells_the_call() -> None:
    state = State.deal(XIANNING, 7)
    dealer, called = state.dealer, state.called
    assert (state.first_dealer, state.first_called) == (dealer, called)
    state.bid(False)
    state.bid(True)
    soloist = (dealer + 1) % 4
    samples = [state.sample_hidden(seat, 3) for seat in SEATS]
    again = pickle.loads(pickle.dumps(state)), State.from_record(state.to_record())
    for same in (state, state.copy(), copy.deepcopy(state), *again, *samples):
        assert (same.dealer, same.called, same.soloist) == (soloist, None, soloist)
        assert (same.first_dealer, same.first_called) == (dealer, called)
        for seat in SEATS:
            seen, found = same.observe(seat), fields_of(numbers(same, seat))
            assert (seen.dealer, seen.called) == (soloist, None)
            assert (seen.first_dealer, seen.first_called) == (dealer, called)
            assert found["first_dealer"] == one_hot((dealer - seat) % 4, 4)
            assert found["first_called"] == one_hot(called, 54)
            assert found["called"] == [0] * 54
    state.undo()
    assert (state.dealer, state.called, state.soloist) == (dealer, called, None)
    assert (state.first_dealer, state.first_called) == (dealer, called)


def test_a_hand_that_began_with_a_soloist_tells_no_call() -> None:
    state = State.from_hands(DAYE, ["3S", "4S 5S", "KS", "9C"], dealer=1, soloist=3)
    again = pickle.loads(pickle.dumps(state)), State.from_record(state.to_record())
    for same in (state, state.copy(), *again):
        assert (same.dealer, same.first_dealer, same.first_called) == (3, 1, None)
        found = fields_of(numbers(same, 3))
        assert (found["first_dealer"], found["first_called"]) == ([0, 0, 1, 0], [0] * 54)


def test_the_array_of_an_observation() -> None:
    state = small()
    out = np.zeros(OBSERVATION_SIZE, np.uint8)
    assert state.observe(0, out) is out
    assert out.any()
    for size in (0, OBSERVATION_SIZE - 1, OBSERVATION_SIZE + 1):
        with pytest.raises(ValueError):
            state.observe(0, np.zeros(size, np.uint8))
    every_other = np.zeros(2 * OBSERVATION_SIZE, np.uint8)[::2]
    doubles, longs = np.zeros(OBSERVATION_SIZE), np.zeros(OBSERVATION_SIZE, np.int64)
    for array in (doubles, longs, every_other, [0] * OBSERVATION_SIZE, "text"):
        with pytest.raises((TypeError, ValueError, BufferError)):
            state.observe(0, array)
    for seat in (-1, 4, None, "0", True):
        with pytest.raises(ValueError, match="seat"):
            state.observe(seat)


# Redealing what a seat cannot see


def test_samples_contradict_nothing() -> None:
    rng = Random(31)
    solos = holders = 0
    for number in range(300):
        state = played(ALL_RULES[number % len(ALL_RULES)], rng, 120)
        before = everything(state)
        start = copy_of_the_start(state)
        put_down = [dealt - hand for dealt, hand in zip(state.dealt_hands, state.hands, strict=True)]
        for viewer in SEATS:
            sample = state.sample_hidden(viewer, rng.getrandbits(64))
            assert everything(state) == before
            assert sample.hands[viewer] == state.hands[viewer]
            assert list(map(len, sample.hands)) == list(map(len, state.hands))
            assert sum((hand.counts for hand in sample.hands), np.zeros(54, np.uint8)).tolist() == sum(
                (hand.counts for hand in state.hands), np.zeros(54, np.uint8)
            ).tolist()
            again = [dealt - hand for dealt, hand in zip(sample.dealt_hands, sample.hands, strict=True)]
            assert again == put_down
            assert sample.history == state.history
            assert sample.observe(viewer) == state.observe(viewer)
            assert (numbers(sample, viewer) == numbers(state, viewer)).all()
            # of the called card the dealer was dealt one copy, and one other seat the second
            dealt = [list(hand).count(start.called) for hand in sample.dealt_hands]
            assert dealt[start.dealer] == 1
            assert sorted(dealt) == [0, 0, 1, 1]
            if state.soloist is None:
                assert dealt[sample.partner] == 1
                assert sample.partner != sample.dealer
                holders += sample.partner != state.partner
            solos += state.soloist is not None
            assert sample.dealt is None
            if state.history:
                refused(sample, sample.undo, match="redeal")
            if sample.phase == "play":
                replayed = again_with(sample, list(sample.dealt_hands), called=start.called)
                assert replayed.key == sample.key
                assert replayed.partner == sample.partner
                sample.play(sample.legal_plays()[0]) if len(sample.legal_plays()) else sample.pass_()
                sample.undo()
                assert replayed.key == sample.key
    assert solos > 30
    assert holders > 50


def test_samples_by_seed() -> None:
    state = State.deal(DAGUN, 1, dealer=0)
    assert state.sample_hidden(0, 5) == state.sample_hidden(0, 5)
    assert state.sample_hidden(0, 5) != state.sample_hidden(0, 6)
    one, other = np.random.default_rng(3), np.random.default_rng(3)
    assert state.sample_hidden(2, one) == state.sample_hidden(2, other)
    assert state.sample_hidden(2, one) != state.sample_hidden(2, np.random.default_rng(3))
    assert state.sample_hidden(1).hands[1] == state.hands[1]
    for seat in (-1, 4, None, True):
        with pytest.raises(ValueError, match="seat"):
            state.sample_hidden(seat)
    for seed in (-1, "a", 1.0):
        with pytest.raises(ValueError, match="seed"):
            state.sample_hidden(0, seed)


ENDINGS = {
    "all unseen": ("3S 4D | 5D 6D | 3S 7D | 8D 9D", ""),
    "a card twice": ("3S 4D | 5D 5D 6D | 3S 7D | 6D 9D", ""),
    "unequal": ("3S 4D 7C | 5D | 3S 7D | 8D 9D 5D", ""),
    "the dealer's copy played": ("3S 4D | 5D 6D | 3S 7D | 8D 9D", "0 3S; 1 5D; 2 -"),
    "the partner's copy played": ("3S 4D TC | 5D 6D | 3S 2D 7D | 8D 9D TD",
                                  "0 4D; 1 -; 2 2D; 3 -; 0 -; 1 -; 2 3S"),
    "one out": ("3S 4D 7C | 5D 5C 6D | 3S 7D 8C | 8D 9D 5D",
                "0 7C; 1 -; 2 8C; 3 9D; 0 -; 1 -; 2 -; 3 8D; 0 -; 1 -; 2 -; 3 5D"),
}


@pytest.mark.parametrize("viewer", SEATS)
@pytest.mark.parametrize("ending", ENDINGS)
def test_samples_are_uniform(ending: str, viewer: int) -> None:
    """Among the deals that the oracle enumerates for this seat, each as often as its weight says."""
    text, actions = ENDINGS[ending]
    hands = [part.strip() for part in text.split("|")]
    rules = DAGUN
    state = small(rules, hands)
    game = oracle_game.Game(rules.fields(), [oracle.parse_cards(hand) for hand in hands], 0, int(Card("3S")))
    if actions:
        do(state, actions)
        for _, action in oracle_game.actions_of(actions):
            oracle_game.act(game, action)
    weights = oracle_game.unseen_deals(game, viewer)
    assert len(weights) > 1
    total = sum(weights.values())
    number = max(2000, 12 * total // min(weights.values()))
    found: Counter[Any] = Counter()
    for seed in range(number):
        sample = state.sample_hidden(viewer, seed)
        found[tuple(tuple(map(int, hand)) for hand in sample.hands)] += 1
    assert_drawn_from(found, weights)


@pytest.mark.parametrize("viewer", SEATS)
def test_samples_of_a_solo(viewer: int) -> None:
    """The call before the bid still tells that the first dealer has one copy, and but one."""
    state = small(hands=("3S 4D", "5D 6D", "3S 7D", "8D 9D"), bidding=True)
    state.bid(False)
    state.bid(True)
    found = {tuple(map(str, state.sample_hidden(viewer, seed).hands)) for seed in range(3000)}
    assert len(found) > 10
    for hands in found:
        assert hands[0].split().count("3S") == 1
        assert hands[viewer] == str(state.hands[viewer])


# Random plays


@pytest.mark.parametrize("leading", [True, False])
def test_random_plays_are_uniform(leading: bool) -> None:
    hands = ("4D 4C 5D 6H 9C XB 3S", "7D 7C 8D 8C TD TC KD", "3S AD", "2D JD")
    state = small(hands=hands)
    if not leading:
        do(state, "0 4D 4C as pair 4")
    choices: list[Play | None] = [*state.legal_plays(), *([None] if state.can_pass else [])]
    before = everything(state)
    found = Counter(state.random_play(seed) for seed in range(200 * len(choices)))
    assert everything(state) == before
    assert (None in choices) is not leading
    assert len(choices) > 3
    assert_drawn_from(found, dict.fromkeys(choices, 1))


def test_random_plays_where_only_a_pass_is_left() -> None:
    state = small()
    do(state, "0 9C")
    assert len(state.legal_plays()) == 0
    assert {state.random_play(seed) for seed in range(50)} == {None}
    one, other = np.random.default_rng(3), np.random.default_rng(3)
    state = State.deal(DAGUN, 4, dealer=0)
    for _ in range(4):
        state.bid(False)
    plays = [state.random_play(one) for _ in range(20)]
    assert plays == [state.random_play(other) for _ in range(20)]
    assert len(set(plays)) > 5
    for play in plays:
        assert play in state.legal_plays(Detail.CARDS)


def test_legal_plays_tell_the_called_card_apart_while_secret() -> None:
    hands = ("3S 3D 4D", "5D 6D", "3S 3C 7D", "8D 9D")
    state = small(hands=hands)
    leads = state.rules.legal_plays(state.hands[0], detail=Detail.STRATEGIC, called=Card("3S"))
    assert list(state.legal_plays(Detail.STRATEGIC)) == list(leads)
    assert len(leads) > len(state.rules.legal_plays(state.hands[0], detail=Detail.STRATEGIC))
    do(state, "0 3D; 1 -; 2 7D; 3 8D; 0 -; 1 -; 2 -; 3 9D")
    state = small(hands=("3S 3D 4D", "5D 6D", "3C 7D", "8D 9D"), partner=2)      # revealed
    assert list(state.legal_plays(Detail.STRATEGIC)) == list(
        state.rules.legal_plays(state.hands[0], detail=Detail.STRATEGIC)
    )
