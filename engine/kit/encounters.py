"""The encounter file: its structs, checks, and helpers that every system uses."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct

from affray.engine.core.ids import id_of
from affray.engine.errors import NoSuch, Unusable, split_decoder_message
from affray.engine.limits import check_encounter_size
from affray.events import Clause, DiceSourceSet, Feature, Id, ItemAdded, Joined, PoolName, TraitName, ViewSet

from .carry_over.form import CarriedState
from .combatant_names import check_names
from .dice_sources import DiceSourceName, set_own_dice
from .distances import order_pair
from .side_names import check_sides

S = TypeVar("S", bound=Struct)
T = TypeVar("T")

Name = Annotated[str, Meta(min_length=1, max_length=60)]

OLD_WORDS = {"sight": "view"}
"""Old names of encounter tables, with their present ones."""


class SideEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ``[side.NAME]`` table: settings for all combatants of a side.

    Attributes:
        dice: The source of their dice. A combatant's own entry takes precedence.
    """

    dice: DiceSourceName | None = None


class EncounterFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An encounter file. Each system adds its ``[[combatant]]`` and further tables."""

    system: str
    name: str = ""
    config: dict[str, Any] = {}
    side: dict[Name, SideEntry] = {}


class CombatantEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ``[[combatant]]``: one combatant, or several alike. Systems add their sheets.

    Attributes:
        concealed, veiled, carries: Taken out of the entry by the opening, before a system reads it.
    """

    name: Name
    side: Name
    block: str = ""
    count: Annotated[int, Meta(ge=1, le=500)] = 1
    concealed: bool = False
    veiled: tuple[PoolName, ...] = ()
    carries: CarriedState | None = None
    dice: DiceSourceName | None = None


class MeleeEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ``[[melee]]`` under way at the start: its members' ids, in joining order."""

    members: Annotated[tuple[str, ...], Meta(min_length=2)]


class DistanceEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ``[[distance]]`` between two combatants. Each system adds the length."""

    between: tuple[str, str]


class ViewEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ``[[view]]``: a combatant sees another one, but not clearly.

    Each system lists the possible views.

    Attributes:
        between: Two combatants with this view of each other. If ``both`` is false, only the first has it, of the
            second.
        viewer, target: The viewing combatant, and the seen one, for one direction only.
        view: The kind of view.
    """

    between: tuple[str, str] | None = None
    viewer: str = ""
    target: str = ""
    both: bool = True
    view: str = "blocked"

    def list_pairs(self, there: Collection[Id], field: str) -> tuple[tuple[Id, Id], ...]:
        """Return the pairs of viewer and target that the entry states.

        Raises:
            Unusable: it does not name two combatants of the encounter.
        """
        viewer, target = self.between or (self.viewer, self.target)
        path = f"{field}.between" if self.between else field
        for who in (viewer, target):
            if who not in there:
                raise NoSuch("", who or "viewer", there, path)
        if viewer == target:
            raise Unusable("must name two combatants", path)
        return ((viewer, target), (target, viewer)) if self.between and self.both else ((viewer, target),)


def read_views(seen: Iterable[ViewEntry], there: Collection[Id], *rules: Clause) -> Iterator[ViewSet]:
    """Yield the stated views of an encounter.

    Raises:
        Unusable: an entry names a combatant that is not in the encounter.
    """
    for index, one in enumerate(seen):
        for viewer, target in one.list_pairs(there, f"view[{index}]"):
            yield ViewSet(viewer=viewer, target=target, before="clear", after=one.view, rules=rules)


def decode_encounter(content: object, form: type[S]) -> S:
    """Decode an encounter file into its system's struct.

    Old table names and combatants' names are understood.

    Raises:
        Unusable: a field is unknown, missing, of the wrong type or out of range, or the encounter is too large. Two
            sides or two combatants look the same. Names the field.
    """
    try:
        read = msgspec.convert(use_present_names(content) if isinstance(content, Mapping) else content, form)
    except msgspec.ValidationError as error:
        message, path = split_decoder_message(str(error))
        raise Unusable(message, path.lstrip(".")) from None
    check_encounter_size(content)
    entries = list(enumerate(getattr(read, "combatant", ())))
    check_names(((f"combatant[{nth}].name", one.name, one.count) for nth, one in entries), ())
    check_sides(((f"combatant[{nth}].side", one.side) for nth, one in entries), (), 'side = "SIDE"')
    return read


