"""Lines and tables on a terminal with wide characters: no line wraps."""

from __future__ import annotations

import io
import unicodedata

import pytest
from rich.table import Table

from affray.tools.cli.terminal import console, join_pieces
from affray.tools.text.printable import cells_of, width_of, wrap_to_width

WIDE = {
    "skin tones": "\U0001f3fb",
    "vowel signs": "\u093e",
    "pictures in colour": "\u2764\ufe0f",
    "Hangul vowels": "\u1161",
    "regional letters": "\U0001f1e6",
    "new signs": "\u0897",
    "letters": "ö",
}
VERDICT = "clean: “d” (vestige 4), 974 events: record clean"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def cells(text: str) -> int:
    """Return how wide a terminal shows a text that gives each character the most that any does."""
    two = "\u1161\U0001f3fb\U0001f1e6"
    return sum(2 if one in two or unicodedata.east_asian_width(one) in "WF" else 1 for one in text)


@pytest.mark.parametrize("sign", WIDE.values(), ids=WIDE)
def test_no_part_of_a_line_is_wider_than_the_terminal(sign: str) -> None:
    """The rest of a line is indented, and holds no less than it did."""
    said = f"    7  gm ruled: “{sign * 17}{VERDICT}”"
    parts = wrap_to_width(said, 40)
    assert max(map(cells, parts)) <= 40
    assert all(part.startswith(" ") for part in parts)
    assert "".join("".join(parts).split()) == "".join(said.split())


@pytest.mark.parametrize("sign", WIDE.values(), ids=WIDE)
def test_no_row_of_a_table_is_wider_than_the_terminal(sign: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("TERM", "xterm")
    seen = Terminal()
    grid = Table.grid(padding=(0, 2))
    for row in (("name", "what", "where"), (sign * 20, VERDICT, "here"), ("Bob", sign * 9, VERDICT)):
        grid.add_row(*map(join_pieces, row))
    console(seen).print(grid)
    lines = seen.getvalue().splitlines()
    assert len(lines) > 2
    assert max(map(cells, lines)) <= 60


def test_ordinary_text_has_its_ordinary_width(monkeypatch: pytest.MonkeyPatch) -> None:
    """Accents above and below a letter are no wider anywhere; quotes and letters are where the language is wide."""
    cells_of.cache_clear()
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    assert width_of("“Ílsé” → Żółw, e\u0301, Ωμέγα, Жук") == 28
    assert (width_of("王様"), width_of("plain")) == (4, 5)
    cells_of.cache_clear()
    monkeypatch.setenv("LC_ALL", "ja_JP.UTF-8")
    assert width_of("“Жук”") == 10
    cells_of.cache_clear()
