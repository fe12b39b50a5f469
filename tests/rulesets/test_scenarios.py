"""Every scenario of every rule system holds; those of a page's worked examples are named after them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from affray.engine.fight import Fight
from affray.tools.cli.commands.scenario import describe_trial
from affray.tools.scenarios.scenario_file import Scenario
from affray.tools.scenarios.state_check import misspelt
from tests.rulesets.coverage import run_scenario_once, scenarios
from tests.rulesets.systems import PRESENT, SYSTEMS

EVERY = [one for system in PRESENT for one in scenarios(system)]


def title(one: Scenario) -> str:
    """Return a scenario's name as pytest shows it."""
    return f"{one.file.parents[1].name}: {one.file.stem}: {one.title}"


@pytest.mark.parametrize("scenario", EVERY, ids=title)
def test_a_scenario_holds_and_what_it_recorded_can_be_reopened(scenario: Scenario) -> None:
    """Also where it stops half resolved: deciding the rest again comes to the same state."""
    trial = run_scenario_once(scenario)
    assert trial.failure is None, "\n".join(describe_trial(trial))
    again = Fight("again", trial.fight.ruleset, trial.fight.history)
    assert again.state == trial.fight.state


@pytest.mark.parametrize("system", PRESENT)
def test_every_worked_example_has_a_file(system: str) -> None:
    examples = {one.file.name.partition("-")[0] for one in scenarios(system)}
    assert set(SYSTEMS[system].examples()) - examples == set()


@pytest.mark.parametrize("system", PRESENT)
def test_every_step_of_a_worked_example_is_asserted(system: str) -> None:
    """No outcome in them is left open."""
    assert list(_loose(system)) == []


@pytest.mark.parametrize("system", PRESENT)
def test_every_line_that_comes_may_be_named_as_one_that_must_not(system: str) -> None:
    """No word of it is taken for a misspelt one."""
    for one in scenarios(system):
        trial = run_scenario_once(one)
        texts = [line.text for found in (*trial.before, *trial.found) for line in found.lines]
        assert misspelt(trial.fight, texts) == [], one.title


def _loose(system: str) -> Iterator[str]:
    for one in scenarios(system):
        if one.file.name.partition("-")[0] in SYSTEMS[system].examples():
            for step in one.steps:
                if step.then is None and not step.refused:
                    yield f"{one.title}: {step.do}"
