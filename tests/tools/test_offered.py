"""Offers to participants: actions that a combatant is equipped for."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from affray.engine import begin_fight
from affray.engine.analysis.policies import choose_anything
from affray.engine.core.loading import load
from affray.engine.fight import Fight
from affray.engine.runtime.offer_tree import Offers
from affray.tools.api.legal_actions import list_actions
from affray.tools.api.targeting import may_do_to
from affray.tools.parse.encounter_file import read_encounter
from tests.engine.fights import noon, submit_accepted

ENCOUNTERS = sorted((Path(__file__).parents[2] / "encounters").glob("*/*.toml"))

BY_ANY_WORDS = {"cast", "spell"}
"""What rules let anybody declare, since they list no spells: it is shown to those of whom it is said that they can."""


def open_changed_fight(file: Path, **changed: Any) -> Fight:
    """Return an encounter's fight as it begins, its first combatant changed."""
    content = read_encounter(file)[1]
    content["combatant"][0] |= changed
    return begin_fight("offered", content, who="gm", seed=bytes(32), clock=noon)


def list_shown_kinds(fight: Fight, who: str) -> set[str]:
    """Return the kinds of actions that are offered to a combatant."""
    return {one.kind for one in list_actions(fight, who, "standard").kinds}


@pytest.mark.parametrize("file", ENCOUNTERS, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_what_may_be_done_is_shown_and_what_nobody_declares_is_not(file: Path) -> None:
    """At any moment: of refused actions only those that the combatant is equipped for are left."""
    fight, chance = open_changed_fight(file), Random(5)
    by_rules = {kind for kind, form in fight.ruleset.actions.items() if form.by_rules}
    for nth in range(60):
        for who in list(fight.state.combatants)[nth % 3 :: 3]:
            kinds = list_shown_kinds(fight, who)
            possible = {kind for kind, no in Offers(fight.ruleset, fight.table, who, "standard").kinds() if no is None}
            assert possible - BY_ANY_WORDS <= kinds
            assert not kinds & by_rules
        intent = choose_anything(fight, chance)
        if intent is None:
            break
        submit_accepted(fight, intent)


@pytest.mark.parametrize(
    ("encounter", "who", "never"),
    [
        ("hexblade/common-room", "marta", {"cast", "shoot", "recover_ammo"}),
        ("verdigris/gatehouse", "tam", {"mount", "dismount", "mount_attack", "control_mount", "reload", "light_match"}),
        ("verdigris/toll-road", "bruno", {"draw", "drop", "use", "mount", "spend_inspiration"}),
        ("vestige/bridge", "bandit-a", {"skill", "reload"}),
        ("wwn/ambush", "osric", {"cast", "mount", "dismount", "reload"}),
        ("wwn/ford", "grey", {"cast", "draw", "drop", "ready", "stow", "mount"}),
        ("wyrd/mill", "grog", {"spell", "fire", "reload", "attack"}),
        ("wyrd/mill", "orc-a", {"spell", "engage", "fire"}),
    ],
)
def test_nobody_is_shown_what_they_have_nothing_for(encounter: str, who: str, never: set[str]) -> None:
    """Neither in their bar nor at a foe: no spell without a spell, no saddle without a mount, nothing to load."""
    fight = open_changed_fight(next(file for file in ENCOUNTERS if str(file).endswith(f"{encounter}.toml")))
    assert never <= fight.ruleset.actions.keys()
    assert not never & list_shown_kinds(fight, who)
    whom = next(one for one in fight.state.combatants if one != who)
    assert not never & {one.kind for one in may_do_to(fight, who, whom, "standard").kinds}


@pytest.mark.parametrize(("system", "kind", "field"), [("wwn", "cast", "spell"), ("wyrd", "spell", "what")])
def test_a_spell_is_offered_to_who_knows_one_by_its_name(system: str, kind: str, field: str) -> None:
    """An entry with known spells limits the choice to these."""
    file = next(one for one in ENCOUNTERS if one.parent.name == system)
    fight = open_changed_fight(file, spells=["Long Dusk", "A Word of Glass"])
    first, other = list(fight.state.combatants)[:2]
    assert kind in list_shown_kinds(fight, first)
    assert kind not in list_shown_kinds(fight, other)
    form = load(system).actions[kind]
    values = form.values(fight.table, first, "standard", field, form(**{field: "any"}))
    assert sorted(values) == ["A Word of Glass", "Long Dusk"]


def test_a_mage_of_whom_no_spell_is_named_may_cast() -> None:
    """The class says it in Worlds Without Number, and a game master may write it on any sheet."""
    fight = open_changed_fight(next(one for one in ENCOUNTERS if one.parent.name == "wwn"), **{"class": "mage"})
    first = next(iter(fight.state.combatants))
    assert "caster" in fight.state.combatants[first].traits
    assert "cast" in list_shown_kinds(fight, first)
