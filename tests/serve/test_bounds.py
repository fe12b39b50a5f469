"""No request makes a server do, keep or send without end: what is too much is refused, and the limit named."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest

from affray.tools.server import commands, grants
from affray.tools.server.rate_limits import Allowance, RateLimits
from affray.tools.server.routes import images
from tests.serve.server import Server, Somebody, create_token
from tests.tools.program import ENCOUNTER

CROWD = {"name": "Guard", "side": "blue", "count": 501}
FORECASTS = "/api/fights/duel/forecasts"
FEED = "/api/fights/duel/feed"
EVE = {"role": "spectator", "name": "Eve"}
GUARDS = """
[[combatant]]
name = "Guard {}"
side = "blue"
block = "hero"
weapons = ["sword"]
count = {}
"""


@pytest.mark.parametrize(
    ("toml", "field", "limit"),
    [
        (ENCOUNTER + GUARDS.format("A", 10**9), "count", "500"),
        (ENCOUNTER + "".join(GUARDS.format(one, 500) for one in "AB"), "combatant", "1000"),
        (ENCOUNTER.replace("health = 8", f"health = {10**9}"), "health", "999"),
        (ENCOUNTER.replace("A duel", "x" * 5_000), "name", "2000"),
    ],
)
def test_an_encounter_without_end_is_refused(server: Server, toml: str, field: str, limit: str) -> None:
    answer = server.host.asks("POST", "/api/fights", {"id": "crowd", "toml": toml})
    assert (answer.status_code, answer.json()["code"]) == (400, "encounter")
    assert field in answer.json()["field"]
    assert limit in answer.json()["detail"]


@pytest.mark.parametrize(
    ("intent", "field"),
    [
        ({"type": "Said", "words": "ilse " * 1_000}, "intent.words"),
        ({"type": "Undo", "reason": "x" * 5_000}, "reason"),
        ({"type": "Ruled", "kind": "pool", "params": {"who": "bram", "pool": "health", "by": 10**30}}, "params.by"),
        ({"type": "Ruled", "kind": "secret_roll", "params": {"dice": "999999d6", "purpose": "luck"}}, "dice"),
        ({"type": "Ruled", "kind": "join", "params": {"combatant": CROWD}}, "params"),
        ({"type": "Stir", "words": "x" * 5_000}, "words"),
    ],
)
def test_a_command_without_end_is_refused(begun: Server, intent: dict[str, Any], field: str) -> None:
    head = begun.gm.looks().json()["head"]
    answer = begun.gm.sends({"reason": "so", **intent} if intent["type"] == "Ruled" else intent)
    assert (answer.status_code, answer.json()["code"]) == (400, "unusable")
    assert field in answer.json()["field"]
    assert re.search(r"2000|1000000|500|99|200", answer.json()["detail"])
    assert begun.gm.looks().json()["head"] == head


@pytest.mark.parametrize(
    ("limit", "asked"),
    [
        ("open_fights.MOST_FIGHTS", lambda one: one.asks("POST", "/api/fights", {"id": "new", "toml": ENCOUNTER})),
        ("open_fights.MOST_FIGHTS", lambda one: one.asks("POST", "/api/fights/duel/fork", {"id": "new"})),
        ("grants.MOST_GRANTS", lambda one: one.asks("POST", "/api/fights/duel/grants", EVE)),
    ],
    ids=["fights", "forks", "grants"],
)
def test_there_is_an_end_to_how_many(server: Server, monkeypatch: pytest.MonkeyPatch, limit: str, asked: Any) -> None:
    monkeypatch.setattr(f"affray.tools.server.{limit}", 0)
    answer = asked(server.host)
    assert (answer.status_code, answer.json()["code"]) == (429, "too_many")
    assert "0" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("who", "limit"),
    [
        ("spectator", "MOST_SPECTATORS"),
        ("spectator", "MOST_OF_AN_AUDIENCE"),
        ("ilse", "MOST_PLAYERS"),
        ("ilse", "MOST_OF_ONE"),
        ("ilse", "MOST_OF_FIGHT"),
        ("gm", "MOST_OF_ONE"),
    ],
)
def test_there_is_an_end_to_how_many_follow(
    server: Server, monkeypatch: pytest.MonkeyPatch, who: str, limit: str
) -> None:
    """For each role, and for each link; the host is always admitted."""
    monkeypatch.setattr(f"affray.tools.server.hub.{limit}", 0)
    answer = getattr(server, who).looks("/feed")
    assert (answer.status_code, answer.json()["code"]) == (429, "too_many")
    assert "0" in answer.json()["detail"]
    assert read_first_message(server, server.host.token) == "snapshot"


@pytest.mark.parametrize(
    ("limit", "who", "asks"),
    [
        ("downloads.MOST_OF_PLAYERS", "ilse", lambda one: one.looks("/log.jsonl")),
        ("forecasts.MOST_OF_PLAYERS", "ilse", lambda one: one.asks("POST", FORECASTS, {"what": "odds"})),
        ("open_fights.MOST_FORKED", "gm", lambda one: one.asks("POST", "/api/fights/duel/fork", {"id": "duel-2"})),
    ],
    ids=["downloads", "forecasts", "forks"],
)
def test_some_places_are_kept_for_those_who_rule(
    server: Server, monkeypatch: pytest.MonkeyPatch, limit: str, who: str, asks: Any
) -> None:
    """The host is served at any number of players."""
    monkeypatch.setattr(f"affray.tools.server.{limit}", 0)
    answer = asks(getattr(server, who))
    assert (answer.status_code, answer.json()["code"]) == (429, "too_many")
    assert asks(server.host).is_success


def test_the_first_game_master_of_a_fight_is_let_in_however_many_follow(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second one only as long as there is room."""
    monkeypatch.setattr("affray.tools.server.hub.MOST_FOLLOWERS", 0)
    other = create_token(server.gm, "gm", "another")
    with server.client.websocket_connect(FEED) as feed:
        feed.send_json({"token": server.gm.token})
        assert feed.receive_json()["type"] == "snapshot"
        assert read_first_message(server, other) == "problem"
    assert read_first_message(server, other) == "snapshot"


