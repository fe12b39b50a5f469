"""One way that a fight may end: it is fought from a moment on, by policies, with dice of its own."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from hashlib import sha256
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.analysis.named import POLICIES
from affray.engine.core.state import Awaited
from affray.engine.runtime.decider import Decider
from affray.engine.runtime.dice import NamedDice
from affray.events import DiceEntered, Event, Id

from .costs import Cost, moved
from .moment import Moment

MOST = 3000
"""As many commands a fight may go on for; one that has not ended by then is said not to end."""


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
        ended: Whether it did.
        victors: The side that won; nothing if nobody did.
        rounds: The round it ended in.
        fallen: Who could fight no more: out of the fight, or helpless.
        pools: What was left in everybody's pools.
        costs: What else of that which outlasts a fight was not as before.
    """

    ended: bool
    victors: str
    rounds: int
    fallen: tuple[Id, ...]
    pools: dict[Id, dict[str, int]]
    costs: dict[Cost, int] = {}

    def won_by(self, side: str) -> bool:
        """Tell whether a side won."""
        return self.ended and self.victors == side


def dice_of(plan: Plan, number: int) -> NamedDice:
    """Return the dice of a trial; they have nothing to do with the seed of any fight."""
    return NamedDice(sha256(f"{plan.seed}\n{number}".encode()).digest())


def chance_of(plan: Plan, number: int) -> Random:
    """Return what the policies of a trial leave to chance."""
    return Random(f"{plan.seed}\n{number}")


def fought(plan: Plan, number: int) -> Trial:
    """Fight a trial to its end.

    Raises:
        Refused, Unusable: something that is said first is not possible.
    """
    (decider,) = deque(under_way(plan, number, chance_of(plan, number)), maxlen=1)
    costs = moved(plan.moment.state, decider.draft, decider.ruleset.vocabulary)
    return replace(ending(decider), costs=costs)


def under_way(plan: Plan, number: int, chance: Random) -> Iterator[Decider]:
    """Yield the decider of a trial before each of its commands, and at its end.

    Raises:
        Refused, Unusable: something that is said first is not possible.
    """
    dice = dice_of(plan, number)
    decider = plan.moment.stand(dice)
    draft = decider.draft
    for _ in range(plan.most):
        yield decider
        if draft.ended:
            return
        intent = _entered(draft.awaited, dice) if draft.awaited is not None else _chosen(plan, decider, chance)
        if intent is None:
            return
        decider.carry_out(intent)
    yield decider


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


def _entered(awaited: Awaited, dice: NamedDice) -> DiceEntered:
    """Return real dice as the trial's own would have fallen."""
    groups = dice.faces(awaited.roll, awaited.dice)
    return DiceEntered(roll=awaited.roll, faces=tuple([face for faces in groups for face in faces]))


def ending(decider: Decider) -> Trial:
    """Return what a trial has come to, but for its costs."""
    draft, words = decider.draft, decider.ruleset.vocabulary
    people, out = draft.combatants.values(), words.with_role("out") | words.with_role("helpless")
    return Trial(
        ended=draft.ended,
        victors=draft.victors if draft.ended else "",
        rounds=draft.round,
        fallen=tuple([one.id for one in people if not out.isdisjoint(one.conditions)]),
        pools={one.id: dict(one.pools) for one in people},
    )
