"""Check texts that people enter: one line of visible characters.

What nobody sees can make two texts look alike that are not, forge lines where a text is shown, or part what a chain or
a mark holds together; so it is refused where it is entered. Logs that hold such characters are still read.
"""

import re
import unicodedata

from .errors import Unusable

UNSEEN = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
"""Categories of Unicode that are refused: controls, formats, private use, lone surrogates, line and paragraph ends."""

_BLANK = (
    (0x00AD, 0x00AD), (0x034F, 0x034F), (0x0600, 0x0605), (0x061C, 0x061C), (0x06DD, 0x06DD), (0x070F, 0x070F),
    (0x0890, 0x0891), (0x08E2, 0x08E2), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x200B, 0x200F),
    (0x202A, 0x202E), (0x2060, 0x206F), (0x2800, 0x2800), (0x3164, 0x3164), (0xFDD0, 0xFDEF), (0xFE00, 0xFE0F),
    (0xFFA0, 0xFFA0), (0xFEFF, 0xFEFF), (0xFFF0, 0xFFFB), (0x110BD, 0x110BD), (0x110CD, 0x110CD), (0x13430, 0x13440),
    (0x16FE4, 0x16FE4), (0x1BCA0, 0x1BCA3), (0x1D159, 0x1D159), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip
"""Formats, under every Python; what Unicode says may be left out when a text is shown: joiners, fillers, selectors; an
empty pattern; and what is no character at all.
"""

BLANK = frozenset(chr(code) for first, last in _BLANK for code in range(first, last + 1)) | {
    chr(plane << 16 | last) for plane in range(17) for last in (0xFFFE, 0xFFFF)
}

VISIBLE = 4
"""The first format of a log whose writers refused a name of spaces alone; other blanks they always refused."""

BREAKS = "\n\v\f\r\x1c\x1d\x1e\x85\u2028\u2029"


def unseen(text: str, *, now: bool = True) -> str:
    """Return what is wrong with the first character of a text that nobody sees; nothing if there is none.

    Args:
        now: Whether to go by the Unicode of this Python too, as where texts are entered. An audit does not, so that it
            says the same under every Python.
    """
    if text.isascii() and text.isprintable():
        return ""
    known = unicodedata if now else unicodedata.ucd_3_2_0
    for nth, one in enumerate(text, 1):
        if one in BLANK or known.category(one) in UNSEEN:
            called = "a line break" if one in BREAKS else known.name(one, "a control character").lower()
            return f"must be one line of visible characters, and character {nth} is U+{ord(one):04X} ({called})"
    return ""


def find_word_fault(text: str, most: int, *, now: bool = True) -> str:
    """Return why a text cannot be somebody's name, a fight's or a command's; nothing if it can.

    Args:
        now: See ``unseen``.
    """
    wrong = unseen(text, now=now)
    return wrong or ("" if text.strip() and len(text) <= most else f"must have 1 to {most} printable characters")


def is_word(text: str, most: int, format: int) -> bool:
    """Tell whether ``check_word`` took a text when logs were written in a format, under whatever Python."""
    spaces = format < VISIBLE and 1 <= len(text) <= most and not text.strip(" ")
    return spaces or not find_word_fault(text, most, now=False)


def check_word(word: str, field: str, *, most: int) -> None:
    """Refuse what cannot be somebody's name, a fight's or a command's.

    Raises:
        Unusable: it is empty, too long, or holds what nobody sees.
    """
    wrong = find_word_fault(word, most)
    if wrong:
        raise Unusable(wrong, field)


BEGINS, ENDS = "\u2068\u2060", "\u2060\u2069"
"""Earlier versions wrote these around words of players who might not know all that is hidden. Nobody can enter them."""

_WHOLE = re.compile(f"{BEGINS}([^{BEGINS}{ENDS}]*){ENDS}")


def unmarked(text: str) -> str:
    """Return a text without the marks of earlier versions."""
    return text.replace(BEGINS, "").replace(ENDS, "")


def without_marked(text: str) -> str:
    """Return a text with what was marked bare; marks that are not around anything stay where they are."""
    return _WHOLE.sub(r"\1", text) if BEGINS in text else text
