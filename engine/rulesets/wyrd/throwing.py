"""Throwing usage dice, and what a 1 does to the piece that shows it (WYR-039, WYR-040, WYR-056)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from msgspec.structs import replace

from affray.engine.core.effects import Roll, Rule, throw
from affray.engine.core.table import Table
from affray.events import DISCARDED, SET_ASIDE, Clause, Dice, DieStepped, Faces, Id, Modifier, Rolled

from .gear import tagged, taken_up
from .sheet import is_pc
from .sizes import smaller
from .tables import tags

Pool = tuple[Modifier, ...]


def thrown(table: Table, wanted: Callable[[], Roll | None]) -> Rule[Rolled | None]:
    """Throw what the present wants; a piece that rerolls its 1s does so before the next die falls.

    Args:
        table: The fight.
        wanted: The whole roll, read from the table; ``None`` if there is nothing to throw, or no more.
    """
    lying: tuple[Faces, ...] = ()
    again: tuple[Id, ...] = ()
    while True:
        roll = yield from throw(partial(_next, table, wanted, lying, again))
        if roll is None:
            return None
        *earlier, last = roll.dice
        if not last.item or last.item in again or not _rerolls(table, last.item):
            return roll
        again = (*again, last.item)
        if last.counted != (1,):
            earlier.append(last)
        lying = tuple(map(_set_aside, earlier))
        left = _next(table, wanted, lying, again)
        if left is None or not left.dice:
            return roll


def _next(
    table: Table, wanted: Callable[[], Roll | None], lying: tuple[Faces, ...], again: tuple[Id, ...]
) -> Roll | None:
    """Return what is thrown next: up to the first piece that may have to be rerolled; once, if it is rerolled now."""
    roll = wanted()
    if roll is None:
        return None
    left = _left(roll.dice, lying, again) if again else roll.dice
    twice = bool(again)
    for at, one in enumerate(left, 1):
        twice = twice or one.keep != ""
        if one.item and one.item not in again and _rerolls(table, one.item):
            left = left[:at]
            break
    if left is roll.dice and not twice:
        return roll
    return replace(roll, dice=left, held=lying, rules=(*roll.rules, "WYR-T52") if twice else roll.rules)


def _left(dice: tuple[Dice, ...], lying: tuple[Faces, ...], again: tuple[Id, ...]) -> tuple[Dice, ...]:
    """Return the dice that do not lie there yet."""
    fallen = {(group.kind, group.item) for group in lying}
    left = [one for one in dice if (one.kind, one.item) not in fallen]
    return tuple([replace(one, count=1, keep="") if one.item and one.item in again else one for one in left])


def _rerolls(table: Table, id: Id) -> bool:
    item = table.item(id)
    if not item.traits and id not in table.draft.marks:
        return False
    return any(tag in tags() and tags()[tag].rerolls for tag in tagged(table, item))


def _set_aside(group: Faces) -> Faces:
    """Return a group as it lies while further dice are thrown."""
    fates = group.fates or (SET_ASIDE,) * len(group.faces)
    return Faces(
        sides=group.sides,
        faces=group.faces,
        kind=group.kind,
        item=group.item,
        fates=tuple(DISCARDED if fate == DISCARDED else SET_ASIDE for fate in fates),
    )


def worn_down(table: Table, roll: Rolled) -> Rule[None]:
    """Step down every piece whose die showed a 1 that counts, after the roll; its face still counts (WYR-039, 040)."""
    several: dict[str, int] = {}
    for group in roll.dice:
        several[group.kind] = several.get(group.kind, 0) + 1
    for group in roll.dice:
        if group.item and 1 in group.counted and wears(table, group.item):
            yield stepped(table, group.item, *_worn_by(table, group, several[group.kind]))


def _worn_by(table: Table, group: Faces, several: int) -> tuple[Clause, ...]:
    """Return why a 1 steps a piece down, from its own size even if it was rolled smaller (WYR-039, WYR-040, Terms)."""
    rule = "WYR-039" if several > 1 else "WYR-040"
    if group.kind == "ability":
        rule = "WYR-T06"
    elif group.kind not in ("weapon", "armor"):
        rule = "WYR-T05"
    return (rule, "WYR-T14") if group.sides < table.item(group.item).die else (rule,)


def wears(table: Table, id: Id) -> bool:
    """Tell whether a 1 wears a piece down: not if it is durable, or a foe's and the configuration spares it."""
    item = table.item(id)
    if item.die == 1:
        return True
    if not item.die:
        return False
    if item.kind == "ability":
        return bool(table.config.ability_steps_on_test_1 and smaller(table.config, item.die))
    if not table.config.npc_gear_wears and not (item.owner in table.draft.combatants and is_pc(table, item.owner)):
        return False
    return all(tag not in tags() or tags()[tag].wears for tag in tagged(table, item))


def stepped(table: Table, item: Id, *rules: Clause) -> DieStepped:
    """Step a piece down once; from the end of the chain it is destroyed."""
    return stepped_to(table, item, smaller(table.config, table.item(item).die), *rules)


def stepped_to(table: Table, item: Id, after: int, *rules: Clause) -> DieStepped:
    """Give a piece another size; at 0 it is destroyed and fills no slot any more, be it single-use or worn out."""
    before = table.item(item).die
    if before == 1:
        rules = (*rules, "WYR-T03")
    if not after:
        rules = (*rules, "WYR-T46")
    return DieStepped(item=item, before=before, after=after, rules=rules)


def used(roll: Rolled) -> tuple[Id, ...]:
    """Return the weapons whose dice were thrown."""
    return tuple([group.item for group in roll.dice if group.kind == "weapon"])


def drawn(table: Table, who: Id, roll: Rolled) -> Rule[None]:
    """Have in hand what was thrown; only while real dice are awaited can it be something else than before."""
    if table.draft.dice_sources:
        yield from taken_up(table, who, used(roll))


def highest(roll: Rolled, kind: str) -> tuple[int, Id]:
    """Return the highest face that counts among dice of a kind, and the piece that showed it; 0 if there are none."""
    found = [(max(group.counted), group.item) for group in roll.dice if group.kind == kind]
    return max(found, key=lambda one: one[0], default=(0, ""))
