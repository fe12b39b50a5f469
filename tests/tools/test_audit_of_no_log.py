"""An audit of a file that is no log names the cause; a layer that judged nothing is not called clean."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.tools.program import affray

ROOT = Path(__file__).parents[2]
WHOLE = (ROOT / "replays" / "vestige" / "closed-bridge.jsonl").read_bytes()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "the log is empty"),
        (b"\n\n\n", "is not JSON"),
        ((ROOT / "README.md").read_bytes(), "is not JSON"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\n" * 50, "is not JSON"),
        (b'{"name":"bridge"}\n', "is missing"),
        (WHOLE.decode().encode("utf-16"), "it is UTF-16 text; save it as UTF-8"),
        (b"\xfe\xff" + WHOLE.decode().encode("utf-16-be"), "it is UTF-16 text; save it as UTF-8"),
        (WHOLE[:100], "is not JSON"),
    ],
    ids=["empty", "blank lines", "a document", "a picture", "other JSON", "UTF-16", "UTF-16, big-endian", "cut off"],
)
def test_what_is_no_log_cannot_be_audited(tmp_path: Path, content: bytes, says: str) -> None:
    (tmp_path / "fight.jsonl").write_bytes(content)
    ran = affray(tmp_path, "audit", "fight.jsonl")
    assert (ran.code, ran.out) == (2, "")
    assert "nothing to audit: " in ran.err
    assert says in ran.err
    assert len(ran.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda log: log.replace(b"\n", b"  \n"), "blanks stand around 974 lines"),
        (lambda log: log.replace(b"\n", b"\t\r\n"), "line ends are those of Windows in 974 lines, and blanks stand"),
        (lambda log: log.replace(b"\n", b"\r\r\n"), "line ends are those of Windows in 974 lines"),
    ],
    ids=["blanks", "blanks and Windows", "Windows twice"],
)
def test_line_ends_that_an_editor_spoilt_are_one_finding(
    tmp_path: Path, spoil: Callable[[bytes], bytes], says: str
) -> None:
    (tmp_path / "fight.jsonl").write_bytes(spoil(WHOLE))
    ran = affray(tmp_path, "audit", "fight.jsonl")
    assert ran.code == 1
    assert says in " ".join(ran.out.split())
    assert "the content is untouched" in ran.out
    assert ran.out.splitlines()[0].endswith("record 1 finding, dice clean, rules clean")


@pytest.mark.parametrize(
    ("behind", "says"),
    [(b"\n", "an empty line, so it is left out"), (b"\r\n \n\n", "3 empty lines, so they are left out")],
    ids=["one", "several"],
)
def test_empty_lines_behind_the_last_command_are_a_torn_end(tmp_path: Path, behind: bytes, says: str) -> None:
    """The audit and all that only reads say so; what is added next sets them aside."""
    log = tmp_path / "fight.jsonl"
    log.write_bytes(WHOLE + behind)
    ran = affray(tmp_path, "audit", "fight.jsonl")
    assert ran.code == 1
    assert f"expected nothing behind the last command; found {says}" in " ".join(ran.out.split())
    assert "untouched" not in ran.out
    for command in ("show", "log", "replay", "stats"):
        ran = affray(tmp_path, command, "fight.jsonl")
        assert ran.code == 0
        assert f"left torn tail (log fight.jsonl, bytes {len(behind)}" in ran.err


@pytest.mark.parametrize("format", [b"0", b"-1"])
def test_a_format_that_no_release_wrote_is_a_fault(tmp_path: Path, format: bytes) -> None:
    """Only a later release could read a later format; no release reads these."""
    (tmp_path / "fight.jsonl").write_bytes(WHOLE.replace(b'"format":4', b'"format":' + format, 1))
    ran = affray(tmp_path, "audit", "fight.jsonl")
    assert ran.code == 1
    due = f"position 1, the record: expected a format from 1 on; found format {format.decode()}, which no release wrote"
    assert due in ran.out
    last = ran.out.splitlines()[0]
    assert last.startswith("NOT clean")
    assert last.endswith("record 1 finding, dice incomplete, rules incomplete")
    replayed = affray(tmp_path, "replay", "fight.jsonl")
    assert replayed.code == 2
    assert f"format {format.decode()} is not known here" in replayed.err


def test_a_later_format_is_still_left_to_its_release(tmp_path: Path) -> None:
    (tmp_path / "fight.jsonl").write_bytes(WHOLE.replace(b'"format":4', b'"format":99', 1))
    ran = affray(tmp_path, "audit", "fight.jsonl")
    assert ran.code == 3
    assert ran.out.splitlines()[0].endswith("record incomplete, dice incomplete, rules incomplete")
