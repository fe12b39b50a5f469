"""Fold declarations, questions and the stack."""

from affray import events as facts
from affray.engine.core.draft import Draft
from affray.engine.core.state import Pending, Question
from affray.events import APART, EVERYBODY, Id

from .fold import on


def _count(draft: Draft, actor: Id, kind: str) -> None:
    counts, counter = draft.own("counts"), draft.counter(actor, kind)
    counts[counter] = counts.get(counter, 0) + 1


@on(facts.Declared)
def _(draft: Draft, event: facts.Declared) -> None:
    _count(draft, event.actor, event.kind)


@on(facts.Attempted)
def _(draft: Draft, event: facts.Attempted) -> None:
    counts = draft.own("counts")
    attempts = f"{event.actor}/attempt"
    counts[attempts] = counts.get(attempts, 0) + 1


@on(facts.Ruled)
def _(draft: Draft, event: facts.Ruled) -> None:
    _count(draft, "gm", event.kind + APART if event.apart else event.kind)


@on(facts.Stacked)
def _(draft: Draft, event: facts.Stacked) -> None:
    item = Pending(
        event.item, event.actor, event.kind, event.params, event.manner, event.tags, event.targets, event.confided
    )
    draft.stack.insert(event.at, item)
    kind = event.kind + APART if APART in event.item else event.kind
    draft.own("counts")[draft.counter(event.actor, kind)] = event.nth


@on(facts.Resolved, facts.Fizzled, facts.Dropped)
def _(draft: Draft, event: facts.Resolved | facts.Fizzled | facts.Dropped) -> None:
    stack = draft.stack
    if stack and stack[-1].id == event.item:
        stack.pop()
    else:
        draft.stack = [item for item in stack if item.id != event.item]
    draft.own("phases").pop(event.item, None)


@on(facts.Asked)
def _(draft: Draft, event: facts.Asked) -> None:
    draft.postpone(event.question)
    draft.question = Question(
        id=event.question, of=event.of, about=event.about, options=event.options, sources=event.sources
    )


@on(facts.Answered)
def _(draft: Draft, event: facts.Answered) -> None:
    draft.stop_waiting_for(event.question)


@on(facts.Withdrawn)
def _(draft: Draft, event: facts.Withdrawn) -> None:
    draft.stop_waiting_for(event.what)


@on(facts.AskingSet)
def _(draft: Draft, event: facts.AskingSet) -> None:
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
