"""simulate: the same rows whoever plays the hands, and however they are split."""

from __future__ import annotations

import itertools
import os
import pickle
import signal
import time
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest
from distributed import Client, LocalCluster

from dagong import DAGUN, DAYE, HAND_DTYPE, XIANNING, Observation, Play, State, dataset, simulate, simulation
from dagong.players import SimplePlayer
from dagong.simulation import (
    CHUNK,
    PolicyError,
    iter_chunks,
    play_chunk,
    play_task,
    replay_hand,
    simulate_into,
)

MIX = ("greedy", "random", "greedy", "random")
HANDS = 2 * CHUNK + 345


@pytest.fixture(scope="module")
def rows() -> np.ndarray:
    return simulate(XIANNING, HANDS, policies=MIX, seed=11, workers=1)


def simple(seen: Observation) -> Play | bool | None:
    """A policy that is a function; here, where other processes find it."""
    if seen.phase == "bid":
        return SimplePlayer().bid(seen)
    return SimplePlayer().choose(seen, seen.legal_plays())


def first_play(seen: Observation) -> str | bool | None:
    """One that answers in text."""
    if seen.phase == "bid":
        return False
    plays = seen.legal_plays()
    return str(plays[0]) if len(plays) else None


def same(one: np.ndarray, other: np.ndarray) -> bool:
    return one.dtype == other.dtype == HAND_DTYPE and one.tobytes() == other.tobytes()


@pytest.mark.parametrize("workers", [None, 2, 3, 7])
def test_any_number_of_threads(rows: np.ndarray, workers: int | None) -> None:
    assert same(simulate(XIANNING, HANDS, policies=MIX, seed=11, workers=workers), rows)


def test_any_split(rows: np.ndarray) -> None:
    ranges = [(0, 1), (1, CHUNK + 1), (CHUNK + 2, 7), (CHUNK + 9, HANDS - CHUNK - 9)]
    parts = list(iter_chunks(XIANNING, ranges, policies=MIX, seed=11, workers=2))
    assert same(np.concatenate([part for _, part in parts]), rows)
    assert [first for first, _ in parts] == [0, 1, CHUNK + 1, CHUNK + 2, CHUNK + 9, 2 * CHUNK + 9]


def test_a_shorter_run_is_the_beginning_of_a_longer_one(rows: np.ndarray) -> None:
    assert same(simulate(XIANNING, 100, policies=MIX, seed=11), rows[:100])
    assert not same(simulate(XIANNING, 100, policies=MIX, seed=12), rows[:100])
    assert len(simulate(XIANNING, 0)) == 0


def test_the_deal_is_that_of_state() -> None:
    for row in simulate(DAGUN, 50, seed=3):
        state = State.deal(DAGUN, 3, hand_index=int(row["hand"]))
        assert (row["dealer"], row["called"]) == (state.dealer, state.called)
        assert row["jokers"].tolist() == [int(hand.rank_counts[13]) for hand in state.hands]


def test_a_row_turned_into_a_record(rows: np.ndarray) -> None:
    for hand in (0, 1, CHUNK, HANDS - 1):
        state = replay_hand(XIANNING, hand, policies=MIX, seed=11)
        again = State.from_record(state.to_record())
        assert again.result is not None
        assert list(again.result.payoffs) == rows[hand]["payoffs"].tolist()
        assert list(again.places) == [place for place in rows[hand]["places"].tolist() if place >= 0]


def test_a_thread_pool_and_a_process_pool(rows: np.ndarray) -> None:
    with ThreadPoolExecutor(3) as threads:
        assert same(simulate(XIANNING, HANDS, policies=MIX, seed=11, executor=threads), rows)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert same(simulate(XIANNING, HANDS, policies=MIX, seed=11, executor=pool), rows)


