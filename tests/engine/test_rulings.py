"""Rulings of every kind, at every moment a fight can wait in."""

from __future__ import annotations

import pytest

from affray.engine import EngineError, Fight, Refused, Undo, Unusable, fold, load
from affray.engine.history import History
from tests.engine.choices import Choices
from tests.engine.fights import NAME, SEED, acted, encoded, noon, seen
from tests.engine.moments import MOMENTS, on_a_board
from tests.engine.ruled import RULED, ruled


@pytest.fixture(scope="module")
def moments() -> list[Fight]:
    """Every moment a fight can wait in, and one on a board with a group."""
    return [moment() for moment in (*MOMENTS.values(), on_a_board)]


def again(fight: Fight) -> Fight:
    """Make the fight once more from its record, as after a restart."""
    history = History()
    history.add(fight.history.recorded)
    return Fight(NAME, fight.ruleset, history, seed=SEED, clock=noon)


def refused(fight: Fight, kind: str, nth: int) -> EngineError | None:
    """Rule something at random and look at the fight from all sides, then take it back; return why not, if refused."""
    before = seen(fight)
    try:
        acted(fight, ruled(fight, Choices(bytes([nth])), kind))
    except (Refused, Unusable) as no:
        assert seen(fight) == before
        return no
    assert encoded(fold(fight.history.effective())) == encoded(fight.state)
    assert seen(again(fight)) == seen(fight)
    acted(fight, Undo())
    assert seen(fight) == before
    return None


def test_there_is_something_to_say_for_every_ruling() -> None:
    """So that generated fights rule whatever can be ruled."""
    assert RULED.keys() == load("vestige").rulings.keys()


@pytest.mark.parametrize("kind", sorted(RULED))
def test_a_ruling_is_recorded_reopened_and_taken_back_at_any_moment(kind: str, moments: list[Fight]) -> None:
    """Where it makes sense it holds, after a restart too; where it does not it is refused and leaves no trace."""
    answers = []
    for moment in moments:
        fight = again(moment)
        answers += [refused(fight, kind, nth) for nth in range(3)]
    assert None in answers
