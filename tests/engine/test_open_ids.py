"""The id of an open relation tells of no sealed one: melees, saddles, grapples and groups."""

from __future__ import annotations

from typing import Any

import pytest

from affray.engine import Fight, begin_fight
from affray.engine.visibility import can_read, project_state
from affray.events import Id, Rolled, Stacked
from tests.engine.fights import SEED, noon, salt, submit_accepted
from tests.engine.test_hiding import rule
from tests.engine.test_known_order import BOAR, wwn
from tests.engine.test_open_melees import melees_read
from tests.engine.test_open_secrets import concealed_last
from tests.engine.test_uncounted import CLEARING, HALL
from tests.engine.twins import SPECTATOR, Twins, open_events
from tests.rulesets.statistics import make_declaration
from tests.rulesets.systems import PRESENT


def bonds_read(fight: Fight, kind: str) -> dict[Id, list[Id]]:
    """Return the relations of a kind that a spectator sees."""
    seen = project_state(SPECTATOR, fight.state).relations.values()
    return {one.id: [it.who for it in one.members] for one in seen if one.kind == kind}


def field(system: str) -> dict[str, Any]:
    """Return an encounter of Ada and Bram, an enemy and Lurker."""
    return {"verdigris": HALL, "wyrd": CLEARING}[system]


ENEMY = {"verdigris": "sergeant", "wyrd": "orc"}


def meet(twins: Twins, system: str, *members: Id) -> None:
    """Put combatants into one melee: in Verdigris by a ruling, in the Wyrd rules as a newcomer stands by."""
    if system == "verdigris":
        twins.rule("melee", members=[*members])
    else:
        twins.do(members[0], "move", contact=members[1])


@pytest.mark.parametrize("system", sorted(ENEMY))
def test_the_id_of_a_melee_counts_no_hidden_ones(system: str) -> None:
    """Ada fights Lurker or no combatant from the start; Bram's melee has the first free id."""
    told, enemy = field(system), ENEMY[system]
    twins = Twins({**told, "melee": [{"members": ["ada", "lurker"]}]}, "Lurker", told)
    twins.do("gm", "begin")
    meet(twins, system, "bram", enemy)
    for fight in twins.fights:
        assert melees_read(fight) == {"melee": ["bram", enemy]}


@pytest.mark.parametrize("system", sorted(ENEMY))
def test_melees_of_an_encounter_are_numbered_as_if_no_hidden_one_was_among_them(system: str) -> None:
    """The hidden one stands first in the file, or last, or not at all."""
    told, enemy = field(system), ENEMY[system]
    hidden, known = {"members": ["ada", "lurker"]}, {"members": ["bram", enemy]}
    for before, after in (([hidden, known], [known]), ([known], [known, hidden])):
        twins = Twins({**told, "melee": before}, "Lurker", {**told, "melee": after})
        for fight in twins.fights:
            assert melees_read(fight) == {"melee": ["bram", enemy]}


@pytest.mark.parametrize("stays", [True, False])
def test_a_melee_that_was_open_before_gives_way(stays: bool) -> None:
    """Lurker is seen fighting Ada, vanishes, and slips away from her or does not."""
    fight = begin_fight("hall", {**HALL, "melee": []}, who="gm", seed=SEED, clock=noon, salts=salt)
    submit_accepted(fight, make_declaration("gm", "begin"))
    rule(fight, "melee", members=["ada", "lurker"])
    rule(fight, "conceal", who="lurker")
    if not stays:
        rule(fight, "relate", relation="melee", members=[])
    rule(fight, "melee", members=["bram", "sergeant"])
    assert bonds_read(fight, "melee") == {"melee": ["bram", "sergeant"]}
    held = [one.id for one in fight.state.relations.values() if "lurker" in {it.who for it in one.members}]
    assert held == (["melee-2"] if stays else [])


def test_a_melee_of_which_viewers_learn_has_the_first_free_number() -> None:
    """Ada and Bram each fight a hidden combatant. One of these is revealed: hers is the only known melee."""
    shade = {**HALL["combatant"][-1], "name": "Shade", "concealed": True}
    told = {**HALL, "combatant": [*HALL["combatant"], shade]}
    told["melee"] = [{"members": ["ada", "lurker"]}, {"members": ["bram", "shade"]}]
    fight = Twins(told, "Lurker").fights[0]
    rule(fight, "reveal", who="shade")
    assert melees_read(fight) == {"melee": ["bram", "shade"]}
    rule(fight, "reveal", who="lurker")
    assert {one.id for one in fight.state.relations.values() if one.kind == "melee"} == {"melee", "melee-2"}


def test_newcomers_begin_a_melee_with_the_first_free_number() -> None:
    """A bandit joins in melee with Bram. Ada fights Lurker, unseen, or does not."""
    bandit = {**HALL["combatant"][-1], "name": "Rogue"}
    twins = Twins({**HALL, "melee": [{"members": ["ada", "lurker"]}]}, "Lurker", HALL)
    twins.do("gm", "begin")
    twins.rule("join", combatant=bandit, melee=[{"members": ["bram", "rogue"]}])
    for fight in twins.fights:
        assert melees_read(fight) == {"melee": ["bram", "rogue"]}


