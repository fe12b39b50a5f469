"""Names in a ruling must exist: places of the map, numbers of a sheet, relations that can be set."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import Raw

from affray.engine import Fight, Refused, Unusable, begin_fight, load
from affray.engine.core.references import Maximum, maximum_of, range_of
from affray.events import Ruled, list_naming_fields
from tests.engine.encounters import load_shipped_encounters
from tests.engine.fights import NAME, NO, SEED, noon, submit_accepted
from tests.engine.waiting import moments
from tests.fuzz_commands.asking import ask_at_once, ask_everything
from tests.fuzz_commands.sending import words_of
from tests.fuzz_commands.wild import Wild, sendable
from tests.rulesets.systems import PRESENT

MAPS = [system for system in PRESENT if load(system).board.kind]
TRIES = 2
"""So often each ruling is made, each time at another moment and with other parameters."""


def open_first_map_fight(system: str) -> Fight:
    """Open the first fight that comes with a system and has a map."""
    for name, told in sorted(load_shipped_encounters().items()):
        if name.startswith(f"{system}/"):
            fight = begin_fight(NAME, told, who="gm", seed=SEED, clock=noon)
            if any(one.place for one in fight.state.combatants.values()):
                return fight
    raise AssertionError(f"none of {system} has a map")


def rule_by_name(fight: Fight, kind: str, **params: Any) -> None:
    """Rule something."""
    submit_accepted(fight, Ruled(kind=kind, params=Raw(msgspec.json.encode(params)), reason="so it is"))


@pytest.mark.parametrize("system", MAPS)
@pytest.mark.parametrize(
    "place", ["dead", "3", "1,2,3", "1, 2", "01,1", "-0,1", "1_0,1", "٣,٤", "²,1", "99999,0", "x,y", ",", "a|b", "<b>"]
)
def test_a_place_is_written_as_the_map_writes_places(system: str, place: str) -> None:
    """Neither a combatant nor terrain is put elsewhere, and the refusal names the field."""
    fight = open_first_map_fight(system)
    who = next(iter(fight.state.combatants))
    for kind, params, field in (("place", {"who": who, "to": place}, "to"), ("terrain", {"place": place}, "place")):
        with pytest.raises(Unusable) as no:
            rule_by_name(fight, kind, **params)
        assert no.value.field == field
    assert fight.head == fight.history.head


@pytest.mark.parametrize("system", ["vestige", "wwn", "wyrd"])
def test_nothing_is_placed_where_there_is_no_map(system: str) -> None:
    """A fight without places has stated distances."""
    mapped = {"board", "place", "distance", "melee", "sight", "view"}
    told = next(told for name, told in sorted(load_shipped_encounters().items()) if name.startswith(f"{system}/"))
    people = [{key: value for key, value in one.items() if key not in ("at", "rides")} for one in told["combatant"]]
    bare = {key: value for key, value in told.items() if key not in mapped}
    fight = begin_fight(NAME, {**bare, "combatant": people}, who="gm", seed=SEED, clock=noon)
    with pytest.raises(Refused, match="no map"):
        rule_by_name(fight, "terrain", place="1,1", traits=["difficult"])


@pytest.mark.parametrize("system", PRESENT)
def test_numbers_stay_within_what_a_sheet_can_say(system: str) -> None:
    """Each of a sheet's numbers and counters can be ruled to its bounds, and not beyond them.

    A counter with a maximum by the rules goes no further than the sheet says, and a move beyond it takes it there.
    """
    fight = open_first_map_fight(system)
    one = next(iter(fight.state.combatants.values()))
    for stat in one.stats:
        low, high = range_of(fight.ruleset, stat)
        rule_by_name(fight, "sheet", who=one.id, stat=stat, to=high)
        for value in (low - 1, high + 1):
            with pytest.raises(Unusable, match=str(high)):
                rule_by_name(fight, "sheet", who=one.id, stat=stat, to=value)
    for pool in one.pools:
        _, high = range_of(fight.ruleset, pool)
        maximum = maximum_of(fight.table, one.id, pool)
        if maximum is not None and maximum.rule:
            refused_beyond_maximum(fight, one.id, pool, maximum)
            continue
        for said in ({"to": high + 1}, {"by": high + 1}):
            with pytest.raises(Unusable, match=str(high)):
                rule_by_name(fight, "pool", who=one.id, pool=pool, **said)


@pytest.mark.parametrize(
    ("system", "stat"), [("hexblade", "hp"), ("verdigris", "hp"), ("vestige", "health"), ("wwn", "hp")]
)
def test_a_maximum_is_as_low_as_the_entry_of_an_encounter_can_say_and_no_lower(system: str, stat: str) -> None:
    """With 0, a wound that brings hit points back would bring none, and a combatant able again would be down."""
    fight = open_first_map_fight(system)
    who = next(iter(fight.state.combatants))
    rule_by_name(fight, "sheet", who=who, stat=stat, to=1)
    assert fight.state.combatants[who].pools[stat] == 1
    with pytest.raises(Unusable, match=f"{stat} must be from 1 to 999, not 0"):
        rule_by_name(fight, "sheet", who=who, stat=stat, to=0)


def refused_beyond_maximum(fight: Fight, who: str, pool: str, maximum: Maximum) -> None:
    """Expect that a counter stops at its maximum, and cannot be raised there."""
    before, most = fight.state.combatants[who].pools[pool], maximum.most
    with pytest.raises(Refused, match=f"has {pool} {most} at most") as no:
        rule_by_name(fight, "pool", who=who, pool=pool, to=most + 1)
    assert (no.value.rule, fight.state.combatants[who].pools[pool]) == (maximum.rule, before)
    rule_by_name(fight, "pool", who=who, pool=pool, by=most + 1)
    assert fight.state.combatants[who].pools[pool] == most
    with pytest.raises(Refused, match=f"has {pool} {most} at most") as no:
        rule_by_name(fight, "pool", who=who, pool=pool, by=1)
    assert no.value.rule == maximum.rule


@pytest.mark.parametrize("system", PRESENT)
def test_only_relations_without_roles_are_set_by_name(system: str) -> None:
    """The others have separate rulings; each can be ended by name."""
    fight = open_first_map_fight(system)
    two = list(fight.state.combatants)[:2]
    for relation in ("grapple", "riding", "mount", "group-2", "allies|x"):
        with pytest.raises(Unusable, match="can be set: allies"):
            rule_by_name(fight, "relate", relation=relation, members=two)
    rule_by_name(fight, "relate", relation="allies-2", members=two)
    assert fight.state.relations["allies-2"].kind == "allies"
    for relation in list(fight.state.relations):
        rule_by_name(fight, "relate", relation=relation, members=[])
    assert not fight.state.relations


@pytest.mark.parametrize("system", ["vestige", "wwn"])
@pytest.mark.parametrize("group", ["", "gm", "fight", "Pack", "a|b", "1/gm/1", "allies-2", "\x1b[2J"])
def test_a_group_has_an_id_of_its_own(system: str, group: str) -> None:
    """It stands in the names of slots and rolls, so it is written as ids are and taken by nothing else."""
    fight = open_first_map_fight(system)
    two = list(fight.state.combatants)[:2]
    rule_by_name(fight, "relate", relation="allies-2", members=two)
    with pytest.raises(Unusable) as no:
        rule_by_name(fight, "group", group=group, members=two)
    assert no.value.field in ("group", "params", "params.group")


@pytest.mark.parametrize("system", PRESENT)
def test_whoever_is_named_is_there(system: str) -> None:
    """In every ruling and field for combatants or items, with any other values."""
    fight = open_first_map_fight(system)
    for kind, form in fight.ruleset.rulings.items():
        for field in (*list_naming_fields(form, "combatant", new=False), *list_naming_fields(form, "item")):
            for nth in range(12):
                wild = Wild(Random(f"{system}/{kind}/{nth}"), fight.table.draft, words_of(system))
                params = wild.params(form)
                many = isinstance(params.get(field), list)
                params[field] = ["nobody here"] if many else "nobody here"
                with pytest.raises(NO):
                    submit_accepted(fight, Ruled(kind=kind, params=Raw(sendable(params)), reason="so it is"))


@pytest.mark.parametrize("system", PRESENT)
def test_after_any_ruling_a_fight_answers_everything(system: str) -> None:
    """Every ruling, at every moment a fight can wait in, with parameters that fit and that nearly do."""
    accepted, waits = 0, moments(system)
    for at, kind in enumerate(sorted(load(system).rulings) * TRIES):
        fight, dice = waits[at * 7 % len(waits)].fight(), Random(f"{system}/{at}/{kind}")
        params = Wild(dice, fight.table.draft, words_of(system)).params(fight.ruleset.rulings[kind])
        before = fight.head
        try:
            submit_accepted(fight, Ruled(kind=kind, params=Raw(sendable(params)), reason="so it is"))
        except NO:
            continue
        accepted += 1
        ask_at_once(fight, fight.history.recorded[before:])
        ask_everything(fight, dice)
    assert accepted > len(load(system).rulings) // 6
