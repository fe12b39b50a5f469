"""Recorded fights decided again: the guard that a rule fix changes only what it means to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from affray.engine import Fight, FileStore, Refused, Unusable, load
from affray.engine.analysis.what_if import Regression, decide_again
from affray.engine.commands import Close
from affray.engine.history.log import read_log
from affray.engine.history.timeline import History
from affray.engine.integrity.commitment import find_promise
from affray.events import Answered, Closed, Dice, FightOpened, Passed, Rolled
from tests.engine.fights import Plan, fights, play_plan, submit_accepted
from tests.engine.phases import in_turn, submit_lines
from tests.test_replays import RECORDED, load_replay_list, name_recorded_fight


def decide_with_settings(fight: Fight, **settings: Any) -> Regression:
    """Decide a fight again under other settings."""
    return decide_again(fight.history, fight.ruleset, settings)


@pytest.mark.parametrize("path", RECORDED, ids=name_recorded_fight)
def test_every_recorded_fight_is_decided_the_same(path: Path) -> None:
    """By the present rules; one of an earlier version may note things otherwise, and ends as its list says.

    Where the rules refuse now what they allowed then, some inputs are no longer possible: the list says so.
    """
    store = FileStore(path.parent)
    history = History()
    history.add(read_log(store.read(path.stem)))
    opening = history.at(1).event
    assert isinstance(opening, FightOpened)
    ruleset = load(opening.system)
    found = decide_again(history, ruleset, {})
    entry = load_replay_list(path.parent.name)[path.stem]
    allowed = ("same",) if opening.version == ruleset.version else (entry.get("today", "parts"), "same")
    assert found.verdict in allowed, (found.position, found.comparison)
    if found.verdict in ("same", "parts") and not entry.get("replayed_in_part"):
        assert (found.dropped, found.drawn) == ((), ())


@given(fights())
def test_a_fight_decided_again_under_its_own_rules_is_the_same(plan: Plan) -> None:
    """With all its rulings, undos, redos and amendments; every die is one of the record."""
    fight = play_plan(plan)
    found = decide_again(fight.history, fight.ruleset, {})
    assert (found.verdict, found.position) == ("same", 0)
    assert (found.dropped, found.needs, found.drawn) == ((), None, ())
    assert found.after == fight.state


def a_blow_at(agility: int) -> Fight:
    """Ilse spends one ep on a blow at Brand, who is at the brink."""
    return submit_lines(
        in_turn(),
        "rule pool brand health to=0",
        f"rule sheet brand agility to={agility}",
        "ilse attack brand ep=1",
        "pass brand",
    )


def a_near_miss() -> Fight:
    """Ilse spends one ep on a blow that misses Brand, who is at the brink, by one."""
    blow = next(
        event
        for one in a_blow_at(1).history.recorded
        if isinstance(event := one.event, Rolled) and event.purpose == "attack"
    )
    return submit_lines(a_blow_at(blow.total + 1), "ilse end_turn")


def test_another_way_to_the_same_end() -> None:
    """The die is the recorded one, with another bonus; nothing else changes."""
    found = decide_with_settings(a_near_miss(), accuracy_per_ep=0)
    assert found.verdict == "parts"
    parting = found.comparison.parting
    assert parting is not None
    assert isinstance(parting.one, Rolled)
    assert isinstance(parting.other, Rolled)
    assert (parting.one.dice, parting.one.total - parting.other.total) == (parting.other.dice, 1)
    assert not found.comparison.changes


def test_another_end() -> None:
    """A blow that would have hit, with a roll at the brink that the record does not show: the revealed seed does."""
    fight = a_near_miss()
    submit_accepted(fight, Close(unfinished=True))
    found = decide_with_settings(fight, accuracy_per_ep=5, brink_target=21)
    assert found.after.combatants["brand"].has("dead")
    assert found.verdict == "differs"
    assert fight.history.at(found.position).event == (found.comparison.parting and found.comparison.parting.one)
    assert found.drawn == ("2/ilse/attack.1/brink:brand",)
    assert not found.stand_in
    rolled = next(one for one in found.events if isinstance(one, Rolled) and one.roll == found.drawn[0])
    revealed = fight.history.recorded[-1].event
    assert isinstance(revealed, Closed)
    seed = bytes.fromhex(revealed.seed)
    (thrown,) = (
        find_promise(fight.history.recorded).dice(seed).faces(rolled.roll, (Dice(count=1, sides=20, kind="brink"),))
    )
    assert rolled.dice[0].faces == thrown


def test_nobody_foresees_a_die_of_an_open_fight() -> None:
    """A stand-in throws what the record does not show. It is said so, and it is the same every time."""
    fight = a_near_miss()
    found = decide_with_settings(fight, accuracy_per_ep=5)
    assert found.stand_in
    assert decide_with_settings(fight, accuracy_per_ep=5) == found
    submit_accepted(fight, Close(unfinished=True))
    assert not decide_with_settings(fight, accuracy_per_ep=5).stand_in


def test_what_is_no_longer_possible_is_left_out_and_named() -> None:
    """With its position and the clause that forbids it; so are the answers to what is not asked any more."""
    fight = submit_lines(in_turn(), "rule sheet brand agility to=1", "rule pool brand health to=1")
    submit_lines(fight, "ilse attack brand ep=2", "pass brand", "answer no")
    found = decide_with_settings(fight, accuracy_ep_cap=1)
    first, *rest = found.dropped
    assert isinstance(first.why, Refused)
    assert (first.why.rule, first.event) == ("VES-T08", fight.history.at(first.position).event)
    assert [(type(one.event), one.why) for one in rest] == [(Passed, None), (Answered, None)]


def test_a_window_that_nobody_was_asked_in_is_let_pass() -> None:
    """Brand's token lapsed, so that he was not asked later on; had it not, he would have been, and says nothing."""
    fight = submit_lines(in_turn(), "ilse end_turn", "pass brand", "nell end_turn", "pass brand", "brand end_turn")
    submit_lines(fight, "ilse attack brand", "ilse end_turn")
    found = decide_with_settings(fight, readied_lapse="never")
    assert found.passed == 2
    assert found.needs is None
    assert found.waiting == ()
    passed = [one for one in found.events if isinstance(one, Passed)]
    assert [one.who for one in passed[-2:]] == ["brand", "brand"]


def test_another_system_may_decide() -> None:
    """Another system may decide if it has the record's configuration keys; else it names the missing one."""
    fight = a_near_miss()
    with pytest.raises(Unusable, match="wwn has no key"):
        decide_again(fight.history, load("wwn"), {})


@pytest.mark.parametrize("missing", [1, 2])
def test_where_the_decided_course_goes_on_alone_the_last_event_is_named(missing: int) -> None:
    """A record that was cut in the middle of what its last command leads to."""
    fight, cut = a_near_miss(), History()
    cut.add(fight.history.recorded[:-missing])
    found = decide_again(cut, fight.ruleset, {})
    parting = found.comparison.parting
    assert parting is not None
    assert (parting.one, parting.other) == (None, fight.history.at(cut.head + 1).event)
    assert found.position == cut.head
    assert (found.before, found.after) == (fight.state_at(cut.head), fight.state)
