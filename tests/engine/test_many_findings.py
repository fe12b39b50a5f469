"""One cause that changes every line: the audit says so once or a few times, and still judges dice and rules."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from affray.engine.integrity.audit import audit, findings

LINES = (Path(__file__).parents[2] / "replays" / "vestige" / "closed-bridge.jsonl").read_bytes().splitlines()
LAST_ROLL = max(at for at, line in enumerate(LINES) if b'"type":"Rolled"' in line)


def forge_last_roll() -> list[bytes]:
    """Return the log with another face in its last roll."""
    line = re.sub(rb'"faces":\[(\d+)', lambda face: b'"faces":[%d' % (int(face[1]) % 20 + 1), LINES[LAST_ROLL], count=1)
    return [*LINES[:LAST_ROLL], line, *LINES[LAST_ROLL + 1 :]]


CAUSES: dict[str, tuple[Callable[[list[bytes]], list[bytes]], str]] = {
    "double line ends": (lambda lines: [part for line in lines for part in (line, b"")], "973 lines are empty"),
    "blanks before": (lambda lines: [b"    " + line for line in lines], "blanks stand around 974 lines"),
    "the file twice": (lambda lines: [*lines, *lines], "so it is in 954 lines that are not listed"),
}


@pytest.mark.parametrize("cause", CAUSES)
def test_one_cause_gives_few_findings_and_hides_no_forged_die(cause: str) -> None:
    """The die behind hundreds of changed lines is found as if they were as they should be."""
    change, says = CAUSES[cause]
    honest = audit(lambda: change(LINES)).findings
    assert {one.layer for one in honest} == {"record"}
    assert len(honest) < 25
    assert any(says in one.found for one in honest)
    found = audit(lambda: change(forge_last_roll())).findings
    assert "dice" in {one.layer for one in found}


def test_a_log_that_an_editor_spaced_has_few_findings_of_a_kind() -> None:
    """Each line is spelt otherwise, and no hash fits any more."""
    spaced = [json.dumps(json.loads(line)).encode() for line in LINES]
    report = audit(lambda: spaced)
    many = Counter(one.code for one in report.findings)
    assert max(many[code] for code in findings.OF_EACH_LINE) == findings.MOST_OF_EACH_LINE + 1
    assert report.stopped == 0


def test_what_was_not_read_was_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Behind too many findings nothing is read, and no layer is clean."""
    monkeypatch.setattr(findings, "MOST_COUNTED", 500)
    report = audit(lambda: [*LINES, *LINES])
    assert report.stopped == len(LINES) + 500
    assert {one.layer for one in report.missing} == {"record", "dice", "rules"}
    assert all(f"everything behind line {report.stopped}" in one.what for one in report.missing)
