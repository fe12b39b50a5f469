"""Faults as lines of text."""

import re

from affray.engine.core.catalogue import ClauseText
from affray.engine.core.loading import load_all
from affray.events import Clause
from affray.tools.parse.faults import Fault


def lines_of(fault: Fault) -> list[str]:
    """Return a fault as the lines that a person reads: one or two, and a line that would work if there is one."""
    return [*_reason_of(fault), *([f"say: {fault.example}"] if fault.example else [])]


def _reason_of(fault: Fault) -> list[str]:
    reason = ", ".join(dict.fromkeys(part for part in (fault.code, fault.rule) if part))
    if fault.is_refusal:
        first = f"refused: {fault.message} ({reason})"
        if fault.kind == "diverged":
            return [first, f"to go on from there: affray undo {fault.file or 'FIGHT'} --to {fault.source}"]
        said = clause_text(fault.rule)
        return [first, f"{fault.rule} {said.title}. {_first_sentence(said.says)}"] if said else [first]
    if fault.kind == "usage" and fault.source:
        return [f"affray: {fault.message}", f"{fault.source} --help says more"]
    place = [fault.file, f"line {fault.line}" if fault.line else "", fault.field]
    return [": ".join((", ".join(part for part in place if part) or "affray", fault.message))]


def clause_text(rule: Clause) -> ClauseText | None:
    """Return the text of a clause of any rule system."""
    found = (ruleset.clauses.get(rule) for ruleset in (load_all() if rule else ()))
    return next((text for text in found if text is not None), None)


def _first_sentence(text: str) -> str:
    return re.split(r"(?<=[.!?]) ", " ".join(text.split()), maxsplit=1)[0]
