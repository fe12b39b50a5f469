"""What an action promises, and what a game master looks up of a combatant."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from affray.events import Clause, refs


class HarmDone(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How much harm is likely to be done, where any is.

    Attributes:
        least, mean, most: What it comes to, before it is seen how much there is left to take.
        pool: From which counter it is taken; empty where the rules take it from none.
    """

    least: int
    mean: float
    most: int
    pool: refs.PoolName = ""


class Cost(Struct, frozen=True):
    """What declaring takes from a counter."""

    pool: refs.PoolName
    amount: int


class Provoked(Struct, frozen=True, omit_defaults=True):
    """Somebody who may strike because of it, and by which clause."""

    who: refs.CombatantId
    rule: Clause = ""


class Prospect(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is known beforehand of a declaration. What does not apply is left out, and so is what cannot be known.

    Attributes:
        chance: The chance that it works, such as that a blow hits: from 0 to 1.
        harm: What it does if it works.
        failing: What it does to the target even if it does not work.
        risk: The chance that whoever declares it is hurt in turn, by the same dice.
        suffers: What that does.
        to: Where it takes whoever declares it.
        way: What the way costs, in the unit of places.
        costs: What declaring it takes.
        provokes: Who may strike because of it, in the order in which they are asked.
        unknown: Which of these would be there if nothing that they rest on were hidden or left to somebody.
        says: What else is worth knowing, in a sentence or two of the system.
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
"""The prospect of what no system says anything about."""


class Glance(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a game master looks up of a combatant, and no counter or relation holds.

    Attributes:
        numbers: Numbers as they count now, such as the armour class, by the names of stats.
        foes: The known enemies in melee with the combatant.
    """

    numbers: Mapping[refs.StatName, int] = {}
    foes: tuple[refs.CombatantId, ...] = ()


NOTHING_TO_SEE = Glance()
"""The glance of a system whose counters and relations tell everything."""
