"""Parties over HTTP: made, joined to a fight, and bearing what it cost; for the host alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from affray.engine.stores import SqliteStore
from tests.serve.server import Server, Somebody, served_again, token_in
from tests.tools.program import ENCOUNTER, affray

HEROES = "/api/parties/heroes"


def party(host: Somebody) -> dict[str, Any]:
    """Return the party as it is now."""
    answer = host.asks("GET", HEROES)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def make_party_of_ilse(server: Server) -> dict[str, Any]:
    """Make a party of Ilse."""
    answer = server.host.asks("POST", "/api/parties", {"name": "heroes", "toml": ENCOUNTER})
    assert answer.status_code == 201, answer.text
    return party(server.host)


def play_party_duel(server: Server, id: str, *rulings: str) -> None:
    """Fight the duel with the party, and end it."""
    opened = server.host.asks("POST", "/api/fights", {"id": id, "toml": ENCOUNTER, "party": "heroes"})
    assert opened.status_code == 201, opened.text
    gm = Somebody(server.client, token_in(opened.json()["links"]["gm"]), id)
    gm.does(*(f"rule {words}" for words in (*rulings, "end")))


def test_what_a_fight_cost_is_carried_to_the_next(server: Server, tmp_path: Path) -> None:
    one = make_party_of_ilse(server)
    assert [member["name"] for member in one["content"]["combatant"]] == ["Ilse"]
    play_party_duel(server, "first", "pool ilse health by=-4")
    body = {"fight": "first", "version": one["version"]}
    answer = server.host.asks("POST", f"{HEROES}/after", body)
    assert answer.status_code == 200, answer.text
    after = answer.json()
    assert [(line["kind"], line["text"]) for line in after["lines"]] == [("cost", "Ilse: health 10 → 6")]
    assert after["party"]["content"]["combatant"][0]["carries"] == {"pools": {"health": 6}}
    body["version"] = after["party"]["version"]
    again = server.host.asks("POST", f"{HEROES}/after", body).json()
    assert again["party"] == after["party"]
    (taken,) = server.host.asks("GET", f"{HEROES}/members").json()["fights"]
    assert (taken["fight"], taken["cost"]) == ("A duel", ["Ilse: health 10 → 6"])
    with served_again(tmp_path) as host:
        assert party(host) == after["party"]
    play_party_duel(server, "second")
    assert (
        server.host.asks("GET", "/api/fights/second/state").json()["state"]["combatants"]["ilse"]["pools"]["health"]
        == 6
    )


def test_everybody_hears_what_a_fight_cost(server: Server) -> None:
    """Line by line, before it is over too."""
    server.gm.does("rule pool ilse health by=-4", "rule pool bram health by=-1")
    told = server.spectator.looks("/cost").json()
    assert [(one["who"], one["text"]) for one in told["lines"]] == [
        ("ilse", "Ilse: health 10 → 6"),
        ("bram", "Bram: health 8 → 7"),
    ]
    assert told["whole"]


def test_nobody_hears_what_it_cost_somebody_concealed(hiding: Server) -> None:
    """Nor that this is not all of it, but by not being told that it is."""
    hiding.gm.does("rule pool lurker health by=-2")
    assert "urker" in hiding.gm.looks("/cost").text
    seen = hiding.spectator.looks("/cost")
    assert "urker" not in seen.text
    assert not seen.json()["whole"]


def test_what_a_player_could_not_see_at_first_is_no_cost_to_them_later(server: Server) -> None:
    """A counter that was veiled when the fight began has no beginning for a player; the game master is told it."""
    veiled = ENCOUNTER.replace("health = 8", 'health = 8\nveiled = ["health"]').replace("A duel", "Veiled")
    opened = server.host.asks("POST", "/api/fights", {"id": "veiled", "toml": veiled})
    assert opened.status_code == 201
    gm, spectator = (
        Somebody(server.client, token_in(opened.json()["links"][role]), "veiled") for role in ("gm", "spectator")
    )
    gm.does("rule pool bram health by=-2", "rule pool ilse health by=-1", "rule unveil bram")
    told = [[one["text"] for one in who.looks("/cost").json()["lines"]] for who in (gm, spectator)]
    assert told == [["Ilse: health 10 → 9", "Bram: health 8 → 6"], ["Ilse: health 10 → 9"]]


def test_a_party_is_made_of_a_fight_and_takes_the_places_of_another_side(server: Server) -> None:
    """A fight knows its origin; the party's members are listed with all correctable values."""
    make_party_of_ilse(server)
    play_party_duel(server, "first")
    known = server.host.asks("GET", "/api/fights/first/origin").json()
    assert known == {"saved": "", "party": "heroes", "sides": ["red", "blue"], "known": True}
    of_it = {"name": "foes", "fight": "first", "side": "blue"}
    assert server.host.asks("POST", "/api/parties", of_it).status_code == 201
    told = server.host.asks("GET", "/api/parties/foes/members").json()
    (bram,) = told["members"]
    assert (bram["name"], bram["side"], bram["out"]) == ("Bram", "blue", False)
    assert bram["pools"][0] == {"field": "health", "says": "health", "now": 8, "whole": 8, "most": 8}
    assert [one["lost"] for one in bram["things"] if "lost" in one] == ["sword.lost", "bow.lost"]
    duel = ENCOUNTER.replace("Bram", "Cato").replace("bram", "cato")
    body = {"id": "turned", "toml": duel, "party": "foes", "side": "red"}
    assert server.host.asks("POST", "/api/fights", body).status_code == 201
    people = server.host.asks("GET", "/api/fights/turned/state").json()["state"]["combatants"]
    assert {who: one["side"] for who, one in people.items()} == {"bram": "red", "cato": "blue"}
    body.update(id="nowhere", side="green")
    assert server.host.asks("POST", "/api/fights", body).status_code == 400
    elsewhere = server.host.asks("POST", "/api/parties", {**of_it, "name": "none", "fight": "duel", "toml": ENCOUNTER})
    assert (elsewhere.status_code, elsewhere.json()["field"]) == (400, "fight")


