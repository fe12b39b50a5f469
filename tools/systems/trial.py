"""Trial fights of a rule system: random fights to the end, each audited and told."""

from __future__ import annotations

import inspect
import re
import signal
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from threading import current_thread, main_thread
from typing import Any

import msgspec
from msgspec import Raw, Struct

from affray.engine.analysis.playing import play
from affray.engine.analysis.policies import choose_anything, choose_sensibly
from affray.engine.commands import GM
from affray.engine.core.draft import Draft
from affray.engine.core.evolve import evolve
from affray.engine.core.loading import template
from affray.engine.core.rule_faults import RulesFailed, find_rule_fault
from affray.engine.core.ruleset import Ruleset
from affray.engine.core.state import State
from affray.engine.core.vocabulary import TABLES
from affray.engine.errors import EngineError
from affray.engine.fight import Fight
from affray.engine.integrity.audit import audit
from affray.engine.opening import begin_fight
from affray.engine.stores import FileStore
from affray.engine.system_check import SystemFault
from affray.engine.system_check.source import Source, find_call, find_string
from affray.engine.system_check.words import LEFT_OUT
from affray.events import (
    Event,
    Fizzled,
    ItemRemoved,
    Left,
    LogError,
    Recorded,
    Stacked,
    list_naming_fields,
    names,
    topic_of,
)
from affray.tools.present.audit_text import finding_sentence
from affray.tools.present.story.narration import sentence, tell_story
from affray.tools.present.story.words import names_of

NOON = "2026-01-01T12:00:00.000Z"
"""The time of every trial, since the dice depend on the time of the opening."""

MOST_SECONDS = 20
"""The maximum CPU time that a command of a trial fight may take."""

MOST_COMMANDS = 5_000
"""The maximum number of commands of a trial fight."""

HOLE = re.compile(r"[{}]|\bNone\b|^\W*$")
"""The signs of a sentence with a hole: an unfilled part, or no word at all."""

QUOTED = re.compile("“[^”]*”")

NOBODY = frozenset({"", "gm", "*"})
"""Texts in the place of a combatant's id that name no combatant."""


class Trial(Struct, frozen=True):
    """A trial fight.

    Attributes:
        events: The number of its events.
        rounds: The number of its rounds.
        ended: Whether it came to an end.
        faults: The faults that it showed.
    """

    events: int
    rounds: int
    ended: bool
    faults: tuple[SystemFault, ...]


def play_trial(ruleset: Ruleset, sources: tuple[Source, ...], nth: int) -> Trial:
    """Play the fight of a number from the system's template encounter; the same number gives the same fight.

    Args:
        sources: The source of the system, in which faults are located.
    """
    with TemporaryDirectory() as folder:
        store = FileStore(Path(folder), durable=False)
        seed = sha256(f"{ruleset.name} {nth}".encode()).digest()
        try:
            encounter = tomllib.loads(template(ruleset))
            fight = begin_fight(
                "trial", encounter, who="gm", seed=seed, store=store, clock=lambda: NOON, salts=lambda: seed.hex()[:32]
            )
        except (EngineError, LogError) as error:
            file = str(files(ruleset.package) / "template.toml")
            fault = SystemFault(kind="fight", message=f"this template opens no fight: {error}", file=file)
            return Trial(0, 0, False, (fault,))
        faults = [*_play_to_end(fight, nth, sources)]
        recorded = fight.history.recorded
        if faults:
            return Trial(len(recorded), fight.state.round, fight.state.ended, tuple(faults))
        report = audit(lambda: iter(store.read("trial")), seed=seed)
        names = names_of(recorded)
        for finding in report.findings[:1]:  # the later ones follow from it
            file, line = find_string(sources, finding.rules[0]) if finding.rules else ("", 0)
            message = f"decided again, trial fight {nth} differs at {finding_sentence(finding, names)}"
            faults.append(SystemFault(kind="audit", message=message, file=file, line=line, instead=REPEATABLE))
        faults += [*_check_events(ruleset, recorded, sources), *_find_gone(ruleset, recorded)]
        faults += [*_check_telling(ruleset, recorded, sources)]
        return Trial(len(recorded), fight.state.round, fight.state.ended, tuple(faults))


