"""How fast the library is, measured on the corpus: natively and from Python.

On a machine shared with others a time says little by itself. So everything is measured in short rounds
that take turns, which lets a slow moment hit all alike; what is reported is the median of the rounds and
their spread, and what is set against something else is set against it within each round.
"""

from __future__ import annotations

import gc
import platform
import random
import statistics
import sysconfig
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from dagong import corpus
from dagong._bench import Positions, Store, compare, compiled_with
from dagong._core import PLAY_DTYPE, Plays
from dagong._play import Play
from dagong.benchmark_hands import figures_of, hand_tasks, hands_fingerprint, on_all_cores
from dagong.corpus import Position
from dagong.kinds import Detail
from dagong.rules import PRESETS, Ruleset
from dagong.simulation import cores

SECONDS = 10.0
ROUNDS = 9
QUICK_SECONDS = 1.2
QUICK_ROUNDS = 3

STORE_ROWS = 144            # a list of the usual length, 2 KB: it stays in the fastest cache
MEMORY_ROWS = 1 << 22       # 64 MB: more than caches hold of it
PYTHON_SAMPLE = 250         # positions of a section that are measured from Python
COMPARED = 4096             # plays of a section that are compared


class Figure(NamedTuple):
    """Something that is measured: its name in the report, and how to print it."""

    name: str
    title: str
    scale: float = 1.0
    unit: str = ""


FIGURES = (
    Figure("plays_per_second", "list: M plays/s", 1e-6),
    Figure("call_ns", "list: ns a call"),
    Figure("store_share", "list: of store limit", 100, "%"),
    Figure("count_ranks_ns", "count RANKS: ns"),
    Figure("count_cards_ns", "count CARDS: ns"),
    Figure("compares_per_second", "compare: M/s", 1e-6),
    Figure("numpy_compares_per_second", "NumPy compare: M/s", 1e-6),
    Figure("python_list_us", "legal_plays: µs"),
    Figure("python_list_added_us", "  less listing: µs"),
    Figure("python_count_ns", "count_plays: ns"),
    Figure("python_beats_ns", "beats: ns"),
    Figure("python_identify_ns", "identify: ns"),
    Figure("python_objects_per_second", "Play objects: M/s", 1e-6),
)
"""What is measured of each section; benchmarks/README.md says what each figure means."""


class Task(NamedTuple):
    """Work that can be repeated: ``run(passes)`` does ``units`` of it a pass."""

    run: Callable[[int], object]
    units: int


class Measured(NamedTuple):
    """The median over the rounds, and half the distance of the quartiles as a share of it."""

    median: float
    spread: float


@dataclass(frozen=True)
class Measurements:
    """The figures of one section under one rule set, by ``Figure.name``."""

    rules: str
    section: str
    positions: int
    plays_per_call: float
    figures: Mapping[str, Measured]


@dataclass(frozen=True)
class Report:
    """All that a run has measured, and on what."""

    environment: Mapping[str, Any]
    fingerprint: corpus.Fingerprint
    rounds: int
    store: Measured
    """16-byte rows a second that can be stored into a cache: the limit for ``store_share``."""
    memory_store: Measured
    """The same into 64 MB of memory."""
    sections: Sequence[Measurements]
    hands_fingerprint: str
    hands: Mapping[str, Mapping[str, Measured]]
    """Figures of whole hands (``dagong.benchmark_hands.FIGURES``) by rule set."""
    workers: int
    """How many threads "all cores" are."""

    def as_dict(self) -> dict[str, Any]:
        """The report as JSON has it."""
        return {
            "environment": dict(self.environment),
            "fingerprint": self.fingerprint._asdict(),
            "rounds": self.rounds,
            "store_rows_per_second": self.store._asdict(),
            "memory_store_rows_per_second": self.memory_store._asdict(),
            "sections": [
                {
                    "rules": part.rules,
                    "section": part.section,
                    "positions": part.positions,
                    "plays_per_call": part.plays_per_call,
                    "figures": {name: measured._asdict() for name, measured in part.figures.items()},
                }
                for part in self.sections
            ],
            "hands_fingerprint": self.hands_fingerprint,
            "workers": self.workers,
            "hands": {
                name: {figure: value._asdict() for figure, value in figures.items()}
                for name, figures in self.hands.items()
            },
        }


