"""Explain one event: its causes, its numbers, and its consequences."""

from collections.abc import Iterator

from msgspec import Struct

from affray import events as facts
from affray.engine.errors import Unusable
from affray.engine.fight import Fight
from affray.events import STARTS, Clause, Event, Id, Recorded

from .causality import Path, Thread, build_threads, find_path
from .provenance import ExplainedEvent
from .provenance_index import ProvenanceIndex
from .receipts import Harm, Receipt, find_harm, list_terms, make_receipt

CHANGES = (facts.ConditionChanged, facts.Damaged, facts.Left, facts.Moved, facts.PoolChanged)
"""Events by which an interrupt may change the plans of the combatant it interrupts."""


class Sent(Struct, frozen=True, kw_only=True):
    """The command that an event belongs to, with the claimed sender."""

    id: str
    who: str
    time: str
    position: int


class Account(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The explanation of an event, as positions and numbers.

    ``affray.tools.present.receipts`` puts it into sentences.

    Attributes:
        position: The position of the event.
        command: The command that recorded it.
        chain: The events that led to it, from the first cause to the event itself.
        consequences: The events that followed from it in the same resolution.
        receipt: The account of its dice, if it is a roll.
        harm: The terms of its amount, if it is damage.
        undone_by: The event that took it back; 0 if it is effective.
        clauses: The clauses that the chain, the receipt and the consequences cite, in order.
    """

    position: int
    command: Sent
    chain: tuple[int, ...]
    consequences: tuple[int, ...]
    receipt: Receipt | None = None
    harm: Harm | None = None
    undone_by: int = 0
    clauses: tuple[Clause, ...] = ()


def explain_event(fight: Fight, position: int) -> Account:
    """Explain one recorded event.

    Raises:
        Unusable: there is no such position.
    """
    history = fight.history
    if not 1 <= position <= history.head:
        raise Unusable(f"there is no event {position}; this fight has 1 to {history.head}", "N")
    recorded = history.recorded
    path = find_path(history, position)
    threads = build_threads(recorded, path.positions, fight.ruleset.turns.procedures)
    thread = threads.get(position)
    one = recorded[position - 1]
    if thread is None:  # no path holds its command
        thread = Thread([each.position for each in recorded if each.cause == one.cause])
    slip, harm = _explain_numbers(fight, path, threads, position)
    chain = tuple(_list_causes(recorded, thread, position))
    consequences = tuple(_list_consequences(recorded, thread, position))
    return Account(
        position=position,
        command=Sent(id=one.cause, who=one.who, time=one.time, position=history.commands[one.cause]),
        chain=chain,
        consequences=consequences,
        receipt=slip,
        harm=harm,
        undone_by=path.undone_by,
        clauses=tuple(dict.fromkeys(_list_cited(recorded, (*chain, *consequences), slip, harm))),
    )


def _explain_numbers(
    fight: Fight, path: Path, threads: dict[int, Thread], position: int
) -> tuple[Receipt | None, Harm | None]:
    """Return the receipt of a roll, or the terms of damage."""
    recorded, ruleset = fight.history.recorded, fight.ruleset
    event = recorded[position - 1].event
    if not isinstance(event, facts.Rolled | facts.Damaged):
        return None, None
    who = event.by if isinstance(event, facts.Rolled) else event.who
    index = ProvenanceIndex(recorded, path.positions, ruleset.vocabulary)
    moment = ExplainedEvent(
        ruleset=ruleset, recorded=recorded, index=index, threads=threads, position=position, who=who
    )
    return (make_receipt(moment), None) if isinstance(event, facts.Rolled) else (None, find_harm(moment, position))


def _list_causes(recorded: list[Recorded], thread: Thread, position: int) -> Iterator[int]:
    """Yield the causes of an event.

    These are the earlier events of its own resolution, and the start of each resolution below.
    """
    if thread.below is not None:
        yield from _list_causes_below(recorded, thread.below, thread.positions[0])
    yield from sorted(
        {
            *(one for one in thread.positions if one < position and _is_related(recorded, thread, one, position)),
            *(
                one
                for other in thread.above
                for one in _list_interrupt_effects(recorded, thread, other)
                if one < position
            ),
            position,
        }
    )


def _list_interrupt_effects(recorded: list[Recorded], thread: Thread, other: Thread) -> Iterator[int]:
    """Yield an interrupt's first event, and its effects on the interrupted combatant."""
    yield other.positions[0]
    actor = getattr(recorded[thread.positions[0] - 1].event, "actor", None)
    for one in other.positions[1:]:
        event = recorded[one - 1].event
        if isinstance(event, CHANGES) and event.who == actor:
            yield one


def _list_causes_below(recorded: list[Recorded], thread: Thread, position: int) -> Iterator[int]:
    if thread.below is not None:
        yield from _list_causes_below(recorded, thread.below, thread.positions[0])
    for nth, one in enumerate(thread.positions):
        event = recorded[one - 1].event
        if nth == 0 or (one < position and type(event) in STARTS and not isinstance(event, facts.Passed)):
            yield one


def _list_consequences(recorded: list[Recorded], thread: Thread, position: int) -> Iterator[int]:
    own = (one for one in thread.positions if one > position and _is_related(recorded, thread, one, position))
    yield from sorted({*own, *(one.positions[0] for one in thread.above if one.positions[0] > position)})


def _is_related(recorded: list[Recorded], thread: Thread, other: int, position: int) -> bool:
    """Tell whether two events of a thread belong to the same chain of causes.

    All events of a declaration do. Events of a phase that the flow runs do only if they are about the same combatant.
    """
    first = recorded[thread.positions[0] - 1].event
    if not isinstance(first, facts.PhaseEntered | facts.FightOpened) or thread.item:
        return True
    if thread.positions[0] in (other, position):
        return True
    shared = list_people(recorded[other - 1].event) & list_people(recorded[position - 1].event)
    return bool(shared)


def list_people(event: Event) -> set[Id]:
    """Return the combatants that an event is about."""
    found = {getattr(event, name, "") for name in ("who", "by", "actor", "owner", "viewer")}
    found |= {getattr(event, name, "").partition(".")[0] for name in ("item",)}
    found |= {getattr(event, "roll", "").partition("#")[0], getattr(event, "question", "")}
    if isinstance(event, facts.Rolled | facts.DiceAwaited):
        found.add(event.purpose.partition(":")[2])
    return {one for one in found if one}


def _list_cited(
    recorded: list[Recorded], positions: tuple[int, ...], slip: Receipt | None, harm: Harm | None
) -> Iterator[Clause]:
    for one in positions:
        yield from recorded[one - 1].event.rules
    yield from (term.rule for term in list_terms(slip, harm) if term.rule)
