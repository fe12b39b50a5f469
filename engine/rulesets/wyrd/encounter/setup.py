"""From an encounter file to the events that set up the fight: who is there, with what."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from affray.engine.core.ids import named
from affray.engine.errors import NoSuch, Unusable
from affray.engine.kit.encounters import told, unknown
from affray.engine.rulesets.wyrd.config import Config
from affray.engine.rulesets.wyrd.gear.pieces import UNARMED
from affray.engine.rulesets.wyrd.movement.melee import REACH
from affray.engine.rulesets.wyrd.sheet import TREASURE, larger, moved
from affray.engine.rulesets.wyrd.tables import PROTECTION, Block, Piece, Tables, abilities, blocks, gear, grades, tags
from affray.events import DistanceSet, Event, Id, ItemAdded, Joined, Member, PlaceSet, RelationSet, ViewSet

from .file import Encounter, Spec


def encounter(content: Mapping[str, Any], config: Config) -> list[Event]:
    """Return the events that set up a fight from an encounter file's content.

    Raises:
        Unusable: a field is unknown, missing, of the wrong kind or out of range, or names what does not exist.
    """
    file = told(content, Encounter)
    tables = Tables({**gear(), **file.gear})
    known = {one.name for one in file.place}
    events: list[Event] = [PlaceSet(place=one.name, traits=one.traits, exits=one.exits) for one in file.place]
    for index, place in enumerate(file.place):
        for nth, way in enumerate(place.exits):
            if way not in known:
                raise unknown("place", way, sorted(known), f"place[{index}].exits[{nth}]")
    ids: set[Id] = set()
    for index, spec in enumerate(file.combatant):
        events += join(spec, f"combatant[{index}]", config, tables, known, ids)
    if any(spec.at for spec in file.combatant) and not all(spec.at for spec in file.combatant):
        field = next(nth for nth, spec in enumerate(file.combatant) if not spec.at)
        raise Unusable("must say where, since others do", f"combatant[{field}].at")
    people = {one.who: one for one in events if isinstance(one, Joined)}
    events += _pairs(file, people)
    return events


def join(spec: Spec, field: str, config: Config, tables: Tables, places: set[str], ids: set[Id]) -> Iterator[Event]:
    """Yield the events that bring in the combatants of one entry, and note their ids.

    Raises:
        Unusable: see ``encounter``.
    """
    block = _block(spec, field)
    at = _places(spec, field, places)
    dice = _abilities(spec, block, field, config)
    slots = spec.slots if spec.slots is not None else block.slots if block else None
    if slots is None and spec.pc:
        slots = config.slots
    things = outfit(spec, block, field, config, tables)
    filled = spec.load + spec.fatigue + sum(one.stats.get("slots", 0) for one in things)
    if slots is not None and filled > slots:
        raise Unusable(f"fills {filled} slots of {slots}", f"{field}.slots")
    stats = {"load": spec.load} if slots is None else {"slots": slots, "load": spec.load}
    for nth, (who, name) in enumerate(named(spec.name, spec.count, field, ids)):
        ids.add(who)
        yield Joined(
            who=who,
            name=name,
            side=spec.side,
            stats=stats,
            traits=("pc",) if spec.pc else (),
            pools={"moves": 0, "actions": 0, "fatigue": spec.fatigue, "wounds": 0},
            place=at[nth],
        )
        for ability, (die, base) in dice.items():
            yield ItemAdded(
                item=f"{who}.{ability}", name=abilities()[ability].name, kind="ability", owner=who, die=die, base=base
            )
        for one in things:
            yield ItemAdded(
                item=f"{who}.{one.key}",
                name=one.name,
                kind=one.kind,
                owner=who,
                where=one.where,
                stats=one.stats,
                traits=one.tags,
                counters={"loaded": 1} if "black_powder" in one.tags else {},
                die=one.die,
                base=one.base,
            )


def _block(spec: Spec, field: str) -> Block | None:
    if not spec.block:
        return None
    block = blocks().get(spec.block)
    if block is None:
        raise unknown("stat block", spec.block, blocks(), f"{field}.block")
    return block


def _abilities(spec: Spec, block: Block | None, field: str, config: Config) -> dict[str, tuple[int, int]]:
    """Return present and whole size of each ability's die (WYR-T07)."""
    found: dict[str, tuple[int, int]] = {}
    for key, ability in abilities().items():
        base = getattr(spec, key) or (getattr(block, key) if block else None) or ability.start
        if not ability.least <= base <= ability.most:
            raise Unusable(f"must be from {ability.least} to {ability.most}", f"{field}.{key}")
        now = spec.current.get(key, base)
        if not ability.injured <= now <= base:
            raise Unusable(f"must be from {ability.injured} to {base}", f"{field}.current.{key}")
        found[key] = (now, base)
    return found


def _places(spec: Spec, field: str, known: set[str]) -> tuple[str, ...]:
    """Return where each of an entry stands; one place will do for all of them."""
    if not spec.at:
        return ("",) * spec.count
    told_at = (spec.at,) * spec.count if isinstance(spec.at, str) else spec.at
    if len(told_at) != spec.count:
        raise Unusable(f"must name {spec.count} places, one for each, or one for all", f"{field}.at")
    for place in told_at:
        if known and place not in known:
            raise unknown("place", place, sorted(known), f"{field}.at")
    return told_at


def _pairs(file: Encounter, ids: Mapping[Id, Joined]) -> Iterator[Event]:
    engaged: set[Id] = set()
    far = {frozenset(pair.between) for pair in file.distance if pair.metres > REACH}
    for index, melee in enumerate(file.melee):
        field = f"melee[{index}].members"
        for who in melee.members:
            _must_be_there(who, ids, field)
        for who in melee.members:
            if not any(_is_opposed(ids[who], ids[other], far) for other in melee.members):
                raise Unusable(f"{who} has no enemy within reach in it", field)
            if who in engaged:
                raise Unusable(f"{who} is engaged already", field)
            engaged.add(who)
        members = tuple(Member(who=who) for who in melee.members)
        yield RelationSet(relation="melee" if index == 0 else f"melee-{index + 1}", kind="melee", members=members)
    for index, pair in enumerate(file.distance):
        one, other = _two(pair.between, ids, f"distance[{index}].between")
        if any(spec.at for spec in file.combatant):
            raise Unusable("this encounter has places; they say who is near whom", f"distance[{index}].between")
        yield DistanceSet(pair=(min(one, other), max(one, other)), before=None, after=pair.metres)
    for index, seen in enumerate(file.view):
        for viewer, target in seen.ways(sorted(ids), f"view[{index}]"):
            yield ViewSet(viewer=viewer, target=target, before="clear", after=seen.view)


def _is_opposed(one: Joined, other: Joined, far: set[frozenset[str]]) -> bool:
    """Tell whether two are enemies who can strike each other."""
    return one.side != other.side and one.place == other.place and frozenset((one.who, other.who)) not in far


def _two(between: tuple[str, str], ids: Collection[Id], field: str) -> tuple[Id, Id]:
    for who in between:
        _must_be_there(who, ids, field)
    if between[0] == between[1]:
        raise Unusable("must name two combatants", field)
    return between


def _must_be_there(who: str, ids: Collection[Id], field: str) -> None:
    if who not in ids:
        raise NoSuch("", who, sorted(ids), field)


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
    _must_be_one_of_a_kind(things, f"{field}.protection")
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


def _must_be_one_of_a_kind(things: list[Thing], field: str) -> None:
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
