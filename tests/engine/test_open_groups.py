"""Groups that share a roll and a slot: their results are as open as without a concealed member."""

from __future__ import annotations

from typing import Any

import pytest

from affray.engine import Fight, begin_fight
from affray.events import OrderSet, Rolled
from tests.engine.fights import SEED, noon, salt, submit_accepted
from tests.engine.test_hiding import rule
from tests.engine.test_unseen import of_type
from tests.engine.twins import Twins, open_events
from tests.rulesets.statistics import make_declaration


def goblins(*, in_group: bool) -> dict[str, Any]:
    """Return an encounter of Ada and three goblins, the first one in the others' group or not."""
    pack = [{"name": name, "side": "foes", "group": "pack"} for name in ("Lurker", "Snag", "Grub")]
    if not in_group:
        del pack[0]["group"]
    told = [
        {"name": "Ada", "side": "party", "pc": True, "hp": 9, "attack": 1},
        *({**one, "hp": 4, "attack": 0} for one in pack),
    ]
    return {"system": "wwn", "name": "n", "config": {"foe_groups": "single"}, "combatant": told}


def initiative_of(fight: Fight, unit: str) -> tuple[int, int]:
    """Return what a unit is read to have rolled, and the score of its slot."""
    (rolled,) = [one for one in of_type(open_events(fight), Rolled) if one.roll.endswith(f"initiative:{unit}")]
    (slot,) = [one for one in of_type(open_events(fight), OrderSet)[-1].slots if one.id == unit]
    return rolled.total, slot.score


def test_a_group_of_foes_rolls_openly_although_its_first_member_is_concealed() -> None:
    """Snag and Grub roll, with or without Lurker."""
    twins = Twins(goblins(in_group=True), "Lurker", goblins(in_group=False))
    twins.do("gm", "begin")
    rolled, score = initiative_of(twins.fights[0], "pack")
    assert rolled == score


def den() -> Fight:
    """Return a fight of Runa and three wolves that are alike."""
    wolves = [{"name": name, "side": "pack", "block": "minion"} for name in ("Lurker", "Fang", "Grey")]
    told = {
        "system": "vestige",
        "name": "n",
        "combatant": [{"name": "Runa", "side": "wardens", "block": "hero"}, *wolves],
    }
    return begin_fight("den", told, who="gm", seed=SEED, clock=noon, salts=salt)


def test_a_wolf_alone_but_for_a_concealed_one_rolls_alone() -> None:
    """Fang and Lurker are a group; while Lurker is hidden, Fang counts as alone."""
    fight = den()
    rule(fight, "group", group="wolves", members=["lurker", "fang"])
    rule(fight, "conceal", who="lurker")
    submit_accepted(fight, make_declaration("gm", "begin"))
    rolled, score = initiative_of(fight, "fang")
    assert rolled == score


def test_a_group_of_identical_combatants_is_led_by_the_first_whom_all_know() -> None:
    """Two wolves roll and keep together, although a concealed one was before them and has become stronger."""
    fight = den()
    rule(fight, "group", group="wolves", members=["lurker", "fang", "grey"])
    rule(fight, "conceal", who="lurker")
    rule(fight, "sheet", who="lurker", stat="might", to=5)
    submit_accepted(fight, make_declaration("gm", "begin"))
    assert [one.who for one in fight.state.relations["wolves"].members] == ["fang", "grey"]
    rolled, score = initiative_of(fight, "wolves")
    assert rolled == score


@pytest.mark.parametrize("changed", [{"quick": False}, {"side": "wolves"}], ids=["not quick", "on another side"])
def test_foes_roll_as_if_nobody_concealed_were_in_their_group(changed: dict[str, Any]) -> None:
    """By the usual setting a side is a group: two goblins and a wolf, and Lurker with one or the other."""
    foe = {"side": "foes", "hp": 4, "attack": 0, "quick": 2}
    people = [{"name": "Ada", "side": "party", "pc": True, "hp": 9, "attack": 1}, {"name": "Wolf", **foe}]
    people += [{"name": name, **foe} for name in ("Snag", "Grub", "Lurker")]
    people[1]["side"] = "wolves"
    twins = Twins({"system": "wwn", "name": "n", "combatant": people}, "Lurker", **changed)
    twins.do("gm", "begin")
    for unit in ("wolf", "foes"):
        rolled, score = initiative_of(twins.fights[0], unit)
        assert rolled == score


def test_somebody_alone_but_for_a_concealed_combatant_rolls_alone_until_that_one_is_revealed() -> None:
    """Snag rolls alone, and with Lurker as soon as all know of both."""
    pack = [{"name": name, "side": "foes", "hp": 4, "attack": 0, "quick": 2} for name in ("Snag", "Lurker")]
    told = [{"name": "Ada", "side": "party", "pc": True, "hp": 9, "attack": 1}, *pack]
    pack[1]["concealed"] = True
    fight = begin_fight(
        "n",
        {"system": "wwn", "name": "n", "config": {"reroll_initiative": True}, "combatant": told},
        who="gm",
        seed=SEED,
        clock=noon,
        salts=salt,
    )
    submit_accepted(fight, make_declaration("gm", "begin"))
    assert initiative_of(fight, "snag")[0] > 0
    rule(fight, "reveal", who="lurker")
    while fight.state.round == 1:
        submit_accepted(fight, make_declaration(fight.state.acting[0], "end_turn"))
    (roll,) = [one for one in of_type(open_events(fight), Rolled) if one.roll.endswith("initiative:foes-unseen")]
    assert [one.label for one in roll.modifiers] == ["quick"]
