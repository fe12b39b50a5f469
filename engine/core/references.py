"""Checks of the names in a ruling: combatants, items, places, numbers, relations.

A ruling declares the kind of name in each field. A rule system declares its places, sheets and relations. So no ruling
looks up names in its code, and none can add to a fight what the rules could not read there.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct, inspect

from affray.engine.core.ids import RESERVED, id_of
from affray.engine.errors import Refused, Unusable
from affray.events import EVERYBODY, Clause, Id, list_naming_fields

from .actions import Ruling
from .candidates import default_of, list_sides
from .coordinates import EDGE, is_cell
from .loading import load
from .ruleset import Ruleset
from .table import Table

LOWEST, HIGHEST = -99, 999
"""The bounds of a number on a sheet, if the encounter's struct sets none."""


def check_named(table: Table, ruling: Ruling) -> None:
    """Refuse a ruling that names a combatant, item or place that is not there.

    An optional field at its default names nothing.

    Raises:
        Unusable: with the field, and with names that would work.
    """
    people, items = table.draft.combatants, table.draft.items

    def names(kind: str) -> Iterator[tuple[str, Id]]:
        for field in list_naming_fields(type(ruling), kind, new=False):
            yield from ((field, name) for name in _names_in(ruling, field))

    for field, who in names("combatant"):
        if not ruling.may_name(table, who):
            raise Unusable(f"there is no {who} in this fight; there are {', '.join(people) or 'none'}", field)
    for field, whom in names("several"):
        known = (*people, *list_sides(table), EVERYBODY)
        if whom not in known:
            raise Unusable(f"there is no {whom} in this fight; there are {', '.join(known)}", field)
    for field, item in names("item"):
        if item not in items:
            raise Unusable(f"there is no {item} in this fight", field)
    for field, place in names("place"):
        must_be_a_place(table, place, field)
    positions = load(table.draft.system).vocabulary.positions
    for field, where in names("position"):
        if where not in positions:
            raise Unusable(f"nobody has a thing {where}; there are {', '.join(positions)}", field)


def _names_in(ruling: Ruling, field: str) -> tuple[Id, ...]:
    said = getattr(ruling, field)
    if said == _default(type(ruling), field):
        return ()
    return (said,) if isinstance(said, str) else tuple(said)


@cache
def _default(form: type[Ruling], name: str) -> Any:
    return next(default_of(field) for field in msgspec.structs.fields(form) if field.name == name)


def must_be_a_place(table: Table, place: Id, field: str) -> None:
    """Refuse a text that is no place of the fight's map, or not in canonical form.

    Raises:
        Refused: the fight has no map.
        Unusable: says how a place is written, or which places there are.
    """
    draft, ruleset = table.draft, load(table.draft.system)
    if not (ruleset.board.always or draft.places or draft.occupants):
        raise Refused("no_map", "", "this fight has no map; rule a distance instead", source=place)
    kind = ruleset.board.kind
    if kind == "zones":
        known = dict.fromkeys((*draft.places, *draft.occupants))
        if place not in known:
            raise Unusable(f"there is no zone {place}; there are {', '.join(known)}", field)
    elif kind and not is_cell(place):
        what = "square" if kind == "squares" else "hex"
        raise Unusable(f"must be a {what} of the map, such as 3,1, no farther than {EDGE} from 0,0", field)


def must_be_a_number(table: Table, stat: str, value: int, field: str) -> None:
    """Refuse a number that no sheet of the system could have.

    Raises:
        Unusable: says its bounds.
    """
    low, high = range_of(load(table.draft.system), stat)
    if not low <= value <= high:
        raise Unusable(f"{stat} must be from {low} to {high}, not {value}", field)


def must_be_a_count(table: Table, pool: str, value: int, field: str) -> None:
    """Refuse a counter's value that no sheet of the system could have; 0 is accepted.

    Raises:
        Unusable: says its bounds.
    """
    ruleset = load(table.draft.system)
    low, (_, high) = lowest_count(ruleset, pool), range_of(ruleset, pool)
    if not low <= value <= high:
        raise Unusable(f"{pool} must be from {low} to {high}, not {value}", field)


def must_be_a_relation(table: Table, relation: Id, kind: str, *, ends: bool) -> None:
    """Refuse a relation that a game master may not set; any that exists can be ended.

    Raises:
        Unusable: says which can be set.
    """
    known = load(table.draft.system).corrections.relations
    held = table.draft.relations.get(relation)
    if ends and held is not None:
        return
    if kind not in known or (held is not None and held.kind != kind):
        said = f"can be set: {', '.join(known)}, each with a dash and a number for more than one"
        raise Unusable(said, "relation", known=known)


def must_name_a_group(table: Table, name: Id, field: str) -> None:
    """Refuse a text that cannot be the id of a group, which slots and rolls contain.

    Raises:
        Unusable: it is not written as an id, or names something else.
    """
    draft = table.draft
    held = draft.relations.get(name)
    if not name or id_of(name) != name:
        raise Unusable("must be written in small letters, digits and single dashes", field)
    if name in RESERVED or name in draft.combatants or (held is not None and held.kind != "group"):
        raise Unusable(f"{name} stands for something else already", field)


@cache
def _bounds(form: type[Struct]) -> dict[str, tuple[int, int]]:
    """Return the bounds of each number in an entry of an encounter."""
    told = inspect.type_info(form)
    assert isinstance(told, inspect.StructType)
    found: dict[str, tuple[int, int]] = {}
    for field in told.fields:
        types = field.type.types if isinstance(field.type, inspect.UnionType) else (field.type,)
        for one in types:
            if isinstance(one, inspect.IntType):
                low, high = LOWEST if one.ge is None else int(one.ge), HIGHEST if one.le is None else int(one.le)
                found[field.encode_name] = (low, high)
    return found


def lowest_count(ruleset: Ruleset, pool: str) -> int:
    """Return a counter's lowest value: 0, or less where an encounter allows it."""
    bounds = _bounds(ruleset.encounters.sheet) if ruleset.encounters.sheet is not None else {}
    return min(0, bounds.get(pool, (0, 0))[0])


class Maximum(NamedTuple):
    """The maximum of a combatant's counter.

    Attributes:
        stat: The stat that holds it.
        most: The maximum.
        rule: The clause that forbids higher values; empty if a ruling may exceed the maximum.
    """

    stat: str
    most: int
    rule: Clause


def maximum_of(table: Table, who: Id, pool: str) -> Maximum | None:
    """Return the maximum of a combatant's counter; ``None`` if it has none."""
    word = load(table.draft.system).vocabulary.pools.get(pool)
    stats = table[who].stats
    return Maximum(word.most, stats[word.most], word.most_by) if word is not None and word.most in stats else None


def range_of(ruleset: Ruleset, name: str) -> tuple[int, int]:
    """Return the bounds of a stat or counter.

    A maximum also keeps the bounds of its own field.
    """
    bounds = _bounds(ruleset.encounters.sheet) if ruleset.encounters.sheet is not None else {}
    lows, highs = zip(*(bounds.get(one, (LOWEST, HIGHEST)) for one in (name, f"{name}_max")), strict=True)
    return max(lows), min(highs)
