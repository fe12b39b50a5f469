"""Falling out of the fight: what slaying somebody ends (VER-031, VER-042, VER-068, VER-075, VER-090)."""

from __future__ import annotations

from affray.engine.core.changes import condition_set, marked
from affray.engine.core.effects import Rule
from affray.engine.core.state import Relation
from affray.engine.core.table import Table
from affray.engine.kit.relations import bond, bonded, parted
from affray.events import Clause, Id

from .sheet import in_play, is_mount, takes_part

READIED = ("order", "trigger", "zone", "through", "whom", "weapon", "text")
"""What is noted about a readied action."""


def rid_of(table: Table, who: Id, condition: str, *rules: Clause) -> Rule[None]:
    """Take a condition away, whatever gave it (VER-S30)."""
    for source in tuple(table[who].conditions.get(condition, ())):
        yield condition_set(table, who, condition, 0, *rules, source=source)


def leaves_melee(table: Table, who: Id, *rules: Clause) -> Rule[None]:
    """Take somebody out of its melee, its mount with it, and dissolve a melee that has only one side left."""
    melee = bond(table, "melee", who)
    if melee is None:
        return
    gone = [who]
    ridden = bond(table, "mount", who)
    if ridden is not None:
        gone = [one.who for one in ridden.members if one.who == who or is_mount(table, one.who)]
    yield parted(melee, *gone, rules=rules)
    yield from dissolved(table, melee.id)


def dissolved(table: Table, melee: Id) -> Rule[None]:
    """Dissolve a melee in which one side has no participant left (VER-031)."""
    relation = table.draft.relations.get(melee)
    if relation is not None and len(sides_in(table, relation)) < 2:
        yield bonded(relation.id, relation.kind, rules=("VER-031",))


def sides_in(table: Table, melee: Relation) -> set[str]:
    """Return the sides that have a participant in a melee; animals alone are none (VER-037)."""
    found = set()
    for member in melee.members:
        if takes_part(table, member.who) and not is_mount(table, member.who):
            found.add(table[member.who].side)
    return found


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


def lets_go(table: Table, who: Id, *rules: Clause) -> Rule[None]:
    """End every grapple that somebody is in."""
    for grapple in table.derived(grapples).get(who, ()):
        yield from let_loose(table, grapple, *rules)


def no_longer_ready(table: Table, who: Id) -> Rule[None]:
    """Lose a readied action (VER-075)."""
    if table[who].has("readied"):
        yield from rid_of(table, who, "readied", "VER-075")
        for key in READIED:
            if table.mark(who, f"readied/{key}") is not None:
                yield marked(who, f"readied/{key}", None, "VER-075")


def slain(table: Table, who: Id, condition: str, *rules: Clause) -> Rule[None]:
    """Take somebody out of play: slain, or dead at Death's Door or of an injury (VER-090, VER-097)."""
    if not in_play(table, who):
        return
    yield condition_set(table, who, condition, 1, *rules, "VER-T32")
    yield from lets_go(table, who, *rules)
    yield from no_longer_ready(table, who)
    yield from leaves_melee(table, who, *rules, "VER-031")
    yield from unhorsed(table, who)


def unhorsed(table: Table, fallen: Id) -> Rule[None]:
    """Part rider and mount; whose mount is slain lies on the ground (VER-068)."""
    ridden = bond(table, "mount", fallen)
    if ridden is None:
        return
    yield parted(ridden, rules=("VER-068",))
    if is_mount(table, fallen):
        for member in ridden.members:
            if member.who != fallen and in_play(table, member.who) and not table[member.who].has("prone"):
                yield condition_set(table, member.who, "prone", 1, "VER-068")
