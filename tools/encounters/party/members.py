"""Party files: like an encounter of one side, with its members' carry-over.

Beside the parts of an encounter it holds ``taken``, the fights that it was charged for, and ``past``, its former
entries before each of its latest changes.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from affray.engine.core.ids import id_of
from affray.engine.core.loading import load
from affray.engine.core.ruleset import Ruleset
from affray.engine.core.state import Item, State
from affray.engine.errors import NoSuch, Refused, Unusable, split_decoder_message
from affray.engine.kit.carry_over import KEY, split_carry_over
from affray.engine.kit.encounters import decode_encounter
from affray.engine.kit.side_names import trim_sides
from affray.engine.opening import begin_fight
from affray.engine.texts import normalize, normalize_texts
from affray.engine.visibility.encounter_hiding import KEYS as HIDING
from affray.engine.visibility.encounter_hiding import split_hidden
from affray.events import Id
from affray.tools.parse.encounter_file import add_location

Content = dict[str, Any]


class Taken(Struct, frozen=True, kw_only=True):
    """A ``[[taken]]`` of a party's file: a fight that cost the party something."""

    fight: str = ""
    hash: str = ""
    at: int = 0
    when: str = ""
    cost: list[str] = []


class PartyStep(Struct, frozen=True, kw_only=True):
    """A ``[[past]]`` of a party's file: a change, and the entries of its members before it."""

    what: str = ""
    when: str = ""
    fight: str = ""
    before: list[Content] = []


class Past(Struct, frozen=True, kw_only=True):
    """The parts of a party's file that no encounter has."""

    taken: list[Taken] = []
    past: list[PartyStep] = []


OWN = Past.__struct_fields__
"""The names of those parts."""

PLACED = ("at",)
"""The fields of an entry that are about the ground of one fight."""

OF_A_FIGHT = (*PLACED, *HIDING)
"""The fields of an entry that are about one fight only."""

MOST_PAST = 10
"""The most changes that can be undone."""


def made_from(encounter: Mapping[str, Any], name: str, side: str = "") -> Content:
    """Return a party of the combatants on one side of an encounter.

    Args:
        side: The side to take; by default the side of the first combatant.

    Raises:
        Unusable: the side has no combatant, or has an entry for several equal combatants.
    """
    encounter = trim_sides(encounter)
    entries = entries_of(encounter)
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
    """Return the names of an encounter's own tables, and of its configuration."""
    return frozenset({"config", *(shelf.own for shelf in ruleset_of(content).encounters.library if shelf.own)})


def ruleset_of(content: Mapping[str, Any]) -> Ruleset:
    """Return the rule system of a party or an encounter.

    Raises:
        Unusable: it names none that there is.
    """
    system = content.get("system")
    if not isinstance(system, str):
        raise Unusable('must be given as a text, such as system = "…"', "system")
    return load(system)


def check_form(content: Content, text: str = "", file: Path = Path()) -> None:
    """Refuse an encounter with a value of the wrong type, as opening a fight does.

    Args:
        text, file: The encounter file's text and path, to locate faults.

    Raises:
        Faulty: names the faulty field.
    """
    with add_location(file, text, content):
        form = ruleset_of(content).encounters.form
        if form is not None:
            decode_encounter(split_carry_over(split_hidden(normalize_texts(content))[0])[0], form)


