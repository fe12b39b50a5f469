"""The tables of the rules: weapons, skills and stat blocks, read from their data files."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated

from msgspec import Meta, Struct, json

from affray.engine.core.state import Item
from affray.engine.kit.data_tables import make_table_reader
from affray.events import Event, ItemAdded

from .config import Table
from .marks import FIGHT, OWN_SKILL, OWN_WEAPON
from .sheet import can_be_loaded, find_discipline, list_needed_types, weapon_type

PACKAGE = __name__.rpartition(".")[0]

Score = Annotated[int, Meta(ge=0, le=999)]
Bonus = Annotated[int, Meta(ge=-99, le=99)]


class Block(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A stat block: a starting point for a sheet."""

    name: str
    agility: Score
    might: Score
    accuracy: Bonus
    protection: Score
    health: Score
    ep: Score


class Weapon(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line of the weapon table; range in metres."""

    name: str
    type: str
    range: Score
    accuracy: Bonus = 0
    might: Bonus = 0
    might_min: Score = 0
    ammunition: bool = False


class Skill(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line of the skill table; the cost is 1 where it is left out."""

    name: str
    effect: str
    needs: tuple[str, ...] = ()
    ep: Score | None = None
    initiative: bool = False
    range: Score | None = None
    accuracy: Bonus = 0
    might: Bonus = 0
    metres: Score = 0
    provokes: bool = True
    fires: bool = True
    discipline: str = ""


weapons = make_table_reader(PACKAGE, "weapons", dict[str, Weapon])
"""Read the weapon table."""
skills = make_table_reader(PACKAGE, "skills", dict[str, Skill])
"""Read the skill table."""
blocks = make_table_reader(PACKAGE, "blocks", dict[str, Block])
"""Read the stat blocks."""


class Tables(Struct, frozen=True):
    """The weapons and skills of the rules and of the encounter file."""

    weapons: Mapping[str, Weapon]
    skills: Mapping[str, Skill]


def collect_tables(table: Table) -> Tables:
    """Return the weapons and skills that a fight under way can use.

    They come from the rules, from the combatants and from notes.
    """
    brought = [(item.id.partition(".")[2], item) for item in table.draft.items.values()]
    arms = {key: json.decode(line, type=Weapon) for key, line in OWN_WEAPON.list_on(table, FIGHT)}
    taught = {key: json.decode(line, type=Skill) for key, line in OWN_SKILL.list_on(table, FIGHT)}
    return Tables(
        {**weapons(), **{key: _read_weapon(item) for key, item in brought if item.kind == "weapon"}, **arms},
        {**skills(), **{key: _read_skill(item) for key, item in brought if item.kind == "skill"}, **taught},
    )


def note_definitions(
    weapon: Mapping[str, Weapon], skill: Mapping[str, Skill], events: Iterable[Event]
) -> Iterator[Event]:
    """Yield a note of each weapon and skill of an encounter file that no combatant has.

    Those that a combatant has are read from that combatant, so no note reveals the gear of a concealed one.
    """
    carried = {one.item.partition(".")[2] for one in events if isinstance(one, ItemAdded)}
    lines = (*((OWN_WEAPON, *line) for line in weapon.items()), *((OWN_SKILL, *line) for line in skill.items()))
    for mark, key, line in lines:
        if key not in carried or key in weapons() or key in skills():
            yield mark.set_on(FIGHT, json.encode(line).decode(), "VES-T14", "VES-T16", about=key)


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
