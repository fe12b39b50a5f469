"""Every scenario of Vestige holds; B1 to B16 are the rule page's worked examples."""

from __future__ import annotations

import pytest

from affray.engine.fight import Fight
from affray.tools.scenarios.scenario import report
from affray.tools.scenarios.scenario_file import Scenario
from affray.tools.scenarios.scenario_run import Trial, run
from tests.rulesets.coverage import scenarios, trials


@pytest.mark.parametrize("scenario", scenarios("vestige"), ids=lambda one: f"{one.file.stem}: {one.title}")
def test_a_scenario_holds(scenario: Scenario) -> None:
    trial = run(scenario)
    assert trial.failure is None, "\n".join(report(trial))


def test_every_worked_example_has_a_file() -> None:
    examples = {one.file.name.partition("-")[0] for one in scenarios("vestige")}
    assert {f"b{number:02}" for number in range(1, 17)} <= examples


def test_every_step_of_a_worked_example_is_asserted() -> None:
    """Nothing in them may come out as it likes."""
    loose = [
        f"{one.title}: {step.do}"
        for one in scenarios("vestige")
        if one.file.name.startswith("b") and one.file.name[1:3].isdigit()
        for step in one.steps
        if step.then is None and not step.refused
    ]
    assert loose == []


@pytest.mark.parametrize("trial", trials("vestige"), ids=lambda one: f"{one.scenario.file.stem}: {one.scenario.title}")
def test_what_a_scenario_recorded_can_be_reopened(trial: Trial) -> None:
    """Also where it stops half resolved: deciding the rest again comes to the same state."""
    again = Fight("again", trial.fight.ruleset, trial.fight.history)
    assert again.state == trial.fight.state