def test_a_fight_that_the_command_line_opened_in_a_database_knows_its_encounter(tmp_path: Path) -> None:
    """A party can be made of one of its sides; a fight in a file leaves no other file."""
    (tmp_path / "duel.toml").write_text(ENCOUNTER, "utf-8")
    for place in ("fights.db#duel", "duel.jsonl"):
        assert affray(tmp_path, "new", "duel.toml", "-o", place).code == 0
    assert {one.name for one in tmp_path.iterdir()} == {"duel.toml", "fights.db", "duel.jsonl", "duel.key"}
    with served_again(SqliteStore(tmp_path / "fights.db")) as host:
        known = host.asks("GET", "/api/fights/duel/origin").json()
        assert known == {"saved": "", "party": "", "sides": ["red", "blue"], "known": True}
        made = host.asks("POST", "/api/parties", {"name": "foes", "fight": "duel", "side": "blue"})
        assert made.status_code == 201, made.text


def test_it_is_corrected_rested_and_taken_back(server: Server) -> None:
    one = make_party_of_ilse(server)
    body = {"member": "ilse", "values": {"health": 3, "sword.lost": True}, "version": one["version"]}
    two = server.host.asks("POST", f"{HEROES}/set", body).json()["party"]
    assert two["content"]["combatant"][0]["carries"] == {
        "pools": {"health": 3},
        "things": {"sword": {"lost": True}},
    }
    late = server.host.asks("POST", f"{HEROES}/set", body)
    assert (late.status_code, late.json()["version"]) == (409, two["version"])
    for values, field in (
        ({"sword.lost": False, "health": 11}, "combatant[0].carries.pools.health"),
        ({"health": 4, "unarmed.lost": True}, "unarmed.lost"),
        ({}, "values"),
    ):
        wrong = server.host.asks("POST", f"{HEROES}/set", {**body, "values": values, "version": two["version"]})
        assert (wrong.status_code, wrong.json()["field"]) == (400, field)
    assert server.host.asks("POST", f"{HEROES}/rest", {"kind": "nap", "version": two["version"]}).status_code == 400
    back = server.host.asks("POST", f"{HEROES}/undo", {"version": two["version"]}).json()
    assert back["party"]["content"] == one["content"]
    none = server.host.asks("POST", f"{HEROES}/undo", {"version": back["party"]["version"]})
    assert (none.status_code, none.json()["code"]) == (422, "nothing_to_undo")


