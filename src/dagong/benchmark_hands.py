"""What ``dagong.benchmark`` measures of whole hands: steps, hands played in bulk, and perft."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from dagong._bench_state import Turns
from dagong._bulk import HAND_DTYPE, play_hands
from dagong._perft import perft
from dagong._play import Play
from dagong._state import State
from dagong.rules import Ruleset
from dagong.simulation import CHUNK, cores, simulate

SEED = 510
HANDS = 500                 # played in one go
TURNS = 2000                # positions to step from
TURNS_SEED = 54
PERFT_SEEDS = range(8)      # deals whose trees are counted, from the first lead
PERFT_DEPTH = 4
FINGERPRINT_HANDS = 5000

FIGURES = (
    ("random_hands_per_second", "random hands/s"),
    ("random_decisions_per_second", "  decisions/s"),
    ("greedy_hands_per_second", "greedy hands/s"),
    ("perft_leaves_per_second", "perft leaves/s"),
    ("play_undo_ns", "play and undo: ns"),
    ("pass_undo_ns", "pass and undo: ns"),
    ("python_play_undo_ns", "play and undo from Python: ns"),
    ("all_workers_hands_per_second", "random hands/s, all cores"),
)
"""What is measured, by name in the report and as printed."""


class HandTasks(NamedTuple):
    """The work of one rule set: what to run, how many units a pass, and decisions in a random hand."""

    tasks: Mapping[str, tuple[Callable[[int], object], int]]
    decisions: float


def hand_tasks(rules: Ruleset) -> HandTasks:
    """Work that repeats exactly: the same hands, trees and positions each time."""
    rows = np.zeros(HANDS, HAND_DTYPE)
    play_hands(rules, ("random",) * 4, SEED, 0, rows)
    decisions = float((rows["plays"].astype(int) + rows["passes"]).mean())
    openings = [opening(rules, seed) for seed in PERFT_SEEDS]
    turns = random_turns(rules, TURNS)
    playing = [(state, play) for state, play in turns if play is not None]
    passing = [(state, None) for state, play in turns if play is None]
    plays = Turns(rules, playing)
    passes_only = Turns(rules, passing)
    return HandTasks(
        {
            "random": (lambda passes: bulk(rules, "random", rows, passes), HANDS),
            "greedy": (lambda passes: bulk(rules, "greedy", rows, passes), HANDS),
            "perft": (lambda passes: count_trees(openings, passes), count_trees(openings, 1)),
            "play_undo": (plays.play_and_undo, len(plays)),
            "pass_undo": (passes_only.pass_and_undo, len(passes_only)),
            "python_play_undo": (lambda passes: step_from_python(playing, passes), len(playing)),
        },
        decisions,
    )


def figures_of(work: HandTasks, times: Mapping[str, Sequence[float]]) -> dict[str, list[float]]:
    """Each figure in each round, from the nanoseconds a unit."""
    rate = {name: [1e9 / ns for ns in rounds] for name, rounds in times.items()}
    return {
        "random_hands_per_second": rate["random"],
        "random_decisions_per_second": [work.decisions * hands for hands in rate["random"]],
        "greedy_hands_per_second": rate["greedy"],
        "perft_leaves_per_second": rate["perft"],
        "play_undo_ns": list(times["play_undo"]),
        "pass_undo_ns": list(times["pass_undo"]),
        "python_play_undo_ns": list(times["python_play_undo"]),
    }


def on_all_cores(rules: Ruleset, rounds: int, seconds: float) -> list[float]:
    """Random hands a second of all cores together, in each round, by the clock on the wall."""
    hands = CHUNK * cores()
    rates = []
    for _ in range(rounds):
        started = time.perf_counter()
        done = 0
        while done == 0 or time.perf_counter() - started < seconds / rounds:
            simulate(rules, hands, seed=SEED)
            done += hands
        rates.append(done / (time.perf_counter() - started))
    return rates


def hands_fingerprint(rulesets: Iterable[Ruleset]) -> str:
    """Changes if any hand of some thousands, random or greedy, ends in any other way."""
    digest = hashlib.sha256()
    rows = np.zeros(FINGERPRINT_HANDS, HAND_DTYPE)
    for rules in rulesets:
        for policy in ("random", "greedy"):
            play_hands(rules, (policy,) * 4, SEED, 0, rows)
            digest.update(rows.tobytes())
    return digest.hexdigest()[:12]


def bulk(rules: Ruleset, policy: str, rows: np.ndarray, passes: int) -> None:
    for _ in range(passes):
        play_hands(rules, (policy,) * 4, SEED, 0, rows)


def opening(rules: Ruleset, seed: int, hand_index: int = 0) -> State:
    """A deal that nobody plays solo."""
    state = State.deal(rules, seed, hand_index=hand_index)
    while state.phase == "bid":
        state.bid(False)
    return state


def count_trees(states: Sequence[State], passes: int) -> int:
    """The leaves of all, so many times."""
    return sum(perft(state, PERFT_DEPTH) for _ in range(passes) for state in states)


def random_turns(rules: Ruleset, number: int) -> list[tuple[State, Play | None]]:
    """Turns of hands played at random, at least so many, each with what was done: a play or the pass."""
    turns: list[tuple[State, Play | None]] = []
    index = 0
    while len(turns) < number:
        state = opening(rules, TURNS_SEED, index)
        index += 1
        while state.phase == "play":
            choice = state.random_play(len(turns))
            turns.append((state.copy(), choice))
            if choice is None:
                state.pass_()
            else:
                state.play(choice)
    return turns


def step_from_python(turns: Sequence[tuple[State, Play]], passes: int) -> None:
    for _ in range(passes):
        for state, play in turns:
            state.play(play)
            state.undo()
