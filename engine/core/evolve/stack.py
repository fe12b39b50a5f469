"""Fold declarations, questions and the stack."""

from affray.engine.core.draft import Draft
from affray.engine.core.state import Pending, Question
from affray.events import (
    APART,
    EVERYBODY,
    Answered,
    Asked,
    AskingSet,
    Attempted,
    Declared,
    Dropped,
    Fizzled,
    Id,
    Resolved,
    Ruled,
    Stacked,
    Withdrawn,
)

from .fold import on


def _count(draft: Draft, actor: Id, kind: str) -> None:
    counts, counter = draft.own("counts"), draft.counter(actor, kind)
    counts[counter] = counts.get(counter, 0) + 1


@on(Declared)
def _(draft: Draft, event: Declared) -> None:
    _count(draft, event.actor, event.kind)


@on(Attempted)
def _(draft: Draft, event: Attempted) -> None:
    counts = draft.own("counts")
    attempts = f"{event.actor}/attempt"
    counts[attempts] = counts.get(attempts, 0) + 1


@on(Ruled)
def _(draft: Draft, event: Ruled) -> None:
    _count(draft, "gm", event.kind + APART if event.apart else event.kind)


@on(Stacked)
def _(draft: Draft, event: Stacked) -> None:
    item = Pending(
        event.item, event.actor, event.kind, event.params, event.manner, event.tags, event.targets, event.confided
    )
    draft.stack.insert(event.at, item)
    kind = event.kind + APART if APART in event.item else event.kind
    draft.own("counts")[draft.counter(event.actor, kind)] = event.nth


@on(Resolved, Fizzled, Dropped)
def _(draft: Draft, event: Resolved | Fizzled | Dropped) -> None:
    stack = draft.stack
    if stack and stack[-1].id == event.item:
        stack.pop()
    else:
        draft.stack = [item for item in stack if item.id != event.item]
    draft.own("phases").pop(event.item, None)


@on(Asked)
def _(draft: Draft, event: Asked) -> None:
    draft.postpone(event.question)
    draft.question = Question(id=event.question, of=event.of, about=event.about, options=event.options)


@on(Answered)
def _(draft: Draft, event: Answered) -> None:
    draft.stop_waiting_for(event.question)


@on(Withdrawn)
def _(draft: Draft, event: Withdrawn) -> None:
    draft.stop_waiting_for(event.what)


@on(AskingSet)
def _(draft: Draft, event: AskingSet) -> None:
    if event.who == EVERYBODY:
        draft.own("stops")[event.what] = event.ask
        if not event.what:
            draft.patience = event.seconds
        return
    standing = draft.own("standing")
    if event.ask == "always":
        standing.pop(event.who, None)
    else:
        standing[event.who] = event.ask
