"""Hands in progress: steps, copies and observations, and OpenSpiel's Dou Dizhu in the same run.

See README.md. Run it with ``pytest benchmarks/bench_state.py``.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from dagong import OBSERVATION_SIZE, Play, State
from dagong._bench_state import Turns
from dagong.benchmark_hands import TURNS, TURNS_SEED, opening, random_turns
from dagong.rules import PRESETS

ROUNDS = 15
HANDS = 300
PEER_HANDS = 100
PASSES = 50

Rates = dict[str, dict[str, float]]
Turn = tuple[State, Play | None]


def begun(rules: str, index: int) -> State:
    """A dealt hand in which nobody plays solo."""
    return opening(PRESETS[rules], TURNS_SEED, index)


@cache
def turns_of(rules: str) -> list[Turn]:
    """Turns of hands played at random, leads and follows, each with what was done: a play or a pass."""
    return random_turns(PRESETS[rules], TURNS)


def played(rules: str) -> list[tuple[State, Play]]:
    return [(state, play) for state, play in turns_of(rules) if play is not None]


def passed(rules: str) -> list[Turn]:
    return [(state, None) for state, play in turns_of(rules) if play is None]


def run(
    benchmark: BenchmarkFixture, work: Callable[[], object], units: int, rounds: int = ROUNDS
) -> float:
    """Time the work; return the units a second by the median of the rounds, 0 if it is only tried out."""
    benchmark.pedantic(work, rounds=rounds, warmup_rounds=1)
    rate = units / benchmark.stats.stats.median if benchmark.stats else 0.0
    benchmark.extra_info.update(units=units, units_per_second=rate)
    return rate


# In C


@pytest.mark.parametrize("rules", PRESETS)
def test_native_copy(benchmark: BenchmarkFixture, rules: str) -> None:
    turns = Turns(PRESETS[rules], turns_of(rules))
    benchmark.group = "native: copy"
    run(benchmark, lambda: turns.copy(PASSES), PASSES * len(turns))


@pytest.mark.parametrize("rules", PRESETS)
def test_native_play_and_undo(benchmark: BenchmarkFixture, rules: str) -> None:
    turns = Turns(PRESETS[rules], played(rules))
    benchmark.group = "native: a play with its cards, and undo"
    run(benchmark, lambda: turns.play_and_undo(PASSES), PASSES * len(turns))


@pytest.mark.parametrize("rules", PRESETS)
def test_native_pass_and_undo(benchmark: BenchmarkFixture, rules: str) -> None:
    turns = Turns(PRESETS[rules], passed(rules))
    benchmark.group = "native: a pass, and undo"
    run(benchmark, lambda: turns.pass_and_undo(PASSES), PASSES * len(turns))


@pytest.mark.parametrize("rules", PRESETS)
def test_native_hands(benchmark: BenchmarkFixture, rules: str) -> None:
    """From the first lead to the payments, each choice uniform among the plays and the pass."""
    turns = Turns(PRESETS[rules], [(begun(rules, index), None) for index in range(HANDS)])
    benchmark.group = "native: hands played at random"
    rate = run(benchmark, turns.play_out, len(turns))
    benchmark.extra_info["actions_per_second"] = rate * turns.play_out() / len(turns)


# From Python


def by_python(what: str, rules: str) -> tuple[Callable[[], object], int]:
    """The work, and how many units it is."""
    turns = turns_of(rules)
    states = [state for state, _ in turns]
    plays, passes = played(rules), [state for state, _ in passed(rules)]
    out = np.zeros(OBSERVATION_SIZE, np.uint8)

    def play_and_undo() -> None:
        for state, play in plays:
            state.play(play)
            state.undo()

    def pass_and_undo() -> None:
        for state in passes:
            state.pass_()
            state.undo()

    def observe() -> None:
        for state in states:
            state.observe(0, out)

    def sample() -> None:
        for seed, state in enumerate(states):
            state.sample_hidden(0, seed)

    works: dict[str, tuple[Callable[[], object], int]] = {
        "play and undo": (play_and_undo, len(plays)),
        "pass_ and undo": (pass_and_undo, len(passes)),
        "copy": (lambda: [state.copy() for state in states], len(states)),
        "legal_plays": (lambda: [state.legal_plays() for state in states], len(states)),
        "observe into an array": (observe, len(states)),
        "sample_hidden": (sample, len(states)),
    }
    return works[what]


WHAT = (
    "play and undo", "pass_ and undo", "copy", "legal_plays", "observe into an array", "sample_hidden",
)


@pytest.mark.parametrize("what", WHAT)
@pytest.mark.parametrize("rules", PRESETS)
def test_python(benchmark: BenchmarkFixture, rules: str, what: str) -> None:
    benchmark.group = f"Python: {what}"
    run(benchmark, *by_python(what, rules))


# Beside another game of the same family: the games differ, the task is the same. Each plays its own hands
# to the end, step by step from Python, the choices drawn and written down beforehand.

STEPS = "steps from Python, each in its own game"
CLONES = "copies of positions, each in its own game"
LISTS = "lists of plays from Python, each in its own game"


def note(compared: Rates, topic: str, name: str, rate: float) -> None:
    if rate:
        compared.setdefault(topic, {})[name] = rate


@cache
def own_hands() -> list[tuple[State, list[Play | None]]]:
    """The hands at the first lead, and what is then done."""
    hands = []
    for index in range(PEER_HANDS):
        start = begun("DAGUN", index)
        state = start.copy()
        while state.phase == "play":
            choice = state.random_play(len(state.history))
            if choice is None:
                state.pass_()
            else:
                state.play(choice)
        hands.append((start, [action.play for action in state.history[4:]]))
    return hands


def test_steps_by_dagong(benchmark: BenchmarkFixture, compared: Rates) -> None:
    hands = own_hands()

    def work(states: list[State]) -> None:
        for state, (_, plays) in zip(states, hands, strict=True):
            for play in plays:
                if play is None:
                    state.pass_()
                else:
                    state.play(play)

    benchmark.group = STEPS
    steps = sum(len(plays) for _, plays in hands)
    note(compared, STEPS, "dagong", run_on_copies(benchmark, work, steps, [start for start, _ in hands]))


def run_on_copies(
    benchmark: BenchmarkFixture, work: Callable[[list[Any]], None], steps: int, starts: list[Any]
) -> float:
    """As ``run``, each round with new copies of the states, whose making is not timed."""

    def made() -> tuple[tuple[list[Any]], dict[str, Any]]:
        return ([start.copy() if isinstance(start, State) else start.clone() for start in starts],), {}

    benchmark.pedantic(work, setup=made, rounds=ROUNDS, warmup_rounds=1)
    rate = steps / benchmark.stats.stats.median if benchmark.stats else 0.0
    benchmark.extra_info.update(units=steps, units_per_second=rate)
    return rate


def test_copies_by_dagong(benchmark: BenchmarkFixture, compared: Rates) -> None:
    states = [state for state, _ in turns_of("DAGUN")]
    benchmark.group = CLONES
    rate = run(benchmark, lambda: [state.copy() for state in states], len(states))
    note(compared, CLONES, "dagong", rate)


def test_lists_by_dagong(benchmark: BenchmarkFixture, compared: Rates) -> None:
    states = [state for state, _ in turns_of("DAGUN")]
    benchmark.group = LISTS
    rate = run(benchmark, lambda: [state.legal_plays() for state in states], len(states))
    note(compared, LISTS, "dagong", rate)


def test_lists_by_dagong_as_arrays(benchmark: BenchmarkFixture, compared: Rates) -> None:
    """With a NumPy array of each list, where OpenSpiel makes a list of integers."""
    states = [state for state, _ in turns_of("DAGUN")]
    benchmark.group = LISTS
    rate = run(benchmark, lambda: [state.legal_plays().array for state in states], len(states))
    note(compared, LISTS, "dagong, as NumPy arrays", rate)


@cache
def peer_hands() -> list[tuple[Any, list[int], list[Any]]]:
    """OpenSpiel's hands: the state at the first lead, the actions, and the states along the way."""
    peer = pytest.importorskip("pyspiel", reason="needs: pip install open_spiel")
    chance = random.Random(54)
    game = peer.load_game("dou_dizhu")
    hands = []
    for _ in range(PEER_HANDS):
        state = game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(chance.choice([action for action, _ in state.chance_outcomes()]))
        while len(state.legal_actions()) <= 4:  # the auction: pass, or bid one to three
            state.apply_action(state.legal_actions()[-1])
            while state.is_chance_node():
                state.apply_action(state.chance_outcomes()[0][0])
        start, actions, along = state.clone(), [], []
        while not state.is_terminal():
            along.append(state.clone())
            actions.append(chance.choice(state.legal_actions()))
            state.apply_action(actions[-1])
        hands.append((start, actions, along))
    return hands


PEER = "OpenSpiel (Dou Dizhu, C++ from Python)"


def test_steps_by_openspiel(benchmark: BenchmarkFixture, compared: Rates) -> None:
    hands = peer_hands()

    def work(states: list[Any]) -> None:
        for state, (_, actions, _) in zip(states, hands, strict=True):
            for action in actions:
                state.apply_action(action)

    benchmark.group = STEPS
    steps = sum(len(actions) for _, actions, _ in hands)
    note(compared, STEPS, PEER, run_on_copies(benchmark, work, steps, [start for start, *_ in hands]))


def test_copies_by_openspiel(benchmark: BenchmarkFixture, compared: Rates) -> None:
    states = [state for *_, along in peer_hands() for state in along][:TURNS]
    benchmark.group = CLONES
    note(compared, CLONES, PEER, run(benchmark, lambda: [state.clone() for state in states], len(states)))


def test_lists_by_openspiel(benchmark: BenchmarkFixture, compared: Rates) -> None:
    states = [state for *_, along in peer_hands() for state in along][:TURNS]
    benchmark.group = LISTS
    rate = run(benchmark, lambda: [state.legal_actions() for state in states], len(states))
    note(compared, LISTS, PEER, rate)
