"""Ids: made from names, never reserved words, and unique."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from string import ascii_lowercase
from unicodedata import category

from affray.engine.errors import Unusable
from affray.engine.texts import BLANK
from affray.events import Id

RESERVED = frozenset({"gm", "fight", "surprise"})
"""Ids that combatants cannot have, since the log uses them otherwise."""


_ACCENTS = (
    range(0x300, 0x370),
    range(0x1AB0, 0x1B00),
    range(0x1DC0, 0x1E00),
    range(0x20D0, 0x2100),
    range(0xFE20, 0xFE30),
)
"""Combining accents of no script of their own. One that forms no character with its letter has never stood in an id."""


_EARLIER = ContextVar("earlier", default=False)


@contextmanager
def ids_of_scheme(dice_scheme: int) -> Iterator[None]:
    """Give names the ids of fights in a dice scheme; those in scheme 1 were opened before ids kept vowel signs."""
    before = _EARLIER.set(dice_scheme == 1)
    try:
        yield
    finally:
        _EARLIER.reset(before)


def id_of(name: str) -> Id:
    """Return the id a name gives: lower case, with single dashes for all but letters, vowel signs and digits."""
    earlier = _EARLIER.get()
    kept: list[str] = []
    for letter in name.lower():
        belongs = letter.isalnum() or (not earlier and kept[-1:] not in ([], [" "]) and _is_sign(letter))
        kept.append(letter if belongs else " ")
    return "-".join("".join(kept).split())


def _is_sign(letter: str) -> bool:
    """Tell whether a character is a sign of the script of the letter before it, such as a vowel sign."""
    if category(letter) not in ("Mn", "Mc") or letter in BLANK:
        return False
    return not any(ord(letter) in block for block in _ACCENTS)


def named(name: str, count: int, field: str, taken: set[Id]) -> Iterator[tuple[Id, str]]:
    """Yield id and name of each of so many combatants who are called alike: ``guard-a`` and ``Guard A`` …

    Args:
        count: How many there are; one alone keeps the name as it is.
        field: Where the entry stands.
        taken: The ids that others have; those that are given are added.

    Raises:
        Unusable: the name gives no id, or one that is taken.
    """
    base = id_of(name)
    if not base:
        raise Unusable("a name needs a letter or a digit", f"{field}.name")
    for nth in range(count):
        who = f"{base}-{suffix(nth)}" if count > 1 else base
        if who in taken or who in RESERVED:
            raise Unusable(f"the name gives the id {who}, which is taken already", f"{field}.name")
        taken.add(who)
        yield who, f"{name} {suffix(nth).upper()}" if count > 1 else name


def suffix(nth: int) -> str:
    """Return the letters that count alike combatants: a … z, aa, ab …"""
    letters = ascii_lowercase[nth % 26]
    return suffix(nth // 26 - 1) + letters if nth >= 26 else letters
