"""A fight with a pending question: to the game master, about the test of a shove."""

from __future__ import annotations

from affray.engine import Command, Fight, FileStore, begin_fight
from affray.tools.parse import intent_parser

PEOPLE = [
    {"name": "Ash", "side": "party", "block": "fighter", "at": "0,0"},
    {"name": "Bo", "side": "party", "block": "archer", "at": "-4,0"},
    {"name": "Brute", "side": "foes", "block": "brute", "at": "1,0"},
]

COURSE = (
    "begin",
    "rule unable bo",
    "ash roll_initiative",
    "ash begin_turn",
    "ash maneuver shove brute",
)


def shoving(store: FileStore | None = None) -> Fight:
    """Return that fight at its head, where the question waits."""
    encounter = {"system": "hexblade", "combatant": PEOPLE}
    fight = begin_fight("shoving", encounter, who="gm", seed=bytes([1]) * 32, store=store)
    for line in COURSE:
        fight.submit(Command(id=line, who="gm", intent=intent_parser.intent(fight, line, "so it is")))
    return fight


__all__ = ["shoving"]
