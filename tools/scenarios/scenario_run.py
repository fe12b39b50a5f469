"""Run a scenario: take its steps with the dice it names, and check what comes of them."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain

from msgspec import Struct

from affray.engine.commands import Command, Intent, Redo, Undo
from affray.engine.core.state import State
from affray.engine.errors import EngineError, Refused, Unusable
from affray.engine.fight import Fight
from affray.engine.opening import begin_fight
from affray.events import Clause, Recorded, Rolled, Senseless
from affray.tools.parse import intent_parser as speech
from affray.tools.scenarios import scripted
from affray.tools.scenarios.expected import FoundOutcome, cited_clauses, outcome_differences
from affray.tools.scenarios.notation import outcome_lines
from affray.tools.scenarios.scenario_file import Scenario
from affray.tools.scenarios.scripted import MissingDice, ScriptedDice, Unscripted
from affray.tools.scenarios.state_check import compare_state, misspelt
from affray.tools.scenarios.step import ScenarioStep
from affray.tools.scenarios.step_text import split_dice, with_dice

_UNDO = re.compile(r"undo(?:\s+([0-9]{1,6}))?(\s+fresh)?")


class Failure(Struct, frozen=True, kw_only=True):
    """A failure of a scenario, with its place.

    Attributes:
        step: The number of the step, from 1; 0 before the first one or after the last.
        field: The failed part of the scenario, if it is no step: ``given[0]``, ``state.bram.health``.
        do: The command of the step.
        message: The fault, as a sentence.
        lines: The comparison: expected lines (``-``), actual ones (``+``), right ones (`` ``), wanted dice (``?``).
    """

    step: int
    do: str
    message: str
    field: str = ""
    lines: tuple[str, ...] = ()


class ScenarioRun(Struct, frozen=True, kw_only=True):
    """A scenario that was run.

    Attributes:
        scenario: The scenario.
        before: The outcomes of the given commands that were run.
        found: The outcomes of the steps that were run.
        proven: The clauses that asserted lines and refusals cite.
        failures: The failures.
        fight: The fight at its end.
    """

    scenario: Scenario
    before: tuple[FoundOutcome, ...]
    found: tuple[FoundOutcome, ...]
    proven: frozenset[Clause]
    failures: tuple[Failure, ...]
    fight: Fight

    @property
    def failure(self) -> Failure | None:
        """The first failure; None if the scenario holds."""
        return self.failures[0] if self.failures else None


class NothingDone(Exception):
    """A step could not be carried out as written; nothing has changed."""

    def __init__(self, message: str, lines: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.lines = lines


def run_scenario(scenario: Scenario, *, keep_going: bool = False, throw: bool = False) -> ScenarioRun:
    """Run a scenario up to its end, or up to where it does not hold.

    Args:
        keep_going: Whether to go on behind a step that came out otherwise, or could not be done.
        throw: Whether dice that are missing are thrown.

    Raises:
        Unusable: its encounter cannot be used.
    """
    dice = ScriptedDice(throw=throw)
    fight = begin_fight("scenario", scenario.encounter, who="gm", seed=None, clock=lambda: "", dice=dice)
    before, failures = _prepare(fight, dice, scenario)
    found: list[FoundOutcome] = []
    proven: set[Clause] = set()
    for number, step in enumerate(scenario.steps if not failures else (), 1):
        one, failure = _step(fight, dice, number, step)
        found.append(one)
        proven |= cited_clauses(step, one)
        if failure:
            failures.append(failure)
            if not keep_going:
                break
    if not failures or (keep_going and found):
        failures += [*_at_the_end(fight, scenario, proven, failed=bool(failures))]
    return ScenarioRun(
        scenario=scenario,
        before=tuple(before),
        found=tuple(found),
        proven=frozenset(proven),
        failures=tuple(failures),
        fight=fight,
    )


def _prepare(fight: Fight, dice: ScriptedDice, scenario: Scenario) -> tuple[list[FoundOutcome], list[Failure]]:
    """Take the given steps; all of them must be possible."""
    before: list[FoundOutcome] = []
    for nth, line in enumerate(scenario.given):
        do, faces = split_dice(line)
        found, failure = _step(fight, dice, 0, ScenarioStep(do=do, dice=faces))
        if failure:
            message = f"given: {failure.message}"
            return before, [Failure(step=0, do=line, message=message, field=f"given[{nth}]", lines=failure.lines)]
        before.append(found)
    return before, []


def _step(fight: Fight, dice: ScriptedDice, number: int, step: ScenarioStep) -> tuple[FoundOutcome, Failure | None]:
    """Take a step, and check what comes of it and the state afterwards."""
    try:
        found = _take(fight, dice, step)
    except NothingDone as undone:
        return FoundOutcome(undone=True), Failure(step=number, do=step.do, message=str(undone), lines=undone.lines)
    wrong = [
        *outcome_differences(step, found),
        *misspelt(fight, step.lacks),
        *chain(*compare_state(fight, step.state).values()),
    ]
    cannot = found.failed and not (step.refused or step.unusable)
    messages = ["cannot be done" if cannot else "came out otherwise"] if wrong else []
    if dice.left:
        messages.append(f"left over: {scripted.dice_text(dice.left)}")
    if not messages:
        return found, None
    if dice.left or found.failed:
        messages.append(_waits(fight))
    return found, Failure(step=number, do=step.do, message="; ".join(messages), lines=tuple(wrong))


def _at_the_end(fight: Fight, scenario: Scenario, proven: set[Clause], *, failed: bool) -> Iterator[Failure]:
    """Check the final state, and, without failures, that the clauses were cited."""
    wrong = compare_state(fight, scenario.state)
    if wrong:
        field, lines = f"state.{next(iter(wrong))}", tuple(chain(*wrong.values()))
        yield Failure(step=0, do="", message="ended otherwise", field=field, lines=lines)
    unproven = [clause for clause in scenario.proves if clause not in proven]
    if unproven and not failed:
        yield Failure(step=0, do="", message=f"no asserted line or refusal cites {', '.join(unproven)}", field="proves")


def _take(fight: Fight, dice: ScriptedDice, step: ScenarioStep) -> FoundOutcome:
    """Submit a step's command, if it has one.

    Raises:
        Undone: it cannot be done as the scenario says.
    """
    head, state = fight.head, fight.state
    intent = None
    try:
        dice.script(step.dice)
        if not step.do:
            return FoundOutcome()
        intent = _intent(fight, step)
        recorded = fight.submit(Command(id=str(head), who="gm", intent=intent)).recorded
    except Refused as refusal:
        found = FoundOutcome(refused=refusal.code, clause=refusal.rule, message=refusal.message, unknown=intent is None)
    except Unusable as fault:
        found = FoundOutcome(unusable=str(fault))
    except (Unscripted, EngineError, Senseless) as fault:
        raise NothingDone(fault.reason if isinstance(fault, Senseless) else str(fault)) from None
    else:
        told = outcome_lines(state, [one.event for one in recorded], step.details)
        found = FoundOutcome(lines=tuple(told), dice=" ".join(dice.fell))
        if dice.missing:
            with suppress(EngineError, Senseless):
                fight.submit(Command(id=f"{head}/undo", who="gm", intent=Undo(reason="no such dice")))
            raise _missing(dice.missing, recorded, state, dice, step)
    if dice.missing:
        raise NothingDone(dice.missing.why)
    if found.failed and (fight.head, fight.state) != (head, state):
        raise NothingDone("it was refused, and yet something has changed")
    return found


def _missing(
    missing: MissingDice, recorded: Sequence[Recorded], state: State, dice: ScriptedDice, step: ScenarioStep
) -> NothingDone:
    """Describe a roll without dice: what is added to it, and what came before it."""
    events = [one.event for one in recorded]
    at = next(nth for nth, one in enumerate(events) if isinstance(one, Rolled) and one.roll == missing.roll)
    rolled = events[at]
    assert isinstance(rolled, Rolled)
    before = [f"  {line.text}" for line in outcome_lines(state, events[:at], step.details)]
    wanted = f"? {scripted.write_roll(rolled, missing.fallen)}"
    write = f"  write {with_dice(step.do, scripted.with_missing(dice.fell, rolled, missing.fallen))}"
    return NothingDone(missing.why, (*before, wanted, write))


def _waits(fight: Fight) -> str:
    """Return in a sentence what the fight waits for."""
    from affray.tools.present.waiting_text import waiting_sentence  # noqa: PLC0415 - few scenarios fail, and pictures take long to load

    return waiting_sentence(fight.state, fight.ruleset)


def _intent(fight: Fight, step: ScenarioStep) -> Intent:
    if step.do.split() == ["redo"]:
        return Redo(reason=step.reason)
    if step.do.split()[0] != "undo":
        return speech.intent(fight, step.do, step.reason)
    undo = _UNDO.fullmatch(step.do.strip())
    if undo is None:
        raise Unusable("say undo, or how many commands, and whether with fresh dice: undo 2 fresh", "do")
    return Undo(commands=int(undo[1] or 1), fresh=bool(undo[2]), reason=step.reason)
