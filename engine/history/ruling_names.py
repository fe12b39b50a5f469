"""Recorded rulings under their names in the present version of the rules."""

from collections.abc import Iterable

from msgspec.structs import replace

from affray.engine.core.ruleset import Ruleset
from affray.events import Recorded, Ruled, RulesetAdopted

from .timeline import History


def rename_rulings(inputs: Iterable[Recorded], history: History, ruleset: Ruleset) -> list[Recorded]:
    """Rename rulings if their name meant another ruling when they were recorded."""
    return [_rename_ruling(one, history, ruleset) for one in inputs]


def _rename_ruling(one: Recorded, history: History, ruleset: Ruleset) -> Recorded:
    """Return a recorded input, renamed if it is such a ruling."""
    event = one.event
    if not isinstance(event, Ruled) or event.kind not in ruleset.renamed:
        return one
    renamed = ruleset.renamed[event.kind]
    if _version_at(one.position, history) not in renamed.versions:
        return one
    return replace(one, event=replace(event, kind=renamed.name))


def _version_at(position: int, history: History) -> str:
    """Return the version of the rules at a position."""
    version = history.opening.version
    for one in history.recorded[: position - 1]:
        if isinstance(one.event, RulesetAdopted):
            version = one.event.version
    return version
