"""What a rule system's own texts name where the type of their field cannot say it: answers, marks, bare sources."""

import re
from collections.abc import Mapping

from msgspec import Struct

from affray.events import topic_of

PARTS = re.compile(r"[>|;/ ]")
"""What parts several ids in the value of one mark."""

SEVERAL = "combatants"
"""The kind of a mark whose value lists combatants."""

JOINED = ";"
"""What joins the ids in such a list."""


class Naming(Struct, frozen=True, kw_only=True):
    """What texts name whose field can hold several kinds of things. Kinds are called as in ``affray.events.refs``.

    What is not listed names nothing.

    Attributes:
        chosen: Per field of an answer what its ids name: ``combatant`` or ``item``.
        keyed: Topics of questions whose fields are called after combatants, bare or behind a colon.
        mark_keys: Per first part of a mark's name what the rest of it names: ``combatant`` or ``purpose``.
        mark_values: Per mark, by its name up to a colon, or up to a slash where there are several, what its value
            names: ``combatant``, ``combatants`` in a list, ``item``, ``relation``, ``side``, or ``words`` that people
            wrote. Several ids are parted as in ``PARTS``, those of a list joined by ``JOINED``.
        bare: Sources that are words of the rules, whoever is called like them.
        margins: Those of them that stand for by how much a roll was made.
    """

    chosen: Mapping[str, str] = {}
    keyed: frozenset[str] = frozenset()
    mark_keys: Mapping[str, str] = {}
    mark_values: Mapping[str, str] = {}
    bare: frozenset[str] = frozenset()
    margins: frozenset[str] = frozenset()

    def value_of(self, mark: str) -> str:
        """Return what the value of a mark names; nothing if it is not said."""
        name = topic_of(mark)
        return self.mark_values.get(name) or self.mark_values.get(name.partition("/")[0], "")

    def lists(self, mark: str) -> bool:
        """Tell whether the value of a mark lists combatants."""
        return self.value_of(mark) == SEVERAL


def listed_in(value: object) -> tuple[str, ...]:
    """Return the ids of a list in the value of a mark; none of what is no list, such as a mark that is struck."""
    if not value or not isinstance(value, str):
        return ()
    return tuple([one for one in PARTS.split(value) if one])


NAMING = Naming()
"""That of a rule system in which no such text names anybody."""
