"""The record as a whole: words for the dice, fresh dice, what-ifs, files to keep, and the end of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from affray.engine import FileStore, open_fight
from affray.engine.integrity.commitment import find_promise
from affray.events import Closed, Declared, EntropyAdded, Forked, Rewound, Rolled
from tests.page.duels import DUEL, begin, moved_on, sit_down
from tests.page.served import Served
from tests.page.window import Windows, look, position, up_to_date
from tests.tools.program import affray

RECORDED = Path(__file__).parents[2] / "replays" / "vestige"
FIGHTS = ("stirred", "fresh", "forked", "saved", "closed")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with a duel for each test."""
    with Served(tmp_path_factory.mktemp("records")) as running:
        for name in FIGHTS:
            running.begin(name, DUEL)
        running.store.begin("orphan", FileStore(RECORDED).read("fork-of-the-bridge"), None)
        earlier = (RECORDED / "format-5-goes-on.jsonl").read_bytes().splitlines()
        running.store.begin("earlier", earlier[: find_first_command(earlier)], None)
        running.start(*FIGHTS, "orphan", "earlier")
        yield running


def find_first_command(lines: list[bytes]) -> int:
    """Return the number of lines before the first one that a person caused after the opening."""
    return next(nth for nth, line in enumerate(lines) if b'"cause":"opening"' not in line)


def deed(page: Page, title: str) -> Locator:
    """Open the sheet and in it what can be done with the record."""
    page.get_by_role("button", name="Record …").click()
    one = page.locator("dialog .deed", has_text=title)
    one.locator("summary").click()
    return one


def download_file(page: Page, button: str, folder: Path) -> Path:
    """Download a file and return where it is now."""
    with page.expect_download() as download:
        page.get_by_role("button", name=button).click()
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    return file


def test_a_replay_link_opens_the_replay_alone_and_can_be_revoked(server: Served, windows: Windows) -> None:
    gm = windows.open(server.links["orphan"]["game master"])
    look(gm, "More")
    gm.get_by_role("button", name="Record …").click()
    gm.get_by_role("button", name="Make a replay link").click()
    link = gm.get_by_label("The link of the replay", exact=True).input_value()
    assert link.startswith(f"{server.address}/#fight=orphan&token=")
    friend = windows.open(link)
    expect(friend.get_by_role("region", name="Playback")).to_be_visible()
    expect(friend).not_to_have_url(re.compile("token"))
    expect(friend.get_by_role("button", name="Record …")).to_have_count(0)
    gm.locator("dialog").get_by_role("button", name="Done").click()
    gm.locator(".here:visible").click()
    gm.get_by_role("button", name="Revoke the link of replay").click()
    expect(gm.locator("[data-seat=replay]")).to_contain_text("no link")
    friend.reload()
    expect(friend.locator(".start .refusal")).to_be_visible()


def test_both_stir_words_into_the_dice_until_the_first_one_falls(server: Served, windows: Windows) -> None:
    gm, ilse = sit_down(server, windows, "stirred")
    for page, words in ((gm, "seven ravens"), (ilse, "<b>and a fox</b>")):
        before = position(gm)
        look(page, "More")
        page.get_by_text("Add words to the dice seed").click()
        expect(page.get_by_text(find_promise(server.recorded("stirred")).commitment)).to_be_visible()
        page.get_by_label("Any words").fill(words)
        page.get_by_role("button", name="Add", exact=True).click()
        moved_on(gm, ilse, after=before)
    stirred = [(one.who, one.event.words) for one in server.recorded("stirred") if isinstance(one.event, EntropyAdded)]
    assert stirred == [("gm", "seven ravens"), ("Ilse", "<b>and a fox</b>")]
    expect(gm.locator(".story")).to_contain_text("Stirred into the dice: “<b>and a fox</b>”")
    begin(gm, ilse)
    for page in (gm, ilse):
        expect(page.get_by_text("Add words to the dice seed")).to_have_count(0)


