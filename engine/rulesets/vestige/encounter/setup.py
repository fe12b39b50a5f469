"""The events that set up a fight, made from an encounter file."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from affray.engine.core.coordinates import parse_cell
from affray.engine.core.ids import id_of, name_combatants
from affray.engine.errors import Unusable
from affray.engine.kit.encounters import (
    add_item,
    decode_encounter,
    fill_from_block,
    find_row,
    find_starting_value,
    find_stat_block,
    join_fight,
    list_places,
    list_traits_by_place,
    make_unknown_name,
    read_pair,
    read_views,
)
from affray.engine.kit.relations import find_free_id
from affray.engine.rulesets.vestige.config import Config
from affray.engine.rulesets.vestige.encounter.stock import note_definitions
from affray.engine.rulesets.vestige.tables import Skill, Tables, Weapon, blocks, skills, weapons
from affray.engine.rulesets.vestige.turns.order import form_group
from affray.events import ConditionChanged, DistanceSet, Event, Feature, Id, ItemAdded, Joined, PlaceSet

from .file import Board, Encounter, Pair, Spec, View


def encounter(content: Mapping[str, Any], config: Config) -> list[Event]:
    """Return the events that set up a fight from an encounter file's content.

    Raises:
        Unusable: A field is unknown, missing, of the wrong kind or out of range, or names something unknown.
    """
    file = decode_encounter(content, Encounter)
    tables = Tables({**weapons(), **file.weapon}, {**skills(), **file.skill})
    entries = [(spec, f"combatant[{index}]") for index, spec in enumerate(file.combatant)]
    events: list[Event] = list(_set_cells(file.board)) if file.board else []
    events += enter(entries, config, tables, file.board is not None, set())
    people = {event.who for event in events if isinstance(event, Joined)}
    events += state_distances_and_views(file.distance, file.view, file.board is not None, people)
    events += note_definitions(file.weapon, file.skill, events)
    return events


def enter(
    entries: Iterable[tuple[Spec, str]], config: Config, tables: Tables, on_board: bool, taken: set[Id]
) -> Iterator[Event]:
    """Yield the events that bring in the combatants of several entries.

    Each entry comes with its field in the file, for error messages.

    Raises:
        Unusable: see ``encounter``.
    """
    for spec, field in entries:
        yield from join(spec, field, config, tables, on_board, taken)


def _set_cells(board: Board) -> Iterator[Event]:
    for place, traits in list_traits_by_place(
        {"difficult": board.difficult, "blocked": board.blocked}, parse_cell
    ).items():
        yield PlaceSet(place=place, traits=traits)


def join(spec: Spec, field: str, config: Config, tables: Tables, on_board: bool, taken: set[Id]) -> Iterator[Event]:
    """Yield the events that bring in the combatants of one entry.

    Their ids, and that of their group, are added to ``taken``.

    Raises:
        Unusable: see ``encounter``.
    """
    stats, pools = read_sheet(spec, field, config)
    members = []
    everybody = name_combatants(spec.name, spec.count, field, taken)
    for (who, name), place in zip(everybody, _list_places(spec, field, on_board), strict=True):
        members.append(who)
        traits, rules = spec.disciplines, ("VES-T12",)
        yield from join_fight(spec, who, name, stats=stats, pools=pools, traits=traits, place=place, rules=rules)
        yield from outfit(who, spec, field, config, tables)
        if not pools["health"]:
            yield ConditionChanged(who=who, condition="brink", before=0, after=1, rules=("VES-055", "VES-T29"))
    if spec.group and len(members) > 1:
        name = find_free_id(f"{id_of(spec.name)}s", taken)
        taken.add(name)
        yield form_group(name, *members)


def read_sheet(spec: Spec, field: str, config: Config) -> tuple[dict[str, int], dict[str, int]]:
    """Return a sheet's numbers and its counters at the start (VES-T12).

    Raises:
        Unusable: a number is missing, or the stat block does not exist.
    """
    block = find_stat_block(spec, blocks(), field)
    health_max = spec.health_max or max(spec.health or 0, block.health if block else 0)
    ep_max = spec.ep_max if spec.ep_max is not None else block.ep if block else config.ep_max
    whole = fill_from_block(spec, block)
    stats: dict[str, int] = {}
    for name, value in (("agility", whole.agility), ("might", whole.might)):
        if value is None:
            raise Unusable(f"{name} is missing, and there is no stat block to take it from", f"{field}.{name}")
        stats[name] = value
    stats |= {"accuracy": whole.accuracy or 0, "protection": whole.protection or 0}
    health = 0 if spec.health == 0 and health_max else find_starting_value(spec.health, health_max, "health", field)
    ep = spec.ep if spec.ep is not None else ep_max if config.ep_start == "max" else 0
    if ep > ep_max:
        raise Unusable(f"must be from 0 to the maximum of {ep_max}", f"{field}.ep")
    stats |= {"health": health_max, "ep": ep_max}
    usual = {"ep_regain": config.ep_regain, "move": config.move_metres}
    stats |= {name: usual[name] if (own := getattr(spec, name)) is None else own for name in usual}
    return stats, {"health": health, "ep": ep, "actions": 0, "morale": spec.morale}


def outfit(who: Id, spec: Spec, field: str, config: Config, tables: Tables) -> Iterator[ItemAdded]:
    """Yield a combatant's weapons, the first one in hand, bare hands, and skills (VES-T16, VES-T18).

    Raises:
        Unusable: A weapon, skill or discipline does not exist, or a weapon is named twice.
    """
    for nth, key in enumerate((*spec.weapons, "unarmed")):
        weapon = tables.weapons.get(key)
        known, at = [name for name in tables.weapons if name != "unarmed"], f"{field}.weapons[{nth}]"
        if weapon is None:
            raise make_unknown_name("weapon", key, known, at)
        if (key == "unarmed" and nth < len(spec.weapons)) or key in spec.weapons[:nth]:
            raise Unusable(f"{key} is named twice; there are {', '.join(known)}", at)
        yield build_weapon(who, key, weapon, "" if nth else "hand", config)
    for key in _list_learnt_skills(spec, field, tables):
        yield _build_skill(who, key, tables.skills[key])


def build_weapon(who: Id, key: str, weapon: Weapon, where: str, config: Config) -> ItemAdded:
    """Return a weapon as an item of a combatant."""
    bonuses = {"accuracy": weapon.accuracy, "might": weapon.might, "might_min": weapon.might_min}
    stats = {"range": weapon.range, **bonuses}
    shot = weapon.ammunition
    traits = (weapon.type, "ammunition") if shot else (weapon.type,)
    loaded = {"loaded": int(config.start_loaded)} if shot else {}
    rules = ("VES-T16", "VES-T18", "VES-T25") if shot else ("VES-T16", "VES-T18")
    return add_item(who, key, weapon.name, "weapon", where, stats=stats, traits=traits, counters=loaded, rules=rules)


def _list_learnt_skills(spec: Spec, field: str, tables: Tables) -> tuple[str, ...]:
    """Return the skills that a combatant has learnt, singly or by a discipline (VES-T15)."""
    taught = {skill.discipline for skill in tables.skills.values() if skill.discipline}
    for nth, key in enumerate(spec.skills):
        find_row("skill", key, tables.skills, f"{field}.skills[{nth}]")
    for nth, discipline in enumerate(spec.disciplines):
        if discipline not in taught:
            raise make_unknown_name("discipline", discipline, sorted(taught), f"{field}.disciplines[{nth}]")
    by_discipline = [key for key, skill in tables.skills.items() if skill.discipline in spec.disciplines]
    return tuple(dict.fromkeys((*spec.skills, *by_discipline)))


def _build_skill(who: Id, key: str, skill: Skill) -> ItemAdded:
    """Return a learnt skill; it costs 1 ep unless its line says otherwise (VES-019, VES-T14)."""
    stats = {"accuracy": skill.accuracy, "might": skill.might, "metres": skill.metres}
    if skill.range is not None:
        stats["range"] = skill.range
    flags = {
        skill.effect: True,
        "initiative": skill.initiative,
        "provokes": skill.provokes and skill.effect == "move",
        "spares ammunition": not skill.fires,
        "cost by default": skill.ep is None,
        "by discipline": bool(skill.discipline),
    }
    shown = {name: value for name, value in stats.items() if value or name == "range"}
    traits = (flag for flag, true in flags.items() if true)
    taught = (Feature(kind="taught", of=skill.discipline),) if skill.discipline else ()
    features = (*taught, *(Feature(kind="needs", of=one) for one in skill.needs))
    cost = {"cost": 1 if skill.ep is None else skill.ep}
    return add_item(who, key, skill.name, "skill", stats=shown, traits=traits, features=features, counters=cost)


def _list_places(spec: Spec, field: str, on_board: bool) -> tuple[str, ...]:
    if on_board:
        cells = list_places(spec.at, spec.count, field, "cells")
        return tuple(parse_cell(place, f"{field}.at[{nth}]") for nth, place in enumerate(cells))
    if spec.at:
        raise Unusable("there is no board in this encounter; state distances instead", f"{field}.at")
    return ("",) * spec.count


def state_distances_and_views(
    distances: Sequence[Pair], seen: Sequence[View], on_board: bool, people: Collection[Id]
) -> Iterator[Event]:
    """Yield the distances and views that an encounter file states.

    Raises:
        Unusable: There is a board, or a combatant is named who does not exist.
    """
    for index, one in enumerate(distances):
        field = f"distance[{index}].between"
        both = read_pair(*one.between, people, field)
        if on_board:
            raise Unusable("this encounter has a board; its cells give the distances", field)
        yield DistanceSet(pair=both, before=None, after=one.metres)
    yield from read_views(seen, sorted(people))
