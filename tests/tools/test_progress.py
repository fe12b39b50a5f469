"""The bar that shows how far something is: at a terminal alone, and never among what is printed."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from tests.tools.program import affray, duel
from tests.tools.terminal import type_at_terminal

AT_ONCE = """
import sys
from affray.tools.cli import progress
progress.PATIENCE_SECONDS = progress.PAUSE_SECONDS = 0
from affray.tools.cli.main import main
sys.argv[1:] = {words!r}
main()
"""
"""The program, had it no patience before it shows a bar."""

FEW = ("--positions", "2", "--within", "50", "--jobs", "1")

SLOW = {
    "audit": (["audit", "duel.jsonl"], "lines read"),
    "regress": (["regress", "duel.jsonl", "duel.jsonl"], "fights decided again"),
    "scenario": (["scenario", "one.toml"], "files run"),
    "odds": (["odds", "duel.jsonl", "--trials", "500"], "fights"),
    "export": (["export", "duel.jsonl", "-o", "duel.html"], "lines read"),
    "bench odds": (["bench", "odds", "vestige", "--fights", "2", "--trials", "2"], "fights"),
    "bench foresee": (["bench", "foresee", "duel.jsonl", *FEW], "moments"),
}
"""Commands that may take long, and what their bar counts."""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A duel that has begun, and a scenario."""
    duel(tmp_path)
    affray(tmp_path, "scenario", "--template", "vestige", "-o", "one.toml")
    return tmp_path


@pytest.mark.parametrize("command", SLOW)
def test_a_terminal_shows_how_far_it_is(table: Path, command: str) -> None:
    words, what = SLOW[command]
    shown = type_at_terminal(table, [sys.executable, "-c", AT_ONCE.format(words=words)], "", TERM="xterm")
    assert re.search(rf"[\d,]+ of [\d,]+ {what} ", shown), shown


@pytest.mark.parametrize("command", SLOW)
def test_elsewhere_nothing_is_shown(table: Path, command: str) -> None:
    assert affray(table, *SLOW[command][0]).err == ""


@pytest.mark.parametrize("command", ["replay", "log"])
def test_what_prints_line_by_line_shows_no_bar_among_its_lines(table: Path, command: str) -> None:
    shown = type_at_terminal(
        table, [sys.executable, "-c", AT_ONCE.format(words=[command, "duel.jsonl"])], "", TERM="xterm"
    )
    assert "Ilse" in shown
    assert "events told" not in shown
    quiet = AT_ONCE.format(words=[command, "duel.jsonl"]).replace("main()", "sys.stdout = open('told', 'w')\nmain()")
    assert "events told" in type_at_terminal(table, [sys.executable, "-c", quiet], "", TERM="xterm")
