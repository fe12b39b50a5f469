"""Takebacks: the inputs that were taken back, and the inputs declared in their place.

Each input that was taken back waits for its counterpart. That is the same declaration of the same combatant, or else
their next declaration of the same kind. A counterpart with other content or other dice is listed, however far behind
the undo it comes. A combatant's other declarations are listed up to the end of the round in which the undo was made.
The first input behind an undo that has no counterpart is listed too, whichever combatant declares it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from msgspec.structs import replace

from affray import events as facts
from affray.engine.runtime.dice import Faces
from affray.events import Event, Id, Recorded, asked_in, name_in, pending_of

from .effort import Effort
from .findings import Redeclared, RollShown, Takeback, UndoneCommand

GM = "gm"
"""The actor of rulings."""


class Identity(NamedTuple):
    """The parts of an input that are compared. Numbers that depend on earlier declarations are left out.

    Attributes:
        actor: Combatant id, or ``gm``.
        kind: The action, the topic of a question, the ruling …
        content: Every other field.
    """

    actor: Id
    kind: str
    content: Hashable


class Input:
    """An input of the record.

    Attributes:
        first: Its event.
        rolls: The dice that fell in it.
        below: The input before it in its lane; nothing if the record never goes back behind that.
        undone: Whether it was taken back before.
    """

    __slots__ = ("below", "first", "rolls", "undone")

    def __init__(self, first: Recorded, rolls: tuple[RollShown, ...], below: Input | None) -> None:
        self.first = first
        self.rolls = rolls
        self.below = below
        self.undone = False

    @property
    def position(self) -> int:
        """Its position."""
        return self.first.position


class Waiting:
    """An input that was taken back and waits for its counterpart.

    Attributes:
        input: The input.
        identity: Its compared parts.
        round: The round in which it was taken back.
        replaced: The position of the input declared in its place; 0 if there is none yet.
        met: Whether the counterpart came, or the input counts again.
    """

    __slots__ = ("identity", "input", "met", "replaced", "round")

    def __init__(self, input: Input, round: int) -> None:
        self.input = input
        self.identity = identity_of(input.first.event)
        self.round = round
        self.replaced = 0
        self.met = False

    def is_open(self, round: int) -> bool:
        """Tell whether an input without a counterpart is still listed against it."""
        return not self.replaced or round <= self.round


class Takebacks:
    """Compares each input with the inputs that were taken back.

    Args:
        journeys: For each event that moves the head back or to another lane: its target, and its own position.

    Attributes:
        redeclared: The inputs that differ from what was taken back, or met other dice.
    """

    def __init__(self, journeys: Iterable[tuple[int, int]], effort: Effort) -> None:
        ahead = sorted(journeys, key=lambda one: one[1], reverse=True)
        self._ahead = list(zip((at for _, at in ahead), accumulate((to for to, _ in ahead), min), strict=True))
        self._effort = effort
        self._waiting: dict[Hashable, list[Waiting]] = {}
        self._by_position: dict[int, Waiting] = {}
        self._found: list[tuple[Recorded, list[Waiting]]] = []
        self._awaited: dict[Id, int] = {}
        self.redeclared: list[Redeclared] = []

    def declare(self, segment: Sequence[Recorded], below: Input | None, round: int) -> Input | None:
        """Compare an input with those taken back. Return it if the record goes back behind it later.

        Args:
            segment: The input and its consequences.
            below: The input before it.
            round: The round it ended in.
        """
        first = segment[0]
        if isinstance(first.event, facts.DiceRenewed):
            return below
        while self._ahead and self._ahead[-1][0] <= first.position:
            self._ahead.pop()
        kept = bool(self._ahead) and self._ahead[-1][1] < first.position
        if not (kept or self._by_position):
            return None
        rolls = tuple(
            RollShown(one.event.roll, _faces(one.event)) for one in segment if type(one.event) is facts.Rolled
        )
        input = Input(first, rolls, below)
        self._complete(rolls)
        self._compare(input, round)
        return input if kept else None

    def go(self, one: Recorded, left: Input | None, reached: Input | None, round: int) -> None:
        """Let the inputs of the left lane wait for counterparts; end the waiting of those that count again.

        Args:
            one: The undo, redo or amendment.
            left, reached: The last input that counted before it, and the last one that counts now.
            round: The round of the left lane.
        """
        gone: list[Input] = []
        back: list[Input] = []
        while left is not reached:
            if reached is None or (left is not None and left.position > reached.position):
                assert left is not None
                gone.append(left)
                left = left.below
            else:
                back.append(reached)
                reached = reached.below
        self._effort.spend(sum(input.undone for input in gone) + len(back))
        departs = isinstance(one.event, facts.Rewound)
        waiting = [self._wait(input, round, departs=departs) for input in gone]
        if not isinstance(one.event, facts.Amended) and waiting:
            self._found.append((one, waiting[::-1]))
        for input in reversed(back):
            again = self._by_position.pop(input.position, None)
            if again is not None:
                again.met = True
            self._counterpart(input)

    def report(self) -> Iterator[Takeback]:
        """Yield each takeback, in the order of the record."""
        for one, waiting in self._found:
            request = one.event.request if isinstance(one.event, facts.Rewound) else 0
            commands = tuple(
                UndoneCommand(
                    position=each.input.position,
                    who=each.input.first.who,
                    event=each.input.first.event,
                    rolls=each.input.rolls,
                    instead=each.replaced,
                )
                for each in waiting
            )
            yield Takeback(position=one.position, time=one.time, who=one.who, request=request, commands=commands)

    def _wait(self, input: Input, round: int, *, departs: bool) -> Waiting:
        """Let an input wait. The last one taken back is matched first.

        Args:
            departs: Whether an undo took it back, so that inputs without a counterpart are compared with it too.
        """
        input.undone = True
        one = self._by_position[input.position] = Waiting(input, round)
        actor, kind, _ = one.identity
        for key in (one.identity, (actor, kind), *((actor, None) if departs else ())):
            self._waiting.setdefault(key, []).append(one)
        return one

    def _compare(self, input: Input, round: int) -> None:
        """List an input that differs from its counterpart, or that has none while others wait."""
        one = self._counterpart(input)
        if one is None:
            one = self._last(identity_of(input.first.event).actor)
            if one is None or not one.is_open(round):
                one = self._last(None)
                if one is None or one.replaced:
                    return
        elif _content(one.input) == _content(input):
            return
        self._list(input, one)
        one.replaced = one.replaced or input.position

    def _counterpart(self, input: Input) -> Waiting | None:
        """Return the waiting input that an input matches.

        Its waiting ends, unless dice had fallen in it and none fell now: then the dice may still come.
        """
        identity = identity_of(input.first.event)
        one = self._last(identity) or self._last((identity.actor, identity.kind))
        if one is not None and (input.rolls or not one.input.rolls):
            one.met = True
            one.replaced = input.position
            del self._by_position[one.input.position]
        return one

    def _last(self, key: Hashable) -> Waiting | None:
        """Return the waiting input under a key that is matched next."""
        waiting = self._waiting.get(key)
        while waiting and waiting[-1].met:
            waiting.pop()
        return waiting[-1] if waiting else None

    def _complete(self, rolls: Iterable[RollShown]) -> None:
        """Add dice to the input that let them fall: real ones are entered behind it."""
        for roll in rolls:
            at = self._awaited.pop(roll.roll, None)
            if at is not None:
                found = self.redeclared[at]
                self.redeclared[at] = replace(found, after=(*found.after, roll))

    def _list(self, input: Input, one: Waiting) -> None:
        first = input.first
        if identity_of(first.event) == one.identity:
            fallen = {roll.roll for roll in input.rolls}
            due = (roll.roll for roll in one.input.rolls if roll.roll not in fallen)
            self._awaited.update(dict.fromkeys(due, len(self.redeclared)))
        self.redeclared.append(
            Redeclared(
                position=first.position,
                who=first.who,
                event=first.event,
                instead_of=one.input.position,
                before=one.input.rolls,
                after=input.rolls,
            )
        )


def identity_of(event: Event) -> Identity:
    """Return the compared parts of an input."""
    identify = _IDENTITIES.get(type(event))
    return identify(event) if identify else Identity(GM, type(event).__name__, ())


def _identify_answer(event: facts.Answered) -> Identity:
    fields = tuple(sorted((name, repr(value)) for name, value in event.fields.items()))
    return Identity(event.by, f"answer {asked_in(event.question)}", (event.choice, fields))


def _identify_entered_dice(event: facts.DiceEntered) -> Identity:
    owner = pending_of(event.roll).partition("/")[2].partition("/")[0]
    return Identity(owner, f"roll {name_in(event.roll)}", ())


def _identify_declaration(event: facts.Declared | facts.Attempted) -> Identity:
    return Identity(event.actor, event.kind, (event.manner, bytes(event.params)))


_IDENTITIES: dict[type[Event], Callable[[Any], Identity]] = {
    facts.Declared: _identify_declaration,
    facts.Attempted: _identify_declaration,
    facts.Answered: _identify_answer,
    facts.Passed: lambda event: Identity(event.who, "pass", ()),
    facts.AskingSet: lambda event: Identity(event.who, "asking", (event.ask, event.what, event.seconds)),
    facts.Ruled: lambda event: Identity(GM, f"rule {event.kind}", (bytes(event.params), event.reason)),
    facts.DiceEntered: _identify_entered_dice,
}


def _faces(rolled: facts.Rolled) -> Faces:
    return tuple(group.faces for group in rolled.dice if group.thrown)


def _content(input: Input) -> tuple[Identity, list[Faces]]:
    """Return the compared parts of an input, and the faces of its dice without the names of the rolls."""
    return identity_of(input.first.event), [one.faces for one in input.rolls]
