"""The start of rollouts: a point of a fight from which fights go on, unrecorded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.core.draft import Draft
from affray.engine.core.loading import load
from affray.engine.core.ruleset import Ruleset
from affray.engine.core.state import Awaited, State
from affray.engine.errors import Diverged, Unusable
from affray.engine.fight import Fight
from affray.engine.history.timeline import split_by_input
from affray.engine.runtime.decider import Decider
from affray.engine.runtime.dice import DiceSource, Faces, NamedDice, SeenDice
from affray.events import Dice, DiceEntered, DiceRenewed, Event, Id, Recorded, Rolled, Ruled


class RolloutStart(Struct, frozen=True, kw_only=True):
    """A point of a fight to start rollouts from.

    It holds the last quiet state before the point, the inputs since then, and the dice that have fallen since then.

    Attributes:
        system: The rule system's name.
        config: The system's own struct of configuration values.
        position: The last effective event of the record. It is earlier than requested if the present rules would decide
            the following inputs differently.
        state: The quiet state.
        said: The inputs since then, in order.
        fallen: The rolls since then, by id. Any further dice for the last input have not fallen yet.
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

    def make_decider(self, dice: DiceSource) -> Decider:
        """Return a decider at this point, which throws further dice by ``dice``.

        Raises:
            Refused, Unusable: an input is not possible.
        """
        seen = _RecordedDice(self.fallen, dice) if self.said else dice
        decider = Decider(self.ruleset, Draft(self.state), self.config, seen)
        for intent in self.said:
            if isinstance(intent, DiceRenewed):
                decider.interpreter.record(intent)
            else:
                decider.carry_out(intent)
        decider.interpreter.dice = dice
        return decider

    def add_inputs(self, *intents: Event) -> RolloutStart:
        """Return the point after further inputs, before any die for them has fallen."""
        return replace(self, said=(*self.said, *intents))


class _RecordedDice:
    """The recorded dice, and a second source for dice that have not fallen.

    Entered dice are left out, so that the decider waits until the recorded input enters them again.
    """

    def __init__(self, fallen: Mapping[Id, Rolled], otherwise: DiceSource) -> None:
        self._fallen = fallen
        self._seen = SeenDice(fallen, otherwise)

    def faces(self, roll: Id, dice: tuple[Dice, ...]) -> Faces | None:
        """Return the faces of a roll, or ``None`` if real dice were entered for it."""
        known = self._fallen.get(roll)
        return None if known is not None and known.source == "entered" else self._seen.faces(roll, dice)


def find_rollout_start(fight: Fight, at: int | None = None) -> RolloutStart:
    """Return a point of a fight to start rollouts from.

    Args:
        at: A log position; the head by default. Within a command, its input counts with the dice up to the position. A
            position in the opening means the end of the opening.

    Raises:
        Unusable: there is no such event, or it was taken back.
        Senseless: no quiet state precedes it.
    """
    history = fight.history
    at = history.path[-1] if at is None else at
    if not history.is_effective(at):
        counts = max((one for one in history.path if one < at), default=history.path[0])
        ends = f"; {counts} does" if 1 <= at <= fight.head else f", which has 1 to {fight.head}"
        raise Unusable(f"position {at} is no event that counts in this record{ends}", "at")
    at = max(at, next(split_by_input(history.effective()))[-1].position)
    try:
        quiet, commands = fight.since_quiet(at)
    except Diverged as diverged:
        quiet, commands, at = diverged.safe, [], diverged.safe
    said, state = tuple([command[0].event for command in commands]), fight.state_at(quiet)
    if state.veiled and not any(isinstance(one, Ruled) for one in said):
        state = replace(state, veiled={}, foes="open")  # rollouts are not recorded: nothing of them is hidden
    return RolloutStart(
        system=fight.ruleset.name,
        config=fight.table.config,
        position=at,
        state=state,
        said=said,
        fallen=list_rolls_up_to(commands, at),
    )


def enter_dice(awaited: Awaited, dice: NamedDice) -> DiceEntered:
    """Return the input that enters awaited real dice, with faces by ``dice``."""
    groups = dice.faces(awaited.roll, awaited.dice)
    return DiceEntered(roll=awaited.roll, faces=tuple([face for faces in groups for face in faces]))


def list_rolls_up_to(commands: list[list[Recorded]], at: int) -> dict[Id, Rolled]:
    """Return the rolls of commands up to a position, by id.

    Real dice count as fallen once they are entered.
    """
    events = [(one.position, one.event) for command in commands for one in command]
    rolled = [(position, event) for position, event in events if isinstance(event, Rolled)]
    return {event.roll: event for position, event in rolled if position <= at or event.source == "entered"}
