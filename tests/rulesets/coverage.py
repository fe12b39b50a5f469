"""What the scenarios of a rule system show of it, measured from what the engine emitted in them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from affray.engine.draft import Draft
from affray.engine.evolve import evolve
from affray.engine.ruleset import Ruleset
from affray.engine.state import State
from affray.events import Clause, PhaseEntered, Ruled, Stacked
from affray.tools.scenarios.scenario_file import Scenario, read_scenarios, scenario_files
from affray.tools.scenarios.scenario_run import Trial, run

Row = tuple[str, str]


@cache
def scenarios(system: str) -> tuple[Scenario, ...]:
    """Every scenario of a rule system."""
    folder = Path(__file__).parent / system / "scenarios"
    return tuple(one for file in scenario_files([folder]) for one in read_scenarios(file))


@cache
def trials(system: str) -> tuple[Trial, ...]:
    """Every scenario of a rule system, run."""
    return tuple(run(one) for one in scenarios(system))


def proven(trials: Iterable[Trial]) -> dict[Clause, list[str]]:
    """Per clause the scenarios that are there for it, hold, and cite it in something they assert."""
    found: dict[Clause, list[str]] = {}
    for trial in trials:
        if trial.failure is None:
            for clause in trial.scenario.proves:
                found.setdefault(clause, []).append(trial.scenario.title)
    return found


def table(ruleset: Ruleset, trials: Iterable[Trial]) -> str:
    """The coverage as people read it: every clause with its scenarios, or why nothing can show it."""
    found = proven(trials)
    rows = []
    for clause, text in ruleset.clauses.items():
        shown = "; ".join(found.get(clause, []))
        if text.unobservable:
            shown = f"cannot be observed: {text.unobservable}"
        rows.append(f"{clause}  {text.title:<32}  {shown or 'NOT SHOWN'}")
    return "\n".join(rows)


def taken(trials: Iterable[Trial]) -> set[Row]:
    """Every row of the flow that was taken: the phase it left, and the trigger."""
    return {row for trial in trials for row in _rows(trial)}


def _rows(trial: Trial) -> Iterator[Row]:
    draft = Draft(State())
    left = ""
    for one in trial.fight.history.effective():
        event = one.event
        if isinstance(event, PhaseEntered):
            yield left, event.trigger
        evolve(draft, event)
        if not isinstance(event, Stacked):
            left = draft.phase


def ruled(trials: Iterable[Trial]) -> set[str]:
    """Every kind of ruling that a step asserting its outcome made."""
    asserted = {
        step.do.split()[1]
        for trial in trials
        for step in trial.scenario.steps[: len(trial.found)]
        if step.then is not None and step.do.startswith("rule ")
    }
    recorded = {
        one.event.kind for trial in trials for one in trial.fight.history.recorded if isinstance(one.event, Ruled)
    }
    return asserted & recorded


def refused(trials: Iterable[Trial]) -> set[str]:
    """Every code that a step asserts."""
    return {one.refused for trial in trials for one in trial.found if one.refused}


def codes(*folders: Path) -> set[str]:
    """Every code with which the files of these folders can refuse anything, read from their source."""
    return {code for folder in folders for file in folder.rglob("*.py") for code in _codes(file)}


def _codes(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            at = {"Refused": 0, "Forbidden": 2}.get(node.func.id)
            code = node.args[at] if at is not None else None
            if isinstance(code, ast.Constant):
                yield str(code.value)


def unused_configuration(ruleset: Ruleset, trials: Iterable[Trial]) -> list[str]:
    """Every configuration key, or choice of one, that no scenario uses otherwise than by default."""
    used: dict[str, list[Any]] = {}
    for trial in trials:
        for key, value in trial.scenario.encounter.get("config", {}).items():
            used.setdefault(key, []).append(value)
    default = ruleset.config()
    missing = []
    for key, kind in get_type_hints(ruleset.config).items():
        usual = getattr(default, key)
        other = [value for value in get_args(kind) if value != usual] if get_origin(kind) is Literal else [...]
        missing += [
            f"{key} = {value}" if value is not ... else key
            for value in other
            if not any(one == value or (value is ... and one != usual) for one in used.get(key, []))
        ]
    return missing
