"""The sheet of a combatant: state, tests, free slots; and the sizes of usage dice."""

from functools import cache

from affray.engine.core.state import Combatant, Item
from affray.engine.kit.fight_end import has_enemies, list_foes_among
from affray.engine.kit.sheets import is_pc, make_absence_check
from affray.engine.kit.sides import are_enemies
from affray.events import Clause, Id

from .config import Config, Table
from .marks import HOME

OUT = frozenset({"incapacitated", "dead", "fled", "yielded"})
"""The conditions that make a combatant inactive."""

GONE = frozenset({"dead", "fled", "yielded"})
"""The conditions in which a combatant cannot even be hit."""

ABILITIES = ("power", "grace", "intellect", "will")


GUEST = "guest"
"""The trait of a player character among foes; their side stays the game master's (WYR-T54)."""

CASTER = "caster"
"""The trait of a combatant that can cast any spell, without a list."""


is_active = make_absence_check(OUT)
"""Tells whether a combatant is up and still in the fight."""

can_be_hurt = make_absence_check(GONE)
"""Tells whether a combatant can be hit: present, and not dead, fled or yielded."""


def is_helpless(table: Table, who: Id) -> bool:
    """Return whether a combatant can be hit without defending itself."""
    return can_be_hurt(table, who) and not is_active(table, who)


def can_test(table: Table, who: Id) -> bool:
    """Return whether a combatant tests: a player character, or a hireling (WYR-T54)."""
    combatant = table[who]
    return "pc" in combatant.traits or combatant.side in table.derive(list_pc_sides)


def leaves_test_to(table: Table, actor: Id, target: Id) -> bool:
    """Return whether the target tests instead of the actor.

    A player character tests, and a hireling against a foe.
    """
    if is_pc(table, actor):
        return False
    return is_pc(table, target) or (can_test(table, target) and not can_test(table, actor))


def cite_hireling_test(table: Table, who: Id) -> tuple[Clause, ...]:
    """Return the clause by which a hireling or foe rolls like a player character."""
    return () if is_pc(table, who) else ("WYR-G02",)


def list_pc_sides(table: Table) -> frozenset[str]:
    """Return the sides of player characters, also of absent ones and guests among foes.

    A concealed one counts only if no member of the side is known. Home and guest trait are noted together.
    """
    people = table.draft.combatants
    known = {people[who].side for who in table.list_known(people)}
    sides = set()
    for one in (*people.values(), *table.draft.departed.values()):
        if "pc" in one.traits:
            side = HOME.of(table, one.id) if GUEST in one.traits else one.side
            if side and (side not in known or table.is_known(one.id)):
                sides.add(side)
    return frozenset(sides)


def is_member(one: Combatant, side: str) -> bool:
    """Return whether a combatant belongs to a side, and is no guest there."""
    return one.side == side and GUEST not in one.traits


def list_active_by_side(table: Table) -> dict[str, tuple[Id, ...]]:
    """Return the active combatants of every side that has any, in joining order."""
    found: dict[str, list[Id]] = {}
    for who, one in table.draft.combatants.items():
        if is_active(table, who):
            found.setdefault(one.side, []).append(who)
    return {side: tuple(members) for side, members in found.items()}


def list_able(table: Table) -> tuple[Id, ...]:
    """List the active combatants, side by side."""
    return tuple([who for members in table.derive(list_active_by_side).values() for who in members])


def is_contested(table: Table) -> bool:
    """Return whether two known active combatants are enemies, so that the fight goes on."""
    return has_enemies(table, table.list_known(table.derive(list_able)))


def list_active_foes(table: Table) -> frozenset[tuple[Id, Id]]:
    """Return every pair of known active enemies."""
    return list_foes_among(table, table.derive(list_able))


def find_ability(table: Table, who: Id, name: str) -> Item:
    """Return an ability of a combatant, which is a usage die like any other."""
    return table.draft.items[f"{who}.{name}"]