REPEATABLE = "a rule that reads the table alone, and changes it by events alone"
"""The advice about a fight that is decided differently the second time."""


@contextmanager
def _stop_endless_rules() -> Iterator[Callable[[], None]]:
    """Raise ``TimeoutError`` in a rule that runs too long; the yielded function restarts the clock.

    Only the main thread of a system with such signals can be stopped. Elsewhere nothing is.
    """
    if not hasattr(signal, "SIGVTALRM") or current_thread() is not main_thread():
        yield lambda: None
        return

    def stop(*_: object) -> None:
        raise TimeoutError(f"the rules have not come to an end in {MOST_SECONDS} seconds")

    def start() -> None:
        signal.setitimer(signal.ITIMER_VIRTUAL, MOST_SECONDS)

    before = signal.signal(signal.SIGVTALRM, stop)
    try:
        yield start
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _play_to_end(fight: Fight, nth: int, sources: tuple[Source, ...]) -> Iterator[SystemFault]:
    """Play a fight: odd ones with any legal action, even ones sensibly."""
    policy = choose_anything if nth % 2 else choose_sensibly
    sides = {one.side for one in fight.state.combatants.values()}
    chance = Random(nth)
    fault: SystemFault | None = None
    commands = 0
    try:
        with _stop_endless_rules() as start_timer:
            start_timer()
            for _ in play(fight, dict.fromkeys((*sides, GM), policy), chance=chance, most=MOST_COMMANDS):
                commands += 1
                start_timer()
    except Exception as error:  # rules of others may raise anything
        fault = _describe_failure(error, fight, nth)
    wrong = [(type(one.event), said) for one in fight.history.recorded for said in _list_type_faults(one.event)]
    for kind, said in wrong:
        file, line = find_call(sources, kind)
        yield SystemFault(kind="rules", message=f"{kind.__name__}: {said}", file=file, line=line)
    if fault is not None and not wrong:
        yield fault
    elif not wrong and not fight.state.ended and (commands == MOST_COMMANDS or policy(fight, chance) is None):
        where = f"round {fight.state.round}, phase {fight.state.phase}"
        file = inspect.getsourcefile(fight.ruleset.turns.aftermath) or ""
        line = inspect.getsourcelines(fight.ruleset.turns.aftermath)[1]
        why = (
            f"it has not ended after {commands} commands" if commands == MOST_COMMANDS else "nothing is legal any more"
        )
        yield SystemFault(
            kind="fight",
            message=f"{why}; in trial fight {nth}, position {fight.head}, {where}",
            file=file,
            line=line,
            instead="an aftermath that ends the turn or the fight here, or a row for this phase",
        )


def _describe_failure(error: Exception, fight: Fight, nth: int) -> SystemFault:
    """Return the fault that an exception in a trial fight stands for."""
    failed = error.fault if isinstance(error, RulesFailed) else None
    fault = failed or find_rule_fault(error, fight.ruleset, fight.table.draft, fight.head)
    if fault is None:
        return SystemFault(kind="rules", message=f"trial fight {nth}, position {fight.head}: {error}")
    where = f"in {fault.function}, " if fault.function else ""
    message = f"{fault.error}; {where}trial fight {nth}, {fault.moment}"
    return SystemFault(kind="rules", message=message, file=fault.file, line=fault.line)


