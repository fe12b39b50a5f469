"""The replay view in a real browser: a recorded fight from a file, scrubbed, stepped, explained."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from affray.engine.core.coordinates import place_label
from affray.engine.core.state import digest
from affray.events import Rolled, RoundBegan, TurnBegan
from tests.page.served import Served
from tests.page.window import Windows, stays_within
from tests.tools.program import rebuild_from_log

REPLAYS = Path(__file__).parents[2] / "replays"
FIGHT = REPLAYS / "vestige" / "undo-and-redo.jsonl"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server without any fight, for all of these tests."""
    with Served(tmp_path_factory.mktemp("no-fights")) as running:
        running.start()
        yield running


@pytest.fixture
def page(server: Served, windows: Windows) -> Page:
    """The page before a file is opened."""
    return windows.open(f"{server.address}/")


def wait_until_drawn(page: Page, position: int) -> None:
    """The view has drawn a position to the end."""
    expect(page.locator(f".status[data-position='{position}']")).to_be_attached()


def watch(page: Page, file: Path) -> None:
    """Open a log file."""
    page.set_input_files("#log-file", file)
    expect(page.locator(".proof")).to_have_attribute("data-proof", "whole")


@pytest.mark.parametrize("name", ["vestige/undo-and-redo", "hexblade/before-the-palisade", "verdigris/ogre-cave"])
def test_scrubbed_to_the_end_it_shows_the_state_the_engine_comes_to(page: Page, name: str) -> None:
    file = REPLAYS / f"{name}.jsonl"
    fight = rebuild_from_log(file)
    watch(page, file)
    page.locator(".scrubber").press("End")
    last = list(fight.history.effective())[-1].position
    wait_until_drawn(page, last)
    assert page.locator(".status").get_attribute("data-digest") == digest(fight.state)
    expect(page.locator(".where")).to_have_text(f"{last} of {fight.head}")
    there = page.locator(".person").evaluate_all(
        "all => all.map((one) => [one.dataset.who, one.querySelector('.place')?.textContent ?? ''])"
    )
    assert dict(there) == {
        one.id: place_label(one.place, fight.ruleset.board.kind) if "," in one.place else one.place.replace("-", " ")
        for one in fight.state.combatants.values()
    }


def test_a_number_opens_its_receipt_from_the_log_alone(page: Page) -> None:
    watch(page, FIGHT)
    fight = rebuild_from_log(FIGHT)
    position, rolled = next(
        (one.position, one.event)
        for one in fight.history.recorded
        if isinstance(one.event, Rolled) and one.event.modifiers
    )
    page.locator(f".roll[data-position='{position}']").click()
    receipt = page.locator("dialog .receipt")
    expect(receipt.locator(".total")).to_contain_text(f"Total {rolled.total} against {rolled.against}")
    expect(receipt.locator(".die b")).to_have_text([str(face) for one in rolled.dice for face in one.faces])
    for added in rolled.modifiers:
        if added.rule:
            expect(receipt.locator(".numbers")).to_contain_text(added.rule)
    page.keyboard.press("Escape")
    expect(receipt).to_be_hidden()


def test_keys_step_by_command_event_turn_and_round(page: Page) -> None:
    watch(page, FIGHT)
    fight = rebuild_from_log(FIGHT)
    line = list(fight.history.effective())
    begun = [one.position for one in line if isinstance(one.event, RoundBegan)]
    turns = [one.position for one in line if isinstance(one.event, TurnBegan)]
    page.locator("main").focus()
    page.keyboard.press("Home")
    wait_until_drawn(page, 1)
    page.keyboard.press(".")
    wait_until_drawn(page, 2)
    page.keyboard.press("PageDown")
    wait_until_drawn(page, begun[0])
    page.keyboard.press("ArrowDown")
    wait_until_drawn(page, next(one for one in turns if one > begun[0]))
    page.keyboard.press("ArrowUp")
    page.keyboard.press("End")
    wait_until_drawn(page, line[-1].position)
    page.keyboard.press("Home")
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_what_was_taken_back_is_struck_through_and_can_be_looked_at(page: Page) -> None:
    watch(page, FIGHT)
    fight = rebuild_from_log(FIGHT)
    undone = page.locator(".entry.undone")
    first = undone.first
    position = int(first.get_attribute("data-position") or 0)
    assert not fight.history.is_effective(position)
    assert first.locator("del").count() == 1
    first.locator("button.at").click()
    expect(page.locator(".status .warning")).to_contain_text("undone")
    page.get_by_label("Undone").uncheck()
    expect(first).to_be_hidden()


