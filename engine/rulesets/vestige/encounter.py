"""From an encounter file to the events that set up the fight."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from affray.engine.core.coordinates import coordinates
from affray.engine.core.ids import id_of, named
from affray.engine.errors import Unusable
from affray.engine.kit.encounters import Seen, places, told, two, unknown
from affray.engine.kit.relations import numbered
from affray.events import DistanceSet, Event, Id, ItemAdded, Joined, PlaceSet, ViewSet

from .config import Config
from .tables import Bonus, Score, Skill, Tables, Weapon, blocks, skills, weapons
from .turns.order import grouped

Name = Annotated[str, Meta(min_length=1, max_length=60)]


class Spec(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ``[[combatant]]`` of an encounter file. What it leaves out comes from its block, then from the defaults."""

    name: Name
    side: Name
    block: str = ""
    count: Annotated[int, Meta(ge=1, le=500)] = 1
    group: bool = False
    agility: Annotated[int, Meta(ge=1, le=30)] | None = None
    might: Score | None = None
    accuracy: Bonus | None = None
    protection: Score | None = None
    health: Score | None = None
    health_max: Annotated[int, Meta(ge=1, le=999)] | None = None
    ep: Score | None = None
    ep_max: Score | None = None
    ep_regain: Score | None = None
    move: Annotated[int, Meta(ge=0, le=99)] | None = None
    morale: Score = 0
    at: str | tuple[str, ...] = ""
    weapons: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    disciplines: tuple[str, ...] = ()


