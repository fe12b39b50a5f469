"""Texts that people enter: their checks, normal form, comparison and quotes.

A text is one line of visible characters. Invisible characters can make two different texts look alike, forge lines
where a text is shown, or break the fields of a chain or mark. So they are refused on input. Logs that hold such
characters are still read.
"""

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal

from .errors import Unusable

UNSEEN = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
"""The refused Unicode categories: controls, formats, private use, lone surrogates, line and paragraph ends."""

_BLANK = (
    (0x00AD, 0x00AD), (0x034F, 0x034F), (0x0600, 0x0605), (0x061C, 0x061C), (0x06DD, 0x06DD), (0x070F, 0x070F),
    (0x0890, 0x0891), (0x08E2, 0x08E2), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x200B, 0x200F),
    (0x202A, 0x202E), (0x2060, 0x206F), (0x2800, 0x2800), (0x3164, 0x3164), (0xFDD0, 0xFDEF), (0xFE00, 0xFE0F),
    (0xFFA0, 0xFFA0), (0xFEFF, 0xFEFF), (0xFFF0, 0xFFFB), (0x110BD, 0x110BD), (0x110CD, 0x110CD), (0x13430, 0x13440),
    (0x16FE4, 0x16FE4), (0x1BCA0, 0x1BCA3), (0x1D159, 0x1D159), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip
"""The refused ranges, the same under every Python.

They are formats, ignorable characters (joiners, fillers, selectors), an empty pattern, and codes of no character.
"""

BLANK = frozenset(chr(code) for first, last in _BLANK for code in range(first, last + 1)) | {
    chr(plane << 16 | last) for plane in range(17) for last in (0xFFFE, 0xFFFF)
}

VISIBLE = 4
"""The first log format whose writers refused a name of spaces alone; other blanks were always refused."""

BREAKS = "\n\v\f\r\x1c\x1d\x1e\x85\u2028\u2029"


ZWNJ, ZWJ, COLOURED = "\u200c", "\u200d", "\ufe0f"
"""Two joiners, and the selector of an emoji's coloured form."""

_VIRAMA = 9
"""The combining class of a sign that joins two consonants, as in Devanagari or Sinhala."""

_ARABIC = re.compile("[\u0620-\u064a\u066e-\u06d3\u06d5\u06ee-\u06ff\u0750-\u077f]")

_ENDS_A_JOIN = re.compile(
    "[\u0621-\u0625\u0627\u0629\u062f-\u0632\u0648\u0671-\u0677\u0688-\u0699\u06c0\u06c3-\u06cb\u06cd\u06cf\u06d2\u06d3"
    "\u06d5\u06ee\u06ef\u0759-\u075b\u076b\u076c\u0771\u0773\u0774\u0778\u0779]"
)
"""Arabic letters that never join the next one, so that a joiner has no effect behind them."""

_PICTURE = re.compile("[\u2190-\u2bff\U0001f000-\U0001faff]")


def is_joiner(text: str, at: int) -> bool:
    """Tell whether an invisible character has a purpose (UAX #31 and RFC 5892).

    It has one if it changes how its neighbours look: a joiner behind a virama, a non-joiner between two Arabic letters,
    or a part of an emoji sequence. The answer is the same under every Python.

    Args:
        text: One line, which may hold more than the text in question.
        at: The index of the character.
    """
    one, before, after = text[at], text[at - 1 : at], text[at + 1 : at + 2]
    if one == COLOURED:
        return _PICTURE.match(before) is not None
    if one not in (ZWNJ, ZWJ) or not before:
        return False
    known = unicodedata.ucd_3_2_0
    if known.combining(before) == _VIRAMA:
        follows = known.category(after or " ")
        return follows == "Lo" or (one == ZWJ and not follows.startswith("M"))
    if one == ZWJ:
        pictured = text[at - 2 : at - 1] if before == COLOURED else before
        return _PICTURE.match(pictured) is not None and _PICTURE.match(after) is not None
    if not _ARABIC.match(after) or after == "\u0621":
        return False
    while before and before in _POINTS:
        at -= 1
        before = text[at - 1 : at]
    return bool(_ARABIC.match(before) and not _ENDS_A_JOIN.match(before))


_POINTS = "".join(map(chr, (*range(0x64B, 0x660), 0x670)))
"""Arabic vowel signs, which stand above or below a letter and do not stop it from joining."""


MARKS = 30
"""The most marks on one letter (UAX #15, Stream-Safe Text). Sorting takes the square of their number."""


def find_stacked_mark(text: str) -> int:
    """Return the number of the first character that is one mark too many on its letter; 0 if there is none."""
    run = 0
    for nth, one in enumerate(text if len(text) > MARKS and not text.isascii() else "", 1):
        run = run + 1 if one > "\u02ff" and _begins_with_mark(one) else 0
        if run > MARKS:
            return nth
    return 0


@lru_cache(4096)
def _begins_with_mark(one: str) -> bool:
    """Tell whether a character decomposes into marks that are sorted among their neighbours."""
    return unicodedata.combining(unicodedata.normalize("NFKD", one)[0]) > 0


