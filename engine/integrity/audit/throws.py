"""Throws: the action that dice belong to, and dice that fall again after an undo.

A die belongs to the pending action in its name, whichever pass, answer, ruling or entered die let it fall. An action
that is taken back waits, with its dice, until dice of the same action fall, or else of the next one of its kind. A die
that belongs to no action is called after its phase, and waits for the same name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from msgspec import Struct

from affray import events as facts
from affray.engine.runtime.dice import Faces
from affray.events import Event, Id, Recorded, is_declaration, pending_of

from .effort import Effort
from .findings import RollShown
from .identities import Identity, identity_of, kind_of
from .waiting import WaitingList


class Input(Struct, eq=False):
    """An input of the record.

    Attributes:
        first: Its event.
        below: The input before it in its lane; ``None`` if the record never goes back behind that.
        undone: Whether it was taken back before.
        actions: The actions that began in it.
        ended: The actions that ended in it.
        fell: The dice that fell in it.
        dice: The dice that are reported with it and count, by roll.
        differences: The lists of dice to extend while all its dice count.
    """

    first: Recorded
    below: Input | None
    undone: bool = False
    actions: list[DiceOwner] = []
    ended: list[DiceOwner] = []
    fell: list[Throw] = []
    dice: dict[Id, RollShown] = {}
    differences: list[list[RollShown]] = []

    @property
    def position(self) -> int:
        """The position of its event."""
        return self.first.position

    @property
    def size(self) -> int:
        """The effort of taking it back, in steps."""
        return 1 + len(self.actions) + len(self.ended) + len(self.fell)

    @property
    def rolls(self) -> tuple[RollShown, ...]:
        """The dice that fell in it."""
        return tuple(one.shown for one in self.fell)

    def list_faces(self) -> list[tuple[Identity, str, Faces]]:
        """List each roll's action, purpose and faces."""
        return [(one.action.identity, one.name, one.shown.faces) for one in self.fell]

    def threw(self) -> bool:
        """Tell whether dice of the input's declaration were taken back."""
        identity = identity_of(self.first.event)
        return any(action.lost and action.identity == identity for action in self.actions)

    def list_lost(self) -> tuple[RollShown, ...]:
        """List the dice taken back with it.

        Those are the dice of its actions, and those of other actions that still count.
        """
        found = [throw for action in self.actions for throw in action.lost.values()]
        found += (one for one in self.fell if one.action.counts and one.action.lost.get(one.name) is one)
        return tuple(one.shown for one in sorted(found, key=lambda one: one.position))


class DiceOwner(Struct, eq=False):
    """A pending action, or a phase, that dice belong to.

    Attributes:
        id: Its id, with which the names of its dice begin.
        input: The input it began in.
        identity: Its compared parts.
        pending: Whether it is on the stack.
        counts, waits: Whether it counts; whether it waits for its counterpart.
        thrown: The number of its dice that are effective.
        lost: Its own dice that were taken back, by the rest of their names.
        before: The dice of its counterpart.
        due: The names of those that did not fall again.
    """

    id: Id
    input: Input
    identity: Identity
    pending: bool
    counts: bool = True
    waits: bool = False
    thrown: int = 0
    lost: dict[str, Throw] = {}
    before: dict[str, Throw] = {}
    due: set[str] = set()


class Throw(NamedTuple):
    """Dice that fell.

    Attributes:
        position: The position of the roll.
        shown: Their faces.
        name: The part of the roll's name behind the action's.
        action: The action they belong to.
        input: The input in which they fell.
        told: The input with which they are reported: the one their action began in, or this one if that still counts.
    """

    position: int
    shown: RollShown
    name: str
    action: DiceOwner
    input: Input
    told: Input


