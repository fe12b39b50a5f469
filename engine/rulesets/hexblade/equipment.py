"""What a combatant carries when the fight begins: hands, belt and pack, armour, missiles, spells (HEX-062)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Self

from msgspec import Struct

from affray.engine.core.ids import id_of
from affray.engine.errors import Unusable
from affray.engine.kit.encounters import unknown
from affray.events import Id, ItemAdded

from .encounter_file import Spec, Spell
from .sheet import FRAIL
from .tables import Block, Weapon, armors, weapons

HANDS = 2
QUIVER = 20
"""How many missiles come with what shoots them, unless the file says otherwise."""

BARE = "unarmed"
SHIELD = "shield"


class Stock(Struct, frozen=True):
    """The weapons and spells a fight can draw on: the rules' own and those of its encounter file."""

    weapons: Mapping[str, Weapon]
    spells: Mapping[str, Spell]

    @classmethod
    def of(cls, more_weapons: Mapping[str, Weapon], spells: Mapping[str, Spell]) -> Self:
        """Return the rules' own and these."""
        return cls({**weapons(), **more_weapons}, spells)


def equipment(who: Id, spec: Spec, block: Block | None, field: str, stock: Stock) -> Iterator[ItemAdded]:
    """Yield everything somebody carries: the first weapon in hand, the others and what follows on the belt.

    Raises:
        Unusable: something does not exist, is named twice, or hands are too few.
    """
    listed = spec.weapons if spec.weapons is not None else block.weapons if block else ()
    carries_shield = spec.shield if spec.shield is not None else bool(block and block.shield)
    _armed(listed, carries_shield, field, stock)
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
            yield from _thing(who, key, thing, where, stock, missiles)
    yield from _body(who, spec, block, field, carries_shield)
    yield from _missiles(who, seen, missiles, field, stock)
    yield from _spells(who, spec, field, stock)


def _armed(listed: tuple[str, ...], carries_shield: bool, field: str, stock: Stock) -> None:
    """Refuse a shield beside a weapon that takes both hands."""
    first = stock.weapons.get(listed[0]) if listed else None
    if first is not None and carries_shield and first.hands >= HANDS:
        raise Unusable(f"{first.name} takes both hands, and there is a shield", f"{field}.shield")


def _thing(who: Id, key: str, name: str, where: str, stock: Stock, missiles: Mapping[str, int]) -> Iterator[ItemAdded]:
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
        f"uses:{weapon.ammunition}": bool(weapon.ammunition) and not thrown,
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


def _body(who: Id, spec: Spec, block: Block | None, field: str, carries_shield: bool) -> Iterator[ItemAdded]:
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


def _missiles(who: Id, carried: set[str], told: Mapping[str, int], field: str, stock: Stock) -> Iterator[ItemAdded]:
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


def _spells(who: Id, spec: Spec, field: str, stock: Stock) -> Iterator[ItemAdded]:
    for nth, key in enumerate(spec.spells):
        spell = stock.spells.get(key)
        if spell is None or key in spec.spells[:nth]:
            raise unknown("spell", key, stock.spells, f"{field}.spells[{nth}]")
        lists = tuple(f"list:{one}" for one in spell.classes)
        gives = (f"gives:{spell.condition}",) if spell.condition else ()
        yield ItemAdded(
            item=f"{who}.{key}",
            name=spell.name,
            kind="spell",
            owner=who,
            stats={"rounds": spell.rounds},
            traits=(*lists, *gives),
        )
