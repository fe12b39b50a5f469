"""Shooting into a crowd: who else stands near the target, and whom the missile finds (HEX-030 to HEX-033)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from affray.engine.core.changes import marked
from affray.engine.core.effects import Roll, Rule, throw
from affray.engine.core.table import Table
from affray.events import Clause, Dice, Id, Judged

from .blows import Blow, Landed, dealt
from .exchange import Swing, evade
from .hexes import around
from .wear import worn_by

CHANCE = 50
"""In so many cases of a hundred somebody else is in danger (HEX-031)."""

EXEMPT = "exempt"
"""The trait of a bystander whom the game master leaves out."""

SCENERY = "scenery"
"""The trait of a hex that counts as occupied although nobody stands there."""


def who_else(table: Table, shooter: Id, target: Id) -> tuple[Id, ...]:
    """Return the occupied hexes next to a target, in the order of the directions (HEX-030).

    Friends and foes count alike, but not the shooter, nor whom the game master exempted.
    """
    return tuple(hex for hex in around(table[target].place) if occupied(table, hex, shooter, target))


def occupied(table: Table, hex: Id, *without: Id) -> bool:
    """Tell whether something a missile could find is in a hex."""
    place = table.draft.places.get(hex)
    return bool(bystander(table, hex, *without)) or (place is not None and SCENERY in place.traits)


def bystander(table: Table, hex: Id, *without: Id) -> Id:
    """Return who could be hit in a hex, or nothing."""
    there = (who for who in table.at(hex) if who not in without and EXEMPT not in table[who].traits)
    return next(there, "")


def endangered(table: Table, first: Swing, target: Id) -> Rule[tuple[Landed, ...]]:
    """Roll whether a random neighbour is in danger, and let it evade; return what hit it (HEX-031 to HEX-033)."""
    near = partial(who_else, table, first.who, target)
    chance = yield from throw(partial(_chance, table, first.who, near))
    if chance is None:
        return ()
    danger = chance.total <= CHANCE
    said = "somebody is endangered" if danger else "nobody is endangered"
    yield Judged(roll=chance.roll, outcome=said, margin=CHANCE - chance.total, rules=("HEX-031",))
    if not danger:
        return ()
    which = yield from throw(partial(_whom, first.who, near))
    hexes = near()
    who = bystander(table, hexes[which.total - 1 if which else 0], first.who, target) if hexes else ""
    if not who:
        return ()
    landed = yield from _found(table, first, who)
    return landed


def _chance(table: Table, shooter: Id, near: Callable[[], tuple[Id, ...]]) -> Roll | None:
    """Return the d100, as long as anybody is near (HEX-030, HEX-031)."""
    before: tuple[Clause, ...] = ("HEX-T36",) if table.config.crowd_when == "divert" else ()
    dice = (Dice(count=1, sides=100, kind="crowd"),)
    rules = ("HEX-030", "HEX-031", *before)
    return Roll(dice=dice, purpose="crowd", by=shooter, against=CHANCE, rules=rules) if near() else None


def _whom(shooter: Id, near: Callable[[], tuple[Id, ...]]) -> Roll | None:
    """Return a die with a face for each occupied hex; a lone one needs none (HEX-032)."""
    dice = (Dice(count=1, sides=len(near()), kind="crowd"),)
    return Roll(dice=dice, purpose="whom", by=shooter, rules=("HEX-032",)) if len(near()) > 1 else None


def _found(table: Table, first: Swing, who: Id) -> Rule[tuple[Landed, ...]]:
    """Let a neighbour evade the shot as it was rolled; otherwise it is hit, without a critical (HEX-033)."""

    def aimed() -> Swing:
        ruled = table.mark(who, "dc")
        return first._replace(total=ruled, face=0) if isinstance(ruled, int) else first

    second = yield from evade(table, first.who, who, lambda: aimed().total, "HEX-033", "HEX-032")
    aim = aimed()
    if table.mark(who, "dc") is not None:
        yield marked(who, "dc", None, "HEX-033")
    if second.roll:
        said = "evades" if escapes(aim, second) else "hit"
        natural: tuple[Clause, ...] = ("HEX-T37",) if second.critical else ()
        yield Judged(roll=second.roll, outcome=said, margin=second.total - aim.total, rules=("HEX-033", *natural))
    if second.roll and escapes(aim, second):
        return ()
    because: tuple[Clause, ...] = ("HEX-033",) if second.roll else ("HEX-033", "HEX-T37", "HEX-G03")
    landed = yield from dealt(table, Blow(first.who, who, first.weapon), because=because)
    yield from worn_by(table, landed)
    return landed


def escapes(aim: Swing, second: Swing) -> bool:
    """Tell whether an evade gets away: on the shot's total or more, and on a natural 20 unless the shot was one."""
    return second.total >= aim.total or (second.critical and not aim.critical)
