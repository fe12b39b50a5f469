"""From an encounter file to the events that set up the fight."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from affray.engine.core.ids import named
from affray.engine.errors import Unusable
from affray.engine.kit.encounters import told, unknown
from affray.events import DistanceSet, Event, Id, ItemAdded, Joined, Member, PlaceSet, RelationSet, ViewSet

from .config import Config
from .encounter_file import Encounter, Spec
from .melee import REACH
from .outfit import outfit
from .tables import Block, Tables, abilities, blocks, gear


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
        events += joined(spec, f"combatant[{index}]", config, tables, known, ids)
    if any(spec.at for spec in file.combatant) and not all(spec.at for spec in file.combatant):
        field = next(nth for nth, spec in enumerate(file.combatant) if not spec.at)
        raise Unusable("must say where, since others do", f"combatant[{field}].at")
    people = {one.who: one for one in events if isinstance(one, Joined)}
    events += _pairs(file, people)
    return events


def joined(spec: Spec, field: str, config: Config, tables: Tables, places: set[str], ids: set[Id]) -> Iterator[Event]:
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
    """Return present and whole size of each ability's die."""
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
            _somebody(who, ids, field)
        for who in melee.members:
            if not any(_opposed(ids[who], ids[other], far) for other in melee.members):
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


def _opposed(one: Joined, other: Joined, far: set[frozenset[str]]) -> bool:
    """Tell whether two are enemies who can strike each other."""
    return one.side != other.side and one.place == other.place and frozenset((one.who, other.who)) not in far


def _two(between: tuple[str, str], ids: Collection[Id], field: str) -> tuple[Id, Id]:
    for who in between:
        _somebody(who, ids, field)
    if between[0] == between[1]:
        raise Unusable("must name two combatants", field)
    return between


def _somebody(who: str, ids: Collection[Id], field: str) -> None:
    if who not in ids:
        raise Unusable(f"there is no {who}; there are {', '.join(sorted(ids))}", field)
