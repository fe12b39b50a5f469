"""The standing of a side, by the roles of a system's words."""

from __future__ import annotations

from typing import Any

import pytest

from affray.engine.analysis.search.standing import StandingJudge
from affray.engine.core.draft import Draft
from affray.engine.core.loading import load
from affray.engine.core.ruleset import Ruleset
from affray.engine.core.state import State
from affray.engine.core.table import Table
from tests.engine.encounters import load_shipped_encounters
from tests.engine.searching.scenes import open_unplayed_fight
from tests.rulesets.systems import PRESENT


def make_rules_table(ruleset: Ruleset, draft: Draft) -> Table:
    """Return a draft as rules read it."""
    return Table(draft, ruleset.config())


def load_first_state(system: str) -> tuple[Ruleset, State]:
    """Return the first state of a shipped fight of a system."""
    return load(system), open_unplayed_fight(
        next(one for name, one in load_shipped_encounters().items() if name.startswith(f"{system}/"))
    ).state


def hurt_combatant(ruleset: Ruleset, state: State, who: str, by: int) -> Draft:
    """Return the state with a hurt combatant: less health, or smaller dice if dice are health."""
    draft = Draft(state)
    for pool, word in ruleset.vocabulary.pools.items():
        if word.role == "health" and pool in draft.combatants[who].pools:
            draft.pools(who)[pool] = max(0, draft.combatants[who].pools[pool] - by)
    for item in draft.owned_items.get(who, ()):
        if draft.items[item].kind == "ability":
            draft.change_item(item, die=max(1, draft.items[item].die - 2 * by))
    return draft


@pytest.mark.parametrize("system", PRESENT)
def test_nobody_is_ahead_who_has_kept_as_much_as_the_others(system: str) -> None:
    ruleset, state = load_first_state(system)
    standing = StandingJudge(ruleset, make_rules_table(ruleset, Draft(state)))
    assert {standing.judge(one.side, make_rules_table(ruleset, Draft(state))) for one in state.combatants.values()} == {
        0.5
    }


@pytest.mark.parametrize("system", PRESENT)
def test_whoever_is_hurt_stands_worse_and_the_others_better_by_as_much(system: str) -> None:
    """And the more, the worse; what is gone of one side is what the other has gained."""
    ruleset, state = load_first_state(system)
    standing = StandingJudge(ruleset, make_rules_table(ruleset, Draft(state)))
    who = next(iter(state.combatants))
    own = state.combatants[who].side
    other = next(one.side for one in state.combatants.values() if one.side != own)
    once, twice = (make_rules_table(ruleset, hurt_combatant(ruleset, state, who, by)) for by in (1, 2))
    assert 0 < standing.judge(own, twice) < standing.judge(own, once) < 0.5
    assert standing.judge(own, once) + standing.judge(other, once) == pytest.approx(1)


@pytest.mark.parametrize("system", PRESENT)
def test_whoever_is_out_counts_for_nothing_and_whoever_is_helpless_for_little(system: str) -> None:
    ruleset, state = load_first_state(system)
    standing = StandingJudge(ruleset, make_rules_table(ruleset, Draft(state)))
    who = next(iter(state.combatants))
    side = state.combatants[who].side

    def with_one(role: str) -> float:
        draft = Draft(state)
        names = sorted(ruleset.vocabulary.with_role(role) & set(ruleset.vocabulary.conditions))
        if not names:
            return standing.judge(side, make_rules_table(ruleset, draft))
        draft.change(who, conditions={names[0]: {"": 1}})
        return standing.judge(side, make_rules_table(ruleset, draft))

    assert with_one("out") < 0.5
    assert with_one("out") <= with_one("helpless") <= 0.5


def test_who_has_won_stands_as_well_as_can_be() -> None:
    """A side that won has the best standing, with any losses; an empty side has none better."""
    ruleset, state = load_first_state("vestige")
    standing = StandingJudge(ruleset, make_rules_table(ruleset, Draft(state)))
    sides = list(dict.fromkeys([one.side for one in state.combatants.values()]))

    def ended(victors: str) -> list[Any]:
        draft = Draft(state)
        draft.ended, draft.victors = True, victors
        return [standing.judge(side, make_rules_table(ruleset, draft)) for side in sides]

    assert (ended(sides[0]), ended(sides[1]), ended("")) == ([1, 0], [0, 1], [0.5, 0.5])


def test_who_is_worn_out_by_pushing_stands_worse() -> None:
    """Verdigris says that it takes from how fit one is: a point of an attribute, stress."""
    ruleset, state = load_first_state("verdigris")
    who = next(one.id for one in state.combatants.values() if "pc" in one.traits)
    side = state.combatants[who].side
    standing = StandingJudge(ruleset, make_rules_table(ruleset, Draft(state)))
    stressed, weakened = Draft(state), Draft(state)
    stressed.pools(who)["stress"] = state.combatants[who].pools.get("stress", 0) + 1
    weakened.pools(who)["strength"] -= 1
    weakened.pools(who)["agility"] -= 1
    assert standing.judge(side, make_rules_table(ruleset, stressed)) < 0.5
    assert standing.judge(side, make_rules_table(ruleset, weakened)) < 0.5