def test_the_id_of_a_saddle_counts_no_hidden_ones() -> None:
    """It is called after its rider."""
    numbers = dict.fromkeys(("strength", "agility", "intelligence", "charisma", "dodge", "withstand", "panic"), 3)
    bandit = {"name": "Lurker", "side": "enemies", "block": "bandit", "at": "road", "concealed": True}
    ilka = {"name": "Ilka", "side": "party", "pc": True, "hp": 5, **numbers, "at": "road", "mount": "destrier"}
    for riders in ([ilka], [{**bandit, "mount": "courser"}, ilka]):
        told = {"system": "verdigris", "name": "n", "zone": [{"name": "road"}], "combatant": riders}
        fight = begin_fight("road", told, who="gm", seed=SEED, clock=noon, salts=salt)
        assert bonds_read(fight, "mount") == {"mount-ilka": ["ilka", "ilka-destrier"]}


@pytest.mark.parametrize("wolves", [1, 2])
@pytest.mark.parametrize("said", [{}, {"group": "foes"}], ids=str)
def test_the_id_of_a_group_counts_no_hidden_ones(wolves: int, said: dict[str, Any]) -> None:
    """Newcomers form a group that is called after their side, whether or not the foes are a concealed group already."""
    told = wwn({"name": "Cur", "side": "curs"}, {"name": "Wolf", "count": wolves, "concealed": True})
    fight = begin_fight("n", told, who="gm", seed=SEED, clock=noon, salts=salt)
    submit_accepted(fight, make_declaration("gm", "begin"))
    rule(fight, "join", combatant={**BOAR, "count": 2, **said}, initiative=4)
    assert bonds_read(fight, "group") == {"foes": ["boar-a", "boar-b"]}
    assert "foes" in [slot.id for slot in project_state(SPECTATOR, fight.state).slots]


@pytest.mark.parametrize("said", [{}, {"group": "foes"}], ids=str)
def test_the_id_of_a_group_does_not_tell_that_a_known_foe_was_in_a_sealed_one(said: dict[str, Any]) -> None:
    """Snag and Lurker are foes, or Lurker is of another side."""
    twins = Twins(wwn({"name": "Snag"}, {"name": "Lurker"}), "Lurker", side="others")
    twins.do("gm", "begin")
    twins.rule("join", combatant={**BOAR, "count": 2, **said})
    assert {*bonds_read(twins.fights[0], "group")} == {"foes"}


@pytest.mark.parametrize("beside", [False, True])
@pytest.mark.parametrize("system", PRESENT)
def test_the_number_of_an_open_ruling_counts_no_sealed_ones(system: str, beside: bool) -> None:
    """Dice of harm fall for a concealed combatant, alone or beside a known one, or not; then for another known one.

    Beside a known one they count, since they are open.
    """
    told: list[list[Id]] = []
    for hidden in (1, 0):
        fight = concealed_last(system)
        submit_accepted(fight, make_declaration("gm", "begin", **({"cause": "threat"} if system == "vestige" else {})))
        known = [who for who in fight.state.combatants if who not in fight.state.concealed]
        harmed = [*fight.state.concealed[:hidden], *known[1 : 1 + beside]]
        recorded = rule(fight, "damage", who=harmed, dice="1d6") if harmed else ()
        assert not [one for one in recorded if can_read(SPECTATOR, one) and ".apart" in repr(one.event)]
        rule(fight, "damage", who=known[:1], dice="1d6")
        told.append([one.item for one in open_events(fight) if isinstance(one, Stacked)][-1:])
        told[-1] += [one.roll for one in open_events(fight) if isinstance(one, Rolled) and "damage" in one.roll]
    assert told[0] == told[1]
    assert told[0][0].endswith("/damage.4" if beside else "/damage.2")


ALONE: dict[str, dict[str, Any]] = {
    "hexblade": {"test": "str", "dc": 12},
    "vestige": {"number": "might", "difficulty": 9},
    "wwn": {"attribute": "dex", "skill": "exert", "difficulty": 8},
    "wyrd": {"ability": "power"},
}
CONTEST: dict[str, dict[str, Any]] = {
    "hexblade": {"test": "str", "against_test": "str"},
    "vestige": {"number": "might", "against_number": "might"},
    "wwn": {"attribute": "dex", "skill": "exert"},
    "wyrd": {"ability": "power", "against_ability": "power"},
}


@pytest.mark.parametrize("hidden_first", [True, False])
@pytest.mark.parametrize("system", sorted(ALONE))
def test_the_number_of_an_open_test_counts_no_contest_with_a_concealed_combatant(
    system: str, hidden_first: bool
) -> None:
    """The game master calls for a contest of a known combatant and a concealed one: nothing of it is open."""
    fight = concealed_last(system)
    submit_accepted(fight, make_declaration("gm", "begin", **({"cause": "threat"} if system == "vestige" else {})))
    known, hidden = next(iter(fight.state.combatants)), fight.state.concealed[0]
    who, against = (hidden, known) if hidden_first else (known, hidden)
    assert not [
        one for one in rule(fight, "test", who=who, against=against, **CONTEST[system]) if can_read(SPECTATOR, one)
    ]
    rule(fight, "test", who=known, **ALONE[system])
    assert [one.item for one in open_events(fight) if isinstance(one, Stacked)] == ["1/gm/test.2"]


def test_the_number_of_an_open_morale_check_counts_none_of_a_concealed_side() -> None:
    """The curs are concealed; the boars are not."""
    told = wwn({"name": "Cur", "side": "curs", "morale": 7, "concealed": True}, {**BOAR, "morale": 7})
    fight = begin_fight("n", told, who="gm", seed=bytes([2]) * 32, clock=noon, salts=salt)
    submit_accepted(fight, make_declaration("gm", "begin"))
    assert not [one for one in rule(fight, "morale", side="curs") if can_read(SPECTATOR, one)]
    rule(fight, "morale", side=BOAR["side"])
    assert [one.item for one in open_events(fight) if isinstance(one, Stacked)] == ["1/gm/morale.2"]
