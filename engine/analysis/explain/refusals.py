"""Explain a refusal: the clause, the check, and the event that caused it."""

from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct, structs

from affray.engine.core.evolve import fold
from affray.engine.core.rule_faults import convert_rule_errors
from affray.engine.core.ruleset import config_of
from affray.engine.core.table import Table
from affray.engine.errors import Refused, Unusable
from affray.engine.fight import Fight
from affray.engine.runtime.validation import check_nothing_awaited, check_open
from affray.events import STANDARD, Answered, AnySource, Clause, Declared, Id, Source

from .provenance_index import ProvenanceIndex, place_key
from .reads import NOTHING, TURN, Read, RecordingDraft


class IntentVerdict(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The verdict on a declaration or an answer: accepted, or refused with the cause.

    Attributes:
        at: The position after which it was tried.
        allowed: Whether it would be accepted.
        trigger: The trigger of the flow that it fires; empty for an answer.
        phase: The phase at that time.
        by: The refusing part. For a declaration: the ended ``record``, a pending input (``awaited``), the list of
            actions (``kind``), the ``phase``, the ``guard`` of its step, or the action's ``check``. For an answer: the
            missing or foreign question (``asked``), or the ``question``'s conditions.
        guard: The name of the guard.
        row: The row of the flow that would be taken: from, on, to; empty where there is none.
        row_rule: Its clause.
        code, rule, message, source: As in ``Refused``.
        made_so: Positions of the events that caused it.
    """

    at: int
    allowed: bool
    trigger: str
    phase: str
    by: str = ""
    guard: str = ""
    row: tuple[str, ...] = ()
    row_rule: Clause = ""
    code: str = ""
    rule: Clause = ""
    message: str = ""
    source: AnySource = ""
    made_so: tuple[int, ...] = ()


def rebuild_fight_at(fight: Fight, position: int | None = None) -> Fight:
    """Return a fight as it was after the command at a position, for queries only.

    If the present rules would decide differently from there, it is the fight at the last quiet state before.

    Args:
        position: Any recorded position; the head by default.

    Raises:
        Unusable: there is no such position.
    """
    history = fight.history
    if position is None or position == history.head:
        return fight
    if not 1 <= position <= history.head:
        raise Unusable(f"must be from 1 to {history.head}", "--at")
    while not history.ends_a_command(position):
        position += 1
    return fight.copy_at(position, mend=True)


def explain_refusal(fight: Fight, intent: Declared | Answered) -> IntentVerdict:
    """Tell whether a fight would accept an intent, and why not. Nothing is recorded.

    Raises:
        Unusable: the intent is malformed, or an answer does not fit the question.
    """
    history, ruleset = fight.history, fight.ruleset
    line = history.list_ancestors(history.head)
    state = fold(history.at(position) for position in line)
    seen = RecordingDraft(state)
    table = Table(seen, config_of(ruleset, state.config))
    trigger = ""
    if isinstance(intent, Declared) and intent.kind in ruleset.actions:
        trigger = ruleset.action(intent.kind, intent.params).trigger(ruleset.turns.manners[intent.manner])
    step = ruleset.flow.table.get((state.phase, trigger))
    with convert_rule_errors(ruleset, seen, history.head):
        if isinstance(intent, Declared):
            by, refusal = _find_refusal(fight, table, intent, trigger)
        else:
            by, refusal = _find_answer_refusal(fight, intent)
    verdict = IntentVerdict(
        at=history.head,
        allowed=refusal is None,
        trigger=trigger,
        phase=state.phase,
        row=(state.phase, trigger, step.dest) if step else (),
        row_rule=step.rule if step else "",
    )
    if refusal is None:
        return verdict
    return structs.replace(
        verdict,
        by=by,
        guard=step.guard.__name__ if step and step.guard and by == "guard" else "",
        code=refusal.code,
        rule=refusal.rule,
        message=refusal.message,
        source=refusal.source,
        made_so=tuple(sorted({one for one in _list_causes(fight, seen, line, intent, refusal, by) if one})),
    )


def _find_refusal(fight: Fight, table: Table, intent: Declared, trigger: str) -> tuple[str, Refused | None]:
    """Return the first refusing part and its refusal, in the order of a declaration."""
    ruleset, draft = fight.ruleset, table.draft
    by = "record"
    try:
        check_open(fight.history.closed)
        by = "awaited"
        check_nothing_awaited(ruleset, draft)
        if not trigger:
            return "kind", ruleset.turns.refuse_unknown(intent.kind)
        by = "guard" if (draft.phase, trigger) in ruleset.flow.table else "phase"
        ruleset.flow.permit(table, intent.actor, trigger)
        by = "check"
        ruleset.action(intent.kind, intent.params).check(table, intent.actor, intent.manner)
    except Refused as refusal:
        return by, refusal
    return "", None


def _find_answer_refusal(fight: Fight, answer: Answered) -> tuple[str, Refused | None]:
    """Return the part that refuses an answer, and its refusal."""
    try:
        check_open(fight.history.closed)
        fight.check_answer(answer)
    except Refused as refusal:
        by = {"closed": "record", "no_such_question": "asked", "not_asked": "asked"}
        return by.get(refusal.code, "question"), refusal
    return "", None


def _list_causes(
    fight: Fight, seen: RecordingDraft, line: list[int], intent: Declared | Answered, refusal: Refused, by: str
) -> Iterator[int]:
    """Yield the events that caused a refusal."""
    end = fight.history.head + 1
    index = ProvenanceIndex(fight.history.recorded, line, fight.ruleset.vocabulary)
    if by == "record":
        yield fight.history.closed
    elif by in ("awaited", "asked"):
        yield index.find_last(seen.waits_for, end)
    elif by == "phase":
        yield index.find_last(seen.phase, end)
        yield index.find_last(seen.window.id, end) if seen.window else 0
    else:
        yield from _list_source_events(index, seen, intent, refusal.source, by, end)


def _list_source_events(
    index: ProvenanceIndex, seen: RecordingDraft, intent: Declared | Answered, source: AnySource, by: str, end: int
) -> Iterator[int]:
    """Yield the events that set a refusal's source.

    If the source is a combatant, they are the events that set the last value read of it.
    """
    actor = intent.actor if isinstance(intent, Declared) else intent.by
    if isinstance(source, Source):
        known = index.find_last(source, end)
        yield from [known] if known else [index.find_last(place_key(who), end) for who in (source.of, source.to)]
    elif source not in index.people:
        yield index.find_last(source, end) or index.find_last(f"{actor}.{source}", end)
    elif isinstance(intent, Answered):  # the rules that ask read the fight itself, unobserved
        borne = seen.combatants[source].conditions if source in seen.combatants else ()
        yield from (index.find_last(f"{source}.{name}", end) for name in borne)
    else:
        look = _find_last_read(seen, actor, source, guard=by == "guard", usual=intent.manner == STANDARD)
        yield from (index.find_last(name, end, joined=look.joined) for name in look.names)


def _find_last_read(seen: RecordingDraft, actor: Id, source: Id, *, guard: bool, usual: bool) -> Read:
    """Return the last read about a combatant.

    A read of its place or its side comes with that of the actor.

    Args:
        guard: Whether a guard made the read, so that a read of the active slot counts as well.
        usual: Whether the action was in the usual manner, which needs the turn and nothing else that is missing.
    """
    place, side = place_key(source), f"{source}.side"
    for look, before in pairwise((*reversed(seen.looks), NOTHING)):
        if guard and look == TURN:
            return look
        if look.about != source or (guard and usual and not look.there):
            continue
        if look.names == (place,):
            return look._replace(names=(place_key(actor), place))
        if look.names != (side,):
            return look
        if before.names == (f"{actor}.side",) and actor != source:
            return look._replace(names=(*before.names, side))
    return NOTHING
