"""The audiences of a command's events, decided once when they are recorded.

They follow from the ids in the events' fields. Free text is as visible as the event that carries it. But a sender who
knows of a concealed combatant may name it without meaning to. So the free text of such a sender's reasons, notes,
declarations and answers is sealed until it is released. Events that follow from them without the free text stay open.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from affray import events as facts
from affray.engine.core.draft import Draft
from affray.engine.core.evolve import evolve
from affray.engine.core.loading import load
from affray.engine.core.marks import NO_MARKS, Marks, holds_words, is_list
from affray.engine.core.open_parts import concealed_leaving, lists_combatants
from affray.engine.core.state import Pending, State
from affray.events import ABOUT_THE_RECORD, STARTS, Event, Id, pending_of
from affray.events.vocabulary import split_before

from .hidden import Hidden, hidden_in
from .linked_events import EventLinks, is_phase_of_fight, is_revelation, payment, seal_parts
from .viewers import GM_ONLY, SECRET_RULINGS, WORDS

Audience = tuple[Id, ...] | None
"""The readers of an event; see ``Recorded.audience``."""

OPEN = frozenset(ABOUT_THE_RECORD - {facts.Previewed})
"""The events that every viewer can always read, because they decide which events count."""

IDLE = frozenset({facts.OfferDeclined, facts.Passed})
"""The events that record a combatant's inaction."""


class Segment(NamedTuple):
    """An input with its events, and the hidden facts around it.

    Attributes:
        events: The events of the input.
        before, after: The hidden facts before and after it.
        concealed: All combatants that are concealed before or after it.
        knows: The concealed combatants that its sender knows of; ``None`` for all.
        once: In an amendment, the combatants for whose sake its words were sealed when they were first recorded.
        stack: The pending actions before it.
        leaving: The hidden combatants that each event removes from a relation, list, order, question or mark.
        items: The pending action that each event pays for, or that is on top; empty for none.
        paid: The number of leading events that pay for the declared action.
        answers: The combatants whose veiled counters its input would tell: it answers a question or roll about them.
        links: Finds the combatants that each event, in order, concerns without naming them.
        system: The rule system.
    """

    events: Sequence[Event]
    before: Hidden | None
    after: Hidden | None
    concealed: set[Id]
    knows: Sequence[Id] | None
    once: set[Id]
    stack: Sequence[Pending]
    leaving: Sequence[set[Id]]
    items: Sequence[Id]
    paid: int
    answers: set[Id]
    links: EventLinks
    system: str

    def holds_words(self, event: facts.MarkSet) -> bool:
        """Tell whether a mark holds free text."""
        return holds_words(self._marks(), event.key, event.about, event.parts)

    def is_list(self, event: Event) -> bool:
        """Tell whether an event lists combatants, or records a combatant's inaction.

        Later free text is not about the combatants in such an event.
        """
        return type(event) in IDLE or lists_combatants(event, self._marks())

    def _marks(self) -> Marks:
        hidden = self.before or self.after
        return NO_MARKS if hidden is None else hidden.scope.marks


def has_hiding(events: Iterable[Event]) -> bool:
    """Tell whether any of these events hides a fact."""
    return any(isinstance(one, facts.Concealed | facts.Veiled) or _is_secret(one) for one in events)


def list_known_concealed(of: State | Draft, knows: Sequence[Id] | None) -> tuple[Id, ...]:
    """List the concealed combatants among ``knows``; all of them if it is ``None``."""
    return tuple(sorted(of.concealed if knows is None else {*of.concealed} & {*knows}))


