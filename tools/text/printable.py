"""Text that is safe to print: escaped, measured in terminal cells, and wrapped."""

import json
import os
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from unicodedata import category

import msgspec

from affray.engine.texts import COLOURED, is_joiner, remove_marks
from affray.tools.text.isolates import OPENS, split_isolated

_encode = msgspec.json.Encoder().encode


def printable(text: str) -> str:
    r"""Escape all characters that are not visible, such as ``\x1b`` or ``\u202e``.

    These are control, format, private and unassigned characters, lone surrogates, and line ends. The engine's marks
    around a player's own words are removed. Joiners that a script needs stay.
    """
    if text.isprintable():
        return text
    text = remove_marks(text)
    return "".join(
        one if _shows(one) or is_joiner(text, at) else one.encode("unicode_escape").decode()
        for at, one in enumerate(text)
    )


def json_text(value: object) -> str:
    """Encode a value as JSON, with the characters escaped that ``printable`` escapes."""
    try:
        text = _encode(value).decode()
    except UnicodeEncodeError:  # the name of a file may be no text
        text = json.dumps(msgspec.to_builtins(value))
    return text if text.isprintable() else "".join(one if _shows(one) else _as_units(one) for one in text)


def is_text(word: str) -> bool:
    """Tell whether a word from outside can be encoded on this machine."""
    try:
        word.encode()
    except UnicodeEncodeError:
        return False
    return True


def _shows(one: str) -> bool:
    """Tell whether a character is visible, or is a space of some width."""
    return one.isprintable() or category(one) == "Zs"


def _as_units(one: str) -> str:
    """Escape a character as JSON does."""
    units = one.encode("utf-16-be")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


INDENT = 4
"""Additional indent of a continuation line, in columns."""


SINCE = unicodedata.ucd_3_2_0
"""An early version of Unicode, whose combining marks every terminal knows."""


WIDE_LOCALES = ("ja", "ko", "zh")
"""Languages in which a terminal may show characters of ambiguous width in two cells."""


@lru_cache(maxsize=4096)
def cells_of(one: str) -> int:
    """Return the most cells that a terminal uses for a printable character.

    Terminals differ: some use no cell for vowel signs, skin tones, parts of Hangul syllables and new characters, others
    use two. A line that is wrapped too early does no harm. A line that the terminal wraps goes on in its first column.
    """
    from rich.cells import get_character_cell_size  # noqa: PLC0415 - most lines are never cut

    width, wide = get_character_cell_size(one), unicodedata.east_asian_width(one)
    if category(one) == "Sk" and not width:
        return 2
    if wide in "WF" or "\u1100" <= one <= "\u11ff" or "\U0001f000" <= one <= "\U0001faff":
        return 2
    if wide == "A" and width == 1 and _locale().startswith(WIDE_LOCALES):
        return 2
    return width if SINCE.category(one) in ("Mn", "Me") and one != COLOURED else max(width, 1)


def width_of(text: str) -> int:
    """Return the most cells that a terminal uses for a printable text."""
    return len(text) if text.isascii() else sum(map(cells_of, text))


def _locale() -> str:
    """Return the locale of the terminal."""
    return next((said for name in ("LC_ALL", "LC_CTYPE", "LANG") if (said := os.environ.get(name))), "")


def cut_to_width(text: str, width: int) -> Iterator[slice]:
    """Yield the slices of a line that fit a width; all but the first are indented.

    Widths are in terminal cells.
    """
    width = max(width - 2, 2) if OPENS in text else width  # room to close a cut isolate and to open it again
    begin, at, room, space = 0, len(text) - len(text.lstrip(" ")), width, 0
    used = at
    while at < len(text):
        used += cells_of(text[at])
        if text[at] == " ":
            space = at
        if used > room and at > begin:
            end = space if space > begin else at
            yield slice(begin, end)
            begin = end + (text[end] == " ")
            at, room, space, used = begin, max(width - indent_of(text, width), 2), begin, 0
            continue
        at += 1
    yield slice(begin, len(text))


def indent_of(text: str, width: int) -> int:
    """Return the indent of continuation lines, so that none looks like a first line."""
    return max(1, min(len(text) - len(text.lstrip(" ")) + INDENT, width // 2))


def wrap_to_width(text: str, width: int) -> list[str]:
    """Wrap a printable line to a width; continuation lines are indented."""
    parts = split_isolated(text, cut_to_width(text, width))
    first, *rest = (f"{opens}{text[part]}{closes}" for opens, part, closes in parts)
    return [first, *(f"{' ' * indent_of(text, width)}{part}" for part in rest)]
