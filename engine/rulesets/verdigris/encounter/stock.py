"""The weapons that newcomers can have: of the rules, the file and the combatants."""

from collections.abc import Iterable, Iterator, Mapping
from typing import get_args

from msgspec import UNSET, UnsetType, convert

from affray.engine.core.state import Item
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.gear.things import SHOOTS
from affray.engine.rulesets.verdigris.marks import FIGHT, OWN_WEAPON
from affray.engine.rulesets.verdigris.tables import Group, Weapon, weapons
from affray.events import Event, Id, ItemAdded

GROUPS = frozenset(get_args(Group))


def note_own_weapons(own: Mapping[str, Weapon], events: Iterable[Event]) -> Iterator[Event]:
    """Yield a note of each weapon of the file that no combatant carries unchanged.

    Carried weapons are read from their items, so that no note reveals a concealed combatant's weapon.
    """
    shown = {key_of(one.item) for one in events if isinstance(one, ItemAdded) and _is_plain(own, one)}
    for key, line in own.items():
        if key not in shown or key in weapons():
            yield OWN_WEAPON.set_on(FIGHT, line, "VER-098", about=key)


def _is_plain(own: Mapping[str, Weapon], item: ItemAdded) -> bool:
    line = own.get(key_of(item.item))
    return line is not None and line.name == item.name


def arsenal_of(table: Table) -> dict[str, Weapon]:
    """Return the weapons of the rules, of the combatants and of the encounter file."""
    found = dict(weapons())
    for item in table.draft.items.values():
        key = key_of(item.id)
        again = key.rpartition("-")[0] in found  # a second weapon of the same kind
        if item.kind == "weapon" and key not in found and not again and item.traits[0] in GROUPS:
            found[key] = line_of(item)
    return {**found, **dict(OWN_WEAPON.list_on(table, FIGHT))}


def line_of(item: Item) -> Weapon:
    """Return the table line of a weapon, without the bonus of its better grip."""
    stats = item.stats
    group, *others = item.traits
    line: dict[str, object | UnsetType] = {
        "name": item.name,
        "group": group,
        "damage": stats["damage"],
        "bonus": stats["bonus"] - stats.get("grip_bonus", 0),
        "damage_two_handed": stats.get("damage_two_handed", UNSET),
        "bonus_two_handed": stats["bonus"] if "grip_bonus" in stats else UNSET,
        "qualities": others,
        "max": stats.get("max", UNSET),
        "ammunition": "".join(item.list_features(SHOOTS)),
        "pushes": bool(stats.get("pushes")),
        "fired": bool(stats.get("fired")),
        "cost": stats.get("cost", 0),
    }
    return convert({name: value for name, value in line.items() if value is not UNSET}, Weapon)


def key_of(item: Id) -> str:
    """Return a weapon's key in an encounter file: its id without its owner."""
    return item.rpartition(".")[2]