def find_audiences(
    before: State,
    events: Sequence[Event],
    state_at: Callable[[int], State],
    knows: Sequence[Id] | None = None,
    phase: Callable[[], str] = str,
    confided: Iterable[tuple[Event, set[Id]]] = (),
) -> tuple[Audience, list[Audience]]:
    """Return who may know the sender of a command, and who may read each event.

    Args:
        before: The state that the command was carried out in.
        state_at: Returns the state after an earlier position, where an amendment starts.
        knows: Ids of the concealed combatants that its sender may know of; ``None`` for all.
        phase: Returns the last open phase of the fight.
        confided: The sealed inputs that an amendment decides again, in order, each with the combatants for whose sake.
            Their words stay sealed, even if nobody is concealed in the new lane.
    """
    segments, confided = list[Segment](), [*confided]
    draft = Draft(before)
    known, amends = hidden_in(draft), isinstance(events[0], facts.Amended)
    for events_of in split_before(events, lambda event: type(event) in STARTS):
        first = events_of[0]
        if isinstance(first, facts.Amended):
            draft = Draft(state_at(first.to))
        then = hidden_in(draft) if segments or amends else known
        concealed, stack, links = {*draft.concealed}, tuple(draft.stack), _links(draft, then, events_of)
        leaving, (paid, item) = [], payment(events_of)
        answers = then.named_as_sources(_list_sources(draft, first)) if then is not None else set[Id]()
        items, aside = [item] * paid, isinstance(first, facts.Declared)
        for nth, event in enumerate(events_of):
            leaving.append(
                set() if _is_open_part(event, events_of[nth + 1 : nth + 2]) else _leaving(event, draft, then)
            )
            aside = aside and not isinstance(event, facts.Stacked | facts.PhaseEntered)
            if nth >= paid:
                items.append(draft.stack[-1].id if draft.stack and not aside else "")
            evolve(draft, event)
        hidden = hidden_in(draft)
        everybody = concealed.union(draft.concealed)
        again = next((nth for nth, (event, _) in enumerate(confided) if _is_same_input(event, first)), None)
        once = set[Id]() if again is None else confided[again][1]
        del confided[: 0 if again is None else again + 1]
        segments.append(
            Segment(
                events_of,
                then,
                hidden,
                everybody,
                knows,
                once,
                stack,
                leaving,
                items,
                paid,
                answers,
                links,
                draft.system,
            )
        )
    last, by_now = hidden_in(draft), {*before.concealed} & {*draft.concealed} if amends else set()
    found = [audience for one in segments for audience in _audiences(one, by_now)]
    if amends:
        found = [
            audience
            if type(event) in OPEN
            else _without(audience, _find_hidden(known, event) & _find_hidden(last, event))
            for audience, event in zip(found, events, strict=True)
        ]
    return found[0], _without_known_phase(found, events, phase)


def _list_sources(draft: Draft, answer: Event) -> tuple[facts.AnySource, ...]:
    """List the veiled counters that the pending question or roll of an answer tells."""
    if isinstance(answer, facts.Answered) and draft.question is not None:
        return draft.question.sources
    return draft.awaited.sources if isinstance(answer, facts.DiceEntered) and draft.awaited is not None else ()


def _is_same_input(one: Event, other: Event) -> bool:
    """Tell whether two inputs are equal, ignoring the ``apart`` flag of rulings."""
    return one == (
        replace(other, apart=one.apart) if isinstance(one, facts.Ruled) and isinstance(other, facts.Ruled) else other
    )


def _is_open_part(event: Event, following: Sequence[Event]) -> bool:
    """Tell whether an event is the open part of the question behind it."""
    asked = following[0] if following else None
    return isinstance(event, facts.Asked) and isinstance(asked, facts.Asked) and asked.question == event.question


def _leaving(event: Event, draft: Draft, hidden: Hidden | None) -> set[Id]:
    """Return the hidden combatants that an event removes.

    It removes them from a relation, the turn order, a list or a question, or it removes a mark that names them.
    """
    leaving = concealed_leaving(event, draft) if draft.concealed else set[Id]()
    if (
        isinstance(event, facts.MarkSet)
        and event.value is None
        and not event.parts
        and not is_list(load(draft.system).marks, event.key)
    ):
        held = draft.mark(event.owner, event.key, event.about)
        parts = draft.mark_parts.get(event.owner, {}).get(event.key, {}).get(event.about, {})
        whole = replace(event, value=held, parts=parts)
        leaving |= _find_hidden(hidden, whole) | _find_hidden(hidden_in(draft), whole)
    return leaving


def _without_known_phase(found: list[Audience], events: Sequence[Event], phase: Callable[[], str]) -> list[Audience]:
    """Seal the phases of a sealed command that lead back to the last open phase.

    Where other events of it are open, its phases stay open, unless it is a ruling or ends a turn.
    """
    sender = found[0]
    entered = {at: one.phase for at, one in enumerate(events) if found[at] is None and is_phase_of_fight(one)}
    if not sender or not entered:
        return found
    ended = any(isinstance(one, facts.TurnEnded) and found[at] is not None for at, one in enumerate(events))
    alone = ended or isinstance(events[0], facts.Ruled) or found.count(None) == len(entered)
    if alone and [*entered.values()][-1] == phase():
        readers = tuple([one for one in sender if one != WORDS]) or (GM_ONLY,)
        return [readers if at in entered else audience for at, audience in enumerate(found)]
    return found


def _without(audience: Audience, hidden: set[Id]) -> Audience:
    """Return the audience of an event of an amendment.

    The event tells of earlier events, and so of combatants that are hidden by now.
    """
    if not hidden:
        return audience
    return (GM_ONLY,) if audience == () else intersect_audiences(audience, tuple(sorted(hidden)))


def intersect_audiences(one: Audience, other: Audience) -> Audience:
    """Return the readers that belong to both of two audiences.

    If one of them is sealed for good, the result is too: it is never released.
    """
    if one is None or other is None:
        return other if one is None else one
    return tuple(sorted({*one, *other} - ({WORDS} - ({*one} & {*other}))))


