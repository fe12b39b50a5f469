"""Moments of a fight, made by what was done before."""

from __future__ import annotations

from typing import Any

from affray.engine import Fight, begin_fight
from affray.events import Ruled
from tests.engine.fights import SEED, noon
from tests.rulesets.statistics import acted, declared, params

GROG = {
    "name": "Grog",
    "side": "a",
    "pc": True,
    "power": 8,
    "weapons": ["greatsword", "dirk"],
    "protection": ["maille"],
}
MIRA = {"name": "Mira", "side": "a", "pc": True, "grace": 8, "weapons": ["shortsword", "dagger", "longbow"]}
ORC = {"name": "Orc", "side": "b", "weapons": ["orc_spear"], "protection": ["maille", "helmet"]}
BANDIT = {"name": "Bandit", "side": "b", "weapons": ["musket"]}


def moment(*people: dict[str, Any], ruled: tuple[Ruled, ...] = (), begun: bool = True, **said: Any) -> Fight:
    """Return a fight of these people that has begun, or not, in which something was ruled."""
    told = {"system": "wyrd", "combatant": list(people), **said}
    fight = begin_fight("a moment", told, who="gm", seed=SEED, clock=noon)
    if begun:
        acted(fight, declared("gm", "begin"))
    for one in ruled:
        acted(fight, one)
    return fight


def ruling(kind: str, **said: Any) -> Ruled:
    """Return a ruling."""
    return Ruled(kind=kind, params=params(**said), reason="so it is")