def test_a_log_that_somebody_changed_is_found_out(page: Page, tmp_path: Path) -> None:
    lines = FIGHT.read_text("utf-8").splitlines(keepends=True)
    changed = next(nth for nth, line in enumerate(lines) if '"type":"PoolChanged"' in line)
    lines[changed] = lines[changed].replace('"before":', '"before":1', 1)
    forged = tmp_path / "forged.jsonl"
    forged.write_text("".join(lines), "utf-8")
    page.set_input_files("#log-file", forged)
    expect(page.locator(".proof")).to_have_attribute("data-proof", "broken")
    expect(page.locator(".proof")).to_contain_text(f"position {changed + 1}")


@pytest.mark.parametrize("name", ["windows.jsonl", "renamed.json", "renamed.ndjson", "renamed.jsonl.txt"])
def test_a_log_as_people_have_it_is_verified_in_the_words_of_replay(page: Page, tmp_path: Path, name: str) -> None:
    """With the line ends and the mark of Windows, or renamed by what it came through."""
    content = FIGHT.read_bytes()
    file = tmp_path / name
    file.write_bytes(b"\xef\xbb\xbf" + content.replace(b"\n", b"\r\n") if name == "windows.jsonl" else content)
    watch(page, file)
    head = rebuild_from_log(FIGHT).history.head_hash
    expect(page.locator(".proof")).to_contain_text(f"Chain verified to {head[:12]}.")
    expect(page.locator(".proof code")).to_have_attribute("title", head)


def test_a_number_that_the_engine_cannot_read_is_refused_here_too(page: Page, tmp_path: Path) -> None:
    """A chain that holds is no verdict on a line that no other reader takes."""
    lines = FIGHT.read_text("utf-8").splitlines(keepends=True)
    rolled = next(nth for nth, line in enumerate(lines) if '"type":"Rolled"' in line)
    for number in ("1e0", "1" + "0" * 4999):
        line = re.sub(r'"total":-?\d+', f'"total":{number}', lines[rolled], count=1)
        odd = tmp_path / f"with-{len(number)}.jsonl"
        odd.write_text("".join([*lines[:rolled], line, *lines[rolled + 1 :]]), "utf-8")
        page.set_input_files("#log-file", odd)
        expect(page.get_by_text(f"{odd.name} cannot be read as a log: line {rolled + 1}: ")).to_be_visible()


def test_a_link_opens_a_log_and_what_is_none_is_said_plainly(server: Served, windows: Windows) -> None:
    page = windows.open(f"{server.address}/")
    page.route("**/logs/fight.jsonl", lambda route: route.fulfill(body=FIGHT.read_text("utf-8")))
    page.route("**/logs/none.jsonl", lambda route: route.fulfill(body="not a log\n"))
    page.evaluate("location.hash = '#replay=/logs/none.jsonl'")
    expect(page.locator(".start .refusal")).to_contain_text("cannot be read as a log")
    page.evaluate("location.hash = '#replay=/logs/fight.jsonl'")
    expect(page.locator(".proof")).to_have_attribute("data-proof", "whole")
    page.evaluate("location.hash = '#replay=http://127.0.0.1:9/fight.jsonl'")
    expect(page.locator(".start .refusal")).to_contain_text("replays only logs of its own server")


def test_light_and_dark_wide_and_narrow(page: Page, windows: Windows, server: Served) -> None:
    phone = windows.open(f"{server.address}/", size=(360, 740), colours="dark")
    for one, dark in ((page, False), (phone, True)):
        watch(one, REPLAYS / "wwn" / "riders-at-the-ford.jsonl")
        stays_within(one)
        paper = "getComputedStyle(document.body).backgroundColor"
        before = one.evaluate(paper)
        toggle = one.get_by_role("button", name="Dark colours")
        expect(toggle).to_have_attribute("aria-pressed", str(dark).lower())
        toggle.click()
        expect(toggle).to_have_attribute("aria-pressed", str(not dark).lower())
        assert one.evaluate(paper) != before
