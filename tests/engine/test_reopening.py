"""The log is the fight: folded, reopened and carried on, it is always the same one."""

from __future__ import annotations

from hypothesis import given

from affray.engine import fold
from tests.engine.fights import NAME, Plan, asked, begun, commands, encoded, fights, reopened, seen, stored, told
from tests.engine.memory import MemoryStore
from tests.examples import a_share


@given(fights())
def test_the_fold_of_the_effective_log_is_the_live_state(plan: Plan) -> None:
    """After every command, whatever was asked and whether it was refused or taken back."""
    fight = begun(plan)
    for command in commands(fight, plan):
        asked(fight, command)
        assert encoded(fold(fight.history.effective())) == encoded(fight.state)


@given(fights())
def test_a_state_kept_on_the_way_is_the_one_that_was_live_then(plan: Plan) -> None:
    """``state_at`` an earlier moment is what was published at that moment."""
    fight = begun(plan)
    published = {}
    for command in commands(fight, plan):
        asked(fight, command)
        published[tuple(fight.history.path)] = encoded(fight.state)
    now = fight.history.path
    for path, state in published.items():
        if list(path) == now[: len(path)]:
            assert encoded(fight.state_at(path[-1])) == state


@a_share(2)
@given(fights(most=24))
def test_reopening_anywhere_is_the_same_fight(plan: Plan) -> None:
    """State, pending question and legal actions do not depend on when the program was restarted."""
    store = MemoryStore()
    fight = begun(plan, store)
    for command in commands(fight, plan):
        asked(fight, command)
        again = reopened(store)
        assert seen(again) == seen(fight)
        assert again.state.question == fight.state.question
        assert again.history.undone == fight.history.undone


@a_share(2)
@given(fights(most=36))
def test_carrying_on_after_a_restart_writes_the_same_log(plan: Plan) -> None:
    """A fight that is restarted before every single command answers the same and records the same, byte for byte."""
    once, often = MemoryStore(), MemoryStore()
    fight = begun(plan, once)
    begun(plan, often)
    for command in commands(fight, plan):
        mine, other = asked(fight, command), asked(reopened(often), command)
        assert told(mine.answer) == told(other.answer)
    assert once.streams == often.streams


@given(fights())
def test_a_log_read_without_its_seed_shows_the_same_fight(plan: Plan) -> None:
    """Whoever has the log alone sees the same state; only new rolls would have to be entered."""
    fight, store = stored(plan)
    alone = MemoryStore()
    alone.streams[NAME] = store.read(NAME)
    assert seen(reopened(alone)) == seen(fight)
