"""``dagong simulate`` and what goes with it: runs that are killed, clusters, single hands."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from distributed import LocalCluster

from dagong import DAYE, XIANNING, Observation, State, simulate
from dagong.dataset import iter_rows
from dagong.simulation import replay_hand
from test_cli import answer, error, run

MAIN = "from dagong.cli import main; main()"
ARGUMENTS = (
    "simulate", "--rules", "daye", "--hands", "150000", "--chunk", "20000", "--seed", "7", "--workers", "1",
    "--json",
)


def said(*arguments: str) -> str:
    """What a command that succeeds says."""
    result = run(*arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def wait_until(true: Callable[[], object], process: subprocess.Popen[str]) -> None:
    """Wait for what a process that runs is to bring about."""
    deadline = time.monotonic() + 60
    while not true():
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.05)


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
    for attempt in range(20):
        folder = tmp_path / str(attempt)
        command = [sys.executable, "-c", MAIN, *ARGUMENTS, "--out", str(folder), "--resume"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            process.wait(chance.uniform(0.1, 0.95) * took)
            took *= 0.8  # what the first run read from disk is in memory now
        except subprocess.TimeoutExpired:
            os.kill(process.pid, signal.SIGKILL)
            kills += 1
        process.communicate()
        done = subprocess.run(command, capture_output=True, check=True)
        assert contents(folder) == files
        assert json.loads(done.stdout) == summary
        if kills == 3:
            return
    pytest.fail(f"killed {kills} times only")


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("to_files", [False, True])
def test_interrupted(tmp_path: Path, to_files: bool) -> None:
    folder = tmp_path / "hands"
    options = ["--out", str(folder), "--chunk", "20000"] if to_files else []
    # Whoever runs the tests may have told programs to ignore the signal.
    heed = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    begun = "from dagong.cli import main; import sys; print('begun', file=sys.stderr, flush=True); "
    arguments = ["simulate", "--rules", "daye", "--hands", "100000000", *options]
    command = [sys.executable, "-c", heed + begun + MAIN, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr and process.stderr.readline() == "begun\n"
            if to_files:
                wait_until(lambda: list(folder.glob("*.parquet")), process)
            else:
                time.sleep(2)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
        finally:
            process.kill()
    assert (process.returncode, out) == (130, "")
    said_so = re.fullmatch(r"Stopped after ([\d,]+) of 100,000,000 hands(.*)\.\n", err)
    assert said_so
    assert said_so[2] == (f"; the same with --resume goes on with {folder}" if to_files else "")
    if to_files:
        whole = 20000 * len(list(folder.iterdir()))
        assert whole <= int(said_so[1].replace(",", ""))
        assert sum(len(rows) for rows in iter_rows(folder, partial=True)) == whole


def bold(seen: Observation) -> bool:
    """A policy that plays what it does not have."""
    return "3S 3S 3S as triple 3" if seen.phase == "play" else False  # type: ignore[return-value]


def test_a_function_by_name() -> None:
    policies = "test_simulation:first_play,greedy,greedy,greedy"
    options = ("simulate", "--rules", "daye", "--hands", "20", "--policies", policies)
    assert answer(*options)["hands"] == 20
    wrong = error(*options[:-1], f"{__name__}:bold")
    assert wrong.startswith("Error: --policies: hand 0, seat ")
    assert "no_such" in error(*options[:-1], "no_such:function")


def test_the_summary() -> None:
    text = said(
        "simulate", "--rules", "xianning", "--hands", "2000", "--policies", "greedy,random,greedy,random"
    )
    assert text.startswith("2,000 hands under XIANNING")
    assert "How hands end" in text and "Jokers dealt" in text
    assert max(map(len, text.splitlines())) <= 100
    assert " on 1 thread, " in said("simulate", "--rules", "daye", "--hands", "10", "--workers", "1")


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
        (("--chunk", "5"), "--chunk needs --out"),
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
    assert "chunk is 250000 there, not 20" in error(*options, "--resume", "--chunk", "20")
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
