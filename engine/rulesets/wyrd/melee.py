"""Who is engaged with whom: melees that are joined, merged and left (WYR-017, WYR-053 to WYR-055)."""

from __future__ import annotations

from affray.engine.relations import bond, bonded, free_id, joined_to, parted
from affray.engine.rule import Rule
from affray.engine.sides import enemies
from affray.engine.table import Table
from affray.events import Clause, Id, Member

KIND = "melee"


def engaged(table: Table, who: Id) -> bool:
    """Tell whether somebody is engaged in a melee."""
    return bool(table.draft.relations) and bond(table, KIND, who) is not None


def together(table: Table, one: Id, other: Id) -> bool:
    """Tell whether two are in one melee."""
    mine = bond(table, KIND, one) if table.draft.relations else None
    return mine is not None and any(member.who == other for member in mine.members)


def engage(table: Table, one: Id, other: Id, *rules: Clause) -> Rule[None]:
    """Bring two into one melee; two melees that meet become one (WYR-017)."""
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


def leave(table: Table, who: Id, *rules: Clause) -> Rule[None]:
    """Take somebody out of the melee; it ends when no two enemies are left in it."""
    melee = bond(table, KIND, who)
    if melee is None:
        return
    left = [member.who for member in melee.members if member.who != who]
    if any(enemies(table, one, other) for one in left for other in left):
        yield parted(melee, who, rules=rules)
    else:
        yield parted(melee, rules=rules)


def others(table: Table, target: Id, shooter: Id) -> tuple[Id, ...]:
    """Return who else is in the melee that is fired into, in roster order (WYR-055)."""
    melee = bond(table, KIND, target)
    if melee is None:
        return ()
    members = {member.who for member in melee.members} - {target, shooter}
    return tuple(who for who in table.draft.combatants if who in members)
