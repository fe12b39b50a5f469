"""The explanation of a refusal, as text."""

from collections.abc import Iterator

from affray.engine.analysis.explain import IntentVerdict
from affray.engine.fight import Fight
from affray.events import Answered, Declared
from affray.tools.present.story.actions import phrase
from affray.tools.present.story.words import Names, capital, name_of

from .teller import Teller
from .text import clause_lines, row_line

WHO_REFUSES = {
    "record": "whatever is declared: a fork of it can go on",
    "awaited": "whatever is declared: somebody must answer or roll first",
    "kind": "by the list of actions: it is not on it",
    "phase": "by the phase: nothing of the kind can be declared in it",
    "guard": "by the guard of that step",
    "check": "by the action's own conditions",
    "asked": "by what is asked, and of whom",
    "question": "by the question's own conditions",
}
"""The name of each layer that refuses a declaration or an answer."""

OUTSIDE_THE_FLOW = ("record", "awaited", "kind", "asked", "question")
"""Refusals for which the flow does not matter."""


def refusal_lines(fight: Fight, intent: Declared | Answered, found: IntentVerdict, width: int) -> Iterator[str]:
    """Yield whether a declaration or answer would be accepted, and if not, the reason."""
    teller = Teller(fight)
    tried = _attempt_text(teller, intent, found)
    if found.allowed:
        yield f"{tried}, after position {found.at}: yes, that would be accepted"
        if isinstance(intent, Declared):
            yield f"  flow       {_row(found, teller.names)}"
        return
    yield f"{tried}, after position {found.at}: no"
    yield ""
    reason = ", ".join(dict.fromkeys(part for part in (found.code, found.rule) if part))
    yield f"  because    {found.message} ({reason})"
    if found.by not in OUTSIDE_THE_FLOW:
        yield f"  flow       {_row(found, teller.names)}"
    guard = f": {found.guard.replace('_', ' ')}" if found.guard else ""
    yield f"  refused    {WHO_REFUSES[found.by]}{guard}"
    for nth, one in enumerate(found.made_so):
        yield f"  {'' if nth else 'made so by':<10} {row_line(teller.row(one)).lstrip()}"
    if rule := teller.clauses((found.rule,)):
        yield ""
        yield from clause_lines(rule, width)


def _attempt_text(teller: Teller, intent: Declared | Answered, found: IntentVerdict) -> str:
    if isinstance(intent, Answered):
        return teller.answer_sentence(intent, found.at)
    what = phrase(intent.kind, intent.params, teller.names, intent.actor)
    manner = "" if intent.manner == "standard" else f" ({teller.names.label('manners', intent.manner)})"
    return f"{capital(name_of(teller.names, intent.actor))} to {what}{manner}"


def _row(found: IntentVerdict, names: Names) -> str:
    if not found.row:
        phase, trigger = names.label("phases", found.phase), names.label("triggers", found.trigger)
        return f"in the phase {phase}, {trigger} leads nowhere"
    before, trigger, after = found.row
    rule = f" ({found.row_rule})" if found.row_rule else ""
    here, there = names.label("phases", before), names.label("phases", after)
    return f"in the phase {here}, {names.label('triggers', trigger)} leads to {there}{rule}"
