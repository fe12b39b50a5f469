"""Invariants of Verdigris."""

from __future__ import annotations

from collections.abc import Iterator

from affray.engine.core.table import Table
from affray.engine.rulesets.verdigris.sheet import is_able, is_in_play, is_mount, is_participant
from tests.metamorphic.sound.common import Sound, apart, in_several, members, of_kind, pairs


def melees_are_of_two_sides(table: Table) -> Iterator[str]:
    """With a participant of each, animals aside (VER-031, VER-037)."""
    for one in of_kind(table, "melee"):
        fighters = [who for who in members(one) if is_participant(table, who) and not is_mount(table, who)]
        if len({table[who].side for who in fighters}) < 2:
            yield f"{one.id}: {fighters}"


def who_is_in_a_melee_is_in_play_and_in_one_zone(table: Table) -> Iterator[str]:
    """In one melee at a time, within striking distance (VER-019, VER-031, VER-090)."""
    melees = of_kind(table, "melee")
    yield from in_several(melees)
    yield from apart(table, "melee")
    yield from (f"{who} in {one.id}" for one in melees for who in members(one) if not is_in_play(table, who))


def grapples_hold_two_of_one_melee(table: Table) -> Iterator[str]:
    """Each of the two has the condition of that grapple (VER-081, VER-083, VER-084)."""
    yield from pairs(table, "grapple", "grappler", "held")
    melees = [set(members(one)) for one in of_kind(table, "melee")]
    grapples = of_kind(table, "grapple")
    yield from (one.id for one in grapples if not any(set(members(one)) <= melee for melee in melees))
    held = {(members(one)[-1], one.id) for one in grapples}
    borne = {
        (who, source)
        for who, one in table.draft.combatants.items()
        for source in one.conditions.get("entangled", {})
        if source.startswith("grapple")
    }
    both = {(who, one.id) for one in grapples for who in members(one)}
    yield from (f"{who} by {by}" for who, by in (held - borne) | (borne - both))


def riders_sit_on_one_mount_each(table: Table) -> Iterator[str]:
    """In one zone and one melee with it, both in play (VER-060, VER-068)."""
    saddles = of_kind(table, "mount")
    yield from in_several(saddles)
    yield from apart(table, "mount")
    for one in saddles:
        roles = sorted(member.role for member in one.members)
        engaged = {melee.id for melee in of_kind(table, "melee") if not set(members(melee)).isdisjoint(members(one))}
        whole = [melee for melee in engaged if set(members(one)) <= set(members(table.draft.relations[melee]))]
        if roles != ["mount", "rider"] or len(engaged) != len(whole):
            yield f"{one.members}, in {engaged}"
        yield from (f"{who} of {one.id} is out" for who in members(one) if not is_in_play(table, who))


def who_cannot_act_has_readied_nothing(table: Table) -> Iterator[str]:
    """And what is noted of a readied action belongs to one (VER-072, VER-075)."""
    for who, one in table.draft.combatants.items():
        noted = any(table.draft.marks.get(who, {}).get("readied", ()))
        if one.has("readied") and not is_able(table, who):
            yield f"{who} has readied, and {sorted(one.conditions)}"
        if noted and not one.has("readied"):
            yield f"{who} has {dict(table.draft.marks[who])}"


def mounts_have_no_turn(table: Table) -> Iterator[str]:
    """An animal acts in its rider's (VER-060)."""
    yield from (who for who in table.draft.acting if is_mount(table, who))


def one_acts_at_a_time(table: Table) -> Iterator[str]:
    """The sides take turns, one combatant each (VER-009)."""
    if len(table.draft.acting) > 1:
        yield " ".join(table.draft.acting)


SOUND = Sound(
    takes_part=is_in_play,
    invariants=(
        melees_are_of_two_sides,
        who_is_in_a_melee_is_in_play_and_in_one_zone,
        grapples_hold_two_of_one_melee,
        riders_sit_on_one_mount_each,
        who_cannot_act_has_readied_nothing,
        mounts_have_no_turn,
        one_acts_at_a_time,
    ),
)
