"""The items that newcomers can have: from the rules, the file and the combatants."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

import msgspec

from affray.engine.core.marks import StructMark
from affray.engine.core.state import Item
from affray.engine.rulesets.wwn.config import Table
from affray.engine.rulesets.wwn.gear.things import read_features
from affray.engine.rulesets.wwn.marks import FIGHT, OWN_ARMOR, OWN_FOCUS, OWN_WEAPON
from affray.engine.rulesets.wwn.tables import Armor, Focus, Tables, Weapon, armor, foci, weapons
from affray.events import Event, Id, ItemAdded

Line = TypeVar("Line", Weapon, Armor, Focus)


def note_stock(
    weapon: Mapping[str, Weapon], armors: Mapping[str, Armor], focus: Mapping[str, Focus], events: Iterable[Event]
) -> Iterator[Event]:
    """Yield a note of each line of the file that no combatant carries, for later use.

    Carried items are read from the combatants, so that no note reveals those of a concealed combatant.
    """
    carried = {_key(one.item) for one in events if isinstance(one, ItemAdded)}
    stock: tuple[tuple[StructMark[Any], Mapping[str, Any], Mapping[str, Any]], ...] = (
        (OWN_WEAPON, weapon, weapons()),
        (OWN_ARMOR, armors, armor()),
        (OWN_FOCUS, focus, foci()),
    )
    for mark, lines, own in stock:
        for key, line in lines.items():
            if key not in carried or key in own:
                yield mark.set_on(FIGHT, line, "WWN-T72", about=key)


def collect_stock(table: Table) -> Tables:
    """Return everything that a newcomer can have."""
    brought: dict[str, dict[str, Weapon | Armor | Focus]] = {"weapon": {}, "armor": {}, "focus": {}}
    for id, item in table.draft.items.items():
        for kind, key, line in _lines_of(_key(id), item):
            brought[kind][key] = line
    return Tables(
        _complete_table(table, weapons(), brought["weapon"], OWN_WEAPON, Weapon),
        _complete_table(table, armor(), brought["armor"], OWN_ARMOR, Armor),
        _complete_table(table, foci(), brought["focus"], OWN_FOCUS, Focus),
    )


def _complete_table(
    table: Table, own: Mapping[str, Line], brought: Mapping[str, object], mark: StructMark[Line], form: type[Line]
) -> dict[str, Line]:
    """Return a table of the rules, with carried and noted lines."""
    more = {key: line for key, line in brought.items() if key not in own and isinstance(line, form)}
    return {**own, **more, **dict(mark.list_on(table, FIGHT))}


def _key(item: Id) -> str:
    """Return an item's key in an encounter file: its id without its owner."""
    return item.rpartition(".")[2]


def _lines_of(key: str, item: Item) -> Iterator[tuple[str, str, Weapon | Armor | Focus]]:
    """Yield the table lines of an item; a shield also has a weapon line."""
    if item.kind == "weapon":
        yield "weapon", key, _weapon(item)
    elif item.kind == "shield":
        bash = f"{key}_bash"
        yield "weapon", bash, _weapon(item)
        ac, bonus, magical = item.stats["ac"], item.stats["bonus"], "magical" in item.traits
        yield "armor", key, Armor(name=item.name, class_="shield", ac=ac, bonus=bonus, bash=bash, magical=magical)
    elif item.kind == "armor":
        line = {"name": item.name, "class": item.traits[0], "ac": item.stats["ac"]}
        flags = {name: name in item.traits for name in ("magical", "proof")}
        yield "armor", key, msgspec.convert({**line, **flags}, Armor)
    elif item.kind == "focus" and key != "abilities":
        yield "focus", key, _focus(item)


def _weapon(item: Item) -> Weapon:
    handling, stats = read_features(item.features), item.stats
    line = {
        "name": item.name,
        "damage": f"{stats['dice']}d{stats['sides']}",
        "attribute": handling.attributes,
        "skill": handling.skill,
        "damage_skill": handling.damage_skill,
        "tags": tuple(tag for tag in item.traits if tag != "magical"),
        "modifiers": handling.modifiers,
        "shock": stats.get("shock"),
        **{name: stats.get(name, 0) for name in ("shock_ac", "near", "far", "magic")},
    }
    return msgspec.convert(line, Weapon, from_attributes=True)


def _focus(item: Item) -> Focus:
    handling, stats = read_features(item.features), item.stats
    flags = {name: name in item.traits for name in ("shrugs_off_shock", "unsurprised", "lends_ac")}
    line = {
        "name": item.name,
        "modifiers": handling.modifiers,
        "throws_in_melee": handling.throws_in_melee,
        **flags,
        **stats,
    }
    return msgspec.convert(line, Focus, from_attributes=True)
