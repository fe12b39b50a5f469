"""Invariants of every fight between two commands, and the parts of each system's list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from affray.engine.core.loading import load
from affray.engine.core.state import Relation
from affray.engine.core.table import Table
from affray.events import Id

Invariant = Callable[[Table], Iterator[str]]
"""Yields in words where it does not hold; its name says what it is, and its docstring by which clause."""


class Sound(NamedTuple):
    """The declarations of ``tests/metamorphic/sound/<system>.py``, under the name ``SOUND``.

    Attributes:
        takes_part: Tells whether somebody in the fight may act, be due, be asked and be offered anything.
        invariants: What else must hold.
        keeps_its_turn: Why somebody who falls in a turn that others share is still listed there.
        even_so: What is asked of, or offered to, somebody even so, and why.
    """

    takes_part: Callable[[Table, Id], bool]
    invariants: tuple[Invariant, ...]
    keeps_its_turn: str = ""
    even_so: dict[str, str] = {}


NOT_IN_IT = frozenset({"", "gm", "*"})
"""Who may be asked, roll or act without being in the fight."""


def faults(sound: Sound, table: Table) -> Iterator[str]:
    """Yield every broken invariant of a fight."""
    found = [("everybody is there", _missing(table)), ("who is out does nothing", _idle(sound, table))]
    found.append(("what is offered is there", _baseless(table)))
    found += [(one.__name__.replace("_", " "), one(table)) for one in sound.invariants]
    for name, what in found:
        for fault in what:
            yield f"{name}: {fault}"


def _missing(table: Table) -> Iterator[str]:
    """Yield who is named anywhere without being in the fight."""
    draft = table.draft
    named: dict[str, Iterable[Id]] = {
        "has the turn": draft.acting,
        "is in the order": [who for slot in draft.slots for who in slot.members],
        "is asked": draft.question.of if draft.question else (),
        "rolls": (draft.awaited.by,) if draft.awaited else (),
        "may answer": draft.window.to if draft.window else (),
        "has something pending": [one.actor for one in draft.stack],
        **{f"is in {one.id}": members(one) for one in draft.relations.values()},
    }
    for what, people in named.items():
        yield from (f"{who} {what}" for who in people if who not in draft.combatants and who not in NOT_IN_IT)


def _baseless(table: Table) -> Iterator[str]:
    """Yield the window that is open about an action that is no longer pending."""
    draft = table.draft
    about = draft.window.id.partition("/window")[0] if draft.window else ""
    if about and about.rpartition("/")[2] not in load(draft.system).turns.windows:  # between turns it is about a phase
        yield from () if any(one.id == about for one in draft.stack) else (about,)


def _idle(sound: Sound, table: Table) -> Iterator[str]:
    """Yield the inputs and offers of a combatant that is out of the fight."""
    draft = table.draft
    doing: dict[str, Iterable[Id]] = {"may answer": draft.window.to if draft.window else ()}
    if draft.quiet and not draft.ended and not sound.keeps_its_turn:  # a turn ends when nothing is pending any more
        doing["has the turn"] = draft.acting
    if draft.question is not None and draft.question.topic not in sound.even_so:
        doing[f"is asked {draft.question.topic}"] = draft.question.of
    for what, people in doing.items():
        yield from (f"{who} {what}" for who in people if who in draft.combatants and not sound.takes_part(table, who))


# --- what the systems' own lists are made of ---


def members(relation: Relation) -> tuple[Id, ...]:
    """Return who is in a relation."""
    return tuple(one.who for one in relation.members)


def of_kind(table: Table, kind: str) -> list[Relation]:
    """Return the relations of a kind."""
    return [one for one in table.draft.relations.values() if one.kind == kind]


def in_several(relations: Iterable[Relation]) -> Iterator[str]:
    """Yield who is in more than one of these, or twice in one."""
    often = Counter(who for one in relations for who in members(one))
    yield from (f"{who} is in {count} of them" for who, count in often.items() if count > 1)


def pairs(table: Table, kind: str, *roles: str) -> Iterator[str]:
    """Yield which relations of a kind do not bind two different people in these roles."""
    for one in of_kind(table, kind):
        if tuple(member.role for member in one.members) != roles or len(set(members(one))) != len(roles):
            yield f"{one.id} binds {one.members}"


def apart(table: Table, kind: str) -> Iterator[str]:
    """Yield which relations of a kind bind people at different places."""
    for one in of_kind(table, kind):
        places = {who: table[who].place for who in members(one)}
        if len(set(places.values())) > 1:
            yield f"{one.id} is at {places}"


def those_of_the_slot_act(table: Table) -> Iterator[str]:
    """Only members of the active slot have the turn, or a combatant called out of order by the game master.

    Before there is an order those have it who surprise the others.
    """
    draft = table.draft
    for who in draft.acting if draft.slots else ():
        if who != draft.up and not any(who in slot.members for slot in draft.slots if slot.id == draft.up):
            yield f"{who} has the turn of {draft.up}"
