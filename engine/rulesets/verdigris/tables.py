"""The tables of the rules: gear, people, conditions, injuries, talents and panic, from their data files."""

from __future__ import annotations

from functools import cache

import msgspec

from affray.engine.core.ruleset import data

from .rows import Blocks, Condition, Injuries, Inventory, Panic, People, Protection, Talent, Weapon

PACKAGE = __name__.rpartition(".")[0]


@cache
def weapons() -> dict[str, Weapon]:
    """Return the weapon table (5.1)."""
    return msgspec.convert(data(PACKAGE, "weapons.toml"), dict[str, Weapon])


@cache
def protection() -> Protection:
    """Return armour and shields (5.2)."""
    return msgspec.convert(data(PACKAGE, "armor.toml"), Protection)


@cache
def people() -> People:
    """Return attributes, saves, skills, weapon groups and a new character's numbers (5.3)."""
    return msgspec.convert(data(PACKAGE, "people.toml"), People)


@cache
def conditions() -> dict[str, Condition]:
    """Return the conditions (5.4)."""
    return msgspec.convert(data(PACKAGE, "conditions.toml"), dict[str, Condition])


@cache
def injuries() -> Injuries:
    """Return the critical injuries (5.5)."""
    return msgspec.convert(data(PACKAGE, "injuries.toml"), Injuries)


@cache
def inventory() -> Inventory:
    """Return room, sizes, ammunition, makes and repairs (5.6)."""
    return msgspec.convert(data(PACKAGE, "inventory.toml"), Inventory)


@cache
def talents() -> dict[str, Talent]:
    """Return the talents (5.7)."""
    return msgspec.convert(data(PACKAGE, "talents.toml"), dict[str, Talent])


@cache
def blocks() -> Blocks:
    """Return creatures and mounts (5.9)."""
    return msgspec.convert(data(PACKAGE, "blocks.toml"), Blocks)


@cache
def panic() -> tuple[Panic, ...]:
    """Return the panic table (5.8)."""
    return msgspec.convert(data(PACKAGE, "panic.toml")["row"], tuple[Panic, ...])


def panicking(total: int) -> Panic:
    """Return the row of the panic table for 2d6 and stress (VER-S12)."""
    return next(row for row in panic() if row.low <= total <= row.high)
