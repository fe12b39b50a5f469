"""A real browser, and windows in it that fail a test at the first thing that goes wrong in them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from shutil import which

import pytest
from playwright.sync_api import Browser, Error, sync_playwright

from tests.page.served import Served
from tests.page.window import Windows

QUIETLY = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
"""A browser that draws without a graphics card and speaks with nobody but us."""

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
"""By which names machines have Chromium."""

SHELL = "chromium-headless-shell"
"""Chromium's own drawing and scripts without its windows: the tests take two thirds of the time in it."""


def chromium(*, whole: bool = False) -> str | None:
    """Return the path of the machine's Chromium; its shell goes first unless the whole of it is asked for."""
    names = BROWSERS if whole else (SHELL, *BROWSERS)
    return next((path for name in names if (path := which(name))), None)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium as the machine has it, the whole of it in the thorough run; without it, tests are skipped but in CI.

    It ends with its module: as long as it lives, so does an event loop in this very thread.
    """
    found = chromium(whole=os.environ.get("AFFRAY_PROFILE") == "thorough")
    if found is None:
        missing = f"there is no Chromium here (apt-get install {SHELL}): THE PAGE IS NOT TESTED"
        if os.environ.get("CI") or os.environ.get("AFFRAY_REQUIRE_BROWSER"):
            pytest.fail(missing)
        pytest.skip(missing)
    with sync_playwright() as playwright:
        try:
            started = playwright.chromium.launch(executable_path=found, args=[*QUIETLY])
        except Error as error:
            pytest.fail(f"{found} cannot be started: {error}")
        yield started
        started.close()


@pytest.fixture
def windows(browser: Browser) -> Iterator[Windows]:
    """Open windows with separate storage; scripts in them may neither fail nor be blocked."""
    opened = Windows(browser)
    yield opened
    opened.close()
    assert opened.wrong == []


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    """The installed program serving a folder, in a separate process."""
    with Served(tmp_path) as running:
        yield running
