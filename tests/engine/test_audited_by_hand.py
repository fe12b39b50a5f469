"""Audits of logs written by hand: parents, lines that cannot be read, heads that were kept, times."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import Raw

from affray.engine import Fight, begin_fight
from affray.engine.errors import StoreFailed
from affray.engine.integrity.audit import Parent, audit
from affray.engine.integrity.audit.effort import Effort
from affray.engine.integrity.audit.findings import Findings, RulesJudged
from affray.engine.integrity.audit.rules import RulesLayer
from affray.engine.integrity.checkpoint import Checkpoint
from affray.engine.integrity.signed_note import Note, Signature
from affray.engine.stores.sqlite import connect_to_file
from affray.events import (
    ChainBroken,
    Declared,
    Event,
    FightOpened,
    Forked,
    Noted,
    read_line,
    seal,
    verify,
)
from tests.engine.conftest import two
from tests.engine.fights import submit_accepted
from tests.engine.histories import OPENED, make_note_ruling

# --- parents, and lines that cannot be read ---


def lines_of(*commands: Event) -> list[bytes]:
    told: list[bytes] = []
    previous = ""
    for nth, event in enumerate((OPENED, *commands)):
        sealed, more = seal([event], after=nth, previous=previous, time="2025-06-01T12:00:00.000Z", who="gm",
                            cause=f"c{nth}", format=2)  # fmt: skip
        previous = sealed[-1].hash
        told += more
    return told


FORK = Forked(fight="mine", parent="theirs", position=2, commitment="00" * 32)
LOG = lines_of(Noted(text="a"), FORK, Noted(text="b"))


@pytest.mark.parametrize(
    ("parent", "found"),
    [
        (LOG[:2], []),
        (lines_of(Noted(text="a"), Noted(text="c"), Noted(text="d")), []),
        (LOG, [("parent", 1, 1, "this very log")]),
        (lines_of(Noted(text="x"), Noted(text="c")), [("parent", 2, 2, "others")]),
        (LOG[:1], [("parent", 2, 2, "others")]),
    ],
)
def test_a_parent_holds_the_lines_up_to_where_it_was_left(
    parent: list[bytes], found: list[tuple[str, int, int, str]]
) -> None:
    report = audit(lambda: LOG, parents=[Parent(name="theirs", lines=lambda: parent)])
    said = [(one.code, one.position, one.line, one.found) for one in report.findings if one.code == "parent"]
    assert said == found
    alone = [one.what for one in report.missing if one.layer == "record"]
    assert alone == (["that it is theirs up to position 2, as it says"] if found else [])


@pytest.mark.parametrize("nth", [0, 1, 3])
def test_a_line_that_cannot_be_read_takes_up_a_position(nth: int) -> None:
    """Later lines keep their positions; whether the chain matches cannot be checked."""
    told = [*LOG[:nth], b"?" * 70, *LOG[nth + 1 :]]
    report = audit(lambda: told)
    (first,) = [one for one in report.findings if one.code == "unreadable"]
    assert (first.position, first.line, first.expected) == (nth + 1, nth + 1, "one recorded event")
    assert not [one for one in report.findings if one.code in ("missing", "twice", "chain" if nth else "twice")]
    assert report.events == 4


@pytest.mark.parametrize(
    ("told", "code", "position", "line", "expected", "found"),
    [
        ([LOG[0], *LOG[2:]], "missing", 2, 2, "position 2", "position 3"),
        ([*LOG[:2], LOG[1], *LOG[2:]], "twice", 2, 3, "position 3", "position 2 again"),
        ([], "empty", 1, 1, "the opening of a fight", "no line at all"),
    ],
)
def test_a_line_left_out_or_doubled_is_named_where_it_was_due(
    told: list[bytes], code: str, position: int, line: int, expected: str, found: str
) -> None:
    (one,) = [one for one in audit(lambda: told).findings if one.code == code]
    assert (one.position, one.line, one.expected, one.found) == (position, line, expected, found)


# --- heads that were kept, times, and lines within a command ---


def test_a_report_names_the_head_unless_that_cannot_be_read() -> None:
    assert audit(lambda: LOG).head == read_line(LOG[-1]).hash
    assert audit(lambda: [*LOG[:-1], b"?" * 70]).head == ""


def make_checkpoint(log: list[bytes]) -> Checkpoint:
    hashes = [bytes.fromhex(read_line(line).hash) for line in log]
    trail = b"".join(one[:8] for one in hashes)
    note = Note(
        text="", signatures=(Signature(name="anna", id=b"", value=b""), Signature(name="bo", id=b"", value=b""))
    )
    return Checkpoint(origin="o", position=len(log), hash=hashes[-1].hex(), trail=trail, note=note)


@pytest.mark.parametrize(
    ("log", "code", "position", "expected", "found"),
    [
        (LOG[:2], "cut_short", 3, "a log of 3 events or more, as it was signed at position 3 by anna, bo", "one of 2"),
        ([], "cut_short", 1, "a log of 3 events or more, as it was signed at position 3 by anna, bo", "one of 0"),
        (
            [LOG[0], *lines_of(Noted(text="x"), FORK)[1:]],
            "rewritten",
            2,
            "the event that was signed at position 3 by anna, bo",
            "another one",
        ),
        (LOG, "", 0, "", ""),
        (LOG[:3], "", 0, "", ""),
    ],
)
def test_a_head_that_was_kept_says_where_a_log_is_another_one(
    log: list[bytes], code: str, position: int, expected: str, found: str
) -> None:
    report = audit(lambda: log, checkpoints=[make_checkpoint(LOG[:3])])
    said = [
        (one.code, one.position, one.line, one.expected, one.found)
        for one in report.findings
        if one.layer == "checkpoint"
    ]
    assert said == ([(code, position, position, expected, found)] if code else [])
    assert report.checkpoints == (not code)


@pytest.mark.parametrize(("format", "finds"), [(2, False), (3, True), (4, True)])
def test_times_go_on_from_the_third_format_on(format: int, finds: bool) -> None:
    """In an older log a clock may have been set back, which cannot be judged."""
    told: list[bytes] = []
    previous = ""
    opening = FightOpened(format=format, fight="f", system="vestige", version="1", digest="", config={})
    for nth, (event, minute) in enumerate(((opening, 30), (Noted(text="a"), 29))):
        sealed, more = seal([event], after=nth, previous=previous, time=f"2025-06-01T12:{minute}:00.000Z", who="gm",
                            cause=f"c{nth}", format=format)  # fmt: skip
        previous = sealed[-1].hash
        told += more
    report = audit(lambda: told)
    assert [one.position for one in report.findings if one.code == "time"] == ([2] if finds else [])
    unsure = [one.what for one in report.missing if one.layer == "record"]
    assert [one.startswith("when position 2 was recorded") for one in unsure] == ([] if finds else [True])


def test_what_the_rules_have_otherwise_is_at_its_own_line(duel: Fight) -> None:
    """The third of a command's events, and the last of those it lacks."""
    begun = submit_accepted(duel, Declared(actor="gm", kind="begin", params=Raw(b"{}"))).recorded
    assert len(begun) > 4
    before = duel.history.recorded[: begun[0].position - 1]
    for changed, due in ((2, begun[2].position), (len(begun) - 1, begun[-1].position)):
        events: list[Event] = [one.event for one in begun]
        events[changed] = Noted(text="what nobody said")
        _, lines = seal(events, after=len(before), previous=before[-1].hash, time=begun[0].time, who="gm", cause="c")
        report = audit(lambda lines=lines: [msgspec.json.encode(one) for one in before] + lines)  # type: ignore[misc]
        first = next(one for one in report.findings if one.layer == "rules")
        assert (first.position, first.line, first.written) == (due, due, events[changed])


