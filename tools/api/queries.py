"""Read queries on a fight: audit and explanation as JSON objects."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import Any

import msgspec
from msgspec.structs import replace

from affray.engine.analysis.explain import explain_event
from affray.engine.clock import utc_now
from affray.engine.commands import Amend, Outcome
from affray.engine.core.state import digest
from affray.engine.fight import Fight
from affray.engine.history.past_states import state_after
from affray.engine.integrity.audit import Parent, Report, audit
from affray.engine.stores import Store
from affray.engine.visibility import Viewer
from affray.events import Forked, LogError, decode_line
from affray.tools.parse.decoding import reword_decoder_text
from affray.tools.present.audit_text import finding_sentence, list_remarks, summarise_audit
from affray.tools.present.awaited import awaited_in, find_awaited
from affray.tools.present.receipts.teller import GAME_MASTER
from affray.tools.present.story.line_text import add_sentences
from affray.tools.present.story.words import Names

from .amendment_preview import Preview, make_preview
from .schemas.fights import Audited
from .schemas.receipts import Explanation, explanation


def moment_of(fight: Fight, at: int | None = None) -> dict[str, Any]:
    """Return the present state, or the state at an earlier log position.

    Raises:
        Unusable: there is no such position.
    """
    state = fight.state if at is None else state_after(fight.history.recorded, at)
    position = at or fight.head
    now = awaited_in(fight) if at is None else find_awaited(state)
    hash = fight.history.at(position).hash
    return {"position": position, "hash": hash, "digest": digest(state), "waiting": now, "state": state}


def describe_outcome(fight: Fight, outcome: Outcome) -> dict[str, Any]:
    """Return the outcome of a command."""
    return {
        "head": fight.head,
        "hash": fight.history.head_hash,
        "repeated": outcome.repeated,
        "lines": list(add_sentences(fight, ((one, msgspec.json.encode(one)) for one in outcome.recorded))),
        "waiting": awaited_in(fight),
    }


def preview_of(fight: Fight, amend: Amend, who: str, id: str) -> Preview:
    """Return the preview of an amendment; see ``Fight.preview``."""
    return make_preview(fight, fight.preview(amend, who, id))


def audit_fight(
    store: Store, name: str, lines: Callable[[], Iterable[bytes]] | None = None, *, details: bool = True
) -> Report:
    """Audit a fight by its log and the seed kept beside it.

    Args:
        lines: A function that reads the log; by default the store's.
        details: As in ``audit``.
    """
    read = lines or (lambda: store.lines(name))
    return audit(read, seed=store.seed(name), parents=_parents(store, name), now=utc_now(), details=details)


def _parents(store: Store, name: str) -> list[Parent]:
    """Return the parents of a fork that are in the same store."""
    there = set(store.fights()) - {name}
    said = (line for line in store.lines(name) if b'"type":"Forked"' in line)
    named = dict.fromkeys(one for line in said for one in _parent_in(line) if one in there)
    return [parent_in(store, one) for one in named]


def _parent_in(line: bytes) -> Iterator[str]:
    with suppress(LogError):
        event = decode_line(line).event
        if isinstance(event, Forked):
            yield event.parent


def parent_in(store: Store, name: str, said: str = "") -> Parent:
    """Return a fight of a store as the parent of a fork."""
    return Parent(name=said or name, lines=lambda: store.lines(name), key=store.seed(name))


def audit_named(store: Store, name: str, names: Names, *, head: int | None = None, details: bool = True) -> Audited:
    """Audit a fight, and tell the findings in sentences.

    Args:
        names: The names of the combatants and things in it.
        head: The last position to read; by default the end. More may be recorded, and hidden, while the audit runs.
        details: See ``audit``.
    """
    judged = verdict_of(audit_fight(store, name, lambda: islice(store.lines(name), head), details=details))
    report = judged["report"]
    said = [finding_sentence(one, names) for one in report.findings]
    return Audited(**judged, says=said, listed=list(list_remarks(report, names)))


def verdict_of(report: Report) -> dict[str, Any]:
    """Return an audit as one object, with its verdict and its summary."""
    findings = [replace(one, found=reword_decoder_text(one.found)) for one in report.findings]
    report = replace(report, findings=findings)
    return {"clean": report.clean, "verdict": report.verdict, "summary": summarise_audit(report), "report": report}


def explain_position(fight: Fight, position: int, viewer: Viewer = GAME_MASTER) -> Explanation:
    """Explain an event, in names that the viewer may read.

    Raises:
        Unusable: there is no such position.
    """
    return explanation(fight.name, fight, explain_event(fight, position), viewer)
