"""No route without a role check; players speak for their own combatants and take back only what they did last."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from litestar.routes import ASGIRoute, HTTPRoute, WebSocketRoute

from affray.tools.api.operations import ALLOWED_ROLES, OPEN_ROUTES
from tests.serve.server import Server, Somebody, create_token

ROLES = ("host", "gm", "player", "spectator")


def iterate_answered_routes(server: Server) -> Iterator[tuple[str, str]]:
    """Yield every method and path that the application answers, with paths as the table of roles writes them."""
    for route in server.app.routes:
        assert not isinstance(route, ASGIRoute)
        if isinstance(route, WebSocketRoute):
            yield "WEBSOCKET", route.path_format
        if isinstance(route, HTTPRoute):
            for method in route.methods:
                yield str(method), route.path_format


def fill_path(path: str) -> str:
    """Return a path with something that is there."""
    return (
        path.replace("{fight}", "duel")
        .replace("{position}", "1")
        .replace("{file}", "app.js")
        .replace("{system}", "wyrd")
        .replace("{who}", "ilse")
        .replace("{kind}", "attack")
        .replace("{name}", "bridge")
        .replace("{picture}", "0" * 32)
    )


def test_every_route_is_in_the_table_and_nothing_else_is(server: Server) -> None:
    served = {route for route in iterate_answered_routes(server) if route[0] != "OPTIONS"}
    told = ALLOWED_ROLES.keys() | OPEN_ROUTES
    assert served - told <= {("GET", "/schema"), ("GET", "/schema/{path}")}  # the framework's own, which nobody may use
    assert told - served == {("GET", "/schema/openapi.json")} - served


@pytest.mark.parametrize("token", ["", "Bearer", "Bearer wrong", "Basic wrong", "Bearer \xff"])
def test_no_route_but_the_open_ones_lets_a_stranger_in(server: Server, token: str) -> None:
    for method, path in sorted(set(iterate_answered_routes(server)) - OPEN_ROUTES):
        headers = {b"authorization": token.encode("latin-1")} if token else {}
        answer = server.client.request(method, fill_path(path), headers=headers, content=b"{}")
        assert answer.status_code == 401, (method, path)
        assert answer.headers["www-authenticate"] == "Bearer"
        assert answer.json()["code"] == "unknown"


@pytest.mark.parametrize("role", ROLES)
def test_each_role_may_use_what_the_table_says(server: Server, role: str) -> None:
    everybody = {"host": server.host, "gm": server.gm, "player": server.ilse, "spectator": server.spectator}
    for (method, path), roles in ALLOWED_ROLES.items():
        if path.endswith("/feed"):
            continue  # it never ends; the feed's own tests follow it
        answer = everybody[role].asks(method, fill_path(path), {} if method == "POST" else None)
        assert (answer.status_code == 403) == (role not in roles), (method, path, answer.text)


def test_who_may_not_is_told_who_may(server: Server) -> None:
    for who in (server.gm, server.ilse):
        assert "host's token" in who.asks("POST", "/api/fights", {}).json()["detail"]
    assert "game master" in server.ilse.looks("/rulings").json()["detail"]
    assert "spectators" in server.spectator.sends({"type": "Undo"}).json()["detail"]


def test_a_token_is_for_one_fight_only(server: Server) -> None:
    twin = {"id": "twin", "encounter": {"system": "vestige", "name": "Twins", "combatant": []}}
    server.host.asks("POST", "/api/fights", twin)
    for fight in ("twin", "no-such-fight"):
        answer = Somebody(server.client, server.gm.token, fight).looks("/state")
        assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed")
    assert [one["id"] for one in server.gm.asks("GET", "/api/fights").json()["fights"]] == ["duel"]


def test_players_speak_for_their_own(begun: Server) -> None:
    assert begun.bram.says("ilse attack bram").status_code == 403
    assert begun.ilse.says("gm begin").status_code == 403
    assert begun.spectator.says("ilse attack bram").status_code == 403
    assert begun.ilse.says("rule pool ilse health by=5", reason="I feel well").status_code == 403
    assert begun.bram.says("stand bram never").status_code == 200
    assert begun.bram.says("stand ilse never").status_code == 403
    assert begun.ilse.says("ilse attack bram").status_code == 200


def test_dice_are_entered_by_whom_they_are_awaited_from(begun: Server) -> None:
    begun.gm.does("stand bram never")
    assert begun.ilse.says("ilse attack bram").json()["waiting"]["of"] == ["ilse"]
    assert begun.bram.says("roll 20").status_code == 403
    assert begun.ilse.says("roll 9").status_code == 200


def test_players_take_back_what_they_did_last_and_nothing_else(begun: Server) -> None:
    undo = {"type": "Undo"}
    assert begun.ilse.sends(undo).status_code == 403
    begun.ilse.does("stand ilse never")
    assert begun.bram.sends(undo).status_code == 403
    assert begun.ilse.sends({**undo, "fresh": True}).status_code == 403
    assert begun.ilse.sends({**undo, "commands": 2}).status_code == 403
    assert begun.ilse.sends(undo).status_code == 200
    assert begun.ilse.sends(undo).status_code == 403
    begun.ilse.does("stand ilse never")
    begun.bram.does("stand bram never")
    assert begun.ilse.sends(undo).status_code == 403


def test_somebody_of_the_same_name_is_somebody_else(begun: Server) -> None:
    namesake = Somebody(begun.client, create_token(begun.gm, "player", "Ilse", "bram"))
    begun.ilse.does("stand ilse never")
    assert namesake.sends({"type": "Undo"}).status_code == 403


def test_players_are_offered_what_is_theirs(begun: Server) -> None:
    assert begun.ilse.looks("/legal").json()["actors"] == [{"who": "ilse", "manner": "standard"}]
    assert begun.bram.looks("/legal").json()["actors"] == []
    assert begun.spectator.looks("/legal").json()["actors"] == []
    for who in (begun.bram, begun.spectator):
        assert who.looks("/legal/ilse").status_code == 403
        assert who.looks("/legal/ilse/attack").status_code == 403
    assert all("refused" in one for one in begun.bram.looks("/legal/bram").json()["kinds"])
    offer = begun.ilse.looks("/legal/ilse/attack", fill=True).json()["whole"]
    assert begun.ilse.sends(offer["intent"]).status_code == 200


def test_nobody_is_let_in_for_somebody_who_is_not_there(server: Server) -> None:
    body = {"role": "player", "name": "Nobody's", "owns": ["nobody"]}
    answer = server.gm.asks("POST", "/api/fights/duel/grants", body)
    assert (answer.status_code, answer.json()["field"]) == (400, "owns")
