"""Why a side's morale is asked for, when more of it fall while the game master thinks or dice are awaited (WYR-G06)."""

from __future__ import annotations

from tests.rulesets.wyrd.moments import Scene

FIRST = ("begin", "rule condition orc dead")
"""The first of the foes falls, and the game master is asked for their morale."""


def why(scene: Scene) -> str:
    """Return why a test is asked for."""
    question = scene.fight.state.question
    assert question is not None
    return question.options[0].says.rpartition(": ")[2]


def half_are_lost(scene: Scene) -> None:
    """Let another one fall: now that is why a test is asked for, and once it is answered nothing more is asked."""
    scene.does("rule condition brigand dead")
    assert why(scene) == "half of them are lost"
    scene.does("answer holds")
    assert scene.fight.state.question is None


def test_half_is_lost_while_the_game_master_thinks_of_the_first_casualty() -> None:
    scene = Scene("grog orc brigand bandit", *FIRST)
    assert why(scene) == "their first casualty"
    half_are_lost(scene)


def test_half_is_lost_when_the_one_whose_will_is_tested_falls_before_the_die() -> None:
    """The test is asked for once more, by what is so now."""
    scene = Scene("grog orc brigand bandit", "rule dice * entered", *FIRST, "answer test who=brigand")
    assert scene.fight.state.awaited is not None
    half_are_lost(scene)


def test_half_is_lost_when_the_one_whose_will_is_tested_flees() -> None:
    """Combatants that fled are lost, as the dead are."""
    scene = Scene("grog orc brigand bandit", "rule dice * entered", *FIRST, "answer test who=brigand")
    scene.does("rule condition brigand fled")
    assert why(scene) == "half of them are lost"


def test_the_first_casualty_is_the_reason_still_when_one_of_many_flees_before_the_die() -> None:
    wolves = """rule join '{"name": "Wolf", "side": "foes", "count": 2, "weapons": ["dagger"]}'"""
    begun = ("begin", wolves, "rule condition orc dead", "answer test who=brigand")
    scene = Scene("grog orc brigand bandit", "rule dice * entered", *begun)
    scene.does("rule condition brigand fled")
    assert why(scene) == "their first casualty"
