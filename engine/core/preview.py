"""The preview of an action, and computed facts about a combatant."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from affray.events import Clause, refs


class HarmDone(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A range of likely harm.

    Attributes:
        least, mean, most: The harm, before it is limited by how much the target has left.
        pool: The counter that it is taken from; empty where the rules take it from none.
    """

    least: int
    mean: float
    most: int
    pool: refs.PoolName = ""


class Cost(Struct, frozen=True):
    """The amount that declaring an action takes from a counter."""

    pool: refs.PoolName
    amount: int


class Provoked(Struct, frozen=True, omit_defaults=True):
    """A combatant that may strike because of an action, and the clause that lets it."""

    who: refs.CombatantId
    rule: Clause = ""


class Prospect(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The preview of a declaration. Unknown or inapplicable values are left out.

    Attributes:
        chance: The chance that it works, such as a hit chance: from 0 to 1.
        harm: The harm if it works.
        failing: The harm to the target even if it does not work.
        risk: The chance that the actor is hurt in turn, by the same dice.
        suffers: The harm to the actor in that case.
        to: The place where the actor ends.
        way: The cost of the way, in the unit of places.
        costs: The costs of declaring it.
        provokes: The combatants that may strike because of it, in the order in which they are asked.
        unknown: The names of these fields that would have a value if no fact behind them were hidden or left to a
            choice.
        says: Further facts, in a sentence or two of the system.
    """

    chance: float | None = None
    harm: HarmDone | None = None
    failing: HarmDone | None = None
    risk: float | None = None
    suffers: HarmDone | None = None
    to: refs.PlaceId = ""
    way: int = 0
    costs: tuple[Cost, ...] = ()
    provokes: tuple[Provoked, ...] = ()
    unknown: tuple[str, ...] = ()
    says: str = ""


NOTHING_KNOWN = Prospect()
"""The preview of a system without previews."""


class Glance(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Facts about a combatant for the game master that no counter or relation holds.

    Attributes:
        numbers: Computed numbers, such as the present armour class, by the names of stats.
        foes: The known enemies in melee with the combatant.
    """

    numbers: Mapping[refs.StatName, int] = {}
    foes: tuple[refs.CombatantId, ...] = ()


NOTHING_TO_SEE = Glance()
"""The glance of a system whose counters and relations show everything."""
