"""What every rule system needs to read an encounter file: its form, ids from names, errors."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct

from affray.engine.core.ids import id_of
from affray.engine.errors import NoSuch, Unusable, misread
from affray.engine.limits import check_encounter
from affray.events import Clause, Id, ItemAdded, PoolName, ViewSet

from .carrying.form import Carries
from .combatant_names import check_names
from .dice_sources import DiceSourceName
from .distances import pair
from .side_names import check_sides

S = TypeVar("S", bound=Struct)
T = TypeVar("T")

Name = Annotated[str, Meta(min_length=1, max_length=60)]

OLD_WORDS = {"sight": "view"}
"""The old names of parts of an encounter."""


class SideEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ``[side.NAME]``: what is said of all who fight for a side.

    Attributes:
        dice: Where their dice come from; what an entry says of its own combatants goes before it.
    """

    dice: DiceSourceName | None = None


class File(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An encounter file; each system adds its ``[[combatant]]`` and whatever else it knows."""

    system: str
    name: str = ""
    config: dict[str, Any] = {}
    side: dict[Name, SideEntry] = {}


class Entry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ``[[combatant]]``, or several who are alike; each system adds its sheet, and what is carried.

    Attributes:
        concealed, veiled, carries: What the opening takes out of an entry before a system reads it.
    """

    name: Name
    side: Name
    block: str = ""
    count: Annotated[int, Meta(ge=1, le=500)] = 1
    concealed: bool = False
    veiled: tuple[PoolName, ...] = ()
    carries: Carries | None = None
    dice: DiceSourceName | None = None


class Melee(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ``[[melee]]`` that is under way when the fight begins: the ids of who is in it, in joining order."""

    members: Annotated[tuple[str, ...], Meta(min_length=2)]


class Between(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ``[[distance]]`` between two combatants; each system adds how far that is."""

    between: tuple[str, str]


class Seen(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ``[[view]]``: who sees whom otherwise than clearly; each system says in what ways that can be.

    Attributes:
        between: Two combatants, who see each other so; or, unless ``both``, the first one the second.
        viewer, target: The same one way, where nothing is said of both.
        view: How.
    """

    between: tuple[str, str] | None = None
    viewer: str = ""
    target: str = ""
    both: bool = True
    view: str = "blocked"

    def ways(self, there: Collection[Id], field: str) -> tuple[tuple[Id, Id], ...]:
        """Return who sees whom so.

        Raises:
            Unusable: it does not name two combatants who are there.
        """
        viewer, target = self.between or (self.viewer, self.target)
        path = f"{field}.between" if self.between else field
        for who in (viewer, target):
            if who not in there:
                raise NoSuch("", who or "viewer", there, path)
        if viewer == target:
            raise Unusable("must name two combatants", path)
        return ((viewer, target), (target, viewer)) if self.between and self.both else ((viewer, target),)


def views(seen: Iterable[Seen], there: Collection[Id], *rules: Clause) -> Iterator[ViewSet]:
    """Yield who sees whom otherwise than clearly.

    Raises:
        Unusable: somebody is named who is not there.
    """
    for index, one in enumerate(seen):
        for viewer, target in one.ways(there, f"view[{index}]"):
            yield ViewSet(viewer=viewer, target=target, before="clear", after=one.view, rules=rules)


def told(content: object, form: type[S]) -> S:
    """Return an encounter file's content in its system's form; old words and combatants' names are understood.

    Raises:
        Unusable: a field is unknown, missing, of the wrong kind, out of range, or goes beyond all bounds; two sides
            or two combatants look the same. Says which field.
    """
    try:
        read = msgspec.convert(renamed(content) if isinstance(content, Mapping) else content, form)
    except msgspec.ValidationError as error:
        message, path = misread(str(error))
        raise Unusable(message, path.lstrip(".")) from None
    check_encounter(content)
    entries = list(enumerate(getattr(read, "combatant", ())))
    check_names(((f"combatant[{nth}].name", one.name, one.count) for nth, one in entries), ())
    check_sides(((f"combatant[{nth}].side", one.side) for nth, one in entries), (), 'side = "SIDE"')
    return read


def renamed(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return an encounter with the present names of its parts, and those that they name by their ids.

    An old name beside the present one stays, and is refused.
    """
    named = {new if (new := OLD_WORDS.get(key, key)) not in content else key: part for key, part in content.items()}
    return {key: _by_id(part) if key in PAIRS else part for key, part in named.items()}


PAIRS = ("melee", "distance", "view")
"""The parts of an encounter that name combatants, by id or by name."""

NAMING = ("members", "between", "viewer", "target")
"""The fields of those parts that do."""


def _by_id(entries: Any) -> Any:
    """Return entries that name combatants with their ids; an id is its own."""
    if isinstance(entries, str):
        return id_of(entries) or entries
    if isinstance(entries, Mapping):
        return {key: _by_id(one) if key in NAMING else one for key, one in entries.items()}
    return [_by_id(one) for one in entries] if isinstance(entries, list | tuple) else entries


def unknown(what: str, key: str, known: Iterable[str], field: str) -> Unusable:
    """Return the refusal of an unknown name: ``there is no weapon swrod; there are …``."""
    return NoSuch(what, key, known, field)


def row(what: str, key: str, rows: Mapping[str, T], field: str) -> T:
    """Return a line of a table.

    Raises:
        Unusable: there is none of that name; says which there are.
    """
    if key not in rows:
        raise unknown(what, key, rows, field)
    return rows[key]


def block_of(entry: Entry, blocks: Mapping[str, T], field: str) -> T | None:
    """Return the stat block that an entry starts from, if it names one.

    Raises:
        Unusable: it does not exist.
    """
    return row("stat block", entry.block, blocks, f"{field}.block") if entry.block else None


def completed(entry: S, block: Struct | None, *but: str) -> S:
    """Return an entry in which whatever it leaves out, but for some fields, is as its stat block says."""
    if block is None:
        return entry
    said, usual = msgspec.structs.asdict(entry), msgspec.structs.asdict(block)
    left_out = {name: value for name, value in usual.items() if name not in but and said.get(name, 0) is None}
    return msgspec.structs.replace(entry, **left_out)


def at_start(now: int | None, most: int, pool: str, field: str) -> int:
    """Return where a health pool stands at the start: as an entry says, or at its most.

    Raises:
        Unusable: it has no most, or stands above it or at nothing.
    """
    if most < 1:
        raise Unusable(f"{pool} is missing, and there is no stat block to take it from", f"{field}.{pool}")
    if now is not None and not 1 <= now <= most:
        raise Unusable(f"must be from 1 to the maximum of {most}", f"{field}.{pool}")
    return most if now is None else now


def owned(
    who: Id,
    key: str,
    name: str,
    kind: str,
    where: str = "",
    *,
    stats: Mapping[str, int] = {},
    traits: Iterable[str] = (),
    counters: Mapping[str, int] = {},
    die: int = 0,
    base: int = 0,
    rules: tuple[Clause, ...] = (),
) -> ItemAdded:
    """Return a thing of somebody's; its id is that of its owner and its own key."""
    return ItemAdded(
        item=f"{who}.{key}",
        name=name,
        kind=kind,
        owner=who,
        where=where,
        stats=dict(stats),
        traits=tuple(traits),
        counters=dict(counters),
        die=die,
        base=base,
        rules=rules,
    )


def known_by_name(who: Id, kind: str, names: tuple[str, ...], field: str) -> Iterator[ItemAdded]:
    """Yield what somebody has that is a name and nothing else, such as what they have learnt.

    Raises:
        Unusable: a name has no letter or digit, or stands there twice.
    """
    for nth, name in enumerate(names):
        key = id_of(name)
        if not key or key in map(id_of, names[:nth]):
            raise Unusable("must be a name with letters, and each stand there once", f"{field}[{nth}]")
        yield owned(who, f"{kind}-{key}", name, kind)


def traits_by_place(kinds: Mapping[str, Iterable[str]], read: Callable[[str, str], Id]) -> dict[Id, tuple[str, ...]]:
    """Return the traits of each place that a ``[board]`` lists.

    Args:
        kinds: The places of each kind, as they are written.
        read: How a place is read that stands in a field.
    """
    found: dict[Id, tuple[str, ...]] = {}
    for kind, listed in kinds.items():
        for nth, one in enumerate(listed):
            place = read(one, f"board.{kind}[{nth}]")
            found[place] = (*found.get(place, ()), kind)
    return found


def must_be_there(who: Id, there: Collection[Id], field: str) -> None:
    """Refuse a combatant who is not there."""
    if who not in there:
        raise NoSuch("", who, sorted(there), field)


def two(one: Id, other: Id, there: Collection[Id], field: str) -> tuple[Id, Id]:
    """Return two combatants that an entry names, in the order in which distances name them.

    Raises:
        Unusable: one of them is not there, or they are one and the same.
    """
    for who in (one, other):
        must_be_there(who, there, field)
    if one == other:
        raise Unusable("must name two combatants", field)
    return pair(one, other)


def places(at: str | tuple[str, ...], count: int, field: str, what: str) -> tuple[str, ...]:
    """Return where each of so many combatants stands, as an entry's ``at`` says.

    Args:
        at: One place, or one for each.
        field: Where the entry stands.
        what: What a place is called: ``cells``, ``hexes``, ``zones``.

    Raises:
        Unusable: it does not name one for each.
    """
    all_told = (at,) if isinstance(at, str) and at else tuple(at)
    if len(all_told) != count:
        raise Unusable(f"must name {count} {what}, one for each", f"{field}.at")
    return all_told