def test_time_stands_still_where_the_clock_is_set_back() -> None:
    clock = iter(f"2025-06-01T12:{minute:02}:00.000Z" for minute in (10, 20, 5, 15, 30))
    fight = begin_fight("duel", two(), who="gm", seed=None, clock=lambda: next(clock))
    for word in "abcd":
        submit_accepted(fight, make_note_ruling(word))
    times = [one.time[14:16] for one in fight.history.recorded if not one.more]
    assert times == ["10", "20", "20", "20", "30"]


def test_a_position_that_was_not_due_is_named_with_the_one_that_was() -> None:
    with pytest.raises(ChainBroken, match="line 9: position 3 where 5 was due"):
        verify(read_line(LOG[2]), after=4, previous="", number=9)
    with pytest.raises(ChainBroken, match=r"^position 3 where 5 was due") as found:
        verify(read_line(LOG[2]), after=4, previous="")
    assert found.value.line == 0
    with pytest.raises(ChainBroken, match="line 9: the hash of position 3 does not fit what is written"):
        verify(read_line(LOG[2]), after=2, previous="", number=9)
    with pytest.raises(StoreFailed, match="No such file or directory"):
        connect_to_file(Path("/nowhere/at/all.db"))


@pytest.mark.parametrize(
    ("judged", "what", "remedy"),
    [
        ({"judged": 3}, "", ""),
        ({"unjudged": 2}, "2 inputs, since what was pending had been altered", "the log as it was before that"),
        ({"unjudged": 1}, "1 input, since what was pending had been altered", "the log as it was before that"),
        ({"unjudged": 1, "other_version": "it is 2"}, "1 input, since it is 2", "the version that recorded it"),
        ({"other_version": "it is 2"}, "0 inputs, since it is 2", "the version that recorded it"),
        ({"why_not": "no", "unjudged": 2}, "no", "the rule system and version that recorded it"),
    ],
)
def test_what_the_rules_could_not_judge_is_told_with_its_reason(judged: dict[str, Any], what: str, remedy: str) -> None:
    layer = RulesLayer(Findings(), Effort())
    layer.judged = RulesJudged(**judged)
    assert [(one.layer, one.what, one.remedy) for one in layer.end()] == ([("rules", what, remedy)] if what else [])
