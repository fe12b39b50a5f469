'''Scenario files: examples with their cast, their steps, and the expected outcomes.

::

    title = "Accuracy bought with energy"
    cast = "cast.toml"                    # an encounter file beside this one, or an encounter as a table

    [[scenario]]
    title = "A tie hits"
    proves = ["VES-025", "VES-026"]       # each must be cited by a line or refusal that is asserted below
    roster = ["ilse", "captain"]          # the combatants of the cast that take part, in this order; all by default
    change.ilse = { ep = 3 }              # changes of a combatant's entry
    config = { accuracy_per_ep = 1 }      # configuration keys that differ
    setting = { board = false }           # other parts of the encounter that differ; false leaves one out
    given = ["begin : d20=14 d20=9"]      # earlier commands, each with its dice
    state = { round = 1 }                 # the expected state at the end, see ``state_check``
    steps = """                         # commands and their expected outcomes, see ``step_text``
    ilse attack captain ep=1 : d20=10
        ilse attack … hit {VES-026}
    """

A step may also be a table with the same content by keys; such steps follow those of the text::

    [[scenario.step]]
    do = "ilse attack captain ep=1"       # a line of `affray play`; also undo, redo; or nothing
    dice = "d20=10"
    then = ["ilse attack … hit {VES-026}"]

``roster``, ``change``, ``config``, ``setting`` and ``given`` may also be at the top, for all scenarios of the file.
'''

from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from affray.engine.core.ids import id_of
from affray.engine.errors import Unusable
from affray.events import Clause, Id
from affray.tools.parse.encounter_file import add_location, read_encounter
from affray.tools.parse.faults import Fault, Faulty
from affray.tools.scenarios.step import ScenarioStep, check_step
from affray.tools.scenarios.step_text import read_steps
from affray.tools.text.spelling_hints import nearest

_MAPS = ("board", "zone")
"""The parts of an encounter that describe places. Without one, combatants of a cast have no place."""


