"""States and choices as arrays of numbers, in the order of a system's vocabulary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from affray.engine.core.draft import Draft
from affray.engine.core.ruleset import Ruleset
from affray.engine.core.state import Combatant, Item, State
from affray.events import Id

from .choices import About, Choice

Floats = NDArray[np.float32]

ABOUT: tuple[About, ...] = get_args(About)
"""Subjects of a choice, in the order of their numbers."""

NOT_THERE = -1.0
"""Stands for a row or a number that does not exist."""


class Coding:
    """The encoding of an encounter's fights as numbers.

    Attributes:
        columns: Names of the numbers of a combatant: presence, own side, acting now, position (two numbers), pools,
            conditions.
        things: Names of the numbers of an item: row of the owner, where it is carried, die, counters.
        facts: Length of the part about the fight as a whole: round and phase.
        length: Number of numbers of a state.
        chosen: Names of the numbers of a choice.
    """

    def __init__(self, ruleset: Ruleset, opening: State) -> None:
        words = ruleset.vocabulary
        self._map = (
            ruleset.board.kind if opening.places or any(one.place for one in opening.combatants.values()) else ""
        )
        self._pools, self._conditions = sorted(words.pools), sorted(words.conditions)
        self._positions = {name: nth for nth, name in enumerate(sorted(words.positions), 1)}
        self._counters = sorted(words.counters)
        self._phases = {name: nth for nth, name in enumerate(sorted(words.phases), 1)}
        self._kinds = {
            name: nth for nth, name in enumerate(sorted({*words.actions, *words.options, *words.manners}), 1)
        }
        forms = {name for form in ruleset.actions.values() for name in form.__struct_encode_fields__}
        self._fields = {name: nth for nth, name in enumerate(sorted(forms), 1)}
        self._zones = {place: nth for nth, place in enumerate(opening.places)}
        self._sides = {one.id: one.side for one in opening.combatants.values()}
        self._items = {item: nth for nth, item in enumerate(opening.items)}
        self.columns = ("there", "own", "acting", "x", "y", *self._pools, *self._conditions)
        self.things = ("owner", "where", "die", *self._counters)
        self.facts = 2
        people, apart = len(self._sides), 0 if self._map else len(self._sides) ** 2
        self.length = self.facts + people * len(self.columns) + apart + len(self._items) * len(self.things)
        self.chosen = ("about", "who", "kind", "field", "combatant", "item", "x", "y", "number")

    @property
    def kinds(self) -> int:
        """Number of kinds of choices, plus one for choices without a kind."""
        return len(self._kinds) + 1

    def people(self, state: Floats) -> Floats:
        """Return the rows of the combatants in an encoded state."""
        size = len(self._sides) * len(self.columns)
        return state[self.facts : self.facts + size].reshape(len(self._sides), len(self.columns))

    def rows(self, side: str) -> dict[Id, int]:
        """Return the row of each combatant for a side. The side's own come first."""
        own = [who for who in self._sides if self._sides[who] == side]
        return {who: nth for nth, who in enumerate([*own, *(who for who in self._sides if self._sides[who] != side)])}

    def state(self, seen: State | Draft, side: str) -> Floats:
        """Encode a state as a side sees it: facts, combatants, distances, items."""
        rows = self.rows(side)
        people = np.zeros((len(rows), len(self.columns)), np.float32)
        for who, one in seen.combatants.items():
            if who in rows:
                people[rows[who]] = self._person(one, side, acting=who in seen.acting)
        facts = np.array([seen.round, self._phases.get(seen.phase, 0)], np.float32)
        parts = [facts, people.ravel()]
        if not self._map:
            parts.append(_apart(seen.distances, rows))
        return np.concatenate([*parts, self._belongings(seen.items, rows)])

    def _person(self, one: Combatant, side: str, *, acting: bool) -> list[float]:
        """Encode a combatant."""
        pools = [float(one.pools.get(pool, NOT_THERE)) for pool in self._pools]
        conditions = [float(sum(one.conditions.get(name, {}).values())) for name in self._conditions]
        return [1.0, float(one.side == side), float(acting), *self._at(one.place), *pools, *conditions]

    def _at(self, place: Id) -> tuple[float, float]:
        """Encode a place: two coordinates, or the index of a zone."""
        if not place or not self._map:
            return NOT_THERE, NOT_THERE
        if self._map == "zones":
            return float(self._zones.get(place, NOT_THERE)), 0.0
        x, _, y = place.partition(",")
        return float(x), float(y)

    def _belongings(self, items: Mapping[Id, Item], rows: Mapping[Id, int]) -> Floats:
        """Encode the items."""
        found = np.full((len(self._items), len(self.things)), NOT_THERE, np.float32)
        for item, nth in self._items.items():
            one = items.get(item)
            if one is not None:
                owner, where = rows.get(one.owner, NOT_THERE), self._positions.get(one.where, 0)
                found[nth] = [owner, where, one.die, *(one.counters.get(name, NOT_THERE) for name in self._counters)]
        return found.ravel()

    def choices(self, offered: Sequence[Choice], side: str, most: int) -> Floats:
        """Encode choices, a row for each, and fill up with empty rows."""
        rows = self.rows(side)
        found = np.full((most, len(self.chosen)), NOT_THERE, np.float32)
        for nth, one in enumerate(offered):
            found[nth] = self._choice(one, rows)
        return found

    def _choice(self, one: Choice, rows: Mapping[Id, int]) -> list[float]:
        """Encode a choice."""
        value: Any = one.value
        text = value if isinstance(value, str) else ""
        number = float(value) if isinstance(value, int) else float(one.nth)
        return [
            float(ABOUT.index(one.about)),
            rows.get(one.who, NOT_THERE),
            self._kinds.get(one.kind, 0),
            self._fields.get(one.field, 0),
            rows.get(text, NOT_THERE),
            self._items.get(text, NOT_THERE),
            *(self._at(text) if one.names == "place" else (NOT_THERE, NOT_THERE)),
            number,
        ]


def _apart(distances: Mapping[Id, Mapping[Id, int]], rows: Mapping[Id, int]) -> Floats:
    """Encode the stated distances between combatants."""
    found = np.full((len(rows), len(rows)), NOT_THERE, np.float32)
    for one in [one for one in distances if one in rows]:
        for other, far in distances[one].items():
            if other in rows:
                found[rows[one], rows[other]] = found[rows[other], rows[one]] = far
    return found.ravel()
