"""Melees and the bonds inside them: joining, leaving, dissolving, grapples."""

from collections.abc import Callable, Collection, Iterable

from affray.engine.core.effects import Rule
from affray.engine.core.state import Relation
from affray.engine.kit.relations import (
    end_relation,
    find_relation,
    leave_relation,
    merge_relations,
    remove_members,
    set_relation,
)
from affray.engine.rulesets.verdigris import marks
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.sheet import (
    is_enemy,
    is_mount,
    is_participant,
    is_shown,
    list_known_members,
    melee_of,
    shared_melee,
)
from affray.events import Clause, Id, Member


def engage(table: Table, who: Id, target: Id, *rules: Clause) -> Rule[None]:
    """Let a combatant enter a target's melee, or begin one, mounts included (VER-034, VER-T20).

    Two combatants known to all viewers begin a new melee if the target's rests on concealed members.
    """
    melee = melee_of(table, target)
    joins = melee is not None and (is_shown(table, melee) or len(table.list_known((who, target))) < 2)
    pair = (*list_with_mount(table, who), *list_with_mount(table, target))
    cited = ("VER-034",) if joins else ("VER-031", "VER-T20")
    yield from merge_relations(table, set_relation("", "melee", *pair, rules=(*rules, *cited)))


def list_with_mount(table: Table, who: Id) -> tuple[Member, ...]:
    """Return rider and mount as members, or the combatant alone (VER-060)."""
    ridden = find_relation(table, "mount", who)
    if ridden is None:
        return (Member(who=who, role="mount" if is_mount(table, who) else ""),)
    return tuple(Member(who=one.who, role="mount" if one.role == "mount" else "") for one in ridden.members)


def part_from(table: Table, melee: Relation, *who: Id, rules: tuple[Clause, ...]) -> Rule[None]:
    """Take members out of a melee, all if none is named; end their charges (VER-T74).

    A melee that viewers know of lasts until it is dissolved (VER-031).
    """
    gone = who or tuple(one.who for one in melee.members)
    spent = [(one, mark) for one in gone for mark in (marks.CHARGING, marks.PUSHING) if mark.is_on(table, one)]
    rules = (*rules, "VER-T74") if spent else rules
    yield (
        remove_members(melee, *who, rules=rules)
        if is_shown(table, melee)
        else leave_relation(table, melee, *who, rules=rules)
    )
    for one, mark in spent:
        yield mark.clear_on(one, "VER-T74")


def leave_melee(table: Table, who: Id, *rules: Clause) -> Rule[None]:
    """Take a combatant and its mount out of its melee; dissolve a one-sided melee."""
    melee = find_relation(table, "melee", who)
    if melee is None:
        return
    gone = [who]
    ridden = find_relation(table, "mount", who)
    if ridden is not None:
        gone = [one.who for one in ridden.members if one.who == who or is_mount(table, one.who)]
    yield from release_concealed(table, melee, gone)
    yield from part_from(table, table.draft.relations[melee.id], *gone, rules=rules)
    yield from dissolve(table, melee.id)


def dissolve(table: Table, melee: Id) -> Rule[None]:
    """Dissolve a melee without participants on one side (VER-031)."""
    if melee in table.draft.relations and not is_fought(table, table.draft.relations[melee]):
        yield from release_concealed(table, table.draft.relations[melee])
        yield from part_from(table, table.draft.relations[melee], rules=("VER-031",))


def release_concealed(table: Table, melee: Relation, leaving: Collection[Id] = ()) -> Rule[None]:
    """Let the concealed members leave a melee first, if it ends without them.

    A concealed combatant holds no other in a melee. So viewers see it end as if no concealed combatant were in it.

    Args:
        leaving: The members that are about to leave.
    """
    known = list_known_members(table, melee)
    concealed = [one.who for one in melee.members if one.who not in known]
    left = [who for who in known if who not in leaving]
    if concealed and is_shown(table, melee) and len(sides_of(table, left)) < 2:
        yield from part_from(table, melee, *concealed, rules=("VER-031",))


def is_fought(table: Table, melee: Relation) -> bool:
    """Tell whether a melee has participants of two sides.

    Concealed ones count only if no viewer knows of the melee.
    """
    among = list_known_members(table, melee) if is_shown(table, melee) else [one.who for one in melee.members]
    return len(sides_of(table, among)) > 1


def sides_of(table: Table, people: Iterable[Id]) -> set[str]:
    """Return the sides of the participants among some combatants, without mounts."""
    return {table[who].side for who in people if not is_mount(table, who) and is_participant(table, who)}


def grapples(table: Table) -> dict[Id, tuple[Relation, ...]]:
    """Return each combatant's grapples. Ask it through ``table.derive``."""
    found: dict[Id, tuple[Relation, ...]] = {}
    for relation in table.draft.relations.values():
        if relation.kind == "grapple":
            for member in relation.members:
                found[member.who] = (*found.get(member.who, ()), relation)
    return found


def end_slack_grapples(table: Table, held: Id) -> Rule[None]:
    """End a held combatant's grapples that have no Entangled left."""
    for grapple in list_grapples_on(table, held):
        if grapple.id not in table[held].conditions.get("entangled", {}):
            yield from end_relation(table, grapple, "VER-087")


def end_grapples_of(table: Table, who: Id, *rules: Clause) -> Rule[None]:
    """End every grapple that a combatant is in."""
    for grapple in table.derive(grapples).get(who, ()):
        yield from end_relation(table, grapple, *rules)


def list_grapples_on(table: Table, who: Id) -> tuple[Relation, ...]:
    """Return the grapples that hold a combatant."""
    return tuple(one for one in table.derive(grapples).get(who, ()) if one.members[-1].who == who)


def list_grapples_by(table: Table, who: Id) -> tuple[Relation, ...]:
    """Return the grapples that a combatant holds."""
    return tuple(one for one in table.derive(grapples).get(who, ()) if one.members[0].who == who)


def list_loose_bonds(table: Table) -> tuple[Relation, ...]:
    """Return the bonds that no longer hold. Ask it through ``table.derive``.

    They are one-sided melees, grapples across melees, and saddles without rider or mount.
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
"""For each kind of bond, the test whether it still holds."""


def tidy_bonds(table: Table) -> Rule[None]:
    """End the bonds that no longer hold, after an action or a ruling."""
    while table.derive(list_loose_bonds):
        one = table.derive(list_loose_bonds)[0]
        if one.kind == "grapple":
            foes = is_enemy(table, one.members[0].who, one.members[-1].who)
            yield from end_relation(table, one, "VER-031" if foes else "VER-081")
        elif one.kind == "melee":
            yield from dissolve(table, one.id)
        else:
            yield remove_members(one, rules=("VER-060",))
