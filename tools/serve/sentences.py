"""Sentences of the lines of a fight, each in names that all of its readers know."""

from collections.abc import Iterable

from affray.engine.history.timeline import History
from affray.engine.visibility import Viewer, visible
from affray.events import Recorded
from affray.tools.story.telling import sentence
from affray.tools.story.words import CALLING, Names, learn

ANYBODY = Viewer(role="spectator")
"""A viewer who reads open lines alone."""


class Sentences:
    """The sentences of lines.

    A line that everybody may read uses the names that everybody may read; a sealed one is read by those alone who know
    of whom it tells, and uses all names.
    """

    def __init__(self, history: History) -> None:
        self._known = Names()
        self._all = Names()
        self._opened = history.opened
        self.learn(history.recorded)

    def learn(self, recorded: Iterable[Recorded]) -> None:
        """Take in the names that further lines give."""
        for one in recorded:
            if type(one.event) not in CALLING:
                continue
            learn(self._all, one.event)
            if self._is_open(one):
                learn(self._known, one.event)

    def of(self, one: Recorded) -> str:
        """Return the sentence of a line."""
        return sentence(one.event, self._known if self._is_open(one) else self._all)

    def _is_open(self, one: Recorded) -> bool:
        return visible(ANYBODY, one, self._opened)