class Throws:
    """Compares dice with those that were taken back.

    Args:
        differ: Lists an input whose dice differ from those of an undone one.
    """

    def __init__(self, effort: Effort, differ: Callable[[Input, Input], None]) -> None:
        self._effort = effort
        self._differ = differ
        self._actions: dict[Id, DiceOwner] = {}
        self._waiting: WaitingList[DiceOwner] = WaitingList()
        self._again: list[DiceOwner] = []

    def follow(self, input: Input, segment: Sequence[Recorded], *, kept: bool) -> None:
        """Follow the actions and dice of an input.

        Args:
            kept: Whether it may be taken back later.
        """
        for one in segment:
            match one.event:
                case facts.Stacked() as event:
                    self._begin(event.item, input, _identify(event, input.first.event), pending=True)
                case facts.DiceAwaited(roll=path) | facts.Asked(question=path):
                    if not isinstance(input.first.event, facts.Attempted):
                        self._action(path, input)
                case facts.Rolled() as event:
                    self._fall(event, one.position, input)
                case facts.Resolved(item=id) | facts.Fizzled(item=id) | facts.Dropped(item=id):
                    action = self._actions.get(id) if kept else self._actions.pop(id, None)
                    if action is not None:
                        input.ended.append(action)
                        self._end(action)

    def lose(self, gone: Iterable[Input]) -> None:
        """Take inputs back, the last one first."""
        for input in gone:
            for throw in reversed(input.fell):
                action = throw.action
                action.thrown -= 1
                action.lost[throw.name] = throw
                action.due.add(throw.name)
                throw.told.dice.pop(throw.shown.roll, None)
                throw.told.differences = []
            for action in input.ended:
                action.pending = True
            for action in reversed(input.actions):
                action.counts = False
                self._actions.pop(action.id, None)
                if action.lost:
                    self._waiting.add(action)

    def regain(self, back: Iterable[Input]) -> None:
        """Let inputs count again, the first one first."""
        for input in back:
            for action in input.actions:
                action.counts = True
                action.waits = False
                self._actions[action.id] = action
                self._meet(action)
            for throw in input.fell:
                action = throw.action
                action.thrown += 1
                action.due.discard(throw.name)
                action.lost.pop(throw.name, None)
                throw.told.dice[throw.shown.roll] = throw.shown
            for action in input.ended:
                action.pending = False

    def list_missing(self) -> None:
        """List each action with some dice that fell again and some that did not.

        A pending action is skipped: its dice may still fall.
        """
        for action in self._again:
            if action.counts and not action.pending:
                for name in action.due & action.before.keys():
                    self._differ(action.input, action.before[name].action.input)

    def _action(self, path: Id, input: Input) -> DiceOwner:
        """Return the action of a roll or question; begin it unless it is known."""
        id = pending_of(path)
        found = self._actions.get(id)
        if found is None:
            declared = is_declaration(id.rpartition("/")[2])
            identity = identity_of(input.first.event) if declared else Identity("", id, ())
            found = self._begin(id, input, identity, pending=False)
        return found

    def _begin(self, id: Id, input: Input, identity: Identity, *, pending: bool) -> DiceOwner:
        action = self._actions[id] = DiceOwner(id, input, identity, pending)
        input.actions.append(action)
        return action

    def _meet(self, action: DiceOwner) -> DiceOwner | None:
        """Return the counterpart of an action; it stops waiting."""
        one = self._waiting.counterpart(action.identity)
        if one is not None:
            one.waits = False
        return one

    def _inherit(self, action: DiceOwner) -> None:
        """Compare an action with its counterpart from its first die on."""
        one = self._meet(action)
        if one is not None:
            self._effort.spend(len(one.before) + len(one.lost))
            action.before = {**one.before, **one.lost}
            action.due = set(one.due)
            self._again.append(action)

    def _fall(self, event: facts.Rolled, position: int, input: Input) -> None:
        action = self._action(event.roll, input)
        if not (action.thrown or action.lost):
            self._inherit(action)
        name = event.roll.partition(action.id)[2]
        before = action.lost.get(name) or action.before.get(name)
        stays = before is not None and before.action is action
        told = input if stays else action.input
        shown = RollShown(event.roll, tuple(group.faces for group in event.dice if group.thrown))
        input.fell.append(Throw(position, shown, name, action, input, told))
        action.thrown += 1
        action.due.discard(name)
        told.dice[event.roll] = shown
        for after in told.differences:
            after.append(shown)
        if before is not None and before.shown.faces != shown.faces:
            self._differ(told, before.input if stays else before.action.input)

    def _end(self, action: DiceOwner) -> None:
        """Take an action off the stack.

        If none of its dice fell, the dice of the same action that wait keep waiting.
        """
        action.pending = False
        one = self._waiting.last(action.identity)
        if one is not None and not (action.thrown or action.lost):
            self._differ(action.input, one.input)


def _identify(stacked: facts.Stacked, first: Event) -> Identity:
    """Return the compared parts of an action.

    They are those of its declaration, unless another input put it on the stack.
    """
    identity = identity_of(stacked)
    declared = identity_of(first)
    return declared if kind_of(declared) == kind_of(identity) else identity._replace(kind=f"stacked {identity.kind}")
