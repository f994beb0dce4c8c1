"""``dagong simulate`` and what goes with it: runs that are killed, clusters, single hands."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from distributed import LocalCluster

from dagong import DAYE, XIANNING, State, simulate
from dagong.simulation import replay_hand
from test_cli import answer, error, run

MAIN = "from dagong.cli import main; main()"
ARGUMENTS = ("simulate", "--rules", "daye", "--hands", "600000", "--seed", "7", "--workers", "1", "--json")


def said(*arguments: str) -> str:
    """What a command that succeeds says."""
    result = run(*arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, bytes], object, float]:
    folder = tmp_path_factory.mktemp("whole") / "hands"
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", MAIN, *ARGUMENTS, "--out", str(folder)], capture_output=True, check=True
    )
    return contents(folder), json.loads(done.stdout), time.monotonic() - began


def test_killed_at_any_moment_and_resumed(
    undisturbed: tuple[dict[str, bytes], object, float], tmp_path: Path
) -> None:
    files, summary, took = undisturbed
    chance = random.Random(20)
    kills = 0
    for attempt in range(4):
        folder = tmp_path / str(attempt)
        command = [sys.executable, "-c", MAIN, *ARGUMENTS, "--out", str(folder), "--resume"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            process.wait(chance.uniform(0.1, 0.95) * took)
        except subprocess.TimeoutExpired:
            os.kill(process.pid, signal.SIGKILL)
            kills += 1
        process.communicate()
        done = subprocess.run(command, capture_output=True, check=True)
        assert contents(folder) == files
        assert json.loads(done.stdout) == summary
    assert kills


def test_the_summary() -> None:
    text = said(
        "simulate", "--rules", "xianning", "--hands", "2000", "--policies", "greedy,random,greedy,random"
    )
    assert text.startswith("2,000 hands under XIANNING")
    assert "How hands end" in text and "Jokers dealt" in text
    assert max(map(len, text.splitlines())) <= 100


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--hands", "0"), "--hands"),
        (("--hands", "many"), "'many' is not a valid whole number"),
        (("--policies", "bold"), "'bold'"),
        (("--policies", "random,greedy"), "four by seat"),
        (("--workers", "0"), "--workers"),
        (("--seed", "-1"), "--seed"),
        (("--resume",), "--resume needs --out"),
        (("--out", __file__), __file__),
        (("--dask", "nonsense://x"), "--dask 'nonsense://x'"),
    ],
)
def test_bad_options(options: tuple[str, ...], words: str) -> None:
    assert words in error("simulate", "--rules", "daye", "--hands", "10", *options)


def test_resuming_with_other_settings_is_refused(tmp_path: Path) -> None:
    options = ("simulate", "--rules", "daye", "--hands", "50", "--out", str(tmp_path / "hands"))
    said(*options)
    before = contents(tmp_path / "hands")
    assert "--resume" in error(*options)
    assert "seed is 0 there, not 3" in error(*options, "--resume", "--seed", "3")
    assert "solo_multiplier" in error(*options, "--resume", "--set", "solo_multiplier=9")
    assert "policies" in error(*options, "--resume", "--policies", "greedy")
    assert contents(tmp_path / "hands") == before
    said(*options, "--resume")


def test_a_hand_of_a_simulation_is_replayed() -> None:
    options = ("replay", "--rules", "xianning", "--seed", "7", "--hand", "123", "--policies", "greedy")
    row = simulate(XIANNING, 124, policies="greedy", seed=7)[123]
    state = State.from_record(said(*options, "--record"))
    assert state == replay_hand(XIANNING, 123, policies="greedy", seed=7)
    assert state.result is not None and list(state.result.payoffs) == row["payoffs"].tolist()
    assert "trick 1" in said(*options)
    assert answer(*options)["tags"]["hand_index"] == "123"
    assert "give a FILE, or" in error("replay", "--rules", "xianning")
    assert "give a FILE, or" in error("replay", "hand.txt", "--rules", "xianning", "--hand", "1")


def test_a_cluster(tmp_path: Path) -> None:
    options = ("simulate", "--rules", "daye", "--hands", "30000")
    with LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        dashboard_address=None,
        local_directory=str(tmp_path),
    ) as cluster:
        assert answer(*options, "--dask", cluster.scheduler_address) == answer(*options)


def test_perft() -> None:
    options = ("perft", "--rules", "daye", "--seed", "7", "--depth", "2")
    assert "992 leaves" in said(*options)
    divided = answer(*options, "--divide")
    assert divided["leaves"] == 992 == sum(divided["divide"].values())
    lines = said(*options, "--divide").splitlines()
    assert len(lines) == 1 + len(divided["divide"])
    solo = State.deal(DAYE, 7)
    solo.bid(True)
    assert answer(*options, "--bids")["leaves"] == 2 + len(solo.legal_plays())
    assert "--depth" in error("perft", "--rules", "daye", "--depth", "-1")
