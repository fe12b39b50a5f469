"""What every rule system needs to read an encounter file: its form, ids from names, errors."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TypeVar

import msgspec
from msgspec import Struct

from affray.engine.errors import NoSuch, Unusable, misread
from affray.engine.limits import check_encounter
from affray.events import Id

from .distances import pair

S = TypeVar("S", bound=Struct)

OLD_WORDS = {"sight": "view"}
"""The old names of parts of an encounter."""


class Seen(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ``[[view]]``: who sees whom otherwise than clearly; each system adds how.

    Attributes:
        between: Two combatants, who see each other so; or, unless ``both``, the first one the second.
        viewer, target: The same one way, where nothing is said of both.
    """

    between: tuple[str, str] | None = None
    viewer: str = ""
    target: str = ""
    both: bool = True

    def ways(self, there: Collection[Id], field: str) -> tuple[tuple[Id, Id], ...]:
        """Return who sees whom so.

        Raises:
            Unusable: it does not name two combatants who are there.
        """
        viewer, target = self.between or (self.viewer, self.target)
        path = f"{field}.between" if self.between else field
        for who in (viewer, target):
            if who not in there:
                raise NoSuch("", who or "viewer", there, path)
        if viewer == target:
            raise Unusable("must name two combatants", path)
        return ((viewer, target), (target, viewer)) if self.between and self.both else ((viewer, target),)


def told(content: object, form: type[S]) -> S:
    """Return an encounter file's content in its system's form; old words for its parts are still understood.

    Raises:
        Unusable: a field is unknown, missing, of the wrong kind, out of range, or goes beyond all bounds; says which.
    """
    try:
        read = msgspec.convert(_renamed(content), form)
    except msgspec.ValidationError as error:
        message, path = misread(str(error))
        raise Unusable(message, path.lstrip(".")) from None
    check_encounter(content)
    return read


def _renamed(content: object) -> object:
    """Return an encounter with the present names of its parts; an old name beside the present one is refused."""
    if not isinstance(content, Mapping):
        return content
    return {new if (new := OLD_WORDS.get(key, key)) not in content else key: part for key, part in content.items()}


def unknown(what: str, key: str, known: Iterable[str], field: str) -> Unusable:
    """Return the refusal of an unknown name: ``there is no weapon swrod; there are …``."""
    return NoSuch(what, key, known, field)


def two(one: Id, other: Id, there: Collection[Id], field: str) -> tuple[Id, Id]:
    """Return two combatants that an entry names, in the order in which distances name them.

    Raises:
        Unusable: one of them is not there, or they are one and the same.
    """
    for who in (one, other):
        if who not in there:
            raise NoSuch("", who, sorted(there), field)
    if one == other:
        raise Unusable("must name two combatants", field)
    return pair(one, other)


def places(at: str | tuple[str, ...], count: int, field: str, what: str) -> tuple[str, ...]:
    """Return where each of so many combatants stands, as an entry's ``at`` says.

    Args:
        at: One place, or one for each.
        count: How many there are.
        field: Where the entry stands.
        what: What a place is called: ``cells``, ``hexes``, ``zones``.

    Raises:
        Unusable: it does not name one for each.
    """
    all_told = (at,) if isinstance(at, str) and at else tuple(at)
    if len(all_told) != count:
        raise Unusable(f"must name {count} {what}, one for each", f"{field}.at")
    return all_told
