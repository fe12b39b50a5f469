"""The events that set up a fight (VER-005, VER-011, VER-017, VER-098, VER-102)."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from affray.engine.appearance import appearance
from affray.engine.core.ids import RESERVED, find_alike, id_of, name_combatants
from affray.engine.core.state import Combatant, Relation
from affray.engine.errors import Unusable
from affray.engine.kit.encounters import (
    MeleeEntry,
    add_item,
    decode_encounter,
    fill_from_block,
    find_row,
    find_stat_block,
    join_fight,
    make_unknown_name,
    read_views,
)
from affray.engine.kit.relations import set_relation
from affray.engine.rulesets.verdigris.config import Config
from affray.engine.rulesets.verdigris.tables import Weapon, blocks, people, weapons
from affray.events import ConditionChanged, Event, Id, Joined, Member, PlaceSet, RelationSet

from .file import Encounter, Ridden, Spec, Zone, pools_of, stats_of, traits_of
from .outfit import list_kit
from .stock import note_own_weapons


def encounter(content: Mapping[str, Any], config: Config) -> list[Event]:
    """Return the events that set up a fight from an encounter file's content.

    Raises:
        Unusable: a field is unknown, missing, of the wrong kind or out of range, or names an unknown thing.
    """
    file = decode_encounter(content, Encounter)
    zones, events = _zones(file.zone)
    arsenal = {**weapons(), **file.weapon}
    entries = [(spec, f"combatant[{index}]") for index, spec in enumerate(file.combatant)]
    events += enter(entries, arsenal, zones, set(), {})
    if not any(spec.pc and spec.side == "party" for spec in file.combatant):
        raise Unusable("the party has no player character; one is needed to roll initiative", "combatant")
    people = {event.who: event for event in events if isinstance(event, Joined)}
    saddles = [event for event in events if isinstance(event, RelationSet) and event.kind == "mount"]
    events += bond_melees(file.melee, people, saddles)
    events += read_views(file.view, sorted(people), "VER-021")
    events += note_own_weapons(file.weapon, events)
    return events


def enter(
    entries: Iterable[tuple[Spec, str]],
    arsenal: Mapping[str, Weapon],
    zones: tuple[Id, ...],
    ids: set[Id],
    known: Mapping[Id, Relation],
) -> Iterator[Event]:
    """Yield the events that bring in the combatants of entries with their fields.

    Args:
        zones: The zones of the fight.
        ids: The ids already taken.
        known: The relations of the fight.

    Raises:
        Unusable: see ``encounter``.
    """
    entered = [(spec, list(join_entry(spec, field, arsenal, zones, ids))) for spec, field in entries]
    for _, events in entered:
        yield from events
    yield from set_seats(entered, known)


def _zones(told_zones: tuple[Zone, ...]) -> tuple[tuple[Id, ...], list[Event]]:
    """Return the ids of the zones, and the events that draw them.

    Every exit leads back, too.
    """
    ids = tuple(id_of(zone.name) for zone in told_zones)
    looks = [appearance(zone.name) for zone in told_zones]
    exits: dict[Id, dict[Id, None]] = {id: {} for id in ids}
    for index, zone in enumerate(told_zones):
        alike = ids[index] in ids[:index] or looks[index] in looks[:index] or find_alike(ids[index], ids[:index])
        if alike or not ids[index]:
            raise Unusable("two zones are called alike, or one has no name", f"zone[{index}].name")
        for nth, exit in enumerate(zone.exits):
            to = id_of(exit)
            if to not in exits or to == ids[index]:
                others = [id for id in ids if id != ids[index]]
                raise make_unknown_name("other zone", exit, others, f"zone[{index}].exits[{nth}]")
            exits[ids[index]][to] = None
            exits[to][ids[index]] = None
    traits = {id: zone.traits for id, zone in zip(ids, told_zones, strict=True)}
    return ids, [PlaceSet(place=id, traits=traits[id], exits=tuple(exits[id]), rules=("VER-017",)) for id in ids]


def join_entry(
    spec: Spec, field: str, arsenal: Mapping[str, Weapon], zones: tuple[Id, ...], ids: set[Id]
) -> Iterator[Event]:
    """Yield the events that bring in the combatants of one entry; note their ids.

    Raises:
        Unusable: see ``encounter``.
    """
    block = find_stat_block(spec, blocks().creature, field)
    spec = fill_from_block(spec, block, "hp")
    stats, traits = stats_of(spec, block.hp if block else people().start["hp"], field), traits_of(spec)
    pools = pools_of(spec, stats)
    places = _places(spec, field, zones)
    for nth, (who, name) in enumerate(name_combatants(spec.name, spec.count, field, ids)):
        yield from join_fight(spec, who, name, stats=stats, pools=pools, traits=traits, place=places[nth])
        if spec.bodies != 1:
            condition, count = ("bodies", spec.bodies - 1) if spec.bodies else ("uncounted", 1)
            yield ConditionChanged(who=who, condition=condition, before=0, after=count, rules=("VER-035",))
        yield from list_kit(who, spec, field, stats, arsenal)
        if spec.mount:
            yield from _add_mount(who, name, spec, field, places[nth], ids)


def _places(spec: Spec, field: str, zones: tuple[Id, ...]) -> tuple[str, ...]:
    """Return the zone of each combatant; a single name counts for all."""
    given = (spec.at,) * spec.count if isinstance(spec.at, str) and spec.at else tuple(spec.at)
    if not zones:
        if given:
            raise Unusable("there is no zone in this encounter", f"{field}.at")
        return ("",) * spec.count
    if len(given) != spec.count:
        raise Unusable(f"must name a zone, one for all or {spec.count} of them", f"{field}.at")
    found = tuple(id_of(one) for one in given)
    for nth, place in enumerate(found):
        if place not in zones:
            raise make_unknown_name("zone", given[nth], zones, f"{field}.at")
    return found


def _add_mount(rider: Id, name: str, spec: Spec, field: str, place: Id, ids: set[Id]) -> Iterator[Event]:
    """Yield a mount, its natural weapon, and the relation with its rider."""
    ridden = spec.mount if isinstance(spec.mount, Ridden) else Ridden(mount=spec.mount)
    kind = find_row("mount", ridden.mount, blocks().mount, f"{field}.mount")
    who = id_of(ridden.name) if ridden.name and spec.count == 1 else f"{rider}-{ridden.mount}"
    if not who or who in ids or who in RESERVED:
        raise Unusable(f"the name gives the id {who}, which is taken already", f"{field}.mount")
    ids.add(who)
    ridden = fill_from_block(ridden, kind)
    quality, bonus, damage, hp = (one or 0 for one in (ridden.quality, ridden.bonus, ridden.damage, ridden.hp))
    stats = {"quality": quality, "bonus": bonus, "damage": damage, "hp": hp}
    traits = ("mount", "battle-trained") if ridden.battle_trained else ("mount",)
    called = ridden.name or f"{name}'s {kind.name}"
    yield from join_fight(spec, who, called, stats=stats, pools={"hp": hp}, traits=traits, place=place)
    strikes = {"damage": damage, "bonus": bonus, "max": damage + 6, "hands": 0}
    counters = {"bonus": bonus}
    yield add_item(who, "unarmed", "hooves and teeth", "weapon", stats=strikes, traits=("brawling",), counters=counters)
    if ridden.barding:
        rating = {"rating": ridden.barding}
        yield add_item(who, "barding", "barding", "armor", "worn", stats=rating, counters=rating, rules=("VER-068",))
    members = (Member(who=rider, role="rider"), Member(who=who, role="mount"))
    yield set_relation(f"mount-{rider}", "mount", *members, rules=("VER-060",))


def set_seats(entered: Iterable[tuple[Spec, list[Event]]], known: Mapping[Id, Relation]) -> Iterator[RelationSet]:
    """Yield the seats: one per named player, and one per other player character."""
    members: dict[Id, list[Member]] = {}
    for spec, events in entered:
        if not spec.pc or spec.side != "party":
            continue
        for event in events:
            if isinstance(event, Joined) and "mount" not in event.traits:
                seat = f"seat-{id_of(spec.player) or event.who}"
                old = known[seat].members if seat in known else ()
                members.setdefault(seat, list(old)).append(Member(who=event.who))
    for seat, seat_members in members.items():
        yield set_relation(seat, "seat", *seat_members, rules=("VER-011",))


def bond_melees(
    melees: Iterable[MeleeEntry], people: Mapping[Id, Joined | Combatant], saddles: Iterable[RelationSet | Relation]
) -> Iterator[RelationSet]:
    """Yield the melees under way, mounts with their riders.

    Args:
        people: All combatants, including those who join now.
        saddles: The relations of riders and mounts.

    Raises:
        Unusable: a member is unknown or in two melees, or a melee has several zones or only one side.
    """
    mounts = {one.members[0].who: one.members[1].who for one in saddles}
    taken: set[Id] = set()
    for index, melee in enumerate(melees):
        field = f"melee[{index}].members"
        for who in melee.members:
            if who not in people or "mount" in people[who].traits:
                raise make_unknown_name(
                    "fighter", who, [one for one in people if "mount" not in people[one].traits], field
                )
            if who in taken:
                raise Unusable(f"{who} is named twice; one is in one melee at most", field)
            taken.add(who)
        there = [people[who] for who in melee.members]
        if len({one.side for one in there}) < 2 or len({one.place for one in there}) > 1:
            raise Unusable("a melee is in one zone, with a member of each side", field)
        together: list[Member] = []
        for who in melee.members:
            together.append(Member(who=who))
            if who in mounts:
                together.append(Member(who=mounts[who], role="mount"))
        yield set_relation("melee" if not index else f"melee-{index + 1}", "melee", *together, rules=("VER-031",))
