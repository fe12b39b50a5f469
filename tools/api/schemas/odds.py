"""Odds for machines: every chance is from 0 to 1."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from affray.events import Id

Unended = Literal["stalemate", "stuck", "limit"]
"""The reason why a trial did not end."""


class Share(Struct, frozen=True):
    """A share of the trials: its 95 % interval, and the number of trials in it."""

    share: float
    low: float
    high: float
    count: int


class Range(Struct, frozen=True):
    """A mean, and the 10 %, 50 % and 90 % quantiles over the trials."""

    mean: float
    p10: int
    p50: int
    p90: int


class Remaining(Struct, frozen=True):
    """A pool: its value now, and its value at the end."""

    now: int
    mean: float
    p10: int
    p50: int
    p90: int


class Affliction(Struct, frozen=True, kw_only=True):
    """A condition: its count now, the share of trials that end with it, and the mean count."""

    now: int
    share: Share
    mean: float


class Thing(Struct, frozen=True, kw_only=True):
    """The state of an item at the end of the trials.

    Attributes:
        owner: The present owner.
        gone: The chance that it is lost for good.
        destroyed: The chance that its usage die is used up; ``None`` without one.
        die: The size of its usage die.
        counters: Its counters that last from fight to fight.
    """

    owner: Id
    gone: Share
    destroyed: Share | None = None
    die: Remaining | None = None
    counters: dict[str, Remaining] = {}


class Odds(Struct, frozen=True, kw_only=True):
    """The forecast of a fight's end.

    Attributes:
        position, round: The log position and the round that the forecast starts from.
        trials: The number of simulated fights.
        enough: Whether the requested precision was reached.
        policy: The policy that chose all actions.
        seed: The word that the dice of the trials are derived from.
        wins: The chance that each side wins, by side.
        unended: The chance that a trial does not end.
        why_not: The number of trials that did not end, by reason. ``stalemate``: nothing would change any more.
            ``stuck``: no combatant found a legal action. ``limit``: the trial reached its maximum length.
        rounds: The round in which the fight ends.
        falls: The chance that each combatant is out of the fight at its end, by combatant.
        pools: The pools at the end, by combatant and pool.
        conditions: The lasting conditions that some trials give or remove, by combatant.
        things: The items that some trials wear, use up or lose, by item id.
    """

    position: int
    round: int
    trials: int
    enough: bool
    policy: str
    seed: str
    wins: dict[str, Share]
    unended: Share
    why_not: dict[Unended, int]
    rounds: Range
    falls: dict[Id, Share]
    pools: dict[Id, dict[str, Remaining]]
    conditions: dict[Id, dict[str, Affliction]]
    things: dict[Id, Thing]
