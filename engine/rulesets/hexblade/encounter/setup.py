"""The events that set up a fight, made from an encounter file."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from affray.engine.core.coordinates import parse_cell
from affray.engine.core.draft import Draft
from affray.engine.core.evolve import evolve
from affray.engine.core.ids import id_of, name_combatants
from affray.engine.core.state import State
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
)
from affray.engine.kit.hexes import hex_direction
from affray.engine.rulesets.hexblade.chapters.effects import DERIVED
from affray.engine.rulesets.hexblade.config import Config, Table
from affray.engine.rulesets.hexblade.encounter.file import Board, Encounter, Spec, Stock
from affray.engine.rulesets.hexblade.gear import HANDS, USES
from affray.engine.rulesets.hexblade.marks import FIGHT, Q_FROM, Q_TO, R_FROM, R_TO, SPELL, WEAPON
from affray.engine.rulesets.hexblade.movement.board import explain_no_room
from affray.engine.rulesets.hexblade.sheet import CLASS, GIVES, LIST, PC, SKILLS
from affray.engine.rulesets.hexblade.tables import ATTRIBUTES, Spell, Weapon, armors, blocks, weapons
from affray.events import Event, Feature, Id, ItemAdded, Joined, PlaceSet, SideTrait

USUAL_INITIATIVE = 10
"""The fixed initiative of a combatant whose entry gives none."""

FRAIL = 5
"""The durability of a ranged weapon, where it counts and its table gives none."""

QUIVER = 20
"""The missiles that come with a weapon, unless the file gives a number."""

BARE = "unarmed"

SHIELD = "shield"


def encounter(content: Mapping[str, Any], config: Config) -> list[Event]:
    """Return the events that set up a fight from an encounter file's content.

    Raises:
        Unusable: A field is unknown, missing, of the wrong kind or out of range, or names something unknown.
    """
    file = decode_encounter(content, Encounter)
    table = Table(Draft(State()), config)
    ground = [*note_definitions(file.weapon, file.spell), *_set_board(file.board)]
    for event in ground:
        evolve(table.draft, event)
    entries = [(spec, f"combatant[{index}]") for index, spec in enumerate(file.combatant)]
    return [*ground, *enter(entries, table, Stock.of(file.weapon, file.spell), set())]


def note_definitions(weapon: Mapping[str, Weapon], spell: Mapping[str, Spell]) -> Iterator[Event]:
    """Yield the notes of weapons and spells that an encounter defines, for newcomers.

    Raises:
        Unusable: A spell gives a state that follows from other facts.
    """
    for key, one in spell.items():
        if one.condition in DERIVED:
            message = f"{one.condition} follows from something else; no spell gives it"
            raise Unusable(message, f"spell.{key}.condition")
    for key, line in weapon.items():
        yield WEAPON.set_on(FIGHT, line, "HEX-071", about=key)
    for key, known in spell.items():
        yield SPELL.set_on(FIGHT, known, "HEX-071", about=key)


def enter(entries: Iterable[tuple[Spec, str]], table: Table, stock: Stock, ids: set[Id]) -> Iterator[Event]:
    """Yield the events that bring in the combatants of several entries.

    Each entry comes with its field in the file, for error messages.

    Args:
        table: The fight that they join.
        ids: The ids that are taken.

    Raises:
        Unusable: see ``encounter``.
        NoRoom: A hex is off the map, blocked, or holds another combatant (HEX-071).
    """
    new: dict[Id, str] = {}
    for spec, field in entries:
        for event in join(spec, field, stock, ids):
            if isinstance(event, Joined) and event.place:
                fault = explain_no_room(table, event.place, new.get(event.place, ""))
                if fault:
                    raise NoRoom(fault, event.place, f"{field}.at")
                new[event.place] = event.name
            yield event


class NoRoom(Unusable):
    """A combatant cannot stand in the hex that its entry names.

    Attributes:
        place: The hex.
    """

    def __init__(self, message: str, place: Id, field: str) -> None:
        super().__init__(message, field)
        self.place = place


def read_definitions(table: Table) -> tuple[dict[str, Weapon], dict[str, Spell]]:
    """Return the weapons and the spells that the encounter defined."""
    return dict(WEAPON.list_on(table, FIGHT)), dict(SPELL.list_on(table, FIGHT))


def _set_board(board: Board) -> Iterator[Event]:
    for axis, edges, marks in (("q", board.q, (Q_FROM, Q_TO)), ("r", board.r, (R_FROM, R_TO))):
        if edges is None:
            continue
        if edges[0] > edges[1]:
            raise Unusable("names the lower edge first", f"board.{axis}")
        for mark, value in zip(marks, edges, strict=True):
            yield mark.set_on(FIGHT, value, "HEX-071")
    kinds = {"difficult": board.difficult, "smoke": board.smoke, "fence": board.fence, "blocked": board.blocked}
    traits = list_traits_by_place(kinds, parse_hex)
    sides: dict[Id, tuple[SideTrait, ...]] = {}
    for index, side in enumerate(board.side):
        one, other = (parse_hex(hex, f"board.side[{index}].between") for hex in side.between)
        at = hex_direction(one, other)
        if at is None:
            raise Unusable("must name two neighbouring hexes", f"board.side[{index}].between")
        sides[one] = (*sides.get(one, ()), SideTrait(side=at, trait=side.cover))
    for place in {**traits, **sides}:
        of_it = traits.get(place, ())
        rules = ("HEX-070", "HEX-071") if "difficult" in of_it else ("HEX-071", "HEX-078")
        yield PlaceSet(place=place, traits=of_it, side_traits=sides.get(place, ()), rules=rules)


def parse_hex(place: str, field: str) -> Id:
    """Return a hex in its canonical form; see ``coordinates``."""
    return parse_cell(place, field, what="hex", form="q,r")


def join(spec: Spec, field: str, stock: Stock, ids: set[Id]) -> Iterator[Event]:
    """Yield the events that bring in the combatants of one entry.

    Their ids are added to ``ids``.

    Raises:
        Unusable: see ``encounter``.
    """
    block = find_stat_block(spec, blocks(), field)
    most = spec.hp_max or spec.hp or (block.hp if block else 0)
    spec = fill_from_block(spec, block, "hp")
    stats = _list_numbers(spec, most, field)
    hp = find_starting_value(spec.hp, most, "hp", field)
    where = ("",) * spec.count
    if spec.at:
        where = tuple(parse_hex(one, f"{field}.at") for one in list_places(spec.at, spec.count, field, "hexes"))
    traits = (
        *((PC,) if spec.pc else ()),
        *((Feature(kind=CLASS, of=spec.calling),) if spec.calling else ()),
        *((f"{spec.cover}_cover",) if spec.cover else ()),
    )
    pools = {"hp": hp, "movement": 0, "actions": 0}
    for nth, (who, called) in enumerate(tuple(name_combatants(spec.name, spec.count, field, ids))):
        yield from join_fight(spec, who, called, stats=stats, pools=pools, traits=traits, place=where[nth])
        yield from equip(who, spec, field, stock)


def _list_numbers(spec: Spec, most: int, field: str) -> dict[str, int]:
    trained = spec.skills or {}
    for skill in trained:
        find_row("skill", skill, SKILLS, f"{field}.skills")
    return {
        **{short: getattr(spec, full) or 0 for short, full in ATTRIBUTES.items()},
        **{skill: trained.get(skill, 0) for skill in SKILLS},
        "hp": most,
        "movement": spec.movement,
        "initiative": USUAL_INITIATIVE if spec.initiative is None else spec.initiative,
        "reach": 1,
    }


def equip(who: Id, spec: Spec, field: str, stock: Stock) -> Iterator[ItemAdded]:
    """Yield a combatant's items: the first weapon in hand, the others on the belt (HEX-062).

    Raises:
        Unusable: An item does not exist, is named twice, or there are too few hands.
    """
    listed = spec.weapons or ()
    first = stock.weapons.get(listed[0]) if listed else None
    if first is not None and spec.shield and first.hands >= HANDS:
        raise Unusable(f"{first.name} takes both hands, and there is a shield", f"{field}.shield")
    seen: set[str] = set()
    for label, things in (("weapons", listed), ("belt", spec.belt), ("pack", spec.pack)):
        for nth, thing in enumerate(things):
            key = id_of(thing)
            at = f"{field}.{label}[{nth}]"
            if not key or key in seen or key == BARE:
                raise Unusable(f"{thing} is named twice" if key else "a name needs a letter or a digit", at)
            if label == "weapons" and key not in stock.weapons:
                raise make_unknown_name("weapon", thing, (one for one in stock.weapons if one != BARE), at)
            seen.add(key)
            where = label if label != "weapons" else "belt" if nth else "hand"
            if key in stock.weapons:
                yield build_weapon(who, key, stock.weapons[key], where, (spec.missiles or {}).get(key, 1))
            else:
                yield add_item(who, key, thing, "goods", where)
    yield from _equip_body(who, spec, field)
    yield from _equip_missiles(who, seen, spec.missiles or {}, field, stock)
    yield from _equip_spells(who, spec, field, stock)


def build_weapon(who: Id, key: str, weapon: Weapon, where: str, pieces: int = 1) -> ItemAdded:
    """Return a weapon as an item of the fight; a thrown one as a stack of pieces."""
    thrown = weapon.ammunition == "itself"
    flags = {
        weapon.attribute: True,
        "ranged" if weapon.ammunition else "melee": True,
        "complex": weapon.complex,
        "natural": weapon.natural,
        "thrown": thrown,
    }
    stats = {"hands": weapon.hands, "durability": weapon.durability or (FRAIL if weapon.ammunition else 0)}
    traits = (flag for flag, true in flags.items() if true)
    features = (Feature(kind=USES, of=weapon.ammunition),) if weapon.ammunition and not thrown else ()
    supply = {"left": pieces, "spent": 0, "recoverable": 0} if thrown else {}
    die = weapon.die
    return add_item(
        who,
        key,
        weapon.name,
        "weapon",
        where,
        stats=stats,
        traits=traits,
        features=features,
        counters=supply,
        die=die,
        base=die,
    )


def _equip_body(who: Id, spec: Spec, field: str) -> Iterator[ItemAdded]:
    """Yield bare hands, armour and shield."""
    yield build_weapon(who, BARE, weapons()[BARE], "")
    key = "none" if spec.armor is None else spec.armor
    suit = find_row("armor", key, {one: suit for one, suit in armors().items() if one != SHIELD}, f"{field}.armor")
    if suit.die:
        yield build_armor(who, key, "worn")
    if spec.shield:
        yield build_armor(who, SHIELD, "hand")


def build_armor(who: Id, key: str, where: str) -> ItemAdded:
    """Return a suit of armour or a shield as an item of the fight."""
    line = armors()[key]
    if key == SHIELD:
        return add_item(who, SHIELD, line.name, SHIELD, where, stats={"bonus": line.bonus, "hands": line.hands})
    return add_item(who, f"{key}-armor", line.name, "armor", where, die=line.die, base=line.die)


def _equip_missiles(
    who: Id, carried: set[str], counts: Mapping[str, int], field: str, stock: Stock
) -> Iterator[ItemAdded]:
    """Yield the missiles: the stated number, or a quiver for each ranged weapon."""
    kinds = {stock.weapons[key].ammunition for key in carried if key in stock.weapons}
    pieces = {kind: QUIVER for kind in sorted(kinds) if kind not in ("", "itself")}
    known = {one.ammunition for one in stock.weapons.values()} - {"", "itself"}
    for kind, count in counts.items():
        if kind in carried:
            continue
        if kind not in known:
            raise make_unknown_name("missile", kind, sorted(known), f"{field}.missiles")
        pieces[kind] = count
    for kind, count in pieces.items():
        yield build_missiles(who, kind, count)


def build_missiles(who: Id, kind: str, count: int = QUIVER) -> ItemAdded:
    """Return missiles as an item of the fight; by default a quiver of them."""
    counters = {"left": count, "spent": 0, "recoverable": 0}
    return add_item(who, kind, name_missiles(kind), "ammunition", traits=(kind,), counters=counters)


def name_missiles(kind: str) -> str:
    """Return the plural of a kind of missile."""
    return kind if kind.endswith("s") else f"{kind}s"


def _equip_spells(who: Id, spec: Spec, field: str, stock: Stock) -> Iterator[ItemAdded]:
    for nth, key in enumerate(spec.spells):
        spell = stock.spells.get(key)
        if spell is None or key in spec.spells[:nth]:
            raise make_unknown_name("spell", key, stock.spells, f"{field}.spells[{nth}]")
        lists = tuple(Feature(kind=LIST, of=one) for one in spell.classes)
        gives = (Feature(kind=GIVES, of=spell.condition),) if spell.condition else ()
        yield add_item(who, key, spell.name, "spell", stats={"rounds": spell.rounds}, features=(*lists, *gives))
