"""``dagong.perft`` against the golden tables of `perft_golden`, and what holds for every such count.

The tables come from `oracle_perft`, which shares nothing with the library. A share of them is worked out
again here; ``pytest --exhaustive tests/test_perft.py`` does all of it, in some minutes.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from random import Random
from typing import Any

import pytest

import dagong
import oracle
import perft_golden
from dagong import DAGUN, Card, Detail, Play, Ruleset, State
from dagong.rules import PRESETS
from oracle_perft import Perft, Position
from perft_golden import RULES, Line, table

LINES = [(rules, line) for rules in RULES for line in table(rules)]
EACH_LINE = pytest.mark.parametrize(
    ("rules", "line"), [pytest.param(*both, id=f"{both[0]}-{both[1]['name']}") for both in LINES]
)
NODES = 30  # with more just above the leaves the oracle is asked in exhaustive runs only
NODES_BY_STATE = 500  # the same for counting through State, which is quicker
SMALL = ("3S 4D 9C", "5D 6D 9D", "3S 7D 9S", "8D TD 9H")


def state_of(rules: str, line: Line) -> State:
    """The position of a line."""
    given: dict[str, Any] = dict(line["position"])
    hands = given.pop("hands")
    if "called" in given:
        given["called"] = Card(given["called"])
    if "last_play" in given:
        given["last_play"] = Play(given["last_play"])
    given.setdefault("dealer", 0)
    return State.from_hands(PRESETS[rules], hands, **given)


def successors(state: State, detail: Detail) -> Iterator[State]:
    """The state after each of its actions; it is one state, which goes back to where it was."""
    if state.phase == "bid":
        for solo in (False, True):
            state.bid(solo)
            yield state
            state.undo()
    if state.phase != "play":
        return
    for play in state.legal_plays(detail):
        state.play(play)
        yield state
        state.undo()
    if state.can_pass:
        state.pass_()
        yield state
        state.undo()


def slow_perft(state: State, depth: int, detail: Detail) -> int:
    """The same count by the library's states, action by action: slower, and with nothing to go wrong."""
    if depth == 0:
        return 1
    if depth == 1 and state.phase == "play":
        return len(state.legal_plays(detail)) + state.can_pass
    return sum(slow_perft(after, depth - 1, detail) for after in successors(state, detail))


def counts_of(line: Line) -> Iterator[tuple[Detail, int, int, int]]:
    """Detail, depth, count, and how many nodes there are just above the leaves."""
    for detail in Detail:
        for depth, (nodes, count) in enumerate(pairwise([1, *line["counts"][detail.name]]), 1):
            yield detail, depth, count, nodes


# The golden tables


@EACH_LINE
def test_the_core_has_the_golden_counts(rules: str, line: Line) -> None:
    state = state_of(rules, line)
    key = state.key
    for detail, depth, count, _ in counts_of(line):
        assert dagong.perft(state, depth, detail=detail) == count, (detail, depth)
    assert state.key == key


@EACH_LINE
def test_states_have_the_golden_counts(rules: str, line: Line, exhaustive: bool) -> None:
    state = state_of(rules, line)
    for detail, depth, count, nodes in counts_of(line):
        if exhaustive or nodes <= NODES_BY_STATE:
            assert slow_perft(state, depth, detail) == count, (detail, depth)


def differences(task: tuple[str, Line, int | None]) -> list[str]:
    return perft_golden.differences(*task)


def test_the_oracle_has_the_golden_counts(exhaustive: bool, jobs: int) -> None:
    tasks = [(rules, line, None if exhaustive else NODES) for rules, line in LINES]
    if not exhaustive:
        assert [text for task in tasks for text in differences(task)] == []
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context) as pool:
        assert [text for found in pool.map(differences, tasks) for text in found] == []


@EACH_LINE
def test_the_oracle_reads_a_position_as_the_library_does(rules: str, line: Line) -> None:
    state, position = state_of(rules, line), Position(oracle.rules_of(rules), **line["position"])
    assert (state.phase, state.to_move, state.dealer) == (position.phase, position.to_move, position.dealer)
    assert (state.partner, state.revealed) == (position.partner, position.revealed)
    assert (state.soloist, state.called) == (position.soloist, position.called)
    assert state.can_pass is position.can_pass()


