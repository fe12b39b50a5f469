"""Open parts of events: their content without concealed combatants.

An event that lists concealed combatants among others is recorded twice: its open part for every viewer, then the whole
event, sealed. So a viewer reads the same events whether or not a concealed combatant is among those that are asked, act
or belong together. An open part that repeats known facts is not recorded: it would reveal that
a concealed combatant joined or left.
"""

from collections.abc import Callable, Collection, Container, Iterable
from typing import Any

from msgspec.structs import replace

from affray import events as facts
from affray.events import Event, Field, Id, Member, Option, Slot, about_of, owner_of

from .draft import Draft
from .loading import load
from .marks import Marks, is_list
from .state import Question, Relation, State
from .vocabulary import Vocabulary
from .words import RelationWord


def open_part(event: Event, draft: Draft) -> Event | None:
    """Return an event without the concealed combatants in it.

    Returns:
        The open part; ``None`` if the event lists no concealed combatant, or nothing is left without them.
    """
    part = PARTS.get(type(event))
    return part(event, draft) if part is not None else None


def lists_combatants(event: Event, marks: Marks) -> bool:
    """Tell whether an event lists combatants, and so can have an open part."""
    return type(event) in PARTS and (not isinstance(event, facts.MarkSet) or is_list(marks, event.key))


def repeats_known(event: Event, draft: Draft) -> bool:
    """Tell whether an event changes only concealed entries of a list or question.

    Viewers have its open content already. Another line of it would tell that a concealed combatant joined or left.
    """
    concealed = draft.concealed
    match event:
        case facts.RelationSet():
            held = draft.relations.get(event.relation)
            return (
                held is not None
                and held.kind == event.kind
                and _known_members(held, draft) == _known_members(event, draft)
            )
        case facts.OrderSet() | facts.MarkSet():
            return _repeats_known_list(event, draft)
        case facts.TurnBegan(slot=slot) if slot == draft.up and f"{slot}/turn" in draft.counts:
            joins = set(draft.acting) < set(event.members)
            return joins and _without_concealed(event.members, concealed) == _without_concealed(draft.acting, concealed)
        case facts.WindowOpened(window=id):  # a concealed combatant can answer in it now
            return draft.window is not None and draft.window.id == id
        case facts.Asked(question=id):
            asked = draft.question
            return (
                asked is not None and asked.id == id and _known_question(asked, draft) == _known_question(event, draft)
            )
    return False


def _repeats_known_list(event: facts.OrderSet | facts.MarkSet, draft: Draft) -> bool:
    if isinstance(event, facts.OrderSet):
        return _known_slots(event.slots, draft) == _known_slots(draft.slots, draft)
    concealed = draft.concealed
    return known_in_list(event.value, concealed) == known_in_list(_value_before(event, draft), concealed)


def concealed_leaving(event: Event, draft: Draft) -> set[Id]:
    """Return the concealed combatants that leave a relation, list or question.

    It is empty if the event changes anything else. A relation that rested on concealed members ends with all of them,
    because no viewer knew of it.
    """
    match event:
        case facts.RelationSet(relation=id, members=()) if id in draft.relations:
            held = draft.relations[id]
            return set() if _known_members(held, draft) else {one.who for one in held.members} & {*draft.concealed}
        case facts.RelationSet(relation=id) if id in draft.relations and repeats_known(event, draft):
            present = {one.who for one in draft.relations[id].members}
            return present.intersection(draft.concealed) - {one.who for one in event.members}
        case facts.OrderSet() if repeats_known(event, draft):
            present = {who for slot in draft.slots for who in slot.members}
            return present.intersection(draft.concealed) - {who for slot in event.slots for who in slot.members}
        case facts.Asked() if draft.question is not None and repeats_known(event, draft):
            return _concealed_in(draft.question, draft) - _concealed_in(event, draft)
        case facts.MarkSet() if is_list(load(draft.system).marks, event.key) and repeats_known(event, draft):
            return {*_list_in(_value_before(event, draft))}.intersection(draft.concealed) - {*_list_in(event.value)}
    return set()


def mark_after_open_part(event: Event) -> Event:
    """Return an event as recorded behind its open part, so that a turn counts once."""
    return replace(event, adds=True) if isinstance(event, facts.TurnBegan) else event


def asks_for_each(options: tuple[Option, ...], hides: Callable[[str], bool]) -> bool:
    """Tell whether a question has a field for each combatant, with a concealed one.

    Then its answer is sealed.
    """
    return any(field.about and hides(field.about) for option in options for field in option.fields)


def known_options(options: tuple[Option, ...], hides: Callable[[str], bool], words: Vocabulary) -> tuple[Option, ...]:
    """Return options without concealed choices; an option that needs one is left out.

    Args:
        hides: Tells whether an id names a concealed combatant, or a thing of one.
    """
    found = []
    for option in options:
        fields = [_known_field(one, hides, words) for one in option.fields]
        if None not in fields:
            found.append(replace(option, fields=tuple([one for one in fields if one is not ABSENT])))
    return tuple(found)


