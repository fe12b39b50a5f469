"""Secrets that stay open, as ``docs/security.md`` lists them."""

from __future__ import annotations

import tomllib
from contextlib import suppress
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import Raw

from affray.engine import Amend, Fight, Refused, begin_fight
from affray.engine.analysis.policies import choose_sensibly
from affray.engine.core.loading import load, template
from affray.engine.visibility import Viewer, can_read, project_state
from affray.engine.visibility.audiences import find_audiences
from affray.events import (
    Amended,
    Answered,
    Asked,
    Damaged,
    Declared,
    Event,
    Id,
    MarkSet,
    Moved,
    Passed,
    PhaseEntered,
    Recorded,
    Rolled,
    Stacked,
    TurnBegan,
    about_of,
)
from tests.engine.conftest import two
from tests.engine.fights import SEED, noon, salt, submit_accepted
from tests.engine.test_hiding import SPECTATOR, list_known, rule
from tests.engine.test_known_order import BOAR, wwn
from tests.engine.test_open_bonds import wolves
from tests.engine.twins import NamedDice, fold_open_events, open_events


def test_a_mark_of_a_side_is_sealed_where_a_hidden_combatant_has_its_id() -> None:
    """A mark does not say whether its owner is a combatant or a side."""
    mark = MarkSet(owner="a", key="warned", value=1)
    for name, sealed in (("A", True), ("Zed", False)):
        encounter = two()
        encounter["combatant"].append({**encounter["combatant"][1], "name": name, "concealed": True})
        fight = begin_fight("duel", encounter, who="gm", seed=SEED, clock=noon)
        _, (readers,) = find_audiences(fight.state, [mark], fight.state_at)
        assert (readers is not None) is sealed, name


def open_with_rider(seed: bytes = SEED) -> tuple[Fight, Id, Id]:
    """Return a fight, who rides in it, and the mount."""
    fight = begin_fight("ford", tomllib.loads(template(load("wwn"))), who="gm", seed=seed, clock=noon, salts=salt)
    bonds = fight.state.relations.values()
    rider, mount = next([one.who for one in bond.members] for bond in bonds if bond.kind == "riding")
    return fight, rider, mount


def carried(seed: bytes) -> tuple[bool, list[tuple[Id, bool]]]:
    """Return whether all viewers see a concealed mount carry its rider, and whose move they see; or nothing."""
    fight, rider, mount = open_with_rider(seed)
    rule(fight, "conceal", who=mount)
    while (intent := choose_sensibly(fight, Random(0))) is not None:
        recorded = submit_accepted(fight, intent).recorded
        moved = [(one.event.who, can_read(SPECTATOR, one)) for one in recorded if isinstance(one.event, Moved)]
        if {who for who, _ in moved} == {rider, mount}:
            assert [who for who, _ in moved] == [mount, rider]
            return can_read(SPECTATOR, recorded[0]), moved
    return False, []


def test_where_a_concealed_mount_carries_its_rider_is_open() -> None:
    """The mount's declaration and its own move are sealed."""
    declared, moved = next(found for nth in range(1, 30) if (found := carried(bytes([nth]) * 32))[1])
    assert not declared
    assert [seen for _, seen in moved] == [False, True]


def test_a_ruling_that_conceals_a_rider_leaves_the_mount_in_sight() -> None:
    """The game master hides the mount with a second ruling."""
    fight, rider, mount = open_with_rider()
    rule(fight, "conceal", who=rider)
    assert {rider, mount} & list_known(fight) == {mount}
    rule(fight, "conceal", who=mount)
    assert {rider, mount} & list_known(fight) == set()


def concealed_last(system: str, seed: bytes = SEED) -> Fight:
    """Return a system's template fight with the last combatant concealed."""
    encounter = tomllib.loads(template(load(system)))
    encounter["combatant"][-1]["concealed"] = True
    return begin_fight("night", encounter, who="gm", seed=seed, clock=noon, salts=salt)


