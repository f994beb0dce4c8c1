"""The comparison with other libraries runs, also where none of them is installed."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parent.parent / "benchmarks" / "peers" / "run.py"


@pytest.fixture
def peers() -> ModuleType:
    specification = importlib.util.spec_from_file_location("peers_run", SCRIPT)
    assert specification is not None and specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_dagong_alone(peers: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    peers.main(["--only", "dagong", "--seconds", "0.1", "--json"])
    report = json.loads(capsys.readouterr().out)
    assert len(report["results"]) == 9 and not report["missing"]
    assert all(result["per_second"] > 0 for result in report["results"])


def test_what_is_missing_is_told(
    peers: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def absent(name: str) -> ModuleType:
        raise ImportError(name)

    monkeypatch.setattr(peers, "import_module", absent)
    monkeypatch.setattr(peers.shutil, "which", lambda _name: None)
    monkeypatch.setitem(
        peers.PEERS,
        "dagong",
        lambda: iter([peers.Line("one", "game", "hands", lambda: peers.Rate(10, 200, 0.1))]),
    )
    peers.main(["--seconds", "0.1"])
    text = capsys.readouterr().out
    for install in (
        "pip install open_spiel",
        "pip install rlcard",
        "pip install chess",
        "apt install stockfish",
    ):
        assert install in text
    assert "The games differ" in text and "2,000" in text
