"""Invariants of Hexblade."""

from __future__ import annotations

from collections.abc import Iterator

from affray.engine.core.table import Table
from affray.engine.kit.hexes import hex_neighbours
from affray.engine.kit.sheets import stat
from affray.engine.kit.sides import are_enemies
from affray.engine.rulesets.hexblade.sheet import is_active
from tests.metamorphic.sound.common import Sound, members, of_kind, pairs, those_of_the_slot_act


def grapples_hold_two_who_are_able_and_adjacent(table: Table) -> Iterator[str]:
    """In neighbouring hexes, unless a ruling gave one of them a longer reach (HEX-058, HEX-059, HEX-G02, HEX-T22)."""
    yield from pairs(table, "grapple", "holder", "held")
    for one in of_kind(table, "grapple"):
        places = [table[who].place for who in members(one)]
        near = places[1] in hex_neighbours(places[0]) or any(stat(table, who, "reach") > 1 for who in members(one))
        if not near or not all(is_active(table, who) for who in members(one)):
            yield f"{one.id} at {places}"


def who_is_grappled_is_in_a_grapple(table: Table) -> Iterator[str]:
    """And both who are in one are grappled by it (HEX-059, HEX-G02)."""
    held = {(who, one.id) for one in of_kind(table, "grapple") for who in members(one)}
    borne = {
        (who, source)
        for who, one in table.draft.combatants.items()
        for source in one.conditions.get("grappled", {})
        if source.startswith("grapple:")
    }
    yield from (f"{who} by {by}" for who, by in held ^ borne)


def flanked_and_overrun_are_as_the_map_has_it(table: Table) -> Iterator[str]:
    """Known enemies in two opposite hexes, or in four, who are able (HEX-072, HEX-074, HEX-075)."""
    for who, one in table.draft.combatants.items():
        ring = [
            any(is_active(table, other) and are_enemies(table, who, other) for other in table.list_known(table.at(hex)))
            for hex in hex_neighbours(one.place)
        ]
        flanked = any(ring[at] and ring[at + 3] for at in range(3)) if ring else False
        if (one.has("flanked"), one.has("overrun")) != (flanked, sum(ring) >= 4):
            yield f"{who} has {sorted(one.conditions)}, with enemies {ring}"


def the_slain_have_left_the_map(table: Table) -> Iterator[str]:
    """A combatant that is down is prone (HEX-G03)."""
    for who, one in table.draft.combatants.items():
        if (one.has("slain") and one.place) or (one.has("down") and not one.has("prone")):
            yield f"{who} at {one.place or 'no place'} has {sorted(one.conditions)}"


def one_acts_at_a_time(table: Table) -> Iterator[str]:
    """Each combatant has a separate turn (HEX-001)."""
    if len(table.draft.acting) > 1:
        yield " ".join(table.draft.acting)


SOUND = Sound(
    takes_part=is_active,
    invariants=(
        those_of_the_slot_act,
        grapples_hold_two_who_are_able_and_adjacent,
        who_is_grappled_is_in_a_grapple,
        flanked_and_overrun_are_as_the_map_has_it,
        the_slain_have_left_the_map,
        one_acts_at_a_time,
    ),
)
