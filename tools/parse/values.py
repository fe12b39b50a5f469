"""Typed values: yes and no, numbers, lists and counts."""

import re
from collections.abc import Sequence

from affray.events import Field, Id, Scalar

from .typed_names import Called

TRUE, FALSE = ("true", "yes"), ("false", "no")
"""The words for yes and no."""

_NUMBER = re.compile(r"-?[0-9]{1,18}")


def parse_value(field: Field | None, value: str, by: Id, called: Called | None = None) -> Scalar:
    """Parse a typed value for a field of an answer.

    Args:
        field: The field; ``None`` for an unknown one.
        called: The things that the value may name, by name.

    Raises:
        Unusable: the value fits several equally well.
    """
    kind = field.kind if field is not None else "int"
    if field is not None and value in (*TRUE, *FALSE):
        if kind == "int" and (field.low, field.high) == (0, 1):
            return int(value in TRUE)
        if set(field.among) == {"no", "yes"}:
            return "yes" if value in TRUE else "no"
    if field is not None and kind == "id":
        known = called.find_one(value, field.name) if called is not None and value not in field.among else None
        return known or _in_full(field.among, value, by)
    return int(value) if kind == "int" and _NUMBER.fullmatch(value) else value


def _in_full(among: Sequence[Id], word: str, by: Id) -> Id:
    """Return the id that a word means: own items without owner, several in any order."""
    meant = [one for one in among if _parts(one, by) == _parts(word, by)]
    return meant[0] if len(meant) == 1 and word not in among else word


def _parts(word: str, by: Id) -> list[str]:
    return sorted(one.removeprefix(f"{by}.") for one in word.replace("+", ";").split(";"))


def count_of(count: int, what: str) -> str:
    """Format a number of things: ``1 event``, ``12 events``."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
