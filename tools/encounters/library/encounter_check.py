"""The check of an encounter and the list of its combatants, without opening a fight."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from affray.engine.core.ids import name_combatants
from affray.engine.errors import NoSuch, Unusable
from affray.engine.opening import begin_fight
from affray.tools.api.schemas.library import Person
from affray.tools.parse.encounter_file import add_location, line_of
from affray.tools.parse.faults import Fault, Faulty

MOST_FAULTS = 20
"""The most faults that one check reports."""

PEOPLE = "combatant"
"""The part of an encounter that lists its combatants."""

NEEDED = ("system", PEOPLE)
"""The parts that an encounter must have to be checked."""


def people_in(content: Mapping[str, Any]) -> list[Person]:
    """Return who would be in a fight of an encounter, as far as their names can be told."""
    taken: set[str] = set()
    entries = content.get("combatant")
    found = []
    for nth, entry in enumerate(entries if isinstance(entries, list) else ()):
        name, count = (entry.get("name"), entry.get("count", 1)) if isinstance(entry, Mapping) else (None, 1)
        if isinstance(name, str) and isinstance(count, int) and 0 < count <= 500:
            try:
                found += [Person(who, called, nth) for who, called in name_combatants(name, count, "", taken)]
            except Unusable:
                continue
    return found


def faults_in(content: Mapping[str, Any], text: str = "") -> Iterator[Fault]:
    """Yield the faults of an encounter, each with its field.

    To find the next fault, the faulty part is removed. A fault that follows from the removal is not reported.

    Args:
        content: The content of the encounter file.
        text: The text of the file, to find the lines; empty without a file.
    """
    rest = _Rest(content)
    found: set[str] = set()
    while len(found) < MOST_FAULTS:
        fault, misses_somebody = _fault(rest.content)
        if fault is None:
            break
        field = rest.as_written(fault.field)
        follows = rest.lacks_people and (misses_somebody or field == PEOPLE)
        if field not in found and not follows and not rest.lacks(fault.field):
            found.add(field)
            yield replace(fault, field=field, line=line_of(text, field))
        if not rest.leave_out(fault.field):
            break


def _fault(content: dict[str, Any]) -> tuple[Fault | None, bool]:
    """Return what is wrong with an encounter first, and whether that is a combatant who is not there."""
    misses_somebody = False
    try:
        with add_location(Path(), "", content):
            try:
                begin_fight("encounter", content, who="gm", seed=None)
            except NoSuch as error:
                misses_somebody = not error.what
                raise
    except Faulty as faulty:
        return faulty.fault, misses_somebody
    return None, False


class _Rest:
    """An encounter without its faulty entries, and the former positions of the rest.

    Attributes:
        lacks_people: Whether a combatant was removed.
    """

    def __init__(self, content: Mapping[str, Any]) -> None:
        self.content: dict[str, Any] = deepcopy(dict(content))
        self.lacks_people = False
        self._left: dict[int, list[int]] = {}
        self._torn: set[int] = set()

    def lacks(self, field: str) -> bool:
        """Tell whether a field is missing only because the part around it was removed."""
        around, there = self._around(field)
        inside = [_inside(*one) for one in around[:2]]
        last = _inside(*around[-1]) if around else self.content
        if there:
            return id(last) in self._torn and any(id(one) in self._torn for one in inside)
        # an entry that was removed from a list takes nothing from the other entries
        return any(id(one) in self._torn for one in (*inside, last) if isinstance(one, dict) or one is last)

    def as_written(self, field: str) -> str:
        """Return the path that a field of the rest has in the whole encounter."""
        said = ""
        at: Any = self.content
        for step in _steps(field):
            if isinstance(step, int) and isinstance(at, list):
                said += f"[{self._order(at)[step] if step < len(at) else step}]"
            else:
                said += f"[{step}]" if isinstance(step, int) or step == "..." else f"{'.' if said else ''}{step}"
            at = _inside(at, step)
        return said

    def leave_out(self, field: str) -> bool:
        """Remove a field's value, or the nearest part around it; tell whether it did."""
        around, _ = self._around(field)
        if not around or (len(around) == 1 and around[0][1] in NEEDED):
            return False
        holder, step = around[-1]
        self.lacks_people |= around[0][1] == PEOPLE and (len(around) == 2 or step == "name")
        if isinstance(holder, list):
            del self._order(holder)[int(step)]
        del holder[step]
        self._torn |= {id(_inside(*one)) for one in around[:-1]}
        return True

    def _around(self, field: str) -> tuple[list[tuple[Any, str | int]], bool]:
        """Return what lies around a field, each with the step that leads further in; and whether the field is there."""
        around: list[tuple[Any, str | int]] = []
        at: Any = self.content
        for step in _steps(field):
            inside = _inside(at, step)
            if inside is None:
                return around, False
            around.append((at, step))
            at = inside
        return around, True

    def _order(self, entries: list[Any]) -> list[int]:
        return self._left.setdefault(id(entries), list(range(len(entries))))


def _steps(field: str) -> list[str | int]:
    """Return a field such as ``combatant[1].skills`` step by step."""
    parts = re.findall(r"[^.\[\]]+|\.\.\.", field)
    return [int(one) if one.isdigit() else one for one in parts]


def _inside(at: Any, step: str | int) -> Any:
    if isinstance(at, dict):
        return at.get(step)
    return at[step] if isinstance(at, list) and isinstance(step, int) and step < len(at) else None
