"""Seats and groups with concealed members are read as if these were absent."""

from __future__ import annotations

from typing import Any

import pytest

from affray.engine.visibility import project_state
from tests.engine.test_open_bonds import HERO
from tests.engine.test_open_groups import goblins
from tests.engine.twins import SPECTATOR, Twins, open_events

ILKA, JORY, LURKER = (
    {**HERO, "name": name, "player": player} for name, player in (("Ilka", "Anna"), ("Jory", "Bo"), ("Lurker", "Anna"))
)
ROBBER = {"name": "Robber", "side": "enemies", "block": "bandit", "at": "road"}


def road(*heroes: dict[str, Any]) -> dict[str, Any]:
    """Return an encounter of heroes, who make initiative rolls by seats, and a robber."""
    return {"system": "verdigris", "name": "n", "zone": [{"name": "road"}], "combatant": [*heroes, ROBBER]}


def seats_of(twins: Twins) -> list[dict[str, list[str]]]:
    """Return per twin the characters of each seat that a spectator sees, in the order of seats."""
    states = [project_state(SPECTATOR, fight.state) for fight in twins.fights]
    return [{seat.id: [one.who for one in seat.members] for seat in state.relations.values()} for state in states]


@pytest.mark.parametrize("other", ["Bo", "Cid", ""])
@pytest.mark.parametrize("heroes", [(ILKA, LURKER, JORY), (ILKA, JORY, LURKER)], ids=["second", "last"])
def test_a_seat_is_read_and_rolls_whoever_plays_a_concealed_character(heroes: Any, other: str) -> None:
    """Anna plays Ilka, and Lurker as well; or Bo does, another player, or one without a name."""
    twins = Twins(road(*heroes), "Lurker", player=other)
    assert seats_of(twins) == [{"seat-anna": ["ilka"], "seat-bo": ["jory"]}] * 2
    twins.do("gm", "begin")
    twins.do("ilka", "roll_initiative")


@pytest.mark.parametrize("player", ["Anna", "Bo", "Cid"])
def test_the_seat_of_a_concealed_character_does_not_roll(player: str) -> None:
    """Lurker is before Ilka; she is due, and Jory after her, for any player of his."""
    twins = Twins(road(LURKER, ILKA, JORY), "Lurker", player=player)
    assert seats_of(twins) == [{"seat-anna": ["ilka"], "seat-bo": ["jory"]}] * 2
    twins.do("gm", "begin")
    twins.do("ilka", "roll_initiative")
    assert open_events(twins.fights[0]) == open_events(twins.fights[1])


def test_a_concealed_character_joins_and_leaves_the_seat_of_a_known_one_unseen() -> None:
    """No open event is about Anna's seat, which Ilka has all the time."""
    twins = Twins(road(ILKA, JORY, LURKER), "Lurker", player="Cid")
    before = open_events(twins.fights[0])
    for kind, said in (("leave", {"who": "lurker"}), ("join", {"combatant": {**LURKER, "concealed": True}})):
        twins.rule(kind, **said)
        assert seats_of(twins) == [{"seat-anna": ["ilka"], "seat-bo": ["jory"]}] * 2
    assert open_events(twins.fights[0]) == before


def test_a_group_of_which_one_known_member_is_left_ends_whoever_is_concealed_in_it() -> None:
    """Snag is alone as Grub leaves, with or without Lurker."""
    twins = Twins(goblins(in_group=True), "Lurker", goblins(in_group=False))
    twins.rule("leave", who="grub")
    assert [project_state(SPECTATOR, fight.state).relations for fight in twins.fights] == [{}, {}]
