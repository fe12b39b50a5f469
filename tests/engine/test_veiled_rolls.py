"""Rolls that a veiled counter takes part in: what of them is open, and what is sealed."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import Any

import pytest
from msgspec import Raw
from msgspec.json import encode

from affray.engine import Command, EngineError, Fight, Refused, Unusable, begin_fight, open_fight
from affray.engine.analysis.policies import choose_anything, choose_sensibly
from affray.engine.core.draft import Draft
from affray.engine.core.effects import Roll, Rule
from affray.engine.core.loading import available, load
from affray.engine.runtime.dice import EnteredDice
from affray.engine.runtime.frame import Frame, do_nothing
from affray.engine.runtime.interpreter import Interpreter
from affray.engine.visibility import can_read, project_state
from affray.engine.visibility.audiences import find_audiences
from affray.events import (
    Answered,
    Asked,
    Damaged,
    Declared,
    DiceAwaited,
    DiceEntered,
    Event,
    Id,
    Joined,
    Judged,
    Modifier,
    Option,
    Rolled,
)
from tests.engine.encounters import load_shipped_encounters
from tests.engine.fights import SEED, noon, salt, submit_accepted
from tests.engine.memory import MemoryStore
from tests.engine.test_hiding import SPECTATOR, rule
from tests.engine.twins import NamedDice
from tests.rulesets.systems import PRESENT


def open_bandit(pool: str, store: MemoryStore | None = None, seed: bytes = SEED) -> Fight:
    """Open a fight of Verdigris: Runa faces a bandit with a veiled counter."""
    hero = {"name": "Runa", "side": "party", "pc": True, "hp": 5, "weapons": ["spear"]}
    bandit = {"name": "Fang", "side": "enemies", "block": "bandit", "veiled": [pool]}
    told = {"system": "verdigris", "name": "n", "combatant": [hero, bandit]}
    return begin_fight("f", told, who="gm", seed=seed, clock=noon, salts=salt, store=store)


def judge_sneaking(pool: str) -> list[tuple[type, bool, int]]:
    """List the roll and the judgement of a bandit that sneaks: whether each is open, and its margin."""
    store = MemoryStore()
    fight = open_bandit(pool, store, bytes(32))
    submit_accepted(fight, Declared(actor="gm", kind="surprise_check", params=Raw(b'{"ambushers":["fang"]}')))
    while (question := fight.state.question) is not None:
        fight = open_fight("f", store, clock=noon, salts=salt)
        submit_accepted(fight, Answered(question=question.id, by=question.of[0], choice="keep"))
    sneaks = [one for one in fight.history.recorded if getattr(one.event, "roll", "").endswith("sneak:fang")]
    return [(type(one.event), can_read(SPECTATOR, one), getattr(one.event, "margin", 0)) for one in sneaks]


def test_by_how_much_a_roll_with_a_veiled_counter_succeeds_is_not_told() -> None:
    """The roll is sealed; its outcome is open, without the margin. Another veiled counter hides neither."""
    rolled, judged = judge_sneaking("charisma")
    assert (rolled[:2], judged[:2]) == ((Rolled, True), (Judged, True))
    assert judged[2]
    assert judge_sneaking("agility") == [(Rolled, False, 0), (Judged, True, 0)]


@pytest.mark.parametrize(("pool", "told"), [("strength", False), ("charisma", True)])
def test_by_how_much_a_blow_with_a_veiled_counter_hits_is_not_told(pool: str, told: bool) -> None:
    """The target's Dodge is open, and so would be the attack, from the margin."""
    outcomes, margins = set[str](), set[int]()
    for seed in range(4):
        fight = open_bandit(pool, seed=bytes([seed]) * 32)
        while (intent := choose_sensibly(fight, Random(seed))) is not None and fight.state.round < 4:
            submit_accepted(fight, intent)
        found = [one.event for one in fight.history.recorded if isinstance(one.event, Judged)]
        blows = [one for one in found if "/fang/" in one.roll and one.roll.endswith("/attack")]
        outcomes.update(one.outcome for one in blows)
        margins.update(one.margin for one in blows)
    assert {"hit", "miss"} <= outcomes
    assert (margins != {0}) is told


