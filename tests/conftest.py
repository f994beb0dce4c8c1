"""Options: how much to check, and with how many processes."""

import os

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--exhaustive", action="store_true", help="compare with the oracle at full length (about an hour)"
    )
    parser.addoption(
        "--jobs", type=int, default=os.cpu_count() or 1, help="processes for comparing with the oracle"
    )


@pytest.fixture
def exhaustive(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--exhaustive"))


@pytest.fixture
def jobs(request: pytest.FixtureRequest) -> int:
    return int(request.config.getoption("--jobs"))