def entries_of(content: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """Return the entries of a party or an encounter.

    Raises:
        Unusable: there are none.
    """
    entries = content.get("combatant")
    if not isinstance(entries, list) or not entries or not all(isinstance(one, Mapping) for one in entries):
        raise Unusable("a party has [[combatant]] entries, as an encounter has", "combatant")
    return entries


def ids_of(content: Mapping[str, Any]) -> dict[Id, int]:
    """Return the members by id, each with the number of its entry.

    Raises:
        Unusable: two members have the same name, or an entry is for several combatants.
    """
    found: dict[Id, int] = {}
    for nth, one in enumerate(entries_of(content)):
        name = one.get("name")
        who = id_of(normalize(name)) if isinstance(name, str) else ""
        if not who or who in found:
            raise Unusable("each member of a party needs a name of their own", f"combatant[{nth}].name")
        if one.get("count", 1) != 1:
            raise Unusable("give each member of a party an entry", f"combatant[{nth}].count")
        found[who] = nth
    return found


def check(content: Mapping[str, Any], text: str = "", file: Path = Path()) -> State:
    """Return a party's state at the start of its next fight; refuse an invalid party.

    Args:
        text, file: The party file's text and path, to locate faults.

    Raises:
        Faulty: a member could not begin a fight; names the faulty field.
    """
    with add_location(file, text, dict(content)):
        ids_of(content)
        _must_know_its_past(content)
        return state_of(content, but=PLACED)


def _must_know_its_past(content: Mapping[str, Any]) -> None:
    try:
        msgspec.convert(dict(content), Past)
    except msgspec.ValidationError as error:
        message, path = split_decoder_message(str(error))
        raise Unusable(message, path.lstrip(".")) from None


def state_of(
    content: Mapping[str, Any], config: Mapping[str, Any] | None = None, but: Collection[str] = OF_A_FIGHT
) -> State:
    """Return the state that a fight of all members of a party would begin with.

    Args:
        config: The configuration to use in place of the party's own.
        but: The fields of their entries that are left out.

    Raises:
        Unusable: the members could not begin a fight.
    """
    alone = {key: value for key, value in content.items() if key not in OWN}
    alone["name"] = str(alone.get("name") or "party")
    alone["combatant"] = [{key: value for key, value in one.items() if key not in but} for one in entries_of(content)]
    if config is not None:
        alone["config"] = msgspec.to_builtins(config)
    return begin_fight("party", alone, who="gm", seed=None).state


def whole_of(content: Mapping[str, Any], config: Mapping[str, Any] | None = None) -> State:
    """Return the same without what they carry over."""
    plain, _ = split_carry_over(content)
    return state_of(plain, config)


def with_entries(
    content: Mapping[str, Any], entries: Mapping[Id, Mapping[str, Any]], what: str, when: str, fight: str = ""
) -> Content:
    """Return a party with new entries for some members, as an undoable change.

    Args:
        what: The cause of the change, in a few words.
        when: The time.
        fight: The hash of the fight whose cost this is, which is recorded even without a change; empty for another
            cause.
    """
    ids, present = ids_of(content), entries_of(content)
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
    """Undo a party's latest change; return the party and the change's description.

    Raises:
        Refused: the party has no earlier version.
        Faulty: the earlier party could not begin a fight.
        Unusable: ``past`` is malformed.
    """
    _must_know_its_past(content)
    past = content.get("past", [])
    if not past:
        raise Refused("nothing_to_undo", "", "nothing is known of what this party was before")
    ids, step = ids_of(content), past[-1]
    members = [dict(one) for one in entries_of(content)]
    for one in step.get("before", []):
        who = id_of(str(one.get("name", "")))
        if who in ids:
            members[ids[who]] = dict(one)
    taken = list(content.get("taken", []))
    of_fight = [nth for nth, one in enumerate(taken) if one.get("hash") == step.get("fight")]
    if of_fight:
        del taken[of_fight[-1]]
    found = {**content, "combatant": members, "past": past[:-1], "taken": taken}
    found = {key: value for key, value in found.items() if key not in OWN or value}
    check(found)
    return found, str(step.get("what", ""))


def carrying_entry(entry: Mapping[str, Any], carries: Any) -> Content:
    """Return an entry with a member's carry-over; leave the key out if it is empty."""
    said = msgspec.to_builtins(carries)
    plain = {key: value for key, value in entry.items() if key != KEY}
    return {**plain, KEY: said} if said else plain


def is_inborn(key: str, item: Item, inborn: frozenset[str]) -> bool:
    """Tell whether a thing is part of its owner, and cannot be lost."""
    return not inborn.isdisjoint({key, item.kind, *item.traits})
