"""What names somebody hidden: their own name, what is like it, and who is called after them."""

from __future__ import annotations

from typing import Any

import pytest

from affray.engine import Fight, begin_fight
from affray.engine.visibility import Viewer, betrays, visible
from tests.engine.conftest import two
from tests.engine.fights import SEED, noon
from tests.engine.test_hiding import SPECTATOR, open_to, rule, seen


def hidden(name: str, other: str = "Ilse") -> Fight:
    """Return a fight in which the one of two is hidden from the other."""
    encounter = two()
    encounter["combatant"][0]["name"], encounter["combatant"][1]["name"] = name, other
    encounter["distance"] = []
    encounter["combatant"][0]["concealed"] = True
    return begin_fight("duel", encounter, who="gm", seed=SEED, clock=noon)


def test_a_longer_name_is_another_name() -> None:
    """Concealing the ogre does not hide the ogre's chief, whose name only contains it."""
    fight = hidden("Ogre", "Ogre Chief")
    assert seen(fight) == {"ogre-chief"}
    assert open_to(SPECTATOR, rule(fight, "note", text="the Ogre Chief roars")) == ["Ruled", "Noted"]
    assert open_to(SPECTATOR, rule(fight, "note", text="the ogre’s club")) == []


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("the ogres wait", False),
        ("three OGRES!", False),
        ("the ogre's club", False),
        ("ogreish manners", True),
        ("the Ogre Chief's ogress", True),
        ("the foggers", True),
    ],
)
def test_a_name_is_known_in_the_plural_too_where_people_write(said: str, told: bool) -> None:
    """And as a possessive; but not within another word."""
    fight = hidden("Ogre", "Ogre Chief")
    assert betrays(SPECTATOR, fight.state, said) != told
    assert open_to(SPECTATOR, rule(fight, "note", text=said)) == (["Ruled", "Noted"] if told else [])


@pytest.mark.parametrize(
    ("name", "several", "told"),
    [("Harpy", "harpies", False), ("Wolf", "wolves", False), ("Al", "als", True), ("Eva", "evas", True)],
)
def test_a_short_name_counts_only_as_it_is(name: str, several: str, told: bool) -> None:
    """A word of three letters and an ending is too many other words."""
    fight = hidden(name)
    assert open_to(SPECTATOR, rule(fight, "note", text=f"the {several} come")) == (["Ruled", "Noted"] if told else [])


def riders(**entry: Any) -> Fight:
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
    """Whatever it is called."""
    fight = riders(concealed=True, mount=mount)
    brought = next(who for who in fight.state.concealed if who != "pell")
    assert seen(fight) == {"sanna"}
    assert not any(brought in repr(one.event) for one in fight.history.recorded if visible(SPECTATOR, one))
    assert seen(fight, Viewer(role="player", owns=("pell", brought))) == {"sanna", "pell", brought}


def test_who_is_called_after_somebody_hidden_is_hidden_like_them() -> None:
    """Their name would tell; so it counts as theirs as long as they are hidden."""
    fight = riders()
    assert "pell-courser" in seen(fight)
    rule(fight, "conceal", who="pell")
    assert seen(fight) == {"sanna"}
    assert seen(fight, Viewer(role="player", owns=("pell",))) == {"sanna", "pell", "pell-courser"}
    assert open_to(SPECTATOR, rule(fight, "note", text="pell-courser neighs")) == []
    rule(fight, "reveal", who="pell")
    assert seen(fight) == {"sanna", "pell", "pell-courser"}
