"""Scenarios told in sentences, and the choice of the best example of a clause."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from msgspec import Struct

from affray.engine.core.catalogue import ClauseText
from affray.engine.core.loading import load
from affray.engine.fight import Fight
from affray.events import (
    Clause,
    ClockSet,
    Damaged,
    DiceAwaited,
    DiceEntered,
    DiceSourceSet,
    Event,
    PoolChanged,
    Recorded,
    RelationSet,
    Rolled,
    Withdrawn,
)
from affray.tools.book.scene import describe_sides, ground
from affray.tools.present.story.narration import tell_story
from affray.tools.present.story.story import BOOKKEEPING
from affray.tools.present.story.words import names_of
from affray.tools.scenarios.expected import FoundOutcome
from affray.tools.scenarios.scenario_file import Scenario
from affray.tools.scenarios.scenario_run import ScenarioRun
from affray.tools.scenarios.step_text import split_dice

ENOUGH = 14
"""The most lines of a good example. A longer one gets a penalty."""

ALIKE = 4
"""The most words shared by a title and a clause that still count."""

UNUSUAL = ("redo", "roll ", "rule ", "undo")
"""Beginnings of steps that are rare in play."""

ASIDE = frozenset({"agreeing", "between", "common", "hidden", "meanwhile", "record", "review", "rulings", "sources"})
"""Names of files whose scenarios test rare cases, or rules that all systems share."""

BOOKS = BOOKKEEPING | {ClockSet, DiceAwaited, DiceEntered, DiceSourceSet, PoolChanged, RelationSet, Withdrawn}
"""Types of bookkeeping events. A line of them is shown only if it cites the clause."""

WORKED = re.compile(r"[a-z]\d\d-")
"""Names of files with the worked examples of the rules."""


class Sentence(Struct, frozen=True, omit_defaults=True):
    """A line of the outcome of a step, and its clauses."""

    text: str
    depth: int = 0
    rules: tuple[Clause, ...] = ()


class Act(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A step: its command, its dice, and its outcome or refusal.

    A step of the set-up is ``given``. It is told only if dice fell in it or before it.
    """

    do: str
    dice: str = ""
    came: tuple[Sentence, ...] = ()
    refused: str = ""
    rule: Clause = ""
    given: bool = False