ABSENT = Field(name="", kind="text")
"""The placeholder for a field that is removed from an option."""


def _known_field(field: Field, hides: Callable[[str], bool], words: Vocabulary) -> Field | None:
    """Return a field without concealed choices.

    It is ``ABSENT`` if no choice is left, and ``None`` if the option needs the field.
    """
    if not words.chosen_kind(field.name):
        return field
    among = tuple([id for id in field.among if not hides(id)])
    if len(among) == len(field.among):
        return field
    return replace(field, among=among) if among else ABSENT if field.optional else None


def tells_of_concealed(answer: facts.Answered, draft: Draft) -> bool:
    """Tell whether an answer is by a concealed combatant, or names one or its things."""
    values = (value for value in answer.fields.values() if isinstance(value, str))
    return any(_belongs(id, draft) for id in (answer.by, *answer.about, *values))


def _open_question(event: facts.Asked, draft: Draft) -> facts.Asked | None:
    """Return a question without concealed choices; ``None`` if it has no open part.

    A question with a field for each combatant is sealed as a whole if a concealed one is among them.
    """
    concealed = draft.concealed
    if _is_of(event.question, concealed) or about_of(event.about) in concealed:
        return None
    if asks_for_each(event.options, lambda about: _belongs(about, draft) or _is_concealed_side(about, draft)):
        return None
    of = _without_concealed(event.of, concealed)
    options = known_options(event.options, lambda id: _belongs(id, draft), load(draft.system).vocabulary)
    whole = len(of) == len(event.of) and options == event.options
    return None if whole or not of or not options else replace(event, of=of, options=options)


def _known_question(question: facts.Asked | Question, draft: Draft) -> tuple[tuple[Id, ...], tuple[Option, ...]]:
    """Return the combatants openly asked, and the options without concealed choices."""
    options = known_options(question.options, lambda id: _belongs(id, draft), load(draft.system).vocabulary)
    return _without_concealed(question.of, draft.concealed), options


def tells_more(part: Event, told: Event, draft: Draft) -> bool:
    """Tell whether a question's open part differs from the last one that viewers have.

    A combatant that is asked, or can be chosen, was revealed since then.
    """
    if not isinstance(part, facts.Asked) or not isinstance(told, facts.Asked):
        return False
    return _known_question(part, draft) != _known_question(told, draft)


def _concealed_in(question: facts.Asked | Question, draft: Draft) -> set[Id]:
    """Return the concealed combatants that are asked, or that are or own a choice."""
    choices = {id for option in question.options for field in option.fields for id in field.among}
    return {who for id in {*question.of, *choices} for who in _owners(id, draft) if who in draft.concealed}


def _belongs(id: Id, draft: Draft) -> bool:
    """Tell whether an id names a concealed combatant, or a thing of one."""
    return any(who in draft.concealed for who in _owners(id, draft))


def _is_concealed_side(side: str, draft: Draft) -> bool:
    """Tell whether all combatants of a side are concealed."""
    members = [one.id for one in draft.combatants.values() if one.side == side]
    return bool(members) and {*members} <= {*draft.concealed}


def _owners(id: Id, draft: Draft) -> tuple[Id, ...]:
    """Return an id, and for a thing its present and first owner."""
    item = draft.items.get(id)
    return (id, owner_of(id)) if item is None else (id, item.owner, owner_of(id))


def _open_window(event: facts.WindowOpened, draft: Draft) -> facts.WindowOpened | None:
    to = _without_concealed(event.to, draft.concealed)
    return replace(event, to=to) if to and len(to) < len(event.to) else None


def _open_closing(event: facts.WindowClosed, draft: Draft) -> facts.WindowClosed | None:
    expired = _without_concealed(event.expired, draft.concealed)
    return replace(event, expired=expired) if len(expired) < len(event.expired) else None


def _open_turn(event: facts.TurnBegan, draft: Draft) -> facts.TurnBegan | None:
    members = _without_concealed(event.members, draft.concealed)
    if (
        not members
        or len(members) == len(event.members)
        or is_called_like_concealed(event.slot, draft.concealed, draft)
    ):
        return None
    return replace(event, members=members)


def _open_order(event: facts.OrderSet, draft: Draft) -> facts.OrderSet | None:
    slots = _known_slots(event.slots, draft)
    return replace(event, slots=slots) if slots and slots != event.slots else None


