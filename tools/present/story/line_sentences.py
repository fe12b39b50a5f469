"""Sentences of the lines of a fight, each in names that all of its readers know."""

from collections.abc import Iterable

from affray.engine.history.timeline import History
from affray.engine.visibility import Viewer, can_read
from affray.events import Recorded, RelationSet
from affray.tools.present.story.narration import sentence
from affray.tools.present.story.words import CALLING, Names, learn

ANYBODY = Viewer(role="spectator")
"""A viewer who can read only open lines."""


class LineSentences:
    """The sentences of lines.

    An open line uses the names that every viewer can read. A sealed line uses all names, since its readers know the
    combatants in it. They may not know every member of a relation, so a relation that has an open name keeps it.
    """

    def __init__(self, history: History) -> None:
        self._known = Names()
        self._all = Names()
        self._opened = history.opened
        self.learn(history.recorded)

    def learn(self, recorded: Iterable[Recorded]) -> None:
        """Learn the names that further lines give."""
        for one in recorded:
            if type(one.event) not in CALLING:
                continue
            if self._is_open(one):
                learn(self._known, one.event)
            elif isinstance(one.event, RelationSet) and one.event.relation in self._known:
                continue
            learn(self._all, one.event)

    def of(self, one: Recorded) -> str:
        """Return the sentence of a line."""
        return sentence(one.event, self._known if self._is_open(one) else self._all)

    def _is_open(self, one: Recorded) -> bool:
        return can_read(ANYBODY, one, self._opened)
