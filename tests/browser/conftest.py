"""A real browser without a window; where there is none the tests are skipped."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
WAIT = 60.0

Open = Callable[..., Any]


def found(*names: str) -> str | None:
    """The first of the programs that is installed."""
    return next((place for name in names if (place := shutil.which(name))), None)


@pytest.fixture(scope="session")
def chromium() -> tuple[str, str]:
    """The browser and its driver."""
    pytest.importorskip("selenium", reason="selenium is not installed")
    browser, driver = found("chromium", "chromium-browser", "google-chrome"), found("chromedriver")
    if browser is None or driver is None:
        pytest.skip("no chromium and chromium-driver here (Debian: apt-get install chromium chromium-driver)")
    return browser, driver


@pytest.fixture(scope="session")
def browser(chromium: tuple[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """One browser for all tests, with a profile of its own."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = chromium[0]
    for argument in (*ARGUMENTS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(chromium[1]))
    try:
        yield driver
    finally:
        driver.quit()


@pytest.fixture
def open_page(browser: Any) -> Iterator[Open]:
    """`open_page(file, "K,raise", width=390)`: the browser at that line; fails on anything severe in its console."""

    def start(page: Path, history: str = "", width: int = 1280, dark: bool = False) -> Any:
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": scheme})
        browser.get(f"{page.resolve().as_uri()}#{history}")
        wait_for(browser, history)
        return browser

    yield start
    browser.execute_script("localStorage.clear()")
    browser.get("about:blank")
    severe = [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]
    assert not severe, severe


def wait_for(driver: Any, history: str | None = None) -> None:
    """Wait until the point of a history, or whatever was asked for last, is drawn."""
    deadline = time.monotonic() + WAIT
    while (ready := driver.execute_script("return document.body.dataset.ready ?? null")) is None or (
        history is not None and ready != history
    ):
        assert time.monotonic() < deadline, f"the page never drew {history!r}; it shows {ready!r}"
        time.sleep(0.02)
