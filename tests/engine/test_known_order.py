"""Groups and the turn order count known combatants: twins in which a concealed one acts elsewhere look alike."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from affray.engine import begin_fight
from affray.engine.core.draft import Draft
from affray.engine.core.naming import NAMING
from affray.engine.core.open_parts import open_part
from affray.engine.visibility import seen_by
from affray.events import OrderSet, Slot, TurnBegan, TurnEnded
from tests.engine.fights import SEED, acted, noon, salt
from tests.engine.test_hiding import rule
from tests.engine.test_unseen import of_type
from tests.engine.twins import SPECTATOR, Twins, open_events
from tests.rulesets.statistics import declared


def wwn(*foes: dict[str, Any], **config: Any) -> dict[str, Any]:
    """Return an encounter of Ada and foes."""
    ada = {"name": "Ada", "side": "party", "pc": True, "hp": 9, "attack": 1}
    people = [ada, *({"side": "foes", "hp": 4, "attack": 0, **foe} for foe in foes)]
    return {"system": "wwn", "name": "n", "config": config, "combatant": people}


def slots_of(twins: Twins) -> list[tuple[str, ...]]:
    """Return who shares each slot of the order that is open in both twins."""
    return [slot.members for slot in of_type(open_events(twins.fights[0]), OrderSet)[-1].slots]


BOAR = {"name": "Boar", "side": "foes", "hp": 4, "attack": 0}


@pytest.mark.parametrize("changed", [{"quick": 20}, {"side": "others"}, {"group": "shadows"}], ids=str)
@pytest.mark.parametrize("said", [{}, {"group": "foes"}], ids=str)
def test_newcomer_acts_with_the_one_known_foe_alone(changed: dict[str, Any], said: dict[str, Any]) -> None:
    """Lurker has a slot of its own, wherever it stands: no newcomer is in it, and its id is in no open event."""
    twins = Twins(wwn({"name": "Snag"}, {"name": "Lurker"}), "Lurker", **changed)
    twins.do("gm", "begin")
    twins.rule("join", combatant={**BOAR, **said})
    for fight in twins.fights:
        with_boar = [slot.members for slot in fight.state.slots if "boar" in slot.members]
        assert with_boar == [("boar",) if said else ("snag", "boar")]
        while fight.state.round == 1:
            acted(fight, declared(fight.state.acting[0], "end_turn"))
            assert seen_by(SPECTATOR, fight.state).up != "lurker"
    assert "lurker" not in repr(open_events(twins.fights[0]))


def test_newcomer_leaves_the_group_of_a_concealed_foe_where_that_has_another_name() -> None:
    """Snag and Lurker are the shadows; everybody reads that Snag and Boar are the foes, as if Lurker were not there."""
    twins = Twins(wwn({"name": "Snag"}, {"name": "Lurker"}), "Lurker")
    for fight in twins.fights[:1]:
        rule(fight, "group", group="shadows", members=["snag", "lurker"])
    twins.do("gm", "begin")
    twins.rule("join", combatant=BOAR)
    assert slots_of(twins).count(("snag", "boar")) == 1


def test_concealed_newcomer_acts_alone_beside_one_known_foe() -> None:
    """It is as if it had been there from the start: who is alone but for concealed combatants acts alone."""
    fight = begin_fight("n", wwn({"name": "Snag"}), who="gm", seed=SEED, clock=noon, salts=salt)
    acted(fight, declared("gm", "begin"))
    rule(fight, "join", combatant={**BOAR, "concealed": True})
    assert [slot.members for slot in fight.state.slots if {"snag", "boar"} & {*slot.members}] == [("snag",), ("boar",)]


def test_slot_called_like_a_concealed_combatant_is_in_no_open_event() -> None:
    """Boar acts in the slot of Snag, who is concealed by now: order, turn and its end are sealed as they name Snag."""
    fight = begin_fight("n", wwn({"name": "Snag"}), who="gm", seed=SEED, clock=noon, salts=salt)
    acted(fight, declared("gm", "begin"))
    rule(fight, "join", combatant=BOAR)
    rule(fight, "conceal", who="snag")
    before = len(open_events(fight))
    rule(fight, "join", combatant={**BOAR, "name": "Hog"}, initiative=3)
    while fight.state.round < 3:
        acted(fight, declared(fight.state.acting[0], "end_turn"))
        assert seen_by(SPECTATOR, fight.state).up != "snag"
    opened = of_type(open_events(fight)[before:], OrderSet, TurnBegan, TurnEnded)
    assert opened
    assert "snag" not in repr(opened)


def test_open_part_of_an_order_has_no_slot_called_like_a_concealed_combatant() -> None:
    """Whoever acts in it, and although no member is concealed; a group may be called like a concealed combatant."""
    fight = begin_fight("n", wwn({"name": "Snag"}, {"name": "Grub"}), who="gm", seed=SEED, clock=noon, salts=salt)
    rule(fight, "conceal", coming="Lurker")
    order = OrderSet(slots=(Slot(id="ada", members=("ada",)), Slot(id="lurker", members=("snag",))))
    assert open_part(order, Draft(fight.state), NAMING) == replace(order, slots=order.slots[:1])
    called = {**fight.state.relations, "lurker": fight.state.relations["foes"]}
    assert open_part(order, Draft(replace(fight.state, relations=called)), NAMING) is None
