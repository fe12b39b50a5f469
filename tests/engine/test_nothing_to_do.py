"""Commands that would do nothing: refused, with a line that would work, and nothing is recorded."""

from __future__ import annotations

import pytest

from affray.engine import Fight
from affray.engine.commands import Amend, Command, Intent, Undo
from affray.engine.errors import Refused, Unusable
from affray.engine.history.amend import AMENDABLE
from affray.engine.history.timeline import split_by_input
from affray.events import AskingSet
from affray.tools.parse import intent_parser
from tests.engine.fights import submit_accepted
from tests.engine.phases import at_the_window, in_turn, submit_lines
from tests.engine.shoving import shoving
from tests.engine.waiting import moments
from tests.rulesets.systems import PRESENT


def submit_idle_intent(fight: Fight, intent: Intent, line: str) -> Refused:
    """Ask for something that is refused as it would do nothing."""
    before, head = fight.state, fight.head
    with pytest.raises(Refused, match=line) as no:
        submit_accepted(fight, intent)
    assert (no.value.code, fight.state, fight.head) == ("no_change", before, head)
    return no.value


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("rule relate allies bo ash", "would end it: rule relate allies"),
        ("rule relate allies ash bo", "would end it: rule relate allies"),
    ],
)
def test_what_is_so_already_is_refused(said: str, line: str) -> None:
    """For any order of the named combatants; the line in the refusal has an effect."""
    fight = shoving()
    submit_accepted(fight, intent_parser.intent(fight, "rule relate allies ash bo", "so it is"))
    submit_idle_intent(fight, intent_parser.intent(fight, said, "again"), line)


@pytest.mark.parametrize(
    ("line", "field"), [("view {who} {who} blocked", "target"), ("relate allies {who}", "members")]
)
@pytest.mark.parametrize("system", PRESENT)
def test_what_takes_two_is_not_ruled_of_one(system: str, line: str, field: str) -> None:
    fight = moments(system)[0].fight()
    who = next(iter(fight.state.combatants))
    with pytest.raises(Unusable, match=r"name (two combatants|at least 2)") as no:
        submit_accepted(fight, intent_parser.intent(fight, f"rule {line.format(who=who)}", "so it is"))
    assert no.value.field == field


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("stand brand never", "Brand is asked never already; say: stand brand always"),
        ("stand brand targeted", "Brand is asked only when targeted already; say: stand brand always"),
        ("stand * always", "the table stops always already; say: stand * never"),
        ("stand * never 30", "the table stops never already, for 30 seconds; say: stand * always"),
        (
            "stand * worthwhile declare",
            r"only when something is worthwhile already in windows of the kind declare; say: stand \* always declare",
        ),
    ],
)
def test_when_to_ask_is_not_set_to_what_it_is(line: str, says: str) -> None:
    """For a combatant, the whole table, a kind of window and a number of seconds; the line in the refusal works."""
    fight = submit_lines(in_turn(), line)
    no = submit_idle_intent(fight, intent_parser.intent(fight, line), says.replace("stand * ", r"stand \* "))
    submit_lines(fight, no.message.partition("say: ")[2])


def test_a_combatant_is_asked_always_from_the_start() -> None:
    fight = in_turn()
    submit_idle_intent(
        fight, AskingSet(who="brand", ask="always"), "Brand is asked always already; say: stand brand never"
    )


def test_seconds_of_the_table_are_set_to_another_number_or_none() -> None:
    fight = submit_lines(in_turn(), "stand * always 30", "stand * always 20", "stand * always")
    assert fight.state.patience == 0


@pytest.mark.parametrize("system", PRESENT)
def test_an_amendment_to_what_is_recorded_is_refused(system: str) -> None:
    """For any input, with any later ones; nothing is recorded, not even a preview of dice."""
    fight = max(moments(system), key=lambda moment: len(moment.recorded)).fight()
    inputs = [part[0] for part in split_by_input(fight.history.effective()) if isinstance(part[0].event, AMENDABLE)]
    for one in inputs:
        same = Amend(position=one.position, instead=(one.event,), reason="misheard")
        submit_idle_intent(fight, same, f"position {one.position} says so already, and all that follows stays as it is")
    assert len(inputs) > 2


def test_an_answer_that_is_taken_out_and_given_again_changes_nothing() -> None:
    fight = submit_lines(at_the_window(), "pass brand")
    passed = [part[0] for part in split_by_input(fight.history.effective())][-1]
    again = Amend(position=passed.position, instead=(), answers=(passed.event,), reason="he wanted to strike")
    submit_idle_intent(fight, again, "say what should have been, or retract it")


def test_the_same_undo_is_not_asked_for_twice() -> None:
    """Asked for with another reason, it replaces the first request."""
    fight = submit_lines(at_the_window(), "pass brand")
    ask = Command(id="one", who="Anna", intent=Undo(commands=2, reason="please"), knows=("ilse",))
    (asked,) = fight.submit(ask).recorded
    with pytest.raises(Refused, match=f"asked for at position {asked.position} and waits for the game master") as no:
        fight.submit(Command(id="two", who="Anna", intent=ask.intent, knows=("ilse",)))
    assert (no.value.code, fight.head) == ("no_change", asked.position)
    fight.submit(Command(id="three", who="Anna", intent=Undo(commands=2, reason="I misread"), knows=("ilse",)))
    assert fight.history.request == asked.position + 1
