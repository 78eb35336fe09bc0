"""The marker of tests that take more than about ten seconds: leave them out with `-m "not slow"`."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: takes more than about ten seconds")
