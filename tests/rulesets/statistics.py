"""Results of the engine's named dice in very many attacks, compared with exact chances.

With ``AFFRAY_PROFILE=thorough`` they are ten times as many, more than 100,000 rolls a system; that each face leads to
the outcome it should is shown face by face elsewhere (``test_odds_enumerated.py``). Each attack is decided by the
engine from the same moment under a seed of its own, so that its dice are those a table would see. How often an outcome
comes may differ from what is expected by ``WIDE`` standard errors, which for one outcome happens once in 1.7 million
honest samples. The seeds are fixed, so a red run is red again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from hashlib import sha256
from math import comb, sqrt
from typing import Any

import msgspec
from msgspec import Raw

from affray.engine import Command, Fight, begin_fight
from affray.engine.core.draft import Draft
from affray.engine.runtime.decider import Decider
from affray.engine.runtime.dice import NamedDice
from affray.events import Answered, AskingSet, Declared, Event, Rolled
from tests.examples import THOROUGH

SHARE = 1 if THOROUGH else 10
"""Which part of the attacks is tried."""

WIDE = 5.0
"""How many standard errors a share may be off."""

MANY = 100
"""Above this variance the count of an outcome is as good as normal."""

SELDOM = 2.9e-7
"""The chance of being so many standard errors too high."""

Reply = Mapping[str, str]
"""What is chosen where a question of some kind is asked."""


def open_unstored_fight(told: Mapping[str, Any]) -> Fight:
    """Open a fight from an encounter's content, kept nowhere; its dice follow from the seed alone."""
    return begin_fight("many", told, who="gm", seed=bytes(32), clock=lambda: "", dice=NamedDice(bytes(32)))


def submit_intent(fight: Fight, intent: Event) -> None:
    """Do something that must be accepted."""
    fight.submit(Command(id=f"at {fight.head}", who="gm", intent=intent))


def make_declaration(actor: str, kind: str, **said: Any) -> Declared:
    """Return a declaration."""
    return Declared(actor=actor, kind=kind, params=params(**said))


def params(**said: Any) -> Raw:
    """Return parameters as they are recorded."""
    return Raw(msgspec.json.encode(said))


def standing_back(fight: Fight) -> None:
    """Set standing passes, so that no combatant is asked to interrupt."""
    for who in fight.state.combatants:
        submit_intent(fight, AskingSet(who=who, ask="never"))


def sample_outcomes(
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
        course = Decider(fight.ruleset, Draft(state), config, NamedDice(sha256(nth.to_bytes(4, "big")).digest()))
        events = list(course.carry_out(intent))
        while (asked := course.draft.question) is not None:
            choice = (replies or {}).get(asked.about.partition(":")[0], asked.options[0].choice)
            events += course.carry_out(Answered(question=asked.id, by=asked.of[0], choice=choice))
        found[read(events)] += 1
        rolls += sum(isinstance(one, Rolled) for one in events)
    return found, rolls


def agree(found: Counter[Any], exact: Mapping[Any, float]) -> list[str]:
    """Return every outcome with a deviating share, and impossible ones that occurred."""
    times = found.total()
    off = [f"{one} came {found[one]} times and cannot" for one in found if not exact.get(one)]
    for one, chance in exact.items():
        if too_far(found[one], times, chance):
            off.append(f"{one} came {found[one]} times of {times}, which should be about {times * chance:.1f}")
    return off


def too_far(count: int, times: int, chance: float) -> bool:
    """Tell whether an outcome came so often or so seldom as happens by chance once in 1.7 million samples.

    Where many are expected by the standard error, of rare outcomes by the exact binomial tail above their count.
    """
    if chance > 1 / 2:
        return too_far(times - count, times, 1 - chance)
    variance = times * chance * (1 - chance)
    if variance > MANY:
        return abs(count - times * chance) > WIDE * sqrt(variance)
    below = sum(comb(times, nth) * chance**nth * (1 - chance) ** (times - nth) for nth in range(count))
    return 1 - below < SELDOM


def chances(die: Any) -> dict[Any, float]:
    """Return the exact chance of every outcome of a die of the library."""
    return {outcome: float(die.probability(outcome)) for outcome in die.outcomes()}