def _audiences(segment: Segment, by_now: set[Id]) -> Iterator[Audience]:
    """Yield the audience of each event of an input.

    Facts that are hidden before or after it count, until they are revealed.

    Args:
        by_now: In an amendment, the combatants that are concealed by now; its sender may write about them.
    """
    concealed = segment.concealed | by_now | segment.once
    knows = concealed if segment.knows is None else concealed.intersection(segment.knows)
    about = list(_about(segment))
    words = list(_words(segment, concealed, knows))
    before, after = segment.before, segment.after
    pending = {one.id: _find_hidden(before, one) | _find_hidden(after, one) for one in segment.stack}
    asking = {one.id: seal_parts(one, pending[one.id], segment.system) for one in segment.stack}
    for one, who in zip(segment.events, about, strict=True):
        if isinstance(one, facts.Stacked):
            pending[one.item], asking[one.item] = who, seal_parts(one, who, segment.system)
    secret = _is_secret(segment.events[0])
    for event, who, said, noted in zip(
        segment.events, about, words, _remark_subjects(segment, about, pending), strict=True
    ):
        if type(event) in OPEN:
            yield None
        elif isinstance(event, facts.AttemptRefused):
            yield (GM_ONLY,)
        elif secret and isinstance(event, facts.Ruled | facts.Rolled):
            yield (GM_ONLY,) if who else (GM_ONLY, WORDS) if knows else ()
        elif isinstance(event, facts.Noted):
            yield _readers(noted, said)
        elif isinstance(event, facts.Asked):  # no field holds an option's effect; it is about its pending action
            yield _readers(who | asking.get(pending_of(event.question), set()), said)
        else:
            yield _readers(who, said)


def _remark_subjects(segment: Segment, about: Sequence[set[Id]], pending: Mapping[Id, set[Id]]) -> Iterator[set[Id]]:
    """Yield for each event the combatants that a remark at that point would concern.

    A remark names them in no field. It concerns its pending action, and the events before it in its turn. Later events,
    and those beneath that action, do not count.
    """
    told = set[Id]()
    for nth, (event, who, item) in enumerate(zip(segment.events, about, segment.items, strict=True)):
        if nth == segment.paid or (isinstance(event, facts.TurnBegan) and not item):
            told = set()
        yield pending.get(item, set()) | (told if nth >= segment.paid else set())
        if not segment.is_list(event):
            told = told | who


def _readers(about: set[Id], words: set[Id]) -> Audience:
    if about:
        return tuple(sorted(about.union(words)))
    return (*sorted(words), WORDS) if words else None


def _about(segment: Segment) -> Iterator[set[Id]]:
    """Yield for each event the combatants with hidden facts that it tells."""
    before = segment.before
    newcomers = {one.who for one in segment.events if isinstance(one, facts.Joined)} & segment.concealed
    for event, leaving in zip(segment.events, segment.leaving, strict=True):
        if is_revelation(event) or (isinstance(event, facts.Veiled) and not event.pools):
            before = None
        own = _find_hidden(before, event) | _find_hidden(segment.after, event) | leaving
        own |= newcomers if isinstance(event, facts.Ruled) else set()
        own |= segment.answers if event is segment.events[0] else set()
        yield own | segment.links.of(event, own & segment.concealed)


def _links(draft: Draft, hidden: Hidden | None, events: Sequence[Event]) -> EventLinks:
    slot = hidden.named_as("slot", draft.up) if hidden is not None else set[Id]()
    return EventLinks(draft, lambda said: _find_hidden(hidden, said) & {*draft.concealed}, slot, events)


def _words(segment: Segment, concealed: set[Id], knows: set[Id]) -> Iterator[set[Id]]:
    """Yield for each event who its words' author knew of; none if it has no words."""
    first, confided = segment.events[0], {one.id for one in segment.stack if one.confided}
    confided.update(one.item for one in segment.events if isinstance(one, facts.Stacked) and one.confided)
    now = isinstance(first, facts.Declared | facts.Attempted | facts.Answered) and first.confided
    spoken = isinstance(first, facts.Ruled) or now
    theirs = concealed if confided and not now else knows  # whom an author of earlier words knew of is unknown
    for event, item in zip(segment.events, segment.items, strict=True):
        match event:
            case (
                facts.Ruled()
                | facts.Declared(confided=True)
                | facts.Attempted(confided=True)
                | facts.Answered(confided=True)
                | facts.Stacked(confided=True)
            ):
                yield knows
            case facts.Asked() if pending_of(event.question) in confided:
                yield theirs
            case facts.Noted() if spoken or (item in confided if item else confided):
                yield theirs
            case facts.MarkSet() if (spoken or confided) and segment.holds_words(event):
                yield theirs
            case _:
                yield set()


def _find_hidden(known: Hidden | None, said: Struct) -> set[Id]:
    return known.found_in(said) if known is not None else set()


def _is_secret(event: Event) -> bool:
    return isinstance(event, facts.Ruled) and event.kind in SECRET_RULINGS
