"""Fights as PettingZoo environments: what agents see, what they may choose, and that it is the table's own fight."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator
from importlib import import_module
from itertools import islice
from random import Random
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from affray.engine.analysis.policies import choose_sensibly
from affray.engine.core.loading import available, load, template
from affray.engine.core.state import digest
from affray.engine.errors import Unusable
from affray.engine.runtime.offer_tree import Branch, Offers
from affray.events import Declared, Event, Id
from affray.tools.lab.environment import Fights, env, raw_env
from affray.tools.lab.environment.choices import Choice, Open, choosing, possible
from affray.tools.lab.environment.training import Learner, main

SYSTEMS = available()

FEW = 40
"""Actions with fewer ways to declare them are compared."""


def load_varied_template(system: str, **changes: Any) -> dict[str, Any]:
    """Return a template encounter, its last combatant changed."""
    content = tomllib.loads(template(load(system)))
    content["combatant"][-1].update(changes)
    return content


def is_over(fights: Fights) -> bool:
    """Tell whether the fight has come to an end, or was cut off."""
    return any(fights.terminations.values()) or any(fights.truncations.values())


def play_at_random(fights: Fights, seed: int) -> Iterator[tuple[Choice, ...]]:
    """Play a fight at random; yield what was offered each time."""
    fights.reset(seed=seed)
    chance = Random(seed)
    while not is_over(fights):
        yield fights.offered
        fights.step(chance.randrange(len(fights.offered)))


def test_that_it_needs_an_extra_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("affray.tools.lab.environment")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    with pytest.raises(ModuleNotFoundError, match="environments need the extra env: pip install"):
        import_module("affray.tools.lab.environment")


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.filterwarnings("ignore::UserWarning")  # observations are dicts, and agents have the names of their sides
def test_it_is_an_environment_as_pettingzoo_tests_them(system: str) -> None:
    from pettingzoo.test import api_test, seed_test  # noqa: PLC0415 - it brings pytest fixtures of its own

    api_test(env(system, most_commands=60), num_cycles=200)
    seed_test(lambda: env(system, most_commands=60), num_cycles=100)


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_fight_played_at_random_is_the_fight_that_its_record_tells(system: str) -> None:
    """Everything that was chosen was accepted, by the same rules and with the same dice."""
    fights = raw_env(system, most_commands=150)
    for offered in play_at_random(fights, 7):
        assert offered
        assert fights.observation_space(fights.agent_selection).contains(fights.observe(fights.agent_selection))
    record = fights.record()
    assert digest(record.state) == digest(fights.table.draft.freeze())
    assert record.state.round >= 1


@pytest.mark.parametrize("system", SYSTEMS)
def test_small_choices_lead_to_just_what_is_legal(system: str) -> None:
    """At moments of a fight, the ends of all ways through the choices are the leaves of the tree, also page by page."""
    fights = raw_env(system, most_commands=30)
    compared = 0
    for nth, _ in enumerate(play_at_random(fights, 3)):
        if nth % 12:
            continue
        own = {who for who in fights.sides if fights.sides[who] == fights.agent_selection}
        for way, kind in offered_to(fights, own):
            leaves = [*islice(Branch(way, fights.ruleset.actions[kind]).leaves(), FEW)]
            if len(leaves) < FEW:
                for most in (3, 100):
                    assert list_full_declarations(Open(way, [kind]), own, most) == {
                        identify_intent(way.intent(one)) for one in leaves
                    }
                    compared += 1
    assert compared > 10


def offered_to(fights: Fights, own: set[Id]) -> Iterator[tuple[Offers, Id]]:
    """Yield the legal actions of a side's combatants."""
    for way, whats in possible(fights, own.__contains__, ()):
        if isinstance(way, Offers):
            yield from ((way, kind) for kind in whats)


def identify_intent(intent: Event | None) -> object:
    """Return what tells one declaration from another."""
    assert isinstance(intent, Declared)
    return intent.actor, intent.manner, intent.kind, bytes(intent.params)


def list_full_declarations(found: Open, own: set[Id], most: int) -> set[object]:
    """Return the declarations at the ends of all ways through the choices; the pages go round, but are read once."""
    reached: set[object] = set()
    unfinished: list[list[int]] = [[]]
    while unfinished:
        picks = unfinished.pop()
        walk, turned = choosing([found], own.__contains__, most), False
        try:
            offered = next(walk)
            for pick in picks:
                turned = offered[pick].about == "further"
                offered = walk.send(pick)
        except StopIteration as stop:
            reached.add(identify_intent(stop.value.intent))
        else:
            if not (turned and offered[0].nth == 0):
                unfinished += [[*picks, nth] for nth in range(len(offered))]
    return reached


