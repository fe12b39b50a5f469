"""Relations between combatants: melees, grapples, rider and mount, groups."""

from collections.abc import Container, Iterator
from itertools import chain, count

from msgspec.structs import replace

from affray.engine.core.changes import set_condition
from affray.engine.core.open_parts import makes_relation, rests_on_concealed, word_of
from affray.engine.core.state import Relation
from affray.engine.core.table import Table
from affray.events import Clause, Event, Id, Member, RelationSet


def list_relations(table: Table, kind: str) -> dict[Id, Relation]:
    """Return the first relation of a kind for each combatant that has one.

    The result is cached until a relation changes.
    """
    of_kind: dict[str, dict[Id, Relation]] = table.derive(_group_by_kind)
    return of_kind.get(kind, {})


def find_relation(table: Table, kind: str, who: Id) -> Relation | None:
    """Return the relation of a kind that a combatant is in, or ``None``."""
    return list_relations(table, kind).get(who)


def set_relation(relation: Id, kind: str, *members: Member, rules: tuple[Clause, ...] = ()) -> RelationSet:
    """Return the event that sets the members of a relation, in this order."""
    return RelationSet(relation=relation, kind=kind, members=members, rules=rules)


def add_members(relation: Relation, *members: Member, rules: tuple[Clause, ...] = ()) -> RelationSet:
    """Return the event that adds members to a relation."""
    return set_relation(relation.id, relation.kind, *relation.members, *members, rules=rules)


def is_sealed(table: Table, relation: Relation | RelationSet) -> bool:
    """Tell whether viewers do not know of a relation, as its members are concealed."""
    concealed = table.draft.concealed
    return bool(concealed) and rests_on_concealed(relation, concealed, table.draft)


def set_numbered_relation(
    table: Table, kind: str, *members: Member, before: Relation | None = None, rules: tuple[Clause, ...] = ()
) -> Iterator[RelationSet]:
    """Yield the events that set a numbered relation: ``melee``, ``melee-2`` …

    Args:
        before: The relation as it was; ``None`` for a new one.
    """
    id = before.id if before is not None else find_free_id(kind, table.draft.relations)
    new = set_relation(id, kind, *members, rules=rules)
    if not table.draft.concealed or is_sealed(table, new) or (before is not None and not is_sealed(table, before)):
        yield new
    else:
        yield from give_open_number(table, new, before)


def give_open_number(table: Table, new: RelationSet, before: Relation | None = None) -> Iterator[RelationSet]:
    """Give a relation that viewers learn of the first number free among known ones.

    A sealed relation with that number gets another one, so that the numbers do not reveal it.
    """
    relations = table.draft.relations
    sealed = {id: one for id, one in relations.items() if is_sealed(table, one)}
    id = find_free_id(new.kind, relations.keys() - sealed.keys())
    if before is not None and before.id != id:
        yield remove_members(before, rules=new.rules)
    elsewhere = sealed.get(id) if before is None or before.id != id else None
    if elsewhere is not None:
        yield remove_members(elsewhere, rules=new.rules)
        aside = find_free_id(elsewhere.kind, {*relations, id})
        yield set_relation(aside, elsewhere.kind, *elsewhere.members, rules=new.rules)
    yield replace(new, relation=id)


def list_misnumbered(table: Table, who: Id) -> list[Relation]:
    """List the relations revealed with a combatant that need another number.

    Their present numbers would reveal other sealed relations.
    """
    draft = table.draft
    rest = [one for one in draft.concealed if one != who]
    known = {id for id, one in draft.relations.items() if not is_sealed(table, one)}
    found = []
    for one in draft.relations.values():
        if one.id in known or not is_numbered(table, one.kind) or rests_on_concealed(one, rest, draft):
            continue
        id = find_free_id(one.kind, known)
        known.add(id)
        if id != one.id:
            found.append(one)
    return found


def is_numbered(table: Table, kind: str) -> bool:
    """Tell whether the rules number the relations of a kind."""
    return word_of(kind, table.draft).ids == "number"


def merge_relations(table: Table, relation: RelationSet) -> Iterator[RelationSet]:
    """Merge a numbered relation with its members' earlier relations of the kind.

    A sealed relation brings only its concealed members into one that viewers know of.
    """
    kind, rules = relation.kind, relation.rules
    before = list(
        {was.id: was for one in relation.members if (was := find_relation(table, kind, one.who)) is not None}.values()
    )
    shown = [was for was in before if not is_sealed(table, was)] if table.draft.concealed else before
    members = {one.who: one for was in shown for one in was.members}
    for one in relation.members:
        members.setdefault(one.who, one)
    if len(shown) < len(before):
        sealed = [was for was in before if was not in shown]
        is_open = not is_sealed(table, set_relation("", kind, *members.values()))
        for one in [one for was in sealed for one in was.members]:
            if not is_open or not table.is_known(one.who):
                members.setdefault(one.who, one)
        before = [*shown, *sealed]
    yield from (remove_members(other, rules=rules) for other in before[1:])
    yield from set_numbered_relation(table, kind, *members.values(), before=before[0] if before else None, rules=rules)


def remove_members(relation: Relation, *who: Id, rules: tuple[Clause, ...] = ()) -> RelationSet:
    """Return the event that removes members from a relation.

    Without named members, all leave and the relation ends.
    """
    left = tuple(one for one in relation.members if who and one.who not in who)
    return set_relation(relation.id, relation.kind, *left, rules=rules)


def end_relation(table: Table, relation: Relation, *rules: Clause) -> Iterator[Event]:
    """Yield the events that end a relation, and first the conditions that come from it."""
    for who in [one.who for one in relation.members if one.who in table.draft.combatants]:
        for condition in [condition for condition, held in table[who].conditions.items() if relation.id in held]:
            yield set_condition(table, who, condition, 0, *rules, source=relation.id)
    yield remove_members(relation, rules=rules)


def leave_relation(table: Table, relation: Relation, *who: Id, rules: tuple[Clause, ...] = ()) -> RelationSet:
    """Return the event that removes members, and ends a relation with too few left.

    So viewers read the same event whether or not a concealed combatant stays in it.
    """
    left = remove_members(relation, *who, rules=rules)
    goes_on = makes_relation(relation.kind, [one.who for one in left.members], table.draft)
    return left if goes_on else remove_members(relation, rules=rules)


def find_free_id(name: Id, taken: Container[Id]) -> Id:
    """Return a free name: the given one, or with a number from 2 on."""
    return next(one for one in chain((name,), (f"{name}-{nth}" for nth in count(2))) if one not in taken)


def _group_by_kind(table: Table) -> dict[str, dict[Id, Relation]]:
    found: dict[str, dict[Id, Relation]] = {}
    for relation in table.draft.relations.values():
        of_kind = found.setdefault(relation.kind, {})
        for member in relation.members:
            of_kind.setdefault(member.who, relation)
    return found
