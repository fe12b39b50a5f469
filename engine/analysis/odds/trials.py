"""One way that a fight may end: it is fought from a moment on, by policies, with dice of its own."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from hashlib import sha256
from random import Random
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.analysis.moment import Moment, entered
from affray.engine.analysis.named import POLICIES
from affray.engine.analysis.stalemate import Stalemate
from affray.engine.runtime.decider import Decider
from affray.engine.runtime.dice import NamedDice
from affray.events import Event, Id

from .costs import Cost, moved

MOST = 3000
"""As many commands a fight may go on for; one that has not ended by then is given up."""

Unended = Literal["stalemate", "stuck", "limit"]
"""Why a fight did not end.

``stalemate``: two rounds on end passed in which nothing happened, so that all others would pass likewise, or a hundred
in which whatever was tried came to nothing. ``stuck``: the policy found nothing that anybody may do. ``limit``: it went
on for as many commands as a trial may.
"""


class Plan(Struct, frozen=True, kw_only=True):
    """What is tried: from where, by whom, and with which dice.

    Attributes:
        moment: Where it begins.
        policy: The name of the policy that plays everybody.
        by_side: The policies of some sides instead.
        seed: Any word. A trial's dice follow from it and the trial's number, so that the same trial of two plans meets
            the same faces wherever the same rolls are made.
        most: How many commands a trial may take.
    """

    moment: Moment
    policy: str = "sensible"
    by_side: dict[str, str] = {}
    seed: str = "odds"
    most: int = MOST


class Trial(Struct, frozen=True, kw_only=True):
    """How one fight ended.

    Attributes:
        unended: Why it did not end; nothing if it did.
        victors: The side that won; nothing if nobody did.
        rounds: The round it ended in.
        fallen: Who could fight no more: out of the fight, or helpless.
        pools: What was left in everybody's pools.
        costs: What else of that which outlasts a fight was not as before.
    """

    unended: Unended | Literal[""] = ""
    victors: str
    rounds: int
    fallen: tuple[Id, ...]
    pools: dict[Id, dict[str, int]]
    costs: dict[Cost, int] = {}

    def won_by(self, side: str) -> bool:
        """Tell whether a side won."""
        return self.ended and self.victors == side

    @property
    def ended(self) -> bool:
        """Whether it ended."""
        return not self.unended


def dice_of(plan: Plan, number: int) -> NamedDice:
    """Return the dice of a trial; they have nothing to do with the seed of any fight."""
    return NamedDice(sha256(f"{plan.seed}\n{number}".encode()).digest())


def fought(plan: Plan, number: int) -> Trial:
    """Fight a trial to its end, or until it is seen not to come to one.

    Raises:
        Refused, Unusable: something that is said first is not possible.
    """
    course = Course(plan, number)
    deque(course, maxlen=0)
    decider = course.decider
    return replace(course.ending(), costs=moved(plan.moment.state, decider.draft, decider.ruleset.vocabulary))


class Course:
    """The course of a trial, command by command.

    Attributes:
        decider: Stands where the trial has come to.
        chance: What its policies leave to chance.
        why_not: Why it has not ended, once it goes no further.

    Raises:
        Refused, Unusable: something that is said first is not possible.
    """

    def __init__(self, plan: Plan, number: int) -> None:
        self._plan = plan
        self._dice = dice_of(plan, number)
        self.decider = plan.moment.stand(self._dice)
        self.chance = Random(f"{plan.seed}\n{number}")
        self.why_not: Unended = "limit"

    def __iter__(self) -> Iterator[Decider]:
        """Yield the decider before each command, and where the trial goes no further."""
        plan, decider, draft = self._plan, self.decider, self.decider.draft
        stalemate = Stalemate(decider.ruleset, self.chance)
        for _ in range(plan.most):
            yield decider
            if draft.ended:
                return
            awaited = draft.awaited
            intent = _chosen(plan, decider, self.chance) if awaited is None else entered(awaited, self._dice)
            if intent is None:
                self.why_not = "stuck"
                return
            if stalemate.reached(decider.table, decider.carry_out(intent)):
                self.why_not = "stalemate"
                break
        yield decider

    def ending(self) -> Trial:
        """Return what the trial has come to, but for its costs."""
        draft, words = self.decider.draft, self.decider.ruleset.vocabulary
        people, out = draft.combatants.values(), words.with_role("out") | words.with_role("helpless")
        return Trial(
            unended="" if draft.ended else self.why_not,
            victors=draft.victors if draft.ended else "",
            rounds=draft.round,
            fallen=tuple([one.id for one in people if not out.isdisjoint(one.conditions)]),
            pools={one.id: dict(one.pools) for one in people},
        )


def _chosen(plan: Plan, decider: Decider, chance: Random) -> Event | None:
    """Return what is done next: by a side that has a policy of its own, else by the others."""
    usual = POLICIES[plan.policy]
    if not plan.by_side:
        return usual(decider, chance)
    sides = {who: one.side for who, one in decider.draft.combatants.items()}
    for side, name in plan.by_side.items():
        members = {who for who in sides if sides[who] == side}
        intent = POLICIES[name](decider, chance, members.__contains__)
        if intent is not None:
            return intent
    intent = usual(decider, chance, lambda who: sides.get(who, "") not in plan.by_side)
    return usual(decider, chance) if intent is None else intent