@pytest.mark.parametrize(
    ("system", "shown"),
    [("hexblade", {()}), ("verdigris", {("MarkSet",)})],
)
def test_the_end_of_a_concealed_turn_shows_the_side_that_is_due_alone(system: str, shown: set[tuple[str, ...]]) -> None:
    """Within a round; who had the turn, and what was done in it, is sealed, and so is a phase that is due already."""
    fight, ends = concealed_last(system), set()
    while (intent := choose_sensibly(fight, Random(0))) is not None and fight.state.round < 4:
        recorded = submit_accepted(fight, intent).recorded
        if isinstance(intent, Declared) and intent.kind == "end_turn" and intent.actor in fight.state.concealed:
            open_events = [type(one.event).__name__ for one in recorded if can_read(SPECTATOR, one)]
            if "RoundBegan" not in open_events:
                ends.add(tuple(open_events))
    assert ends == shown


def open_ambush() -> Fight:
    """Open a fight of Wyrd: Ada faces an orc and a concealed one."""
    party = {"name": "Ada", "side": "party", "pc": True, "weapons": ["spear"]}
    orcs: list[dict[str, Any]] = [{"name": "Orc", "side": "orcs", "block": "orc"}]
    orcs += [{"name": "Lurker", "side": "orcs", "block": "orc", "concealed": True}]
    told = {"system": "wyrd", "name": "n", "combatant": [party, *orcs]}
    return begin_fight("mill", told, who="gm", seed=SEED, clock=noon, salts=salt)


def harm_with_concealed(system: str, **changed: Any) -> tuple[Fight, Id, list[Event]]:
    """Harm the first known combatant of the template together with a concealed one, which is named first.

    Return the fight, the known combatant, and the open events of the ruling and of the answers to it.
    """
    encounter = tomllib.loads(template(load(system)))
    encounter["combatant"][-1].update(concealed=True, **changed)
    fight = begin_fight("night", encounter, who="gm", seed=None, dice=NamedDice(), clock=noon, salts=salt)
    while not fight.state.round:
        begins = choose_sensibly(fight, Random(0))
        assert begins is not None
        submit_accepted(fight, begins)
    known = next(who for who in fight.state.combatants if who not in fight.state.concealed)
    begun, most = fight.head, {"save": "withstand"} if system == "verdigris" else {}
    armor = {"hexblade": {"armored": True}, "vestige": {"protected": True}}.get(system, {})
    rule(fight, "damage", who=[fight.state.concealed[-1], known], dice="4d6", cause="a fall of stones", **most, **armor)
    asked = set()
    while (question := fight.state.question) is not None:
        seen = project_state(Viewer(role="player", owns=(known,)), fight.state)
        if known in (*question.of, about_of(question.about)):
            assert seen.question == question
            asked.add(known)
        else:
            assert seen.question is None
        answer = choose_sensibly(fight, Random(0))
        assert answer is not None
        submit_accepted(fight, answer)
    assert bool(asked) is (system in {"vestige", "verdigris", "wyrd"})
    read = [one.event for one in fight.history.recorded[begun:] if can_read(SPECTATOR, one)]
    assert not any(who in msgspec.json.encode(one).decode() for who in fight.state.concealed for one in read)
    return fight, known, read


WEAKER = {"hexblade": {"hp": 1}, "verdigris": {"hp": 1}, "vestige": {"health": 2}, "wwn": {"hp": 1}, "wyrd": {}}
"""What a concealed combatant has left in the other fight."""


@pytest.mark.parametrize("system", WEAKER)
def test_who_is_harmed_together_with_a_concealed_combatant_is_asked_openly(system: str) -> None:
    """The ruling is sealed, and everything about the concealed one; how strong that one is does not show."""
    fight, known, read = harm_with_concealed(system)
    assert {one.who for one in read if isinstance(one, Damaged)} == {known}
    assert sum(isinstance(one, Asked) for one in read) == sum(isinstance(one, Answered) for one in read)
    assert read == harm_with_concealed(system, **WEAKER[system])[2]
    assert known in fold_open_events(open_events(fight)).combatants


