"""The expected effect of an attack, and the energy that it needs to have any."""

from collections.abc import Iterator
from functools import cache

from affray.engine.core.state import Item
from affray.engine.kit.modifiers import list_granted
from affray.engine.kit.odds import die, find_chance_at_least
from affray.engine.kit.sheets import stat
from affray.events import Id

from .attack import PLAIN, sum_bonus, sum_might
from .config import Table
from .marks import BRINK_MODIFIER, BRINK_OUTCOME, BRINK_SIDES, BRINK_TARGET
from .odds import hit_chance
from .sheet import list_needed_types, weapon_type


def expected_harm(table: Table, actor: Id, target: Id, weapon: Item, skill: Item = PLAIN, ep: int = 0) -> float:
    """Return the share of the target's health that an attack is expected to take.

    At the brink it is the chance to kill.
    """
    bonus = sum_bonus(table, actor, "accuracy", weapon, skill) + ep * table.config.accuracy_per_ep
    chance = _hit_chance(bonus, stat(table, target, "agility"))
    return chance and chance * _harm_share(table, actor, target, weapon, skill)


@cache
def _hit_chance(bonus: int, agility: int) -> float:
    return float(hit_chance(bonus, agility))


def _harm_share(table: Table, actor: Id, target: Id, weapon: Item, skill: Item) -> float:
    """Return the share of health that a hit takes; at the brink, the chance to kill."""
    harm = sum_might(table, actor, weapon, skill) - stat(table, target, "protection")
    if harm <= 0:
        return 0.0
    if table[target].has("brink"):
        return 1 - chance_to_hold_on(table, target)
    health = table.pool(target, "health")
    return min(1.0, harm / health) if health else 0.0


def chance_to_hold_on(table: Table, who: Id) -> float:
    """Return the chance to hold on at the brink if hit now, rulings included."""
    target, bonus, sides = table.config.brink_target, table.config.brink_modifier, BRINK_SIDES.default
    if BRINK_SIDES.key in table.draft.marks.get(who, ()):
        if BRINK_OUTCOME.is_on(table, who):
            return float(BRINK_OUTCOME.of(table, who) == "holds on")
        target = BRINK_TARGET.of(table, who) if BRINK_TARGET.is_on(table, who) else target
        bonus = BRINK_MODIFIER.of(table, who) if BRINK_MODIFIER.is_on(table, who) else bonus
        sides = BRINK_SIDES.of(table, who)
    return _hold_chance(sides, target - bonus)


@cache
def _hold_chance(sides: int, needed: int) -> float:
    return float(find_chance_at_least(die(sides), needed))


def can_hurt(table: Table, actor: Id, foe: Id, weapon: Item) -> bool:
    """Return whether an attacker with all its energy can hurt a target with a weapon."""
    most = max(stat(table, actor, "ep"), table.pool(actor, "ep"))
    for skill in (PLAIN, *list_usable_skills(table, actor, weapon, most)):
        need = find_energy_needed(table, actor, foe, weapon, skill)
        if need is not None and skill.counters.get("cost", 0) + need <= most:
            return True
    return False


def find_energy_needed(table: Table, actor: Id, foe: Id, weapon: Item, skill: Item) -> int | None:
    """Return the least energy for an attack to hit and hurt; nothing if none is enough."""
    config = table.config
    if not _harm_share(table, actor, foe, weapon, skill):
        return None
    bonus = sum_bonus(table, actor, "accuracy", weapon, skill) + sum(
        one.value for one in list_granted(table, actor, "VES-T07")
    )
    lacking = stat(table, foe, "agility") - 20 - bonus
    if lacking <= 0:
        return 0
    if not config.accuracy_per_ep:
        return None
    need = -(-lacking // config.accuracy_per_ep)
    return None if 0 <= config.accuracy_ep_cap < need else need


def list_usable_skills(table: Table, actor: Id, weapon: Item, energy: int) -> Iterator[Item]:
    """Yield the attack skills that fit a weapon and cost at most an amount of energy."""
    for skill in table.items_of(actor):
        fits = "attack" in skill.traits and skill.counters.get("cost", 1) <= energy
        if fits and weapon_type(weapon) in (list_needed_types(skill) or (weapon_type(weapon),)):
            yield skill
