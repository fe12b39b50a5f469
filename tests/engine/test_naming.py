"""Similar names do not matter: only concealed combatants and the names of their ids are hidden."""

from __future__ import annotations

from typing import Any

import pytest

from affray.engine import Fight, begin_fight
from affray.engine.visibility import Viewer, can_read
from tests.engine.conftest import two
from tests.engine.fights import SEED, noon
from tests.engine.test_hiding import SPECTATOR, list_known, open_to, rule


def hide_one_of_two(name: str, other: str = "Ilse") -> Fight:
    """Return a fight of two combatants, one of them hidden from the other."""
    encounter = two()
    encounter["combatant"][0]["name"], encounter["combatant"][1]["name"] = name, other
    encounter["distance"] = []
    encounter["combatant"][0]["concealed"] = True
    return begin_fight("duel", encounter, who="gm", seed=SEED, clock=noon)


@pytest.mark.parametrize(
    ("name", "other"),
    [("Ogre", "Ogre Chief"), ("Ogre Chief", "Ogre"), ("Bandit", "Bandits"), ("Bandits", "Bandit"), ("Pell", "Pell's")],
)
def test_who_is_called_like_somebody_hidden_is_somebody_else(name: str, other: str) -> None:
    """One name contains the other, or is its plural."""
    fight = hide_one_of_two(name, other)
    open_one = next(who for who in fight.state.combatants if who not in fight.state.concealed)
    assert list_known(fight) == {open_one}
    assert open_to(SPECTATOR, rule(fight, "pool", who=open_one, pool="health", by=-1)) == ["PoolChanged"]
    assert open_to(SPECTATOR, rule(fight, "pool", who=fight.state.concealed[0], pool="health", by=-1)) == []


@pytest.mark.parametrize("name", ["Health", "Attack", "Turn", "Prone", "ep", "Opened", "B", "GM's", "Fight club"])
def test_what_else_is_called_like_somebody_hidden_is_not_hidden_with_them(name: str) -> None:
    """A counter, an action, a phase, a condition, a trigger, a letter of another's name."""
    fight = hide_one_of_two(name)
    joined = [one for one in fight.history.recorded if getattr(one.event, "who", "") == "ilse"]
    assert joined
    assert all(can_read(SPECTATOR, one) for one in joined)
    assert "health" in fight.state.combatants["ilse"].pools
    assert open_to(SPECTATOR, rule(fight, "condition", who="ilse", condition="prone", own=True)) == ["ConditionChanged"]


def open_with_riders(**entry: Any) -> Fight:
    """Return a fight with a rider and a mount that the same entry makes."""
    encounter: dict[str, Any] = {
        "system": "verdigris",
        "combatant": [
            {"name": "Sanna", "side": "party", "pc": True, "hp": 4},
            {"name": "Pell", "side": "enemies", "block": "bandit", "mount": "courser", **entry},
        ],
    }
    return begin_fight("duel", encounter, who="gm", seed=SEED, clock=noon)


@pytest.mark.parametrize("mount", ["courser", {"mount": "courser", "name": "Storm"}])
def test_what_an_entry_brings_along_is_concealed_with_it(mount: object) -> None:
    """Under any name."""
    fight = open_with_riders(concealed=True, mount=mount)
    brought = next(who for who in fight.state.concealed if who != "pell")
    assert list_known(fight) == {"sanna"}
    assert not any(brought in repr(one.event) for one in fight.history.recorded if can_read(SPECTATOR, one))
    assert list_known(fight, Viewer(role="player", owns=("pell", brought))) == {"sanna", "pell", brought}


def test_a_mount_of_somebody_who_hides_later_is_seen_until_it_is_hidden_too() -> None:
    """All viewers know the mount by then; the relation to its rider is hidden."""
    fight = open_with_riders()
    rule(fight, "conceal", who="pell")
    assert list_known(fight) == {"sanna", "pell-courser"}
    rule(fight, "conceal", who="pell-courser")
    assert list_known(fight) == {"sanna"}
    rule(fight, "reveal", who="pell")
    assert list_known(fight) == {"sanna", "pell"}
