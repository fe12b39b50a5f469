"""What the scenarios must show of Vestige: every clause, phase, row of the flow, setting, ruling and refusal."""

from __future__ import annotations

from pathlib import Path

from affray.engine.rulesets import vestige as package
from affray.engine.rulesets.vestige import RULESET
from tests.rulesets.coverage import codes, proven, refused, ruled, table, taken, trials, unused_configuration

FOLDER = Path(package.__file__).parent
NUMBERED = [f"VES-{number:03}" for number in range(1, 62)] + [f"VES-G{number:02}" for number in range(1, 5)]
TRIALS = trials("vestige")


def test_the_catalogue_numbers_its_clauses_as_the_rules_do() -> None:
    assert list(RULESET.clauses) == NUMBERED


def test_every_clause_is_shown_or_said_to_be_unobservable() -> None:
    print(table(RULESET, TRIALS))
    shown = proven(TRIALS)
    assert [clause for clause, text in RULESET.clauses.items() if clause not in shown and not text.unobservable] == []
    assert [clause for clause, text in RULESET.clauses.items() if clause in shown and text.unobservable] == []


def test_every_clause_that_is_cited_is_in_the_catalogue() -> None:
    events = (one.event for trial in TRIALS for one in trial.fight.history.recorded)
    cited = {rule for event in events for rule in event.rules}
    cited |= {one.clause for trial in TRIALS for one in trial.found if one.clause}
    cited |= {clause for trial in TRIALS for clause in trial.proven}
    assert cited - set(RULESET.clauses) == set()


def test_every_row_of_the_flow_is_taken_and_every_phase_entered() -> None:
    rows = taken(TRIALS)
    assert sorted(set(RULESET.flow.table) - rows) == []
    entered = {RULESET.flow.initial} | {RULESET.flow.table[row].dest for row in rows if row in RULESET.flow.table}
    assert sorted(set(RULESET.flow.phases) - entered) == []


def test_every_setting_is_used_otherwise_than_by_default() -> None:
    assert unused_configuration(RULESET, TRIALS) == []


def test_every_ruling_is_made_and_its_outcome_asserted() -> None:
    assert sorted(set(RULESET.rulings) - ruled(TRIALS)) == []


def test_every_action_is_declared() -> None:
    declared = {step.do for trial in TRIALS for step in trial.scenario.steps if step.then is not None}
    assert [kind for kind in RULESET.actions if kind != "harm" and not any(kind in do.split() for do in declared)] == []


def test_every_refusal_is_met() -> None:
    possible = codes(FOLDER, FOLDER.parent.parent / "rulings")
    assert sorted(possible - refused(TRIALS)) == []
