"""Corrections of a party by hand: a counter, a condition, a thing or a field of a member's entry."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import inspect

from affray.engine.core.ids import id_of
from affray.engine.core.ruleset import Ruleset
from affray.engine.core.state import State
from affray.engine.core.words import CounterWord
from affray.engine.errors import NoSuch, Refused, Unusable
from affray.engine.kit.carry_over import KEY, read_carried_state
from affray.events import Id
from affray.tools.parse.forms import kinds_at
from affray.tools.parse.values import FALSE, TRUE
from affray.tools.present.story.words import Names, becomes, counter_change, possessive, series

from .members import (
    PLACED,
    Content,
    carrying_entry,
    check,
    entries_of,
    ids_of,
    is_inborn,
    ruleset_of,
    whole_of,
    with_entries,
)


def correct_member(content: Mapping[str, Any], member: str, values: Mapping[str, Any], when: str) -> Content:
    """Correct a member's values by hand; return the party with an undoable change.

    Args:
        member: Its id or name.
        values: The new values by field: a counter (``hp``), a condition with a number (0 ends it), ``THING.COUNTER`` or
            ``THING.die``, ``THING.lost``; or a field of the entry.

    Raises:
        Unusable: there is no such member or field, or the field cannot have such a value.
        Refused: the values are the present ones.
    """
    ids = ids_of(content)
    who = member if member in ids else id_of(member)
    if who not in ids:
        raise NoSuch("member", member, ids, "MEMBER")
    entry = dict(entries_of(content)[ids[who]])
    whole, ruleset = whole_of(content), ruleset_of(content)
    carries = msgspec.to_builtins(read_carried_state(entry.get(KEY, {}), KEY))
    for field, value in values.items():
        _correct(entry, carries, whole, who, ruleset, field, value)
    what = series(_now(whole, who, Names(ruleset.name), field, value) for field, value in values.items())
    found = with_entries(content, {who: carrying_entry(entry, _without_empty(carries))}, what, when)
    if check(found) == check(content):
        raise Refused("no_change", "", f"nothing changes: {what} already", source=who)
    return found


def value_of(content: Mapping[str, Any], field: str, said: str) -> Any:
    """Parse a typed value of a member's field: a number, yes or no, a list, a text.

    Args:
        field: A field as in ``correct_member``.
    """
    ruleset, counter = ruleset_of(content), field.rpartition(".")[2]
    words = ruleset.vocabulary
    kinds = kinds_at(ruleset.encounters.form, ("combatant", "0", field)) if ruleset.encounters.form is not None else []
    if said.lower() in (*TRUE, *FALSE):
        so = said.lower() in TRUE
        if any(isinstance(one, inspect.BoolType) for one in kinds) or counter == "lost":
            return so
        if field in words.conditions or words.counters.get(counter, CounterWord()).role == "flag":
            return int(so)
    if any(isinstance(one, inspect.VarTupleType) for one in kinds) and said[:1] != "[":
        return [one.strip() for one in re.split("[;,]", said) if one.strip()]
    if kinds and all(isinstance(one, inspect.StrType) for one in kinds):
        return said
    try:
        return json.loads(said)
    except ValueError:
        return said


def _correct(
    entry: Content, carries: dict[str, Any], whole: State, who: Id, ruleset: Ruleset, field: str, value: Any
) -> None:
    """Set one thing about a member, in what they carry over or in their entry."""
    words, item = ruleset.vocabulary, whole.items.get(f"{who}.{field.rpartition('.')[0]}")
    thing, _, counter = field.rpartition(".")
    if field in whole.combatants[who].pools and field in words.lasting("pools"):
        _set_unusual(carries, "pools", field, value, usual=whole.combatants[who].pools[field])
    elif field in words.conditions:
        _set_unusual(carries, "conditions", field, value, usual=0)
    elif item is not None:
        things = carries.setdefault("things", {}).setdefault(thing, {})
        if counter == "lost" and is_inborn(thing, item, ruleset.encounters.recovery.inborn):
            raise Unusable(f"nobody can lose {item.quoted_name}", field)
        if counter in ("die", "lost"):
            things[counter] = value
        else:
            _set_unusual(things, "counters", counter, value, usual=item.counters.get(counter))
    elif field == KEY:
        read_carried_state(value, KEY)
        carries.clear()
        carries.update(value)
    elif field in PLACED:
        raise Unusable("is of one fight alone, and the encounter says it", field)
    else:
        entry[field] = value


def _now(whole: State, who: Id, names: Names, field: str, value: Any) -> str:
    """Describe a corrected field: ``Ilse's health is 3``, ``Tomas has lost bow``."""
    name, (thing, _, counter) = whole.combatants[who].quoted_name, field.rpartition(".")
    item = whole.items.get(f"{who}.{thing}")
    if field in names.words.conditions:
        return f"{name} {becomes(names, field, value)}"
    if item is None:
        return f"{possessive(name)} {names.label('pools', field)} is {_value_text(value)}"
    if counter == "lost":
        return f"{name} {'no longer has' if value else 'has'} {item.quoted_name}"
    what = f"{possessive(name)} {item.quoted_name}"
    if counter == "die":
        return f"{what} is d{value}" if value else f"{what} is destroyed"
    known = names.words.counters.get(counter, CounterWord())
    if known.role == "flag":
        return f"{what} {counter_change(names, counter, int(not value), int(value))}"
    return f"{what}: {names.label('counters', counter)} {value}" if known.role == "number" else f"{what}: {value}"


def _value_text(value: Any) -> str:
    """Return a value as people write it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value in ([], {}, ""):
        return "nothing"
    return series(map(str, value)) if isinstance(value, list) else str(value)


def _set_unusual(where: dict[str, Any], part: str, key: str, value: Any, usual: Any) -> None:
    """Set a value, or remove it if it equals the full value."""
    table = where.setdefault(part, {})
    table.pop(key, None)
    if value != usual:
        table[key] = value


def _without_empty(carries: dict[str, Any]) -> dict[str, Any]:
    things = {
        key: kept
        for key, one in carries.get("things", {}).items()
        if (kept := {name: value for name, value in one.items() if value not in ({}, False)})
    }
    found = {**carries, "things": things}
    return {key: value for key, value in found.items() if value}
