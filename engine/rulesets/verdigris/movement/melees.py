"""Melees and the bonds inside them: joining, leaving and dissolving one, grapples, what holds no more."""

from collections.abc import Callable, Collection, Iterable

from affray.engine.core.changes import condition_set
from affray.engine.core.effects import Rule
from affray.engine.core.state import Relation
from affray.engine.kit.relations import bond, bonded, left_by, merge, parted
from affray.engine.rulesets.verdigris import marks
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.sheet import (
    is_enemy,
    is_mount,
    is_participant,
    is_shown,
    known_members,
    melee_of,
    shared_melee,
)
from affray.events import Clause, Id, Member


def engage(table: Table, who: Id, target: Id, *rules: Clause) -> Rule[None]:
    """Let somebody enter the melee of a target, or begin one with it; mounts come along (VER-034, VER-T20).

    Two whom all viewers know begin one also where the target was in a melee that rests on concealed members.
    """
    melee = melee_of(table, target)
    joins = melee is not None and (is_shown(table, melee) or len(table.list_known((who, target))) < 2)
    pair = (*with_mount(table, who), *with_mount(table, target))
    cited = ("VER-034",) if joins else ("VER-031", "VER-T20")
    yield from merge(table, bonded("", "melee", *pair, rules=(*rules, *cited)))


def with_mount(table: Table, who: Id) -> tuple[Member, ...]:
    """Return who goes together: rider and mount, or one alone (VER-060)."""
    ridden = bond(table, "mount", who)
    if ridden is None:
        return (Member(who=who, role="mount" if is_mount(table, who) else ""),)
    return tuple(Member(who=one.who, role="mount" if one.role == "mount" else "") for one in ridden.members)


def part_from(table: Table, melee: Relation, *who: Id, rules: tuple[Clause, ...]) -> Rule[None]:
    """Take members out of a melee, all if none is named; a charge into it ends (VER-T74).

    A melee that viewers know of goes on until it is dissolved (VER-031).
    """
    gone = who or tuple(one.who for one in melee.members)
    spent = [(one, mark) for one in gone for mark in (marks.CHARGING, marks.PUSHING) if mark.is_on(table, one)]
    rules = (*rules, "VER-T74") if spent else rules
    yield parted(melee, *who, rules=rules) if is_shown(table, melee) else left_by(table, melee, *who, rules=rules)
    for one, mark in spent:
        yield mark.struck(one, "VER-T74")


def leave_melee(table: Table, who: Id, *rules: Clause) -> Rule[None]:
    """Take somebody out of its melee, its mount with it, and dissolve a melee that has only one side left."""
    melee = bond(table, "melee", who)
    if melee is None:
        return
    gone = [who]
    ridden = bond(table, "mount", who)
    if ridden is not None:
        gone = [one.who for one in ridden.members if one.who == who or is_mount(table, one.who)]
    yield from release_concealed(table, melee, gone)
    yield from part_from(table, table.draft.relations[melee.id], *gone, rules=rules)
    yield from dissolve(table, melee.id)


def dissolve(table: Table, melee: Id) -> Rule[None]:
    """Dissolve a melee in which one side has no participant left (VER-031)."""
    if melee in table.draft.relations and not is_fought(table, table.draft.relations[melee]):
        yield from release_concealed(table, table.draft.relations[melee])
        yield from part_from(table, table.draft.relations[melee], rules=("VER-031",))


def release_concealed(table: Table, melee: Relation, leaving: Collection[Id] = ()) -> Rule[None]:
    """Let the concealed members leave a melee first, if it ends without them.

    A concealed combatant holds nobody in a melee. So viewers read how it ends as if no concealed one were in it.

    Args:
        leaving: The members that are about to leave.
    """
    known = known_members(table, melee)
    concealed = [one.who for one in melee.members if one.who not in known]
    left = [who for who in known if who not in leaving]
    if concealed and is_shown(table, melee) and len(sides_of(table, left)) < 2:
        yield from part_from(table, melee, *concealed, rules=("VER-031",))


def is_fought(table: Table, melee: Relation) -> bool:
    """Tell whether a melee has participants of two sides, concealed ones only if no viewer knows of the melee."""
    among = known_members(table, melee) if is_shown(table, melee) else [one.who for one in melee.members]
    return len(sides_of(table, among)) > 1


def sides_of(table: Table, people: Iterable[Id]) -> set[str]:
    """Return the sides of the participants among some combatants; mounts are none."""
    return {table[who].side for who in people if not is_mount(table, who) and is_participant(table, who)}


def grapples(table: Table) -> dict[Id, tuple[Relation, ...]]:
    """Return per combatant the grapples it is in. To be asked through ``table.derived``."""
    found: dict[Id, tuple[Relation, ...]] = {}
    for relation in table.draft.relations.values():
        if relation.kind == "grapple":
            for member in relation.members:
                found[member.who] = (*found.get(member.who, ()), relation)
    return found


def let_loose(table: Table, grapple: Relation, *rules: Clause) -> Rule[None]:
    """End a grapple and take its conditions from both (VER-085)."""
    for member in grapple.members:
        if grapple.id in table[member.who].conditions.get("entangled", {}):
            yield condition_set(table, member.who, "entangled", 0, *rules, source=grapple.id)
    yield parted(grapple, rules=rules)


def end_slack_grapples(table: Table, held: Id) -> Rule[None]:
    """End the grapples from which a held combatant has no Entangled left."""
    for grapple in held_by(table, held):
        if grapple.id not in table[held].conditions.get("entangled", {}):
            yield from let_loose(table, grapple, "VER-087")


def let_go(table: Table, who: Id, *rules: Clause) -> Rule[None]:
    """End every grapple that somebody is in."""
    for grapple in table.derived(grapples).get(who, ()):
        yield from let_loose(table, grapple, *rules)


def held_by(table: Table, who: Id) -> tuple[Relation, ...]:
    """Return the grapples in which somebody is held."""
    return tuple(one for one in table.derived(grapples).get(who, ()) if one.members[-1].who == who)


def holding(table: Table, who: Id) -> tuple[Relation, ...]:
    """Return the grapples in which somebody holds another."""
    return tuple(one for one in table.derived(grapples).get(who, ()) if one.members[0].who == who)


def loose_ends(table: Table) -> tuple[Relation, ...]:
    """Return the bonds that do not hold any more. To be asked through ``table.derived``.

    Melees of one side, grapples of two who do not share a melee, saddles without a rider or without a mount.
    """
    return tuple(one for one in table.draft.relations.values() if one.kind in HOLDS and not HOLDS[one.kind](table, one))


def _is_gripping(table: Table, grapple: Relation) -> bool:
    """Tell whether a grapple holds: between two foes in one melee."""
    one, other = grapple.members[0].who, grapple.members[-1].who
    return one != other and is_enemy(table, one, other) and shared_melee(table, one, other) is not None


HOLDS: dict[str, Callable[[Table, Relation], bool]] = {
    "melee": is_fought,
    "grapple": _is_gripping,
    "mount": lambda table, saddle: len(saddle.members) == 2,
}
"""What each kind of bond rests on."""


def tidied(table: Table) -> Rule[None]:
    """End the bonds that do not hold any more, after an action or a ruling."""
    while table.derived(loose_ends):
        one = table.derived(loose_ends)[0]
        if one.kind == "grapple":
            foes = is_enemy(table, one.members[0].who, one.members[-1].who)
            yield from let_loose(table, one, "VER-031" if foes else "VER-081")
        elif one.kind == "melee":
            yield from dissolve(table, one.id)
        else:
            yield parted(one, rules=("VER-060",))