def test_the_commitment_of_an_earlier_format_is_said_to_cover_the_seed_alone(server: Served, windows: Windows) -> None:
    covers = {"earlier": "It covers the seed:", "fresh": "It covers the seed and the opening:"}
    for fight, says in covers.items():
        gm = windows.open(server.links[fight]["game master"])
        look(gm, "More")
        gm.get_by_text("Add words to the dice seed").click()
        expect(gm.get_by_text("Note the commitment.")).to_contain_text(says)


def test_fresh_dice_are_asked_for_when_something_is_taken_back(server: Served, windows: Windows) -> None:
    gm, ilse = sit_down(server, windows, "fresh")
    begin(gm, ilse)
    first = [one.event.total for one in server.recorded("fresh") if isinstance(one.event, Rolled)]
    before = position(gm)
    back = deed(gm, "Undo with fresh dice")
    back.get_by_label("Reason").fill("the table was pushed")
    back.get_by_role("button", name="Undo").click()
    moved_on(gm, ilse, after=before)
    expect(gm.locator("dialog")).to_be_hidden()
    taken = server.recorded("fresh")[-2:]
    rewound = next(one.event for one in taken if isinstance(one.event, Rewound))
    assert (rewound.commands, rewound.fresh, rewound.reason) == (1, True, "the table was pushed")
    begin(gm, ilse)
    again = [one.event.roll for one in server.recorded("fresh") if isinstance(one.event, Rolled)][len(first) :]
    assert again
    assert all(roll.startswith("g1:") for roll in again)


def test_a_what_if_begins_at_the_present_or_where_a_replay_stands(server: Served, windows: Windows) -> None:
    gm, ilse = sit_down(server, windows, "forked")
    begin(gm, ilse)
    begun = position(gm)
    fork = deed(gm, "Start a what-if")
    expect(fork.get_by_label("From position")).to_have_value(str(begun))
    fork.get_by_label("Name").fill("forked-what-now")
    fork.get_by_label("From position").fill(str(begun - 1))
    fork.get_by_role("button", name="Start the what-if").click()
    expect(fork.get_by_role("alert")).to_contain_text("in the middle of a command")
    fork.get_by_label("From position").fill(str(begun))
    fork.get_by_label("Reason").fill("had she run")
    fork.get_by_role("button", name="Start the what-if").click()
    links = fork.locator(".begun a")
    expect(links).to_have_text(["Game master", "Ilse", "Spectators"])
    other = windows.open(str(links.first.get_attribute("href")))
    up_to_date(other, at=begun + 1)
    forked = open_fight("forked-what-now", server.store).history.recorded[-1].event
    assert isinstance(forked, Forked)
    assert (forked.parent, forked.position, forked.reason) == ("forked", begun, "had she run")
    fork.get_by_role("button", name="Start the what-if").click()
    expect(fork.get_by_role("alert")).to_contain_text("already")
    gm.keyboard.press("Escape")

    gm.get_by_role("link", name="Replay").click()
    gm.locator(".scrubber").press("Home")
    gm.get_by_role("button", name="start a what-if").click()
    early = gm.locator("dialog .deed", has_text="Start a what-if")
    early.locator("summary").click()
    expect(gm.locator("dialog .deed")).to_have_count(1)
    opened = next(one.position for one in server.recorded("forked") if not one.more)
    expect(early.get_by_label("From position")).to_have_value(str(opened))
    early.get_by_label("Name").fill("forked-from-the-start")
    early.get_by_role("button", name="Start the what-if").click()
    expect(early.locator(".begun a")).to_have_count(3)
    assert not any(isinstance(one.event, Declared) for one in server.recorded("forked-from-the-start"))


