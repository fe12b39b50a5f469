"""Ids: made from names, never reserved words, and unique."""

from collections.abc import Iterator
from string import ascii_lowercase

from affray.engine.errors import Unusable
from affray.events import Id

RESERVED = frozenset({"gm", "fight", "surprise"})
"""Ids that combatants cannot have, since the log uses them otherwise."""


def id_of(name: str) -> Id:
    """Return the id a name gives: lower case, everything but letters and digits turned into single dashes."""
    words = "".join(letter if letter.isalnum() else " " for letter in name.lower()).split()
    return "-".join(words)


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
