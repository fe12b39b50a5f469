"""Texts in a stranger's log that are longer than any input may be: the picture cuts them."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tests.forging import rechain_lines
from tests.tools.program import affray

REPLAY = Path(__file__).parents[2] / "replays" / "wwn" / "format-6.jsonl"


@pytest.mark.parametrize(("type", "field"), [("Joined", "name"), ("FightOpened", "fight")])
def test_a_long_text_takes_the_picture_no_more_than_its_beginning(tmp_path: Path, type: str, field: str) -> None:
    """Whole, one of 200,000 characters took minutes to wrap."""
    lines = [msgspec.json.decode(line) for line in REPLAY.read_bytes().splitlines()]
    event = next(line["event"] for line in lines if line["event"]["type"] == type)
    event[field] = "ab " * 66_666 + "end"
    forged = rechain_lines([msgspec.json.encode(line) for line in lines])
    (tmp_path / "long.jsonl").write_bytes(b"\n".join([*forged, b""]))
    shown = affray(tmp_path, "show", "long.jsonl")
    assert shown.code == 0
    assert "…" in shown.out
    assert len(shown.out) < 100_000
    assert "end" not in shown.out
