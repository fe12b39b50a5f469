"""A moment of a fight from which it can be fought on as often as one likes, without a word in its record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.core.draft import Draft
from affray.engine.core.ruleset import Ruleset, load
from affray.engine.core.state import Awaited, State
from affray.engine.errors import Diverged, Unusable
from affray.engine.fight import Fight
from affray.engine.history.timeline import segments
from affray.engine.runtime.decider import Decider
from affray.engine.runtime.dice import DiceSource, Faces, NamedDice, SeenDice
from affray.events import Dice, DiceEntered, DiceRenewed, Event, Id, Recorded, Rolled


class Moment(Struct, frozen=True, kw_only=True):
    """A moment: the last quiet state before it, and what was said since, with the dice that have fallen since.

    Attributes:
        system: The rule system's name.
        config: Its own struct of configuration values.
        position: Up to which event the record counts; less than was wanted where the present rules would decide
            otherwise what followed.
        state: The quiet state.
        said: The inputs since then, in order.
        fallen: The rolls since then, by id. What the last input asks for beyond them has not fallen yet.
    """

    system: str
    config: Any
    position: int
    state: State
    said: tuple[Event, ...] = ()
    fallen: dict[Id, Rolled] = {}

    @property
    def ruleset(self) -> Ruleset:
        """The rules."""
        return load(self.system)

    def stand(self, dice: DiceSource) -> Decider:
        """Return a decider that stands at the moment; what has not fallen yet falls by these dice.

        Raises:
            Refused, Unusable: something that was said is not possible.
        """
        seen = _Fallen(self.fallen, dice) if self.said else dice
        decider = Decider(self.ruleset, Draft(self.state), self.config, seen)
        for intent in self.said:
            if isinstance(intent, DiceRenewed):
                decider.interpreter.record(intent)
            else:
                decider.carry_out(intent)
        decider.interpreter.dice = dice
        return decider

    def saying(self, *intents: Event) -> Moment:
        """Return the moment at which something more has been said, and no die for it has fallen."""
        return replace(self, said=(*self.said, *intents))


class _Fallen:
    """The dice that have fallen, and others for what has not; for real ones it waits until they are entered again."""

    def __init__(self, fallen: Mapping[Id, Rolled], otherwise: DiceSource) -> None:
        self._fallen = fallen
        self._seen = SeenDice(fallen, otherwise)

    def faces(self, roll: Id, dice: tuple[Dice, ...]) -> Faces | None:
        """Return the faces of a roll, or nothing where real dice were entered for it."""
        known = self._fallen.get(roll)
        return None if known is not None and known.source == "entered" else self._seen.faces(roll, dice)


def moment_of(fight: Fight, at: int | None = None) -> Moment:
    """Return a moment of a fight.

    Args:
        at: A position of its record; the head if not given. In the middle of a command, what was said counts, and the
            dice that had fallen by then; one in the opening stands for its end.

    Raises:
        Unusable: that event is not there, or was taken back.
        Senseless: no quiet moment lies before it.
    """
    history = fight.history
    at = history.path[-1] if at is None else at
    if not history.is_effective(at):
        counts = max((one for one in history.path if one < at), default=history.path[0])
        ends = f"; {counts} does" if 1 <= at <= fight.head else f", which has 1 to {fight.head}"
        raise Unusable(f"position {at} is no event that counts in this record{ends}", "at")
    at = max(at, next(segments(history.effective()))[-1].position)
    try:
        quiet, commands = fight.since_quiet(at)
    except Diverged as diverged:
        quiet, commands, at = diverged.safe, [], diverged.safe
    return Moment(
        system=fight.ruleset.name,
        config=fight.table.config,
        position=at,
        state=fight.state_at(quiet),
        said=tuple([command[0].event for command in commands]),
        fallen=rolls_up_to(commands, at),
    )


def entered(awaited: Awaited, dice: NamedDice) -> DiceEntered:
    """Return real dice that are awaited, as the dice of a trial would have fallen."""
    groups = dice.faces(awaited.roll, awaited.dice)
    return DiceEntered(roll=awaited.roll, faces=tuple([face for faces in groups for face in faces]))


def rolls_up_to(commands: list[list[Recorded]], at: int) -> dict[Id, Rolled]:
    """Return the rolls of some commands up to a position, by id; real dice have fallen once they are entered."""
    events = [(one.position, one.event) for command in commands for one in command]
    rolled = [(position, event) for position, event in events if isinstance(event, Rolled)]
    return {event.roll: event for position, event in rolled if position <= at or event.source == "entered"}