@pytest.mark.parametrize("rules", RULES)
def test_the_tables_have_something_of_everything(rules: str) -> None:
    """What has to be in a table, whoever edits it."""
    lines = table(rules)
    names = [line["name"] for line in lines]
    assert len(names) == len(set(names)) >= 15
    positions = [line["position"] for line in lines]
    jokers = {sum(hand.count("X") for hand in position["hands"]) for position in positions}
    assert jokers == {0, 1, 2, 3, 4}
    at_once = {max(hand.count("X") for hand in position["hands"]) for position in positions}
    assert at_once == {0, 1, 2, 3, 4}
    last_plays = [position["last_play"] for position in positions if "last_play" in position]
    kinds = {"single", "pair", "triple", "pair_run", "triple_run", "five_ten_king", "bomb"}
    if rules != "DAYE":
        kinds |= {"roll", "sky_bomb"}
    assert {text.split(" as ")[1].split()[0] for text in last_plays} >= kinds
    assert any("soloist" in position for position in positions)
    assert any(position.get("bidding") for position in positions)
    assert any("partner" in position for position in positions)
    assert any(len(position.get("places", ())) == 2 for position in positions)
    depths = [len(line["counts"]["RANKS"]) for line in lines]
    assert min(depths) >= 3 and max(depths) >= 8
    for line in lines:  # the finer the detail, the more there is
        for counts in zip(*(line["counts"][detail.name] for detail in Detail), strict=False):
            assert list(counts) == sorted(counts)


# What holds for every count


def random_state(rules: Ruleset, seed: int) -> State:
    """A deal after some bids, or some way into the hand."""
    rng = Random(f"perft {rules} {seed}")
    state = State.deal(rules, seed)
    for _ in range(rng.choice((0, 2, 4, 10, 30, 60, 80))):
        if state.phase == "bid":
            state.bid(rng.random() < 0.1)
        elif state.phase == "play":
            plays = state.legal_plays()
            if state.can_pass and (not plays or rng.random() < 0.3):
                state.pass_()
            else:
                state.play(max(rng.sample(list(plays), min(3, len(plays))), key=lambda play: play.size))
    return state


@pytest.mark.parametrize("detail", Detail)
@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_it_is_a_sum_over_successors(rules: Ruleset, detail: Detail) -> None:
    for seed in range(25):
        state = random_state(rules, seed)
        assert dagong.perft(state, 0, detail=detail) == 1
        if state.phase == "play":
            number = len(state.legal_plays(detail)) + state.can_pass
            assert dagong.perft(state, 1, detail=detail) == number
        elif state.phase == "bid":
            assert dagong.perft(state, 1, detail=detail) == 2
        else:
            assert dagong.perft(state, 1, detail=detail) == 0
        for depth in (1, 2, 3):
            if dagong.perft(state, depth - 1, detail=detail) > NODES_BY_STATE:
                break
            parts = [dagong.perft(after, depth - 1, detail=detail) for after in successors(state, detail)]
            assert dagong.perft(state, depth, detail=detail) == sum(parts)


def test_nothing_follows_a_hand_that_is_over() -> None:
    state = State.from_hands(DAGUN, ("3S", "4D 4C", "5S", "6D 7D"), dealer=0, soloist=0)
    state.play("3S")
    assert state.phase == "over"
    for detail in Detail:
        assert [dagong.perft(state, depth, detail=detail) for depth in range(4)] == [1, 0, 0, 0]


def test_bids_are_two_each() -> None:
    state = State.from_hands(DAGUN, SMALL, dealer=0, called=Card("3S"), bidding=True)
    assert dagong.perft(state, 1) == 2
    first, second = (len(DAGUN.legal_plays(SMALL[seat])) for seat in (0, 1))
    assert dagong.perft(state, 2) == first + 2  # the soloist's leads, or the bids of the next
    assert dagong.perft(state, 3) == slow_perft(state, 3, Detail.RANKS)
    state.bid(False)
    assert dagong.perft(state, 2) == second + 2


def test_ranks_are_the_default() -> None:
    state = State.deal(DAGUN, 7)
    assert dagong.perft(state, 3) == dagong.perft(state, 3, detail=Detail.RANKS)
    assert dagong.perft(state, 3) < dagong.perft(state, 3, detail=Detail.CARDS)


@pytest.mark.parametrize("depth", [-1, -(2**70), 1.0, "1", None, [1]], ids=repr)
def test_depths_that_are_none(depth: Any) -> None:
    with pytest.raises(ValueError):
        dagong.perft(State.deal(DAGUN, 7), depth)


def test_the_count_by_first_action_adds_up() -> None:
    """`Perft.divide`, which is there to find a difference with."""
    fields = oracle.rules_of("DAGUN")
    position = Position(fields, SMALL, 0, "3S", bidding=True)
    perft = Perft(fields, "CARDS")
    counts = perft.divide(position, 4)
    assert list(counts) == ["no solo", "solo"]
    assert sum(counts.values()) == perft.count(position, 4)
