"""Throwing usage dice, and what a 1 does to the piece that shows it (WYR-039, WYR-040, WYR-056)."""

from __future__ import annotations

from affray.engine.rule import Roll, Rule
from affray.engine.table import Table
from affray.events import DISCARDED, SET_ASIDE, Clause, Dice, DieStepped, Faces, Id, Modifier, Rolled

from .gear import tagged
from .sheet import is_pc
from .sizes import smaller
from .tables import tags

Pool = tuple[Modifier, ...]


def thrown(
    table: Table,
    dice: tuple[Dice, ...],
    purpose: str,
    by: Id,
    rules: tuple[Clause, ...],
    pool: Pool = (),
    against: int | None = None,
) -> Rule[Rolled]:
    """Throw dice and read the highest (WYR-014). A piece that rerolls its 1s does so before the next die falls."""
    again = {one.item for one in dice if one.item and _rerolls(table, one.item)}
    lying: tuple[Faces, ...] = ()
    left = dice
    while True:
        stop = next((at for at, one in enumerate(left) if one.item in again), None)
        now = left if stop is None else left[: stop + 1]
        roll: Rolled = yield Roll(
            dice=now, purpose=purpose, by=by, reading="highest", held=lying, pool=pool, against=against, rules=rules
        )
        if stop is None:
            return roll
        left = left[stop + 1 :]
        *earlier, last = roll.dice
        again.remove(last.item)
        if last.counted == (1,):
            left = (Dice(count=1, sides=last.sides, kind=last.kind, item=last.item), *left)
        else:
            earlier.append(last)
        if not left:
            return roll
        lying = tuple(map(_set_aside, earlier))


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
            yield stepped(table, group.item, "WYR-039" if several[group.kind] > 1 else "WYR-040")


def wears(table: Table, id: Id) -> bool:
    """Tell whether a 1 wears a piece down: not if it is durable, or a foe's and the configuration spares it."""
    item = table.item(id)
    if item.die == 1:
        return True
    if not item.die:
        return False
    if item.kind == "ability":
        return bool(table.config.ability_steps_on_test_1) and smaller(table.config, item.die) > 0
    if not table.config.npc_gear_wears and not (item.owner in table.draft.combatants and is_pc(table, item.owner)):
        return False
    if not item.traits and id not in table.draft.marks:
        return True
    return all(tag not in tags() or tags()[tag].wears for tag in tagged(table, item))


def stepped(table: Table, item: Id, *rules: Clause) -> DieStepped:
    """Step a piece down once; from the end of the chain it is destroyed."""
    before = table.item(item).die
    return DieStepped(item=item, before=before, after=smaller(table.config, before), rules=rules)


def highest(roll: Rolled, kind: str) -> tuple[int, Id]:
    """Return the highest face that counts among dice of a kind, and the piece that showed it; 0 if there are none."""
    found = [(max(group.counted), -at, group.item) for at, group in enumerate(roll.dice) if group.kind == kind]
    face, _, item = max(found, default=(0, 0, ""))
    return face, item