def _check_events(ruleset: Ruleset, recorded: list[Recorded], sources: tuple[Source, ...]) -> Iterator[SystemFault]:
    """Yield the faults of events: unknown clauses, undeclared words, combatants not in the fight."""
    draft = Draft(State())
    for one in recorded:
        event = one.event
        evolve(draft, event)
        for kind, message, text, instead in (
            *(
                ("clause", f"there is no clause {rule}", rule, "")
                for rule in event.rules
                if rule not in ruleset.clauses
            ),
            *_list_undeclared(event, ruleset),
            *_list_strangers(event, draft),
        ):
            file, line = find_string(sources, text) if text else ("", 0)
            if kind == "word" and not line:
                continue  # a word of a sheet, a person or a map
            said = f"{type(event).__name__} at position {one.position}: {message}"
            yield SystemFault(kind=kind, message=said, file=file, line=line, instead=instead)


def _find_gone(ruleset: Ruleset, recorded: list[Recorded]) -> Iterator[SystemFault]:
    """Yield the actions that fizzled because a rule looked up an id that no combatant or thing ever had."""
    kinds = {one.event.item: one.event.kind for one in recorded if isinstance(one.event, Stacked)}
    leaving = any(isinstance(one.event, Left | ItemRemoved) for one in recorded)
    for one in recorded:
        if isinstance(one.event, Fizzled) and one.event.code == GONE and not leaving:
            resolve = ruleset.actions[kinds[one.event.item]].resolve
            message = f"{one.event.item} fizzles at position {one.position}: a rule looks up an id that is not there"
            file = inspect.getsourcefile(resolve) or ""
            yield SystemFault(kind="rules", message=message, file=file, line=inspect.getsourcelines(resolve)[1])


GONE = "gone"
"""The code of an action that fizzles because a combatant or a thing is not there."""

Found = tuple[str, str, str, str]
"""A fault of an event: its kind, its message, a text in the source, and one line that would work."""


def _list_type_faults(event: Event) -> Iterator[str]:
    try:
        msgspec.json.decode(msgspec.json.encode(event), type=type(event))
    except msgspec.ValidationError as error:
        yield str(error)


def _list_undeclared(event: Event, ruleset: Ruleset) -> Iterator[Found]:
    for table, word in list_words(event):
        bare = topic_of(word).partition("/")[0]
        if bare and table not in LEFT_OUT and bare not in getattr(ruleset.vocabulary, table):
            yield "word", f"{bare} is not declared in vocabulary.toml", bare, f"{bare} = {{}} under [{table}]"


def _list_strangers(event: Event, draft: Draft) -> Iterator[Found]:
    known = (draft.combatants, draft.departed, NOBODY)
    for field in list_naming_fields(type(event), "combatant", new=False):
        value = getattr(event, field)
        for who in (value,) if isinstance(value, str) else tuple(value or ()):
            if isinstance(who, str) and not any(who in some for some in known):
                yield "rules", f"{field}: there is no combatant {who}", "", ""


def list_words(value: Any) -> Iterator[tuple[str, str]]:
    """Yield every word that an event names, with its table in the vocabulary."""
    if isinstance(value, Struct):
        named = names(type(value))
        for field in value.__struct_fields__:
            table = TABLES.get(named.get(field, ""))
            found = getattr(value, field)
            if table:
                texts = [found] if isinstance(found, str) else [one for one in found or () if isinstance(one, str)]
                yield from ((table, one) for one in texts)
            if not isinstance(found, Raw):
                yield from list_words(found)
    elif isinstance(value, dict):
        yield from list_words(tuple(value.values()))
    elif isinstance(value, tuple | list):
        for one in value:
            yield from list_words(one)


def _check_telling(ruleset: Ruleset, recorded: list[Recorded], sources: tuple[Source, ...]) -> Iterator[SystemFault]:
    """Yield the events that make a sentence with a hole."""
    known = names_of(recorded)
    for one in recorded:
        what = f"{type(one.event).__name__} at position {one.position}"
        try:
            said = sentence(one.event, known)
        except Exception as error:  # any error of a sentence is a fault of its words
            yield SystemFault(kind="telling", message=f"{what} cannot be told: {type(error).__name__}: {error}")
            continue
        if HOLE.search(QUOTED.sub("text", said)):
            yield SystemFault(kind="telling", message=f"{what} is told with a hole: {said!r}")
    tell_story(recorded, known)