def compose(form: Literal["NFC", "NFKC", "NFKD"], text: str) -> str:
    """Return a text in a normal form; one with too many marks on a letter, as old logs may hold, stays as it is."""
    return text if text.isascii() or find_stacked_mark(text) else unicodedata.normalize(form, text)


def find_invisible_fault(text: str, *, now: bool = True, joined: bool = True) -> str:
    """Return the fault of a text's first invisible character without a purpose.

    It is empty if there is none.

    Args:
        now: Whether to use the Unicode tables of this Python too, as on input. An audit does not, so that its result is
            the same under every Python.
        joined: Whether joiners with a purpose are accepted; see ``is_joiner``. Early formats hold none.
    """
    if text.isascii() and text.isprintable():
        return ""
    known = unicodedata if now else unicodedata.ucd_3_2_0
    for nth, one in enumerate(text, 1):
        if (one in BLANK or known.category(one) in UNSEEN) and not (joined and is_joiner(text, nth - 1)):
            called = "a line break" if one in BREAKS else known.name(one, "a control character").lower()
            return f"must be one line of visible characters, and character {nth} is U+{ord(one):04X} ({called})"
    stacked = find_stacked_mark(text) if now else 0
    return f"must have at most {MARKS} accents on one letter, and character {stacked} is one more" if stacked else ""


def find_word_fault(text: str, most: int, *, now: bool = True) -> str:
    """Return why a text cannot name a person, a fight or a command; empty if it can.

    Args:
        now: See ``find_invisible_fault``.
    """
    wrong = find_invisible_fault(text, now=now)
    return wrong or ("" if text.strip() and len(text) <= most else f"must have 1 to {most} printable characters")


def is_word(text: str, most: int, format: int) -> bool:
    """Tell whether ``check_word`` accepted a text in a given log format."""
    spaces = format < VISIBLE and 1 <= len(text) <= most and not text.strip(" ")
    return spaces or not find_word_fault(text, most, now=False)


def check_word(word: str, field: str, *, most: int) -> None:
    """Refuse a text that cannot name a person, a fight or a command.

    Raises:
        Unusable: it is empty, too long, or holds invisible characters.
    """
    wrong = find_word_fault(word, most)
    if wrong:
        raise Unusable(wrong, field)


_SPELT_ALIKE = str.maketrans("’‘ʼʹ´`＇", "'" * 7, ZWNJ + ZWJ + COLOURED)


def normalize(text: str) -> str:
    """Compose the characters of a text (NFC), as names are recorded."""
    return compose("NFC", text)


