"""Fight the same trial from several starts, and reuse its end if states coincide.

Trials of one number meet the same dice, so a quiet state alone determines how they end. Neighbouring points of a fight
often lead to the same state. An attack misses with many faces, and a decision is often the one that the policy would
make anyway.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, json
from msgspec.structs import replace

from affray.engine.core.state import State

from .trials import Plan, Rollout, RolloutResult

Key = tuple[int, ...]
"""Tells most states of a fight apart: the round, and the number of declarations of each combatant in it."""


class RolloutPath(Struct, frozen=True):
    """The path of a trial to its end.

    Attributes:
        trial: The result.
        states: The quiet states on the path, each with the number of commands after it.
    """

    trial: RolloutResult
    states: dict[Key, tuple[State, int]]


def fight_together(plans: Sequence[Plan], number: int) -> list[RolloutResult]:
    """Fight a trial of each plan, with the same results as ``fight_rollout``, without costs.

    Raises:
        Refused, Unusable: the first input of a plan is not possible.
    """
    found: list[RolloutResult] = []
    last, way = None, None
    for plan in plans:
        if last is None or replace(plan, moment=last.moment) != last:
            way = None
        last, way = plan, _fight_or_reuse(plan, number, way)
        found.append(way.trial)
    return found


def _fight_or_reuse(plan: Plan, number: int, before: RolloutPath | None) -> RolloutPath:
    """Return how a trial ends, known early if it meets a state of the trial before."""
    course, commands = Rollout(plan, number), 0
    unused = course.chance.getstate()
    passed: list[tuple[Key, State, int]] = []
    for commands, decider in enumerate(course):
        if not decider.draft.quiet:
            continue
        state = decider.draft.freeze()
        key = (state.round, *state.counts.values())
        if before is not None and key in before.states:
            met, more = before.states[key]
            if commands + more < plan.most and _is_same(met, state) and course.chance.getstate() == unused:
                return RolloutPath(before.trial, before.states | _count_commands(passed, commands + more))
        passed.append((key, state, commands))
    trial = course.make_result()
    if not trial.ended or course.chance.getstate() != unused:
        passed = []  # the state alone does not decide the result
    return RolloutPath(trial, _count_commands(passed, commands))


def _count_commands(passed: list[tuple[Key, State, int]], last: int) -> dict[Key, tuple[State, int]]:
    """Return states with the number of commands from each to the last."""
    return {key: (state, last - commands) for key, state, commands in passed}


def _is_same(one: State, other: State) -> bool:
    """Tell whether two states are equal, including the order of their content.

    Rules may depend on that order.
    """
    return one == other and json.encode(one) == json.encode(other)