def find_better_ability(table: Table, who: Id) -> str:
    """Return the larger fighting ability, Power or Grace; Power in a tie."""
    items = table.draft.items
    return "grace" if items[f"{who}.grace"].die > items[f"{who}.power"].die else "power"


def count_free_slots(table: Table, who: Id) -> int | None:
    """Return the number of free slots; ``None`` for a combatant without slots.

    A destroyed item, or one that was knocked away, fills none.
    """
    combatant = table[who]
    slots = combatant.stats.get("slots")
    if slots is None:
        return None
    items = table.draft.items
    filled = combatant.stats.get("load", 0) + combatant.pools.get("fatigue", 0)
    for id in table.draft.owned_items.get(who, ()):
        item = items[id]
        if (item.die or not item.base) and item.where != "dropped":
            filled += item.stats.get("slots", 0)
    return max(0, slots - filled)


def must_be_active(table: Table, who: Id) -> None:
    """Refuse a combatant that is dead, incapacitated, or out of the fight (WYR-T28)."""
    if is_active(table, who):
        return
    combatant = table[who]
    if combatant.has("dead"):
        raise table.refuse(who, "is dead", "WYR-066", "dead")
    if combatant.has("incapacitated"):
        raise table.refuse(who, "is incapacitated", "WYR-T28", "incapacitated")
    raise table.refuse(who, "is out of the fight", "WYR-T50", "not_active")


def must_be_enemy(table: Table, actor: Id, target: Id, rule: Clause) -> None:
    """Refuse a target that is no enemy, or that is dead, fled or has yielded."""
    if not are_enemies(table, actor, target):
        raise table.refuse(target, f"is no enemy of {table.name_of(actor)}", rule, "not_an_enemy")
    if not can_be_hurt(table, target):
        raise table.refuse(target, "is out of the fight", "WYR-T50", "target_out")


def must_be_ally(table: Table, actor: Id, other: Id, rule: Clause) -> None:
    """Refuse an enemy, or the actor itself."""
    if actor == other or are_enemies(table, actor, other):
        raise table.refuse(other, f"is no companion of {table.name_of(actor)}", rule, "not_an_ally")


ABILITY_TOP = 12
"""The size at which an ability stops growing."""

TREASURE = 20
"""The size that only treasure has."""


@cache
def list_sizes(chain: tuple[str, ...], top: int) -> tuple[int, ...]:
    """Return the sizes that gear can have, from the smallest (WYR-T02)."""
    known = {int(one[1:]) for one in chain}
    if top == TREASURE:
        known.add(TREASURE)
    return tuple(sorted(size for size in known if size <= top))


def find_smaller(config: Config, size: int) -> int:
    """Return the next smaller size; 0 at the end, where the piece is destroyed."""
    below = [one for one in list_sizes(config.chain, config.chain_top) if one < size]
    return below[-1] if below else 0


def find_larger(config: Config, size: int, top: int) -> int:
    """Return the next larger size up to a top; the same size at the end of the chain."""
    return min((one for one in list_sizes(config.chain, config.chain_top) if size < one <= top), default=size)


def mend_size(config: Config, size: int, base: int) -> int:
    """Return the size after mending or rest: the next of the chain, at most the base."""
    return min((one for one in list_sizes(config.chain, config.chain_top) if size < one <= base), default=base)


def hinder_size(config: Config, size: int, by: int) -> int:
    """Return a size made smaller by hindrance, but not below the floor (WYR-T13)."""
    for _ in range(by):
        below = find_smaller(config, size)
        size = below if below >= config.hindrance_floor else size
    return size


def move_size(config: Config, size: int, by: int, top: int) -> int:
    """Return the size after some steps along the chain; 0 once it has left it (WYR-T04)."""
    for _ in range(abs(by)):
        size = find_larger(config, size, top) if by > 0 else find_smaller(config, size)
    return size
