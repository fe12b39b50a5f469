"""The coverage of a rule system by its scenarios, measured from the events that they record."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from affray.engine.core.draft import Draft
from affray.engine.core.evolve import evolve
from affray.engine.core.ruleset import Ruleset
from affray.engine.core.state import State
from affray.events import Clause, PhaseEntered, Ruled, Stacked
from affray.tools.scenarios.scenario_file import Scenario, read_scenarios, scenario_files
from affray.tools.scenarios.scenario_run import ScenarioRun, run_scenario

Row = tuple[str, str]
TRIED: dict[int, ScenarioRun] = {}
"""The scenarios that were run, which are kept as long as the tests run."""


@cache
def scenarios(system: str) -> tuple[Scenario, ...]:
    """Every scenario of a rule system."""
    folder = Path(__file__).parent / system / "scenarios"
    return tuple(one for file in scenario_files([folder]) for one in read_scenarios(file))


def trials(system: str) -> tuple[ScenarioRun, ...]:
    """Every scenario of a rule system, run."""
    return tuple(run_scenario_once(one) for one in scenarios(system))


def run_scenario_once(scenario: Scenario) -> ScenarioRun:
    """Run a scenario once, however many tests look at it."""
    if id(scenario) not in TRIED:
        TRIED[id(scenario)] = run_scenario(scenario)
    return TRIED[id(scenario)]


def proven(trials: Iterable[ScenarioRun]) -> dict[Clause, list[str]]:
    """Per clause the scenarios that are there for it, hold, and cite it in something they assert."""
    found: dict[Clause, list[str]] = {}
    for trial in trials:
        if trial.failure is None:
            for clause in trial.scenario.proves:
                found.setdefault(clause, []).append(trial.scenario.title)
    return found


def table(ruleset: Ruleset, trials: Iterable[ScenarioRun]) -> str:
    """The coverage as people read it: every clause with its scenarios, or why nothing can show it."""
    found = proven(trials)
    rows = []
    for clause, text in ruleset.clauses.items():
        shown = "; ".join(found.get(clause, []))
        if text.unobservable:
            shown = f"cannot be observed: {text.unobservable}"
        rows.append(f"{clause}  {text.title:<32}  {shown or 'NOT SHOWN'}")
    return "\n".join(rows)


def summary(rulesets: Mapping[str, Ruleset]) -> str:
    """The number of clauses of each system, those that scenarios cover, and the unobservable ones."""
    rows = []
    for name, ruleset in rulesets.items():
        hidden = {clause: text.unobservable for clause, text in ruleset.clauses.items() if text.unobservable}
        rows.append(
            f"{name:<10} {len(ruleset.clauses):>4} clauses {len(proven(trials(name))):>4} exercised "
            f"{len(hidden):>3} unobservable in {len(scenarios(name)):>4} scenarios"
        )
        rows += [f"           {clause}: {why}" for clause, why in hidden.items()]
    return "\n".join(rows)


def collect_rows(trials: Iterable[ScenarioRun]) -> set[Row]:
    """Every row of the flow that was taken: the phase it left, and the trigger."""
    return {row for trial in trials for row in _rows(trial)}


def _rows(trial: ScenarioRun) -> Iterator[Row]:
    draft = Draft(State())
    left = ""
    for one in trial.fight.history.effective():
        event = one.event
        if isinstance(event, PhaseEntered):
            yield left, event.trigger
        evolve(draft, event)
        if not isinstance(event, Stacked):
            left = draft.phase


def collect_rulings(trials: Iterable[ScenarioRun]) -> set[str]:
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


def collect_refusal_codes(trials: Iterable[ScenarioRun]) -> set[str]:
    """Every code that a step asserts."""
    return {one.refused for trial in trials for one in trial.found if one.refused}


def collect_declarations(trials: Iterable[ScenarioRun]) -> set[str]:
    """Every kind of action that a step asserting its outcome declared, or brought onto the stack."""
    found = set()
    for trial in trials:
        asserted = {step.do for step in trial.scenario.steps if step.then is not None}
        found |= {word for do in asserted for word in do.split()[:2]}
        found |= {one.event.kind for one in trial.fight.history.recorded if isinstance(one.event, Stacked)}
    return found


def codes(folder: Path, refusing: Iterable[str] = ()) -> set[str]:
    """Every code with which the files of a folder can refuse anything, read from their source.

    Args:
        folder: Where to look.
        refusing: The functions there that are given the code first, as ``Refused`` is.
    """
    at = {"Refused": 0, "Forbidden": 2, **dict.fromkeys(refusing, 0)}
    return {code for file in folder.rglob("*.py") for code in _codes(file, at)}


def _codes(file: Path, at: Mapping[str, int]) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        named: Iterable[ast.expr] = [one.value for one in node.keywords if one.arg == "code"]
        if isinstance(node.func, ast.Name) and node.func.id in at:
            named = named or node.args[at[node.func.id] :][:1]
        elif isinstance(node.func, ast.Attribute) and node.func.attr == "refuse":  # subject, sentence, clause, code
            named = named or node.args[2:4][-1:]
        else:
            continue
        yield from (str(code.value) for code in named if isinstance(code, ast.Constant))


def unused_configuration(ruleset: Ruleset, trials: Iterable[ScenarioRun]) -> list[str]:
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