class SectionTasks:
    """What there is to measure of some positions.

    ``tasks`` holds, natively over all positions: ``list``, ``count_ranks``, ``count_cards`` and
    ``compare``; ``numpy_compare``; and over a sample of positions ``sample_list`` (native, for
    comparison), ``python_list``, ``python_count``, ``python_objects``, ``python_beats`` and
    ``python_identify``.
    """

    def __init__(self, rules: Ruleset, positions: Sequence[Position]) -> None:
        every = Positions(rules, positions)
        sample = positions[:: max(1, -(-len(positions) // PYTHON_SAMPLE))]
        sampled = Positions(rules, sample)
        rows = _mixed_rows(rules, positions)
        strength = np.ascontiguousarray(rows["strength"])
        one, other, higher = strength[:-1], strength[1:], np.empty(max(0, len(strength) - 1), bool)
        lists = [rules.legal_plays(*position) for position in sample]
        plays = _some_plays(lists)
        pairs, cards = list(pairwise(plays)), [(play.cards,) for play in plays]
        self.number = len(every)
        self.plays = every.generate()
        self.tasks = {
            "list": Task(every.generate, len(every)),
            "count_ranks": Task(lambda passes: every.count(Detail.RANKS, passes), len(every)),
            "count_cards": Task(lambda passes: every.count(Detail.CARDS, passes), len(every)),
            "compare": Task(lambda passes: compare(rows, passes), len(one)),
            "numpy_compare": Task(_repeat(lambda: np.greater(one, other, out=higher)), len(one)),
            "sample_list": Task(sampled.generate, len(sample)),
            "python_list": Task(_call_each(rules.legal_plays, sample), len(sample)),
            "python_count": Task(_call_each(rules.count_plays, sample), len(sample)),
            "python_beats": Task(_call_each(rules.beats, pairs), len(pairs)),
            "python_identify": Task(_call_each(rules.identify, cards), len(cards)),
            "python_objects": Task(_read_through(lists), sum(map(len, lists))),
        }


def _call_each(
    function: Callable[..., object], arguments: Sequence[tuple[Any, ...]]
) -> Callable[[int], None]:
    def run(passes: int) -> None:
        for _ in range(passes):
            for given in arguments:
                function(*given)

    return run


def _repeat(function: Callable[[], object]) -> Callable[[int], None]:
    def run(passes: int) -> None:
        for _ in range(passes):
            function()

    return run


def _read_through(lists: Sequence[Iterable[object]]) -> Callable[[int], None]:
    def run(passes: int) -> None:
        for _ in range(passes):
            for each in lists:
                deque(each, maxlen=0)  # makes every object and keeps none

    return run


def _mixed_rows(rules: Ruleset, positions: Sequence[Position]) -> np.ndarray[Any, Any]:
    """Plays of the positions out of order, so that neighbours differ as plays of two players do."""
    step = max(1, len(positions) // 500)
    rows = np.concatenate([rules.legal_plays(*position).array for position in positions[::step]])
    chance = random.Random(len(rows))
    keys = np.array([chance.random() for _ in rows])
    return np.ascontiguousarray(rows[np.argsort(keys)[:COMPARED]].astype(PLAY_DTYPE))


def _some_plays(lists: Sequence[Plays]) -> list[Play]:
    """One of each list that has any."""
    chance = random.Random(len(lists))
    return [plays[int(chance.random() * len(plays))] for plays in lists if plays]


def clock() -> Callable[[], int]:
    """Nanoseconds of this process if they can be told finely, so that others' work does not count."""
    fine = time.get_clock_info("process_time").resolution <= 1e-6
    return time.process_time_ns if fine else time.perf_counter_ns


def _time(task: Task, passes: int, now: Callable[[], int]) -> float:
    """Nanoseconds a unit."""
    start = now()
    task.run(passes)
    return (now() - start) / max(1, passes * task.units)


def run_rounds(
    tasks: Mapping[Any, Task], seconds: float, rounds: int, tick: Callable[[float], None] | None = None
) -> dict[Any, list[float]]:
    """Nanoseconds a unit of each task in each round; every round runs every task once, for as long.

    ``tick`` is told the share of the rounds that is done.
    """
    now = clock()
    share = seconds * 1e9 / (rounds * len(tasks))
    passes = {}
    for name, task in tasks.items():
        task.run(1)
        start = now()
        task.run(1)
        passes[name] = max(1, round(share / max(1, now() - start)))
    times: dict[Any, list[float]] = {name: [] for name in tasks}
    collecting = gc.isenabled()
    gc.disable()
    try:
        for done in range(rounds):
            for name, task in tasks.items():
                times[name].append(_time(task, passes[name], now))
            if tick is not None:
                tick((done + 1) / rounds)
    finally:
        if collecting:
            gc.enable()
    return times


def measured(values: Sequence[float]) -> Measured:
    """The median and spread of what the rounds gave."""
    middle = statistics.median(values)
    low, high = np.percentile(values, [25, 75])
    return Measured(float(middle), float((high - low) / 2 / middle) if middle else 0.0)


def _figures(plays_per_call: float, times: Mapping[str, Sequence[float]]) -> dict[str, Measured]:
    def of(name: str, convert: Callable[..., float], *others: str) -> Measured:
        by_round = zip(*(times[key] for key in (name, *others)), strict=True)
        return measured([convert(*each) for each in by_round])

    def same(nanoseconds: float) -> float:
        return nanoseconds

    def rate(nanoseconds: float) -> float:
        return 1e9 / nanoseconds if nanoseconds else 0.0

    return {
        "plays_per_second": of("list", lambda ns: plays_per_call * rate(ns)),
        "call_ns": of("list", same),
        "store_share": of("list", lambda ns, store: plays_per_call * store / ns, "store"),
        "count_ranks_ns": of("count_ranks", same),
        "count_cards_ns": of("count_cards", same),
        "compares_per_second": of("compare", rate),
        "numpy_compares_per_second": of("numpy_compare", rate),
        "python_list_us": of("python_list", lambda ns: ns / 1000),
        "python_list_added_us": of("python_list", lambda ns, bare: (ns - bare) / 1000, "sample_list"),
        "python_count_ns": of("python_count", same),
        "python_beats_ns": of("python_beats", same),
        "python_identify_ns": of("python_identify", same),
        "python_objects_per_second": of("python_objects", rate),
    }


def store_task() -> Task:
    """Writing rows to a cache, as fast as the machine can."""
    room = Store(STORE_ROWS)
    return Task(lambda passes: room.write(passes * 100 * STORE_ROWS), 100 * STORE_ROWS)


def memory_store_task() -> Task:
    room = Store(MEMORY_ROWS)
    room.write(MEMORY_ROWS)  # the first time, the system has yet to hand the memory out
    part = MEMORY_ROWS // 64
    return Task(lambda passes: room.write(passes * part), part)


def measure(
    rulesets: Mapping[str, Ruleset] = PRESETS,
    *,
    seconds: float = SECONDS,
    rounds: int = ROUNDS,
    tick: Callable[[float], None] | None = None,
) -> Report:
    """Measure everything for some rule sets, in about so many seconds and a few more to prepare."""
    corpora = {name: corpus.build(rules) for name, rules in rulesets.items()}
    parts = {
        (name, section): SectionTasks(corpora[name].rules, positions)
        for name in corpora
        for section, positions in corpora[name].items()
    }
    tasks: dict[tuple[str, ...], Task] = {("memory",): memory_store_task()}
    store = store_task()
    for name in corpora:
        tasks[name, "store"] = store
        for section in corpora[name]:
            for what, task in parts[name, section].tasks.items():
                tasks[name, section, what] = task
    whole = {name: hand_tasks(rules) for name, rules in rulesets.items()}
    for name, work in whole.items():
        for what, (run, units) in work.tasks.items():
            tasks[name, "hands", what] = Task(run, units)
    times = run_rounds(tasks, seconds, rounds, tick)
    stores = {name: times[name, "store"] for name in corpora}
    return Report(
        environment=environment(),
        fingerprint=corpus.fingerprint(corpora.values()),
        rounds=rounds,
        store=measured([1e9 / ns for each in stores.values() for ns in each]),
        memory_store=measured([1e9 / ns for ns in times["memory",]]),
        sections=[
            Measurements(
                rules=name,
                section=section,
                positions=part.number,
                plays_per_call=part.plays / part.number,
                figures=_figures(
                    part.plays / part.number,
                    {"store": stores[name], **{what: times[name, section, what] for what in part.tasks}},
                ),
            )
            for (name, section), part in parts.items()
        ],
        hands_fingerprint=hands_fingerprint(rulesets.values()),
        hands={
            name: {
                figure: measured(values)
                for figure, values in {
                    **figures_of(work, {what: times[name, "hands", what] for what in work.tasks}),
                    "all_workers_hands_per_second": on_all_cores(rulesets[name], rounds, seconds / 20),
                }.items()
            }
            for name, work in whole.items()
        },
        workers=cores(),
    )


def environment() -> dict[str, Any]:
    """What a time depends on besides the code."""
    return {
        "dagong": version("dagong"),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "python_compiler": platform.python_compiler(),
        "core": compiled_with(),
        "cflags": sysconfig.get_config_var("CFLAGS") or "",
        "numpy": np.__version__,
        "machine": platform.machine(),
        "cpu": cpu_model(),
        "clock": "process" if clock() is time.process_time_ns else "wall",
    }


def cpu_model() -> str:
    """What the processor calls itself."""
    details = Path("/proc/cpuinfo")  # Linux has it
    if details.exists():
        for line in details.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()
