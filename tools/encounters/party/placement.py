"""A party in an encounter, in the places of the combatants on its sides."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.core.coordinates import CELLS
from affray.engine.core.ids import name_combatants
from affray.engine.core.ruleset import Ruleset
from affray.engine.errors import NoSuch, Unusable
from affray.engine.kit.carry_over import KEY, read_carried_state
from affray.engine.kit.encounters import OLD_WORDS
from affray.engine.kit.side_names import trim_sides
from affray.engine.limits import MOST_COMBATANTS
from affray.events import Id
from affray.tools.encounters.placing import around, places_of, places_taken
from affray.tools.parse.encounter_file import add_location, line_of
from affray.tools.parse.faults import Fault

from . import storage
from .members import OWN, Content, check_form, own, ruleset_of

NAMING = ("distance", "melee", "view", *OLD_WORDS)
"""The lists of an encounter whose entries name combatants."""


class Joint(Struct, frozen=True):
    """An encounter with a party in it.

    Attributes:
        content: The content to open a fight from.
        behind: The names of the members that stay behind.
        members: The indexes of the joining members' entries in the party's file; they come first.
        stayed: The indexes of the other entries in the encounter's file.
        lent: The indexes of the encounter's entries that give a member its place, by the index of the member's entry.
        tables: The rows of the party's own tables, such as ``weapon.saber``.
    """

    content: Content
    behind: list[str]
    members: list[int]
    stayed: list[int]
    lent: dict[int, int]
    tables: frozenset[str]

    def origin_of(self, field: str) -> tuple[bool, str]:
        """Return whether a field is in the party's file, and its path in its own file."""
        entry = _ENTRY.match(field)
        if entry is None:
            return ".".join(field.split(".")[:2]) in self.tables, field
        nth = int(entry[1])
        of_party = nth < len(self.members)
        index = self.members[nth] if of_party else self.stayed[nth - len(self.members)]
        if nth in self.lent and field[entry.end() :].startswith(".at"):
            of_party, index = False, self.lent[nth]
        return of_party, f"combatant[{index}]{field[entry.end() :]}"


_ENTRY = re.compile(r"combatant\[(\d+)\]")


def join_party(
    encounter: Content, party: Mapping[str, Any], side: str = "", *, text: str = "", file: Path = Path()
) -> Joint:
    """Return an encounter with a party in place of the combatants on its side.

    If no combatant is on a side of that name, the party takes the side of the first combatant. Its members take the
    places of that side's combatants, in order. References to those combatants are changed to the members.

    Args:
        side: The side for the whole party; empty for the members' own sides.
        text, file: The encounter file's text and path, to locate faults.

    Raises:
        Faulty: a value in the encounter is of the wrong type; names it.
        Unusable: the party is of another system, or none of its members can join.
    """
    encounter, party = trim_sides(encounter), trim_sides(party)
    members = party.get("combatant")
    if not isinstance(members, list) or not members or not all(isinstance(one, Mapping) for one in members):
        raise Unusable("a party file has [[combatant]] entries, as an encounter has", "--party")
    check_form({"combatant": members, **encounter}, text, file)
    ruleset = ruleset_of(party)
    if party["system"] != encounter["system"]:
        raise Unusable(f"the party is of {party['system']}, and the encounter of {encounter['system']}", "--party")
    behind = [str(one.get("name")) for one in members if is_out(one, ruleset)]
    joining = [dict(one) for one in members if not is_out(one, ruleset)]
    if not joining:
        raise Unusable("nobody of the party can fight", "--party")
    entries = [dict(one) for one in encounter.get("combatant", [])]
    there = dict.fromkeys(str(one.get("side")) for one in entries)
    if side and side not in there:
        raise NoSuch("side", side, there, "--side")
    sides = {side} if side else {one.get("side") for one in joining}
    if entries and not sides & {*there}:
        sides = {entries[0].get("side")}
    if len(sides) == 1:
        joining = [{**one, "side": next(iter(sides))} for one in joining]
    lenders = {nth: one for nth, one in enumerate(entries) if one.get("side") in sides}
    replaced = list(lenders.values())
    staying = [one for one in entries if one.get("side") not in sides]
    _must_be_called_otherwise(joining, staying)
    lacking = [nth for nth, one in enumerate(joining) if not one.get("at")]
    _place(joining, replaced, staying, encounter, ruleset)
    lent = {nth: _lender(joining[nth], lenders, ruleset) for nth in lacking if lenders}
    tables = {
        key: {**encounter.get(key, {}), **value}
        for key, value in party.items()
        if key in own(encounter) - {"config"} and isinstance(value, Mapping)
    }
    found = {**encounter, **tables, "combatant": [*joining, *staying]}
    return Joint(
        _rename_places(found, _instead(replaced, joining)),
        behind,
        [nth for nth, one in enumerate(members) if not is_out(one, ruleset)],
        [nth for nth, one in enumerate(entries) if one.get("side") not in sides],
        lent,
        frozenset(f"{key}.{name}" for key, table in tables.items() for name in table if name in party[key]),
    )


