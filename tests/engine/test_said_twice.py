"""Every ruling of every system, said twice: the second time it is refused, or something comes of it once more."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

import msgspec
import pytest

from affray.engine import Fight, Refused, Unusable
from affray.engine.core.state import State
from affray.events import (
    Event,
    MarkSet,
    PhaseEntered,
    Resolved,
    Rolled,
    Ruled,
    Stacked,
    Withdrawn,
)
from tests.engine.choices import Choices
from tests.engine.drawing import FIRST
from tests.engine.encounters import RULED
from tests.engine.fights import submit_accepted
from tests.engine.ruled import make_ruling
from tests.engine.waiting import moments
from tests.rulesets.systems import PRESENT

RECORDED = frozenset({"note", "release", "roll", "secret_roll"})
"""The kinds of rulings of which nothing comes but that they are recorded."""

ADDS = frozenset(
    {
        *("allow", "deny", "modify"),  # each is used up by itself
        *("damage", "free_attack", "harm", "morale", "test"),  # each is resolved with its dice
        *("gear", "grant", "recover", "step"),  # each adds to what is there
        *RECORDED,
        *("close", "late_delay"),  # each is about what comes next
    }
)
"""The kinds of rulings that mean something more each time."""

ADDS_WITH = {"pool": "by", "give": "count", "take_away": "count", "condition": "until"}
"""The field with which others do; the end of somebody's own turn is another one once a condition changed who acts."""

GOES_ON = (PhaseEntered, Resolved, Rolled, Stacked, Withdrawn)
"""The events behind which a fight went on, so that a ruling may have been used up."""

ENOUGH = 4
"""How often each kind is said twice."""

STRIDE = 7
"""One moment in so many is taken, so that those that follow each other are not much the same."""


class Twice(NamedTuple):
    """A ruling that was accepted, and what came of saying it again: its events, or nothing if it was refused."""

    ruling: Ruled
    first: list[Event]
    again: list[Event]
    before: State
    after: State

    @property
    def is_repeatable(self) -> bool:
        """Tell whether it may be accepted again: it adds something, or its effect was used up meanwhile."""
        kind, params = self.ruling.kind, msgspec.json.decode(self.ruling.params)
        return (
            kind in ADDS
            or bool(params.get(ADDS_WITH.get(kind, "")))
            or any(isinstance(event, GOES_ON) for event in self.first)
        )

    @property
    def has_effect(self) -> bool:
        """Tell whether its second time changed more than a note."""
        if self.ruling.kind in RECORDED:
            return True
        changed = [name for name in State.__struct_fields__ if getattr(self.before, name) != getattr(self.after, name)]
        if any(name not in ("counts", "marks") for name in changed) or any(
            isinstance(one, GOES_ON) for one in self.again
        ):
            return True
        return "marks" in changed and all(isinstance(one, MarkSet) for one in self.again)

    def __str__(self) -> str:
        return f"{self.ruling.kind} {bytes(self.ruling.params).decode()}: {self.again}"


def say_twice(system: str) -> Iterator[Twice]:
    """Say rulings of every kind, twice each, at several moments."""
    there, lacks = moments(system), dict.fromkeys(sorted(RULED[system]), ENOUGH)
    for nth, moment in enumerate(one for start in range(STRIDE) for one in there[start::STRIDE]):
        fight: Fight | None = None
        for kind in [kind for kind, left in lacks.items() if left]:
            fight = moment.fight() if fight is None or kind in FIRST else fight
            bring_about(fight, kind, nth)
            try:
                ruling = make_ruling(fight, Choices(f"{nth} {kind}".encode()), kind)
                first = list_events(fight, ruling)
            except (Refused, Unusable):
                continue
            before, again = fight.state, list[Event]()
            with suppress(Refused, Unusable):
                again = list_events(fight, ruling)
            yield Twice(ruling, first, again, before, fight.state)
            fight, lacks[kind] = None, lacks[kind] - 1


def bring_about(fight: Fight, kind: str, nth: int) -> None:
    """Rule the preconditions of a kind of ruling, where these are rare."""
    first = FIRST.get(kind)
    if first is not None:
        bring_about(fight, first.name, nth)
        with suppress(Refused, Unusable):
            submit_accepted(fight, make_ruling(fight, Choices(bytes([nth])), first.name))


def list_events(fight: Fight, ruling: Ruled) -> list[Event]:
    """Rule something, and return the events that follow from it."""
    return [one.event for one in submit_accepted(fight, ruling).recorded][1:]


@pytest.mark.parametrize("system", PRESENT)
def test_a_ruling_said_twice_is_refused_or_has_an_effect_each_time(system: str) -> None:
    told = list(say_twice(system))
    again = [one for one in told if one.again]
    assert [str(one) for one in again if not (one.is_repeatable and one.has_effect)] == []
    assert {one.ruling.kind for one in told} == set(RULED[system])
