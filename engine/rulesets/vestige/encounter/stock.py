"""The weapons and skills that newcomers can have: of the rules, the file and the combatants."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from affray.engine.core.marks import StructMark
from affray.engine.core.state import Item
from affray.engine.rulesets.vestige.config import Table
from affray.engine.rulesets.vestige.marks import FIGHT, OWN_SKILL, OWN_WEAPON
from affray.engine.rulesets.vestige.sheet import can_be_loaded, find_discipline, list_needed_types, weapon_type
from affray.engine.rulesets.vestige.tables import Skill, Tables, Weapon, skills, weapons
from affray.events import Event, ItemAdded


def collect_tables(table: Table) -> Tables:
    """Return the weapons and skills that a fight under way can use.

    They come from the rules, from the combatants and from notes.
    """
    brought = [(item.id.partition(".")[2], item) for item in table.draft.items.values()]
    carried_weapons = {key: _read_weapon(item) for key, item in brought if item.kind == "weapon"}
    carried_skills = {key: _read_skill(item) for key, item in brought if item.kind == "skill"}
    return Tables(
        {**weapons(), **carried_weapons, **dict(OWN_WEAPON.list_on(table, FIGHT))},
        {**skills(), **carried_skills, **dict(OWN_SKILL.list_on(table, FIGHT))},
    )


def note_definitions(
    weapon: Mapping[str, Weapon], skill: Mapping[str, Skill], events: Iterable[Event]
) -> Iterator[Event]:
    """Yield a note of each weapon and skill of an encounter file that no combatant has.

    Those that a combatant has are read from that combatant, so no note reveals the gear of a concealed one.
    """
    carried = {one.item.partition(".")[2] for one in events if isinstance(one, ItemAdded)}
    marks: tuple[tuple[StructMark[Any], Mapping[str, Any]], ...] = ((OWN_WEAPON, weapon), (OWN_SKILL, skill))
    for mark, lines in marks:
        for key, line in lines.items():
            if key not in carried or key in weapons() or key in skills():
                yield mark.set_on(FIGHT, line, "VES-T14", "VES-T16", about=key)


def _read_weapon(item: Item) -> Weapon:
    numbers = {name: item.stats[name] for name in ("range", "accuracy", "might", "might_min")}
    return Weapon(name=item.name, type=weapon_type(item), ammunition=can_be_loaded(item), **numbers)


def _read_skill(item: Item) -> Skill:
    traits = item.traits
    return Skill(
        name=item.name,
        effect=traits[0],
        needs=list_needed_types(item),
        ep=None if "cost by default" in traits else item.counters["cost"],
        initiative="initiative" in traits,
        range=item.stats.get("range"),
        accuracy=item.stats.get("accuracy", 0),
        might=item.stats.get("might", 0),
        metres=item.stats.get("metres", 0),
        provokes="provokes" in traits,
        fires="spares ammunition" not in traits,
        discipline=find_discipline(item),
    )