class Example(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A scenario as the book shows it.

    Attributes:
        title: Title, without the part for its file.
        file: Name of its file.
        there: Combatants, a side each, with the numbers and items that matter.
        ground: Distances, melees, views and terrain.
        config: Settings that are not the default.
        before: Steps before the example, as typed.
        acts: Steps of the example.
    """

    title: str
    file: str
    there: tuple[str, ...]
    acts: tuple[Act, ...]
    ground: tuple[str, ...] = ()
    config: dict[str, object] = {}
    before: tuple[str, ...] = ()


def rules_of(event: Event) -> Iterator[Clause]:
    """Yield the clauses of an event and of the terms of its numbers."""
    yield from event.rules
    terms = (*event.pool, *event.modifiers) if isinstance(event, Rolled) else ()
    for term in (*terms, *(event.terms if isinstance(event, Damaged) else ())):
        if term.rule:
            yield term.rule


def example_of(trial: ScenarioRun, clause: Clause = "") -> Example:
    """Tell a scenario that holds, from the first step of its set-up that has dice.

    Lines of mere bookkeeping are left out.

    Args:
        trial: The scenario after its run.
        clause: Clause that the example is for; lines that cite it are never left out.
    """
    scenario, fight = trial.scenario, trial.fight
    given = [split_dice(line)[0].strip() for line in scenario.given]
    thrown = [nth for nth, found in enumerate(trial.before) if found.dice]
    first = min([*thrown, len(given)])
    steps = [*((do, found) for do, found in zip(given, trial.before, strict=True))]
    steps += [(step.do, found) for step, found in zip(scenario.steps, trial.found, strict=True)]
    commands = _commands(fight)
    recorded = [() if _came_to_nothing(do, found) else next(commands) for do, found in steps]
    shown = [one for some in recorded[first:] for one in some]
    state = fight.copy_at(shown[0].position - 1, mend=True).state if shown else fight.state
    acts = [
        _act(fight, do, found, recorded[nth], clause, given=nth < len(given))
        for nth, (do, found) in enumerate(steps)
        if do and nth >= first
    ]
    return Example(
        title=scenario.title.partition(": ")[2] or scenario.title,
        file=scenario.file.name,
        there=describe_sides(state, shown),
        ground=ground(state, scenario.encounter, shown),
        config={**scenario.encounter.get("config", {})},
        before=tuple(do for do in given[:first] if not _is_gms(scenario, do)),
        acts=tuple(acts),
    )


def _is_gms(scenario: Scenario, do: str) -> bool:
    """Tell whether a line is only an action of the game master, such as ``begin``."""
    action = load(str(scenario.encounter["system"])).actions.get(do)
    return action is not None and action.by_gm


def _came_to_nothing(do: str, found: FoundOutcome) -> bool:
    """Tell whether a step recorded nothing."""
    return bool(not do or found.refused or found.unusable)


def _commands(fight: Fight) -> Iterator[Sequence[Recorded]]:
    """Yield the events of each command after the opening."""
    whole = [tuple(group) for _, group in groupby(fight.history.recorded, key=lambda one: one.cause)]
    yield from whole[1:]


def _act(
    fight: Fight, do: str, found: FoundOutcome, recorded: Sequence[Recorded], clause: Clause, *, given: bool
) -> Act:
    """Tell a step: its lines, or its refusal."""
    if found.failed or not recorded:
        code = found.refused.replace("_", " ")
        return Act(do=do, given=given, refused=found.message or found.unusable or code, rule=found.clause)
    known = fight.history.recorded
    lines = tell_story(recorded, names_of(known), known[: recorded[0].position - 1])
    every = [Sentence(str(line).strip(), line.depth, _between(known, *line.positions)) for line in lines]
    kept = [
        one
        for one, line in zip(every, lines, strict=True)
        if clause in one.rules or not _keeps_books(known, *line.positions)
    ]
    came = kept or every
    untold = {rule for one in recorded for rule in rules_of(one.event)}.difference(*(one.rules for one in came))
    if untold and came:
        came[-1] = Sentence(came[-1].text, came[-1].depth, (*came[-1].rules, *sorted(untold)))
    return Act(do=do, dice=found.dice, came=tuple(came), given=given)


def _keeps_books(known: Sequence[Recorded], first: int, last: int) -> bool:
    """Tell whether a line tells only bookkeeping events."""
    return all(type(one.event) in BOOKS for one in known[first - 1 : last])


def _between(known: Sequence[Recorded], first: int, last: int) -> tuple[Clause, ...]:
    """Return the clauses of the events from one position to another."""
    return tuple(dict.fromkeys(rule for one in known[first - 1 : last] for rule in rules_of(one.event)))


def choose_example(
    clause: Clause, text: ClauseText, trials: Iterable[ScenarioRun], *, rolls: bool
) -> ScenarioRun | None:
    """Choose the scenario that shows a clause best, of those that prove it and hold.

    Prefer default settings, then a visible effect, then dice if the clause rolls. Then prefer a title with words of the
    clause, few lines, ordinary steps, and few other clauses.
    """
    fit = [one for one in trials if one.failure is None and clause in one.scenario.proves]
    wanted = _words(f"{text.title} {text.says}")
    return min(fit, key=lambda one: _distance(clause, wanted, one, rolls), default=None)


def _words(text: str) -> frozenset[str]:
    """Return the stems of the longer words of a text."""
    return frozenset(word[:6] for word in re.findall(r"[a-z]{4,}", text.lower()))


def _distance(
    clause: Clause, wanted: frozenset[str], trial: ScenarioRun, rolls: bool
) -> tuple[bool, bool, bool, int, str]:
    """Return the sort key of a scenario as an example; the least is the best."""
    scenario = trial.scenario
    shows = any(clause in line.clauses for one in trial.found for line in one.lines)
    lines = sum(len(one.lines) + bool(one.refused) for one in trial.found)
    odd = sum(step.do.startswith(UNUSUAL) or bool(step.unusable) for step in scenario.steps)
    odd += sum(line.startswith(UNUSUAL) for line in scenario.given)
    alike = min(ALIKE, len(wanted & _words(scenario.title.partition(": ")[2])))
    odd += scenario.file.stem in ASIDE
    worked = bool(WORKED.match(scenario.file.name))
    length = lines + 2 * len(scenario.given) + 2 * len(scenario.steps) + 3 * len(scenario.proves)
    return (
        bool(scenario.encounter.get("config")),
        not shows,
        rolls and not any(step.dice for step in scenario.steps),
        length + 10 * odd - 4 * alike - 12 * worked + 20 * (lines > ENOUGH),
        scenario.title,
    )
