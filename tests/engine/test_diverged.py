"""A half-resolved declaration is decided again on opening, and what does not come out the same is shown."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from affray.engine import Diverged, Fight, Refused, Undo, open_fight
from affray.events import Event, Faces, PhaseEntered, PoolChanged, Recorded, Rolled, WindowOpened, seal
from tests.engine.fights import NAME, noon, submit_accepted, view_all_sides
from tests.engine.memory import MemoryStore
from tests.engine.phases import at_the_window, in_turn, submit_lines
from tests.engine.test_undo import NOTE

Change = Callable[[Event], Event]


def store_rewritten(fight: Fight, type_: type[Event], change: Change) -> tuple[MemoryStore, int, Event]:
    """Return a store with a changed last event of a type and a new chain, its position and the event."""
    recorded = list(fight.history.recorded)
    at = max(nth for nth, one in enumerate(recorded) if isinstance(one.event, type_))
    recorded[at] = replace(recorded[at], event=change(recorded[at].event))
    store = MemoryStore()
    store.streams[NAME] = chained_anew(recorded)
    return store, at + 1, recorded[at].event


def chained_anew(recorded: list[Recorded]) -> list[bytes]:
    """Return lines for these events with hashes that fit, command by command."""
    lines: list[bytes] = []
    previous, at = "", 0
    while at < len(recorded):
        end = at + recorded[at].more + 1
        one = recorded[at]
        events = [each.event for each in recorded[at:end]]
        sealed, more = seal(events, after=at, previous=previous, time=one.time, who=one.who, cause=one.cause)
        lines += more
        previous, at = sealed[-1].hash, end
    return lines


def cheaper(event: Event) -> Event:
    """Let a counter have lost one less."""
    assert isinstance(event, PoolChanged)
    return replace(event, after=event.after + 1)


def for_nobody(event: Event) -> Event:
    """Change a recorded window so that another combatant was asked."""
    assert isinstance(event, WindowOpened)
    return replace(event, to=("nell",))


def divert_step(event: Event) -> Event:
    """Let a step have led elsewhere."""
    assert isinstance(event, PhaseEntered)
    return replace(event, phase="gap")


@pytest.mark.parametrize(
    ("type_", "change"), [(PoolChanged, cheaper), (WindowOpened, for_nobody), (PhaseEntered, divert_step)]
)
def test_opening_stops_where_the_record_says_something_else(type_: type[Event], change: Change) -> None:
    """It names the position, shows what is written and what the rules say, and where it is safe to go on."""
    quiet = in_turn()
    fight = submit_lines(quiet, "ilse attack brand")
    safe = fight.history.before_last(1)
    honest = [one.event for one in fight.history.recorded if isinstance(one.event, type_)][-1]
    store, position, told = store_rewritten(fight, type_, change)
    with pytest.raises(Diverged) as found:
        open_fight(NAME, store, clock=noon)
    assert (found.value.position, found.value.recorded, found.value.decided) == (position, told, honest)
    assert found.value.safe == safe
    for shown in (f"position {position}", repr(told), repr(honest), f"position {safe}"):
        assert shown in str(found.value)


def test_a_record_that_says_more_or_less_than_the_rules_stops_too() -> None:
    """One event too few or too many in the command is shown beside nothing."""
    fight = at_the_window()
    recorded = fight.history.recorded
    first = max(nth for nth, one in enumerate(recorded) if not one.more and nth < len(recorded) - 1) + 1
    tail = [one.event for one in recorded[first:]]
    for events, at in ((tail[:-1], -1), ([*tail, tail[-1]], len(tail))):
        store = MemoryStore()
        sealed = seal(events, after=first, previous=recorded[first - 1].hash, time="t", who="gm", cause="last")[1]
        store.streams[NAME] = [*chained_anew(recorded[:first]), *sealed]
        with pytest.raises(Diverged) as found:
            open_fight(NAME, store, clock=noon)
        one_side = found.value.recorded if at < 0 else found.value.decided
        assert one_side is None


def test_a_fight_that_diverged_is_taken_back_to_the_safe_position() -> None:
    """Opened to be mended, it shows its last quiet moment, refuses all else, and goes on once it is taken back."""
    honest = in_turn()
    before = view_all_sides(honest)
    store, _, _ = store_rewritten(submit_lines(honest, "ilse attack brand"), PoolChanged, cheaper)
    fight = open_fight(NAME, store, clock=noon, mend=True)
    with pytest.raises(Diverged) as found:
        submit_accepted(fight, NOTE)
    assert found.value is fight.diverged
    submit_accepted(fight, Undo(to=found.value.safe, reason="the record does not fit the rules"))
    assert view_all_sides(fight).state == before.state
    submit_accepted(fight, NOTE)
    submit_accepted(open_fight(NAME, store, clock=noon), NOTE)


def test_what_is_resolved_is_taken_from_the_record_as_it_stands() -> None:
    """Events before a quiet moment are not decided again: an old roll is a fact under any rules."""
    fight = submit_lines(at_the_window(), "pass brand")
    assert fight.state.quiet

    def lucky(event: Event) -> Event:
        assert isinstance(event, Rolled)
        return replace(event, dice=(Faces(sides=20, kind="attack", faces=(20,)),))

    store, position, told = store_rewritten(fight, Rolled, lucky)
    assert open_fight(NAME, store, clock=noon).history.at(position).event == told


def test_a_recorded_command_that_the_rules_now_refuse_diverges() -> None:
    """It is shown with nothing beside it, and the refusal as its cause."""
    fight = at_the_window()
    recorded = list(fight.history.recorded)
    last = max(nth for nth, one in enumerate(recorded) if one.more and not recorded[nth - 1].more)
    recorded[last] = replace(recorded[last], event=replace(recorded[last].event, actor="nell"))
    store = MemoryStore()
    store.streams[NAME] = chained_anew(recorded)
    with pytest.raises(Diverged) as found:
        open_fight(NAME, store, clock=noon)
    assert (found.value.position, found.value.decided) == (last + 1, None)
    assert isinstance(found.value.__cause__, Refused)