def test_a_question_about_a_sealed_action_shows_its_phase() -> None:
    """Viewers read that the game master is awaited, and when the answer ends that; the action itself is sealed."""
    fight = open_ambush()
    intents = [("gm", "begin", {}), ("ada", "end_turn", {}), ("lurker", "improvise", {"what": "a trap"})]
    recorded: tuple[Recorded, ...] = ()
    for who, kind, params in intents:
        recorded = submit_accepted(
            fight, Declared(actor=who, kind=kind, params=Raw(msgspec.json.encode(params)))
        ).recorded
    answers: list[tuple[str, dict[str, Any]]] = [("allow", {}), ("settled", {"outcome": "it is set"})]
    for choice, fields in answers:
        assert fight.state.question is not None
        answer = Answered(question=fight.state.question.id, by="gm", choice=choice, fields=fields)
        recorded += submit_accepted(fight, answer).recorded
    read = [one.event for one in recorded if can_read(SPECTATOR, one)]
    assert [one.phase for one in read if isinstance(one, PhaseEntered)] == ["prompt", "turn"]
    assert len(read) == 2


def test_an_amendment_lists_the_sealed_inputs_that_it_drops() -> None:
    """By their positions alone; a viewer reads that there was an input, and nothing of it."""
    fight, sealed, amended = concealed_last("wwn", bytes([2]) * 32), list[Recorded](), None
    passed = 0
    while amended is None:
        intent = choose_sensibly(fight, Random(0))
        assert intent is not None
        sealed += [one for one in submit_accepted(fight, intent).recorded if not can_read(SPECTATOR, one)]
        passed = next((one.position for one in sealed if isinstance(one.event, Passed)), 0)
        attack = max(
            [one.position for one in fight.history.recorded[:passed] if isinstance(one.event, Declared)], default=0
        )
        with suppress(Refused):  # where nothing else would follow, or something new would be asked
            amended = (
                submit_accepted(fight, Amend(position=attack, reason="she held her blow")).recorded[0]
                if attack
                else None
            )
    assert can_read(SPECTATOR, amended)
    assert isinstance(amended.event, Amended)
    assert passed in amended.event.dropped


def test_the_number_of_an_open_action_counts_those_at_a_concealed_target() -> None:
    """The game master lets Ilse attack Lurker, unseen; her next attack has the id of the second."""
    encounter = two()
    encounter["combatant"].append({**encounter["combatant"][1], "name": "Lurker", "concealed": True})
    encounter["distance"].append({"between": ["ilse", "lurker"], "metres": 1})
    fight = begin_fight("duel", encounter, who="gm", seed=SEED, clock=noon, salts=salt)
    submit_accepted(fight, Declared(actor="gm", kind="begin", params=Raw(b"{}")))
    while fight.state.acting != ("ilse",):
        submit_accepted(fight, Declared(actor=fight.state.acting[0], kind="end_turn", params=Raw(b"{}")))
    numbers = []
    for target in ("lurker", "brand"):
        params = Raw(b'{"target":"%s"}' % target.encode())
        recorded = submit_accepted(fight, Declared(actor="ilse", kind="attack", params=params)).recorded
        numbers += [one.event.item for one in recorded if isinstance(one.event, Stacked) and can_read(SPECTATOR, one)]
        while fight.state.window is not None:
            submit_accepted(fight, Passed(window=fight.state.window.id, who=fight.state.window.to[0]))
    assert [one.rpartition("/")[2] for one in numbers] == ["attack.2"]


@pytest.mark.parametrize(("splits", "name"), [(False, "foes-2"), (True, "foes")])
def test_a_group_that_was_seen_keeps_its_name_while_it_is_concealed(splits: bool, name: Id) -> None:
    """Players saw two wolves, who vanish. Newcomers of their side tell whether these are still a group."""
    fight = begin_fight("n", wwn({"name": "Wolf", "count": 2}), who="gm", seed=SEED, clock=noon, salts=salt)
    submit_accepted(fight, Declared(actor="gm", kind="begin", params=Raw(b"{}")))
    for wolf in ("wolf-a", "wolf-b"):
        rule(fight, "conceal", who=wolf)
    if splits:
        rule(fight, "relate", relation="foes", members=[])
    rule(fight, "join", combatant={**BOAR, "count": 2}, initiative=4)
    assert name in [slot.id for slot in project_state(SPECTATOR, fight.state).slots]


