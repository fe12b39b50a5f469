"""Before the fight: encounters are checked, kept, copied, downloaded and deleted, and a fight is opened from one."""

from __future__ import annotations

import tomllib
from time import monotonic, sleep
from typing import Any

import pytest

from tests.serve.server import Server, served_again
from tests.tools.program import ENCOUNTER

BRIDGE = "/api/encounters/bridge"
WRONG = ENCOUNTER.replace('weapons = ["sword"]', 'weapons = ["swrod"]', 1)


def save_encounter(server: Server, name: str = "bridge", toml: str = ENCOUNTER, version: str = "") -> dict[str, Any]:
    """Save an encounter, and return what is said of it."""
    answer = server.host.asks("PUT", f"/api/encounters/{name}", {"toml": toml, "version": version})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_the_systems_and_what_they_have_are_there_without_a_token(server: Server) -> None:
    systems = server.client.get("/api/systems").json()["systems"]
    assert [one["name"] for one in systems] == ["hexblade", "verdigris", "vestige", "wwn", "wyrd"]
    table = server.client.get("/api/systems/vestige/tables", params={"kind": "weapons", "search": "bow"}).json()
    assert [line["key"] for line in table["tables"][0]["lines"]] == ["bow", "crossbow"]
    schema = server.client.get("/api/systems/vestige/schema").json()
    assert schema["properties"]["config"]["$ref"]
    template = server.client.get("/api/systems/vestige/template").json()
    assert tomllib.loads(template["toml"]) == template["content"]
    for path in ("tables", "schema", "template", "vocabulary"):
        assert server.client.get(f"/api/systems/vestigo/{path}").status_code == 404
    assert server.client.get("/api/systems/vestige/tables", params={"kind": "swords"}).status_code == 400


def test_what_comes_with_the_program_is_there_to_begin_with(server: Server) -> None:
    """Without a token; each says what it is about, and the one to begin with stands first."""
    encounters = server.client.get("/api/shipped").json()["encounters"]
    assert {one["system"] for one in encounters} == {"hexblade", "verdigris", "vestige", "wwn", "wyrd"}
    first = encounters[0]
    assert (first["title"], first["rules"]) == ("At the ford", "Vestige")
    assert first["sides"] == {"travellers": 3, "bandits": 4}
    assert first["says"] == "Three travellers are met at a ford by a captain and three bandits."
    whole = server.client.get("/api/shipped/vestige/ford").json()
    assert tomllib.loads(whole["toml"]) == whole["content"]
    for path in ("vestige/nothing", "vestigo/ford", "..%2Fvestige/ford"):
        assert server.client.get(f"/api/shipped/{path}").status_code == 404


def test_an_encounter_is_checked_without_being_opened(server: Server) -> None:
    """Faults are those of the command line, with field and line, in either form."""
    good = server.host.asks("POST", "/api/check", {"toml": ENCOUNTER}).json()
    assert (good["ok"], good["toml"]) == (True, ENCOUNTER)
    again = server.host.asks("POST", "/api/check", {"content": good["content"]}).json()
    assert again["ok"]
    assert tomllib.loads(again["toml"]) == good["content"]
    wrong = server.host.asks("POST", "/api/check", {"toml": WRONG}).json()
    assert not wrong["ok"]
    assert (wrong["fault"]["field"], wrong["fault"]["line"]) == ("combatant[0].weapons[0]", 8)
    assert "there is no weapon swrod" in wrong["fault"]["detail"]
    assert "did you mean sword?" in wrong["fault"]["detail"]
    assert wrong["faults"] == [wrong["fault"]]
    assert [(one["id"], one["entry"]) for one in wrong["people"]] == [("ilse", 0), ("bram", 1)]
    as_object = server.host.asks("POST", "/api/check", {"content": tomllib.loads(WRONG)}).json()
    assert (as_object["fault"]["field"], as_object["fault"]["detail"]) == (
        wrong["fault"]["field"],
        wrong["fault"]["detail"],
    )
    assert [one["id"] for one in server.host.asks("GET", "/api/fights").json()["fights"]] == ["duel"]


@pytest.mark.parametrize("body", [{}, {"toml": "x", "content": {}}, {"toml": "a ="}, {"content": {"a": [None]}}])
def test_what_is_no_encounter_at_all_is_refused(server: Server, body: dict[str, Any]) -> None:
    assert server.host.asks("POST", "/api/check", body).status_code == 400
    assert server.host.asks("PUT", BRIDGE, body).status_code == 400


def balanced(server: Server, toml: str) -> dict[str, Any]:
    """Ask for the balance of an encounter, and return the finished forecast."""
    answer = server.host.asks("POST", "/api/balance", {"toml": toml})
    assert answer.status_code == 201, answer.text
    end = monotonic() + 120
    while (found := server.host.asks("GET", f"/api/balance/{answer.json()['id']}").json())["stage"] != "done":
        assert found["stage"] != "failed", found
        assert monotonic() < end
        sleep(0.05)
    return dict(found)


def test_the_balance_of_an_encounter_is_computed_while_it_is_edited(server: Server) -> None:
    found = balanced(server, ENCOUNTER)
    wins = found["odds"]["wins"].values()
    assert sum(one["count"] for one in wins) == found["odds"]["trials"] == found["done"]
    assert max(one["high"] - one["low"] for one in wins) <= 0.08
    again = server.host.asks("POST", "/api/balance", {"toml": f"{ENCOUNTER}\n# a comment"})
    assert again.json() == found  # known already
    assert [one["id"] for one in server.host.asks("GET", "/api/fights").json()["fights"]] == ["duel"]  # none was opened


