"""Running a scenario: doing what it says with the dice it names, and comparing what comes of it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from affray.engine.commands import Command, Redo, Undo
from affray.engine.dice import Faces
from affray.engine.errors import Refused, Unusable
from affray.engine.fight import Fight
from affray.engine.opening import begin_fight
from affray.events import Clause, Dice, Event, Id
from affray.tools import speech

from .notation import Line, lines
from .scenario_file import Scenario, Step

_DICE = re.compile(r"d(\d+)=(\d+(?:\+\d+)*)")
_CLAUSES = re.compile(r"(.*?)\s*\{([^{}]*)\}")


class Unscripted(Exception):
    """A die fell that the scenario did not foresee, or not as it did."""


class ScriptedDice:
    """Dice that fall as they are told, each of its own size, and never otherwise."""

    def __init__(self) -> None:
        self.left: list[tuple[int, int]] = []

    def script(self, dice: str) -> None:
        """Take the dice that fall next, such as ``d20=14 d6=2+5+6``.

        Raises:
            Unscripted: they are not written like this.
        """
        words = dice.split()
        found = [_DICE.fullmatch(word) for word in words]
        if not all(found):
            raise Unscripted(f"dice are written like d20=14 d6=2+5, not {dice}")
        self.left = [(int(one[1]), int(face)) for one in found if one for face in one[2].split("+")]

    def faces(self, roll: Id, dice: tuple[Dice, ...]) -> Faces:
        """Return the next faces.

        Raises:
            Unscripted: none are left, or the next one is of another size.
        """
        return tuple(tuple(self._next(roll, one.sides) for _ in range(one.count)) for one in dice)

    def _next(self, roll: Id, sides: int) -> int:
        if not self.left:
            raise Unscripted(f"a d{sides} is rolled for {roll}, and no die is left")
        scripted, face = self.left.pop(0)
        if scripted != sides:
            raise Unscripted(f"a d{sides} is rolled for {roll}, and the next die is a d{scripted}")
        return face


class Found(Struct, frozen=True):
    """What came of a step: its lines, or the refusal, or what is wrong with the input."""

    lines: tuple[Line, ...] = ()
    refused: str = ""
    clause: Clause = ""
    unusable: str = ""

    @property
    def said(self) -> list[str]:
        """The same as a scenario file would say it."""
        if self.refused:
            return [f"refused: {' '.join((self.refused, self.clause)).strip()}"]
        return [f"unusable: {self.unusable}"] if self.unusable else [line.text for line in self.lines]


class Failure(Struct, frozen=True, kw_only=True):
    """Where a scenario does not hold: the step, from 1, or 0 before the first one or after the last."""

    step: int
    do: str
    message: str
    expected: tuple[str, ...] = ()
    found: tuple[str, ...] = ()


class Trial(Struct, frozen=True, kw_only=True):
    """A scenario that was run.

    Attributes:
        scenario: Which one.
        found: What came of each step, as far as it got.
        proven: The clauses that asserted lines and refusals cite.
        failure: Where it does not hold; nothing if it holds.
        fight: The fight as it stands at its end.
    """

    scenario: Scenario
    found: tuple[Found, ...]
    proven: frozenset[Clause]
    failure: Failure | None
    fight: Fight


def run(scenario: Scenario) -> Trial:
    """Run a scenario up to its end, or up to where it does not hold.

    Raises:
        Unusable: its encounter cannot be used.
    """
    dice = ScriptedDice()
    fight = begin_fight("scenario", scenario.encounter, who="gm", seed=None, clock=lambda: "", dice=dice)
    found: list[Found] = []
    proven: set[Clause] = set()
    failure = _prepare(fight, dice, scenario)
    for number, step in enumerate(scenario.steps, 1):
        if failure is not None:
            break
        try:
            one = _take(fight, dice, step)
        except Unscripted as fault:
            failure = Failure(step=number, do=step.do, message=str(fault))
            break
        found.append(one)
        failure = _compared(number, step, one) or _left_over(number, step, dice)
        if step.then is not None or step.refused:
            proven |= {one.clause}.union(*(line.clauses for line in one.lines)) - {""}
    unproven = [clause for clause in scenario.proves if clause not in proven]
    if failure is None and unproven:
        message = f"no asserted line or refusal cites {', '.join(unproven)}"
        failure = Failure(step=0, do="", message=message)
    return Trial(scenario=scenario, found=tuple(found), proven=frozenset(proven), failure=failure, fight=fight)


def _prepare(fight: Fight, dice: ScriptedDice, scenario: Scenario) -> Failure | None:
    """Do what was done before the scenario begins; all of it must be possible."""
    for line in scenario.given:
        do, _, faces = line.partition(" : ")
        try:
            found = _take(fight, dice, Step(do=do, dice=faces))
        except Unscripted as fault:
            return Failure(step=0, do=line, message=str(fault))
        if found.refused or found.unusable:
            return Failure(step=0, do=line, message=", ".join(found.said))
        left = _left_over(0, Step(do=line), dice)
        if left is not None:
            return left
    return None


def _take(fight: Fight, dice: ScriptedDice, step: Step) -> Found:
    """Do one thing.

    Raises:
        Unscripted: a die falls that is not scripted like this, or a refusal leaves a trace.
    """
    dice.script(step.dice)
    stack, head, state = fight.state.stack, fight.head, fight.state
    try:
        intent = _intent(fight, step)
        recorded = fight.submit(Command(id=str(head), who="gm", intent=intent)).recorded
    except Refused as refusal:
        found = Found(refused=refusal.code, clause=refusal.rule)
    except Unusable as fault:
        found = Found(unusable=str(fault))
    else:
        found = Found(lines=tuple(lines(stack, [one.event for one in recorded], step.details)))
    if (found.refused or found.unusable) and (fight.head, fight.state) != (head, state):
        raise Unscripted("it was refused, and yet something has changed")
    return found


def _left_over(number: int, step: Step, dice: ScriptedDice) -> Failure | None:
    if not dice.left:
        return None
    left = " ".join(f"d{sides}={face}" for sides, face in dice.left)
    return Failure(step=number, do=step.do, message=f"left over: {left}")


def _intent(fight: Fight, step: Step) -> Event | Undo | Redo:
    words = step.do.split()
    if words[:1] == ["undo"]:
        commands = next((int(word) for word in words[1:] if word.isdigit()), 1)
        return Undo(commands=commands, fresh="fresh" in words, reason=step.reason)
    return Redo(reason=step.reason) if words == ["redo"] else speech.intent(fight, step.do, step.reason)


def _compared(number: int, step: Step, found: Found) -> Failure | None:
    """Compare what came of a step with what the scenario says; if it says nothing, the step must only be possible."""
    expected: tuple[str, ...] = ()
    if step.then is not None:
        expected = step.then
        fits = len(expected) == len(found.said) == len(found.lines) and all(map(_fits, expected, found.lines))
    elif step.refused:
        expected = (f"refused: {step.refused}",)
        fits = found.said == [*expected]
    elif step.unusable:
        expected = (f"unusable: … {step.unusable} …",)
        fits = step.unusable in found.unusable
    else:
        fits = not found.refused and not found.unusable
    if fits:
        return None
    return Failure(
        step=number, do=step.do, message="came out otherwise", expected=expected, found=_cited(expected, found)
    )


def _cited(expected: Sequence[str], found: Found) -> tuple[str, ...]:
    """Return what was found, with its clauses where the line that stands in the same place asserts some."""
    wanted = dict(enumerate(expected))
    return tuple(
        f"{line.text} {{{', '.join(sorted(line.clauses))}}}" if "{" in wanted.get(at, "") else line.text
        for at, line in enumerate(found.lines)
    ) or tuple(found.said)


def _fits(expected: str, found: Line) -> bool:
    """Tell whether a line is as expected, and cites at least the clauses that are asserted of it."""
    parts = _CLAUSES.fullmatch(expected)
    text = parts[1] if parts else expected
    clauses = {one.strip() for one in parts[2].split(",")} if parts else set()
    return text == found.text and clauses <= found.clauses


__all__ = ["Failure", "Found", "ScriptedDice", "Trial", "Unscripted", "run"]