def test_it_is_written_downloaded_and_deleted(server: Server) -> None:
    one = make_party_of_ilse(server)
    assert server.host.asks("GET", f"{HEROES}/toml").text == one["toml"]
    wrong = one["toml"].replace('"sword"', '"swrod"')
    refused = server.host.asks("PUT", HEROES, {"toml": wrong, "version": one["version"]})
    assert (refused.status_code, refused.json()["field"]) == (400, "combatant[0].weapons[0]")
    kept = server.host.asks("PUT", HEROES, {"toml": one["toml"] + "# ours\n", "version": one["version"]}).json()
    assert [found["name"] for found in server.host.asks("GET", "/api/parties").json()["saved"]] == ["heroes"]
    assert server.host.asks("DELETE", HEROES, params={"version": one["version"]}).status_code == 409
    assert server.host.asks("DELETE", HEROES, params={"version": kept["version"]}).status_code == 204
    assert server.host.asks("GET", HEROES).status_code == 404


def test_what_is_not_over_or_not_there_is_refused(server: Server) -> None:
    one = make_party_of_ilse(server)
    still = server.host.asks("POST", f"{HEROES}/after", {"fight": "duel", "version": one["version"]})
    assert (still.status_code, still.json()["code"]) == (422, "not_over")
    gone = server.host.asks("POST", f"{HEROES}/after", {"fight": "nowhere", "version": one["version"]})
    assert gone.status_code == 404
    body = {"id": "x", "toml": ENCOUNTER, "party": "nobody"}
    assert server.host.asks("POST", "/api/fights", body).status_code == 404


def test_nobody_but_the_host_sees_or_changes_a_party(server: Server) -> None:
    make_party_of_ilse(server)
    for who in (server.gm, server.ilse, server.spectator):
        for method, path in (("GET", ""), ("GET", "/toml"), ("PUT", ""), ("POST", "/after"), ("POST", "/undo")):
            assert who.asks(method, HEROES + path, {} if method != "GET" else None).status_code == 403


def test_a_wrong_value_in_an_encounter_or_a_kept_party_is_refused(server: Server) -> None:
    """It is no mistake of the server's: the answer says which field, and the past of a party is no exception."""
    one = make_party_of_ilse(server)["content"]
    wrongs: dict[str, dict[str, Any]] = {
        "board": {"board": "x"},
        "combatant": {"combatant": 3},
        "combatant[0].side": {"combatant": [{"side": ["a"]}]},
    }
    for nth, (field, wrong) in enumerate(wrongs.items()):
        asked = {"id": f"wrong-{nth}", "party": "heroes", "encounter": {**one, **wrong}}
        answer = server.host.asks("POST", "/api/fights", asked)
        assert (answer.status_code, answer.json()["field"]) == (400, field), answer.text
    for key, field in (("past", "past[0].before"), ("taken", "taken[0].cost")):
        said = {"content": {**one, key: [{field.rpartition(".")[2]: 3}]}, "version": party(server.host)["version"]}
        answer = server.host.asks("PUT", HEROES, said)
        assert (answer.status_code, answer.json()["field"]) == (400, field), answer.text
