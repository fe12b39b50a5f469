"""The events that set up a fight: combatants and their gear, made from an encounter file."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from affray.engine.core.ids import find_alike, name_combatants
from affray.engine.core.state import Combatant
from affray.engine.errors import Unusable
from affray.engine.kit.encounters import (
    MeleeEntry,
    add_item,
    add_named_items,
    decode_encounter,
    fill_from_block,
    find_row,
    find_stat_block,
    join_fight,
    make_unknown_name,
    must_be_there,
    read_pair,
    read_views,
    say_places,
)
from affray.engine.kit.relations import set_relation
from affray.engine.rulesets.wyrd.config import Config
from affray.engine.rulesets.wyrd.gear.pieces import UNARMED
from affray.engine.rulesets.wyrd.movement.melee import REACH
from affray.engine.rulesets.wyrd.sheet import TREASURE, find_larger, move_size
from affray.engine.rulesets.wyrd.tables import (
    PROTECTION,
    CarriedPiece,
    Piece,
    Tables,
    abilities,
    blocks,
    gear,
    grades,
    tags,
)
from affray.events import DistanceSet, Event, Id, ItemAdded, Joined, Member, PlaceSet, RelationSet

from .file import Distance, Encounter, Spec, View
from .stock import note_gear


def encounter(content: Mapping[str, Any], config: Config) -> list[Event]:
    """Return the events that set up a fight from an encounter file's content.

    Raises:
        Unusable: A field is unknown, missing, of the wrong kind or out of range, or names something unknown.
    """
    file = decode_encounter(content, Encounter)
    tables = Tables({**gear(), **file.gear})
    known = {one.name for one in file.place}
    events: list[Event] = [PlaceSet(place=one.name, traits=one.traits, exits=one.exits) for one in file.place]
    for index, place in enumerate(file.place):
        if alike := find_alike(place.name, [one.name for one in file.place[:index]]):
            message = f"looks the same as {alike}, and is another; give another name, such as New {place.name}"
            raise Unusable(message, f"place[{index}].name")
        for nth, way in enumerate(place.exits):
            if way not in known:
                raise make_unknown_name("place", way, sorted(known), f"place[{index}].exits[{nth}]")
    entries = [(spec, f"combatant[{index}]") for index, spec in enumerate(file.combatant)]
    mapped = any(spec.at for spec in file.combatant)
    events += enter(entries, config, tables, known, set(), mapped=mapped)
    people = {one.who: one for one in events if isinstance(one, Joined)}
    events += bond_melees(file.melee, file.distance, people)
    events += state_distances_and_views(file.distance, file.view, people, mapped=mapped)
    events += note_gear(file.gear, events)
    return events


def enter(
    entries: Sequence[tuple[Spec, str]], config: Config, tables: Tables, places: set[str], ids: set[Id], *, mapped: bool
) -> Iterator[Event]:
    """Yield the events that bring in the combatants of several entries.

    Each entry comes with its field in the file, for error messages.

    Args:
        places: The places of the fight that are described.
        ids: The ids that are taken.
        mapped: Whether every combatant is at a place.

    Raises:
        Unusable: see ``encounter``.
    """
    for spec, field in entries:
        yield from join(spec, field, config, tables, places, ids)
    for spec, field in entries:
        if bool(spec.at) is not mapped:
            message = "must say where, since others do" if mapped else "there are no places in this fight"
            raise Unusable(message, f"{field}.at")


def join(spec: Spec, field: str, config: Config, tables: Tables, places: set[str], ids: set[Id]) -> Iterator[Event]:
    """Yield the events that bring in the combatants of one entry.

    Their ids are added to ``ids``.

    Raises:
        Unusable: see ``encounter``.
    """
    spec = fill_from_block(spec, find_stat_block(spec, blocks(), field))
    at = _list_places(spec, field, places)
    dice = _read_abilities(spec, field)
    slots = config.slots if spec.slots is None and spec.pc else spec.slots
    things = outfit(spec, field, config, tables)
    filled = spec.load + spec.fatigue + sum(one.stats.get("slots", 0) for one in things)
    if slots is not None and filled > slots:
        raise Unusable(f"fills {filled} slots of {slots}", f"{field}.slots")
    stats = {"load": spec.load} if slots is None else {"slots": slots, "load": spec.load}
    pools = {"moves": 0, "actions": 0, "fatigue": spec.fatigue, "wounds": 0}
    traits = ("pc",) if spec.pc else ()
    for nth, (who, name) in enumerate(name_combatants(spec.name, spec.count, field, ids)):
        yield from join_fight(spec, who, name, stats=stats, pools=pools, traits=traits, place=at[nth])
        for ability, (die, base) in dice.items():
            yield add_item(who, ability, abilities()[ability].name, "ability", die=die, base=base)
        yield from add_named_items(who, "spell", spec.spells, f"{field}.spells")
        for one in things:
            yield replace(one, item=f"{who}.{one.item}", owner=who)


def _read_abilities(spec: Spec, field: str) -> dict[str, tuple[int, int]]:
    """Return the present and base sizes of the abilities; only a beast may start at d2 (WYR-T07)."""
    found: dict[str, tuple[int, int]] = {}
    for key, ability in abilities().items():
        base = getattr(spec, key) or ability.start
        least = ability.least if spec.pc else ability.injured
        if not least <= base <= ability.most:
            raise Unusable(f"must be from {least} to {ability.most}", f"{field}.{key}")
        now = spec.current.get(key, base)
        if not ability.injured <= now <= base:
            raise Unusable(f"must be from {ability.injured} to {base}", f"{field}.current.{key}")
        found[key] = (now, base)
    return found


def _list_places(spec: Spec, field: str, known: set[str]) -> tuple[str, ...]:
    """Return the place of each combatant of an entry; one place can stand for all."""
    if not spec.at:
        return ("",) * spec.count
    told_at = (spec.at,) * spec.count if isinstance(spec.at, str) else spec.at
    if len(told_at) != spec.count:
        raise Unusable(f"must name one place for all, or {say_places(spec.count, 'places')}", f"{field}.at")
    for place in told_at:
        if known and place not in known:
            raise make_unknown_name("place", place, sorted(known), f"{field}.at")
    return told_at


def bond_melees(
    melees: Sequence[MeleeEntry], distances: Sequence[Distance], people: Mapping[Id, Joined | Combatant]
) -> Iterator[RelationSet]:
    """Yield the melees that are under way.

    Args:
        people: All combatants, including those that join now.

    Raises:
        Unusable: A member does not exist, has no enemy in the melee, or is in another one.
    """
    engaged: set[Id] = set()
    far = {frozenset(pair.between) for pair in distances if pair.metres > REACH}
    for index, melee in enumerate(melees):
        field = f"melee[{index}].members"
        for who in melee.members:
            must_be_there(who, people, field)
        for who in melee.members:
            if not any(_is_opposed(who, other, people, far) for other in melee.members):
                raise Unusable(f"{who} has no enemy within reach in it", field)
            if who in engaged:
                raise Unusable(f"{who} is engaged already", field)
            engaged.add(who)
        yield set_relation(
            f"melee-{index + 1}" if index else "melee", "melee", *(Member(who=who) for who in melee.members)
        )


def state_distances_and_views(
    distances: Sequence[Distance], seen: Sequence[View], people: Collection[Id], *, mapped: bool
) -> Iterator[Event]:
    """Yield the distances and views that an encounter file states.

    Raises:
        Unusable: There are places, or a combatant is named who does not exist.
    """
    for index, one in enumerate(distances):
        both = read_pair(*one.between, people, f"distance[{index}].between")
        if mapped:
            raise Unusable("this encounter has places; they say who is near whom", f"distance[{index}].between")
        yield DistanceSet(pair=both, before=None, after=one.metres)
    yield from read_views(seen, sorted(people))


def _is_opposed(one: Id, other: Id, people: Mapping[Id, Joined | Combatant], far: set[frozenset[Id]]) -> bool:
    """Return whether two combatants are enemies within striking distance."""
    mine, theirs = people[one], people[other]
    return mine.side != theirs.side and mine.place == theirs.place and frozenset((one, other)) not in far


def outfit(spec: Spec, field: str, config: Config, tables: Tables) -> list[ItemAdded]:
    """Return the items of one combatant of an entry, bare hands included.

    They have no owner yet.

    Raises:
        Unusable: A piece or tag does not exist, or cannot be carried, worn or held like this.
    """
    weapons = spec.weapons or ()
    named = spec.hands if spec.in_hand is None else spec.in_hand
    held = weapons[:1] if named is None else named
    things: list[ItemAdded] = []
    for group, keys, kinds in (
        ("weapons", weapons, ("weapon",)),
        ("protection", spec.protection or (), (*PROTECTION, "other")),
        ("gear", spec.gear, ("other", "ammunition")),
    ):
        for nth, key in enumerate(keys):
            piece = _find_piece(key, group, kinds, f"{field}.{group}[{nth}]", tables)
            where = "worn" if group == "protection" else ""
            if where and piece.kind == "other":
                piece = replace(piece, kind="protection")
            things.append(build_item(piece, key, where, things, f"{field}.{group}[{nth}]", config))
    _must_be_one_of_a_kind(things, f"{field}.protection")
    things = list(_put_in_hand(things, held, f"{field}.{'hands' if spec.in_hand is None else 'in_hand'}"))
    for key in spec.current:
        if key not in abilities() and all(one.item != key for one in things):
            raise make_unknown_name(
                "ability or piece", key, (*abilities(), *(one.item for one in things)), f"{field}.current"
            )
    bare = replace(tables.gear[UNARMED], kind="weapon")
    things.append(_build_unowned(UNARMED, bare, "", {"damage": bare.damage}, 0))
    return [_apply_wear(one, spec, field) for one in things]


def _find_piece(key: str, group: str, kinds: tuple[str, ...], field: str, tables: Tables) -> Piece:
    piece = tables.gear.get(key)
    if piece is None or piece.kind not in kinds or key == UNARMED or key in abilities():
        known = [name for name, one in tables.gear.items() if one.kind in kinds and name != UNARMED]
        raise make_unknown_name("piece of " + group, key, known, field)
    for tag in piece.tags:
        find_row("tag", tag, tags(), field)
    return piece


def build_item(piece: Piece, key: str, where: str, others: list[ItemAdded], field: str, config: Config) -> ItemAdded:
    """Return a piece with its die worked out from grade or size, material and tags."""
    alike = sum(one.item.partition("-")[0] == key for one in others)
    die = find_full_size(piece, field, config)
    hands = max(1, piece.hands) if piece.kind == "weapon" else 0
    stats = {"hands": hands, "slots": piece.slots, "damage": piece.damage}
    shown = {name: value for name, value in stats.items() if value}
    return _build_unowned(f"{key}-{alike + 1}" if alike else key, piece, where, shown, die)


def _build_unowned(key: str, piece: Piece, where: str, stats: dict[str, int], die: int) -> ItemAdded:
    return ItemAdded(
        item=key,
        name=piece.name,
        kind=piece.kind,
        owner="",
        where=where,
        stats=stats,
        traits=piece.tags,
        counters={"loaded": 1} if "black_powder" in piece.tags else {},
        die=die,
        base=die,
    )


def find_full_size(piece: Piece, field: str, config: Config) -> int:
    """Return the size of a piece's die before any wear."""
    die: int = piece.die
    if isinstance(piece, CarriedPiece):
        return die
    if piece.grade:
        die = find_row("grade", piece.grade, grades(), field).die
    if die == TREASURE and config.chain_top != TREASURE:
        raise Unusable("a d20 is for treasure, not for gear; see the configuration key chain_top", field)
    if not die:
        return 0
    if piece.material:
        die = move_size(config, die, 1 if piece.material == "better" else -1, config.chain_top) or die
    for tag in piece.tags:
        for _ in range(tags()[tag].steps):
            die = find_larger(config, die, config.chain_top)
    return die


def _must_be_one_of_a_kind(things: list[ItemAdded], field: str) -> None:
    worn = [one.kind for one in things if one.where == "worn"]
    for kind in worn:
        if worn.count(kind) > 1:
            raise Unusable(f"only one piece of each kind can be worn, and there are {worn.count(kind)} {kind}", field)


def _put_in_hand(things: list[ItemAdded], held: tuple[str, ...], field: str) -> Iterator[ItemAdded]:
    weapons = {one.item: one for one in things if one.kind == "weapon"}
    for key in held:
        find_row("weapon", key, weapons, field)
    if len(set(held)) != len(held) or sum(weapons[key].stats["hands"] for key in held) > 2:
        raise Unusable("two hands hold one weapon each, or one that takes both", field)
    hands = dict(zip(held, ("main hand", "off hand"), strict=False))
    for one in things:
        yield replace(one, where=hands.get(one.item, one.where))


def _apply_wear(thing: ItemAdded, spec: Spec, field: str) -> ItemAdded:
    die = spec.current.get(thing.item)
    if die is None:
        return thing
    if die > thing.base:
        raise Unusable(f"must be at most {thing.base}", f"{field}.current.{thing.item}")
    return replace(thing, die=die)
