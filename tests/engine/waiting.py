"""The moments a fight can wait in, taken from the scenarios of its system: one of every phase, question and window."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from affray.engine import Fight
from affray.engine.core.draft import Draft
from affray.engine.core.evolve import evolve
from affray.engine.core.loading import load
from affray.engine.core.state import State
from affray.engine.history.timeline import History
from affray.events import Recorded, Restored, Rewound
from tests.engine.fights import NAME, SEED, noon
from tests.rulesets.coverage import trials

MANY = 3

Waits = tuple[str, ...]
"""The phase, what is asked or offered, whether dice are awaited, what binds people, whether many, and where."""


class Moment(NamedTuple):
    """A moment, and the record that leads there."""

    system: str
    waits: Waits
    recorded: tuple[Recorded, ...]

    def fight(self) -> Fight:
        """Make the fight from its record, as after a restart."""
        history = History()
        history.add(self.recorded)
        return Fight(NAME, load(self.system), history, seed=SEED, clock=noon)


@cache
def moments(system: str) -> tuple[Moment, ...]:
    """Return the first and the last moment of every kind that the scenarios of a system come to."""
    first: dict[Waits, Moment] = {}
    last: dict[Waits, Moment] = {}
    for trial in trials(system):
        recorded = trial.fight.history.recorded
        if not any(isinstance(one.event, Rewound | Restored) for one in recorded):
            for waits, end in _ends(recorded):
                last[waits] = Moment(system, waits, tuple(recorded[:end]))
                first.setdefault(waits, last[waits])
    return (*first.values(), *(moment for waits, moment in last.items() if moment is not first[waits]))


def _ends(recorded: list[Recorded]) -> Iterator[tuple[Waits, int]]:
    """Yield how the fight waits after each command, and how many events led there."""
    draft = Draft(State())
    for one in recorded:
        evolve(draft, one.event)
        if one.more == 0:
            asked = draft.question.about.partition(":")[0] if draft.question else ""
            offered = draft.window.what if draft.window else ""
            bonds = " ".join(sorted({relation.kind for relation in draft.relations.values()}))
            dice = "dice" if draft.awaited else ""
            many = "many" if len(draft.combatants) > MANY else "few"
            where = "" if draft.places else "nowhere"
            yield (draft.phase, asked, offered, dice, bonds, many, where), one.position
