"""What a party's file says: it reads like an encounter of one side, with what its members carry over.

Beside what an encounter has it holds ``taken``, the fights whose costs it bears already, and ``past``, what it was
before each of its last changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from affray.engine.core.ids import id_of
from affray.engine.core.ruleset import Ruleset, load
from affray.engine.core.state import Item, State
from affray.engine.core.words import CounterWord
from affray.engine.errors import NoSuch, Refused, Unusable
from affray.engine.kit.carrying import KEY, carries_said, without_carried
from affray.engine.opening import begin_fight
from affray.engine.texts import normal
from affray.engine.visibility.beginning import KEYS as HIDING
from affray.events import Id
from affray.tools.encounters import located
from affray.tools.story.words import Names, becomes, counted, owns, series

Content = dict[str, Any]

OWN = ("taken", "past")
"""What a party's file holds beside what an encounter has."""

OF_A_FIGHT = ("at", *HIDING)
"""What an entry says of one fight alone."""

MOST_PAST = 10
"""How many changes can be taken back."""


def made_from(encounter: Mapping[str, Any], name: str, side: str = "") -> Content:
    """Return a party of the combatants on one side of an encounter.

    Args:
        side: Which one; that of whoever stands first, if none is said.

    Raises:
        Unusable: nobody is on that side, or several who are alike are.
    """
    entries = _entries(encounter)
    side = side or str(entries[0].get("side", ""))
    chosen = [one for one in entries if one.get("side") == side]
    if not chosen:
        raise NoSuch("side", side, dict.fromkeys(str(one.get("side")) for one in entries), "side")
    for one in chosen:
        if one.get("count", 1) != 1:
            raise Unusable(f"{one.get('name')} stands for several; give each member of a party an entry", "count")
    members = [{key: value for key, value in one.items() if key not in OF_A_FIGHT} for one in chosen]
    tables = {key: value for key, value in encounter.items() if isinstance(value, Mapping) and key in own(encounter)}
    party = {"system": encounter.get("system"), "name": name, **tables, "combatant": members}
    check(party)
    return party


def own(content: Mapping[str, Any]) -> frozenset[str]:
    """Return the tables in which an encounter of this system holds lines of its own, and its configuration."""
    return frozenset({"config", *(shelf.own for shelf in ruleset_of(content).library if shelf.own)})


def ruleset_of(content: Mapping[str, Any]) -> Ruleset:
    """Return the rule system of a party or an encounter.

    Raises:
        Unusable: it names none that there is.
    """
    system = content.get("system")
    if not isinstance(system, str):
        raise Unusable('must be given as a text, such as system = "…"', "system")
    return load(system)


