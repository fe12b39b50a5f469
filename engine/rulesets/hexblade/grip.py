"""Who holds whom: grapples that bind two by the id of their relation (HEX-059, HEX-061, HEX-G02)."""

from __future__ import annotations

from affray.engine.core.changes import condition_set
from affray.engine.core.effects import Rule
from affray.engine.core.state import Relation
from affray.engine.core.table import Table
from affray.engine.kit.relations import bonded, parted
from affray.events import Clause, Id, Member

from .hexes import apart
from .sheet import able, refusal

GRAPPLE = "grapple"
GRAPPLED = "grappled"


def grips(table: Table, who: Id) -> tuple[Relation, ...]:
    """Return every grapple somebody is in, the oldest first."""
    return tuple(
        relation
        for relation in table.draft.relations.values()
        if relation.kind == GRAPPLE and any(member.who == who for member in relation.members)
    )


def other(relation: Relation, who: Id) -> Id:
    """Return the other one of a grapple."""
    return next((member.who for member in relation.members if member.who != who), "")


def grip_between(table: Table, one: Id, another: Id) -> Relation | None:
    """Return the grapple that binds two, if there is one."""
    return next((relation for relation in grips(table, one) if other(relation, one) == another), None)


def held_fast(table: Table, one: Id, another: Id, *rules: Clause) -> Rule[None]:
    """Bind two to each other: neither can spend movement (HEX-059, HEX-G02)."""
    relation = f"{GRAPPLE}:{one}:{another}"
    members = (Member(who=one, role="holder"), Member(who=another, role="held"))
    yield bonded(relation, GRAPPLE, *members, rules=rules)
    for who in (one, another):
        yield condition_set(table, who, GRAPPLED, 1, *rules, "HEX-G02", source=relation)


def released(table: Table, relation: Id, *rules: Clause) -> Rule[None]:
    """End a grapple for everybody in it; they stay as they lie (HEX-061)."""
    yield parted(table.draft.relations[relation], rules=rules)
    for who, one in tuple(table.draft.combatants.items()):
        if relation in one.conditions.get(GRAPPLED, {}):
            yield condition_set(table, who, GRAPPLED, 0, *rules, source=relation)


def slackened(table: Table) -> Rule[None]:
    """End every grapple of somebody who can hold nobody any more, or whom a ruling freed (HEX-G02)."""
    for relation in tuple(table.draft.relations.values()):
        if relation.kind == GRAPPLE and not _holds(table, relation):
            yield from released(table, relation.id, "HEX-G02")


def torn_apart(table: Table, who: Id) -> Rule[None]:
    """End the grapples of somebody who was moved, with everybody who is not in the next hex (HEX-T22, HEX-G02)."""
    for relation in grips(table, who):
        holder = other(relation, who)
        if holder not in table.draft.combatants or apart(table[who].place, table[holder].place) != 1:
            yield from released(table, relation.id, "HEX-G02", "HEX-T22")


def _holds(table: Table, relation: Relation) -> bool:
    """Tell whether two still hold each other: both there, able, and grappled by it."""
    people = table.draft.combatants
    return len(relation.members) == 2 and all(
        able(table, member.who) and relation.id in people[member.who].conditions.get(GRAPPLED, {})
        for member in relation.members
    )


def free_to_move(table: Table, who: Id) -> None:
    """Refuse to spend movement while grappled (HEX-G02)."""
    if table[who].has(GRAPPLED):
        raise refusal("HEX-G02", f"{who} is grappled and cannot spend movement", f"{who}.{GRAPPLED}")
