"""What somebody carries into the fight: every piece with its die, its place on the body and its tags."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from affray.engine.errors import Unusable
from affray.engine.kit.encounters import unknown

from .config import Config
from .encounter_file import Spec
from .sizes import TREASURE, larger, moved
from .tables import PROTECTION, Block, Piece, Tables, abilities, grades, tags

UNARMED = "unarmed"
"""The weapon everybody has."""


class Thing(NamedTuple):
    """A piece as it joins: ``die`` now and ``base`` when whole."""

    key: str
    name: str
    kind: str
    where: str
    stats: dict[str, int]
    tags: tuple[str, ...]
    die: int
    base: int


def outfit(spec: Spec, block: Block | None, field: str, config: Config, tables: Tables) -> list[Thing]:
    """Return everything one combatant of an entry carries, bare hands included.

    Raises:
        Unusable: a piece or tag does not exist, or cannot be carried, worn or held like this.
    """
    weapons = spec.weapons if spec.weapons is not None else block.weapons if block else ()
    protection = spec.protection if spec.protection is not None else block.protection if block else ()
    said = spec.hands if spec.in_hand is None else spec.in_hand
    held = weapons[:1] if said is None else said
    things: list[Thing] = []
    for group, keys, kinds in (
        ("weapons", weapons, ("weapon",)),
        ("protection", protection, (*PROTECTION, "other")),
        ("gear", spec.gear, ("other", "ammunition")),
    ):
        for nth, key in enumerate(keys):
            piece = _piece(key, group, kinds, f"{field}.{group}[{nth}]", tables)
            where = "worn" if group == "protection" else ""
            if where and piece.kind == "other":
                piece = msgspec.structs.replace(piece, kind="protection")
            things.append(_thing(piece, key, where, things, f"{field}.{group}[{nth}]", config))
    _one_of_a_kind(things, f"{field}.protection")
    things = list(_in_hand(things, held, f"{field}.{'hands' if spec.in_hand is None else 'in_hand'}"))
    for key in spec.current:
        if key not in abilities() and all(one.key != key for one in things):
            raise unknown("ability or piece", key, (*abilities(), *(one.key for one in things)), f"{field}.current")
    bare = tables.gear[UNARMED]
    things.append(Thing(UNARMED, bare.name, "weapon", "", {"damage": bare.damage}, bare.tags, 0, 0))
    return [_worn_down(one, spec, field) for one in things]


def _piece(key: str, group: str, kinds: tuple[str, ...], field: str, tables: Tables) -> Piece:
    piece = tables.gear.get(key)
    if piece is None or piece.kind not in kinds or key == UNARMED or key in abilities():
        known = [name for name, one in tables.gear.items() if one.kind in kinds and name != UNARMED]
        raise unknown("piece of " + group, key, known, field)
    for tag in piece.tags:
        if tag not in tags():
            raise unknown("tag", tag, tags(), field)
    return piece


def _thing(piece: Piece, key: str, where: str, others: list[Thing], field: str, config: Config) -> Thing:
    """Return a piece with its die reckoned: its grade or size, its material, and what its tags add."""
    alike = sum(one.key.partition("-")[0] == key for one in others)
    die = whole(piece, field, config)
    hands = max(1, piece.hands) if piece.kind == "weapon" else 0
    stats = {"hands": hands, "slots": piece.slots, "damage": piece.damage}
    shown = {name: value for name, value in stats.items() if value}
    return Thing(f"{key}-{alike + 1}" if alike else key, piece.name, piece.kind, where, shown, piece.tags, die, die)


def whole(piece: Piece, field: str, config: Config) -> int:
    """Return the size of a piece's die when nothing has worn it down yet."""
    die: int = piece.die
    if piece.grade:
        if piece.grade not in grades():
            raise unknown("grade", piece.grade, grades(), field)
        die = grades()[piece.grade].die
    if die == TREASURE and config.chain_top != TREASURE:
        raise Unusable("a d20 is for treasure, not for gear; see the configuration key chain_top", field)
    if not die:
        return 0
    if piece.material:
        die = moved(config, die, 1 if piece.material == "better" else -1, config.chain_top) or die
    for tag in piece.tags:
        for _ in range(tags()[tag].steps):
            die = larger(config, die, config.chain_top)
    return die


def _one_of_a_kind(things: list[Thing], field: str) -> None:
    worn = [one.kind for one in things if one.where == "worn"]
    for kind in worn:
        if worn.count(kind) > 1:
            raise Unusable(f"only one piece of each kind can be worn, and there are {worn.count(kind)} {kind}", field)


def _in_hand(things: list[Thing], held: tuple[str, ...], field: str) -> Iterator[Thing]:
    """Put the weapons that are held into the hands."""
    weapons = {one.key: one for one in things if one.kind == "weapon"}
    for key in held:
        if key not in weapons:
            raise unknown("weapon", key, weapons, field)
    if len(set(held)) != len(held) or sum(weapons[key].stats["hands"] for key in held) > 2:
        raise Unusable("two hands hold one weapon each, or one that takes both", field)
    hands = dict(zip(held, ("main hand", "off hand"), strict=False))
    for one in things:
        yield one._replace(where=hands.get(one.key, one.where))


def _worn_down(thing: Thing, spec: Spec, field: str) -> Thing:
    die = spec.current.get(thing.key)
    if die is None:
        return thing
    if die > thing.base:
        raise Unusable(f"must be at most {thing.base}", f"{field}.current.{thing.key}")
    return thing._replace(die=die)
