"""Who is near whom, and engaged with whom: melees that are joined, merged and left (WYR-017, WYR-053 to WYR-055)."""

from affray.engine.core.effects import Rule
from affray.engine.core.state import Relation
from affray.engine.errors import Refused
from affray.engine.kit.distances import stated_view
from affray.engine.kit.relations import bond, bonded, free_id, joined_to, parted
from affray.engine.kit.sides import enemies
from affray.engine.rulesets.wyrd.config import Table
from affray.engine.rulesets.wyrd.sheet import is_active
from affray.events import Clause, Id, Member

KIND = "melee"

REACH = 2
"""Without places: up to how many metres apart two can strike each other, where the game master states a distance."""


def is_engaged(table: Table, who: Id) -> bool:
    """Tell whether a combatant is in melee with a known enemy."""
    melee = bond(table, KIND, who) if table.draft.relations else None
    return melee is not None and any(table.is_known(one.who) and enemies(table, who, one.who) for one in melee.members)


def is_engaged_with(table: Table, one: Id, other: Id) -> bool:
    """Tell whether two are in one melee."""
    mine = bond(table, KIND, one) if table.draft.relations else None
    return mine is not None and any(member.who == other for member in mine.members)


def is_adjacent(table: Table, one: Id, other: Id) -> bool:
    """Tell whether two are near enough to strike each other: at one place, and not said to be apart."""
    if table[one].place != table[other].place:
        return False
    return not table.draft.distances or distance(table, one, other) <= REACH


def distance(table: Table, one: Id, other: Id) -> int:
    """Return how many metres apart two are said to be; 0 if nothing is said."""
    return table.draft.distances.get(f"{min(one, other)}|{max(one, other)}", 0)


def engage(table: Table, one: Id, other: Id, *rules: Clause) -> Rule[None]:
    """Bring two into one melee; two melees that meet become one."""
    rules = (*rules, "WYR-T22")
    mine, theirs = bond(table, KIND, one), bond(table, KIND, other)
    if mine is None and theirs is None:
        yield bonded(free_id(table, KIND), KIND, Member(who=one), Member(who=other), rules=rules)
    elif mine is None and theirs is not None:
        yield joined_to(theirs, Member(who=one), rules=rules)
    elif mine is not None and theirs is None:
        yield joined_to(mine, Member(who=other), rules=rules)
    elif mine is not None and theirs is not None and mine.id != theirs.id:
        yield parted(theirs, rules=rules)
        yield joined_to(mine, *theirs.members, rules=rules)


def leave_melee(table: Table, who: Id, *rules: Clause) -> Rule[None]:
    """Take somebody out of the melee, and with them whoever has no enemy left in it."""
    if table.draft.relations and bond(table, KIND, who) is not None:
        yield from tidy_melees(table, *rules, without=who)


def tidy_melees(table: Table, *rules: Clause, without: Id = "") -> Rule[None]:
    """Leave engaged only who is up and can strike an enemy of the same melee; what falls apart is two (WYR-T22)."""
    rules = (*rules, "WYR-T22")
    melees = [one for one in table.draft.relations.values() if one.kind == KIND]
    groups = _groups(table, melees, without) if melees else []
    for melee in melees:
        was = tuple([member.who for member in melee.members])
        left = next((group for group in groups if not set(was).isdisjoint(group)), ())
        if left:
            groups.remove(left)
        if left != was:
            yield bonded(melee.id, KIND, *[Member(who=one) for one in left], rules=rules)
    for group in groups:
        yield bonded(free_id(table, KIND), KIND, *[Member(who=one) for one in group], rules=rules)


def _groups(table: Table, melees: list[Relation], without: Id) -> list[tuple[Id, ...]]:
    """Return those who are engaged, in groups that hang together by enemies within striking distance."""
    of: dict[Id, set[Id]] = {}
    for melee in melees:
        for member in melee.members:
            if member.who != without and is_active(table, member.who):
                of.setdefault(member.who, set()).add(melee.id)
    rank = {who: at for at, who in enumerate(of)}
    left, groups = dict(rank), []
    while left:
        first = next(iter(left))
        del left[first]
        group = [first]
        for one in group:
            for other in [it for it in left if not of[one].isdisjoint(of[it]) and enemies(table, one, it)]:
                if is_adjacent(table, one, other):
                    del left[other]
                    group.append(other)
        if len(group) > 1:
            groups.append(tuple(sorted(group, key=rank.__getitem__)))
    return groups


def fellows(table: Table, who: Id) -> tuple[Id, ...]:
    """Return a combatant and the others in its melee, if a known enemy is among them."""
    melee = bond(table, KIND, who) if is_engaged(table, who) else None
    return (who,) if melee is None else tuple([member.who for member in melee.members])


def others_in_melee(table: Table, target: Id, shooter: Id) -> tuple[Id, ...]:
    """Return the other known members of the melee that is fired into, in roster order."""
    melee = bond(table, KIND, target) if is_engaged(table, target) else None
    if melee is None:
        return ()
    members = {member.who for member in melee.members} - {target, shooter}
    return tuple(who for who in table.list_known(table.draft.combatants) if who in members)


def must_be_in_reach(table: Table, actor: Id, target: Id, rule: Clause) -> None:
    """Refuse a target that cannot be struck: at another place, or farther off than the game master lets one reach."""
    if not is_adjacent(table, actor, target):
        raise Refused(
            "out_of_reach", rule, f"{table.called(target)} is out of reach of {table.called(actor)}", source=target
        )


def can_see(table: Table, viewer: Id, target: Id) -> bool:
    """Tell whether one sees another, in cover or not."""
    return stated_view(table, viewer, target) != "blocked"


def must_be_in_sight(table: Table, actor: Id, target: Id, rule: Clause) -> None:
    """Refuse a target that cannot be seen."""
    if not can_see(table, actor, target):
        raise Refused(
            "no_line_of_sight",
            rule,
            f"{table.called(actor)} cannot see {table.called(target)}",
            source=f"{actor}>{target}",
        )