def test_functions_give_the_same_rows_everywhere() -> None:
    policies = (simple, "random", first_play, "greedy")
    alone = simulate(DAYE, 120, policies=policies, seed=5, workers=1)
    assert same(simulate(DAYE, 120, policies=policies, seed=5, workers=3), alone)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert same(simulate(DAYE, 120, policies=policies, seed=5, executor=pool), alone)
    assert alone["payoffs"].sum() == 0


@pytest.mark.parametrize("name", ["greedy", "random"])
def test_functions_that_choose_the_same_give_the_native_rows(name: str) -> None:
    native = simulate(DAGUN, 40, policies=name, seed=5)
    for hand in range(40):
        script = iter(replay_hand(DAGUN, hand, policies=name, seed=5).history)

        def act_by_script(seen: Observation) -> Play | bool | None:
            action = next(script)  # noqa: B023
            assert action.seat == seen.seat == seen.to_move
            return action.solo if seen.phase == "bid" else action.play

        assert same(play_chunk(DAGUN, (act_by_script,) * 4, 5, hand, 1), native[hand : hand + 1])


def test_functions_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"{first_play.__module__}:first_play"
    by_name = simulate(DAYE, 60, policies=name, seed=5)
    assert same(by_name, simulate(DAYE, 60, policies=first_play, seed=5))
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert same(simulate(DAYE, 60, policies=name, seed=5, executor=pool), by_name)
    simulate_into(tmp_path, DAYE, 60, policies=name, seed=5, chunk=25)
    assert same(np.concatenate(list(dataset.iter_rows(tmp_path))), by_name)
    assert dataset.read_settings(tmp_path).policies == (name,) * 4
    with pytest.raises(ValueError, match="has no name to tell"):
        simulate_into(tmp_path / "other", DAYE, 60, policies=first_play)  # type: ignore[arg-type]
    for bad in ("no_such_module:f", "dagong:no_such_function", "dagong:__version__"):
        with pytest.raises(ValueError, match=f"policies: '{bad}'"):
            simulate(DAYE, 1, policies=bad)


def test_a_function_that_fails_is_told_with_its_hand_and_seat() -> None:
    def late(seen: Observation) -> object:
        if seen.phase == "bid":
            return False
        raise KeyError("lost")

    with pytest.raises(PolicyError, match=r"hand 0, seat \d: KeyError: 'lost'") as failure:
        simulate(DAYE, 3, policies=late)  # type: ignore[arg-type]
    assert isinstance(failure.value.__cause__, KeyError)
    assert str(pickle.loads(pickle.dumps(failure.value))) == str(failure.value)
    with pytest.raises(PolicyError, match=r"IllegalPlay: seat \d leads and must play"):
        simulate(DAYE, 3, policies=lambda seen: False if seen.phase == "bid" else None)
    with pytest.raises(PolicyError, match="TypeError: bid 'yes'"):
        simulate(DAYE, 3, policies=lambda seen: "yes", workers=2)


