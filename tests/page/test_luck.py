"""Was it the dice: the curve of the chances above the scrubber, asked for, watched, stopped, and read by others."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random

import httpx
import pytest
from playwright.sync_api import Page, expect

from affray.engine import open_fight
from affray.engine.analysis.luck import compute_curve
from affray.tools.lab.bench.brawl import sensibly
from tests.page.duels import DUEL
from tests.page.reach import within_reach
from tests.page.served import Served
from tests.page.window import Windows

FIGHTS = {
    "asked": DUEL.replace("might = 3", "might = 6"),  # an even fight, which turns more than once
    "stopped": DUEL,
    "unasked": DUEL,
    "hidden": DUEL.replace(
        'weapons = ["sword"]\n\n[[distance]]', 'weapons = ["sword"]\nconcealed = true\n\n[[distance]]'
    ),
}
TRIALS = 100
"""As many as the server takes where nothing else is said."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with a fought duel for each test."""
    with Served(tmp_path_factory.mktemp("luck")) as running:
        for name, encounter in FIGHTS.items():
            running.begin(name, encounter)
            for _ in sensibly(open_fight(name, running.store), Random(1)):
                pass
        running.start(*FIGHTS)
        yield running


def open_replay(server: Served, windows: Windows, fight: str, who: str = "game master") -> Page:
    """Return a client's window at the replay of a fight."""
    page = windows.open(server.links[fight][who])
    page.get_by_role("link", name="Replay").click()
    expect(page.locator(".proof")).to_have_attribute("data-proof", "whole")
    return page


def percent(text: str | None) -> int:
    """Return the number of ``43 %``."""
    assert text is not None
    return int(text.replace("−", "-").split()[0])


def test_the_curve_is_drawn_and_sums_to_the_result(server: Served, windows: Windows) -> None:
    page = open_replay(server, windows, "asked")
    page.get_by_label("Chance to win of").select_option("red")
    page.get_by_role("button", name="Draw the curve").click()
    expect(page.locator(".sums")).to_be_visible(timeout=60_000)
    fight = open_fight("asked", server.store)
    found = compute_curve(fight, "red", TRIALS)
    shown = [percent(one) for one in page.locator(".sums dd").all_text_contents()]
    assert shown[0] == found.opening
    assert shown[-1] == found.result * TRIALS == sum(shown[:-1])
    expect(page.locator(".chances .track")).to_be_visible()
    for move in (found.moves[0], found.moves[len(found.moves) // 2]):
        page.get_by_label("Step by").select_option("event")
        stops = page.locator(".scrubber")
        stops.fill(str([one.position for one in fight.history.effective()].index(move.position)))
        expect(page.locator(".chance")).to_have_text(f"{move.after} % red")
    page.locator(".scrubber").press("End")
    expect(page.locator(".chance")).to_have_text(f"{found.result * TRIALS} % red")
    within_reach(page)


def test_its_turning_points_lead_there(server: Served, windows: Windows) -> None:
    """Also for a spectator, who reads at once what others asked for."""
    gm = open_replay(server, windows, "asked")
    if gm.get_by_role("button", name="Draw the curve").is_visible():
        gm.get_by_role("button", name="Draw the curve").click()
    expect(gm.locator(".sums")).to_be_visible(timeout=60_000)
    page = open_replay(server, windows, "asked", "spectators")
    expect(page.locator(".sums")).to_be_visible()
    expect(page.get_by_role("button", name="Choose another side")).to_have_count(0)
    marks = page.locator(".curve .swing")
    assert 0 < marks.count() <= 7
    lefts = marks.evaluate_all("all => all.map((one) => parseFloat(one.style.left))")
    assert all(one < other for one, other in pairwise(lefts))
    at = page.locator(".turning .at").first.text_content()
    page.locator(".turning .at").first.click()
    expect(page.locator(f".status[data-position='{at}']")).to_be_attached()


def test_what_nobody_waits_for_is_stopped(server: Served, windows: Windows) -> None:
    page = open_replay(server, windows, "stopped")
    page.get_by_role("button", name="Draw the curve").click()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("button", name="Draw the curve")).to_be_visible()
    expect(page.locator(".chances")).to_be_hidden()


def test_what_somebody_else_drops_is_offered_anew_to_who_may_ask(server: Served, windows: Windows) -> None:
    """With the reason; a spectator who watched it is shown nothing any more."""
    token = server.links["stopped"]["game master"].partition("token=")[2]
    asking = httpx.Client(
        base_url=f"{server.address}/api/fights/stopped/forecasts", headers={"Authorization": f"Bearer {token}"}
    )
    with asking:
        told = asking.post("", json={"what": "luck", "trials": 500}).json()
        gm = open_replay(server, windows, "stopped")
        watching = open_replay(server, windows, "stopped", "spectators")
        for page in (gm, watching):
            expect(page.locator(".worth progress")).to_be_visible()
        asking.delete(f"/{told['id']}")
        expect(gm.locator(".worth [role=alert]")).to_contain_text("There is no forecast")
        expect(gm.get_by_role("button", name="Draw the curve")).to_be_visible()
        expect(watching.locator(".worth")).to_be_hidden()


def test_who_may_not_ask_is_offered_nothing(server: Served, windows: Windows) -> None:
    """A spectator without a computed analysis, and a player who does not see everything."""
    expect(open_replay(server, windows, "unasked", "spectators").locator(".worth")).to_be_hidden()
    expect(open_replay(server, windows, "hidden").locator(".worth")).to_be_visible()
    page = windows.open(server.links["hidden"]["Ilse"])
    page.get_by_role("link", name="Replay").click()
    expect(page.locator(".fares")).to_be_attached()
    expect(page.locator(".worth")).to_be_hidden()