def test_one_link_leaves_room_for_the_others(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """A place is free again as soon as a stream of the link ends."""
    monkeypatch.setattr("affray.tools.server.hub.MOST_OF_ONE", 1)
    with server.client.websocket_connect(FEED) as feed:
        feed.send_json({"token": server.ilse.token})
        assert feed.receive_json()["type"] == "snapshot"
        assert server.ilse.looks("/feed").status_code == 429
        assert read_first_message(server, server.bram.token) == "snapshot"
    assert read_first_message(server, server.ilse.token) == "snapshot"


def read_first_message(server: Server, token: str) -> str:
    """Return the first message to who follows with a token."""
    with server.client.websocket_connect(FEED) as feed:
        feed.send_json({"token": token})
        kind: str = feed.receive_json()["type"]
        return kind


def test_only_players_own_combatants(server: Server) -> None:
    for role in ("spectator", "gm"):
        body = {"role": role, "name": "Eve", "owns": ["bram"]}
        answer = server.gm.asks("POST", "/api/fights/duel/grants", body)
        assert (answer.status_code, answer.json()["field"]) == (400, "owns")


def test_the_log_is_passed_on_byte_for_byte(begun: Server, tmp_path: Any) -> None:
    answer = begun.spectator.looks("/log.jsonl")
    assert answer.content == (tmp_path / "duel.jsonl").read_bytes()
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    assert answer.headers["content-disposition"] == 'attachment; filename="duel.jsonl"'
    begun.gm.does("rule conceal bram")
    assert Somebody(begun.client, begun.spectator.token).looks("/log.jsonl").status_code == 403


@pytest.mark.parametrize(
    "intent",
    [
        {"type": "AskingSet", "who": "ilse", "ask": "never"},
        {"type": "Stir", "words": "luck"},
        {"type": "Undo"},
        {"type": "Said", "words": "ask never"},
    ],
    ids=lambda one: one["type"],
)
def test_a_player_fills_no_record_with_what_is_always_possible(
    begun: Server, monkeypatch: pytest.MonkeyPatch, intent: dict[str, Any]
) -> None:
    """Settings, stirred words, undos: each is kept for ever, so that a link sends few in the long run."""
    monkeypatch.setattr(commands, "SETTINGS", Allowance(at_once=1, queued=-1, a_second=0.5, burst=0))
    head = begun.gm.looks().json()["head"]
    answer = begun.ilse.sends(intent)
    assert (answer.status_code, answer.json()["code"]) == (429, "too_many")
    assert int(answer.headers["Retry-After"]) > 0
    assert begun.gm.looks().json()["head"] == head
    assert begun.gm.sends({"type": "Ruled", "kind": "note", "params": {"text": "x"}, "reason": "so"}).status_code == 200


def test_two_links_of_one_name_change_settings_at_their_own_rates(
    begun: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who sends too many leaves the other link as many as before."""
    used, permit = [], RateLimits.permit

    def note(limits: RateLimits, key: str, allowance: Allowance) -> Any:
        used.extend([key] if key.startswith("settings of") else [])
        return permit(limits, key, allowance)

    monkeypatch.setattr(RateLimits, "permit", note)
    double = Somebody(begun.client, create_token(begun.gm, "player", "Ilse", "ilse"))
    for link, ask in ((begun.ilse, "never"), (double, "targeted"), (begun.ilse, "always")):
        assert link.sends({"type": "AskingSet", "who": "ilse", "ask": ask}).status_code == 200
    assert (used[0] == used[2]) > (used[0] == used[1])


@pytest.mark.parametrize("entries", ["[]", "1", "{}", "[[[[1]]]]"])
def test_a_ruling_of_endless_entries_is_refused_before_each_is_looked_at(begun: Server, entries: str) -> None:
    """Others would wait meanwhile."""
    params = {"text": "x", "a": [msgspec.json.decode(entries)] * 5_000}
    answer = begun.gm.sends({"type": "Ruled", "kind": "note", "params": params, "reason": "so"})
    assert answer.status_code == 400
    assert answer.json()["detail"] == "must have at most 4000 entries"


def test_large_rulings_have_a_bound_and_a_rate(begun: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """The record and the memory keep each for ever; in an amendment they count as well."""
    monkeypatch.setattr(commands, "LARGE_RULINGS", Allowance(at_once=1, queued=-1, a_second=0.5, burst=0))
    ruled: dict[str, Any] = {"type": "Ruled", "kind": "note", "params": {"text": "x"}, "reason": "so"}
    large = {**ruled, "params": {f"text{nth}": "x" * 1_000 for nth in range(5)}}
    huge = {**ruled, "params": {f"text{nth}": "x" * 1_000 for nth in range(70)}}
    amend = {"type": "Amend", "position": begun.gm.looks().json()["head"], "instead": [large], "reason": "so"}
    assert [begun.gm.sends(one).status_code for one in (ruled, large, amend, huge)] == [200, 429, 429, 400]


def test_the_links_of_a_fight_own_no_more_than_can_be_listed_at_once(
    begun: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every look at the links reads them all. A revoked link makes room."""
    monkeypatch.setattr(grants, "MOST_GRANT_BYTES", 2_000)
    body = {"role": "player", "name": "Ada" * 30, "owns": ["ilse", "bram"]}
    path = "/api/fights/duel/grants"
    answers = [begun.gm.asks("POST", path, body).status_code for _ in range(10)]
    assert (answers[0], answers[-2:]) == (201, [429, 429])
    id = next(one["id"] for one in begun.gm.asks("GET", path).json()["grants"] if one["name"] == body["name"])
    assert begun.gm.asks("DELETE", path, params={"id": id}).is_success
    assert begun.gm.asks("POST", path, body).status_code == 201


@pytest.mark.parametrize("lane", ["PICTURES", "ALL_PICTURES"])
def test_pictures_are_received_few_at_once_over_all_links(
    begun: Server, monkeypatch: pytest.MonkeyPatch, lane: str
) -> None:
    """Each lies in memory until its last byte has come."""
    monkeypatch.setattr(images, lane, Allowance(at_once=1, queued=-1, a_second=0.5, burst=0))
    headers = {"Authorization": f"Bearer {begun.gm.token}", "Content-Type": "image/png"}
    answer = begun.client.post("/api/fights/duel/pictures", headers=headers, content=b"no picture")
    assert (answer.status_code, answer.json()["code"]) == (429, "too_many")
