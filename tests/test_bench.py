"""`dagong bench` runs and reports what it says; how fast, no test can tell."""

import json
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from dagong import DAGUN, DAYE, XIANNING, Detail, State
from dagong._bench import Positions, Store, compare
from dagong._bench_state import Turns
from dagong.benchmark import FIGURES, SectionTasks, Task, measured, run_rounds
from dagong.benchmark_hands import FIGURES as HAND_FIGURES
from dagong.cli.app import app
from dagong.corpus import FOLLOWS, LEADS, LEADS_BY_JOKERS, SECTIONS, build, fingerprint
from dagong.rules import PRESETS


def report_of(*arguments: str) -> dict[str, Any]:
    result = CliRunner().invoke(app, ["bench", *arguments, "--json"], catch_exceptions=False)
    assert result.exit_code == 0
    return dict(json.loads(result.stdout))


def test_json() -> None:
    report = report_of("--quick")
    assert set(report) == {
        "environment", "fingerprint", "rounds", "store_rows_per_second", "memory_store_rows_per_second",
        "sections", "hands_fingerprint", "hands", "workers",
    }
    assert set(report["hands"]) == set(PRESETS)
    for figures in report["hands"].values():
        assert set(figures) == {name for name, _ in HAND_FIGURES}
        assert all(measurement["median"] > 0 for measurement in figures.values())
    assert set(report["environment"]) == {
        "dagong", "python", "python_compiler", "core", "cflags", "numpy", "machine", "cpu", "clock"
    }
    assert set(report["environment"]["core"]) == {"compiler", "vectors", "optimised", "checked"}
    assert set(report["fingerprint"]) == {"plays", "digest"}
    where = [(part["rules"], part["section"]) for part in report["sections"]]
    assert where == [(rules, section) for rules in PRESETS for section in SECTIONS]
    for part in report["sections"]:
        assert set(part) == {"rules", "section", "positions", "plays_per_call", "figures"}
        assert set(part["figures"]) == {figure.name for figure in FIGURES}
        for measurement in part["figures"].values():
            assert set(measurement) == {"median", "spread"}
            assert isinstance(measurement["median"], float)


def test_table() -> None:
    result = CliRunner().invoke(
        app, ["bench", "--rules", "daye", "--seconds", "0.1"], catch_exceptions=False
    )
    assert result.exit_code == 0
    assert f"fingerprint of DAYE: {fingerprint(build(DAYE))}" in result.stdout
    for figure in FIGURES:
        assert figure.title in result.stdout
    assert "DAGUN" not in result.stdout


def test_rules_are_checked() -> None:
    result = CliRunner().invoke(app, ["bench", "--rules", "HOUSE"])
    assert result.exit_code == 2
    assert "HOUSE" in result.output


@pytest.mark.parametrize("rules", [DAGUN, DAYE, XIANNING], ids=str)
@pytest.mark.parametrize("section", [LEADS_BY_JOKERS[3], FOLLOWS])
def test_native_loops_do_the_work(rules: Any, section: str) -> None:
    positions = build(rules)[section][:300]
    native = Positions(rules, positions)
    assert len(native) == 300
    assert native.generate(2) == 2 * sum(len(rules.legal_plays(*position)) for position in positions)
    for detail in Detail:
        expected = sum(rules.count_plays(*position, detail=detail) for position in positions)
        assert native.count(detail, 2) == 2 * expected


def test_native_comparison_is_that_of_the_rules() -> None:
    plays = DAGUN.legal_plays(build(DAGUN)[LEADS_BY_JOKERS[4]][0].hand)[::7]
    assert len(plays) > 64
    beating = sum(DAGUN.beats(one, other) for one, other in pairwise(plays))
    assert beating and compare(np.ascontiguousarray(plays.array)) == beating
    assert compare(plays.array[:0]) == 0


def test_positions_are_checked() -> None:
    hand = build(DAYE)[LEADS][0].hand
    sky = DAGUN.parse_play("XB XB XR XR as sky_bomb")
    with pytest.raises(ValueError, match="no play under"):
        Positions(DAYE, [(hand, sky)])
    with pytest.raises(ValueError, match="at most 27"):
        Positions(DAYE, [(hand + build(DAYE)[LEADS][1].hand, None)])
    with pytest.raises(ValueError, match="one row"):
        Store(0)


def test_store_goes_round() -> None:
    store = Store(10)
    assert [store.write(rows) for rows in (3, 25, 0, 7)] == [3, 25, 0, 7]


def test_rounds_take_turns() -> None:
    order: list[str] = []
    tasks = {name: Task(lambda passes, name=name: order.append(name), 1) for name in "abc"}
    ticks: list[float] = []
    times = run_rounds(tasks, seconds=1e-6, rounds=3, tick=ticks.append)
    assert order[-9:] == list("abc") * 3
    assert [len(each) for each in times.values()] == [3, 3, 3]
    assert ticks == [1 / 3, 2 / 3, 1.0]


def test_measured() -> None:
    assert measured([5.0, 1.0, 3.0, 2.0, 4.0]) == (3.0, 1 / 3)
    assert measured([0.0, 0.0]) == (0.0, 0.0)


def test_positions_without_plays_can_be_measured() -> None:
    stuck = [each for each in build(XIANNING)[FOLLOWS] if XIANNING.count_plays(*each) == 0][:5]
    part = SectionTasks(XIANNING, stuck)
    assert part.plays == 0
    assert len(run_rounds(part.tasks, seconds=0.001, rounds=2)["list"]) == 2


def test_turns_of_hands_in_progress() -> None:
    """The loops do what a ``State`` does, over and over, and leave the positions as they were."""
    states = [State.deal(DAGUN, 5, hand_index=index) for index in range(3)]
    for state in states:
        while state.phase == "bid":
            state.bid(False)
    plays = [state.legal_plays()[0] for state in states]
    leads = Turns(DAGUN, zip(states, plays, strict=True))
    assert len(leads) == leads.number == 3
    assert leads.copy(4) == 4 * sum(state.key for state in states) % 2**64
    for state, play in zip(states, plays, strict=True):
        state.play(play)
    assert leads.play_and_undo(2) == leads.play_and_undo() * 2 % 2**64
    assert leads.play_and_undo() == sum(state.key for state in states) % 2**64
    follows = Turns(DAGUN, [(state, None) for state in states])
    for state in states:
        state.pass_()
    assert follows.pass_and_undo(3) == 3 * sum(state.key for state in states) % 2**64
    assert leads.play_out(1) == leads.play_out(1) > 3 * 30
    assert len({leads.play_out(seed) for seed in range(5)}) > 1
    with pytest.raises(ValueError, match="pass"):
        leads.pass_and_undo()
    with pytest.raises(ValueError, match="play"):
        follows.play_and_undo()
    for rules, turn in ((DAGUN, (State.deal(DAGUN, 1), None)), (DAYE, (states[0], None)),
                        (DAGUN, (states[0], plays[0]))):
        with pytest.raises(ValueError):
            Turns(rules, [turn])