def test_progress() -> None:
    seen: list[tuple[int, int]] = []
    simulate(DAGUN, HANDS, workers=2, progress=lambda done, hands: seen.append((done, hands)))
    assert seen == [(CHUNK, HANDS), (2 * CHUNK, HANDS), (HANDS, HANDS)]


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"hands": -1}, ValueError, "hands = -1"),
        ({"hands": 1.5}, TypeError, "hands = 1.5"),
        ({"hands": True}, TypeError, "hands = True"),
        ({"seed": -1}, ValueError, "seed = -1"),
        ({"seed": 1 << 64}, ValueError, "seed = 18446744073709551616"),
        ({"seed": "7"}, ValueError, "seed = '7'"),
        ({"policies": "bold"}, ValueError, "'bold'"),
        ({"policies": ("random",) * 3}, ValueError, "one, or four by seat"),
        ({"policies": ("random", "random", "random", 4)}, ValueError, "4 is none"),
        ({"policies": 4}, TypeError, "policies = 4"),
        ({"workers": 0}, ValueError, "workers = 0"),
        ({"workers": "2"}, TypeError, "workers = '2'"),
        ({"executor": 5}, TypeError, "executor = 5"),
        ({"hands": 1 << 63}, ValueError, "hands = 9223372036854775808: expected a whole number 0 to "),
    ],
)
def test_bad_arguments(arguments: dict[str, object], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        simulate(DAYE, **{"hands": 3, **arguments})  # type: ignore[arg-type]


def test_ranges_are_of_hands() -> None:
    with pytest.raises(ValueError, match="first = -3"):
        list(iter_chunks(DAYE, [(-3, 5)]))
    with pytest.raises(TypeError, match=r"number = 2\.5"):
        list(iter_chunks(DAYE, [(0, 2.5)]))  # type: ignore[list-item]


def test_rules_must_be_rules() -> None:
    with pytest.raises(TypeError, match="'daye'"):
        simulate("daye", 3)  # type: ignore[arg-type]


def test_a_generator_may_give_the_seed() -> None:
    one, other = (simulate(DAYE, 20, seed=np.random.default_rng(1)) for _ in range(2))
    assert same(one, other)
    # one seed, however many chunks
    ranges = [(0, 5), (5, 15)]
    parts = [part for _, part in iter_chunks(DAYE, ranges, seed=np.random.default_rng(1))]
    assert same(np.concatenate(parts), one)
    for _, part in iter_chunks(DAYE, [(3, 1), (3, 1)], seed=None):
        assert part["hand"] == 3
    first, second = (part for _, part in iter_chunks(DAYE, [(3, 1), (3, 1)], seed=None))
    assert same(first, second)


def test_bad_arguments_are_told_before_the_first_chunk() -> None:
    with pytest.raises(ValueError, match="seed = -1"):
        iter_chunks(DAYE, [(0, 5)], seed=-1)


def test_whole_numbers_of_numpy(tmp_path: Path) -> None:
    simulate_into(tmp_path, DAYE, np.int64(30), seed=np.uint64(5))  # type: ignore[arg-type]
    (rows,) = dataset.iter_rows(tmp_path)
    assert same(rows, simulate(DAYE, np.int64(30), seed=np.uint64(5)))  # type: ignore[arg-type]


def test_every_field_is_described() -> None:
    described = {
        line.split()[0].strip("`"): line.split()[1:3]
        for line in (simulation.__doc__ or "").splitlines() if line.startswith("``")
    }
    assert list(described) == list(HAND_DTYPE.names or ())
    for name, (dtype, shape) in described.items():
        assert dtype == f"``{HAND_DTYPE[name].base}``"
        assert shape == ("(4,)" if HAND_DTYPE[name].shape else "()")


def test_a_generator_that_is_closed_begins_nothing_more() -> None:
    asked = []

    def counting(seen: Observation) -> object:
        asked.append(seen.seat)
        return first_play(seen)

    chunks = iter_chunks(DAYE, [(0, 100_000)], policies=counting, workers=2)  # type: ignore[arg-type]
    next(chunks)
    chunks.close()
    number = len(asked)
    time.sleep(0.1)
    assert number == len(asked)


def test_a_generator_gives_one_seed_for_all_chunks() -> None:
    parts = iter_chunks(DAYE, [(0, CHUNK + 20)], seed=np.random.default_rng(1), workers=1)
    rows = np.concatenate([part for _, part in parts])
    assert same(rows, simulate(DAYE, CHUNK + 20, seed=np.random.default_rng(1)))


# Chance, from its description alone


def mix(word: int) -> int:
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    word = (word ^ word >> 27) * 0x94D049BB133111EB % 2**64
    return word ^ word >> 31


GAMMA = 0x9E3779B97F4A7C15


def words(key: int) -> Iterator[int]:
    for number in itertools.count(1):
        yield mix((key + number * GAMMA) % 2**64)


def below(stream: Iterator[int], number: int) -> int:
    while True:
        product = (next(stream) >> 32) * number
        if product % 2**32 >= 2**32 % number:
            return product >> 32


def test_the_generator_is_splitmix64() -> None:
    # the first numbers of the published generator for the seed 1234567
    assert list(itertools.islice(words(1234567), 3)) == [
        6457827717110365317, 3203168211198807973, 9817491932198370423,
    ]


@pytest.mark.parametrize(("seed", "hand"), [(0, 0), (7, 0), (2**64 - 1, 12345), (99, 2**40)])
def test_a_deal_made_from_the_description(seed: int, hand: int) -> None:
    stream = words(mix((mix((mix((seed + GAMMA) % 2**64) + hand) % 2**64) + 1) % 2**64))
    pack = [code // 2 for code in range(108)]
    for index in range(107, 0, -1):
        other = below(stream, index + 1)
        pack[index], pack[other] = pack[other], pack[index]
    state = State.deal(DAGUN, seed, hand_index=hand)
    assert state.dealt == tuple(tuple(pack[seat::4]) for seat in range(4))
    assert state.dealer == below(stream, 108) % 4


# Workers that die


class Failing(Executor):
    """Loses every third task it is given, and its connection on the way."""

    def __init__(self) -> None:
        self.tasks = 0

    def submit(self, function, /, *arguments):  # type: ignore[no-untyped-def]
        self.tasks += 1
        future: Future[np.ndarray] = Future()
        if self.tasks % 3 == 0:
            future.set_exception(ConnectionResetError("gone"))
        else:
            future.set_result(function(*arguments))
        return future


def test_lost_chunks_are_played_again(rows: np.ndarray) -> None:
    executor = Failing()
    assert same(simulate(XIANNING, HANDS, policies=MIX, seed=11, executor=executor), rows)
    assert executor.tasks > 3


def test_a_process_pool_whose_worker_is_killed(rows: np.ndarray) -> None:
    """Such a pool takes no more work; what it owes is played here, and that is told."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        worker = pool.submit(os.getpid).result()
        chunks = iter_chunks(XIANNING, [(0, HANDS)], policies=MIX, seed=11, executor=pool)
        parts = [next(chunks)[1]]
        os.kill(worker, signal.SIGKILL)
        with pytest.warns(RuntimeWarning, match="this process does, on one core"):
            parts += [part for _, part in chunks]
    assert same(np.concatenate(parts), rows)


def test_a_worker_with_another_version_is_refused() -> None:
    with pytest.raises(RuntimeError, match=r"a worker has dagong .*, not 0\.0\.1"):
        play_task("0.0.1", DAYE, ("random",) * 4, 5, 0, 1)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with (
        LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            dashboard_address=None,
            local_directory=str(tmp_path_factory.mktemp("dask")),
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


def test_a_dask_cluster(client: Client, rows: np.ndarray) -> None:
    assert same(simulate(XIANNING, HANDS, policies=MIX, seed=11, executor=client.get_executor()), rows)


def slow(seen: Observation) -> object:
    """Takes long enough for its worker to be killed over it."""
    time.sleep(0.0005)
    return first_play(seen)


def test_a_dask_worker_that_is_killed_loses_nothing(client: Client, tmp_path: Path) -> None:
    policies = (slow, "greedy", "greedy", "greedy")
    alone = simulate(DAYE, 400, policies=policies, seed=5, workers=1)
    workers = client.run(os.getpid)
    chunks = iter_chunks(DAYE, [(0, 400)], policies=policies, seed=5, executor=client.get_executor())
    parts = [next(chunks)[1]]
    os.kill(next(iter(workers.values())), signal.SIGKILL)
    parts += [part for _, part in chunks]
    assert same(np.concatenate(parts), alone)
    client.wait_for_workers(2, timeout=60)
    assert set(client.run(os.getpid).values()) != set(workers.values())