def test_reports_tables_and_the_log_are_saved_to_files(server: Served, windows: Windows, tmp_path: Path) -> None:
    gm, ilse = sit_down(server, windows, "saved")
    expect(ilse.get_by_role("button", name="Record …")).to_have_count(0)
    begin(gm, ilse)
    gm.get_by_role("button", name="Record …").click()
    report = download_file(gm, "Report as Markdown", tmp_path)
    assert (report.name, report.read_text("utf-8").splitlines()[0]) == ("saved.md", "# “A duel”")
    page = download_file(gm, "Report as a web page", tmp_path)
    assert (page.name, page.read_text("utf-8")[:15]) == ("saved.html", "<!doctype html>")
    rolls = download_file(gm, "Rolls as a table", tmp_path)
    assert rolls.read_bytes().startswith(b'\xef\xbb\xbf"position",'), "a spreadsheet knows UTF-8 by its mark alone"
    fallen = sum(isinstance(one.event, Rolled) for one in server.recorded("saved"))
    assert (rolls.name, len(rolls.read_text("utf-8").splitlines())) == ("saved.rolls.csv", fallen + 1)
    events = download_file(gm, "Events as a table", tmp_path)
    assert events.name == "saved.events.csv"
    assert len(events.read_text("utf-8").splitlines()) == len(server.recorded("saved")) + 1
    log = download_file(gm, "Log file", tmp_path)
    assert log.name == "saved.jsonl"
    assert log.read_bytes() == b"".join(line + b"\n" for line in server.store.read("saved"))


def test_closing_asks_first_and_then_says_how_it_is_verified(server: Served, windows: Windows, tmp_path: Path) -> None:
    gm, ilse = sit_down(server, windows, "closed")
    begin(gm, ilse)
    before = position(gm)
    shut = deed(gm, "Close the record")
    expect(shut).to_contain_text("Close it for good?")
    shut.get_by_role("button", name="Keep it open").click()
    expect(shut.get_by_role("button", name="Close it for good")).to_be_hidden()
    shut.locator("summary").click()
    shut.get_by_role("button", name="Close it for good").click()
    assert shut.locator(":invalid").count()  # it is not over, and that must be ticked
    assert position(gm) == before
    shut.get_by_label("The fight is not over").check()
    shut.get_by_label("Reason").fill("it is late")
    shut.get_by_role("button", name="Close it for good").click()
    moved_on(gm, ilse, after=before)
    closed = server.recorded("closed")[-1].event
    assert isinstance(closed, Closed)
    assert (closed.seed, closed.reason) == (bytes(range(32)).hex(), "it is late")
    for page in (gm, ilse):
        expect(page.locator(".now .closed")).to_contain_text("This fight is closed")
        expect(page.locator(".closed .seed")).to_have_text(closed.seed)
        expect(page.locator(".closed")).to_contain_text("affray audit closed.jsonl")
        assert page.locator(".kinds button, .card").count() == 0
    expect(gm.locator(".tools button:visible")).to_have_text(["Record …"])
    log = download_file(gm, "Log file", tmp_path)
    audited = affray(tmp_path, "audit", log.name)
    assert audited.code == 0, audited.out
    gm.get_by_role("link", name="Replay").click()
    expect(gm.locator(".proofs .closed .seed")).to_have_text(closed.seed)


def test_what_an_audit_could_not_judge_is_listed_and_is_no_finding(server: Served, windows: Windows) -> None:
    gm = windows.open(server.links["orphan"]["game master"])
    gm.get_by_role("link", name="Replay").click()
    gm.get_by_role("button", name="Audit this fight").click()
    expect(gm.locator(".findings .open")).to_contain_text("record incomplete, dice clean, rules clean")
    expect(gm.locator(".findings")).to_contain_text("Not checked")
    expect(gm.locator(".findings li")).to_contain_text("closed-bridge up to position 260")
    assert gm.locator(".findings .warning").count() == 0


def test_a_scroll_that_ends_after_the_story_was_removed_is_no_error(server: Served, windows: Windows) -> None:
    gm = windows.open(server.links["orphan"]["game master"])
    story = gm.locator(".story").element_handle()
    gm.get_by_role("link", name="Replay").click()
    expect(gm.locator(".scrubber")).to_be_visible()
    story.evaluate("list => list.dispatchEvent(new Event('scroll'))")
    assert not story.evaluate("list => list.isConnected")
    assert windows.wrong == []
