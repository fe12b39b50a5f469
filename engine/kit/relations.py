"""Relations between combatants: melees, grapples, rider and mount, groups."""

from collections.abc import Container, Iterable, Iterator
from itertools import chain, count

from affray.engine.core.open_parts import makes_relation
from affray.engine.core.state import Relation
from affray.engine.core.table import Table
from affray.events import Clause, Id, Member, RelationSet


def bonds(table: Table, kind: str) -> dict[Id, Relation]:
    """Return, for everybody who is in a relation of a kind, the first one; kept until somebody joins or parts."""
    of_kind: dict[str, dict[Id, Relation]] = table.derived(_by_kind)
    return of_kind.get(kind, {})


def bond(table: Table, kind: str, who: Id) -> Relation | None:
    """Return the relation of a kind that somebody is in, or nothing."""
    return bonds(table, kind).get(who)


def bonded(relation: Id, kind: str, *members: Member, rules: tuple[Clause, ...] = ()) -> RelationSet:
    """Let a relation hold between these members, in this order, and no others."""
    return RelationSet(relation=relation, kind=kind, members=members, rules=rules)


def joined_to(relation: Relation, *members: Member, rules: tuple[Clause, ...] = ()) -> RelationSet:
    """Let more members join a relation."""
    return bonded(relation.id, relation.kind, *relation.members, *members, rules=rules)


def merged(table: Table, relations: Iterable[RelationSet]) -> Iterator[RelationSet]:
    """Yield relations that newcomers bring, each as one with those in which its members are already."""
    taken = {*table.draft.relations}
    for one in relations:
        held = {was.id: was for member in one.members if (was := bond(table, one.kind, member.who)) is not None}
        if not held:
            id = numbered(one.kind, taken)
            taken.add(id)
            yield bonded(id, one.kind, *one.members, rules=one.rules)
            continue
        first, *others = held.values()
        yield from (parted(other, rules=one.rules) for other in others)
        there = [member for was in held.values() for member in was.members]
        present = {member.who for member in there}
        new = (member for member in one.members if member.who not in present)
        yield bonded(first.id, one.kind, *there, *new, rules=one.rules)


def parted(relation: Relation, *who: Id, rules: tuple[Clause, ...] = ()) -> RelationSet:
    """Let members leave a relation; all of them if none is named, which ends it."""
    left = tuple(one for one in relation.members if who and one.who not in who)
    return bonded(relation.id, relation.kind, *left, rules=rules)


def left_by(table: Table, relation: Relation, *who: Id, rules: tuple[Clause, ...] = ()) -> RelationSet:
    """Let members leave a relation; it ends where those who are left make none.

    So viewers read the same whether or not a concealed combatant is among those who are left.
    """
    left = parted(relation, *who, rules=rules)
    goes_on = makes_relation(relation.kind, [one.who for one in left.members], table.draft)
    return left if goes_on else parted(relation, rules=rules)


def free_id(table: Table, kind: str) -> Id:
    """Return an id for a new relation: the kind, with a number if that is taken: ``melee``, ``melee-2`` …"""
    return numbered(kind, table.draft.relations)


def numbered(name: Id, taken: Container[Id]) -> Id:
    """Return a name that is not taken: as it is, or else with a number from 2 on."""
    return next(one for one in chain((name,), (f"{name}-{nth}" for nth in count(2))) if one not in taken)


def _by_kind(table: Table) -> dict[str, dict[Id, Relation]]:
    found: dict[str, dict[Id, Relation]] = {}
    for relation in table.draft.relations.values():
        of_kind = found.setdefault(relation.kind, {})
        for member in relation.members:
            of_kind.setdefault(member.who, relation)
    return found