def normalize_texts(value: Any) -> Any:
    """Return a value from JSON or TOML with all texts in normal form."""
    if isinstance(value, str):
        return normalize(value)
    if isinstance(value, Mapping):
        return {normalize_texts(key): normalize_texts(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(map(normalize_texts, value))
    return value


def normalize_names(value: Any) -> Any:
    """Return parameters with each ``name`` in normal form, and each ``side`` trimmed.

    Ids stay as they are, even those of old logs.
    """
    if isinstance(value, dict):
        return {
            key: normalize_texts(one)
            if key == "name"
            else one.strip()
            if key == "side" and isinstance(one, str)
            else normalize_names(one)
            for key, one in value.items()
        }
    return [normalize_names(one) for one in value] if isinstance(value, list) else value


def comparison_key(text: str) -> str:
    """Return a comparison key that ignores case, spaces and letter forms.

    It also ignores how accents are typed.
    """
    if text.isascii():
        return " ".join(text.replace("`", "'").lower().split())
    folded = compose("NFKC", text.translate(_SPELT_ALIKE)).casefold()
    return " ".join(compose("NFKC", folded).split())


_DOUBLE = (
    '“”„‟"＂〝〞〟❝❞❠⹂\U0001f676\U0001f677\U0001f678\u02ee\u02ba\u2033\u2036\u05f4\u3003'
    "\u02dd\u02f5\u02f6\u1cd3\u2034\u2037\u2057\u1fcd\u1fce\u1fdd\u1fde"
)
_SINGLE = (
    "‘’‚‛'＇‘’‚❛❜❟‚‘’‚\u02bc\u02b9\u2032\u2035\u05f3\u2032"
    "\u02ca\u02cb\u02ca\u02c8\u2032\u2035\u2032\u1fbf\u1fbf\u1ffe\u1ffe"
)
_WITHIN = str.maketrans(_DOUBLE, _SINGLE)
"""The characters that look like a double quote, and the single quote that each becomes inside quotes."""

SINGLES = "".join(dict.fromkeys(_SINGLE)) + (
    "`´\u02bb\u02bd\u02be\u02f4\u0374\u055a\u055d\u0384\u07f4\u07f5\u1fbd\u1fef\u1ffd\ua78b\ua78c\uff40"
)
"""The characters that look like a single quote; two of them side by side look like a double one."""

NARROW = "\u2006\u2008\u2009\u200a\u202f"
"""Spaces too narrow to separate two single quotes visibly."""

WIDTHLESS = "\u200b\u200c\u200d\u2060\ufe00-\ufe0f\ufeff"
"""Joiners and selectors, as ranges, which do not separate two single quotes either."""

VOICED = "\u3099-\u309c\uff9e\uff9f"
"""The marks that voice a kana, as ranges; without a kana they look like a quote."""

KANA = "\u3041-\u3096\u309d\u309e\u30a1-\u30fa\u30fc-\u30fe\uff66-\uff9d"

_VOICED, _WIDTHLESS, _ON_KANA = re.compile(f"[{VOICED}]"), re.compile(f"[{WIDTHLESS}]"), re.compile(f"[{KANA}]")

_RUN = re.compile(f"([{SINGLES}])[{SINGLES}{NARROW}]*[{SINGLES}]")


def quote(text: str) -> str:
    """Quote free text.

    No mark inside it can close these quotes, nor look as if it did. A double quote becomes a single one, and of several
    single ones side by side the first stays. An accent without a letter is left out, and a voiced mark without a kana.
    """
    inside = text.translate(_WITHIN)
    inside = _RUN.sub(r"\1", inside if inside.isascii() else _drop_loose_marks(inside))
    return f"“{inside}”"


def _drop_loose_marks(text: str) -> str:
    """Leave out marks that have nothing to stand on, and joiners behind a single quote."""
    kept = [" "]
    for one in text:
        before = kept[-1]
        if _VOICED.match(one):
            loose = not _ON_KANA.match(before)
        elif _WIDTHLESS.match(one):
            loose = before in SINGLES
        else:
            loose = _is_mark(one) and (before in SINGLES or not (before.isalnum() or _is_mark(before)))
        if not loose:
            kept.append(one)
    return "".join(kept[1:])


def _is_mark(one: str) -> bool:
    return unicodedata.category(one).startswith("M")


_TITLES = re.compile(r"^(?:(?:St|Dr|Mr|Mrs|Ms|Sgt|Lt|[A-Z])\.\s*)+")
"""The pattern of titles and initials before a name; their full stops end no sentence."""

_OF_SENTENCES = re.compile(r"[:;,!?=|<>()\[\]{}\"]|\.(?:\s|$)|(?:^|\s)-|-(?:\s|$)")

_OF_WORDS = "‘’·‧・･\u2010\u2011\u0387\u055a\u05be\u05f3\u05f4\u0f0b\uff07´"
"""Apostrophes, hyphens and points beyond ASCII that stand within a word."""

_ARROWS = re.compile("[\u02d0\u2190-\u21ff\u2500-\u257f\u2794-\u27bf\u2b00-\u2bff\uffe8-\uffec\U0001f800-\U0001f8ff]")

_MARKS = frozenset({"Ps", "Pe", "Pi", "Pf", "Pd", "Po", "Sm", "Sk"})


def name_said(name: str) -> str:
    """Return a name for a sentence, quoted if it has punctuation, brackets or arrows.

    An apostrophe, a hyphen or a point within a word does not count, nor does a title before the name.
    """
    return quote(name) if _OF_SENTENCES.search(_TITLES.sub("", name, count=1)) or _has_mark(name) else name


def _has_mark(name: str) -> bool:
    """Tell whether a name has a punctuation mark beyond ASCII."""
    return not name.isascii() and any(
        one > "\x7f" and one not in _OF_WORDS and (unicodedata.category(one) in _MARKS or _ARROWS.match(one))
        for one in name
    )


_PLAIN = re.compile(
    r"(?:[a-z0-9]+(?:[-_][a-z]+){0,3}|-?[0-9]+(?:,-?[0-9]+)*|[A-Z]{3}-[A-Z]?[0-9]+|(?:[0-9]*d)?[0-9]+(?:[-+](?:[0-9]*d)?[0-9]+)*)?"
)


def word_said(word: str) -> str:
    """Return an undeclared word of the rules for people, quoted unless it is plain.

    Plain are up to four small words, a cell, a clause and dice. Other words may have been made up, and with blanks for
    their underscores they would read as sentences.
    """
    said = word.replace("_", " ")
    return said if _PLAIN.fullmatch(word) else quote(said)


_OF_IDS = re.compile(r"[-:/#@|>+,]")


def id_said(id: str) -> str:
    """Return an id for people, quoted if it has a blank, capital or punctuation mark."""
    plain = _OF_IDS.sub("", id)
    return id if plain == plain.lower() and not re.search(r"\s", id) and name_said(plain) == plain else quote(id)


BEGINS, ENDS = "\u2068\u2060", "\u2060\u2069"
"""The marks that earlier versions wrote around the words of some players. They are refused on input."""

_WHOLE = re.compile(f"{BEGINS}([^{BEGINS}{ENDS}]*){ENDS}")


def remove_marks(text: str) -> str:
    """Remove the marks of earlier versions from a text."""
    return text.replace(BEGINS, "").replace(ENDS, "")


def remove_paired_marks(text: str) -> str:
    """Remove the marks of earlier versions around words; single marks stay."""
    return _WHOLE.sub(r"\1", text) if BEGINS in text else text