class Pair(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ``[[distance]]``: two combatants, and how far apart they are."""

    between: tuple[str, str]
    metres: Annotated[int, Meta(ge=0, le=999)] = 0


class View(Seen, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ``[[view]]``: who cannot see whom."""

    view: Literal["blocked"] = "blocked"


class Board(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The ``[board]``: its cells that are out of the ordinary."""

    difficult: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()


class Encounter(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An encounter file of Vestige."""

    system: str
    combatant: Annotated[tuple[Spec, ...], Meta(min_length=1)]
    name: str = ""
    config: dict[str, Any] = {}
    board: Board | None = None
    distance: tuple[Pair, ...] = ()
    view: tuple[View, ...] = ()
    weapon: dict[str, Weapon] = {}
    skill: dict[str, Skill] = {}


def encounter(content: Mapping[str, Any], config: Config) -> list[Event]:
    """Return the events that set up a fight from an encounter file's content.

    Raises:
        Unusable: a field is unknown, missing, of the wrong kind or out of range, or names what does not exist.
    """
    file = told(content, Encounter)
    tables = Tables({**weapons(), **file.weapon}, {**skills(), **file.skill})
    events: list[Event] = list(_board(file.board)) if file.board else []
    taken: set[Id] = set()
    for index, spec in enumerate(file.combatant):
        events += join(spec, f"combatant[{index}]", config, tables, file.board is not None, taken)
    events += _pairs(file, {event.who for event in events if isinstance(event, Joined)})
    return events


def _board(board: Board) -> Iterator[Event]:
    traits: dict[str, tuple[str, ...]] = {}
    for kind, cells in (("difficult", board.difficult), ("blocked", board.blocked)):
        for index, one in enumerate(cells):
            coordinates(one, f"board.{kind}[{index}]")
            traits[one] = (*traits.get(one, ()), kind)
    for one, of_it in traits.items():
        yield PlaceSet(place=one, traits=of_it)


def join(spec: Spec, field: str, config: Config, tables: Tables, on_board: bool, taken: set[Id]) -> Iterator[Event]:
    """Yield the events that bring in the combatants of one entry, and note their ids and that of their group.

    Raises:
        Unusable: see ``encounter``.
    """
    stats, pools = sheet_numbers(spec, field, config)
    members = []
    everybody = named(spec.name, spec.count, field, taken)
    for (who, name), place in zip(everybody, _places(spec, field, on_board), strict=True):
        taken.add(who)
        members.append(who)
        traits = tuple(spec.disciplines)
        yield Joined(
            who=who,
            name=name,
            side=spec.side,
            stats=stats,
            pools=pools,
            traits=traits,
            place=place,
            rules=("VES-T12",),
        )
        yield from outfit(who, spec, field, config, tables)
    if spec.group and len(members) > 1:
        name = numbered(f"{id_of(spec.name)}s", taken)
        taken.add(name)
        yield grouped(name, *members)


def sheet_numbers(spec: Spec, field: str, config: Config) -> tuple[dict[str, int], dict[str, int]]:
    """Return a sheet's numbers and its counters at the start (VES-T12).

    Raises:
        Unusable: a number is missing, or the stat block does not exist.
    """
    block = None
    if spec.block:
        block = blocks().get(spec.block)
        if block is None:
            raise unknown("stat block", spec.block, blocks(), f"{field}.block")
    stats: dict[str, int] = {}
    for name in ("agility", "might", "accuracy", "protection"):
        value = getattr(spec, name)
        if value is None and block is None and name in ("agility", "might"):
            raise Unusable(f"{name} is missing, and there is no stat block to take it from", f"{field}.{name}")
        stats[name] = value if value is not None else getattr(block, name, 0)
    health_max = spec.health_max or max(spec.health or 0, block.health if block else 0)
    if health_max < 1:
        raise Unusable("health is missing, and there is no stat block to take it from", f"{field}.health")
    health = health_max if spec.health is None else spec.health
    if not 1 <= health <= health_max:
        raise Unusable(f"must be from 1 to the maximum of {health_max}", f"{field}.health")
    ep_max = spec.ep_max if spec.ep_max is not None else block.ep if block else config.ep_max
    ep = spec.ep if spec.ep is not None else ep_max if config.ep_start == "max" else 0
    if ep > ep_max:
        raise Unusable(f"must be from 0 to the maximum of {ep_max}", f"{field}.ep")
    stats |= {"health": health_max, "ep": ep_max}
    if spec.ep_regain is not None:
        stats["ep_regain"] = spec.ep_regain
    if spec.move is not None:
        stats["move"] = spec.move
    return stats, {"health": health, "ep": ep, "actions": 0, "morale": spec.morale}


def outfit(who: Id, spec: Spec, field: str, config: Config, tables: Tables) -> Iterator[ItemAdded]:
    """Yield a combatant's weapons, the first one in hand, bare hands, and the skills it has learnt (VES-T16, VES-T18).

    Raises:
        Unusable: a weapon, skill or discipline does not exist, or a weapon is named twice.
    """
    for nth, key in enumerate((*spec.weapons, "unarmed")):
        weapon = tables.weapons.get(key)
        known, at = [name for name in tables.weapons if name != "unarmed"], f"{field}.weapons[{nth}]"
        if weapon is None:
            raise unknown("weapon", key, known, at)
        if (key == "unarmed" and nth < len(spec.weapons)) or key in spec.weapons[:nth]:
            raise Unusable(f"{key} is named twice; there are {', '.join(known)}", at)
        yield ItemAdded(
            item=f"{who}.{key}",
            name=weapon.name,
            kind="weapon",
            owner=who,
            where="" if nth else "hand",
            stats={
                "range": weapon.range,
                "accuracy": weapon.accuracy,
                "might": weapon.might,
                "might_min": weapon.might_min,
            },
            traits=(weapon.type, "ammunition") if weapon.ammunition else (weapon.type,),
            counters={"loaded": int(config.start_loaded)} if weapon.ammunition else {},
            rules=("VES-T16", "VES-T18", "VES-T25") if weapon.ammunition else ("VES-T16", "VES-T18"),
        )
    for key in _learnt(spec, field, tables):
        yield _skill(who, key, tables.skills[key])


def _learnt(spec: Spec, field: str, tables: Tables) -> tuple[str, ...]:
    """Return the skills somebody has learnt, singly and with a discipline (VES-T15)."""
    taught = {skill.discipline for skill in tables.skills.values() if skill.discipline}
    for nth, key in enumerate(spec.skills):
        if key not in tables.skills:
            raise unknown("skill", key, tables.skills, f"{field}.skills[{nth}]")
    for nth, discipline in enumerate(spec.disciplines):
        if discipline not in taught:
            raise unknown("discipline", discipline, sorted(taught), f"{field}.disciplines[{nth}]")
    by_discipline = [key for key, skill in tables.skills.items() if skill.discipline in spec.disciplines]
    return tuple(dict.fromkeys((*spec.skills, *by_discipline)))


def _skill(who: Id, key: str, skill: Skill) -> ItemAdded:
    """Return a learnt skill, which costs 1 ep if its line says nothing (VES-019, VES-T14)."""
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
        f"taught:{skill.discipline}": bool(skill.discipline),
    }
    return ItemAdded(
        item=f"{who}.{key}",
        name=skill.name,
        kind="skill",
        owner=who,
        stats={name: value for name, value in stats.items() if value or name == "range"},
        traits=(*(flag for flag, true in flags.items() if true), *(f"needs:{one}" for one in skill.needs)),
        counters={"cost": 1 if skill.ep is None else skill.ep},
    )


def _places(spec: Spec, field: str, on_board: bool) -> tuple[str, ...]:
    if on_board:
        cells = places(spec.at, spec.count, field, "cells")
        return tuple(coordinates(place, f"{field}.at[{nth}]") for nth, place in enumerate(cells))
    if spec.at:
        raise Unusable("there is no [board] in this encounter; state distances instead", f"{field}.at")
    return ("",) * spec.count


def _pairs(file: Encounter, ids: set[Id]) -> Iterator[Event]:
    for index, one in enumerate(file.distance):
        field = f"distance[{index}].between"
        both = two(*one.between, ids, field)
        if file.board:
            raise Unusable("this encounter has a [board]; its cells give the distances", field)
        yield DistanceSet(pair=both, before=None, after=one.metres)
    for index, seen in enumerate(file.view):
        for viewer, target in seen.ways(sorted(ids), f"view[{index}]"):
            yield ViewSet(viewer=viewer, target=target, before="clear", after=seen.view)
