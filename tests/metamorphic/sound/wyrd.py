"""Invariants of Wyrd."""

from __future__ import annotations

from collections.abc import Iterator

from affray.engine.core.table import Table
from affray.engine.kit.sides import are_enemies
from affray.engine.rulesets.wyrd.movement.melee import is_adjacent
from affray.engine.rulesets.wyrd.sheet import is_active
from tests.metamorphic.sound.common import Sound, in_several, members, of_kind, those_of_the_slot_act


def who_is_engaged_can_strike_an_enemy_of_the_melee(table: Table) -> Iterator[str]:
    """Each in one melee, up, and within reach of an enemy in it (WYR-017, WYR-053, WYR-T22)."""
    melees = of_kind(table, "melee")
    yield from in_several(melees)
    for one in melees:
        people = members(one)
        for who in people:
            foes = [other for other in people if are_enemies(table, who, other) and is_adjacent(table, who, other)]
            if not is_active(table, who) or not foes:
                yield f"{who} in {one.id} of {people}"


def sides_act_together(table: Table) -> Iterator[str]:
    """The acting combatants are of the active side (WYR-002, WYR-005)."""
    yield from (
        f"{who} in the turn of {table.draft.up}" for who in table.draft.acting if table[who].side != table.draft.up
    )


def everybody_is_in_the_order_of_its_side(table: Table) -> Iterator[str]:
    """Once the sides take turns (WYR-002)."""
    for who, one in table.draft.combatants.items() if table.draft.slots else ():
        if [slot.id for slot in table.draft.slots if who in slot.members] != [one.side]:
            yield f"{who} of {one.side}"


SOUND = Sound(
    takes_part=is_active,
    invariants=(
        those_of_the_slot_act,
        who_is_engaged_can_strike_an_enemy_of_the_melee,
        sides_act_together,
        everybody_is_in_the_order_of_its_side,
    ),
    even_so={"damage": "who is helpless is hit without a test, and armor and Power count (WYR-G03)"},
)