def test_who_is_concealed_shows_in_nothing_that_the_others_are_given() -> None:
    """Two fights that differ only in the one who is hidden look the same to the other side."""
    seen = []
    for health in (3, 9):
        content = load_varied_template("vestige", concealed=True, health=health, count=1, at="6,0")
        fights = raw_env(content)
        fights.reset(seed=5)
        hidden = [*fights.sides][-1]
        other = next(side for side in fights.possible_agents if side != fights.sides[hidden])
        seen.append(fights.observe(other))
        assert hidden not in {one.value for one in fights.offered}
    one, two = seen
    assert np.array_equal(one["observation"], two["observation"])
    assert np.array_equal(one["choices"], two["choices"])
    assert np.array_equal(one["action_mask"], two["action_mask"])


def test_a_policy_may_play_a_side() -> None:
    fights = raw_env("wyrd", policies={"keepers": choose_sensibly})
    assert fights.possible_agents == ["wardens"]
    assert all(
        {fights.sides[one.who] for one in offered if one.who} <= {"wardens"} for offered in play_at_random(fights, 2)
    )
    assert is_over(fights)


def test_victory_is_worth_1_and_defeat_costs_as_much() -> None:
    fights = raw_env("verdigris")
    for _ in play_at_random(fights, 1):
        pass
    victors = fights.record().state.victors
    assert fights.rewards == {side: 1 if side == victors else -1 for side in fights.possible_agents}
    assert fights.terminations == dict.fromkeys(fights.possible_agents, True)


def test_a_fight_that_takes_too_long_is_cut_off() -> None:
    fights = raw_env("vestige", most_commands=5)
    for _ in play_at_random(fights, 1):
        pass
    assert fights.truncations == dict.fromkeys(fights.possible_agents, True)
    assert fights.rewards == dict.fromkeys(fights.possible_agents, 0)


def test_the_same_seed_is_the_same_fight_and_the_next_one_another() -> None:
    fights = raw_env("vestige", most_commands=60)
    first, again = ([*play_at_random(fights, 4)] for _ in range(2))
    assert first == again
    seeds = []
    for _ in range(2):
        fights.reset()
        seeds.append(fights.seed)
    assert seeds[0] != seeds[1]


def test_a_choice_that_there_is_not_is_refused_and_in_the_usual_wrappers_ends_the_fight() -> None:
    fights = raw_env("vestige")
    fights.reset(seed=1)
    with pytest.raises(ValueError, match="no choice 63"):
        fights.step(63)
    wrapped = env("vestige")
    wrapped.reset(seed=1)
    agent = wrapped.agent_selection
    wrapped.step(63)
    assert wrapped.rewards[agent] == -1
    assert wrapped.terminations[agent]


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"policies": {"wardens": choose_sensibly, "keepers": choose_sensibly}}, "policies"),
        ({"policies": {"keeper": choose_sensibly}}, "policies"),
        ({"most_choices": 1}, "most_choices"),
    ],
)
def test_settings_with_which_nobody_could_choose_are_refused(wrong: dict[str, Any], field: str) -> None:
    with pytest.raises(Unusable) as refused:
        env("wyrd", **wrong)
    assert refused.value.field == field


def test_the_story_so_far_can_be_read() -> None:
    fights = raw_env("wyrd", most_commands=10, render_mode="ansi")
    for _ in play_at_random(fights, 1):
        pass
    assert "Round 1" in (fights.render() or "")
    silent = raw_env("wyrd")
    silent.reset(seed=1)
    assert silent.render() is None


def test_what_won_becomes_likelier_and_what_lost_rarer() -> None:
    """The example learns: after a reward its choice is likelier than before, after a punishment less likely."""
    for reward in (1.0, -1.0):
        fights = raw_env("verdigris")
        fights.reset(seed=2)
        while fights.offered[0].about != "action":
            fights.step(0)
        learner = Learner(fights.coding, seed=3)
        seen = fights.observe(fights.agent_selection)
        before = learner.chances(seen)
        picked = learner.choose(seen)
        learner.learn(reward)
        after = learner.chances(seen)
        assert before == pytest.approx([1 / len(before)] * len(before))
        assert (after[picked] > before[picked]) == (reward > 0)


def test_the_example_says_how_often_it_won() -> None:
    ran = CliRunner().invoke(main, ["wyrd", "--fights", "3", "--against", "sensible"])
    again = CliRunner().invoke(main, ["wyrd", "--fights", "3", "--against", "sensible"])
    assert (ran.exit_code, ran.output) == (0, again.output)
    assert ran.output.startswith("fights 1 to 3: wardens won ")
