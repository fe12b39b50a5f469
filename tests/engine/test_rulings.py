"""Rulings of every kind, at every moment a fight can wait in."""

from __future__ import annotations

from contextlib import suppress

import pytest

from affray.engine import EngineError, Fight, Refused, Undo, Unusable, fold, load
from affray.engine.history import History
from tests.engine.choices import Choices
from tests.engine.encounters import RULED
from tests.engine.fights import NAME, SEED, acted, encoded, noon, seen
from tests.engine.ruled import ruled
from tests.engine.waiting import moments
from tests.examples import example_count
from tests.rulesets.systems import PRESENT

EVERY = [(system, kind) for system in PRESENT for kind in sorted(RULED[system])]

FIRST = {"reveal": "conceal", "unveil": "veil"}
"""What must have been ruled before a ruling can make sense."""

TRIES = max(1, example_count() // 40)
"""How often each ruling is made at each moment: once by default, more with ``AFFRAY_PROFILE=thorough``."""


def again(fight: Fight) -> Fight:
    """Make the fight once more from its record, as after a restart."""
    history = History()
    history.add(fight.history.recorded)
    return Fight(NAME, fight.ruleset, history, seed=SEED, clock=noon)


def refused(fight: Fight, kind: str, nth: int) -> EngineError | None:
    """Rule something at random and look at the fight from all sides, then take it back; return why not, if refused."""
    if kind in FIRST:
        with suppress(Unusable):
            acted(fight, ruled(fight, Choices(bytes([nth])), FIRST[kind]))
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


@pytest.mark.parametrize("system", PRESENT)
def test_there_is_something_to_say_for_every_ruling(system: str) -> None:
    """So that generated fights rule whatever can be ruled."""
    assert RULED[system].keys() == load(system).rulings.keys()


@pytest.mark.parametrize(("system", "kind"), EVERY)
def test_a_ruling_is_recorded_reopened_and_taken_back_at_any_moment(system: str, kind: str) -> None:
    """Where it makes sense it holds, after a restart too; where it does not it is refused and leaves no trace."""
    answers = [
        refused(moment.fight(), kind, at + nth) for at, moment in enumerate(moments(system)) for nth in range(TRIES)
    ]
    assert None in answers
