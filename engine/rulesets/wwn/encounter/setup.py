"""The events that set up a fight: combatants, places, riders, groups."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import partial
from itertools import combinations
from typing import Any, NamedTuple

from affray.engine.core.coordinates import parse_cell
from affray.engine.core.ids import id_of, name_combatants, suffix
from affray.engine.errors import Unusable
from affray.engine.kit.distances import order_pair
from affray.engine.kit.encounters import (
    MeleeEntry,
    decode_encounter,
    find_stat_block,
    join_fight,
    list_places,
    list_traits_by_place,
    read_pair,
    read_views,
)
from affray.engine.kit.relations import set_relation
from affray.engine.rulesets.wwn.config import Config
from affray.engine.rulesets.wwn.marks import QUICK
from affray.engine.rulesets.wwn.movement.board import SQUARE
from affray.engine.rulesets.wwn.tables import Tables, armor, blocks, foci, weapons
from affray.events import DistanceSet, Event, Id, Joined, Member, PlaceSet

from .file import Board, Encounter, Pair, Sight, Spec, build_sheet, fill_in, traits_of
from .outfit import list_outfit
from .stock import note_stock


class Stated(NamedTuple):
    """The distances and views that an encounter file or a ruling states."""

    apart: int | None
    distance: tuple[Pair, ...]
    melee: tuple[MeleeEntry, ...]
    view: tuple[Sight, ...]


class There(NamedTuple):
    """A combatant already in the fight: side, mount or not, its rider, its place."""

    side: str
    mount: bool
    rider: Id
    place: Id


def encounter(content: Mapping[str, Any], config: Config) -> list[Event]:
    """Return the events that set up a fight from an encounter file's content.

    Raises:
        Unusable: a field is unknown, missing, of the wrong kind or out of range, or names an unknown thing.
    """
    file = decode_encounter(content, Encounter)
    tables = Tables({**weapons(), **file.weapon}, {**armor(), **file.armor}, {**foci(), **file.focus})
    entries = list_entries(((spec, f"combatant[{index}]") for index, spec in enumerate(file.combatant)), set())
    events = list(_board(file.board)) if file.board else []
    events += enter(entries, config, tables, file.board is not None, {})
    people = {event.who: event.side for event in events if isinstance(event, Joined)}
    events += set_groups(entries, config, people)
    stated = Stated(file.apart, file.distance, file.melee, file.view)
    events += set_pairs(stated, people, find_riders(entries), file.board is not None)
    events += note_stock(file.weapon, file.armor, file.focus, events)
    return events


def _board(board: Board) -> Iterator[Event]:
    covers = {"half_cover": board.half_cover, "near_complete_cover": board.near_complete_cover}
    for place, traits in list_traits_by_place({"blocked": board.blocked, **covers}, square).items():
        yield PlaceSet(place=place, traits=traits)


square = partial(parse_cell, what="square")
"""Return a square in its one canonical form; see ``coordinates``."""


def list_entries(specs: Iterable[tuple[Spec, str]], taken: set[Id]) -> list[Entry]:
    """Return entries with the ids of their combatants.

    Args:
        told: Each entry, and its field.
        taken: The ids already taken.
    """
    return [Entry(spec, field, tuple(name_combatants(spec.name, spec.count, field, taken))) for spec, field in specs]


def find_riders(entries: Iterable[Entry], here: Mapping[Id, Id] = {}) -> dict[Id, Id]:
    """Return each mount's rider.

    Args:
        here: The ids of mounts by their ids in the file, where these differ.
    """
    riders: dict[Id, Id] = {}
    for spec, field, who in entries:
        for nth, (rider, _) in enumerate(who):
            if spec.rides:
                told = f"{spec.rides}-{suffix(nth)}" if spec.count > 1 else spec.rides
                mount = here.get(told, told)
                if mount in riders:
                    raise Unusable(f"{riders[mount]} rides {mount} already", f"{field}.rides")
                riders[mount] = rider
    return riders


def enter(
    entries: list[Entry],
    config: Config,
    tables: Tables,
    on_board: bool,
    there: Mapping[Id, There],
    here: Mapping[Id, Id] = {},
) -> Iterator[Event]:
    """Yield the events that bring in the combatants of entries, and mount the riders.

    Args:
        on_board: Whether combatants stand in squares.
        there: The combatants already in the fight.
        here: The same as in ``find_riders``.

    Raises:
        Unusable: see ``encounter``.
    """
    riders = find_riders(entries, here)
    stands = _places(entries, riders, on_board, there)
    rideable = dict(there)
    for spec, field, members in entries:
        block = find_stat_block(spec, blocks(), field)
        whole = fill_in(spec, block)
        stats, pools = build_sheet(whole, block, field)
        traits = traits_of(whole, field)
        for who, name in members:
            place = stands.get(who, "")
            rideable[who] = There(spec.side, "mount" in traits, "", place)
            yield from join_fight(spec, who, name, stats=stats, pools=pools, traits=traits, place=place)
            yield from list_outfit(who, whole, block, field, tables)
    mounts = {rider: mount for mount, rider in riders.items()}
    for spec, field, members in entries:
        for rider, _ in members:
            if rider in mounts:
                yield _build_riding(rider, mounts[rider], spec, field, rideable)


def _build_riding(rider: Id, mount: Id, spec: Spec, field: str, rideable: Mapping[Id, There]) -> Event:
    found = rideable.get(mount)
    if found is None or not found.mount or found.side != spec.side or found.rider or rideable[rider].mount:
        free = ", ".join(who for who, one in rideable.items() if one.mount and one.side == spec.side) or "none"
        raise Unusable(f"{rider} cannot ride {mount}; its side has the mounts {free}", f"{field}.rides")
    members = (Member(who=rider, role="rider"), Member(who=mount, role="mount"))
    return set_relation(f"riding-{rider}", "riding", *members, rules=("WWN-053",))


def _places(entries: list[Entry], riders: Mapping[Id, Id], on_board: bool, there: Mapping[Id, There]) -> dict[Id, Id]:
    """Return the place of each combatant; a mount shares its rider's."""
    stands: dict[Id, Id] = {}
    mounts = {rider: mount for mount, rider in riders.items()}
    for spec, field, members in entries:
        on_foot = [who for who, _ in members if who not in riders and mounts.get(who) not in there]
        if spec.at and not on_board:
            raise Unusable("there is no board in this encounter; state distances instead", f"{field}.at")
        if spec.at and not on_foot:
            raise Unusable("rider and mount stand in one square, which the rider's entry names", f"{field}.at")
        if on_board and on_foot:
            cells = list_places(spec.at, len(on_foot), field, "squares")
            for nth, (who, place) in enumerate(zip(on_foot, cells, strict=True)):
                stands[who] = square(place, f"{field}.at[{nth}]")
    for mount, rider in riders.items():
        if mount in there:
            stands[rider] = there[mount].place
        else:
            stands[mount] = stands.get(rider, "")
    return stands


