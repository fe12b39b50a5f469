"""The common rate limits of a fight's forks, for any number of links; and bounded searches of ways."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest

from affray.engine.analysis.policies import choose_sensibly
from affray.engine.runtime import offer_tree
from affray.engine.visibility import Viewer
from affray.tools.api.legal_actions import expand_action, offers_of
from affray.tools.api.targeting import where_may
from affray.tools.server import hub
from affray.tools.server.open_fights import LimitReached
from affray.tools.server.server_state import ServerState
from tests.rulesets.statistics import open_unstored_fight, submit_intent
from tests.serve.server import Server, Somebody, create_token, token_in


def fork_with_links(by: Somebody, name: str) -> dict[str, Any]:
    """Fork a fight, and return the links."""
    answer = by.asks("POST", f"/api/fights/{by.fight}/fork", {"id": name})
    assert answer.status_code == 201, answer.text
    return answer.json()["links"]  # type: ignore[no-any-return]


def lanes(server: Server, *tokens: str) -> list[str]:
    """Return the lanes of links."""
    needs: ServerState = server.app.state.server

    async def entered() -> list[str]:
        return [(await needs.authenticate(token)).lane for token in tokens]

    return asyncio.run(entered())


def test_all_links_of_all_forks_of_a_fight_share_two_lanes(begun: Server) -> None:
    """Also links of a fork's game master, and of its forks; spectators have a separate lane."""
    first = fork_with_links(begun.gm, "duel-a")
    gm = Somebody(begun.client, token_in(first["gm"]), "duel-a")
    second = fork_with_links(gm, "duel-a-b")
    other = Somebody(begun.client, create_token(begun.gm, "gm", "Other"))
    third = fork_with_links(other, "duel-c")
    links = [first["gm"], first["players"]["Ilse"], second["gm"], third["gm"]]
    playing = [*map(token_in, links), create_token(gm, "player", "P", "ilse"), create_token(gm, "gm", "Third")]
    watching = [token_in(one["spectator"]) for one in (first, second, third)]
    assert len({*lanes(begun, *playing)}) == len({*lanes(begun, *watching)}) == 1
    assert len({*lanes(begun, playing[0], watching[0], begun.gm.token, other.token)}) == 4


def test_links_of_the_hosts_forks_have_lanes_of_their_own(begun: Server) -> None:
    """A club may fork one fight for each of its tables."""
    begun.host.fight = "duel"
    tokens = [token_in(fork_with_links(begun.host, name)["gm"]) for name in ("duel-a", "duel-b")]
    assert len({*lanes(begun, *tokens)}) == 2


def test_few_forks_of_a_fight_are_followed_at_once(begun: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "MOST_FORKS", 1)
    names = ("duel-a", "duel-b")
    for name in names:
        fork_with_links(begun.gm, name)
    needs: ServerState = begun.app.state.server
    gm = Viewer(role="gm", name="gm")

    async def follows() -> None:
        one = await needs.hub.follow("duel-a", gm, key="a", forks="forks of duel")
        again = await needs.hub.follow("duel-a", gm, key="b", forks="forks of duel")
        with pytest.raises(LimitReached, match="followed already"):
            await needs.hub.follow("duel-b", gm, key="c", forks="forks of duel")
        await needs.hub.follow("duel", gm, key="d")
        del one, again
        await needs.hub.follow("duel-b", gm, key="c", forks="forks of duel")

    asyncio.run(follows())


BOARDS: dict[str, dict[str, Any]] = {
    "wwn": {"hp": 5, "ac": 10, "attack": 0},
    "vestige": {"block": "hero", "weapons": ["sword"]},
    "hexblade": {"block": "fighter"},
}
"""Per system with a map of cells what a combatant needs."""


@pytest.mark.parametrize("system", BOARDS)
def test_a_question_about_ways_looks_at_the_nearest_places_alone(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer says that there are more; a way to one of them is found nevertheless."""
    people: list[dict[str, Any]] = [
        {"name": name, "side": name, "at": at, **BOARDS[system]} for name, at in (("Ada", "0,0"), ("Bo", "9,0"))
    ]
    fight = open_unstored_fight({"system": system, "board": {}, "combatant": people})
    chance = Random(1)
    while not fight.state.acting:
        intent = choose_sensibly(fight, chance)
        assert intent is not None
        submit_intent(fight, intent)
    (who,) = fight.state.acting
    whole = where_may(fight, who, "standard")
    assert not whole.farther
    assert not expand_action(fight, who, "move", "standard", {}).farther
    monkeypatch.setattr(offer_tree, "MOST_WAYS", 5)
    near = where_may(fight, who, "standard")
    assert near.farther
    assert expand_action(fight, who, "move", "standard", {}).farther
    nearest = [one.to for one in near.ways if one.intent.kind == "move"]
    places = [one.to for one in whole.ways if one.intent.kind == "move"]
    assert 0 < len(nearest) <= 5
    assert nearest == places[: len(nearest)]
    offers, move = offers_of(fight, who, "standard"), fight.ruleset.actions["move"]
    assert not [place for place in places if offers.refusal_of(move(to=place))]
