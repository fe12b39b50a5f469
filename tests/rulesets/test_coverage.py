"""Parts of each system that scenarios must cover: clauses, phases, flow rows, settings, rulings, refusals."""

from __future__ import annotations

from pathlib import Path

import pytest

from affray.engine.core.loading import available
from tests.rulesets import refusals
from tests.rulesets.coverage import (
    codes,
    collect_declarations,
    collect_refusal_codes,
    collect_rows,
    collect_rulings,
    proven,
    table,
    trials,
    unused_configuration,
)
from tests.rulesets.systems import ENGINE, PRESENT, RULESETS, SYSTEMS, folder

TESTS = Path(__file__).parent
EACH = pytest.mark.parametrize("system", PRESENT)


def test_every_system_is_there() -> None:
    assert sorted(SYSTEMS) == list(available())


@EACH
def test_the_catalogue_numbers_its_clauses_as_the_rules_do(system: str) -> None:
    numbered = SYSTEMS[system].numbered()
    assert list(RULESETS[system].clauses) == numbered, "raise the last number in SYSTEMS of tests/rulesets/systems.py"


@EACH
def test_every_clause_is_shown_or_said_to_be_unobservable(system: str) -> None:
    ruleset = RULESETS[system]
    print(table(ruleset, trials(system)))
    shown = proven(trials(system))
    missing = [clause for clause, text in ruleset.clauses.items() if clause not in shown and not text.unobservable]
    assert missing == [], f"a scenario of tests/rulesets/{system}/scenarios/ must cite it in a line, and say: proves"
    assert [clause for clause, text in ruleset.clauses.items() if clause in shown and text.unobservable] == []


@EACH
def test_every_clause_that_is_cited_is_in_the_catalogue(system: str) -> None:
    events = (one.event for trial in trials(system) for one in trial.fight.history.recorded)
    cited = {rule for event in events for rule in event.rules}
    cited |= {one.clause for trial in trials(system) for one in trial.found if one.clause}
    cited |= {clause for trial in trials(system) for clause in trial.proven}
    assert cited - set(RULESETS[system].clauses) == set()


@EACH
def test_every_row_of_the_flow_is_taken_and_every_phase_entered(system: str) -> None:
    flow = RULESETS[system].flow
    rows = collect_rows(trials(system))
    anywhere = {trigger for (_, trigger), step in flow.table.items() if step.source == "*"}
    assert sorted({row for row, step in flow.table.items() if step.source != "*"} - rows) == []
    assert sorted(anywhere - {trigger for _, trigger in rows}) == []
    entered = {flow.initial} | {flow.table[row].dest for row in rows if row in flow.table}
    assert sorted(set(flow.phases) - entered) == []


@EACH
def test_every_setting_is_used_otherwise_than_by_default(system: str) -> None:
    assert unused_configuration(RULESETS[system], trials(system)) == []


@EACH
def test_every_ruling_is_made_and_its_outcome_asserted(system: str) -> None:
    unmade = sorted(set(RULESETS[system].rulings) - collect_rulings(trials(system)))
    assert unmade == [], f"make it in a scenario of tests/rulesets/{system}/scenarios/"


@EACH
def test_every_action_is_declared_or_brought_about(system: str) -> None:
    undeclared = sorted(set(RULESETS[system].actions) - collect_declarations(trials(system)))
    assert undeclared == [], f"declare it in a scenario of tests/rulesets/{system}/scenarios/"


@EACH
def test_every_refusal_is_met(system: str) -> None:
    possible = codes(folder(system), refusing=SYSTEMS[system].refusing)
    unmet = sorted(possible - collect_refusal_codes(trials(system)))
    assert unmet == [], f"write -> refused: CODE behind a step of tests/rulesets/{system}/scenarios/"


@EACH
def test_every_refusal_was_compared_with_the_title_of_its_clause(system: str) -> None:
    """Does the clause say what the message refuses?"""
    reviewed = refusals.read_table(TESTS / system / "refusals.toml")
    new = refusals.find_unreviewed(reviewed, RULESETS[system], trials(system))
    unmet = refusals.find_unmet(reviewed, trials(system))
    rows = "\n".join([*(f"add {row}" for row in new), *(f"remove {row}" for row in unmet)])
    assert not rows, f"look at each message and its clause, then in tests/rulesets/{system}/refusals.toml\n{rows}"


def test_every_refusal_of_the_rulings_all_systems_share_is_met() -> None:
    met = {code for system in PRESENT for code in collect_refusal_codes(trials(system))}
    assert sorted(codes(ENGINE / "rulings") - met) == []
