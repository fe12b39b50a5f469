"""Rulings of every kind, at every moment a fight can wait in."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress

import pytest

from affray.engine import EngineError, Fight, Refused, Undo, Unusable, fold, load
from affray.engine.history.timeline import History
from affray.engine.kit.modifiers import list_granted, use_up_granted
from affray.events import MarkSet, Source
from affray.tools.parse import intent_parser
from tests.engine.choices import Choices
from tests.engine.drawing import FIRST
from tests.engine.encounters import RULED
from tests.engine.fights import NAME, SEED, FightSeen, encode_state, noon, submit_accepted, view_all_sides
from tests.engine.ruled import make_ruling
from tests.engine.shoving import shoving
from tests.engine.waiting import Moment, moments
from tests.engine.watched import Watched
from tests.examples import THOROUGH, example_count
from tests.rulesets.systems import PRESENT

EVERY = [(system, kind) for system in PRESENT for kind in sorted(RULED[system])]

TRIES = example_count() // 40
"""How often each ruling is made at each moment with ``AFFRAY_PROFILE=thorough``."""

MANY = int(os.environ.get("AFFRAY_RULINGS", "1000000" if THOROUGH else "10000"))
"""So many rulings of any kind are drawn in each system; ``AFFRAY_RULINGS`` says otherwise."""

ROW = 4
"""So many of them are made one after another at one moment."""

SEEN: dict[int, FightSeen] = {}
"""How the moments look, which are kept as long as the tests run."""


def reload_from_record(fight: Fight) -> Fight:
    """Make the fight once more from its record, as after a restart."""
    history = History()
    history.add(fight.history.recorded)
    return Fight(NAME, fight.ruleset, history, seed=SEED, clock=noon)


def leading_to(kind: str) -> list[str]:
    """Return what must have been ruled before a kind of ruling, the last of it first."""
    first = FIRST.get(kind)
    return [first.name, *leading_to(first.name)] if first else []


def rule_at_random(moment: Moment, kind: str, nth: int) -> EngineError | None:
    """Rule something at random and look at the fight from all sides, then take it back; return why not, if refused."""
    fight = moment.fight()
    if kind in FIRST:
        for first in reversed(leading_to(kind)):
            with suppress(Refused, Unusable):
                submit_accepted(fight, make_ruling(fight, Choices(bytes([nth % 256])), first))
        before = view_all_sides(fight)
    else:
        before = seen_at(moment)
    try:
        submit_accepted(fight, make_ruling(fight, Choices(bytes([nth % 256])), kind))
    except (Refused, Unusable) as no:
        assert view_all_sides(fight) == before
        return no.with_traceback(None)  # which would keep the fight, and rules that wait, until they are collected
    assert encode_state(fold(fight.history.effective())) == encode_state(fight.state)
    assert view_all_sides(reload_from_record(fight)) == view_all_sides(fight)
    submit_accepted(fight, Undo())
    assert view_all_sides(fight) == before
    return None


def seen_at(moment: Moment) -> FightSeen:
    """Return how a moment looks from all sides, which is looked at once."""
    if id(moment) not in SEEN:
        SEEN[id(moment)] = view_all_sides(moment.fight())
    return SEEN[id(moment)]


def tries(system: str, times: int) -> Iterator[tuple[int, Moment]]:
    """Yield every moment so many times, each with another number to draw from."""
    return ((at + nth, moment) for at, moment in enumerate(moments(system)) for nth in range(times))


def one_of_each(system: str, kind: str) -> Iterator[tuple[int, Moment]]:
    """Yield every other kind of moment, each with a number to draw from; the next ruling gets the rest."""
    nth = EVERY.index((system, kind))
    here = moments(system) if nth % 4 < 2 else reversed(moments(system))
    return enumerate(list({moment.waits: moment for moment in here}.values())[nth % 2 :: 2])


def list_ruling_rows(system: str) -> Iterator[tuple[int, Moment]]:
    """Yield the numbers of the rulings that are drawn, each first of a row with its moment."""
    there = moments(system)
    return ((nth, there[nth // ROW % len(there)]) for nth in range(0, MANY, ROW))


@pytest.mark.parametrize("system", PRESENT)
def test_there_is_something_to_say_for_every_ruling(system: str) -> None:
    """Generated fights then use every possible ruling."""
    where = f"everywhere() of tests/engine/drawing.py, or DRAWN of tests/rulesets/{system}/drawn.py"
    assert RULED[system].keys() == load(system).rulings.keys(), f"say how to draw its parameters in {where}"


@pytest.mark.parametrize(("system", "kind"), EVERY)
def test_a_ruling_is_recorded_reopened_and_taken_back_at_any_moment(system: str, kind: str) -> None:
    """A legal one holds, after a restart too; an illegal one is refused and leaves no trace."""
    tried = tries(system, TRIES) if THOROUGH else one_of_each(system, kind)
    answers = [rule_at_random(moment, kind, nth) for nth, moment in tried]
    if None not in answers:
        answers += [rule_at_random(moment, kind, nth) for nth, moment in tries(system, 4)]
    assert None in answers


@pytest.mark.parametrize("system", PRESENT)
def test_a_ruling_at_any_moment_holds_or_is_refused(system: str) -> None:
    """It is refused with a reason, or changes the state, holds, and leaves the fight sound."""
    found = []
    for first, moment in list_ruling_rows(system):
        watched = Watched(moment)
        found += [watched.rule(nth) for nth in range(first, first + ROW)]
    assert [one for one in found if one not in ("", "refused")] == []
    assert found.count("") > MANY // 4


def test_what_is_granted_twice_counts_twice_and_is_used_up_together() -> None:
    """Under one label or under two: nothing that was granted is lost, and each is told by its label."""
    fight = shoving()
    for line in ("rule modify ash 1", "rule modify ash 1", "rule modify ash -1", "rule modify ash 1 label=rain"):
        submit_accepted(fight, intent_parser.intent(fight, line, "so it is"))
    counted = list_granted(fight.table, "ash", "HEX-004")
    assert [(one.value, one.label) for one in counted] == [(1, "ruling"), (1, "ruling"), (-1, "ruling"), (1, "rain")]
    assert len({one.source for one in counted}) == len(counted)
    gone = [event for event in use_up_granted(fight.table, "ash") if isinstance(event, MarkSet)]
    assert [Source(of=event.owner, name=event.key, about=event.about) for event in gone] == [
        one.source for one in counted
    ]


def test_a_condition_is_taken_away_whatever_gave_it_unless_a_source_is_named() -> None:
    fight = shoving()
    for line in ("condition ash dazed", "condition ash dazed source=a", "condition ash dazed source=b"):
        submit_accepted(fight, intent_parser.intent(fight, f"rule {line}", "so it is"))
    submit_accepted(fight, intent_parser.intent(fight, "rule condition ash dazed 0 source=a", "so it is"))
    assert fight.state.combatants["ash"].conditions["dazed"] == {"": 1, "b": 1}
    submit_accepted(fight, intent_parser.intent(fight, "rule condition ash dazed 0", "so it is"))
    assert not fight.state.combatants["ash"].has("dazed")
    with pytest.raises(Refused, match="has dazed 0 already"):
        submit_accepted(fight, intent_parser.intent(fight, "rule condition ash dazed 0", "so it is"))