@pytest.mark.parametrize(("pool", "veils"), [("strength", True), ("stress", True), ("charisma", False)])
def test_real_dice_and_luck_tell_no_more_of_a_veiled_counter_than_its_roll(pool: str, veils: bool) -> None:
    """As many dice are awaited and entered as the counter has, and luck throws one of them again."""
    hero = {"name": "Runa", "side": "party", "pc": True, "talents": {"luck": 1}, "weapons": ["spear"], "veiled": [pool]}
    bandit = {"name": "Fang", "side": "enemies", "block": "bandit"}
    told = {"system": "verdigris", "name": "n", "combatant": [hero, bandit]}
    fight = begin_fight("f", told, who="gm", seed=SEED, entered=["party", "enemies"], clock=noon, salts=salt)
    rule(fight, "pool", who="runa", pool="stress", by=1)
    waited = set()
    chance = Random(1)
    while (intent := choose_anything(fight, chance)) is not None and fight.state.round < 5:
        with suppress(Refused):
            submit_accepted(fight, intent)
        awaited = fight.state.awaited
        if awaited is not None and (awaited.by, awaited.purpose) == ("runa", "attack"):
            waited.add(project_state(SPECTATOR, fight.state).awaited is None)
    assert waited == {veils}
    readable: dict[tuple[type[Event], Id], bool] = {}
    for one in fight.history.recorded:
        match one.event:
            case Asked(question=id, options=(*_, Option(choice="luck"))) if id.endswith("/runa/attack.1/push"):
                readable[Asked, id] = can_read(SPECTATOR, one)
            case Answered(question=id) if (Asked, id) in readable:
                assert can_read(SPECTATOR, one) is readable[Asked, id]
            case DiceAwaited(roll=id, by="runa") | DiceEntered(roll=id) | Rolled(roll=id, by="runa"):
                readable[type(one.event), id] = can_read(SPECTATOR, one)
    rolls = [id for kind, id in readable if kind is Rolled and (DiceEntered, id) in readable]
    assert {readable[Rolled, id] for id in rolls if id.endswith("/runa/attack.1/attack")} == {not veils}
    for id in rolls:
        assert readable[DiceAwaited, id] == readable[DiceEntered, id] == readable[Rolled, id], id
    assert {told for (kind, _), told in readable.items() if kind is Asked} == {not veils}


@pytest.mark.parametrize(
    ("system", "source"), [(system, one) for system in sorted(available()) for one in load(system).margins]
)
def test_damage_by_the_margin_of_a_roll_with_a_veiled_counter_is_sealed(system: str, source: str) -> None:
    """Also where neither the attacker nor the target has that counter: a rider dodges for a struck mount."""
    fight = open_bandit("strength")
    term, plain = Modifier(value=2, label="SL", source=source), Modifier(value=1, label="spear", source="runa.spear")

    def strike(dodger: str) -> Rule[None]:
        share = Modifier(value=1, label="strength", source=f"{dodger}.strength")
        yield Roll(dice=(), purpose="dodge", by=dodger, modifiers=(share,))
        yield Judged(roll="1/gm/x.1/attack", outcome="hit", margin=2)
        yield Damaged(who="runa", terms=(plain, term), amount=3)

    for dodger, is_open in (("runa", True), ("fang", False)):
        runner = Interpreter(fight.ruleset, Draft(fight.state), None, EnteredDice())
        runner.run(Frame("1/gm/x.1", strike(dodger), do_nothing))
        _, readers = find_audiences(fight.state, runner.events, fight.state_at)
        _, judged, damaged = runner.events
        assert isinstance(judged, Judged)
        assert isinstance(damaged, Damaged)
        assert [one is None for one in readers] == [is_open, True, is_open]
        assert (judged.margin, [one.value for one in damaged.terms]) == (2 if is_open else 0, [1, 2])


def test_a_veiled_counter_is_told_by_each_roll_that_it_throws_again() -> None:
    """The purpose of such a roll ends with the counter's name."""
    for system in sorted(available()):
        words = load(system).vocabulary
        for name, pool in words.pools.items():
            assert {one for one in words.purposes if one.endswith(f"/{name}")} <= {*pool.told_by}, (system, name)


