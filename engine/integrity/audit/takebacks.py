"""Takebacks: the inputs taken back, and the inputs declared in their place.

Each input that was taken back waits for its counterpart. That is the same declaration of the same combatant, or else
their next declaration of the same kind. A counterpart with other content or other dice is listed, however far behind
the undo it comes. A combatant's other declarations are listed up to the end of the round in which the undo was made.
The first input behind an undo that has no counterpart is listed too, whichever combatant declares it. A redo and an
amendment take inputs back as an undo does. Of an amendment, inputs that it decided again unchanged are not listed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from msgspec import Struct

from affray import events as facts
from affray.events import Recorded

from .effort import Effort
from .findings import Redeclared, RollShown, Takeback, UndoneCommand
from .identities import Identity, identity_of
from .throws import Input, Throws
from .waiting import WaitingList

ANYBODY = (None, None)
"""The key of inputs that are compared with the next input of any actor."""


class TakenBack(Struct, eq=False):
    """An input that was taken back.

    Attributes:
        input: The input.
        identity: Its compared parts.
        round: The round in which it was taken back.
        replaced: The position of the input declared in its place; 0 if there is none yet.
        same: Whether that input is the same, with the same dice.
        waits: Whether it waits for its counterpart: none came, and it does not count again.
    """

    input: Input
    identity: Identity
    round: int
    replaced: int = 0
    same: bool = False
    waits: bool = True

    def is_open(self, round: int) -> bool:
        """Tell whether an input without a counterpart is still listed against it."""
        return not self.replaced or round <= self.round


class InputDifference(NamedTuple):
    """An input that differs from an undone input, in itself or in its dice.

    Attributes:
        input, undone: The input, and the undone input.
        before, after: The dice that had fallen, and those that fell now.
    """

    input: Input
    undone: Input
    before: tuple[RollShown, ...]
    after: list[RollShown]


class Takebacks:
    """Compares each input with the inputs that were taken back.

    Args:
        journeys: The target and the event's position, for each event that moves the head back or to another lane.
    """

    def __init__(self, journeys: Iterable[tuple[int, int]], effort: Effort) -> None:
        ahead = sorted(journeys, key=lambda one: one[1], reverse=True)
        self._ahead = list(zip((at for _, at in ahead), accumulate((to for to, _ in ahead), min), strict=True))
        self._goes_back = bool(ahead)
        self._effort = effort
        self._waiting: WaitingList[TakenBack] = WaitingList()
        self._by_position: dict[int, TakenBack] = {}
        self._found: list[tuple[Recorded, list[TakenBack]]] = []
        self._unmatched: list[tuple[Input, int]] = []
        self._differences: dict[tuple[int, int], InputDifference] = {}
        self._throws = Throws(effort, self._differ)

    def declare(self, segment: Sequence[Recorded], below: Input | None, round: int) -> Input | None:
        """Compare an input with those taken back; return it if it may be taken back later.

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
        if not self._goes_back:
            return None
        input = Input(first, below)
        self._throws.follow(input, segment, kept=kept)
        if not self._match(input):
            self._unmatched.append((input, round))
        if not segment[-1].more:
            self._end_command()
        return input if kept else None

    def go(self, one: Recorded, left: Input | None, reached: Input | None, round: int) -> None:
        """Let the inputs of the lane that was left wait for counterparts.

        Inputs that count again stop waiting.

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
        self._effort.spend(sum(input.size for input in gone if input.undone) + sum(input.size for input in back))
        self._throws.lose(gone)
        self._throws.regain(reversed(back))
        waiting = [self._wait(input, round, departs=not back) for input in gone]
        if waiting:
            self._found.append((one, waiting[::-1]))
        for input in reversed(back):
            again = self._by_position.pop(input.position, None)
            if again is not None:
                again.waits = False
            self._counterpart(input)

    def list_redeclared(self) -> Iterator[Redeclared]:
        """Yield the inputs that differ from undone ones, in the order of the record."""
        self._end()
        for _, (input, undone, before, after) in sorted(self._differences.items(), key=lambda one: one[0][0]):
            first = input.first
            yield Redeclared(
                position=first.position,
                who=first.who,
                event=first.event,
                instead_of=undone.position,
                again=identity_of(first.event) == identity_of(undone.first.event),
                before=before,
                after=tuple(after),
            )

    def report(self) -> Iterator[Takeback]:
        """Yield each takeback, in the order of the record.

        Of an amendment, inputs that it decided again unchanged are only counted.
        """
        self._end()
        differs = {undone for _, undone in self._differences}
        for one, waiting in self._found:
            amends = one.event.position if isinstance(one.event, facts.Amended) else 0
            listed = [each for each in waiting if not (amends and each.same and each.input.position not in differs)]
            if listed:
                yield Takeback(
                    position=one.position,
                    time=one.time,
                    who=one.who,
                    request=one.event.request if isinstance(one.event, facts.Rewound) else 0,
                    amends=amends,
                    kept=len(waiting) - len(listed),
                    commands=tuple(map(_list_command, listed)),
                )

    def _end(self) -> None:
        """Compare the last command's inputs, and list dice that did not fall again."""
        self._end_command()
        self._throws.list_missing()

    def _wait(self, input: Input, round: int, *, departs: bool) -> TakenBack:
        """Let an input wait for its counterpart, compared with its actor's other inputs.

        Args:
            departs: Whether it has no replacement yet, so that the next input of any actor is compared with it.
        """
        input.undone = True
        one = self._by_position[input.position] = TakenBack(input, identity_of(input.first.event), round)
        self._waiting.add(one, (one.identity.actor, None), *((ANYBODY,) if departs else ()))
        return one

    def _match(self, input: Input) -> bool:
        """Tell whether an input has a counterpart; list it if they differ."""
        one = self._counterpart(input)
        if one is None:
            return False
        if one.identity != identity_of(input.first.event) or (one.input.threw() and not input.actions):
            self._differ(input, one.input)
        else:
            one.same = input.list_faces() == one.input.list_faces()
        return True

    def _end_command(self) -> None:
        """List a command's inputs without counterpart, while undone inputs wait."""
        unmatched, self._unmatched = self._unmatched, []
        for input, round in unmatched:
            one = self._waiting.last((identity_of(input.first.event).actor, None))
            if one is None or not one.is_open(round):
                one = self._waiting.last(ANYBODY)
                if one is None or one.replaced:
                    continue
            self._differ(input, one.input)
            one.replaced = one.replaced or input.position

    def _counterpart(self, input: Input) -> TakenBack | None:
        """Return the waiting input that an input matches; it stops waiting."""
        one = self._waiting.counterpart(identity_of(input.first.event))
        if one is not None:
            one.waits = False
            one.replaced = input.position
            del self._by_position[one.input.position]
        return one

    def _differ(self, input: Input, undone: Input) -> None:
        """Record that an input, or its dice, differ from an undone one."""
        pair = input.position, undone.position
        if pair not in self._differences:
            before, after = undone.list_lost(), list(input.dice.values())
            self._effort.spend(len(before) + len(after))
            self._differences[pair] = InputDifference(input, undone, before, after)
            input.differences.append(after)


def _list_command(undone: TakenBack) -> UndoneCommand:
    """Build the report of a command that was taken back."""
    input = undone.input
    return UndoneCommand(
        position=input.position,
        who=input.first.who,
        event=input.first.event,
        rolls=input.rolls,
        instead=undone.replaced,
    )