def use_present_names(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return an encounter with present table names, and ids instead of names.

    A table under its old name stays if the present name is used too. It is refused later.
    """
    named = {new if (new := OLD_WORDS.get(key, key)) not in content else key: part for key, part in content.items()}
    return {key: _by_id(part) if key in PAIRS else part for key, part in named.items()}


PAIRS = ("melee", "distance", "view")
"""The encounter tables that name combatants, by id or by name."""

NAMING = ("members", "between", "viewer", "target")
"""The fields of those tables that hold ids or names."""


def _by_id(entries: Any) -> Any:
    """Replace combatants' names in encounter entries by their ids."""
    if isinstance(entries, str):
        return id_of(entries) or entries
    if isinstance(entries, Mapping):
        return {key: _by_id(one) if key in NAMING else one for key, one in entries.items()}
    return [_by_id(one) for one in entries] if isinstance(entries, list | tuple) else entries


def make_unknown_name(what: str, key: str, known: Iterable[str], field: str) -> Unusable:
    """Return the refusal of an unknown name: ``there is no weapon axxe; there are …``."""
    return NoSuch(what, key, known, field)


def find_row(what: str, key: str, rows: Mapping[str, T], field: str) -> T:
    """Return a row of a table by its key.

    Raises:
        Unusable: there is no such row; lists the keys that exist.
    """
    if key not in rows:
        raise make_unknown_name(what, key, rows, field)
    return rows[key]


def find_stat_block(entry: CombatantEntry, blocks: Mapping[str, T], field: str) -> T | None:
    """Return the stat block that an entry names, or ``None``.

    Raises:
        Unusable: it does not exist.
    """
    return find_row("stat block", entry.block, blocks, f"{field}.block") if entry.block else None


def fill_from_block(entry: S, block: Struct | None, *but: str) -> S:
    """Fill the fields that an entry leaves out from its stat block.

    Args:
        but: Fields that are not filled.
    """
    if block is None:
        return entry
    said, usual = msgspec.structs.asdict(entry), msgspec.structs.asdict(block)
    left_out = {name: value for name, value in usual.items() if name not in but and said.get(name, 0) is None}
    return msgspec.structs.replace(entry, **left_out)


def find_starting_value(now: int | None, most: int, pool: str, field: str) -> int:
    """Return a health pool's value at the start: the entry's, or the maximum.

    Raises:
        Unusable: the pool has no maximum, or its value is below 1 or above the maximum.
    """
    if most < 1:
        raise Unusable(f"{pool} is missing, and there is no stat block to take it from", f"{field}.{pool}")
    if now is not None and not 1 <= now <= most:
        raise Unusable(f"must be from 1 to the maximum of {most}", f"{field}.{pool}")
    return most if now is None else now


def join_fight(
    entry: CombatantEntry,
    who: Id,
    name: str,
    *,
    stats: dict[str, int],
    pools: dict[str, int],
    traits: tuple[TraitName | Feature, ...],
    place: Id = "",
    rules: tuple[Clause, ...] = (),
) -> Iterator[Joined | DiceSourceSet]:
    """Yield the events by which a combatant of an entry joins: its sheet, and the source of its dice."""
    yield Joined(who=who, name=name, side=entry.side, stats=stats, pools=pools, traits=traits, place=place, rules=rules)
    yield from set_own_dice(who, entry.dice)


def add_item(
    who: Id,
    key: str,
    name: str,
    kind: str,
    where: str = "",
    *,
    stats: Mapping[str, int] = {},
    traits: Iterable[str] = (),
    features: Iterable[Feature] = (),
    counters: Mapping[str, int] = {},
    die: int = 0,
    base: int = 0,
    rules: tuple[Clause, ...] = (),
) -> ItemAdded:
    """Return the event that gives a combatant an item.

    The item's id consists of the owner's id and ``key``.
    """
    return ItemAdded(
        item=f"{who}.{key}",
        name=name,
        kind=kind,
        owner=who,
        where=where,
        stats=dict(stats),
        traits=tuple(traits),
        features=tuple(features),
        counters=dict(counters),
        die=die,
        base=base,
        rules=rules,
    )


def add_named_items(who: Id, kind: str, names: tuple[str, ...], field: str) -> Iterator[ItemAdded]:
    """Yield items that consist of a name only, such as known spells.

    Raises:
        Unusable: a name has no letter or digit, or is listed twice.
    """
    for nth, name in enumerate(names):
        key = id_of(name)
        if not key or key in map(id_of, names[:nth]):
            raise Unusable("must be a name with letters, and each stand there once", f"{field}[{nth}]")
        yield add_item(who, f"{kind}-{key}", name, kind)


def list_traits_by_place(
    kinds: Mapping[str, Iterable[str]], read: Callable[[str, str], Id]
) -> dict[Id, tuple[str, ...]]:
    """Return the traits of each place that a ``[board]`` lists.

    Args:
        kinds: The places of each kind, as written in the file.
        read: Reads the place in a field.
    """
    found: dict[Id, tuple[str, ...]] = {}
    for kind, listed in kinds.items():
        for nth, one in enumerate(listed):
            place = read(one, f"board.{kind}[{nth}]")
            found[place] = (*found.get(place, ()), kind)
    return found


def must_be_there(who: Id, there: Collection[Id], field: str) -> None:
    """Refuse a combatant that is not in the encounter."""
    if who not in there:
        raise NoSuch("", who, sorted(there), field)


def read_pair(one: Id, other: Id, there: Collection[Id], field: str) -> tuple[Id, Id]:
    """Return the two combatants that an entry names, in the order that distances use.

    Raises:
        Unusable: one of them is not in the encounter, or both are the same.
    """
    for who in (one, other):
        must_be_there(who, there, field)
    if one == other:
        raise Unusable("must name two combatants", field)
    return order_pair(one, other)


def list_places(at: str | tuple[str, ...], count: int, field: str, what: str) -> tuple[str, ...]:
    """Return the place of each combatant of an entry, from its ``at``.

    Args:
        at: One place, or one for each combatant.
        field: Path of the entry.
        what: The word for places: ``cells``, ``hexes``, ``zones``.

    Raises:
        Unusable: the number of places differs from the number of combatants.
    """
    all_told = (at,) if isinstance(at, str) and at else tuple(at)
    if len(all_told) != count:
        raise Unusable(f"must name {say_places(count, what)}", f"{field}.at")
    return all_told


def say_places(count: int, what: str) -> str:
    """Return how many places an entry must name: ``one square``, or ``3 squares, one for each combatant``."""
    return f"one {SINGULAR[what]}" if count == 1 else f"{count} {what}, one for each combatant"


SINGULAR = {"cells": "cell", "hexes": "hex", "places": "place", "squares": "square"}
"""The word for one place, by that for many."""
