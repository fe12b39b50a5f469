"""The machine is the only thing that moves a phase, and the compiled table is the machine."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from transitions import MachineError

from affray.engine import Fight, Refused, Undo, Unusable
from affray.engine.core.draft import Draft
from affray.engine.core.evolve import evolve
from affray.engine.core.flow import Flow, Step
from affray.engine.core.state import State
from affray.events import INPUTS, Event, FightOpened, PhaseEntered, Recorded, Stacked
from affray.tools.parse.intent_parser import intent
from tests.engine.fights import Plan, fights, play_plan, submit_accepted
from tests.engine.phases import MOMENTS
from tests.rulesets.systems import PRESENT, RULESETS

FLOW = RULESETS["vestige"].flow
PASSING = ("first_strike", "upcoming", "round_end")
"""Phases in which no fight ever waits: what leads out of them follows at once."""

SAID = {
    "begin": ("begin",),
    "strike_first": ("begin first_attack brand ilse",),
    "surprise": ("begin surprising=b",),
    "declare": ("ilse attack brand",),
    "announce": ("brand announce attack ilse",),
    "ready": ("ilse ready",),
    "end_turn": ("ilse end_turn",),
    "forfeit": ("ilse forfeit", "brand forfeit"),
    "delay": ("ilse delay",),
    "reinsert": ("ilse reinsert",),
}
"""What people say to pull each trigger that is a command; who can do so differs from moment to moment."""


class Walker:
    """Something that stands in a phase of the machine."""

    state: str


@pytest.mark.parametrize("system", PRESENT)
def test_the_compiled_table_is_what_the_machine_answers(system: str) -> None:
    """A model driven through the real machine ends up where the table says, or is refused where it has no row."""
    flow = RULESETS[system].flow
    machine = flow.machine()
    for phase in flow.phases:
        for trigger in flow.triggers:
            walker = Walker()
            machine.add_model(walker, initial=phase)
            listed = machine.get_transitions(trigger, source=phase)
            row = flow.table.get((phase, trigger))
            assert [one.dest for one in listed] == ([row.dest] if row else [])
            if row is None:
                with pytest.raises(MachineError):
                    machine.events[trigger].trigger(walker)
                with pytest.raises(LookupError):
                    flow.leads(phase, trigger)
                assert walker.state == phase
            else:
                machine.events[trigger].trigger(walker)
                assert walker.state == row.dest == flow.leads(phase, trigger).dest
            machine.remove_model(walker)


def test_every_phase_can_be_waited_in_or_is_passed_through() -> None:
    """So that the walk below leaves none out."""
    assert sorted((*MOMENTS, *PASSING)) == list(FLOW.phases)


@pytest.mark.parametrize("phase", MOMENTS)
def test_a_fight_accepts_a_command_exactly_where_the_table_has_a_row(phase: str) -> None:
    """In each phase every trigger is tried by all who could: the fight moves if and only if a row exists."""
    fight = MOMENTS[phase]()
    assert fight.state.phase == phase
    accepted = {trigger for trigger in SAID if accepts(fight, trigger)}
    assert accepted == {trigger for trigger in SAID if (phase, trigger) in FLOW.table}


def accepts(fight: Fight, trigger: str) -> bool:
    """Tell whether any combatant can fire a trigger now; leave the fight unchanged."""
    for line in SAID[trigger]:
        try:
            recorded = submit_accepted(fight, intent(fight, line)).recorded
        except (Refused, Unusable):
            continue
        taken = [one.event for one in recorded if isinstance(one.event, PhaseEntered)]
        assert taken[0].trigger == trigger
        submit_accepted(fight, Undo())
        return True
    return False


def test_every_trigger_is_a_command_or_an_outcome_of_the_rules() -> None:
    """All triggers but commands are fired by rules, rulings and windows."""
    outcomes = {
        *("open", "resume", "spent", "ordered", "comes_up", "all_had_one", "close", "leave_melee", "felled"),
        *("hurt_again", "let_go", "provoke", "forfeits", "fights_on", "holds_on", "lost", "next_round", "reroll"),
        *("arrive", "place_slot", "intervene", "over", "reopen", "begin_anew"),
    }
    assert {*SAID, *outcomes} == set(FLOW.triggers)


@given(fights())
def test_every_phase_entered_is_a_row_of_the_table(plan: Plan) -> None:
    """With refusals, rulings and undo: only declared steps enter a phase."""
    fight = play_plan(plan)
    for source, step in steps(fight.history.effective()):
        if step.trigger == "opened":
            assert (source, step.phase) == ("", fight.ruleset.flow.initial)
        else:
            assert fight.ruleset.flow.leads(source, step.trigger).dest == step.phase


def steps(recorded: Iterator[Recorded]) -> Iterator[tuple[str, PhaseEntered]]:
    """Yield every step with the phase it left; actions stacked at once, each with its price, all leave the same one."""
    draft = Draft(State())
    before, at_once = "", False
    last: type[Event] = FightOpened
    for event in (one.event for one in recorded):
        if isinstance(event, Stacked):
            before = before if at_once else draft.phase
            at_once = True
        elif isinstance(event, PhaseEntered):
            at_once = last is Stacked
            yield (before if at_once else draft.phase), event
        elif isinstance(event, INPUTS):
            at_once = False
        evolve(draft, event)
        last = type(event)


def test_a_table_that_repeats_itself_is_refused() -> None:
    """The library would take the first of two rows and say nothing."""
    with pytest.raises(ValueError, match="two rows for go in a"):
        Flow("a", (Step("a", "go", "b"), Step(("b", "a"), "go", "c")))


def test_a_phase_that_nothing_leads_to_is_refused() -> None:
    """A typo in a source would otherwise be a row that never counts."""
    with pytest.raises(ValueError, match="no row leads to the phase trun"):
        Flow("a", (Step("a", "go", "turn"), Step("trun", "stop", "a")))


@pytest.mark.parametrize("system", PRESENT)
def test_the_diagram_draws_every_row(system: str) -> None:
    """The drawing is made from the machine, so it cannot fall behind the table; rows of every phase are left out."""
    flow = RULESETS[system].flow
    drawn = flow.mermaid(RULESETS[system].title)
    arrows = [line.strip() for line in drawn.splitlines() if "-->" in line]
    for (source, trigger), step in flow.table.items():
        found = (one for one in arrows if one.startswith(f"{source} --> {step.dest}: ") and f" {trigger} " in one)
        assert step.source == "*" or any(found)
