"""Sides: trimmed, told apart by what people see, and no words that rulings use otherwise."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import Raw, json

from affray.engine.commands import Command
from affray.engine.errors import Unusable
from affray.engine.fight import Fight
from affray.engine.integrity.audit import audit
from affray.engine.kit.rulings import combatants, joining
from affray.engine.opening import begin_fight, open_fight
from affray.events import Ruled
from affray.tools.encounters.party.members import made_from
from affray.tools.encounters.party.placement import join_party
from tests.engine.encounters import load_shipped_encounters
from tests.engine.fights import SEED, noon
from tests.engine.memory import MemoryStore
from tests.rulesets.systems import SYSTEMS

EACH = pytest.mark.parametrize("system", SYSTEMS)
ALLEY = load_shipped_encounters()["vestige/alley"]
NEW = {"name": "Zed", "agility": 10, "might": 3, "health": 3}


def with_side(encounter: dict[str, Any], side: str) -> dict[str, Any]:
    """Return an encounter with a further combatant on a side."""
    first = encounter["combatant"][0]
    return {**encounter, "combatant": [first, {**first, "name": "Zed", "side": side}, *encounter["combatant"][1:]]}


def rule_on_sides(fight: Fight, kind: str, **params: object) -> None:
    """Rule something in a fight."""
    made = Ruled(kind=kind, params=Raw(json.encode(params)), reason="so it is")
    fight.submit(Command(id=f"{kind}-{fight.history.head}", who="gm", intent=made))


def open_alley_fight(store: MemoryStore | None = None) -> Fight:
    """Return a fight in an alley, between the watch and smugglers."""
    return begin_fight("alley", ALLEY, who="gm", seed=SEED, store=store, clock=noon)


@EACH
@pytest.mark.parametrize("blank", [" ", "\u00a0", "\u3000"])
def test_blanks_around_a_side_are_no_part_of_it(system: str, blank: str) -> None:
    encounter = load_shipped_encounters()[f"{system}/template"]
    first = encounter["combatant"][0]
    first = {**first, "side": f"{blank}{first['side']}{blank}"}
    spaced = {**encounter, "combatant": [first, *encounter["combatant"][1:]]}
    sides, wanted = (
        {one.side for one in begin_fight("x", told, who="gm", seed=SEED).state.combatants.values()}
        for told in (spaced, encounter)
    )
    assert sides == wanted
    party = made_from(spaced, "heroes")
    assert party == made_from(encounter, "heroes")
    assert join_party(spaced, party).content["combatant"] == join_party(encounter, party).content["combatant"]


@EACH
def test_two_sides_that_look_the_same_are_refused_in_an_encounter(system: str) -> None:
    encounter = load_shipped_encounters()[f"{system}/template"]
    side = encounter["combatant"][0]["side"]
    with pytest.raises(Unusable) as refused:
        begin_fight("x", with_side(encounter, side.upper()), who="gm", seed=SEED)
    assert refused.value.field in ("combatant[1].side", "combatant[1]")
    if system != "verdigris":  # where there are two sides of given names
        assert refused.value.message == f'looks like the side {side}, and is another; write side = "{side}"'


@pytest.mark.parametrize("side", ["*", "rest", "Rest", " "])
def test_a_word_of_rulings_is_no_side(side: str) -> None:
    with pytest.raises(Unusable) as refused:
        begin_fight("x", with_side(ALLEY, side), who="gm", seed=SEED)
    assert refused.value.field == "combatant[1].side"
    fight = open_alley_fight()
    for kind, params in (("join", {"combatant": {**NEW, "side": side}}), ("side", {"who": "vesna", "side": side})):
        with pytest.raises(Unusable):
            rule_on_sides(fight, kind, **params)
    assert fight.history.head == open_alley_fight().history.head


@pytest.mark.parametrize("side", ["WATCH", "Watch", " WATCH "])
def test_a_ruling_makes_no_side_that_looks_like_one_of_the_fight(side: str) -> None:
    fight = open_alley_fight()
    message = "looks like the side watch, and is another; write side=watch"
    for kind, params, field in (
        ("join", {"combatant": {**NEW, "side": side}}, "side"),
        ("join", {"combatant": [{**NEW, "side": "watch"}, {**NEW, "name": "Yan", "side": side}]}, "combatant[1].side"),
        ("side", {"who": "vesna", "side": side}, "side"),
    ):
        with pytest.raises(Unusable) as refused:
            rule_on_sides(fight, kind, **params)
        assert (refused.value.field, refused.value.message) == (field, message)
    rule_on_sides(fight, "join", combatant={**NEW, "side": "watch\u00a0"})
    rule_on_sides(fight, "side", who="vesna", side=" newcomers ")
    assert (fight.state.combatants["zed"].side, fight.state.combatants["vesna"].side) == ("watch", "newcomers")


def test_a_recorded_fight_with_sides_that_look_the_same_is_read_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its rulings are decided again as they were, and it goes on with the sides that it has."""
    store = MemoryStore()
    with monkeypatch.context() as earlier:
        for module in (joining, combatants):
            earlier.setattr(module, "check_sides", lambda *_: None)
        fight = open_alley_fight(store)
        rule_on_sides(fight, "join", combatant={**NEW, "side": "WATCH"})
        rule_on_sides(fight, "side", who="vesna", side="rest")
    again = open_fight("alley", store)
    assert [again.state.combatants[who].side for who in ("zed", "vesna")] == ["WATCH", "rest"]
    assert not audit(lambda: store.read("alley"), seed=SEED).findings
    rule_on_sides(again, "side", who="odo", side="WATCH")
    assert again.state.combatants["odo"].side == "WATCH"
