"""Words that mean the same: names of parameters, yes and no, lists.

Rule systems, and the questions they ask, call some things each in their own way, and so do the records of fights.
Whoever types may say any of these words everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from affray.events import Field, Id, Scalar

SAME: tuple[frozenset[str], ...] = (
    frozenset({"pool", "action", "what"}),
    frozenset({"who", "attacker"}),
    frozenset({"target", "patient"}),
    frozenset({"view", "sight"}),
)
"""Names of parameters that mean the same."""

TRUE, FALSE = ("true", "yes"), ("false", "no")
"""How one says yes and no, wherever that is what is wanted."""

_NUMBER = re.compile(r"-?[0-9]{1,18}")


def same(name: str, known: Collection[str]) -> str:
    """Return the known name that means the same as one, if there is just one; what stands behind a colon is kept."""
    first, _, rest = name.partition(":")
    others = {one for group in SAME if first in group for one in group}
    known_so = [one for one in known if one.partition(":")[0] in others and one.partition(":")[2] == rest]
    return known_so[0] if name not in known and len(known_so) == 1 else name


def meant(field: Field | None, value: str, by: Id) -> Scalar:
    """Return what a value means in the field of an answer: a number, yes or no, one of those there are, or a text.

    Args:
        field: What is wanted; nothing if no such field is.
        value: What was typed.
        by: Who answers.
    """
    kind = field.kind if field is not None else "int"
    if field is not None and value in (*TRUE, *FALSE):
        if kind == "int" and (field.low, field.high) == (0, 1):
            return int(value in TRUE)
        if set(field.among) == {"no", "yes"}:
            return "yes" if value in TRUE else "no"
    if field is not None and kind == "id":
        return _in_full(field.among, value, by)
    return int(value) if kind == "int" and _NUMBER.fullmatch(value) else value


def _in_full(among: Sequence[Id], word: str, by: Id) -> Id:
    """Return which of these a word means: one's own are named without their owner, several joined in any order."""
    meant = [one for one in among if _parts(one, by) == _parts(word, by)]
    return meant[0] if len(meant) == 1 and word not in among else word


def _parts(word: str, by: Id) -> list[str]:
    return sorted(one.removeprefix(f"{by}.") for one in word.replace("+", ";").split(";"))


__all__ = ["FALSE", "SAME", "TRUE", "meant", "same"]
