"""Listing plays: the library's speed, and that of others on the same machine in the same run.

See README.md. Run it with ``pytest benchmarks/bench_movegen.py``.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import oracle
from dagong import DAYE, Hand, Kind
from dagong.benchmark import SectionTasks, Task, run_rounds, store_task
from dagong.corpus import LEADS, SECTIONS, Corpus, Position, build
from dagong.rules import PRESETS

ROUNDS = 15
ORACLE_LEADS = 20
PEER_HANDS = 200

Rates = dict[str, dict[str, float]]


@cache
def corpus_of(rules: str) -> Corpus:
    return build(PRESETS[rules])


@cache
def section_of(rules: str, section: str) -> SectionTasks:
    return SectionTasks(PRESETS[rules], corpus_of(rules)[section])


def rate(benchmark: BenchmarkFixture, plays: int) -> float:
    """Plays a second, by the median of the rounds; 0 if benchmarks are only tried out."""
    return plays / benchmark.stats.stats.median if benchmark.stats else 0.0


def run(benchmark: BenchmarkFixture, task: Task, passes: int = 1) -> None:
    benchmark.pedantic(task.run, args=(passes,), rounds=ROUNDS, warmup_rounds=2)


@pytest.fixture(scope="session")
def store_limit() -> float:
    """Rows a second that can be stored, the best of several tries: what no list can pass."""
    return 1e9 / min(run_rounds({"store": store_task()}, seconds=0.1, rounds=20)["store"])


@pytest.mark.parametrize("section", SECTIONS)
@pytest.mark.parametrize("rules", PRESETS)
def test_list(benchmark: BenchmarkFixture, rules: str, section: str, store_limit: float) -> None:
    part = section_of(rules, section)
    benchmark.group = f"native: {section}"
    run(benchmark, part.tasks["list"])
    reached = rate(benchmark, part.plays)
    benchmark.extra_info.update(
        positions=part.number, plays=part.plays, plays_per_second=reached, store_share=reached / store_limit
    )


@pytest.mark.parametrize("what", ["count_ranks", "count_cards", "compare", "numpy_compare"])
@pytest.mark.parametrize("section", SECTIONS)
@pytest.mark.parametrize("rules", PRESETS)
def test_native(benchmark: BenchmarkFixture, rules: str, section: str, what: str) -> None:
    task = section_of(rules, section).tasks[what]
    benchmark.group = f"{what}: {section}"
    run(benchmark, task)
    benchmark.extra_info.update(units=task.units, units_per_second=rate(benchmark, task.units))


@pytest.mark.parametrize(
    "what", ["python_list", "python_count", "python_objects", "python_beats", "python_identify"]
)
@pytest.mark.parametrize("section", SECTIONS)
@pytest.mark.parametrize("rules", PRESETS)
def test_python(benchmark: BenchmarkFixture, rules: str, section: str, what: str) -> None:
    task = section_of(rules, section).tasks[what]
    benchmark.group = f"{what}: {section}"
    run(benchmark, task)
    benchmark.extra_info.update(units=task.units, units_per_second=rate(benchmark, task.units))


def note(
    benchmark: BenchmarkFixture, compared: Rates, topic: str, name: str, plays: int
) -> None:
    reached = rate(benchmark, plays)
    benchmark.extra_info.update(plays=plays, plays_per_second=reached)
    if reached:
        compared.setdefault(topic, {})[name] = reached


# The oracle, which the tests check the library against: its plainness has this price.


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize("who", ["dagong", "oracle"])
def test_oracle(benchmark: BenchmarkFixture, compared: Rates, rules: str, who: str) -> None:
    topic = f"plays of the same leads, {rules}"
    leads = corpus_of(rules)[LEADS][:ORACLE_LEADS]
    part = SectionTasks(PRESETS[rules], leads)
    benchmark.group = topic
    if who == "dagong":
        run(benchmark, part.tasks["list"], passes=1000)
        note(benchmark, compared, topic, who, 1000 * part.plays)
    else:
        fields, hands = PRESETS[rules].fields(), [tuple(map(int, lead.hand)) for lead in leads]
        listed = benchmark.pedantic(
            lambda: sum(len(oracle.plays(fields, hand)) for hand in hands), rounds=1
        )
        assert listed == part.plays
        note(benchmark, compared, topic, who, listed)


# Dou Dizhu has singles, pairs, triples, pair runs of three ranks or more, triple runs and bombs in common
# with Dagong. So hands that exist in both games have those plays in common; what else either game lists
# of them differs.


@cache
def shared_hands() -> list[Hand]:
    """Hands of 17 and 20 cards out of one pack without its jokers."""
    chance = random.Random(54)
    hands = []
    for number in range(PEER_HANDS):
        keys = [chance.random() for _ in range(52)]
        hands.append(Hand(sorted(range(52), key=keys.__getitem__)[: 17 if number % 2 else 20]))
    return hands


def in_both_games(hand: Hand) -> set[tuple[int, ...]]:
    """The shared plays as sorted ranks; Dou Dizhu writes 3 to A as 3 to 14 and 2 as 17."""
    return {
        tuple(sorted(17 if card.rank == 12 else card.rank + 3 for card in play.cards))
        for play in DAYE.legal_plays(hand)
        if play.kind is not Kind.FIVE_TEN_KING and not (play.kind is Kind.PAIR_RUN and play.length == 2)
    }


def douzero_plays(maker: Callable[[list[int]], Any], cards: list[int]) -> list[list[int]]:
    made = maker(cards)
    return [
        *made.single_card_moves, *made.pair_moves, *made.triple_cards_moves, *made.bomb_moves,
        *made.gen_type_9_serial_pair(), *made.gen_type_10_serial_triple(),
    ]


SHARED = "plays of hands of both games, only the kinds that both have"


def test_shared_by_dagong(benchmark: BenchmarkFixture, compared: Rates) -> None:
    """It can't leave out its other kinds, which are few here; only the shared plays are counted."""
    shared = sum(len(in_both_games(hand)) for hand in shared_hands())
    part = SectionTasks(DAYE, [Position(hand, None) for hand in shared_hands()])
    benchmark.group = SHARED
    run(benchmark, part.tasks["list"], passes=100)
    note(benchmark, compared, SHARED, "dagong", 100 * shared)


