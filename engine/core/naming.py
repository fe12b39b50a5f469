"""The names in a rule system's texts that no type declares: answers, marks, bare sources."""

import re
from collections.abc import Mapping

from msgspec import Struct

from affray.events import topic_of

PARTS = re.compile(r"[>|;/ ]")
"""The separators of several ids in the value of one mark."""

SEVERAL = "combatants"
"""The kind of a mark whose value lists combatants."""

JOINED = ";"
"""The separator of the ids in such a list."""


class Naming(Struct, frozen=True, kw_only=True):
    """The kinds of things that texts name, for fields that can hold several kinds.

    The kinds are those of ``affray.events.refs``. A text that is not listed names nothing.

    Attributes:
        chosen: The kind that the ids in a field of an answer name, by field: ``combatant`` or ``item``.
        keyed: The topics of questions whose fields are named after combatants, alone or after a colon.
        mark_keys: The kind that the rest of a mark's name names, by its first part: ``combatant`` or ``purpose``.
        mark_values: The kind that a mark's value names, by the mark's name up to a colon, or up to a slash if there are
            several. It is ``combatant``, ``combatants`` in a list, ``item``, ``relation``, ``side``, or ``words`` for
            free text. Several ids are separated as in ``PARTS``, those of a list by ``JOINED``.
        bare: The sources that are words of the rules, even if a combatant has the same name.
        margins: The bare sources that mean the margin of a roll.
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
"""The naming of a rule system without such texts."""