@contextmanager
def located_in(file: Path, text: str, encounter: Content, kept: storage.StoredParty, joint: Joint) -> Iterator[None]:
    """Add file and line, the party's or the encounter's, to an error in both together.

    Args:
        file, text, encounter: The path, text and content of the encounter without the party.

    Raises:
        Faulty: in place of ``Unusable``.
    """
    try:
        yield
    except Unusable as error:
        of_party, error.field = joint.origin_of(error.field)
        if error.field.startswith(NAMING):
            text = ""  # the entries of the file may have changed
        source = (Path(kept.said), kept.text, kept.content) if of_party else (file, text, encounter)
        with add_location(*source):
            raise


def list_joint_faults(file: Path, text: str, kept: storage.StoredParty, joint: Joint) -> Iterator[Fault]:
    """Yield the faults of an encounter and a party together, each with the file and line it comes from."""
    from affray.tools.encounters.library.encounter_check import faults_in  # noqa: PLC0415 - only who errs waits

    for fault in faults_in(joint.content):
        of_party, field = joint.origin_of(fault.field)
        said, source = (kept.said, kept.text) if of_party else (str(file), text)
        line = 0 if field.startswith(NAMING) else line_of(source, field)
        yield replace(fault, field=field, line=line, file=said)


def _must_be_called_otherwise(joining: list[Content], staying: list[Content]) -> None:
    """Refuse a member with the name of a combatant that stays in the encounter."""
    there = {who for one in staying for who in _ids_of(one)}
    for one in joining:
        who = next(iter(_ids_of({**one, "count": 1})), "")
        if who in there:
            name = one.get("name")
            way_out = f"call the member otherwise, as with: affray party set PARTY {who} name NAME"
            raise Unusable(f"{name} of the party is called like one in the encounter; {way_out}", "--party")


def _ids_of(entry: Mapping[str, Any]) -> list[Id]:
    """Return the ids of an entry's combatants; a faulty entry counts as a single one."""
    count = entry.get("count", 1)
    several = count if isinstance(count, int) and 1 <= count <= MOST_COMBATANTS else 1
    return [who for who, _ in name_combatants(str(entry.get("name")), several, "name", set())]


def is_out(entry: Mapping[str, Any], ruleset: Ruleset) -> bool:
    """Tell whether a member carries over a condition that rules out fighting."""
    conditions = read_carried_state(entry.get(KEY, {}), KEY).conditions
    return any(name in conditions for name, word in ruleset.vocabulary.conditions.items() if word.role == "out")


def _place(
    joining: list[Content],
    replaced: list[Content],
    staying: list[Content],
    encounter: Mapping[str, Any],
    ruleset: Ruleset,
) -> None:
    """Place members on the former places, then around them; zones are used again.

    A mount that is ridden stands where its rider does, and gets none.
    """
    ridden = {one.get("rides") for one in joining if isinstance(one.get("rides"), str)}
    lacking = [one for one in joining if not one.get("at") and ridden.isdisjoint(_ids_of(one))]
    stated = [at for one in replaced for at in places_of(one, ruleset)]
    standing = {at for one in joining for at in places_of(one, ruleset)}
    free = [at for at in stated if at not in standing]
    if not lacking or not stated:
        return
    if ruleset.board.kind in CELLS:
        taken = places_taken(encounter, (*staying, *joining), ruleset)
        more = islice(around(stated, taken, ruleset), max(0, len(lacking) - len(free)))
        places = [*free, *more]
    else:
        places = list(islice(cycle(stated), len(lacking)))
    for one, at in zip(lacking, places, strict=False):
        one["at"] = at


def _lender(member: Content, lenders: Mapping[int, Content], ruleset: Ruleset) -> int:
    """Return the encounter entry that gives a member its place."""
    return next(
        (nth for nth, one in lenders.items() if member.get("at") in places_of(one, ruleset)), next(iter(lenders))
    )


def _instead(replaced: list[Content], joining: list[Content]) -> dict[Id, Id]:
    """Map each place to the member who takes it; places without a member stay empty."""
    old = [who for one in replaced for who in _ids_of(one)]
    new = [who for one in joining for who in _ids_of(one)]
    kept = {who: who for who in new}
    rest = [who for who in new if who not in old]
    found = {who: kept[who] for who in old if who in kept}
    left = [who for who in old if who not in found]
    return {**found, **{who: rest[nth] if nth < len(rest) else "" for nth, who in enumerate(left)}}


def _rename_places(content: Content, instead: Mapping[Id, Id]) -> Content:
    found = dict(content)
    for key in NAMING:
        if isinstance(found.get(key), list):
            kept = [_entry(one, instead) for one in found[key]]
            found[key] = [one for one in kept if one is not None]
    return {key: value for key, value in found.items() if key not in OWN and (key not in NAMING or value)}


def _entry(entry: Any, instead: Mapping[Id, Id]) -> Any:
    """Return an entry with the present names; None if it names an absent combatant."""
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
