"""The curve of the chance to win over a recorded fight: the effect of each step.

The chance is estimated at each point where it can change: before a decision, after it before any die for it has fallen,
and after each die. The effect of a step is the difference of two neighbouring points. The first chance plus all effects
is 1 if the side won, and 0 if it did not. This holds exactly, since all chances are fractions of the same number of
trials, and every point has the same dice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from fractions import Fraction
from math import sqrt
from random import Random
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from affray import events as facts
from affray.engine.analysis.odds import Plan, RolloutStart, Work, find_rollout_start
from affray.engine.analysis.odds.sampling import split_into_batches
from affray.engine.analysis.odds.tally import Z
from affray.engine.analysis.odds.workers import fight_in_process
from affray.engine.analysis.policies import choose_sensibly
from affray.engine.fight import Fight
from affray.engine.history.timeline import split_by_input
from affray.engine.runtime.dice import NamedDice
from affray.events import EVERYBODY, Event, Id, Recorded

NOBODY = ("gm", EVERYBODY)
"""Senders of decisions that are no combatants."""

BATCH = 5
"""The number of trials that a worker fights at a time, each from all points of the curve."""

By = Literal["decision", "luck", "ruling", "unclear"]
"""The cause of a change: a combatant's decision, dice, or the game master's ruling. ``unclear`` is a mixture of
them, where the rules have changed since."""


class Point(Struct, frozen=True, kw_only=True):
    """A point of the curve.

    Attributes:
        position: The event that leads to it; the last of the opening for the first point.
        by: The kind of that event.
        who: The combatant who decided or rolled; empty for the first point.
        moment: The start of its rollouts; ``None`` where the fight is over.
        same: Whether the trials of the point before are reused, because its fighters would have decided likewise.
    """

    position: int
    by: By
    who: Id
    moment: RolloutStart | None
    same: bool = False


class Move(Struct, frozen=True, kw_only=True):
    """The effect of one roll or decision.

    Attributes:
        position: The position of its event.
        by, who: See ``Point``.
        before, after: The number of trials that the side won, before and after it.
        trials: The number of trials.
        noise: Whether chance alone could make such a difference in so many trials (McNemar, 1947).
    """

    position: int
    by: By
    who: Id
    before: int
    after: int
    trials: int
    noise: bool

    @property
    def value(self) -> Fraction:
        """The rise of the chance to win, from -1 to 1."""
        return Fraction(self.after - self.before, self.trials)


class Curve(Struct, frozen=True, kw_only=True):
    """The whole curve for one side.

    Attributes:
        side: The side that is to win.
        trials: The number of trials at each point so far.
        opening: The number of them that the side won from the opening on.
        moves: The effects of rolls and decisions, in order.
        ended: Whether the fight was fought to its end. If not, the last chance is the result.
    """

    side: str
    trials: int
    opening: int
    moves: tuple[Move, ...]
    ended: bool

    def sum_of(self, *by: By, who: frozenset[Id] | None = None) -> Fraction:
        """Return the total effect of some kinds of steps, of all combatants or of some."""
        fit = (one for one in self.moves if one.by in by and (who is None or one.who in who))
        return sum((one.value for one in fit), Fraction(0))

    @property
    def result(self) -> Fraction:
        """The result: the chance at the opening plus all effects."""
        return Fraction(self.opening, self.trials) + sum((one.value for one in self.moves), Fraction(0))


def list_points(fight: Fight) -> list[Point]:
    """Return the points of a recorded fight's curve, in order.

    Raises:
        Senseless: the record has no quiet state to begin from.
    """
    opening, *commands = split_by_input(fight.history.effective())
    found = [
        Point(
            position=opening[-1].position, by="decision", who="", moment=find_rollout_start(fight, opening[-1].position)
        )
    ]
    for command in commands:
        points = list(_list_command_points(fight, command, found[-1].moment))
        if any(isinstance(one.event, facts.FightEnded) for one in command):
            return [*found, *points[:-1], replace(points[-1], moment=None, same=False)]
        found += points
    return found


def _list_command_points(fight: Fight, command: list[Recorded], before: RolloutStart | None) -> Iterator[Point]:
    """Yield the points of a command: after its input, and after each of its dice."""
    head = command[0]
    said = find_rollout_start(fight, head.position)
    if said.position != head.position or before is None:
        yield Point(
            position=head.position, by="unclear", who="", moment=find_rollout_start(fight, command[-1].position)
        )
        return
    by, who = _classify_input(head.event)
    rolls = [(one.position, one.event.by) for one in command if isinstance(one.event, facts.Rolled)]
    if by == "luck":
        (_, who), *rolls = rolls
    yield Point(position=head.position, by=by, who=who, moment=said, same=_is_expected(before, head.event))
    for position, roller in rolls:
        yield Point(position=position, by="luck", who=roller, moment=find_rollout_start(fight, position))


def _classify_input(event: Event) -> tuple[By, Id]:
    """Return the kind of an input and its combatant.

    A decision of the game master counts as a ruling, entered dice as luck.
    """
    match event:
        case facts.DiceEntered():
            return "luck", ""
        case facts.Declared(actor=who) | facts.Attempted(actor=who) if who not in NOBODY:
            return "decision", who
        case facts.Answered(by=who) | facts.Passed(who=who) | facts.AskingSet(who=who) if who not in NOBODY:
            return "decision", who
        case _:
            return "ruling", "gm"


def _is_expected(before: RolloutStart, intent: Event) -> bool:
    """Tell whether the fighters of the trials would decide likewise without dice.

    Then the decision has no effect.
    """
    decider = before.make_decider(NamedDice(bytes(32)))
    return decider.draft.awaited is None and choose_sensibly(decider, Random(0)) == intent


def compute_curve(
    fight: Fight, side: str, trials: int = 200, seed: str = "luck", work: Work = fight_in_process
) -> Curve:
    """Return the curve of a recorded fight for a side.

    Args:
        trials: The number of fights from each point.

    Raises:
        Senseless: the record has no quiet state to begin from.
    """
    *_, found = compute_curves(fight, side, trials, seed, work)
    return found


def compute_curves(
    fight: Fight, side: str, trials: int = 200, seed: str = "luck", work: Work = fight_in_process
) -> Iterator[Curve]:
    """Yield the curve after every few trials of each point; see ``compute_curve``."""
    points = list_points(fight)
    plans = tuple([Plan(moment=one.moment, seed=seed) for one in points if one.moment is not None and not one.same])
    over, fought = fight.state.victors == side, 0
    counts = [_Count() for _ in points]
    with closing(work(split_into_batches(plans, trials, BATCH))) as done:
        for some in done:
            for fresh in some:
                _count_trial(counts, points, [one.won_by(side) for one in fresh], over)
            fought += len(some)
            yield Curve(
                side=side,
                trials=fought,
                opening=counts[0].won,
                moves=tuple([_make_move(*one, fought) for one in zip(points[1:], counts, counts[1:], strict=False)]),
                ended=points[-1].moment is None,
            )


class _Count(Struct):
    """Counts of a point: trials won, won here but not before, and won only before."""

    won: int = 0
    better: int = 0
    worse: int = 0


def _count_trial(counts: list[_Count], points: list[Point], fresh: Iterable[bool], over: bool) -> None:
    """Count a trial of each point.

    A point without own trials takes the result of the point before, or of the recorded fight.
    """
    own, now = iter(fresh), False
    for count, point in zip(counts, points, strict=True):
        before, now = now, over if point.moment is None else now if point.same else next(own)
        count.won += now
        count.better += now > before
        count.worse += now < before


def _make_move(point: Point, before: _Count, after: _Count, trials: int) -> Move:
    """Return the effect of a step, and whether it may be chance.

    It may be chance if the trials with a difference are about as often better as worse.
    """
    better, worse = after.better, after.worse
    return Move(
        position=point.position,
        by=point.by,
        who=point.who,
        before=before.won,
        after=after.won,
        trials=trials,
        noise=abs(better - worse) <= Z * sqrt(better + worse),
    )
