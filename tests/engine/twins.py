"""Twins: two fights that differ in nothing but in a concealed combatant, with the same commands given to both."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import deepcopy
from random import Random
from typing import Any

import msgspec
from msgspec import Raw

from affray.engine import Command, Fight, begin_fight
from affray.engine.commands import Intent
from affray.engine.core.draft import Draft
from affray.engine.core.evolve import evolve
from affray.engine.core.ids import id_of
from affray.engine.core.state import State
from affray.engine.runtime.dice import Faces
from affray.engine.visibility import Viewer, can_read, project_for_sending, project_state
from affray.events import Answered, Declared, Dice, DiceEntered, Event, Id, Passed, Ruled
from tests.engine.fights import noon, salt

SPECTATOR = Viewer(role="spectator")


def open_events(fight: Fight) -> list[Event]:
    """Return what every viewer may read of a fight."""
    return [one.event for one in fight.history.recorded if can_read(SPECTATOR, one)]


def fold_open_events(events: Iterable[Event]) -> State:
    """Return the state that a viewer folds from open events."""
    draft = Draft(State())
    for event in events:
        evolve(draft, event)
    return draft.freeze()


class NamedDice:
    """Dice that show the name of their roll: the same in both twins, for any opening."""

    def faces(self, roll: Id, dice: Sequence[Dice]) -> Faces:
        """Return the faces of a roll."""
        chance = Random(roll)
        return tuple(tuple(chance.randint(1, one.sides) for _ in range(one.count)) for one in dice)


def hiding(told: dict[str, Any], hidden: str, **changed: Any) -> dict[str, Any]:
    """Return an encounter with one concealed, changed entry."""
    told = deepcopy(told)
    for entry in told["combatant"]:
        if entry["name"] == hidden:
            entry.update(concealed=True, **changed)
    return told


def _begin(told: dict[str, Any]) -> Fight:
    return begin_fight("drawn", told, who="gm", seed=None, dice=NamedDice(), clock=noon, salts=salt)


class Twins:
    """Two fights with one concealed combatant.

    After each command all open events must be equal, and so must the state that a spectator sees.

    Args:
        told: The encounter of the first fight.
        hidden: Who is concealed.
        other: The encounter of the second fight, if it differs in more than the entry of the concealed combatant.
        changed: How that entry differs in the second fight.
    """

    def __init__(self, told: dict[str, Any], hidden: str, other: dict[str, Any] | None = None, **changed: Any) -> None:
        pair = (hiding(told, hidden), hiding(other or told, hidden, **changed))
        self.hidden = id_of(hidden)
        self.fights = [_begin(one) for one in pair]
        self.commands = 0
        self.must_look_alike()

    def must_look_alike(self) -> None:
        """Hold that nothing open tells one fight from the other, and that open events fold without a gap."""
        one, other = ([msgspec.json.encode(event) for event in open_events(fight)] for fight in self.fights)
        assert one == other
        for fight in self.fights:
            told, seen = fold_open_events(open_events(fight)), project_state(SPECTATOR, fight.state)
            assert (told.combatants, told.relations) == (seen.combatants, seen.relations)
        assert project_for_sending(SPECTATOR, self.fights[0].state) == project_for_sending(
            SPECTATOR, self.fights[1].state
        )

    def send(self, *intents: Intent) -> None:
        """Send the same to both, or to each its own; then let the game master decline for the concealed."""
        for fight, intent in zip(self.fights, intents * (2 // len(intents)), strict=True):
            self.commands += 1
            fight.submit(Command(id=f"c{self.commands}", who="gm", intent=intent))
            while fight.state.window is not None and fight.state.window.to == (self.hidden,):
                self.commands += 1
                passed = Passed(window=fight.state.window.id, who=self.hidden)
                fight.submit(Command(id=f"c{self.commands}", who="gm", intent=passed))
        self.must_look_alike()

    def do(self, actor: Id, kind: str, manner: str = "standard", **params: Any) -> None:
        """Declare the same in both."""
        self.send(Declared(actor=actor, kind=kind, manner=manner, params=Raw(msgspec.json.encode(params))))

    def rule(self, kind: str, **params: Any) -> None:
        """Rule the same in both."""
        self.send(Ruled(kind=kind, params=Raw(msgspec.json.encode(params)), reason="so be it"))

    def enter(self, *faces: int) -> None:
        """Enter the same faces for the dice that both wait for."""
        assert all(fight.state.awaited is not None for fight in self.fights)
        self.send(*[DiceEntered(roll=fight.state.awaited.roll, faces=faces) for fight in self.fights])  # type: ignore[union-attr]

    def answer(self, by: Id, choice: str, **fields: Any) -> None:
        """Give the same answer in both."""
        assert all(fight.state.question is not None for fight in self.fights)
        ids = [fight.state.question.id for fight in self.fights]  # type: ignore[union-attr]
        self.send(*[Answered(question=id, by=by, choice=choice, fields=fields) for id in ids])

    def let_pass(self, *people: Id) -> None:
        """Let these combatants pass in the window that is open in both."""
        for who in people:
            assert all(fight.state.window is not None for fight in self.fights)
            self.send(Passed(window=self.fights[0].state.window.id, who=who))  # type: ignore[union-attr]