def _entries(content: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    entries = content.get("combatant")
    if not isinstance(entries, list) or not entries or not all(isinstance(one, Mapping) for one in entries):
        raise Unusable("a party has [[combatant]] entries, as an encounter has", "combatant")
    return entries


def ids_of(content: Mapping[str, Any]) -> dict[Id, int]:
    """Return the members by id, each with the number of its entry.

    Raises:
        Unusable: two are called alike, or an entry stands for several.
    """
    found: dict[Id, int] = {}
    for nth, one in enumerate(_entries(content)):
        name = one.get("name")
        who = id_of(normal(name)) if isinstance(name, str) else ""
        if not who or who in found:
            raise Unusable("each member of a party needs a name of their own", f"combatant[{nth}].name")
        if one.get("count", 1) != 1:
            raise Unusable("give each member of a party an entry", f"combatant[{nth}].count")
        found[who] = nth
    return found


def check(content: Mapping[str, Any], text: str = "", file: Path = Path()) -> State:
    """Return how a party is now; refuse what no party can be.

    Args:
        text, file: Of its file, to say where something is wrong.

    Raises:
        Faulty: a member could not begin a fight so; says which field is wrong.
    """
    with located(file, text, dict(content)):
        ids_of(content)
        _must_know_its_past(content)
        return state_of(content)


def _must_know_its_past(content: Mapping[str, Any]) -> None:
    for key in OWN:
        if not isinstance(content.get(key, []), list) or not all(
            isinstance(one, Mapping) for one in content.get(key, [])
        ):
            raise Unusable("must be a list of tables", key)


def state_of(content: Mapping[str, Any], config: Mapping[str, Any] | None = None) -> State:
    """Return the state that a party's members alone come to, all of them, as they are now.

    Args:
        config: Of a fight, in place of the party's own.

    Raises:
        Unusable: they could not begin a fight.
    """
    alone = {key: value for key, value in content.items() if key not in OWN}
    alone["name"] = str(alone.get("name") or "party")
    alone["combatant"] = [
        {key: value for key, value in one.items() if key not in OF_A_FIGHT} for one in _entries(content)
    ]
    if config is not None:
        alone["config"] = msgspec.to_builtins(config)
    return begin_fight("party", alone, who="gm", seed=None).state


def whole_of(content: Mapping[str, Any], config: Mapping[str, Any] | None = None) -> State:
    """Return the same without what they carry over."""
    plain, _ = without_carried(content)
    return state_of(plain, config)


def changed(
    content: Mapping[str, Any], entries: Mapping[Id, Mapping[str, Any]], what: str, when: str, fight: str = ""
) -> Content:
    """Return a party with other entries for some members, which can be taken back.

    Args:
        what: What changed them, in a few words.
        when: The time.
        fight: The hash of the fight whose cost that is; it is a change in any case.
    """
    ids, present = ids_of(content), _entries(content)
    moved = {who: one for who, one in entries.items() if dict(present[ids[who]]) != dict(one)}
    if not moved and not fight:
        return dict(content)
    members = [dict(one) for one in present]
    for who, one in moved.items():
        members[ids[who]] = dict(one)
    before = [dict(present[ids[who]]) for who in moved]
    step = {"what": what, "when": when, **({"fight": fight} if fight else {}), "before": before}
    return {**content, "combatant": members, "past": [*content.get("past", []), step][-MOST_PAST:]}


def taken_back(content: Mapping[str, Any]) -> tuple[Content, str]:
    """Return a party as it was before its last change, and what that was.

    Raises:
        Refused: nothing is known of what it was before.
    """
    past = content.get("past", [])
    if not past:
        raise Refused("nothing_to_undo", "", "nothing is known of what this party was before")
    ids, step = ids_of(content), past[-1]
    members = [dict(one) for one in _entries(content)]
    for one in step.get("before", []):
        who = id_of(str(one.get("name", "")))
        if who in ids:
            members[ids[who]] = dict(one)
    taken = list(content.get("taken", []))
    of_fight = [nth for nth, one in enumerate(taken) if one.get("hash") == step.get("fight")]
    if of_fight:
        del taken[of_fight[-1]]
    found = {**content, "combatant": members, "past": past[:-1], "taken": taken}
    return {key: value for key, value in found.items() if key not in OWN or value}, str(step.get("what", ""))


def carrying_entry(entry: Mapping[str, Any], carries: Any) -> Content:
    """Return an entry with what somebody carries over; without the key where that is nothing."""
    said = msgspec.to_builtins(carries)
    plain = {key: value for key, value in entry.items() if key != KEY}
    return {**plain, KEY: said} if said else plain


def corrected(content: Mapping[str, Any], member: str, values: Mapping[str, Any], when: str) -> Content:
    """Return a party in which something about a member was set by hand, to be taken back at once.

    Args:
        member: Its id or name.
        values: What each is to be: a counter (``hp``), a condition with a number (0 ends it), ``THING.COUNTER`` or
            ``THING.die``, ``THING.lost``; or a field of the entry itself.

    Raises:
        Unusable: there is no such member or field, or it cannot be so.
    """
    ids = ids_of(content)
    who = member if member in ids else id_of(member)
    if who not in ids:
        raise NoSuch("member", member, ids, "MEMBER")
    entry = dict(_entries(content)[ids[who]])
    whole, ruleset = whole_of(content), ruleset_of(content)
    carries = msgspec.to_builtins(carries_said(entry.get(KEY, {}), KEY))
    for field, value in values.items():
        _correct(entry, carries, whole, who, ruleset, field, value)
    what = series(_now(whole, who, Names(ruleset.name), field, value) for field, value in values.items())
    found = changed(content, {who: carrying_entry(entry, _tidied(carries))}, what, when)
    check(found)
    return found


def _correct(
    entry: Content, carries: dict[str, Any], whole: State, who: Id, ruleset: Ruleset, field: str, value: Any
) -> None:
    """Set one thing about a member, in what they carry over or in their entry."""
    words, item = ruleset.vocabulary, whole.items.get(f"{who}.{field.rpartition('.')[0]}")
    thing, _, counter = field.rpartition(".")
    if field in whole.combatants[who].pools and field in words.lasting("pools"):
        _set(carries, "pools", field, value, usual=whole.combatants[who].pools[field])
    elif field in words.conditions:
        _set(carries, "conditions", field, value, usual=0)
    elif item is not None:
        things = carries.setdefault("things", {}).setdefault(thing, {})
        if counter == "lost" and is_inborn(thing, item, ruleset.between.inborn):
            raise Unusable(f"nobody can lose {item.name}", field)
        if counter in ("die", "lost"):
            things[counter] = value
        else:
            _set(things, "counters", counter, value, usual=item.counters.get(counter))
    else:
        entry[field] = value


def _now(whole: State, who: Id, names: Names, field: str, value: Any) -> str:
    """Return what is so about a member once a field has a value: ``Ilse's health is 3``, ``Tomas has lost bow``."""
    name, (thing, _, counter) = whole.combatants[who].name, field.rpartition(".")
    item = whole.items.get(f"{who}.{thing}")
    if field in names.words.conditions:
        return f"{name} {becomes(names, field, value)}"
    if item is None:
        return f"{owns(name)} {names.label('pools', field)} is {value}"
    if counter == "lost":
        return f"{name} {'no longer has' if value else 'has'} {item.name}"
    what = f"{owns(name)} {item.name}"
    if counter == "die":
        return f"{what} is d{value}" if value else f"{what} is destroyed"
    known = names.words.counters.get(counter, CounterWord())
    if known.role == "flag":
        return f"{what} {counted(names, counter, int(not value), int(value))}"
    return f"{what}: {names.label('counters', counter)} {value}" if known.role == "number" else f"{what}: {value}"


def is_inborn(key: str, item: Item, inborn: frozenset[str]) -> bool:
    """Tell whether a thing is part of whoever has it, and cannot be lost."""
    return not inborn.isdisjoint({key, item.kind, *item.traits})


def _set(where: dict[str, Any], part: str, key: str, value: Any, usual: Any) -> None:
    """Note a value where it is otherwise than when whole."""
    table = where.setdefault(part, {})
    table.pop(key, None)
    if value != usual:
        table[key] = value


def _tidied(carries: dict[str, Any]) -> dict[str, Any]:
    things = {
        key: kept
        for key, one in carries.get("things", {}).items()
        if (kept := {name: value for name, value in one.items() if value not in ({}, False)})
    }
    found = {**carries, "things": things}
    return {key: value for key, value in found.items() if value}