def _known_slots(slots: tuple[Slot, ...], draft: Draft) -> tuple[Slot, ...]:
    """Return slots without concealed members.

    A slot is left out if all its members are concealed, or if it is named like a concealed combatant.
    """
    left = [(slot, _without_concealed(slot.members, draft.concealed)) for slot in slots]
    named = {slot.id for slot in slots if is_called_like_concealed(slot.id, draft.concealed, draft)}
    return tuple([replace(slot, members=members) for slot, members in left if members and slot.id not in named])


def is_called_like_concealed(slot: Id, concealed: Container[Id], of: State | Draft) -> bool:
    """Tell whether a slot's id is that of a concealed combatant.

    It is not, if a group or a known side has that id.
    """
    if slot not in concealed or slot in of.relations:
        return False
    return all(one.side != slot for who, one in of.combatants.items() if who not in concealed)


def _open_relation(event: facts.RelationSet, draft: Draft) -> facts.RelationSet | None:
    """Return a relation without its concealed members.

    If viewers know of no other members, it is the end of the relation, or ``None`` if they knew of none before.
    """
    if not any(one.who in draft.concealed for one in event.members):
        return None
    members = _known_members(event, draft)
    if members:
        return replace(event, members=members)
    before = draft.relations.get(event.relation)
    was_known = before is not None and bool(_known_members(before, draft))
    return replace(event, members=()) if was_known else None


def _known_members(relation: facts.RelationSet | Relation, draft: Draft) -> tuple[Member, ...]:
    """Return a relation's known members; none if it rests on concealed ones."""
    if rests_on_concealed(relation, draft.concealed, draft):
        return ()
    return tuple([one for one in relation.members if one.who not in draft.concealed])


def rests_on_concealed(relation: facts.RelationSet | Relation, concealed: Container[Id], of: State | Draft) -> bool:
    """Tell whether a relation exists only by its concealed members.

    Then the others alone do not make one. The side of a concealed combatant does not matter, because viewers do not
    know it.
    """
    known = [one.who for one in relation.members if one.who not in concealed]
    return len(known) < len(relation.members) and not makes_relation(relation.kind, known, of)


def makes_relation(kind: str, members: Collection[Id], of: State | Draft) -> bool:
    """Tell whether these members alone can form a relation of a kind.

    The vocabulary declares how many it needs, and whether it is one of enemies, which needs two sides.
    """
    word = word_of(kind, of)
    if len(members) < word.fewest:
        return False
    return not word.opposed or len({of.combatants[who].side for who in members if who in of.combatants}) > 1


def sealed_relation_id(id: Id) -> Id:
    """Return the id of a sealed relation, which no open relation can have."""
    return f"{id}-unseen"


def word_of(kind: str, of: State | Draft) -> RelationWord:
    """Return the vocabulary's declaration of a kind of relation."""
    return load(of.system).vocabulary.relations.get(kind, UNDECLARED) if of.system else UNDECLARED


UNDECLARED = RelationWord()
"""The declaration of a relation that no vocabulary declares."""


def _open_mark(event: facts.MarkSet, draft: Draft) -> facts.MarkSet | None:
    """Return a list mark without concealed combatants.

    If viewers know of no combatant that is left, it is the removal of the mark, or ``None`` if they knew of none
    before.
    """
    named = _list_in(event.value) if is_list(load(draft.system).marks, event.key) else ()
    known = _without_concealed(named, draft.concealed)
    if len(known) == len(named) or _belongs(event.owner, draft):
        return None
    if known:
        return replace(event, value=known)
    was_known = known_in_list(_value_before(event, draft), draft.concealed)
    return replace(event, value=None, until="") if was_known else None


def known_in_list(value: object, concealed: Container[Id]) -> tuple[Id, ...]:
    """Return the known combatants in the value of a mark that lists combatants."""
    return _without_concealed(_list_in(value), concealed)


def _list_in(value: object) -> tuple[Id, ...]:
    """Return the ids in the value of a mark that lists combatants; none of one that is removed."""
    return value if isinstance(value, tuple) else ()


def _value_before(event: facts.MarkSet, draft: Draft) -> object:
    """Return the value that a mark has before an event."""
    return draft.mark(event.owner, event.key, event.about)


def _without_concealed(people: Iterable[Id], concealed: Container[Id]) -> tuple[Id, ...]:
    return tuple([who for who in people if who not in concealed])


def _is_of(path: str, concealed: Container[Id]) -> bool:
    """Tell whether a question or window is of a concealed combatant's declaration."""
    return any(part in concealed for part in path.split("/", 2)[1:2])


PARTS: dict[type[Event], Callable[[Any, Draft], Event | None]] = {
    facts.Asked: _open_question,
    facts.MarkSet: _open_mark,
    facts.OrderSet: _open_order,
    facts.RelationSet: _open_relation,
    facts.TurnBegan: _open_turn,
    facts.WindowClosed: _open_closing,
    facts.WindowOpened: _open_window,
}
"""The function that makes the open part of each event type."""