def test_shared_by_dagong_from_python(benchmark: BenchmarkFixture, compared: Rates) -> None:
    """The same with a Python call a hand and an object a play, as DouZero makes them."""
    shared = sum(len(in_both_games(hand)) for hand in shared_hands())
    benchmark.group = SHARED
    benchmark.pedantic(
        lambda: [list(DAYE.legal_plays(hand)) for hand in shared_hands()], rounds=ROUNDS, warmup_rounds=2
    )
    note(benchmark, compared, SHARED, "dagong, as Python objects", shared)


def test_shared_by_douzero(benchmark: BenchmarkFixture, compared: Rates) -> None:
    peer = pytest.importorskip(
        "douzero.env.move_generator", reason="needs: pip install --no-deps douzero"
    )
    hands = [sorted(17 if card.rank == 12 else card.rank + 3 for card in hand) for hand in shared_hands()]
    for hand, cards in zip(shared_hands(), hands, strict=True):
        plays = douzero_plays(peer.MovesGener, cards)
        assert len(plays) == len(in_both_games(hand))
        assert {tuple(play) for play in plays} == in_both_games(hand)
    benchmark.group = SHARED
    listed = benchmark.pedantic(
        lambda: sum(len(douzero_plays(peer.MovesGener, cards)) for cards in hands),
        rounds=ROUNDS, warmup_rounds=1,
    )
    note(benchmark, compared, SHARED, "DouZero (Dou Dizhu, Python)", listed)


# Everything that each game has in hands of its own: the games differ, the task is the same.

OWN = "plays of leads, each in its own game"


def test_own_by_dagong(benchmark: BenchmarkFixture, compared: Rates) -> None:
    part = section_of("DAGUN", LEADS)
    benchmark.group = OWN
    run(benchmark, part.tasks["list"])
    note(benchmark, compared, OWN, "dagong", part.plays)


def test_own_by_dagong_from_python(benchmark: BenchmarkFixture, compared: Rates) -> None:
    """A Python call a hand and a NumPy array of its plays, the counterpart of a list of numbers."""
    leads = corpus_of("DAGUN")[LEADS][:PEER_HANDS]
    benchmark.group = OWN
    listed = benchmark.pedantic(
        lambda: sum(len(PRESETS["DAGUN"].legal_plays(*lead).array) for lead in leads),
        rounds=ROUNDS, warmup_rounds=2,
    )
    note(benchmark, compared, OWN, "dagong, as NumPy arrays", listed)


def test_own_by_douzero(benchmark: BenchmarkFixture, compared: Rates) -> None:
    peer = pytest.importorskip(
        "douzero.env.move_generator", reason="needs: pip install --no-deps douzero"
    )
    chance = random.Random(54)
    pack = sorted([*range(3, 15), 17] * 4 + [20, 30])
    hands = [sorted(chance.sample(pack, 20)) for _ in range(PEER_HANDS)]
    benchmark.group = OWN
    listed = benchmark.pedantic(
        lambda: sum(len(peer.MovesGener(cards).gen_moves()) for cards in hands), rounds=3, warmup_rounds=1
    )
    note(benchmark, compared, OWN, "DouZero (Dou Dizhu, Python)", listed)


def openspiel_leads(game: Any) -> list[Any]:
    """Random deals, each up to the first lead."""
    chance = random.Random(54)
    states = []
    for _ in range(PEER_HANDS):
        state = game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(chance.choice([action for action, _ in state.chance_outcomes()]))
        while len(state.legal_actions()) <= 4:  # the auction: pass, or bid one to three
            state.apply_action(state.legal_actions()[-1])
            while state.is_chance_node():
                state.apply_action(state.chance_outcomes()[0][0])
        states.append(state)
    return states


def test_own_by_openspiel(benchmark: BenchmarkFixture, compared: Rates) -> None:
    """Written in C++, called from Python, which makes a list of integers of it."""
    peer = pytest.importorskip("pyspiel", reason="needs: pip install open_spiel")
    states = openspiel_leads(peer.load_game("dou_dizhu"))
    benchmark.group = OWN
    listed = benchmark.pedantic(
        lambda: sum(len(state.legal_actions()) for state in states), rounds=ROUNDS, warmup_rounds=1
    )
    note(benchmark, compared, OWN, "OpenSpiel (Dou Dizhu, C++ from Python)", listed)
