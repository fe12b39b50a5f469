"""Invariants of Worlds Without Number."""

from __future__ import annotations

from collections.abc import Iterator

from affray.engine.core.table import Table
from affray.engine.kit.sheets import is_pc
from affray.engine.rulesets.wwn.sheet import is_active, is_mount
from tests.metamorphic.sound.common import Sound, apart, in_several, members, of_kind, pairs, those_of_the_slot_act


def riders_sit_on_one_mount_each(table: Table) -> Iterator[str]:
    """A rider has one mount, a mount one rider, who is no mount; both are at one place (WWN-053, WWN-056)."""
    saddles = of_kind(table, "riding")
    yield from pairs(table, "riding", "rider", "mount")
    yield from in_several(saddles)
    yield from apart(table, "riding")
    yield from (one.id for one in saddles if [is_mount(table, who) for who in members(one)] != [False, True])


def mounts_that_are_down_carry_nobody(table: Table) -> Iterator[str]:
    """Such a mount throws its rider (WWN-064)."""
    yield from (one.id for one in of_kind(table, "riding") if not is_active(table, members(one)[-1]))


def ridden_mounts_have_no_turn_of_their_own(table: Table) -> Iterator[str]:
    """They act in their riders' (WWN-053)."""
    ridden = {members(one)[-1] for one in of_kind(table, "riding")}
    yield from (who for who in table.draft.acting if who in ridden)


def who_has_no_hit_points_is_down(table: Table) -> Iterator[str]:
    """A combatant at 0 hit points is felled (WWN-025, WWN-064)."""
    yield from (who for who, one in table.draft.combatants.items() if not one.pools.get("hp") and is_active(table, who))


def groups_are_of_foes(table: Table) -> Iterator[str]:
    """Each in one at the most; a PC rolls alone (WWN-001, WWN-003)."""
    groups = of_kind(table, "group")
    yield from in_several(groups)
    yield from (f"{who} in {one.id}" for one in groups for who in members(one) if is_pc(table, who))


SOUND = Sound(
    takes_part=is_active,
    invariants=(
        those_of_the_slot_act,
        riders_sit_on_one_mount_each,
        mounts_that_are_down_carry_nobody,
        ridden_mounts_have_no_turn_of_their_own,
        who_has_no_hit_points_is_down,
        groups_are_of_foes,
    ),
    keeps_its_turn="whoever falls while the others of its slot act goes on if it can fight again before they are done",
    even_so={
        "end_turn": "that its turn is over may be said of anybody who has one (WWN-003)",
        "weapon": "once the die has fallen the attacker need no longer be there (WWN-T43)",
    },
)
