"""One trial: a fight fought on from a starting point by policies, with other dice."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from hashlib import sha256
from random import Random
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.analysis.policies import choose_by_side
from affray.engine.analysis.policy_registry import POLICIES
from affray.engine.analysis.rollout_start import RolloutStart, enter_dice
from affray.engine.analysis.stalemate import StalemateDetector
from affray.engine.runtime.decider import Decider
from affray.engine.runtime.dice import NamedDice
from affray.events import Event, Id

from .costs import LastingNumber, find_changed_numbers

MOST = 3000
"""The most commands of a trial. A fight that has not ended by then is given up."""

Unended = Literal["stalemate", "stuck", "limit"]
"""The reason why a trial did not end.

``stalemate``: nothing happened in two successive rounds, or a hundred rounds changed nothing. ``stuck``: the policy
found no legal action. ``limit``: it reached the most commands of a trial."""


class Plan(Struct, frozen=True, kw_only=True):
    """The settings of a trial: start, policies and dice.

    Attributes:
        moment: The starting point.
        policy: The name of the policy for all combatants.
        by_side: The policies of some sides instead.
        seed: Any word. A trial's dice follow from it and the trial's number. So the same trial of two plans meets the
            same faces as long as the same rolls are made.
        most: The most commands of a trial.
    """

    moment: RolloutStart
    policy: str = "sensible"
    by_side: dict[str, str] = {}
    seed: str = "odds"
    most: int = MOST


class RolloutResult(Struct, frozen=True, kw_only=True):
    """The result of one trial.

    Attributes:
        unended: The reason why it did not end; empty if it did.
        victors: The side that won; empty if none did.
        rounds: The round of its end.
        fallen: The combatants who could no longer fight: out of the fight, or helpless.
        pools: The final values of all pools, by combatant.
        costs: The other lasting numbers that changed, with their final values.
    """

    unended: Unended | Literal[""] = ""
    victors: str
    rounds: int
    fallen: tuple[Id, ...]
    pools: dict[Id, dict[str, int]]
    costs: dict[LastingNumber, int] = {}

    def won_by(self, side: str) -> bool:
        """Tell whether a side won."""
        return self.ended and self.victors == side

    @property
    def ended(self) -> bool:
        """True if the fight ended."""
        return not self.unended


def make_trial_dice(plan: Plan, number: int) -> NamedDice:
    """Return the dice of a trial. They do not depend on the seed of any fight."""
    return NamedDice(sha256(f"{plan.seed}\n{number}".encode()).digest())


def fight_rollout(plan: Plan, number: int) -> RolloutResult:
    """Fight a trial to its end, or until it is known not to end.

    Raises:
        Refused, Unusable: the first input of the plan is not possible.
    """
    course = Rollout(plan, number)
    deque(course, maxlen=0)
    decider = course.decider
    return replace(
        course.make_result(), costs=find_changed_numbers(plan.moment.state, decider.draft, decider.ruleset.vocabulary)
    )


class Rollout:
    """A rollout: a trial that is fought command by command.

    Attributes:
        decider: Decides the commands of the trial.
        chance: The random source of its policies.
        why_not: The reason why the trial has not ended, once it stops.

    Raises:
        Refused, Unusable: the first input of the plan is not possible.
    """

    def __init__(self, plan: Plan, number: int) -> None:
        self._plan = plan
        self._dice = make_trial_dice(plan, number)
        self.decider = plan.moment.make_decider(self._dice)
        self.chance = Random(f"{plan.seed}\n{number}")
        self.why_not: Unended = "limit"

    def __iter__(self) -> Iterator[Decider]:
        """Yield the decider before each command, and when the trial stops."""
        plan, decider, draft = self._plan, self.decider, self.decider.draft
        stalemate = StalemateDetector(decider.ruleset, self.chance)
        for _ in range(plan.most):
            yield decider
            if draft.ended:
                return
            awaited = draft.awaited
            intent = _choose_input(plan, decider, self.chance) if awaited is None else enter_dice(awaited, self._dice)
            if intent is None:
                self.why_not = "stuck"
                return
            if stalemate.observe(decider.table, decider.carry_out(intent)):
                self.why_not = "stalemate"
                break
        yield decider

    def make_result(self) -> RolloutResult:
        """Return the result of the trial, without its costs."""
        draft, words = self.decider.draft, self.decider.ruleset.vocabulary
        people, out = draft.combatants.values(), words.with_role("out") | words.with_role("helpless")
        return RolloutResult(
            unended="" if draft.ended else self.why_not,
            victors=draft.victors if draft.ended else "",
            rounds=draft.round,
            fallen=tuple([one.id for one in people if not out.isdisjoint(one.conditions)]),
            pools={one.id: dict(one.pools) for one in people},
        )


def _choose_input(plan: Plan, decider: Decider, chance: Random) -> Event | None:
    """Return the next input: by a side with its own policy, else by the usual policy."""
    usual = POLICIES[plan.policy]
    if not plan.by_side:
        return usual(decider, chance)
    by_side = {side: POLICIES[name] for side, name in plan.by_side.items()}
    intent = choose_by_side(decider, by_side, usual, chance)
    return usual(decider, chance) if intent is None else intent
