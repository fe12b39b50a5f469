"""A fight of five with real dice, for tests of offers and refusals."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from affray.engine.fight import Fight
from affray.events import DiceEntered, Event, Ruled
from tests.rulesets.statistics import make_declaration, open_unstored_fight, params, submit_intent

PEOPLE: list[dict[str, Any]] = [
    {"name": "Brute", "side": "foes", "block": "brute", "at": "1,0"},
    {"name": "Ash", "side": "party", "block": "fighter", "at": "0,0", "belt": ["rope"], "pack": ["lamp"]},
    {"name": "Bo", "side": "party", "block": "archer", "at": "0,1", "spells": ["flash"]},
    {"name": "Zeno", "side": "foes", "block": "bandit", "at": "0,-1", "initiative": 11},
    {"name": "Far", "side": "foes", "block": "bandit", "at": "4,0", "initiative": 5},
]
SPELL = {"flash": {"name": "flash", "condition": "blinded"}}
TOLD = {"system": "hexblade", "board": {}, "combatant": PEOPLE, "spell": SPELL}


def a_fight() -> Fight:
    """Return a fight in Ash's turn, with real dice."""
    fight = open_unstored_fight(TOLD)
    rule_in_hexblade(fight, "dice", owner="*", source="entered")
    act_in_hexblade(fight, "gm", "begin")
    for who, face in (("bo", 16), ("ash", 19)):
        act_in_hexblade(fight, who, "roll_initiative", faces=(face,))
    act_in_hexblade(fight, "ash", "begin_turn")
    return fight


def rule_in_hexblade(fight: Fight, ruling: str, /, **said: Any) -> None:
    """Rule something."""
    submit_intent(fight, Ruled(kind=ruling, params=params(**said), reason="so it is"))


def act_in_hexblade(fight: Fight, actor: str, action: str, /, faces: Iterable[int] = (), **said: Any) -> None:
    """Let a combatant act, and enter a face for each awaited die."""
    submit_intent(fight, make_declaration(actor, action, **said))
    for face in faces:
        assert fight.state.awaited is not None
        entered: Event = DiceEntered(roll=fight.state.awaited.roll, faces=(face,))
        submit_intent(fight, entered)
