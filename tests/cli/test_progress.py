"""The progress line and the forecast of the time left."""

from __future__ import annotations

import io
import sys
import textwrap
import time
from pathlib import Path

import pytest

from cli import progress
from cli.progress import Forecast, Progress
from solver.solving.figures import duration

LIVE = """
    import time
    from cli.progress import Progress
    with Progress(unit="points") as line:
        for number in range(8):
            line.update(f"iteration {number}", exploitability=0.5, seconds_left=75)
            time.sleep(0.1)
"""


def test_heartbeat_off_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "HEARTBEAT_SECONDS", 0.02)
    stream = io.StringIO()
    with Progress(unit="points", stream=stream) as line:
        line.stage("compiling kernels (once)")
        time.sleep(0.1)
        line.update("iteration 120", exploitability=0.0123, seconds_left=90.0)
        time.sleep(0.1)
    text = stream.getvalue()
    assert "compiling kernels (once)" in text
    assert "iteration 120, exploitability 0.0123 points" in text
    assert "about 1 min 30 s left" in text
    assert "\x1b" not in text
    assert "\r" not in text


def test_short_work_says_nothing_off_a_terminal() -> None:
    stream = io.StringIO()
    with Progress(stream=stream) as line:
        line.update("iteration 1")
    assert stream.getvalue() == ""


def test_quiet_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "HEARTBEAT_SECONDS", 0.01)
    stream = io.StringIO()
    with Progress(quiet=True, stream=stream) as line:
        line.update("iteration 1")
        time.sleep(0.05)
    assert stream.getvalue() == ""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_live_line_on_a_terminal() -> None:
    import pexpect

    child = pexpect.spawn(
        sys.executable,
        ["-c", textwrap.dedent(LIVE)],
        cwd=str(Path(__file__).parents[2]),
        dimensions=(24, 100),
    )
    child.expect("exploitability 0.5 points")
    child.expect(r"about 1 min 1\d s left")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.04, "0.0 s"), (9.96, "10.0 s"), (12.3, "12 s"), (185, "3 min 05 s"), (7800, "2 h 10 min")],
)
def test_duration(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_forecast_prolongs_a_power_law() -> None:
    forecast = Forecast(0.001)
    for second in (1.0, 2.0, 4.0, 8.0):
        forecast.add(int(second * 10), second, 0.1 / second)
    assert forecast.seconds_left() == pytest.approx(92.0)


def test_forecast_stops_at_the_first_limit() -> None:
    forecast = Forecast(1e-9, max_iterations=100, max_seconds=60.0)
    forecast.add(50, 10.0, 0.1)
    assert forecast.seconds_left() == pytest.approx(10.0)
    forecast.add(60, 58.0, 0.1)
    assert forecast.seconds_left() == pytest.approx(2.0)


def test_forecast_says_nothing_while_it_knows_nothing() -> None:
    forecast = Forecast(0.001)
    assert forecast.seconds_left() is None
    forecast.add(1, 1.0, 0.1)
    forecast.add(2, 2.0, 0.2)
    assert forecast.seconds_left() is None


def test_forecast_at_the_target_is_zero() -> None:
    forecast = Forecast(0.1)
    forecast.add(1, 1.0, 0.3)
    forecast.add(2, 2.0, 0.05)
    assert forecast.seconds_left() == 0.0
