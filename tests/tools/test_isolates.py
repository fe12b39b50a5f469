"""Right-to-left words do not reorder numbers beside them, in any output; the record is unchanged."""

import re
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.tools.cli.terminal import console, join_pieces
from affray.tools.text.isolates import CLOSES, OPENS, isolate, remove_isolates
from affray.tools.text.printable import wrap_to_width
from tests.tools.program import affray

TURNING = frozenset({"R", "AL", "AN"})
"""The classes of UAX #9 that turn writing around."""

WHOLE = re.compile(f"{OPENS}[^{OPENS}{CLOSES}]*{CLOSES}")

NAMES = ("Ilse א", "3 ב", "עמר בן-גל", "می\u200cخواهم")

PIECES = st.lists(st.sampled_from(["א", "ע", "م", "٣", "\u0301", "7", "ab", " ", ", ", ": ", "“", "”", "(", "-", "’"]))


def turning(text: str) -> list[str]:
    """Return the right-to-left characters outside of isolates."""
    outside = WHOLE.sub("", text)
    assert OPENS not in outside
    assert CLOSES not in outside
    return [one for one in outside if unicodedata.bidirectional(one) in TURNING]


@pytest.mark.parametrize(
    ("text", "isolated"),
    [
        ("Ilse א: 10, 3 ב: 5, Cap: 6", "Ilse [א]: 10, 3 [ב]: 5, Cap: 6"),
        ("דן כהן: 17, אורי: 8", "[דן כהן]: 17, [אורי]: 8"),
        ("Cap hits אורי 3 → 1 – “שלום, 3 (עולם)!”", "Cap hits [אורי] 3 → 1 – “[שלום, 3 (עולם)!]”"),
        ("می\u200cخواهم: 1", "[می\u200cخواهم]: 1"),
        ("Weiß, “Mira” 3 → 1", "Weiß, “Mira” 3 → 1"),
    ],
)
def test_right_to_left_words_are_isolated(text: str, isolated: str) -> None:
    """Quoted texts as a whole, other words one by one; texts without such letters are unchanged."""
    assert isolate(text) == isolated.replace("[", OPENS).replace("]", CLOSES)


def test_the_blocks_hold_every_right_to_left_character() -> None:
    """Apart from the marks and controls that are written out where a text is shown."""
    known = (chr(code) for code in range(sys.maxunicode + 1) if code != 0x200F)
    assert not [hex(ord(one)) for one in known if unicodedata.bidirectional(one) in TURNING and turning(isolate(one))]


@given(PIECES.map("".join))
def test_nothing_that_turns_writing_around_stands_outside_of_isolates(text: str) -> None:
    """The rest of the text is unchanged."""
    isolated = isolate(text)
    assert not turning(isolated)
    assert isolated.replace(OPENS, "").replace(CLOSES, "") == text
    assert remove_isolates(isolated) == text


@given(PIECES.map("".join), st.integers(8, 30))
def test_a_line_that_is_cut_has_isolates_in_each_part(text: str, width: int) -> None:
    """A terminal ends an isolate with its line."""
    for part in wrap_to_width(isolate(text), width):
        assert not turning(part)


ENCOUNTER = 'system = "vestige"\nname = "קרב 3"\n' + "".join(
    f'\n[[combatant]]\nname = "{name}"\nside = "{side}"\nblock = "hero"\nweapons = ["sword"]\n'
    for name, side in zip(NAMES, ("אדום", "blue", "blue", "blue"), strict=True)
)


def test_a_fight_of_right_to_left_names_is_told_in_isolates(tmp_path: Path) -> None:
    """In the terminal, the page, the Markdown and receipts; programs and the record read what was written."""
    (tmp_path / "h.toml").write_text(ENCOUNTER, "utf-8")
    assert affray(tmp_path, "new", "h.toml", "-o", "h.jsonl").code == 0
    assert affray(tmp_path, "do", "h.jsonl", "begin").code == 0
    lines = (tmp_path / "h.jsonl").read_text("utf-8").splitlines()
    roll = next(nth for nth, one in enumerate(lines, 1) if '"Rolled"' in one)
    for command in (["log", "h.jsonl"], ["show", "h.jsonl"], ["legal", "h.jsonl"], ["explain", "h.jsonl", str(roll)],
                    ["export", "h.jsonl", "-o", "h.html"], ["export", "h.jsonl", "-o", "h.md"]):  # fmt: skip
        told = affray(tmp_path, *command)
        assert told.code == 0, told.err
        assert not turning(told.out + told.err)
    for name in ("h.html", "h.md"):
        written = (tmp_path / name).read_text("utf-8")
        assert OPENS in written
        assert not turning(written)
    assert OPENS not in (tmp_path / "h.jsonl").read_text("utf-8")
    assert OPENS not in affray(tmp_path, "show", "h.jsonl", "--json").out
    assert affray(tmp_path, "export", "h.jsonl", "-o", "h.csv", "--format", "events").code == 0
    assert OPENS not in (tmp_path / "h.csv").read_text("utf-8")
    copied = [f"{OPENS}עמר בן-גל{CLOSES}", f"{OPENS}אדום{CLOSES}"]
    ruled = affray(tmp_path, "rule", "h.jsonl", "side", *copied, "--reason", f"“{OPENS}שלום{CLOSES}”")
    assert ruled.code == 0, ruled.err
    assert OPENS not in (tmp_path / "h.jsonl").read_text("utf-8")


def test_a_picture_isolates_each_piece(capsys: pytest.CaptureFixture[str]) -> None:
    console().print(join_pieces(("א", "bold"), ": 10, ", ("3 ב", "bold")))
    assert capsys.readouterr().out == f"{OPENS}א{CLOSES}: 10, 3 {OPENS}ב{CLOSES}\n"