def test_an_encounter_with_an_error_has_no_balance(server: Server) -> None:
    id = server.host.asks("POST", "/api/balance", {"toml": WRONG}).json()["id"]
    end = monotonic() + 60
    while (found := server.host.asks("GET", f"/api/balance/{id}").json())["stage"] != "failed":
        assert monotonic() < end
        sleep(0.05)
    assert "swrod" in found["wrong"]


def test_a_dropped_balance_is_known_no_more(server: Server) -> None:
    id = server.host.asks("POST", "/api/balance", {"toml": ENCOUNTER}).json()["id"]
    assert server.host.asks("DELETE", f"/api/balance/{id}").status_code == 204
    gone = server.host.asks("GET", f"/api/balance/{id}")
    assert (gone.status_code, gone.json()["detail"]) == (404, f"there is no forecast {id}")


def test_an_encounter_is_kept_and_read_after_a_restart(server: Server, tmp_path: Any) -> None:
    one = save_encounter(server)
    assert (one["title"], one["system"]) == ("A duel", "vestige")
    with served_again(tmp_path) as host:
        assert host.asks("GET", "/api/encounters").json() == {"saved": [one]}
        found = host.asks("GET", BRIDGE).json()
    assert (found["toml"], found["content"]["system"], found["version"]) == (ENCOUNTER, "vestige", one["version"])
    assert "fault" not in found


def test_an_unfinished_one_is_kept_too_and_says_what_is_missing(server: Server) -> None:
    save_encounter(server, toml='system = "vestige"\n')
    assert server.host.asks("GET", BRIDGE).json()["fault"]["field"] == "combatant"


def test_a_stale_version_changes_no_encounter(server: Server) -> None:
    first = save_encounter(server)
    second = save_encounter(server, toml=WRONG, version=first["version"])
    for version in ("", first["version"]):
        late = server.host.asks("PUT", BRIDGE, {"toml": ENCOUNTER, "version": version})
        assert (late.status_code, late.json()["code"]) == (409, "superseded")
        assert late.json()["version"] == second["version"]
    assert server.host.asks("DELETE", BRIDGE, params={"version": first["version"]}).status_code == 409
    assert server.host.asks("GET", BRIDGE).json()["toml"] == WRONG


def test_it_is_copied_downloaded_and_deleted(server: Server) -> None:
    one = save_encounter(server)
    copy = server.host.asks("POST", f"{BRIDGE}/copy", {"to": "ford"})
    assert (copy.status_code, copy.json()["version"]) == (201, one["version"])
    assert server.host.asks("POST", f"{BRIDGE}/copy", {"to": "ford"}).status_code == 409
    file = server.host.asks("GET", "/api/encounters/ford/toml")
    assert file.text == ENCOUNTER
    assert file.headers["content-type"].startswith("application/toml")
    assert file.headers["content-disposition"] == 'attachment; filename="ford.toml"'
    assert server.host.asks("DELETE", BRIDGE, params={"version": one["version"]}).status_code == 204
    assert [found["name"] for found in server.host.asks("GET", "/api/encounters").json()["saved"]] == ["ford"]
    assert server.host.asks("GET", BRIDGE).status_code == 404


def test_what_people_wrote_beside_it_stays_where_nothing_was_changed(server: Server) -> None:
    """Content that comes with its file as it was: the comments are there again; what was changed is changed."""
    noted = "# A quiet evening.\n" + ENCOUNTER.replace('name = "A duel"', 'name = "A duel"  # to the first blood')
    content = tomllib.loads(noted)
    content["combatant"][0]["name"] = "Ilsa"
    answer = server.host.asks("PUT", BRIDGE, {"content": content, "was": noted, "version": ""})
    assert answer.status_code == 200, answer.text
    kept = server.host.asks("GET", f"{BRIDGE}/toml").text
    assert kept == noted.replace('name = "Ilse"', 'name = "Ilsa"')


def test_a_fight_is_opened_from_one(server: Server) -> None:
    save_encounter(server)
    opened = server.host.asks("POST", "/api/fights", {"id": "evening", "saved": "bridge"})
    assert opened.status_code == 201, opened.text
    assert list(opened.json()["links"]["players"]) == ["Ilse"]
    save_encounter(server, "broken", WRONG)
    refused = server.host.asks("POST", "/api/fights", {"id": "other", "saved": "broken"})
    assert (refused.status_code, refused.json()["field"]) == (400, "combatant[0].weapons[0]")
    assert server.host.asks("POST", "/api/fights", {"id": "other", "saved": "nothing"}).status_code == 404
    both = {"id": "other", "saved": "bridge", "toml": ENCOUNTER}
    assert server.host.asks("POST", "/api/fights", both).status_code == 400


@pytest.mark.parametrize("name", ["..", ".x", "a b", "x" * 101, "a.toml"])
def test_encounter_names_cannot_leave_the_folder(server: Server, name: str) -> None:
    answer = server.host.asks("PUT", f"/api/encounters/{name}", {"toml": ENCOUNTER})
    assert answer.status_code in (400, 404, 405)
    assert server.host.asks("GET", "/api/encounters").json() == {"saved": []}


def test_nobody_but_the_host_sees_what_a_fight_could_begin_from(server: Server) -> None:
    save_encounter(server)
    for who in (server.gm, server.ilse, server.spectator):
        for method, path in (("GET", ""), ("GET", "/bridge"), ("GET", "/bridge/toml"), ("PUT", "/bridge")):
            answer = who.asks(method, f"/api/encounters{path}", {} if method == "PUT" else None)
            assert answer.status_code == 403
            assert "host's token" in answer.json()["detail"]
