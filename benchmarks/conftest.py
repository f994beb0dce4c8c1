"""Gathers rates from the benchmarks and sets them side by side at the end."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))  # the oracle is there

RATES = pytest.StashKey[dict[str, dict[str, float]]]()


@pytest.fixture
def compared(request: pytest.FixtureRequest) -> dict[str, dict[str, float]]:
    """How many a second, by topic, which says of what, and by who does it."""
    return request.config.stash.setdefault(RATES, {})


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    for topic, rates in config.stash.get(RATES, {}).items():
        terminalreporter.section(topic)
        own = rates.get("dagong")
        for name, rate in rates.items():
            times = ""
            if own and name != "dagong":
                ratio = own / rate
                times = f"   dagong is {ratio:,.{0 if ratio >= 10 else 1}f} times as fast"
            terminalreporter.write_line(f"{name:48} {rate:16,.0f} a second{times}")
