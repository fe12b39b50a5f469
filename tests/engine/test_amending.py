"""Amending is as if it had been said so at once: the same facts, the same dice, the same state."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st
from msgspec import Raw
from msgspec.structs import replace

from affray.engine import Fight, Redo, Refused, Reused, Undo, Unusable, digest
from affray.engine.commands import Amend, Close
from affray.engine.kit.rulings.combatants import Condition, PoolRuling
from affray.events import Answered, Declared, DiceRenewed, Event, Passed, PoolChanged, Previewed, Rolled, Ruled
from affray.tools.parse.intent_parser import intent
from tests.engine.choices import Choices
from tests.engine.fights import Plan, fights, play_into_store, play_plan, reload_fight, submit_accepted, view_all_sides
from tests.engine.phases import at_the_window, in_turn, open_ilse_and_brand, submit_lines
from tests.engine.tables import Wrong, answer_questions, instead, replay_plan, ruled_away, went_on, wrong
from tests.examples import a_share

WHY = "it was otherwise"
NOTE = Ruled(kind="note", params=Raw(b'{"text":"meanwhile"}'), reason="it matters")
WINDOW = "2/ilse/attack.1/window"


def list_effective_payloads(fight: Fight) -> list[Event]:
    """Return what counts, without positions, times and hashes."""
    return [one.event for one in fight.history.effective()]


def choose_amendment(plan: Plan, fight: Fight, drawn: bytes) -> tuple[Amend, Wrong, Fight]:
    """Choose an amendment; return it with its input, and the fight played again up to it.

    An example in which there is none, or in which it is refused, is given up.
    """
    choices = Choices(drawn)
    found = wrong(fight, choices)
    if any(isinstance(event, DiceRenewed) for event in found.before + found.after):
        reject()
    then = replay_plan(plan, found.before)
    meant = Amend(position=found.recorded.position, instead=instead(then, found.recorded.event, choices), reason=WHY)
    try:
        return answer_questions(fight, meant, choices), found, then
    except (Refused, Unusable) as refusal:
        if "says so already" in str(refusal):
            reject()
        with pytest.raises(type(refusal)):
            _all(then, meant.instead)
        reject()


def _all(fight: Fight, events: Sequence[Event]) -> None:
    for event in events:
        submit_accepted(fight, event)


@a_share(2)
@given(fights(most=30), st.binary(min_size=4, max_size=4))
def test_an_amendment_equals_what_would_have_been(plan: Plan, drawn: bytes) -> None:
    """Facts and digest equal those of a fight that had the corrected input from the start."""
    fight = play_plan(plan)
    amend, was, then = choose_amendment(plan, fight, drawn)
    away = ruled_away(fight)
    _all(then, amend.instead)
    went_on(then, was.after, amend.answers, away)
    submit_accepted(fight, amend)
    assert list_effective_payloads(fight) == list_effective_payloads(then)
    assert digest(fight.state) == digest(then.state)


def choose_possible_amendment(plan: Plan, fight: Fight, drawn: bytes) -> Amend:
    """Choose an amendment that can be made, or give the example up."""
    return choose_amendment(plan, fight, drawn)[0]


@a_share(2)
@given(fights(most=24), st.binary(min_size=4, max_size=4), st.binary(min_size=4, max_size=4))
def test_an_amendment_can_be_amended(plan: Plan, first: bytes, second: bytes) -> None:
    """After the second amendment the fight equals one that had both inputs from the start."""
    fight = play_plan(plan)
    submit_accepted(fight, choose_possible_amendment(plan, fight, first))
    amend, was, then = choose_amendment(plan, fight, second)
    away = ruled_away(fight)
    _all(then, amend.instead)
    went_on(then, was.after, amend.answers, away)
    submit_accepted(fight, amend)
    assert list_effective_payloads(fight) == list_effective_payloads(then)
    assert digest(fight.state) == digest(then.state)


@a_share(2)
@given(fights(most=30), st.binary(min_size=4, max_size=4))
def test_an_amendment_is_undone_and_redone(plan: Plan, drawn: bytes) -> None:
    """Undo brings back what counted before it, and redo the amendment; so does going back further, and forth."""
    fight = play_plan(plan)
    amend = choose_possible_amendment(plan, fight, drawn)
    before, sum_before = view_all_sides(fight), digest(fight.state)
    submit_accepted(fight, amend)
    after, sum_after = view_all_sides(fight), digest(fight.state)
    submit_accepted(fight, Undo())
    assert (view_all_sides(fight), digest(fight.state)) == (before, sum_before)
    submit_accepted(fight, Redo())
    assert (view_all_sides(fight), digest(fight.state)) == (after, sum_after)


@a_share(2)
@given(fights(most=30), st.binary(min_size=4, max_size=4))
def test_an_amended_fight_is_the_same_after_a_restart(plan: Plan, drawn: bytes) -> None:
    """State, legal actions and what can be redone; the chain holds, and the fight goes on alike."""
    fight, store = play_into_store(plan)
    submit_accepted(fight, choose_possible_amendment(plan, fight, drawn))
    again = reload_fight(store)
    assert view_all_sides(again) == view_all_sides(fight)
    assert again.history.undone == fight.history.undone
    submit_accepted(fight, Undo())
    assert view_all_sides(reload_fight(store)) == view_all_sides(fight)


@given(fights(most=30), st.binary(min_size=4, max_size=4))
def test_looking_leaves_nothing_but_the_dice_that_were_seen(plan: Plan, drawn: bytes) -> None:
    """The first preview records the newly seen rolls, the second one nothing; the state is unchanged."""
    fight, store = play_into_store(plan)
    found = wrong(fight, Choices(drawn))
    before, head, sum_before = view_all_sides(fight), fight.head, digest(fight.state)
    amend = Amend(position=found.recorded.position, reason=WHY)
    looked = fight.preview(amend, "Anna", "a look")
    noted = [one.event for one in fight.history.recorded[head:]]
    assert [type(one) for one in noted] == [Previewed] * bool(looked.drawn)
    for one in noted:
        assert isinstance(one, Previewed)
        assert (one.position, one.rolls) == (looked.position, looked.drawn)
        assert {shown.roll for shown in one.dice} == {*one.rolls}
    assert not fight.preview(amend, "Anna", "another look").drawn
    assert len(store.read("drawn")) == head + len(noted)
    assert (view_all_sides(fight), digest(fight.state)) == (before, sum_before)
    assert view_all_sides(reload_fight(store)) == before


@given(fights(most=24), st.binary(min_size=4, max_size=4))
def test_a_repeated_amendment_returns_the_first_result(plan: Plan, drawn: bytes) -> None:
    """The same id with the same content is carried out once; with other content it is refused."""
    fight = play_plan(plan)
    amend = choose_possible_amendment(plan, fight, drawn)
    first = submit_accepted(fight, amend, "once")
    head = fight.head
    second = submit_accepted(fight, amend, "once")
    assert (second.repeated, second.recorded, fight.head) == (True, first.recorded, head)
    other = Amend(position=amend.position, instead=amend.instead, answers=amend.answers, reason="another")
    with pytest.raises(Reused):
        submit_accepted(fight, other, "once")


def test_a_ruling_keeps_its_meaning_in_a_corrected_past() -> None:
    """Four damage stay four damage: what they come to follows from what was there before."""
    fight = submit_lines(open_ilse_and_brand(), "rule pool brand health by=-1", "rule pool brand health by=-4")
    assert fight.state.combatants["brand"].pools["health"] == 1
    first = next(one.position for one in fight.history.effective() if isinstance(one.event, Ruled))
    submit_accepted(fight, Amend(position=first, reason="it was Nell"))
    assert fight.state.combatants["brand"].pools["health"] == 2
    last = [one.event for one in fight.history.effective()][-1]
    assert last == PoolChanged(who="brand", pool="health", before=6, after=2)


def test_what_only_earlier_versions_took_is_decided_again_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """Health above its maximum and a misspelt condition stay when an earlier ruling is corrected."""
    with monkeypatch.context() as earlier:
        for form in (PoolRuling, Condition):
            earlier.setattr(form, "check_new", lambda *_: None)
        fight = submit_lines(
            open_ilse_and_brand(), "rule note wrong", "rule pool brand health by=1", "rule condition brand delayd"
        )
    for line in ("rule pool brand health by=1", "rule condition ilse delayd"):
        with pytest.raises((Refused, Unusable)):
            submit_accepted(fight, intent(fight, line, "so it is"))
    first = next(one.position for one in fight.history.effective() if isinstance(one.event, Ruled))
    submit_accepted(fight, Amend(position=first, reason="it was not so"))
    brand = fight.state.combatants["brand"]
    assert (brand.pools["health"], brand.conditions) == (7, {"delayd": {"": 1}})


def test_a_forgotten_modifier_is_put_before_the_blow() -> None:
    """The die stays as it fell; only the sum is another."""
    fight = at_the_window()
    submit_lines(fight, "pass brand")
    rolled = _blow(fight)
    position = next(one.position for one in fight.history.effective() if one.event == _attack(fight))
    mud = intent(fight, "rule modify ilse by=-3 label=mud", "she stood in it")
    amend = Amend(position=position, instead=(mud, _attack(fight)), reason="forgotten")
    before, looked = fight.state, fight.preview(amend, "gm", "a look")
    submit_accepted(fight, amend)
    assert (looked.before, looked.after) == (before, fight.state)
    assert _blow(fight).dice == rolled.dice
    assert _blow(fight).total == rolled.total - 3


def _attack(fight: Fight) -> Declared:
    return next(
        one.event for one in fight.history.effective() if isinstance(one.event, Declared) and one.event.kind == "attack"
    )


def _blow(fight: Fight) -> Rolled:
    return next(
        one.event
        for one in fight.history.effective()
        if isinstance(one.event, Rolled) and one.event.purpose == "attack"
    )


def test_what_nobody_answered_yet_must_be_answered() -> None:
    """The corrected course stops there and says what waits; with the answer, which may be another, it goes on."""
    fight = submit_lines(in_turn(), "rule pool ilse health to=6", "ilse attack brand", "pass brand", "ilse end_turn")
    pass_of = Passed(window=WINDOW, who="brand")
    passed = next(one.position for one in fight.history.effective() if one.event == pass_of)
    amend = Amend(position=passed, reason="he wanted to strike")
    looked = fight.preview(amend, "gm", "a look")
    assert looked.needs is not None
    assert looked.waiting
    with pytest.raises(Refused, match="answer_needed"):
        submit_accepted(fight, amend)
    with pytest.raises(Refused, match="says so already"):
        submit_accepted(fight, replace(amend, answers=(pass_of,)))
    params = Raw(b'{"target":"ilse","weapon":"brand.sword"}')
    strike = Declared(actor="brand", kind="attack", params=params, manner="readied")
    submit_accepted(fight, replace(amend, answers=(strike,)))
    assert [one.kind for one in list_effective_payloads(fight) if isinstance(one, Declared)][-3:] == [
        "attack",
        "attack",
        "end_turn",
    ]


def test_an_answer_that_nothing_asks_for_is_unusable() -> None:
    """It would be lost otherwise."""
    fight = submit_lines(open_ilse_and_brand(), "rule pool brand health by=-1", "rule pool brand health by=-1")
    answer = Passed(window="1/nobody/1/window", who="brand")
    other = Answered(question="1/nobody/1/pay", by="brand", choice="no")
    with pytest.raises(Unusable, match="nothing asks for Passed: Passed"):
        submit_accepted(
            fight, Amend(position=fight.history.path[-1], instead=(NOTE,), answers=(answer, other), reason=WHY)
        )


@pytest.mark.parametrize("position", [1, 3])
def test_the_opening_cannot_be_amended(position: int) -> None:
    """The opening is neither a declaration nor a ruling."""
    with pytest.raises(Refused, match="not_amendable"):
        submit_accepted(open_ilse_and_brand(), Amend(position=position, reason=WHY))


def test_what_was_taken_back_cannot_be_amended() -> None:
    """Only what counts can; and only what is there."""
    fight = submit_lines(open_ilse_and_brand(), "rule pool brand health by=-1")
    position = fight.history.path[-1]
    submit_accepted(fight, Undo())
    with pytest.raises(Refused, match="not_effective"):
        submit_accepted(fight, Amend(position=position, reason=WHY))
    with pytest.raises(Unusable, match="position: must be from 1 to"):
        submit_accepted(fight, Amend(position=fight.head + 1, reason=WHY))


def test_what_is_forbidden_then_cannot_be_put_there() -> None:
    """The refusal is that of the rules at that moment, and nothing is changed."""
    fight = at_the_window()
    before, head = view_all_sides(fight), fight.head
    position = fight.history.path[-1]
    wrong = Declared(actor="ilse", kind="attack", params=Raw(b'{"target":"ilse"}'))
    with pytest.raises(Refused) as refusal:
        submit_accepted(fight, Amend(position=position, instead=(wrong,), reason=WHY))
    assert refusal.value.rule.startswith("VES-")
    assert (view_all_sides(fight), fight.head) == (before, head)


def test_an_amendment_that_leaves_nothing_is_an_undo() -> None:
    """It is refused, and says so."""
    fight = submit_lines(open_ilse_and_brand(), "rule pool brand health by=-1")
    with pytest.raises(Refused, match="undo takes back"):
        submit_accepted(fight, Amend(position=fight.history.path[-1], reason=WHY))


def test_fresh_dice_stay_the_ones_they_were() -> None:
    """A declaration repeated under fresh dice meets the same dice after an earlier amendment."""
    fight = submit_lines(
        in_turn(), "rule pool nell health by=-1", "rule pool ilse health to=6", "ilse attack brand", "pass brand"
    )
    hurt = PoolChanged(who="nell", pool="health", before=6, after=5)
    mistaken = next(one.position for one in fight.history.effective() if one.event == hurt)
    submit_accepted(fight, Undo(commands=2, fresh=True))
    submit_lines(fight, "ilse attack brand", "pass brand")
    rolled = _blow(fight)
    assert rolled.roll.startswith("g1:")
    submit_accepted(fight, Amend(position=mistaken, reason="it was nobody"))
    assert _blow(fight) == rolled
    assert any(isinstance(event, DiceRenewed) for event in list_effective_payloads(fight))


def test_a_closed_fight_is_amended_no_more() -> None:
    """Its record has ended; a fork of it can go on."""
    fight = submit_lines(open_ilse_and_brand(), "rule pool brand health by=-1")
    position = fight.history.path[-1]
    submit_accepted(fight, Close(unfinished=True))
    with pytest.raises(Refused, match="closed"):
        fight.preview(Amend(position=position, instead=(NOTE,), reason=WHY), "gm", "a look")