def test_veiled_luck_is_neither_offered_nor_used_openly() -> None:
    """Neither a question about it nor its answer nor the die that falls again is open."""
    hero = {
        "name": "Runa",
        "side": "party",
        "pc": True,
        "talents": {"luck": 1},
        "weapons": ["spear"],
        "veiled": ["luck"],
    }
    bandit = {"name": "Fang", "side": "enemies", "block": "bandit"}
    told = {"system": "verdigris", "name": "n", "combatant": [hero, bandit]}
    used = set[bool]()
    for seed in range(6):
        fight = begin_fight("f", told, who="gm", seed=bytes([seed]) * 32, clock=noon, salts=salt)
        chance = Random(seed)
        while (intent := choose_anything(fight, chance)) is not None and fight.state.round < 4:
            with suppress(Refused):
                submit_accepted(fight, intent)
        events = [(one.event, can_read(SPECTATOR, one)) for one in fight.history.recorded]
        used.add(any(isinstance(event, Answered) and event.choice == "luck" for event, _ in events))
        about_it = [is_open for event, is_open in events if b"luck" in encode(event) and not isinstance(event, Joined)]
        assert not any(about_it)
    assert True in used


STEPS = 50
"""The number of commands that each pair of fights is played."""


class VeiledTwins:
    """Two fights with real dice that differ in one veiled counter."""

    def __init__(self, content: dict[str, Any], who: Id, pool: str) -> None:
        self.fights = [self._begin(content, who, pool, by) for by in (1, 2)]

    def _begin(self, content: dict[str, Any], who: Id, pool: str, by: int) -> Fight:
        dice, sides = NamedDice(), sorted({one["side"] for one in content["combatant"]})
        fight = begin_fight("f", content, who="gm", seed=None, dice=dice, entered=sides, clock=noon, salts=salt)
        rule(fight, "veil", who=who, pools=[pool])
        rule(fight, "pool", who=who, pool=pool, by=by if fight.state.combatants[who].pools[pool] < 3 else -by)
        return fight

    def send(self, id: str, intent: Event) -> list[list[Event]] | None:
        """Send a command to both with its dice; return the open events of each, unless one refuses it."""
        found = []
        for fight in self.fights:
            head = fight.head
            try:
                fight.submit(Command(id=id, who="gm", intent=intent))
            except EngineError:
                return None
            while (awaited := fight.state.awaited) is not None:
                faces = [face for group in NamedDice().faces(awaited.roll, awaited.dice) for face in group]
                submit_accepted(fight, DiceEntered(roll=awaited.roll, faces=tuple(faces)))
            found.append([one.event for one in fight.history.recorded[head:] if can_read(SPECTATOR, one)])
        return found


def name_request(event: Event) -> tuple[type[Event], Id]:
    """Return the type of an event, and the id of its roll or question; another event has none."""
    return type(event), event.question if isinstance(event, Asked) else getattr(event, "roll", "")


@pytest.mark.parametrize("system", PRESENT)
def test_no_open_roll_or_request_depends_on_a_veiled_counter(system: str) -> None:
    """It is the same in both fights, until the counter decides an outcome or forbids an action."""
    content = next(told for name, told in load_shipped_encounters().items() if name.startswith(f"{system}/"))
    plain = begin_fight("f", content, who="gm", seed=SEED)
    holders = {pool: who for who, one in plain.state.combatants.items() for pool in one.pools}
    played = 0
    for pool, who in holders.items():
        with suppress(Unusable, Refused):
            twins, chance = VeiledTwins(content, who, pool), Random(7)
            for nth in range(STEPS):
                intent = choose_anything(twins.fights[0], chance)
                found = twins.send(f"c{nth}", intent) if intent is not None else None
                if found is None:
                    break
                played += 1
                parted = next((pair for pair in zip(*found, strict=False) if pair[0] != pair[1]), None)
                if parted is not None and not isinstance(parted[0], Judged):
                    one, other = map(name_request, parted)
                    assert one != other or not one[1], (pool, who, parted)
                if found[0] != found[1]:
                    break
    assert played > STEPS // 2
