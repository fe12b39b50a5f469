"""Scenario files: a theme's examples with their cast, what is done in them, and what must come of it.

::

    title = "Accuracy bought with energy"
    cast = "cast.toml"                    # an encounter file beside this one, or an encounter as a table

    [[scenario]]
    title = "A tie hits"
    proves = ["VES-025", "VES-026"]       # each must be cited by a line or refusal that is asserted below
    roster = ["ilse", "captain"]          # who of the cast is there, in this order; everybody if not given
    change.ilse = { ep = 3 }              # what is otherwise about one of them
    config = { accuracy_per_ep = 1 }      # configuration keys that differ
    setting = { board = false }           # other parts of the encounter that differ; false leaves one out
    given = ["begin : d20=14 d20=9"]      # what was done before, with its dice

    [[scenario.step]]
    do = "ilse attack captain ep=1"       # as one would say it in `affray play`; also undo, redo
    dice = "d20=10"                       # every die that falls, in order
    then = ["ilse actions 2 > 1", "…"]    # everything that comes of it, see ``notation``; {VES-026} asserts a clause
    # or: refused = "not_loaded VES-029"  # the code, and the clause if there is one
    # or: unusable = "there is no"        # a part of what is said of input that cannot be understood
    # or none of these: whatever comes of it is right here

``roster``, ``change``, ``config``, ``setting`` and ``given`` may also stand at the top, for all scenarios of the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from affray.events import Clause
from affray.tools.encounters import read_encounter
from affray.tools.faults import Fault, Faulty

Detail = Literal["phases", "marks", "resolved"]

_MAPS = ("board", "zone")
"""The parts of an encounter that say where people can be; without the cast's own one they are nowhere."""


class Step(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that is done, and what must come of it."""

    do: str
    dice: str = ""
    reason: str = "so ruled"
    then: tuple[str, ...] | None = None
    refused: str = ""
    unusable: str = ""
    details: tuple[Detail, ...] = ()


class _Shared(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a scenario says for itself, or a file for all of its scenarios."""

    title: str
    roster: tuple[str, ...] = ()
    change: dict[str, dict[str, Any]] = {}
    config: dict[str, Any] = {}
    setting: dict[str, Any] = {}
    given: tuple[str, ...] = ()


class _Scenario(_Shared, frozen=True, kw_only=True, forbid_unknown_fields=True):
    step: tuple[Step, ...]
    proves: tuple[Clause, ...] = ()


class _File(_Shared, frozen=True, kw_only=True, forbid_unknown_fields=True):
    cast: str | dict[str, Any]
    scenario: tuple[_Scenario, ...]


class Scenario(Struct, frozen=True, kw_only=True):
    """A scenario, ready to be run.

    Attributes:
        file: Where it stands.
        title: Of the file and its own.
        proves: The clauses it is there for.
        encounter: The content of an encounter file.
        given: What is done before, each with its dice behind a colon.
        steps: What is done.
    """

    file: Path
    title: str
    proves: tuple[Clause, ...]
    encounter: dict[str, Any]
    given: tuple[str, ...]
    steps: tuple[Step, ...]


def scenario_files(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield every scenario file among files and folders; in a folder, each TOML file that holds scenarios.

    Raises:
        Faulty: there is none at a place.
    """
    for path in paths:
        found = [path]
        if path.is_dir():
            found = [one for one in sorted(path.rglob("*.toml")) if "scenario" in _content(one)]
        if not found:
            raise Faulty(Fault(kind="unusable", message="there is no scenario file in this folder", file=str(path)))
        yield from found


def read_scenarios(path: Path) -> list[Scenario]:
    """Return the scenarios of a file.

    Raises:
        Faulty: it cannot be read; says where and what would be right.
    """
    try:
        file = msgspec.convert(_content(path), _File)
    except msgspec.ValidationError as error:
        raise Faulty(Fault(kind="unusable", message=str(error), file=str(path))) from None
    cast = _content(path.parent / file.cast) if isinstance(file.cast, str) else file.cast
    return [
        Scenario(
            file=path,
            title=f"{file.title}: {one.title}",
            proves=one.proves,
            encounter=_encounter(cast, file, one),
            given=(*file.given, *one.given),
            steps=one.step,
        )
        for one in file.scenario
    ]


def _content(path: Path) -> dict[str, Any]:
    """Return a TOML file's content; see ``read_encounter``."""
    return read_encounter(path)[1]


def _encounter(cast: dict[str, Any], file: _File, one: _Scenario) -> dict[str, Any]:
    """Return the cast with everything that is otherwise in this scenario."""
    encounter = {**cast, "name": cast.get("name", file.title)}
    for key, value in {**file.setting, **one.setting}.items():
        if value is False:
            encounter.pop(key, None)
        else:
            encounter[key] = value
    encounter["config"] = {**cast.get("config", {}), **file.config, **one.config}
    people = {_id(person["name"]): dict(person) for person in cast["combatant"]}
    change = {who: {**file.change.get(who, {}), **one.change.get(who, {})} for who in {**file.change, **one.change}}
    roster = one.roster or file.roster or tuple(people)
    for who in (*roster, *change):
        if who not in people:
            known = ", ".join(people)
            raise Faulty(
                Fault(kind="unusable", message=f"there is no {who} in the cast; there are {known}", file=str(one.title))
            )
    combatants = [{**people[who], **change.get(who, {})} for who in roster]
    if any(key in cast and key not in encounter for key in _MAPS):
        combatants = [{key: value for key, value in person.items() if key != "at"} for person in combatants]
    return {**encounter, "combatant": combatants}


def _id(name: str) -> str:
    return "-".join(re.findall(r"\w+", name.lower()))


__all__ = ["Scenario", "Step", "read_scenarios", "scenario_files"]
