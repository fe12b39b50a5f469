"""The worth of an attack."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from affray.engine.core.state import Item
from affray.engine.core.table import Memory
from affray.events import Feature, Id, Modifier

from .attack.modifiers import (
    Blow,
    list_moment_damage,
    list_moment_hit,
    list_sheet_damage,
    list_sheet_hit,
    list_shock_terms,
)
from .config import Config, Table
from .gear.things import armor_class
from .harm import find_no_shock_reason
from .odds import hits
from .sheet import is_mount

LITTLE = 0.1
"""The harm assumed for a hit that seldom does any."""


def estimate_worth(table: Table, actor: Id, blow: Blow, weapon: Item) -> float:
    """Return the expected share of an enemy's hit points that an attack takes.

    It counts the chance to hit, the damage and the Shock. A throw counts half, since the weapon is gone; so does an
    attack at a mount, since its rider would fight on.
    """
    target, by_sheet = blow.target, _by_sheet(table, actor, weapon, blow.mode)
    extra = by_sheet.damage + _sum_terms(list_moment_damage(blow))
    dice, sides = weapon.stats["dice"], weapon.stats["sides"]
    harm = dice * (sides + 1) / 2 + extra
    if harm < 1 or table.config.min_damage:
        harm = max(harm, table.config.min_damage, LITTLE if dice * sides + extra > 0 else 0)
    left = max(1, table.pool(target, "hp"))
    ac = armor_class(table, target)
    chance = _find_hit_chance(by_sheet.hit + _sum_terms(list_moment_hit(table, actor, blow, weapon)), ac, table.config)
    worth = chance * min(1.0, harm / left)
    if by_sheet.shock > 0 and not find_no_shock_reason(table, actor, target, weapon, blow.mode, ac):
        worth += (1 - chance) * min(1.0, by_sheet.shock / left)
    return worth / 2 if blow.mode == "throw" or is_mount(table, target) else worth


def _sum_terms(terms: Sequence[Modifier]) -> int:
    """Return the sum of terms; usually there are none."""
    return sum([term.value for term in terms]) if terms else 0


@cache
def _find_hit_chance(bonus: int, ac: int, config: Config) -> float:
    return float(hits(bonus, ac, config))


class BySheet(NamedTuple):
    """The bonuses of sheet and weapon on die, damage and Shock, with their sources."""

    stats: Mapping[str, int]
    traits: tuple[str | Feature, ...]
    owned: tuple[Id, ...] | None
    weapon: Mapping[str, int]
    hit: int
    damage: int
    shock: int


CACHE = Memory[tuple[Id, Id, str], BySheet]()


def _by_sheet(table: Table, actor: Id, weapon: Item, mode: str) -> BySheet:
    """Return the bonuses of sheet and weapon, cached until a source changes."""
    one, owned, known = table[actor], table.draft.owned_items.get(actor), CACHE.of(table)
    key = actor, weapon.id, mode
    cached = known.get(key)
    if (
        cached is None
        or cached.stats is not one.stats
        or cached.weapon is not weapon.stats
        or cached.owned is not owned
        or cached.traits is not one.traits
    ):
        terms = (
            list_sheet_hit(table, actor, weapon, mode),
            list_sheet_damage(table, actor, weapon, mode),
            list_shock_terms(table, actor, weapon, mode) if "shock" in weapon.stats else (),
        )
        cached = known[key] = BySheet(one.stats, one.traits, owned, weapon.stats, *map(_sum_terms, terms))
    return cached
