"""A clock that was once ahead: what is recorded behind bears its time, and the table is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import Raw

from affray.engine.commands import Command
from affray.engine.fight import Fight
from affray.engine.integrity.audit import Ahead, Report, audit
from affray.engine.opening import begin_fight
from affray.engine.stores import FileStore
from affray.events import Ruled
from affray.tools.parse.encounter_file import read_toml
from affray.tools.present.audit_text import list_remarks
from affray.tools.present.clock_ahead import ahead_of_clock
from affray.tools.present.story.words import names_of
from tests.tools.program import ENCOUNTER, affray

NOW = "2026-11-27T12:00:00.000Z"
FUTURE = "2099-11-27T12:00:00.000Z"


@pytest.fixture
def fight(tmp_path: Path) -> Fight:
    """A fight whose second command was recorded by a fast clock, and whose third was not."""
    times = iter((NOW, FUTURE, NOW, NOW))
    begun = begin_fight(
        "duel", read_toml(ENCOUNTER)[1], who="gm", seed=None, store=FileStore(tmp_path), clock=lambda: next(times)
    )
    for word in ("one", "two"):
        note = Ruled(kind="note", params=Raw(b'{"text":"%b"}' % word.encode()), reason="so")
        begun.submit(Command(id=word, who="gm", intent=note))
    return begun


def audit_at(folder: Path, now: str) -> Report:
    """Audit the fight at a time."""
    lines = (folder / "duel.jsonl").read_bytes().splitlines()
    return audit(lambda: iter(lines), now=now)


def test_recorded_time_never_runs_backwards_and_the_table_is_told(fight: Fight) -> None:
    """By how much the last time lies ahead; nothing while it is no later than clocks may differ."""
    assert [one.time for one in fight.history.recorded[-2:]] == [FUTURE, FUTURE]
    assert ahead_of_clock(fight.history, NOW) == (
        f"The recorded time, {FUTURE}, lies 73 years ahead of the clock. "
        "Whatever is recorded until then bears that time, for it never runs backwards."
    )
    for now, told in (
        ("2099-11-27T11:54:59.000Z", "5 minutes"),
        ("2099-11-27T09:00:00.000Z", "3 hours"),
        ("2099-11-26T12:00:00.000Z", "1 day"),
    ):
        assert f"lies {told} ahead" in ahead_of_clock(fight.history, now)
    for now in ("2099-11-27T11:55:00.000Z", FUTURE, "2100-01-01T00:00:00.000Z"):
        assert ahead_of_clock(fight.history, now) == ""


def test_an_audit_lists_the_first_event_from_the_future(fight: Fight, tmp_path: Path) -> None:
    """It is no fault; an audit without a time does not list it."""
    first = next(one.position for one in fight.history.recorded if one.time == FUTURE)
    report = audit_at(tmp_path, NOW)
    assert report.ahead == Ahead(position=first, time=FUTURE)
    assert report.findings == ()
    (line,) = [line for line in list_remarks(report, names_of(fight.history.recorded)) if "later than now" in line]
    assert line == f"{first:>5}  recorded at {FUTURE}, later than now, like all behind it"
    assert audit_at(tmp_path, "").ahead is None
    assert audit_at(tmp_path, FUTURE).ahead is None


@pytest.mark.parametrize("command", ["show", "log", "audit"])
def test_whoever_looks_reads_it(fight: Fight, tmp_path: Path, command: str) -> None:
    """With the clock of the machine, which is not yet there."""
    said = affray(tmp_path, command, "duel.jsonl").out
    assert fight.head
    assert FUTURE in said
    assert ("later than now" if command == "audit" else "ahead of the clock") in said
