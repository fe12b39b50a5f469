"""Idempotency: commands that are sent again under their id."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from affray import events as facts
from affray.engine import commands
from affray.engine.commands import Command, Intent, Outcome, canonicalize_params
from affray.engine.errors import Reused
from affray.engine.runtime.attempts import declaration_of
from affray.engine.visibility import is_same_intent, unmark_privileged
from affray.events import Event, Recorded

from .timeline import History, split_by_input


def find_repeated(history: History, command: Command) -> Outcome | None:
    """Return the outcome of the same command if it was recorded before.

    Raises:
        Reused: its id belongs to another command.
    """
    position = history.commands.get(command.id)
    if position is None:
        return None
    first = history.at(position)
    recorded = history.recorded[position - 1 : position + first.more]
    if first.who != command.who or not is_same_command(command.intent, recorded):
        raise Reused(command.id, position)
    return Outcome(recorded=tuple(recorded), repeated=True)


def is_same_command(intent: Intent, command: Sequence[Recorded]) -> bool:
    """Tell whether a recorded command has this intent."""
    first = command[0].event
    means = _MEANS.get(type(intent))
    return means(intent, first, command) if means else intent == canonicalize_params(first)


def _is_declaration(said: facts.Declared, first: Event) -> bool:
    """Tell whether a declaration was recorded, as itself or as an attempt."""
    first = declaration_of(first) if isinstance(first, facts.Attempted) else first
    return isinstance(first, facts.Declared) and is_same_intent(said, first)


def _is_ruling(said: facts.Ruled, first: Event, _: Sequence[Recorded]) -> bool:
    """Tell whether a ruling was recorded, however it is numbered."""
    return isinstance(first, facts.Ruled) and replace(said, apart=False) == canonicalize_params(
        replace(first, apart=False)
    )


def _is_undo(undo: commands.Undo, first: Event, _: Sequence[Recorded]) -> bool:
    if isinstance(first, facts.UndoRequested):
        first = facts.Rewound(to=first.to, lane=first.lane, commands=first.commands, reason=first.reason)
    if not isinstance(first, facts.Rewound | facts.Restored) or (first.fresh, first.reason) != (
        undo.fresh,
        undo.reason,
    ):
        return False
    if isinstance(first, facts.Rewound) and first.request:
        return False
    if undo.to is not None:
        return isinstance(first, facts.Rewound) and first.to == undo.to
    return first.commands == undo.commands


def _is_undo_answer(answer: commands.AnswerUndo, first: Event, _: Sequence[Recorded]) -> bool:
    if isinstance(first, facts.UndoDeclined):
        return not answer.allow and first.reason == answer.reason and answer.request in (None, first.request)
    return (
        isinstance(first, facts.Rewound)
        and bool(first.request)
        and answer.allow
        and answer.request in (None, first.request)
        and answer.reason in ("", first.reason)
    )


def _is_redo(redo: commands.Redo, first: Event, _: Sequence[Recorded]) -> bool:
    return (
        isinstance(first, facts.Restored)
        and not first.commands
        and first.reason == redo.reason
        and redo.lane in (None, first.lane)
    )


def _is_amendment(amend: commands.Amend, first: Event, command: Sequence[Recorded]) -> bool:
    if not isinstance(first, facts.Amended):
        return False
    inputs = [unmark_privileged(canonicalize_params(segment[0].event)) for segment in split_by_input(command[1:])]
    return (
        first.to < amend.position
        and first.reason == amend.reason
        and first.retracted == (not amend.instead)
        and tuple(inputs[: len(amend.instead)]) == amend.instead
        and all(answer in inputs for answer in amend.answers)
    )


_MEANS: dict[type[Any], Callable[[Any, Event, Sequence[Recorded]], bool]] = {
    facts.Declared: lambda said, first, _: _is_declaration(said, first),
    facts.Ruled: _is_ruling,
    facts.Answered: lambda said, first, _: isinstance(first, facts.Answered) and is_same_intent(said, first),
    commands.Undo: _is_undo,
    commands.AnswerUndo: _is_undo_answer,
    commands.Redo: _is_redo,
    commands.Amend: _is_amendment,
    commands.Stir: lambda stir, first, _: first == facts.EntropyAdded(words=stir.words),
    commands.Close: lambda close, first, _: isinstance(first, facts.Closed) and first.reason == close.reason,
}
