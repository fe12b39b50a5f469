"""Refused content of an encounter file of Hexblade, and the messages."""

from __future__ import annotations

from typing import Any

import pytest

from affray.engine import begin_fight
from affray.engine.errors import Unusable
from tests.engine.fights import SEED, noon

ASH: dict[str, Any] = {"name": "Ash", "side": "party", "block": "fighter", "at": "0,0"}
BANDIT: dict[str, Any] = {"name": "Bandit", "side": "foes", "block": "bandit", "at": "1,0"}


def make_varied_encounter(**other: Any) -> dict[str, Any]:
    """Return an encounter that differs in some of its parts."""
    return {"system": "hexblade", "board": {}, "combatant": [ASH, BANDIT], **other}


def with_bandit(**other: Any) -> dict[str, Any]:
    """Return an encounter with a changed second combatant."""
    return make_varied_encounter(combatant=[ASH, {**BANDIT, **other}])


@pytest.mark.parametrize(
    ("encounter", "field", "says"),
    [
        (with_bandit(block="ogre"), "combatant[1].block", "bandit"),
        (with_bandit(weapons=["hand-axe", "lance"]), "combatant[1].weapons[1]", "hand-axe"),
        (with_bandit(weapons=["hand-axe", "hand-axe"]), "combatant[1].weapons[1]", "twice"),
        (with_bandit(weapons=["longbow"], shield=True), "combatant[1].shield", "both hands"),
        (with_bandit(armor="plate"), "combatant[1].armor", "heavy"),
        (with_bandit(skills={"juggle": 1}), "combatant[1].skills", "evade"),
        (with_bandit(at="here"), "combatant[1].at", "q,r"),
        (with_bandit(at="0,0"), "combatant[1].at", "0,0"),
        (with_bandit(count=2), "combatant[1].at", "2"),
        (with_bandit(name="Ash"), "combatant[1].name", "ash"),
        (with_bandit(name="!"), "combatant[1].name", "letter"),
        (with_bandit(hp=12, hp_max=9), "combatant[1].hp", "9"),
        (with_bandit(str=99), "combatant[1].str", "20"),
        (with_bandit(spells=["flash"]), "combatant[1].spells[0]", "flash"),
        (with_bandit(missiles={"pebble": 3}), "combatant[1].missiles", "pebble"),
        (with_bandit(cover="full"), "combatant[1].cover", "full"),
        (with_bandit(luck=1), "combatant[1]", "luck"),
        (make_varied_encounter(board={"difficult": ["here"]}), "board.difficult[0]", "q,r"),
        (make_varied_encounter(board={"q": [3, 1]}), "board.q", "lower edge first"),
        (make_varied_encounter(board={"q": [5, 9]}), "combatant[0].at", "0,0"),
        (make_varied_encounter(board={"blocked": ["1,0"]}), "combatant[1].at", "1,0"),
        (
            make_varied_encounter(board={"side": [{"between": ["0,0", "2,0"], "cover": "soft"}]}),
            "board.side[0].between",
            "neighbour",
        ),
        (
            make_varied_encounter(board={"side": [{"between": ["0,0", "1,0"], "cover": "full"}]}),
            "board.side[0].cover",
            "full",
        ),
        (make_varied_encounter(config={"crowd_when": "never"}), "config", "never"),
        (
            make_varied_encounter(weapon={"claw": {"name": "claw", "attribute": "wis", "die": 4, "hands": 0}}),
            "weapon",
            "wis",
        ),
    ],
)
def test_a_fault_is_told_with_its_field(encounter: dict[str, Any], field: str, says: str) -> None:
    with pytest.raises(Unusable) as fault:
        begin_fight("wrong", encounter, who="gm", seed=SEED, clock=noon)
    assert fault.value.field.startswith(field), fault.value
    assert says in str(fault.value)
