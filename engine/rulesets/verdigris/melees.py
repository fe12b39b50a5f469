"""Melees: who is in one, and what numbers are worth (VER-031 to VER-038)."""

from __future__ import annotations

from affray.engine.core.effects import Rule
from affray.engine.core.state import Relation
from affray.engine.core.table import Table
from affray.engine.kit.relations import bond, bonded, bonds, free_id, joined_to
from affray.events import Clause, Id, Member, Modifier

from .sheet import count, is_mount, other_side, stat, takes_part


def engaged(table: Table) -> dict[Id, Relation]:
    """Return per combatant the melee it is in. To be asked through ``table.derived``."""
    return bonds(table, "melee")


def melee_of(table: Table, who: Id) -> Relation | None:
    """Return the melee that somebody is in."""
    return table.derived(engaged).get(who)


def same_melee(table: Table, one: Id, other: Id) -> Relation | None:
    """Return the melee that two share, if they do."""
    melees = table.derived(engaged)
    melee = melees.get(one)
    return melee if melee is not None and melee is melees.get(other) else None


def participants(table: Table, melee: Relation) -> tuple[Id, ...]:
    """Return who takes part in a melee, friend and foe, in joining order, mounts included (VER-037, VER-047)."""
    return tuple(one.who for one in melee.members if takes_part(table, one.who))


def opponents(table: Table, who: Id) -> tuple[Id, ...]:
    """Return the enemies in somebody's melee, in joining order."""
    melee = melee_of(table, who)
    side = table[who].side
    if melee is None:
        return ()
    return tuple(one.who for one in melee.members if table[one.who].side != side and takes_part(table, one.who))


def strengths(table: Table) -> dict[tuple[Id, str], int]:
    """Count per melee and side the fighters in it. To be asked through ``table.derived``.

    Mounts, the slain and those at Death's Door do not count (VER-037, VER-069); unusual bodies may count more than
    once, or not at all, by the conditions ``bodies`` and ``uncounted`` (VER-035).
    """
    found: dict[tuple[Id, str], int] = {}
    for relation in table.draft.relations.values():
        if relation.kind != "melee":
            continue
        for member in relation.members:
            one = table[member.who]
            if takes_part(table, one.id) and "mount" not in one.traits and not one.has("uncounted"):
                found[relation.id, one.side] = (
                    found.get((relation.id, one.side), 0) + 1 + count(table, one.id, "bodies")
                )
    return found


def counted(table: Table) -> dict[Id, tuple[Clause, ...]]:
    """Return per melee the clauses by which its fighters are counted. To be asked through ``table.derived``."""
    found: dict[Id, tuple[Clause, ...]] = {}
    for relation in table.draft.relations.values():
        if relation.kind == "melee":
            some_are_down = any(not takes_part(table, one.who) for one in relation.members)
            some_are_mounts = any(is_mount(table, one.who) for one in relation.members)
            clauses = ("VER-037", "VER-T21") if some_are_down else ("VER-037",) if some_are_mounts else ()
            found[relation.id] = ("VER-035", *clauses, "VER-069") if some_are_mounts else ("VER-035", *clauses)
    return found


def counting(table: Table, melee: Id) -> tuple[Clause, ...]:
    """Return the clauses by which the fighters of a melee are counted (VER-035, VER-037, VER-069)."""
    return table.derived(counted).get(melee, ())


def by_numbers(table: Table, melee: Id, who: Id, target: Id) -> list[Modifier]:
    """List the dice for fighting many against few, counted now (VER-035, VER-036).

    They are doubled against the deafened; with its back to the wall the smaller side has some of the enemies' dice.
    """
    numbers = table.derived(strengths)
    side = table[who].side
    more = numbers.get((melee, side), 0) - numbers.get((melee, other_side(side)), 0)
    if more > 0:
        terms = [Modifier(value=more, label="numbers", source=melee, rule="VER-036")]
        if table[target].has("deafened"):
            terms.append(Modifier(value=more, label="deafened", source=f"{target}.deafened", rule="VER-S30"))
        return terms
    wall = min(-more, stat(table, who, "back-to-the-wall"))
    if wall > 0:
        return [Modifier(value=wall, label="back to the wall", source=f"{who}.back-to-the-wall", rule="VER-T29")]
    return []


def engage(table: Table, who: Id, target: Id, *rules: Clause) -> Rule[None]:
    """Let somebody enter the melee of a target, or begin one with it; mounts come along (VER-019, VER-031)."""
    melee = melee_of(table, target)
    if melee is not None:
        yield joined_to(melee, *with_mount(table, who), rules=(*rules, "VER-034"))
    else:
        pair = (*with_mount(table, who), *with_mount(table, target))
        yield bonded(free_id(table, "melee"), "melee", *pair, rules=(*rules, "VER-031", "VER-T20"))


def with_mount(table: Table, who: Id) -> tuple[Member, ...]:
    """Return who goes together: rider and mount, or one alone (VER-060)."""
    ridden = bond(table, "mount", who)
    if ridden is None:
        return (Member(who=who, role="mount" if is_mount(table, who) else ""),)
    return tuple(Member(who=one.who, role="mount" if one.role == "mount" else "") for one in ridden.members)
