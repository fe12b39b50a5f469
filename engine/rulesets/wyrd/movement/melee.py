"""Melees: reach, sight, joining, merging and leaving (WYR-017, WYR-053 to WYR-055)."""

from collections.abc import Callable, Iterable
from functools import partial

from affray.engine.core.effects import Rule
from affray.engine.core.state import Relation
from affray.engine.kit.distances import stated_distance, stated_view
from affray.engine.kit.relations import find_relation, is_sealed, merge_relations, set_numbered_relation, set_relation
from affray.engine.kit.relative_moves import Measure
from affray.engine.kit.sides import are_enemies
from affray.engine.rulesets.wyrd.config import Table
from affray.engine.rulesets.wyrd.sheet import is_active
from affray.events import Clause, Id, Member, Source

KIND = "melee"

REACH = 2
"""The striking distance in metres, without places and where a distance is stated."""


def is_engaged(table: Table, who: Id) -> bool:
    """Return whether a combatant is in melee with a known enemy."""
    melee = find_relation(table, KIND, who) if table.draft.relations else None
    return melee is not None and any(
        table.is_known(one.who) and are_enemies(table, who, one.who) for one in melee.members
    )


def is_engaged_with(table: Table, one: Id, other: Id) -> bool:
    """Return whether two combatants are in the same melee."""
    mine = find_relation(table, KIND, one) if table.draft.relations else None
    return mine is not None and any(member.who == other for member in mine.members)


def is_adjacent(table: Table, one: Id, other: Id) -> bool:
    """Return whether two combatants are in reach: at one place, and not stated apart."""
    if table[one].place != table[other].place:
        return False
    return not table.draft.distances or distance(table, one, other) <= REACH


def distance(table: Table, one: Id, other: Id) -> int:
    """Return the stated distance of two combatants in metres; 0 if none is stated."""
    return stated_distance(table, one, other) or 0


METRES = Measure("to", 1, 9999, stated_distance, unsaid=0)
"""The measure of distances without places; a pair without a stated distance is close."""


def engage(table: Table, one: Id, other: Id, *rules: Clause) -> Rule[None]:
    """Bring two combatants into one melee; two melees that meet become one.

    If one of the two is concealed, only that one changes its melee.
    """
    mine, theirs = find_relation(table, KIND, one), find_relation(table, KIND, other)
    hidden = [who for who in (one, other) if not table.is_known(who)]
    if mine is not None and theirs is not None and hidden and mine.id != theirs.id:
        yield from leave_melee(table, hidden[0], *rules)
        yield from engage(table, one, other, *rules)
    elif mine is None or mine is not theirs:
        yield from merge_relations(
            table, set_relation("", KIND, Member(who=one), Member(who=other), rules=(*rules, "WYR-T22"))
        )


def leave_melee(table: Table, who: Id, *rules: Clause) -> Rule[None]:
    """Take a combatant out of the melee, and those left without an enemy in it."""
    if table.draft.relations and find_relation(table, KIND, who) is not None:
        yield from tidy_melees(table, *rules, without=who)


def tidy_melees(table: Table, *rules: Clause, without: Id = "") -> Rule[None]:
    """Keep only active members with an enemy to strike, and split melees (WYR-T22).

    Melees that viewers know of come first, so that no sealed one takes over their members, or their order.
    """
    rules = (*rules, "WYR-T22")
    melees = [one for one in table.draft.relations.values() if one.kind == KIND]
    if table.draft.concealed:
        melees.sort(key=partial(is_sealed, table))
    groups = _group_engaged(table, melees, without) if melees else []
    for melee in melees:
        was = tuple([member.who for member in melee.members])
        left = next((group for group in groups if not set(was).isdisjoint(group)), ())
        if left:
            groups.remove(left)
        if left != was:
            yield set_relation(melee.id, KIND, *[Member(who=one) for one in left], rules=rules)
    for group in groups:
        yield from set_numbered_relation(table, KIND, *[Member(who=one) for one in group], rules=rules)


def _group_engaged(table: Table, melees: list[Relation], without: Id) -> list[tuple[Id, ...]]:
    """Return the engaged combatants in groups, linked by enemies in striking distance.

    No known combatants are grouped by a concealed one alone. A concealed one joins the first group it can.
    """
    of: dict[Id, set[Id]] = {}
    for melee in melees:
        for member in melee.members:
            if member.who != without and is_active(table, member.who):
                of.setdefault(member.who, set()).add(melee.id)

    def can_strike(one: Id, other: Id) -> bool:
        near = not of[one].isdisjoint(of[other])
        return near and are_enemies(table, one, other) and is_adjacent(table, one, other)

    rank = {who: at for at, who in enumerate(of)}
    groups, left = _group_linked(table.list_known(of), can_strike)
    for who in [who for who in of if not table.is_known(who)]:
        group = next((group for group in groups if any(can_strike(who, other) for other in group)), left)
        group.append(who)
    groups += _group_linked(left, can_strike)[0]
    return [tuple(sorted(group, key=rank.__getitem__)) for group in groups]


def _group_linked(people: Iterable[Id], can_strike: Callable[[Id, Id], bool]) -> tuple[list[list[Id]], list[Id]]:
    """Return the groups of combatants that can strike one another, and those left alone."""
    left, groups, alone = dict.fromkeys(people), [], []
    while left:
        group = [next(iter(left))]
        del left[group[0]]
        for one in group:
            for other in [it for it in left if can_strike(one, it)]:
                del left[other]
                group.append(other)
        if len(group) > 1:
            groups.append(group)
        else:
            alone += group
    return groups, alone


def list_melee(table: Table, who: Id) -> tuple[Id, ...]:
    """Return a combatant and the others in its melee, if it has a known enemy in it."""
    melee = find_relation(table, KIND, who) if is_engaged(table, who) else None
    return (who,) if melee is None else tuple([member.who for member in melee.members])


def list_others_in_melee(table: Table, target: Id, shooter: Id) -> tuple[Id, ...]:
    """Return the other known members of the melee that is fired into, in roster order."""
    melee = find_relation(table, KIND, target) if is_engaged(table, target) else None
    if melee is None:
        return ()
    members = {member.who for member in melee.members} - {target, shooter}
    return tuple(who for who in table.list_known(table.draft.combatants) if who in members)


def must_be_in_reach(table: Table, actor: Id, target: Id, rule: Clause) -> None:
    """Refuse a target out of reach: at another place, or at too great a stated distance."""
    if not is_adjacent(table, actor, target):
        raise table.refuse(target, f"is out of reach of {table.name_of(actor)}", rule, "out_of_reach")


def can_see(table: Table, viewer: Id, target: Id) -> bool:
    """Return whether a viewer sees a target, in cover or not."""
    return stated_view(table, viewer, target) != "blocked"


def must_be_in_sight(table: Table, actor: Id, target: Id, rule: Clause) -> None:
    """Refuse a target that cannot be seen."""
    if not can_see(table, actor, target):
        raise table.refuse(
            actor, f"cannot see {table.name_of(target)}", rule, "no_line_of_sight", Source(of=actor, to=target)
        )
