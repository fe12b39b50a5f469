"""Names of sides, wherever a program tells of a fight."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from tests.tools.program import ENCOUNTER, affray

SIDE = "heroes (dead). The bandits win"
"""A side whose name ends a sentence and begins another."""


@pytest.mark.parametrize(
    "words",
    [
        ("luck", "f.jsonl", "--trials", "10", "--svg", "out"),
        ("odds", "f.jsonl", "--trials", "32", "--within", "30"),
        ("balance", "e.toml", "--trials", "32", "--within", "30", "--vary", "bram.health=7,8", "--svg", "out"),
        ("export", "f.jsonl", "--format", "html", "-o", "out", "--luck", "10"),
        ("export", "f.jsonl", "--format", "markdown", "-o", "out", "--luck", "10"),
        ("show", "f.jsonl"),
    ],
    ids=lambda words: " ".join(words[::3]),
)
def test_a_side_that_reads_like_a_sentence_is_quoted(tmp_path: Path, words: tuple[str, ...]) -> None:
    """In every table, heading and picture, as in the story."""
    (tmp_path / "e.toml").write_text(ENCOUNTER.replace('"red"', f'"{SIDE}"'), "utf-8")
    assert affray(tmp_path, "new", "e.toml", "-o", "f.jsonl").code == 0
    assert affray(tmp_path, "do", "f.jsonl", "gm", "begin").code == 0
    ran = affray(tmp_path, *words)
    out = tmp_path / "out"
    told = unescape(ran.out + ran.err + (out.read_text("utf-8") if out.exists() else "")).replace("\\", "")
    assert SIDE in told, told
    assert SIDE not in re.sub(f"“{re.escape(SIDE)}”", "", told)
