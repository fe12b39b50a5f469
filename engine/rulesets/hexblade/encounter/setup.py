"""From an encounter file to the events that set up the fight."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from affray.engine.core.coordinates import coordinates
from affray.engine.core.draft import Draft
from affray.engine.core.evolve import evolve
from affray.engine.core.ids import id_of, named
from affray.engine.core.state import State
from affray.engine.errors import Unusable
from affray.engine.kit.encounters import places, told, unknown
from affray.engine.kit.hexes import direction
from affray.engine.rulesets.hexblade.chapters.effects import DERIVED
from affray.engine.rulesets.hexblade.config import Config, Table
from affray.engine.rulesets.hexblade.encounter.file import Board, Encounter, Spec, Stock
from affray.engine.rulesets.hexblade.gear import HANDS, USES
from affray.engine.rulesets.hexblade.marks import FIGHT, Q_FROM, Q_TO, R_FROM, R_TO
from affray.engine.rulesets.hexblade.movement.board import why_no_room
from affray.engine.rulesets.hexblade.movement.positions import side_trait
from affray.engine.rulesets.hexblade.sheet import CLASS, GIVES, LIST, PC, SKILLS
from affray.engine.rulesets.hexblade.tables import ATTRIBUTES, Block, Weapon, armors, blocks, weapons
from affray.events import Event, Id, ItemAdded, Joined, PlaceSet

USUAL_INITIATIVE = 10
"""The fixed number of somebody for whom the file names none."""

FRAIL = 5
"""The durability of what shoots or is thrown, where that counts and its table names none."""

QUIVER = 20
"""How many missiles come with what shoots them, unless the file says otherwise."""

BARE = "unarmed"

SHIELD = "shield"


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
        for event in join(spec, f"combatant[{index}]", stock, ids):
            if isinstance(event, Joined) and event.place:
                fault = why_no_room(table, event.place)
                if fault:
                    raise Unusable(fault, f"combatant[{index}].at")
            events.append(event)
            evolve(table.draft, event)
    return events


def _board(board: Board) -> Iterator[Event]:
    for axis, edges, marks in (("q", board.q, (Q_FROM, Q_TO)), ("r", board.r, (R_FROM, R_TO))):
        if edges is None:
            continue
        if edges[0] > edges[1]:
            raise Unusable("names the lower edge first", f"board.{axis}")
        for mark, value in zip(marks, edges, strict=True):
            yield mark.noted(FIGHT, value, "HEX-071")
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


def join(spec: Spec, field: str, stock: Stock, ids: set[Id]) -> Iterator[Event]:
    """Yield the events that bring in the combatants of one entry, and note their ids.

    Raises:
        Unusable: see ``encounter``.
    """
    block = _block(spec, field)
    stats, hp = numbers_of(spec, field, block)
    where = ("",) * spec.count
    if spec.at:
        where = tuple(hex_named(one, f"{field}.at") for one in places(spec.at, spec.count, field, "hexes"))
    pc = spec.pc if spec.pc is not None else bool(block and block.pc)
    traits = (
        *((PC,) if pc else ()),
        *((f"{CLASS}{spec.calling}",) if spec.calling else ()),
        *((f"{spec.cover}_cover",) if spec.cover else ()),
    )
    pools = {"hp": hp, "movement": 0, "actions": 0}
    for nth, (who, called) in enumerate(tuple(named(spec.name, spec.count, field, ids))):
        ids.add(who)
        yield Joined(who=who, name=called, side=spec.side, stats=stats, pools=pools, traits=traits, place=where[nth])
        yield from equip(who, spec, block, field, stock)


def _block(spec: Spec, field: str) -> Block | None:
    if not spec.block:
        return None
    block = blocks().get(spec.block)
    if block is None:
        raise unknown("stat block", spec.block, blocks(), f"{field}.block")
    return block


def numbers_of(spec: Spec, field: str, block: Block | None) -> tuple[dict[str, int], int]:
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
    number = _first(spec.initiative, block.initiative if block else None, USUAL_INITIATIVE)
    return {**stats, "hp": most, "movement": spec.movement, "initiative": number, "reach": 1}, hp


def _first(*values: int | None) -> int:
    """Return the first number that was told."""
    return next(value for value in values if value is not None)


# --- what they carry ---


def equip(who: Id, spec: Spec, block: Block | None, field: str, stock: Stock) -> Iterator[ItemAdded]:
    """Yield everything somebody carries: the first weapon in hand, the others and what follows on the belt (HEX-062).

    Raises:
        Unusable: something does not exist, is named twice, or hands are too few.
    """
    listed = spec.weapons if spec.weapons is not None else block.weapons if block else ()
    carries_shield = spec.shield if spec.shield is not None else bool(block and block.shield)
    _must_have_hands(listed, carries_shield, field, stock)
    seen: set[str] = set()
    lists = (("weapons", listed), ("belt", spec.belt), ("pack", spec.pack))
    missiles = spec.missiles if spec.missiles is not None else block.missiles if block else {}
    for label, things in lists:
        for nth, thing in enumerate(things):
            key = id_of(thing)
            at = f"{field}.{label}[{nth}]"
            if not key or key in seen or key == BARE:
                raise Unusable(f"{thing} is named twice" if key else "a name needs a letter or a digit", at)
            if label == "weapons" and key not in stock.weapons:
                raise unknown("weapon", thing, (one for one in stock.weapons if one != BARE), at)
            seen.add(key)
            where = label if label != "weapons" else "belt" if nth else "hand"
            yield from _equip_thing(who, key, thing, where, stock, missiles)
    yield from _equip_body(who, spec, block, field, carries_shield)
    yield from _equip_missiles(who, seen, missiles, field, stock)
    yield from _equip_spells(who, spec, field, stock)


def _must_have_hands(listed: tuple[str, ...], carries_shield: bool, field: str, stock: Stock) -> None:
    """Refuse a shield beside a weapon that takes both hands."""
    first = stock.weapons.get(listed[0]) if listed else None
    if first is not None and carries_shield and first.hands >= HANDS:
        raise Unusable(f"{first.name} takes both hands, and there is a shield", f"{field}.shield")


def _equip_thing(
    who: Id, key: str, name: str, where: str, stock: Stock, missiles: Mapping[str, int]
) -> Iterator[ItemAdded]:
    weapon = stock.weapons.get(key)
    if weapon is None:
        yield ItemAdded(item=f"{who}.{key}", name=name, kind="goods", owner=who, where=where)
        return
    yield weapon_item(who, key, weapon, where, missiles.get(key, 1))


def weapon_item(who: Id, key: str, weapon: Weapon, where: str, pieces: int = 1) -> ItemAdded:
    """Return a weapon as a thing of the fight; what is thrown is as many pieces."""
    thrown = weapon.ammunition == "itself"
    flags = {
        weapon.attribute: True,
        "ranged" if weapon.ammunition else "melee": True,
        "complex": weapon.complex,
        "natural": weapon.natural,
        "thrown": thrown,
        f"{USES}{weapon.ammunition}": bool(weapon.ammunition) and not thrown,
    }
    supply = {"left": pieces, "spent": 0, "recoverable": 0} if thrown else {}
    durability = weapon.durability or (FRAIL if weapon.ammunition else 0)
    return ItemAdded(
        item=f"{who}.{key}",
        name=weapon.name,
        kind="weapon",
        owner=who,
        where=where,
        stats={"hands": weapon.hands, "durability": durability},
        traits=tuple(flag for flag, true in flags.items() if true),
        counters=supply,
        die=weapon.die,
        base=weapon.die,
    )


def _equip_body(who: Id, spec: Spec, block: Block | None, field: str, carries_shield: bool) -> Iterator[ItemAdded]:
    """Yield bare hands, armour and shield."""
    yield weapon_item(who, BARE, weapons()[BARE], "")
    key = spec.armor if spec.armor is not None else block.armor if block else "none"
    suits = {one: suit for one, suit in armors().items() if one != SHIELD}
    if key not in suits:
        raise unknown("armor", key, suits, f"{field}.armor")
    suit = suits[key]
    if suit.die:
        yield ItemAdded(
            item=f"{who}.{key}-armor",
            name=suit.name,
            kind="armor",
            owner=who,
            where="worn",
            die=suit.die,
            base=suit.die,
        )
    if carries_shield:
        held = armors()[SHIELD]
        stats = {"bonus": held.bonus, "hands": held.hands}
        yield ItemAdded(item=f"{who}.{SHIELD}", name=held.name, kind=SHIELD, owner=who, where="hand", stats=stats)


def _equip_missiles(
    who: Id, carried: set[str], told: Mapping[str, int], field: str, stock: Stock
) -> Iterator[ItemAdded]:
    """Yield the missiles: as many as the file says, else a quiver for whatever shoots."""
    kinds = {stock.weapons[key].ammunition for key in carried if key in stock.weapons}
    pieces = {kind: QUIVER for kind in sorted(kinds) if kind not in ("", "itself")}
    known = {one.ammunition for one in stock.weapons.values()} - {"", "itself"}
    for kind, count in told.items():
        if kind in carried:
            continue
        if kind not in known:
            raise unknown("missile", kind, sorted(known), f"{field}.missiles")
        pieces[kind] = count
    for kind, count in pieces.items():
        counters = {"left": count, "spent": 0, "recoverable": 0}
        yield ItemAdded(
            item=f"{who}.{kind}", name=kind, kind="ammunition", owner=who, traits=(kind,), counters=counters
        )


def _equip_spells(who: Id, spec: Spec, field: str, stock: Stock) -> Iterator[ItemAdded]:
    for nth, key in enumerate(spec.spells):
        spell = stock.spells.get(key)
        if spell is None or key in spec.spells[:nth]:
            raise unknown("spell", key, stock.spells, f"{field}.spells[{nth}]")
        lists = tuple(f"{LIST}{one}" for one in spell.classes)
        gives = (f"{GIVES}{spell.condition}",) if spell.condition else ()
        yield ItemAdded(
            item=f"{who}.{key}",
            name=spell.name,
            kind="spell",
            owner=who,
            stats={"rounds": spell.rounds},
            traits=(*lists, *gives),
        )