def set_pairs(
    stated: Stated, people: Mapping[Id, str], riders: Mapping[Id, Id], on_board: bool, new: Collection[Id] | None = None
) -> Iterator[Event]:
    """Yield the distances and views that an encounter states.

    Args:
        people: The side of each combatant.
        new: The combatants to whom ``apart`` applies; by default all.

    Raises:
        Unusable: there is a board, or a named combatant is not in the fight.
    """
    if on_board and (stated.apart is not None or stated.distance or stated.melee):
        wrong = "apart" if stated.apart is not None else "distance" if stated.distance else "melee"
        raise Unusable("this encounter has a board; its squares give the distances", wrong)
    feet: dict[tuple[Id, Id], int] = {}
    if stated.apart is not None:
        for one, other in combinations(people, 2):
            if new is None or one in new or other in new:
                feet[order_pair(one, other)] = SQUARE if people[one] == people[other] else stated.apart
    for index, melee in enumerate(stated.melee):
        for one, other in combinations(melee.members, 2):
            feet |= dict.fromkeys(_list_both_pairs(one, other, people, riders, f"melee[{index}].members"), SQUARE)
    for index, told_ in enumerate(stated.distance):
        feet |= dict.fromkeys(
            _list_both_pairs(*told_.between, people, riders, f"distance[{index}].between"), told_.feet
        )
    for both, apart in feet.items():
        if riders.get(both[0]) != both[1] and riders.get(both[1]) != both[0]:
            yield DistanceSet(pair=both, before=None, after=apart)
    yield from read_views(stated.view, people)


def _list_both_pairs(
    one: Id, other: Id, people: Mapping[Id, str], riders: Mapping[Id, Id], field: str
) -> Iterator[tuple[Id, Id]]:
    """Yield a pair, and the pairs of their mounts and riders."""
    read_pair(one, other, people, field)
    mounts = {rider: mount for mount, rider in riders.items()}
    ones, others = ({who, mounts.get(who, who), riders.get(who, who)} for who in (one, other))
    yield from (order_pair(a, b) for a in sorted(ones) for b in sorted(others) if a != b)


class Entry(NamedTuple):
    """An entry of an encounter file, its field, and its combatants' ids and names."""

    spec: Spec
    field: str
    members: tuple[tuple[Id, str], ...]


def set_groups(entries: list[Entry], config: Config, people: Mapping[Id, str]) -> Iterator[Event]:
    """Yield the groups of foes by entries and configuration, and the quick ones.

    Raises:
        Unusable: a group has a combatant who rolls alone, or two sides.
    """
    found: dict[str, dict[Id, Spec]] = {}
    for entry in entries:
        key = find_group_name(entry.spec, entry.field, config)
        for who, _ in entry.members if key is not None else ():
            found.setdefault(key or who, {})[who] = entry.spec
    for key, foes in found.items():
        if len({spec.side for spec in foes.values()}) > 1:
            raise Unusable(f"the group {key} has combatants of two sides", "combatant")
        if len(foes) > 1:
            unit = id_of(key) or "group"
            unit = f"{unit}-group" if unit in people else unit
            yield set_relation(unit, "group", *(Member(who=who) for who in foes), rules=("WWN-003", "WWN-T28"))
        for who, spec in foes.items():
            if find_quick_bonus(spec, config):
                yield QUICK.set_on(who, find_quick_bonus(spec, config), "WWN-005", "WWN-T27")


def find_group_name(spec: Spec, field: str, config: Config) -> str | None:
    """Return the group name of an entry's combatants (WWN-T28).

    It is empty if each rolls alone, and ``None`` for combatants who are no foes.
    """
    if spec.pc or fill_in(spec, find_stat_block(spec, blocks(), field)).mount:
        if spec.group or spec.quick:
            wrong = "group" if spec.group else "quick"
            raise Unusable("only foes roll in groups: neither PCs nor mounts", f"{field}.{wrong}")
        return None
    if spec.group:
        return spec.group
    return {"per_side": spec.side, "per_entry": f"{spec.name}s", "single": ""}[config.foe_groups]


def find_quick_bonus(spec: Spec, config: Config) -> int:
    """Return the initiative bonus of an entry's foes: the usual one, or their own (WWN-T27)."""
    return config.quick_bonus if spec.quick is True else int(spec.quick)
