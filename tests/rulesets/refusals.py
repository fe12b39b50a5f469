"""Refusals that the scenarios meet, beside the titles of the clauses that they cite.

Each system has a table, ``refusals.toml``. A person has looked at every message of it: the clause says what the
message refuses. ``…`` in a message stands for a name, an id or a number.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from affray.engine.core.ruleset import Ruleset
from affray.engine.core.state import State
from affray.events import Clause
from affray.tools.scenarios.scenario_run import ScenarioRun

GAP = "…"
UNCITED = "no clause"
"""The heading of the refusals that hold in every system, and cite no clause."""


class Reviewed(NamedTuple):
    """A row of a table: a clause, its title when a person looked, and a message."""

    clause: Clause
    title: str
    message: str

    def matches(self, clause: Clause, said: str) -> bool:
        """Tell whether a refusal is the one of this row."""
        return clause == self.clause and _pattern(self.message).fullmatch(said) is not None

    def __str__(self) -> str:
        return f'under [{_heading(self.clause)}] "{self.title}": "{self.message}",'


def read_table(path: Path) -> tuple[Reviewed, ...]:
    """Return the reviewed pairs of a system."""
    sections = tomllib.loads(path.read_text("utf-8"))
    return tuple(
        Reviewed("" if heading == UNCITED else heading, section["title"], message)
        for heading, section in sections.items()
        for message in section["messages"]
    )


def find_unreviewed(reviewed: Iterable[Reviewed], ruleset: Ruleset, trials: Iterable[ScenarioRun]) -> list[str]:
    """Return a row to add, once it was looked at, for each refusal without one."""
    rows = [row for row in reviewed if row.title == _title(ruleset, row.clause)]
    new = {
        Reviewed(clause, _title(ruleset, clause), _without_values(said, state))
        for (clause, said), state in collect_refusals(trials).items()
        if not any(row.matches(clause, said) for row in rows)
    }
    return [str(row) for row in sorted(new)]


def find_unmet(reviewed: Iterable[Reviewed], trials: Iterable[ScenarioRun]) -> list[str]:
    """Return the rows that no refusal matches."""
    met = collect_refusals(trials)
    return [str(row) for row in reviewed if not any(row.matches(*one) for one in met)]


def collect_refusals(trials: Iterable[ScenarioRun]) -> Mapping[tuple[Clause, str], State]:
    """Return each clause and message that a step was refused with, and the state of the fight."""
    return {(one.clause, one.message): trial.fight.state for trial in trials for one in trial.found if one.refused}


def _title(ruleset: Ruleset, clause: Clause) -> str:
    return ruleset.clauses[clause].title if clause else ""


def _heading(clause: Clause) -> str:
    return clause or f'"{UNCITED}"'


def _without_values(said: str, state: State) -> str:
    """Return a message with a gap for each name, id and number."""
    people = [*state.combatants.values(), *state.departed.values()]
    names = {word for one in people for word in (one.name, one.id, one.side)} | {*state.places}
    names |= {word for item in state.items.values() for word in (item.name, item.id)}
    known = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True) if name)
    return re.sub(rf"(?<!\w)(?:{known}|[WN]?\d+(?:,[WN]?\d+)?)(?!\w)", GAP, said)


@cache
def _pattern(message: str) -> re.Pattern[str]:
    return re.compile(".+".join(map(re.escape, message.split(GAP))), re.DOTALL)
