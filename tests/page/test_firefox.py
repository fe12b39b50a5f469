"""The page in Firefox: a whole turn by clicking, the map under one's fingers, and the replay."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from affray.events import Moved, Rolled
from tests.examples import THOROUGH
from tests.page import firefox
from tests.page.firefox import Firefox
from tests.page.served import Served

YARD = """\
system = "vestige"
name = "In the yard"

[board]
blocked = ["2,2"]
difficult = ["1,3"]

[[combatant]]
name = "Ilse"
side = "watch"
block = "hero"
at = "0,0"
weapons = ["sword"]

[[combatant]]
name = "Bram"
side = "thieves"
block = "minion"
at = "2,1"
weapons = ["axe"]
"""

SETTLED = (
    "document.body.dataset.legal === document.body.dataset.position && Number(document.body.dataset.position) > %d"
)


@pytest.fixture
def fox(tmp_path: Path) -> Iterator[Firefox]:
    """A window of Firefox; it takes ten seconds to come, so that only who tests at leisure waits for it."""
    if not THOROUGH:
        pytest.skip("Firefox is tried by `make thorough`, or with AFFRAY_PROFILE=thorough")
    program = firefox.find_firefox()
    if program is None:
        pytest.skip("there is no Firefox here (apt-get install firefox-esr): the page is tested in Chromium alone")
    profile = tmp_path / "profile"
    profile.mkdir()
    with firefox.window(program, profile) as window:
        yield window
        assert window.wrong == []


def wait_until_settled(fox: Firefox, after: int = 0) -> int:
    """Wait until something newer is shown, and what may be done there; return the position."""
    fox.waits_for(SETTLED % after)
    return int(fox.evaluate("Number(document.body.dataset.position)"))


def test_a_whole_turn_and_the_replay(server: Served, fox: Firefox) -> None:
    """Begin, drag oneself to the foe, tap them and strike, look at the receipt; then watch all of it."""
    server.begin("yard", YARD)
    server.start("yard")
    fox.open(server.links["yard"]["game master"])
    at = wait_until_settled(fox)
    fox.click(".kinds [data-kind=begin]")
    fox.click(".declare")
    at = wait_until_settled(fox, at)
    while fox.evaluate("document.querySelector('.token.up').dataset.who") != "ilse":
        fox.click(".kinds [data-kind=end_turn]")
        at = wait_until_settled(fox, at)

    fox.waits_for("document.querySelector('[data-likely]') !== null")  # nothing more comes below the map then
    fox.waits_for("document.querySelector('.token.up[data-drag]') !== null")
    x, y, cell = map(float, fox.evaluate(
        "(() => { const { x, y, width, height } = document.querySelector('.token.up .ring').getBoundingClientRect();"
        " const grid = document.querySelector('.board > g').transform.baseVal.consolidate().matrix;"
        " return `${x + width / 2} ${y + height / 2} ${grid.a}`; })()"
    ).split())  # fmt: skip
    there = [(round(x + part * cell), round(y + part * cell)) for part in (0, 0.5, 1)]
    fox.drag(*there)
    at = wait_until_settled(fox, at)
    (moved,) = [one.event for one in server.recorded("yard") if isinstance(one.event, Moved)]
    assert (moved.who, moved.after) == ("ilse", "1,1")

    fox.click(".token[data-who=bram]")
    fox.click(".foe [data-do=attack]")
    wait_until_settled(fox, at)
    assert any(isinstance(one.event, Rolled) for one in server.recorded("yard")[at:])
    fox.click(".result .rolled")
    fox.waits_for("document.querySelector('dialog .receipt .total') !== null")
    fox.waits_for("document.querySelector('dialog').innerText.includes('What followed')")  # which moves its button
    fox.click("dialog footer button")
    fox.waits_for("document.querySelector('dialog') === null")  # as long as it is there, it takes every click
    fox.click("#views a:last-child")
    fox.waits_for("document.querySelector('.proof')?.dataset.proof === 'whole'")
    assert fox.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
