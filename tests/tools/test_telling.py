"""Neighbouring events are told in one line, and every recorded fight can be told."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from affray.engine import Command, Fight, begin_fight
from affray.engine.history.log import read_log
from affray.engine.runtime.dice import Faces
from affray.events import (
    Dice,
    Recorded,
)
from affray.tools.parse import intent_parser
from affray.tools.present.story.narration import tell, tell_all, tell_story
from affray.tools.present.story.words import names_of

ENCOUNTER = """
system = "vestige"
name = "A duel"

[[combatant]]
name = "Ilse"
side = "heroes"
block = "hero"
ep = 3
weapons = ["sword"]
skills = ["lunge"]

[[combatant]]
name = "Captain"
side = "bandits"
block = "leader"
weapons = ["sword", "bow"]

[[distance]]
between = ["ilse", "captain"]
metres = 1
"""


class Scripted:
    """Dice that fall as they are told."""

    def __init__(self, *faces: int) -> None:
        self.left = list(faces)

    def faces(self, roll: str, dice: tuple[Dice, ...]) -> Faces:
        return tuple(tuple(self.left.pop(0) for _ in range(one.count)) for one in dice)


def open_known_duel(*faces: int) -> Fight:
    """Return a fight of two with known dice."""
    return begin_fight("duel", tomllib.loads(ENCOUNTER), who="gm", seed=None, dice=Scripted(*faces))


def tell_last_line(fight: Fight, *lines: str, reason: str = "") -> list[str]:
    """Carry out lines, and return what is told of the last one."""
    recorded: tuple[Recorded, ...] = ()
    for line in lines:
        intent = intent_parser.intent(fight, line, reason)
        recorded = fight.submit(Command(id=f"c{fight.head}", who="gm", intent=intent)).recorded
    return [line.strip() for line in tell_all(recorded, fight)]


def test_an_attack_its_dice_and_what_they_came_to_are_one_line() -> None:
    """B2: accuracy bought with ep, and a tie hits."""
    assert tell_last_line(open_known_duel(20, 1, 10), "begin", "ilse attack captain ep=1") == [
        "Ilse attacks Captain: 10 +2 accuracy +1 (1 ep) = 13 against 13, a hit [energy 4 → 3]",
        "Captain takes 2: 4 might −2 protection. Health 12 → 10",
    ]


def test_an_interrupted_action_is_first_meant_and_then_done() -> None:
    fight = open_known_duel(20, 1, 20, 1)
    assert tell_last_line(fight, "begin", "ilse ready", "pass ilse", "captain attack ilse") == [
        "Captain means to attack Ilse",
    ]
    assert tell_last_line(fight, "ilse announce attack captain") == [
        "Ilse answers and attacks Captain: 20 +2 accuracy = 22 against 13, a hit by 9",
        "Captain takes 2: 4 might −2 protection. Health 12 → 10",
        "Captain attacks Ilse: 1 +2 accuracy = 3 against 12, a miss by 9",
    ]


def test_a_whole_fight_is_told_by_rounds_and_turns() -> None:
    fight = open_known_duel(20, 1)
    tell_last_line(fight, "begin", "ilse end_turn", "captain end_turn")
    told = tell_all(fight.history.recorded, fight)
    assert told[0] == "“A duel”, a fight by the rules of Vestige, version 4"
    assert "Round 1" in told
    assert told[-3:] == ["    Captain ends the turn", "Round 2", "  Ilse's turn [energy 4 → 5]"]


def test_a_ruling_carries_its_reason_and_what_it_did() -> None:
    assert tell_last_line(open_known_duel(20, 1), "begin", "rule pool ilse health by=-2", reason="she fell") == [
        "The game master rules: change Ilse's health by −2 – “she fell” [Ilse health 10 → 8]"
    ]


def test_verbose_gives_every_event_its_position_and_clauses() -> None:
    fight = open_known_duel(20, 1)
    tell_last_line(fight, "begin")
    told = tell_all(fight.history.recorded, fight, verbose=True)
    assert len(told) == fight.head
    assert any(line.endswith("Phase: initiative, on begin (VES-001)") for line in told)


ODD = re.compile(r"\b(wolfs|part(y|ies) win)\b|\b([Tt]rue|[Ff]alse)\b|\((discarded|set aside)\)\s*\+|\bby 0\b")
"""What nobody would say, and the story once did; what a ruleset notes word for word is left as it was noted."""


def test_every_recorded_fight_can_be_told() -> None:
    """No event of the recorded fights breaks the story, and no line has unnatural wording."""
    for path in sorted(Path(__file__).parents[2].glob("replays/*/*.jsonl")):
        recorded = read_log(path.read_bytes().splitlines())
        names = names_of(recorded)
        for one in recorded:
            assert tell(one.event, names, verbose=True), f"{path.name}:{one.position}"
        told = tell_story(recorded, names)
        assert [line.positions for line in told] == sorted(line.positions for line in told)
        assert str(told[-1]).strip()
        assert "the the " not in "\n".join(map(str, told))
        assert [line for line in map(str, told) if ODD.search(line) and not line.strip().startswith("Note: ")] == []
