"""A party in an encounter: in the places of those who stand on its sides there."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import cycle, islice
from typing import Any

from affray.engine.core.coordinates import CELLS
from affray.engine.core.ids import named
from affray.engine.core.ruleset import Ruleset
from affray.engine.errors import NoSuch, Unusable
from affray.engine.kit.carrying import KEY, carries_said
from affray.engine.kit.encounters import OLD_WORDS
from affray.events import Id
from affray.tools.balance.places import around, places_of

from . import keeping
from .members import OWN, Content, own, ruleset_of

NAMING = ("distance", "melee", "view", *OLD_WORDS)
"""The lists of an encounter whose entries name combatants."""


def joined(encounter: Mapping[str, Any], party: Mapping[str, Any], side: str = "") -> tuple[Content, list[str]]:
    """Return an encounter with a party instead of those on its side, and who of it stays behind.

    Where nobody is on a side of that name, the party takes the side of whoever stands first. Its members stand where
    those would, in order; what names one of those names the member in their place.

    Args:
        side: That which all of it takes, if it is said.

    Raises:
        Unusable: it is of another system, or nobody of it can join.
    """
    members = party.get("combatant")
    if not isinstance(members, list) or not members or not all(isinstance(one, Mapping) for one in members):
        raise Unusable("a party file has [[combatant]] entries, as an encounter has", "--party")
    if party.get("system", encounter.get("system")) != encounter.get("system"):
        raise Unusable(f"the party is of {party['system']}, and the encounter of {encounter.get('system')}", "--party")
    ruleset = ruleset_of(encounter)
    behind = [str(one.get("name")) for one in members if is_out(one, ruleset)]
    joining = [dict(one) for one in members if not is_out(one, ruleset)]
    if not joining:
        raise Unusable("nobody of the party can fight", "--party")
    entries = [dict(one) for one in encounter.get("combatant", []) if isinstance(one, Mapping)]
    there = dict.fromkeys(str(one.get("side")) for one in entries)
    if side and side not in there:
        raise NoSuch("side", side, there, "--side")
    sides = {side} if side else {one.get("side") for one in joining}
    if entries and not sides & {*there}:
        sides = {entries[0].get("side")}
    if len(sides) == 1:
        joining = [{**one, "side": next(iter(sides))} for one in joining]
    replaced = [one for one in entries if one.get("side") in sides]
    staying = [one for one in entries if one.get("side") not in sides]
    _place(joining, replaced, staying, encounter, ruleset)
    tables = {
        key: {**encounter.get(key, {}), **value}
        for key, value in party.items()
        if key in own(encounter) - {"config"} and isinstance(value, Mapping)
    }
    found = {**encounter, **tables, "combatant": [*joining, *staying]}
    return _renamed(found, _instead(replaced, joining)), behind


def with_party(content: Content, said: str, side: str = "") -> tuple[Content, list[str]]:
    """Return an encounter with a party that is kept, and who of it stays behind.

    Raises:
        Unusable: it cannot join.
    """
    return joined(content, keeping.read(said).content, side)


def is_out(entry: Mapping[str, Any], ruleset: Ruleset) -> bool:
    """Tell whether somebody carries over a condition with which nobody fights."""
    conditions = carries_said(entry.get(KEY, {}), KEY).conditions
    return any(name in conditions for name, word in ruleset.vocabulary.conditions.items() if word.role == "out")


def _place(
    joining: list[Content],
    replaced: list[Content],
    staying: list[Content],
    encounter: Mapping[str, Any],
    ruleset: Ruleset,
) -> None:
    """Give each member a place of those who stood there, then free ones around them; in zones, the same ones again."""
    lacking = [one for one in joining if not one.get("at")]
    stated = [at for one in replaced for at in places_of(one)]
    free = [at for at in stated if at not in {at for one in joining for at in places_of(one)}]
    if not lacking or not stated:
        return
    if ruleset.map in CELLS:
        taken = {at for one in (*staying, *joining) for at in places_of(one)}
        ground = [kind for kind in encounter.get("board", {}).values() if isinstance(kind, list)]
        taken |= {at for kind in ground for at in kind if isinstance(at, str)}
        more = islice(around(stated, taken, ruleset), max(0, len(lacking) - len(free)))
        places = [*free, *more]
    else:
        places = list(islice(cycle(stated), len(lacking)))
    for one, at in zip(lacking, places, strict=False):
        one["at"] = at


def _instead(replaced: list[Content], joining: list[Content]) -> dict[Id, Id]:
    """Return who stands in whose place; nobody in that of those for whom no member is left."""
    old = [who for one in replaced for who, _ in named(str(one.get("name")), int(one.get("count", 1)), "name", set())]
    new = [who for one in joining for who, _ in named(str(one.get("name")), 1, "name", set())]
    kept = {who: who for who in new}
    rest = [who for who in new if who not in old]
    found = {who: kept[who] for who in old if who in kept}
    left = [who for who in old if who not in found]
    return {**found, **{who: rest[nth] if nth < len(rest) else "" for nth, who in enumerate(left)}}


def _renamed(content: Content, instead: Mapping[Id, Id]) -> Content:
    found = dict(content)
    for key in NAMING:
        if isinstance(found.get(key), list):
            kept = [_entry(one, instead) for one in found[key]]
            found[key] = [one for one in kept if one is not None]
    return {key: value for key, value in found.items() if key not in OWN and (key not in NAMING or value)}


def _entry(entry: Any, instead: Mapping[Id, Id]) -> Any:
    """Return an entry with the names of those who are there now; nothing if it is about somebody who is not."""
    if not isinstance(entry, Mapping):
        return entry
    found: Content = {}
    for key, value in entry.items():
        if isinstance(value, list):
            found[key] = [instead.get(one, one) if isinstance(one, str) else one for one in value]
        else:
            found[key] = instead.get(value, value) if key in ("viewer", "target") else value
    gone = any(value == "" or (isinstance(value, list) and "" in value) for value in found.values())
    return None if gone else found
