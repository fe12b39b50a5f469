"""The names in texts of fields for several kinds of things: answers, marks, sources."""

from collections.abc import Mapping

from msgspec import Struct

from .marks import WORDS, Marks, StructMark, find_mark
from .vocabulary import Vocabulary


class Naming(Struct, frozen=True, kw_only=True):
    """The kinds of things that texts name, as a rule system's vocabulary and marks declare them.

    The kinds are those of ``affray.events.refs``. A text that is not listed names nothing.

    Attributes:
        marks: The kinds of marks, each declared with what it names.
        chosen: The kind that the ids in a field of an answer name, by field: ``combatant`` or ``item``.
        bare: The sources that are words of the rules, even if a combatant has the same name.
        margins: The bare sources that mean the margin of a roll.
    """

    marks: Marks = {}
    chosen: Mapping[str, str] = {}
    bare: frozenset[str] = frozenset()
    margins: frozenset[str] = frozenset()

    def holds_words(self, mark: str, about: str, parts: Mapping[str, object]) -> bool:
        """Tell whether a mark, or a field of its struct, is free text."""
        known = find_mark(self.marks, mark, about)
        if isinstance(known, StructMark) and any(parts.get(field) for field in known.list_fields(WORDS)):
            return True
        return known is not None and known.names == WORDS

    def lists(self, mark: str) -> bool:
        """Tell whether marks of a key list combatants."""
        known = find_mark(self.marks, mark, "")
        return known is not None and known.lists


def collect_naming(words: Vocabulary, marks: Marks) -> Naming:
    """Return what a vocabulary and the kinds of marks declare."""
    return Naming(
        marks=marks,
        chosen={name: field.names for name, field in words.fields.items() if field.names},
        bare=frozenset({*words.numbers, *words.sources}),
        margins=frozenset(name for name, number in words.numbers.items() if number.margin),
    )


NAMING = Naming()
"""The naming of a rule system without such texts."""
