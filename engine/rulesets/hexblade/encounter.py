"""From an encounter file to the events that set up the fight."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from affray.engine.core.coordinates import coordinates
from affray.engine.core.draft import Draft
from affray.engine.core.evolve import evolve
from affray.engine.core.ids import named
from affray.engine.core.state import State
from affray.engine.core.table import Table
from affray.engine.errors import Unusable
from affray.engine.kit.encounters import places, told, unknown
from affray.events import Event, Id, Joined, MarkSet, PlaceSet

from .config import Config
from .cover import side_trait
from .effects import DERIVED
from .encounter_file import Board, Encounter, Spec
from .equipment import Stock, equipment
from .ground import MAP, no_room
from .hexes import direction
from .sheet import PC, SKILLS
from .tables import ATTRIBUTES, Block, blocks

INITIATIVE = 10
"""The fixed number of somebody for whom the file names none."""


def encounter(content: Mapping[str, Any], config: Config) -> list[Event]:
    """Return the events that set up a fight from an encounter file's content.

    Raises:
        Unusable: a field is unknown, missing, of the wrong kind or out of range, or names what does not exist.
    """
    file = told(content, Encounter)
    for key, spell in file.spell.items():
        if spell.condition in DERIVED:
            raise Unusable(
                f"{spell.condition} follows from something else; no spell gives it", f"spell.{key}.condition"
            )
    stock = Stock.of(file.weapon, file.spell)
    table = Table(Draft(State()), config)
    events: list[Event] = []
    for event in _board(file.board):
        events.append(event)
        evolve(table.draft, event)
    ids: set[Id] = set()
    for index, spec in enumerate(file.combatant):
        for event in joined(spec, f"combatant[{index}]", stock, ids):
            if isinstance(event, Joined) and event.place:
                fault = no_room(table, event.place)
                if fault:
                    raise Unusable(fault, f"combatant[{index}].at")
            events.append(event)
            evolve(table.draft, event)
    return events


def _board(board: Board) -> Iterator[Event]:
    for axis, edges in (("q", board.q), ("r", board.r)):
        if edges is None:
            continue
        if edges[0] > edges[1]:
            raise Unusable("names the lower edge first", f"board.{axis}")
        for end, value in zip(("from", "to"), edges, strict=True):
            yield MarkSet(owner=MAP, key=f"{axis}_{end}", value=value, rules=("HEX-071",))
    traits: dict[Id, tuple[str, ...]] = {}
    for kind in ("difficult", "smoke", "fence", "blocked"):
        for index, one in enumerate(getattr(board, kind)):
            place = hex_named(one, f"board.{kind}[{index}]")
            traits[place] = (*traits.get(place, ()), kind)
    for index, side in enumerate(board.side):
        one, other = (hex_named(hex, f"board.side[{index}].between") for hex in side.between)
        at = direction(one, other)
        if at is None:
            raise Unusable("must name two neighbouring hexes", f"board.side[{index}].between")
        traits[one] = (*traits.get(one, ()), side_trait(side.cover, at))
    for place, of_it in traits.items():
        rules = ("HEX-070", "HEX-071") if "difficult" in of_it else ("HEX-071", "HEX-078")
        yield PlaceSet(place=place, traits=of_it, rules=rules)


def hex_named(place: str, field: str) -> Id:
    """Return a hex in the one form it has; see ``coordinates``."""
    return coordinates(place, field, what="hex", form="q,r", such_as="3,-1")


def joined(spec: Spec, field: str, stock: Stock, ids: set[Id]) -> Iterator[Event]:
    """Yield the events that bring in the combatants of one entry, and note their ids.

    Raises:
        Unusable: see ``encounter``.
    """
    block = _block(spec, field)
    stats, hp = sheet(spec, field, block)
    where = ("",) * spec.count
    if spec.at:
        where = tuple(hex_named(one, f"{field}.at") for one in places(spec.at, spec.count, field, "hexes"))
    pc = spec.pc if spec.pc is not None else bool(block and block.pc)
    traits = (
        *((PC,) if pc else ()),
        *((f"class:{spec.calling}",) if spec.calling else ()),
        *((f"{spec.cover}_cover",) if spec.cover else ()),
    )
    pools = {"hp": hp, "movement": 0, "actions": 0}
    for nth, (who, called) in enumerate(tuple(named(spec.name, spec.count, field, ids))):
        ids.add(who)
        yield Joined(who=who, name=called, side=spec.side, stats=stats, pools=pools, traits=traits, place=where[nth])
        yield from equipment(who, spec, block, field, stock)


def _block(spec: Spec, field: str) -> Block | None:
    if not spec.block:
        return None
    block = blocks().get(spec.block)
    if block is None:
        raise unknown("stat block", spec.block, blocks(), f"{field}.block")
    return block


def sheet(spec: Spec, field: str, block: Block | None) -> tuple[dict[str, int], int]:
    """Return a sheet's numbers, and the hit points at the start.

    Raises:
        Unusable: hit points are missing or out of range, or a skill does not exist.
    """
    bonuses: dict[str, int] = {
        short: _first(getattr(spec, full), getattr(block, full, None), 0) for short, full in ATTRIBUTES.items()
    }
    trained = spec.skills if spec.skills is not None else block.skills if block else {}
    for skill in trained:
        if skill not in SKILLS:
            raise unknown("skill", skill, SKILLS, f"{field}.skills")
    stats: dict[str, int] = {**bonuses, **{skill: trained.get(skill, 0) for skill in SKILLS}}
    most = spec.hp_max or spec.hp or (block.hp if block else 0)
    if most < 1:
        raise Unusable("hp is missing, and there is no stat block to take it from", f"{field}.hp")
    hp = most if spec.hp is None else spec.hp
    if hp > most:
        raise Unusable(f"must be from 1 to the maximum of {most}", f"{field}.hp")
    number = _first(spec.initiative, block.initiative if block else None, INITIATIVE)
    return {**stats, "hp": most, "movement": spec.movement, "initiative": number, "reach": 1}, hp


def _first(*values: int | None) -> int:
    """Return the first number that was told."""
    return next(value for value in values if value is not None)
