"""What the engine's named dice come to in very many attacks, beside what mathematics says.

Each attack is decided by the engine from the same moment under a seed of its own, so that its dice are those a table
would see. A share of them may differ from its exact chance by ``WIDE`` standard errors: for one share that happens once
in 1.7 million honest samples. The seeds are fixed, so a red run is red again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from hashlib import sha256
from math import sqrt
from typing import Any

import msgspec
from msgspec import Raw

from affray.engine import Fight
from affray.engine.course import Course
from affray.engine.dice import NamedDice
from affray.engine.draft import Draft
from affray.events import Answered, Declared, Event, Rolled

WIDE = 5.0
"""How many standard errors a share may be off."""

Reply = Mapping[str, str]
"""What is chosen where a question of some kind is asked."""


def declared(actor: str, kind: str, **params: Any) -> Declared:
    """Return a declaration."""
    return Declared(actor=actor, kind=kind, params=Raw(msgspec.json.encode(params)))


def sampled(
    fight: Fight, intent: Event, read: Callable[[list[Event]], Any], times: int, replies: Reply | None = None
) -> tuple[Counter[Any], int]:
    """Let something happen so many times from the same moment.

    Args:
        fight: At the moment.
        intent: What is declared.
        read: Makes an outcome of what was recorded.
        times: How often.
        replies: The choice for each question by what it is about; the first option where nothing is said.

    Returns:
        How often each outcome came, and how many rolls there were in all.
    """
    state, config = fight.state, fight.table.config
    found: Counter[Any] = Counter()
    rolls = 0
    for nth in range(times):
        course = Course(fight.ruleset, Draft(state), config, NamedDice(sha256(nth.to_bytes(4, "big")).digest()))
        events = list(course.carry_out(intent))
        while (asked := course.draft.question) is not None:
            choice = (replies or {}).get(asked.about.partition(":")[0], asked.options[0].choice)
            events += course.carry_out(Answered(question=asked.id, by=asked.of[0], choice=choice))
        found[read(events)] += 1
        rolls += sum(isinstance(one, Rolled) for one in events)
    return found, rolls


def agree(found: Counter[Any], exact: Mapping[Any, float]) -> list[str]:
    """Return every outcome whose share is too far from its chance, or that cannot happen and did."""
    times = found.total()
    off = [f"{one} came {found[one]} times and cannot" for one in found if not exact.get(one)]
    for one, chance in exact.items():
        share, error = found[one] / times, sqrt(chance * (1 - chance) / times)
        if abs(share - chance) > WIDE * error + 1e-12:
            off.append(f"{one}: {share:.5f} of {times}, which should be {chance:.5f} ± {WIDE * error:.5f}")
    return off


def chances(die: Any) -> dict[Any, float]:
    """Return the exact chance of every outcome of a die of the library."""
    return {outcome: float(die.probability(outcome)) for outcome in die.outcomes()}