class _Shared(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The content of a scenario, or of a file for all of its scenarios."""

    title: str
    roster: tuple[str, ...] = ()
    change: dict[str, dict[str, Any]] = {}
    config: dict[str, Any] = {}
    setting: dict[str, Any] = {}
    given: tuple[str, ...] = ()


class _Scenario(_Shared, frozen=True, kw_only=True, forbid_unknown_fields=True):
    steps: str = ""
    step: tuple[ScenarioStep, ...] = ()
    proves: tuple[Clause, ...] = ()
    state: dict[str, Any] = {}


class _File(_Shared, frozen=True, kw_only=True, forbid_unknown_fields=True):
    cast: str | dict[str, Any]
    scenario: tuple[_Scenario, ...]


class Scenario(Struct, frozen=True, kw_only=True):
    """A scenario, ready to be run.

    Attributes:
        file: The path of its file.
        at: Its index among the file's scenarios, from 0.
        title: The titles of the file and of the scenario.
        proves: The clauses that it tests.
        encounter: The content of an encounter file.
        given: The earlier commands, each with its dice after a colon.
        steps: The steps.
        state: The expected state at the end.
        shared: The number of earlier commands that are given for the whole file.
    """

    file: Path
    at: int
    title: str
    proves: tuple[Clause, ...]
    encounter: dict[str, Any]
    given: tuple[str, ...]
    steps: tuple[ScenarioStep, ...]
    state: dict[str, Any]
    shared: int = 0


def scenario_files(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the scenario files among files and in folders, unreadable ones included.

    Raises:
        Faulty: there is none at a place.
    """
    for path in paths:
        found = [path]
        if path.is_dir():
            found = [one for one in sorted(path.rglob("*.toml")) if _holds_scenarios(one)]
        if not found:
            raise Faulty(Fault(kind="unusable", message="there is no scenario file in this folder", file=str(path)))
        yield from found


def _holds_scenarios(path: Path) -> bool:
    """Tell whether a file holds scenarios; an unreadable one fails later, when it is read."""
    try:
        return "scenario" in _read_once(path)[1]
    except Faulty:
        return True


def read_scenarios(path: Path) -> list[Scenario]:
    """Return the scenarios of a file.

    Raises:
        Faulty: the file is unusable; the message names the place and the right form.
    """
    text, content = _read_once(path)
    with add_location(path, text, content, _known_words):
        file = _convert(content)
        if file.cast == "":
            raise Unusable("must name an encounter file, or be an encounter", "cast")
        _, cast = _read_once(path.parent / file.cast) if isinstance(file.cast, str) else ("", file.cast)
        return [
            Scenario(
                file=path,
                at=at,
                title=f"{file.title}: {one.title}",
                proves=one.proves,
                encounter=_encounter(cast, file, one, f"scenario[{at}]"),
                given=(*file.given, *one.given),
                steps=_steps(one, f"scenario[{at}]"),
                state=one.state,
                shared=len(file.given),
            )
            for at, one in enumerate(file.scenario)
        ]


def _read_once(path: Path) -> tuple[str, dict[str, Any]]:
    """Read a file, once for each change; casts are shared by many files."""
    try:
        found = path.stat()
    except OSError:  # the reader says why
        return read_encounter(path)
    return _read_as_of(path, found.st_mtime_ns, found.st_size)


@lru_cache(maxsize=512)
def _read_as_of(path: Path, *_: int) -> tuple[str, dict[str, Any]]:
    return read_encounter(path)


def _convert(content: dict[str, Any]) -> _File:
    _check_shapes(content.get("scenario"))
    try:
        file = msgspec.convert(content, _File)
    except msgspec.ValidationError as error:
        raise Unusable(str(error)) from None
    for at, one in enumerate(file.scenario):
        if not (one.steps.strip() or one.step or one.state):
            raise Unusable("needs steps, or a state to look at", f"scenario[{at}]")
    return file


def _check_shapes(scenarios: object) -> None:
    """Refuse steps under the key of their other form: ``steps`` is a text, ``step`` a list of tables."""
    for at, one in enumerate(scenarios if isinstance(scenarios, list) else ()):
        steps, step = (one.get("steps"), one.get("step")) if isinstance(one, dict) else (None, None)
        if isinstance(steps, list):
            raise Unusable("must be a text; a step as a table is written [[scenario.step]]", f"scenario[{at}].steps")
        if isinstance(step, str):
            raise Unusable('is for steps as tables; write a text of steps as steps = """', f"scenario[{at}].step")


def _steps(one: _Scenario, field: str) -> tuple[ScenarioStep, ...]:
    """Return the steps of a scenario: those of its text, then its tables."""
    for nth, step in enumerate(one.step):
        check_step(step, f"{field}.step[{nth}]")
    return (*read_steps(one.steps, f"{field}.steps"), *one.step)


def _known_words(_: dict[str, Any], field: str) -> list[str]:
    """Return the valid words of a scenario file's field."""
    form: type[Struct] = ScenarioStep if ".step[" in field else _Scenario if field.startswith("scenario[") else _File
    return [one.encode_name for one in msgspec.structs.fields(form)]


def _encounter(cast: dict[str, Any], file: _File, one: _Scenario, field: str) -> dict[str, Any]:
    """Return the cast with this scenario's changes."""
    encounter = {**cast, "name": cast.get("name", file.title)}
    for key, value in {**file.setting, **one.setting}.items():
        if value is False:
            encounter.pop(key, None)
        else:
            encounter[key] = value
    config = cast.get("config", {})
    if isinstance(config, dict):
        encounter["config"] = {**config, **file.config, **one.config}
    people = _people(cast)
    change = {who: {**file.change.get(who, {}), **one.change.get(who, {})} for who in {**file.change, **one.change}}
    roster = one.roster or file.roster or tuple(people)
    listed = f"{field}.roster" if one.roster else "roster"
    changed = {who: f"{field}.change.{who}" if who in one.change else f"change.{who}" for who in change}
    for who, place in (*((who, listed) for who in roster), *changed.items()):
        if who not in people:
            hint = nearest(who, people)
            raise Unusable(f"there is no {who} in the cast; there are {', '.join(people)}{hint}", place)
    combatants = [{**people[who], **change.get(who, {})} for who in roster]
    if any(key in cast and key not in encounter for key in _MAPS):
        combatants = [{key: value for key, value in person.items() if key != "at"} for person in combatants]
    return {**encounter, "combatant": combatants}


def _people(cast: dict[str, Any]) -> dict[Id, dict[str, Any]]:
    """Return the combatants of a cast by their ids."""
    everybody = cast.get("combatant")
    if not isinstance(everybody, list) or not all(map(_is_named, everybody)):
        raise Unusable("needs combatants, each with a name, as in an encounter", "cast")
    return {id_of(one["name"]): one for one in everybody}


def _is_named(one: object) -> bool:
    return isinstance(one, dict) and isinstance(one.get("name"), str)
