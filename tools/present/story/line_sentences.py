"""Sentences of the lines of a fight, each in names that all of its readers know."""

from collections.abc import Container, Sequence

from affray.engine.history.timeline import History
from affray.engine.visibility import Viewer, can_read
from affray.events import Concealed, Event, Id, ItemAdded, Joined, Recorded, RelationSet
from affray.tools.present.story.narration import sentence
from affray.tools.present.story.words import CALLING, Names, learn

ANYBODY = Viewer(role="spectator")
"""A viewer who can read only open lines."""


class LineSentences:
    """The sentences of lines.

    An open line uses the names that every viewer can read, and those of combatants whose numbers alone are sealed. A
    sealed line uses all names, since its readers know the combatants in it. They may not know every member of a
    relation, so a relation that has an open name keeps it.
    """

    def __init__(self, history: History) -> None:
        self._known = Names()
        self._all = Names()
        self._opened = history.opened
        self._concealed: set[Id] = set()
        self.learn(history.recorded)

    def learn(self, recorded: Sequence[Recorded]) -> None:
        """Learn the names that further lines give."""
        self._concealed |= list_once_concealed(recorded)
        for one in recorded:
            if type(one.event) not in CALLING:
                continue
            if self._is_open(one) or is_name_open(one.event, self._concealed):
                learn(self._known, one.event)
            elif isinstance(one.event, RelationSet) and one.event.relation in self._known:
                continue
            learn(self._all, one.event)

    def of(self, one: Recorded) -> str:
        """Return the sentence of a line."""
        return sentence(one.event, self._known if self._is_open(one) else self._all)

    def _is_open(self, one: Recorded) -> bool:
        return can_read(ANYBODY, one, self._opened)


def list_openly_named(recorded: Sequence[Recorded]) -> list[Event]:
    """List the events whose names every viewer may know, though some are sealed for their numbers."""
    concealed = list_once_concealed(recorded)
    return [one.event for one in recorded if is_name_open(one.event, concealed)]


def list_once_concealed(recorded: Sequence[Recorded]) -> set[Id]:
    """List the combatants that were ever concealed, whether that still counts or not."""
    return {one.event.who for one in recorded if isinstance(one.event, Concealed)}


def is_name_open(event: Event, concealed: Container[Id]) -> bool:
    """Tell whether an event names a combatant that was never concealed, or its thing.

    If such an event is sealed, it is for the numbers in it.
    """
    return (
        isinstance(event, Joined | ItemAdded)
        and (event.who if isinstance(event, Joined) else event.owner) not in concealed
    )
