"""Isolates around right-to-left words, so that numbers beside them stay (UAX #9).

The text outside of isolates then reads from left to right, as written. Isolates are added when a text is shown, never
when it is recorded or given to programs.
"""

import re
from collections.abc import Iterator

OPENS, CLOSES = "\u2068", "\u2069"
"""First strong isolate, and pop directional isolate."""

_LETTERS = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
"""The blocks of Hebrew, Arabic, Syriac and all other right-to-left scripts, with their digits and marks."""

_ON_LETTERS = f"{_LETTERS}\u0300-\u036f\u200c\u200d"

_QUOTED = f"(?<=“)[^“”{_LETTERS}]*[{_LETTERS}][^“”]*(?=”)"
_WORDS = f"[{_LETTERS}][{_ON_LETTERS}]*(?:[ '’-][{_LETTERS}][{_ON_LETTERS}]*)*"
_ISOLATED = re.compile(f"{OPENS}([^{OPENS}{CLOSES}]*){CLOSES}")
_TURNS = re.compile(f"{_QUOTED}|{_WORDS}")


def isolate(text: str) -> str:
    """Isolate quoted texts that hold right-to-left letters, and right-to-left words elsewhere.

    Args:
        text: A printable text, which holds no isolates.
    """
    return text if text.isascii() else _TURNS.sub(rf"{OPENS}\g<0>{CLOSES}", text)


def remove_isolates(text: str) -> str:
    """Remove the isolates that ``isolate`` added, from a text that a user copied."""
    return _ISOLATED.sub(r"\1", text)


def split_isolated(text: str, parts: Iterator[slice]) -> Iterator[tuple[str, slice, str]]:
    """Yield parts of a text, with the marks that reopen and close a cut isolate."""
    for part in parts:
        yield OPENS * _is_open(text, part.start), part, CLOSES * _is_open(text, part.stop)


def _is_open(text: str, at: int) -> bool:
    """Tell whether a position is within an isolate."""
    return text.rfind(OPENS, 0, at) > text.rfind(CLOSES, 0, at)
