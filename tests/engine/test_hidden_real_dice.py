"""Real dice of a concealed combatant: they give away no more than those of the engine."""

from __future__ import annotations

import tomllib
from random import Random
from typing import Any

import pytest
from msgspec import Raw
from msgspec.json import encode
from msgspec.structs import replace

from affray.engine import Command, Fight, begin_fight
from affray.engine.analysis.policies import choose_sensibly
from affray.engine.commands import Intent
from affray.engine.core.loading import load, template
from affray.engine.visibility import can_read
from affray.events import Declared, DiceAwaited, DiceEntered, Event, Id, Rolled, RoundBegan, Ruled
from tests.engine.encounters import load_shipped_encounters
from tests.engine.fights import noon, salt
from tests.engine.twins import SPECTATOR, NamedDice, hiding
from tests.rulesets.systems import PRESENT

STEPS = 50


class PairOfFights:
    """Two fights with the same dice; in the second one those of the concealed combatant are entered."""

    def __init__(self, told: dict[str, Any]) -> None:
        side = next(one["side"] for one in told["combatant"] if one.get("concealed"))
        self.engine, self.real = (self._begin(told, entered) for entered in ((), (side,)))
        self.sent = 0

    def send(self, intent: Intent) -> tuple[list[Event], list[Event]]:
        """Send a command to both; return each one's open events."""
        return self._told(self.engine, intent), self._told(self.real, intent)

    def declare(self, actor: Id, kind: str, **params: Any) -> tuple[list[Event], list[Event]]:
        """Declare an action in both; return each one's open events."""
        return self.send(Declared(actor=actor, kind=kind, params=Raw(encode(params))))

    def rule(self, kind: str, **params: Any) -> None:
        """Rule the same in both."""
        self.send(Ruled(kind=kind, params=Raw(encode(params)), reason="so be it"))

    def _begin(self, told: dict[str, Any], entered: tuple[str, ...]) -> Fight:
        dice = NamedDice()
        return begin_fight("n", told, who="gm", seed=None, dice=dice, entered=entered, clock=noon, salts=salt)

    def _told(self, fight: Fight, intent: Intent) -> list[Event]:
        before = fight.head
        self._submit(fight, intent)
        while (awaited := fight.state.awaited) is not None:
            faces = [face for group in NamedDice().faces(awaited.roll, awaited.dice) for face in group]
            self._submit(fight, DiceEntered(roll=awaited.roll, faces=tuple(faces)))
        told = [one.event for one in fight.history.recorded[before:] if can_read(SPECTATOR, one)]
        return [
            replace(one, source="engine") if isinstance(one, Rolled) else one
            for one in told
            if not isinstance(one, DiceAwaited | DiceEntered)
        ]

    def _submit(self, fight: Fight, intent: Intent) -> None:
        self.sent += 1
        fight.submit(Command(id=f"c{self.sent}", who="gm", intent=intent))


@pytest.mark.parametrize("hidden", [0, -1])
@pytest.mark.parametrize("system", PRESENT)
def test_real_dice_of_a_concealed_combatant_tell_as_much_as_the_engines(system: str, hidden: int) -> None:
    """Only at the start of a round may the phase be shown in which the table awaited the dice."""
    told = tomllib.loads(template(load(system)))
    told["combatant"][hidden]["concealed"] = True
    pair, chance = PairOfFights(told), Random(0)
    for _ in range(STEPS):
        intent = choose_sensibly(pair.engine, chance)
        if intent is None:
            break
        one, other = pair.send(intent)
        assert one == other or any(isinstance(event, RoundBegan) for event in one), intent


def test_an_action_of_a_concealed_combatant_with_real_dice_shows_no_phase_anew() -> None:
    """Sela rolls for initiative, and repairs a blade after the fight: both wait for dice and leave the phase."""
    pair = PairOfFights(hiding(load_shipped_encounters()["hexblade/common-room"], "Sela"))
    blade = next(item.id for item in pair.engine.state.items.values() if item.owner == "sela" and item.kind == "weapon")
    pair.declare("gm", "begin")
    assert pair.declare("sela", "roll_initiative") == ([], [])
    pair.rule("wear", item=blade, to="damaged")
    pair.rule("end")
    assert pair.declare("sela", "repair", item=blade) == ([], [])
