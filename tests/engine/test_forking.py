"""A fork starts from its parent's state, names its parent, and continues separately."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from affray.engine import Fight, FileStore, Refused, Undo, Unusable, begin_fight
from affray.engine.commands import Amend, Close, Redo
from affray.engine.forking import ForkRequest, fork_fight
from affray.engine.history.log import verify_chain
from affray.engine.integrity.commitment import find_promise
from affray.events import FORMAT, Forked, FormatRaised, Rolled, Ruled
from tests.engine.conftest import two
from tests.engine.fights import (
    NAME,
    SEED,
    Plan,
    fights,
    noon,
    play_into_store,
    reload_fight,
    submit_accepted,
    view_all_sides,
)
from tests.engine.memory import MemoryStore
from tests.engine.phases import submit_lines
from tests.test_replays import REPLAYS

OWN = bytes(32)
AWAY = "what if"
NOTE = Ruled(kind="note", params=Raw(b'{"text":"meanwhile"}'), reason="it matters")


def fork_under_own_seed(store: MemoryStore, at: int | None = None, *, parent: str = NAME, name: str = AWAY) -> Fight:
    """Fork a fight under a new seed, into the same store."""
    return fork_fight(
        ForkRequest(parent=parent, name=name, at=at, who="Anna", reason="to see"), store, store, fresh=OWN, clock=noon
    )


def as_it_began(fight: Fight) -> int:
    """Return the position of the last event of the opening."""
    return fight.history.recorded[0].more + 1


def a_duel(seed: bytes | None = SEED) -> tuple[Fight, MemoryStore]:
    """Open a duel that lasts, up to its first turn."""
    store, duel = MemoryStore(), two()
    told = {**duel, "combatant": [{**one, "health": 100} for one in duel["combatant"]]}
    fight = begin_fight(NAME, told, who="gm", seed=seed, store=store, clock=noon)
    return submit_lines(fight, "begin", *(("roll 15", "roll 3") if seed is None else ())), store


def blow(fight: Fight) -> tuple[int, ...]:
    """Let the active combatant strike the other, and return the face."""
    who = fight.state.acting[0]
    submit_lines(fight, f"{who} attack {'brand' if who == 'ilse' else 'ilse'}")
    rolled = [one.event for one in fight.history.effective() if isinstance(one.event, Rolled)][-1]
    return rolled.dice[0].faces


@given(fights(most=30), st.integers(0, 10_000))
def test_a_fork_begins_as_its_parent_was(plan: Plan, drawn: int) -> None:
    """State, legal actions and the effective log at any command's end; both go on, and neither changes the other."""
    parent, store = play_into_store(plan)
    ends = [one.position for one in parent.history.recorded if not one.more]
    at = ends[drawn % len(ends)]
    lines = store.read(NAME)
    away = fork_under_own_seed(store, at)
    assert view_all_sides(away) == view_all_sides(parent.copy_at(at))
    assert view_all_sides(reload_fight(store, AWAY)) == view_all_sides(away)
    submit_accepted(away, NOTE)
    assert store.read(NAME) == lines
    submit_accepted(parent, NOTE)
    verify_chain(store.read(AWAY))
    assert store.read(AWAY)[:at] == lines[:at]
    with pytest.raises(Refused):
        submit_accepted(away, Undo(commands=2))


def test_a_fork_says_where_it_comes_from_and_under_which_seed() -> None:
    """Its first event names the parent, the position, and the commitment to the new seed."""
    parent, store = a_duel()
    away = fork_under_own_seed(store).history.recorded
    assert away[-1].event == Forked(
        fight=AWAY,
        parent=NAME,
        position=parent.head,
        commitment=find_promise(away).commit_to(OWN),
        reason="to see",
    )
    assert store.seed(AWAY) == OWN


def test_a_fork_of_an_open_fight_meets_other_dice() -> None:
    """The fork's dice do not reveal the parent's."""
    parent, store = a_duel()
    away = fork_under_own_seed(store)
    assert [blow(parent), blow(parent)] != [blow(away), blow(away)]


def test_a_fork_of_a_closed_fight_meets_the_same_dice() -> None:
    """Its seed is public, so that what would have been can be seen."""
    parent, store = a_duel()
    at = parent.head
    faces = [blow(parent), blow(parent)]
    submit_accepted(parent, Close(unfinished=True))
    away = fork_under_own_seed(store, at)
    assert [blow(away), blow(away)] == faces
    assert view_all_sides(fork_under_own_seed(store, name="to the end")).effective == parent.history.path


def test_a_fork_of_a_fight_with_real_dice_has_no_seed() -> None:
    """Its dice are entered as in its parent."""
    _, store = a_duel(seed=None)
    away = fork_under_own_seed(store)
    assert store.seed(AWAY) is None
    submit_lines(away, f"{away.state.acting[0]} attack {'brand' if away.state.acting[0] == 'ilse' else 'ilse'}")
    assert away.state.awaited is not None


def test_nothing_before_the_fork_can_be_changed_in_it() -> None:
    """Neither taken back, nor amended, nor brought again; that is the parent's."""
    parent, store = a_duel()
    blow(parent)
    lane = parent.history.path[-1]
    submit_accepted(parent, Undo())
    blow(parent)
    struck = parent.history.path[-1]
    away = fork_under_own_seed(store)
    before = view_all_sides(away)
    for intent in (Undo(), Undo(to=as_it_began(parent)), Redo(lane=lane), Amend(position=struck, reason="a slip")):
        with pytest.raises(Refused, match="before_the_fork"):
            submit_accepted(away, intent)
    assert view_all_sides(away) == before
    blow(away)
    submit_accepted(away, Undo())
    assert view_all_sides(away) == before


def test_a_fork_can_be_forked() -> None:
    """It knows the fork it comes from, and can take back only what is its own."""
    _, store = a_duel()
    away = fork_under_own_seed(store)
    blow(away)
    further = fork_under_own_seed(store, parent=AWAY, name="what if not")
    event = further.history.recorded[-1].event
    assert isinstance(event, Forked)
    assert (event.parent, event.position) == (AWAY, away.head)
    assert view_all_sides(further) == view_all_sides(away)
    with pytest.raises(Refused, match="before_the_fork"):
        submit_accepted(further, Undo())


def test_a_fork_of_an_old_log_goes_on_in_the_present_format() -> None:
    """It says so first; the position it names is the parent's, and its dice are others than the parent's."""
    old = FileStore(REPLAYS / "vestige")
    at = len(old.read("format-1"))
    store = MemoryStore()
    wanted = ForkRequest(parent="format-1", name=AWAY, who="Anna")
    away = fork_fight(wanted, old, store, fresh=OWN, clock=noon)
    raised, event = (one.event for one in away.history.recorded[at:])
    assert raised == FormatRaised(format=FORMAT)
    assert isinstance(event, Forked)
    assert (event.position, store.read(AWAY)[:at]) == (at, old.read("format-1"))


@pytest.mark.parametrize("at", [0, 2, 10_000])
def test_a_fork_leaves_its_parent_at_the_end_of_a_command(at: int) -> None:
    """Neither before the beginning, nor in the middle of the opening, nor where nothing is recorded yet."""
    _, store = a_duel()
    with pytest.raises(Unusable, match="at: "):
        fork_under_own_seed(store, at)
    assert store.fights() == [NAME]
