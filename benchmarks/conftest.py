"""Gathers plays a second from the benchmarks and sets them side by side at the end."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))  # the oracle is there

RATES = pytest.StashKey[dict[str, dict[str, float]]]()


@pytest.fixture
def compared(request: pytest.FixtureRequest) -> dict[str, dict[str, float]]:
    """Plays a second by topic and by who lists them."""
    return request.config.stash.setdefault(RATES, {})


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    for topic, rates in config.stash.get(RATES, {}).items():
        terminalreporter.section(topic)
        own = rates.get("dagong")
        for name, rate in rates.items():
            times = f"   dagong is {own / rate:,.0f} times as fast" if own and name != "dagong" else ""
            terminalreporter.write_line(f"{name:48} {rate:16,.0f} plays/s{times}")
