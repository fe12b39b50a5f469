"""The costs of a fight carry over to the next: no member is lost or doubled, and state is equal."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from affray.engine.core.loading import load
from affray.engine.core.state import Combatant, Item, State
from affray.engine.errors import EngineError, Unusable
from affray.engine.opening import begin_fight
from affray.tools.encounters.party.costs import after_fight
from affray.tools.encounters.party.members import Content, check, ids_of, made_from, state_of, taken_back
from affray.tools.encounters.party.placement import is_out, join_party
from tests.examples import a_share
from tests.party.campaigns import encounter, fight_sensibly, open_party_fight

EVENINGS = {
    "vestige": ("bridge", "alley", "ford"),
    "wwn": ("cellar", "ford", "ambush"),
    "hexblade": ("barrow", "palisade", "common-room"),
    "wyrd": ("barrow", "mill", "powder"),
    "verdigris": ("gatehouse", "toll-road", "ogre-cave"),
}


def lasting(system: str, state: State, who: str) -> tuple[Combatant, dict[str, Item]]:
    """Return a combatant's lasting state: counters, conditions, items with counters and dice; no positions."""
    words, between = load(system).vocabulary, load(system).encounters.recovery
    one = state.combatants[who]
    conditions = words.lasting("conditions") | between.conditions
    kept = replace(
        one,
        side="",
        place="",
        pools={name: value for name, value in one.pools.items() if name in words.lasting("pools")},
        conditions={name: sources for name, sources in one.conditions.items() if name in conditions},
    )
    things = {
        id: replace(
            item,
            where="",
            counters={name: value for name, value in item.counters.items() if name in words.lasting("counters")},
        )
        for id, item in state.items.items()
        if item.owner == who
    }
    return kept, things


@pytest.mark.parametrize("system", EVENINGS)
@a_share(8)
@given(evenings=st.lists(st.tuples(st.integers(0, 2), st.integers(0, 255), st.integers(5, 80)), min_size=1, max_size=3))
def test_what_a_party_carries_opens_as_what_it_was(system: str, evenings: list[tuple[int, int, int]]) -> None:
    """Through several evenings, broken off after however many commands."""
    party = made_from(encounter(system, EVENINGS[system][0]), "heroes")
    members = list(ids_of(party))
    for which, seed, commands in evenings:
        try:
            fight = fight_sensibly(open_party_fight(encounter(system, EVENINGS[system][which]), party, seed), commands)
        except Unusable:
            assert all(is_out(one, load(system)) for one in party["combatant"])
            break
        before, party_before = state_of(party), party
        party, _ = after_fight(party, fight, "now")
        again, told = after_fight(party, fight, "later")
        assert again == party
        assert "taken already" in told[0].text
        assert list(ids_of(party)) == members
        now = check(party)
        for who in members:
            if who not in fight.state.combatants:
                assert lasting(system, now, who) == lasting(system, before, who)
                continue
            ended, things = lasting(system, fight.state, who)
            carried, carried_things = lasting(system, now, who)
            recovered = {name for name in ended.conditions if name not in carried.conditions}
            assert replace(carried, conditions=ended.conditions) == ended
            assert carried.conditions == {name: one for name, one in ended.conditions.items() if name not in recovered}
            assert recovered <= {"forfeited", "fled", "surrendered", "yielded", "incapacitated"}
            assert {id: carried_things[id] for id in things} == things
        assert without_past(taken_back(party)[0]) == without_past(party_before)
        stays = [nth for nth, one in enumerate(party["combatant"]) if is_out(one, load(system))]
        if len(stays) < len(members):
            opens_so(system, party, now)


def opens_so(system: str, party: Content, now: State) -> None:
    """The next fight opens with all able members in their state, once each."""
    joint = join_party(encounter(system, EVENINGS[system][0]), party)
    state = begin_fight("next", joint.content, who="gm", seed=None).state
    names = [one.name for one in state.combatants.values()]
    for one in party["combatant"]:
        assert names.count(one["name"]) == (0 if one["name"] in joint.behind else 1)
    for who in ids_of(party):
        if who in state.combatants:
            assert lasting(system, state, who) == lasting(system, now, who)


def without_past(content: Content) -> Content:
    """A party without what it was before."""
    return {key: value for key, value in content.items() if key != "past" and value != []}


@pytest.mark.parametrize(
    ("carries", "wrong"),
    [
        ({"pools": {"hp": 3}}, "combatant[0].carries.pools: there is no counter hp; there are health"),
        ({"pools": {"health": 11}}, "combatant[0].carries.pools.health: must be from 0 to the maximum of 10"),
        ({"conditions": {"sleepy": 1}}, "combatant[0].carries.conditions: there is no condition sleepy"),
        ({"things": {"bow": {"lost": True}}}, "combatant[0].carries.things: there is no thing bow; there are sword"),
        ({"things": {"sword": {"counters": {"edge": 1}}}}, "combatant[0].carries.things.sword.counters"),
        ({"things": {"sword": {"die": 4}}}, "combatant[0].carries.things.sword.die: must be from 0 to 0"),
        ({"company": {"dog": {}}}, "combatant[0].carries.company: there is no"),
        ({"hp": 3}, "combatant[0].carries: Object contains unknown field `hp`"),
        ({"pools": {"health": -1}}, "combatant[0].carries.pools.health: must be at least 0"),
        ("hurt", "combatant[0].carries: Expected `object`, got `str`"),
    ],
)
def test_what_nobody_can_carry_is_told_with_its_field(carries: Any, wrong: str) -> None:
    content = encounter("vestige", "bridge")
    content["combatant"][0]["carries"] = carries
    with pytest.raises(Unusable) as refused:
        begin_fight("x", content, who="gm", seed=None)
    assert str(refused.value).startswith(wrong)


def test_several_who_are_alike_carry_nothing() -> None:
    content = encounter("vestige", "bridge")
    entry = next(nth for nth, one in enumerate(content["combatant"]) if one.get("count", 1) > 1)
    content["combatant"][entry]["carries"] = {}
    with pytest.raises(EngineError, match="give each an entry"):
        begin_fight("x", content, who="gm", seed=None)
