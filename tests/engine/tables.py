"""A table of people who play a fight again from its inputs alone: the truth that an amendment must equal."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from hypothesis import assume
from msgspec.structs import replace

from affray.engine import Fight, Refused, Unusable
from affray.engine.analysis.policies import make_input
from affray.engine.commands import Amend
from affray.engine.history.amend import AMENDABLE, Amendment
from affray.engine.history.timeline import History, split_by_input
from affray.engine.runtime.offers import list_legal_actions
from affray.events import Answered, Asked, Declared, DiceAwaited, DiceEntered, Event, Passed, Recorded, Ruled, seal
from tests.engine.choices import Choices
from tests.engine.fights import Plan, begin_plan, submit_accepted
from tests.engine.ruled import make_ruling

REPLIES = (Answered, DiceEntered, Passed)
"""What people say only when they are asked."""

MOST_ANSWERS = 4
"""After so many questions that were never asked before a table gives up."""


class Wrong(NamedTuple):
    """One effective command of a fight that is to be amended, and all inputs on either side of it."""

    before: list[Event]
    recorded: Recorded
    after: list[Event]


def wrong(fight: Fight, choices: Choices) -> Wrong:
    """Choose a command that can be amended; an example without one is given up."""
    inputs = [part[0] for part in split_by_input(fight.history.effective())][1:]
    nths = [nth for nth, one in enumerate(inputs) if isinstance(one.event, AMENDABLE)]
    assume(nths)
    nth = choices.of(nths)
    return Wrong([one.event for one in inputs[:nth]], inputs[nth], [one.event for one in inputs[nth + 1 :]])


def replay_plan(plan: Plan, inputs: list[Event]) -> Fight:
    """Open the fight again and repeat all inputs, which must be accepted.

    Sealed words may stand at other positions in it; an example that releases them is given up then.
    """
    fight = begin_plan(plan)
    for event in inputs:
        try:
            submit_accepted(fight, event)
        except Refused:
            assume(not (isinstance(event, Ruled) and event.kind == "release"))
            raise
    return fight


def instead(then: Fight, event: Event, choices: Choices) -> tuple[Event, ...]:
    """Return what should have been said at a moment: something else, nothing, or a ruling before it."""
    way = choices.below(8)
    if way == 0:
        return ()
    if way == 1:
        return make_ruling(then, choices), event
    if isinstance(event, Ruled):
        return (make_ruling(then, choices),)
    dice = Random(choices.below(1 << 16))
    offered = list(list_legal_actions(then.ruleset, then.table))
    return (make_input(choices.of(offered), dice),) if offered else ()


def answer_questions(fight: Fight, amend: Amend, choices: Choices) -> Amend:
    """Give an amendment the answers it needs; an example that takes too many, or leaves nothing, is given up."""
    seen = fight.preview(amend, "gm", f"look at {fight.head}")
    while seen.needs is not None:
        assume(len(amend.answers) < MOST_ANSWERS)
        then = preview_fight(fight, seen)
        replies = [make_input(one, Random(1)) for one in list_legal_actions(then.ruleset, then.table)]
        reply = choices.of([one for one in replies if isinstance(one, REPLIES)])
        amend = replace(amend, answers=(*amend.answers, reply))
        seen = fight.preview(amend, "gm", f"look at {fight.head}")
    assume(seen.events)
    return amend


def preview_fight(fight: Fight, seen: Amendment) -> Fight:
    """Return the fight as it would be, as far as it could be decided."""
    history, last = History(), fight.history.recorded[-1]
    lane, _ = seal(
        seen.all_events(), after=last.position, previous=last.hash, time=last.time, who="gm", cause="as it would be"
    )
    history.add([*fight.history.recorded, *lane])
    return Fight(fight.name, fight.ruleset, history)


def went_on(fight: Fight, later: list[Event], answers: tuple[Event, ...], ruled_away: set[str]) -> None:
    """Let people say again what they said later, each when its moment comes, until nothing more can be said.

    Args:
        fight: Where they begin.
        later: What they said.
        answers: What they say when they are asked something new.
        ruled_away: The questions and rolls that nobody answered then.
    """
    new, left = list(answers), list(later)
    while _one_said(fight, new, left, ruled_away):
        pass


def _one_said(fight: Fight, new: list[Event], left: list[Event], ruled_away: set[str]) -> bool:
    """Say one more thing, or strike out what can no longer be said; tell whether there was one."""
    for event in new:
        if _due(fight, event):
            submit_accepted(fight, event)
            new.remove(event)
            return True
    asked = _asked_now(fight)
    if asked and asked not in ruled_away and not any(_due(fight, event) for event in left):
        return False
    held = False
    for event in left:
        reply = isinstance(event, REPLIES)
        held = held or (isinstance(event, Declared) and bool(asked))
        if not (_due(fight, event) if reply else not held):
            continue
        window = fight.state.window
        try:
            submit_accepted(fight, event)
        except (Refused, Unusable):
            if isinstance(event, Declared) and window is not None:
                held = True
                continue
        left.remove(event)
        return True
    return False


def _asked_now(fight: Fight) -> str:
    state = fight.state
    return state.question.id if state.question else state.awaited.roll if state.awaited else ""


def _due(fight: Fight, event: Event) -> bool:
    """Tell whether a reply is one to what waits now."""
    state = fight.state
    if isinstance(event, Answered | DiceEntered):
        name = event.question if isinstance(event, Answered) else event.roll
        return _asked_now(fight) == name
    return (
        isinstance(event, Passed)
        and state.window is not None
        and (event.window == state.window.id and event.who in state.window.to)
    )


def ruled_away(fight: Fight) -> set[str]:
    """List the unanswered questions and rolls of a fight."""
    events = [one.event for one in fight.history.effective()]
    asked = {one.question for one in events if isinstance(one, Asked)}
    awaited = {one.roll for one in events if isinstance(one, DiceAwaited)}
    replies = {one.question for one in events if isinstance(one, Answered)}
    return (asked | awaited) - replies - {one.roll for one in events if isinstance(one, DiceEntered)}
