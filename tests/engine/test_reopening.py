"""The log is the fight: folded, reopened and carried on, it is always the same one."""

from __future__ import annotations

from hypothesis import given

from affray.engine import fold
from tests.engine.fights import (
    NAME,
    Plan,
    ask_fight,
    begin_plan,
    commands,
    encode_answer,
    encode_state,
    fights,
    play_into_store,
    reload_fight,
    view_all_sides,
)
from tests.engine.memory import MemoryStore
from tests.examples import a_share


@given(fights())
def test_the_fold_of_the_effective_log_is_the_live_state(plan: Plan) -> None:
    """After every command, refused or undone ones included."""
    fight = begin_plan(plan)
    for command in commands(fight, plan):
        ask_fight(fight, command)
        assert encode_state(fold(fight.history.effective())) == encode_state(fight.state)


@given(fights())
def test_a_state_kept_on_the_way_is_the_one_that_was_live_then(plan: Plan) -> None:
    """``state_at`` an earlier moment is what was published at that moment."""
    fight = begin_plan(plan)
    published = {}
    for command in commands(fight, plan):
        ask_fight(fight, command)
        published[tuple(fight.history.path)] = encode_state(fight.state)
    now = fight.history.path
    for path, state in published.items():
        if list(path) == now[: len(path)]:
            assert encode_state(fight.state_at(path[-1])) == state


@a_share(2)
@given(fights(most=24))
def test_reopening_anywhere_is_the_same_fight(plan: Plan) -> None:
    """State, pending question and legal actions do not depend on when the program was restarted."""
    store = MemoryStore()
    fight = begin_plan(plan, store)
    for command in commands(fight, plan):
        ask_fight(fight, command)
        again = reload_fight(store)
        assert view_all_sides(again) == view_all_sides(fight)
        assert again.state.question == fight.state.question
        assert again.history.undone == fight.history.undone


@a_share(2)
@given(fights(most=36))
def test_carrying_on_after_a_restart_writes_the_same_log(plan: Plan) -> None:
    """A fight that is restarted before every single command answers the same and records the same, byte for byte."""
    once, often = MemoryStore(), MemoryStore()
    fight = begin_plan(plan, once)
    begin_plan(plan, often)
    for command in commands(fight, plan):
        mine, other = ask_fight(fight, command), ask_fight(reload_fight(often), command)
        assert encode_answer(mine.answer) == encode_answer(other.answer)
    assert once.streams == often.streams


@given(fights())
def test_a_log_read_without_its_seed_shows_the_same_fight(plan: Plan) -> None:
    """A reader of the log sees the same state; only new rolls must be entered."""
    fight, store = play_into_store(plan)
    alone = MemoryStore()
    alone.streams[NAME] = store.read(NAME)
    assert view_all_sides(reload_fight(alone)) == view_all_sides(fight)