@pytest.mark.parametrize("rides", [False, True])
def test_the_phase_in_which_a_concealed_riders_beast_is_checked_is_open(rides: bool) -> None:
    """Two raiders come up, and with them a concealed one, on a beast that is not trained for war or beside it."""
    raiders = {"name": "Raider", "side": "raiders", "count": 2, "block": "raider", "at": ["1,5", "6,2"]}
    lurker = {"name": "Lurker", "side": "raiders", "block": "raider", "at": "9,9", "concealed": True}
    nag = {"name": "Nag", "side": "raiders", "block": "warhorse", "war_trained": False, "concealed": True}
    bran = {"name": "Bran", "side": "wardens", "pc": True, "hp": 9, "attack": 1, "at": "3,1"}
    mounted = [{**lurker, "rides": "nag"}, nag] if rides else [lurker, {**nag, "at": "9,10"}]
    told = {"system": "wwn", "name": "n", "board": {}, "combatant": [bran, raiders, *mounted]}
    fight = begin_fight("ford", told, who="gm", seed=SEED, clock=noon, salts=salt)
    submit_accepted(fight, Declared(actor="gm", kind="begin", params=Raw(b"{}")))
    if fight.state.up == "bran":
        submit_accepted(fight, Declared(actor="bran", kind="end_turn", params=Raw(b"{}")))
    triggers = {event.trigger for event in open_events(fight) if isinstance(event, PhaseEntered)}
    assert ("rides_up" in triggers) == rides


@pytest.mark.parametrize(("side", "reads"), [("heirs", False), ("goblins", True)])
def test_who_plays_one_of_two_concealed_in_a_turn_learns_of_the_other(side: str, reads: bool) -> None:
    """Alpha's player reads Alpha's turn, unless another concealed combatant shares it."""
    npc = {"grace": 4, "power": 4, "weapons": ["spear"]}
    people = [
        {"name": "Sigrid", "side": "heirs", "pc": True, "grace": 8, "weapons": ["longbow"]},
        {"name": "Goblin", "side": "goblins", **npc},
        {"name": "Alpha", "side": "heirs", "concealed": True, **npc},
        {"name": "Lurker", "side": side, "concealed": True, **npc},
    ]
    told = {"system": "wyrd", "name": "n", "combatant": people}
    fight = begin_fight("heath", told, who="gm", seed=SEED, clock=noon, salts=salt)
    submit_accepted(fight, Declared(actor="gm", kind="begin", params=Raw(b"{}")))
    alpha = Viewer(role="player", name="Al", owns=("alpha",))
    turns = [one.event for one in fight.history.recorded if isinstance(one.event, TurnBegan) and can_read(alpha, one)]
    assert any("alpha" in turn.members for turn in turns) == reads


@pytest.mark.parametrize(("key", "told"), [("kris", []), ("dagger", ["own_weapon"])])
def test_a_thing_of_the_file_that_a_concealed_combatant_alone_carries_is_open_where_it_replaces_one_of_the_rules(
    key: str, told: list[str]
) -> None:
    """Newcomers' gear is read from its carriers, except for names of the rules."""
    kris = {"name": "kris", "damage": "1d6", "shock": 1, "shock_ac": 13, "attribute": ["str"], "skill": "stab"}
    ada = {"name": "Ada", "side": "party", "pc": True, "hp": 9, "attack": 1}
    lurker = {"name": "Lurker", "side": "foes", "hp": 4, "attack": 0, "weapons": [key], "concealed": True}
    encounter = {"system": "wwn", "name": "n", "weapon": {key: kris}, "combatant": [ada, lurker]}
    fight = begin_fight("night", encounter, who="gm", seed=SEED, clock=noon, salts=salt)
    opened = [one.event for one in fight.history.recorded if can_read(SPECTATOR, one)]
    assert [one.key for one in opened if isinstance(one, MarkSet) and one.owner == "fight"] == told


def test_what_a_roll_is_for_is_open_as_its_dice_are_while_a_combatant_is_concealed() -> None:
    """The ruling is sealed with its reason; the roll is not, nor what it is for. Of a secret roll both are."""
    fight = wolves()
    for purpose in ("listening", "does Runa hear Lurker"):
        _, rolled = rule(fight, "roll", who="runa", dice="d20", **{"for": purpose})
        assert isinstance(rolled.event, Rolled)
        assert (rolled.event.purpose, can_read(SPECTATOR, rolled)) == (purpose, True)
        secret = rule(fight, "secret_roll", dice="d20", purpose=purpose)
        assert not any(can_read(SPECTATOR, one) for one in secret)
