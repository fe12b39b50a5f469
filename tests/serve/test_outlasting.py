"""Pictures outlast a fight: an encounter keeps its map, a party its faces, a fork has what its parent has."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from affray.engine.stores import FileStore
from affray.engine.stores.documents import documents_of
from tests.serve.server import Server, Somebody, token_in
from tests.serve.test_pictures import png
from tests.tools.program import ENCOUNTER

AMBUSH = ENCOUNTER.replace("Bram", "Cato").replace("bram", "cato")


def opens(server: Server, id: str, **more: Any) -> Somebody:
    """Open a fight, and return its game master."""
    answer = server.host.asks("POST", "/api/fights", {"id": id, **more})
    assert answer.status_code == 201, answer.text
    return Somebody(server.client, token_in(answer.json()["links"]["gm"]), id)


def upload_and_name(gm: Somebody) -> str:
    """Upload a picture, and return its name."""
    headers = {"Authorization": f"Bearer {gm.token}", "Content-Type": "image/png"}
    answer = gm.client.post(f"/api/fights/{gm.fight}/pictures", headers=headers, content=png())
    assert answer.status_code == 201, answer.text
    return str(answer.json()["name"])


def scene(who: Somebody) -> dict[str, Any]:
    """Return a viewer's scene of a fight, without its version."""
    found: dict[str, Any] = who.looks("/scene").json()
    return {key: found[key] for key in ("background", "portraits") if found.get(key)}


def sets(gm: Somebody, **wanted: Any) -> None:
    """Set a scene."""
    version = gm.looks("/scene").json()["version"]
    answer = gm.asks("PUT", f"/api/fights/{gm.fight}/scene", {"version": version, **wanted})
    assert answer.status_code == 200, answer.text


def is_picture_kept(server: Server, picture: str) -> bool:
    """Tell whether a picture is kept."""
    return server.client.get(f"/api/pictures/{picture}").status_code == 200


def save_encounter_and_party(server: Server) -> None:
    """Keep the duel as an encounter, and Ilse's side as a party."""
    assert server.host.asks("PUT", "/api/encounters/duel", {"version": "", "toml": ENCOUNTER}).status_code == 200
    assert server.host.asks("POST", "/api/parties", {"name": "heroes", "toml": ENCOUNTER}).status_code == 201


def test_an_encounter_keeps_its_map_and_a_party_its_faces(server: Server) -> None:
    """Fought again, everything is there; elsewhere the party alone brings its own."""
    save_encounter_and_party(server)
    first = opens(server, "first", saved="duel", party="heroes")
    behind, ilse, bram = upload_and_name(first), upload_and_name(first), upload_and_name(first)
    background = {"picture": behind, "scale": 2.0, "x": 1.0, "y": 0.0}
    sets(first, background=background, portraits={"ilse": ilse, "bram": bram})
    assert server.host.asks("GET", "/api/encounters/duel").json()["background"] == background
    assert scene(opens(server, "again", saved="duel", party="heroes")) == scene(first)
    assert scene(opens(server, "alone", saved="duel")) == {"background": background, "portraits": {"bram": bram}}
    assert scene(opens(server, "elsewhere", toml=AMBUSH, party="heroes")) == {"portraits": {"ilse": ilse}}
    assert scene(opens(server, "other", toml=ENCOUNTER)) == {}


def test_a_copy_of_an_encounter_has_its_picture(server: Server) -> None:
    """However it is copied; and the picture stays as long as one of them has it."""
    save_encounter_and_party(server)
    first = opens(server, "first", saved="duel")
    behind = upload_and_name(first)
    background = {"picture": behind, "scale": 2.0, "x": 1.0, "y": 0.0}
    sets(first, background=background)
    assert server.host.asks("POST", "/api/encounters/duel/copy", {"to": "twin"}).status_code == 201
    edited = {"toml": AMBUSH, "version": "", "copy_of": "duel"}
    assert server.host.asks("PUT", "/api/encounters/edited", edited).status_code == 200
    for name in ("twin", "edited"):
        assert server.host.asks("GET", f"/api/encounters/{name}").json()["background"] == background
    version = server.host.asks("GET", "/api/encounters/duel").json()["version"]
    assert server.host.asks("DELETE", "/api/encounters/duel", params={"version": version}).status_code == 204
    assert server.host.asks("GET", "/api/encounters/twin").json()["background"] == background
    assert scene(opens(server, "again", saved="edited")) == {"background": background}
    assert is_picture_kept(server, behind)


def test_what_is_taken_away_comes_to_nobody_any_more(server: Server) -> None:
    """Fights that show it still do, and the last one takes the picture itself along."""
    save_encounter_and_party(server)
    first = opens(server, "first", saved="duel", party="heroes")
    behind, ilse = upload_and_name(first), upload_and_name(first)
    sets(first, background={"picture": behind, "scale": 2.0, "x": 1.0, "y": 0.0}, portraits={"ilse": ilse})
    again = opens(server, "again", saved="duel", party="heroes")
    sets(first, portraits={})
    assert scene(opens(server, "third", saved="duel", party="heroes")) == {}
    assert scene(again)["portraits"] == {"ilse": ilse}
    for gm in (first, again):
        assert is_picture_kept(server, behind)
        assert gm.asks("DELETE", f"/api/fights/{gm.fight}/pictures/{behind}").status_code == 204
    assert not is_picture_kept(server, behind)
    assert "background" not in scene(again)
    assert is_picture_kept(server, ilse)


def test_a_member_who_is_not_there_keeps_their_face(server: Server) -> None:
    """And a party that is made of a fight begins with the faces of that fight."""
    save_encounter_and_party(server)
    fight = opens(server, "first", saved="duel", party="heroes")
    bram = upload_and_name(fight)
    sets(fight, portraits={"bram": bram})
    foes = {"name": "foes", "fight": "first", "side": "blue"}
    assert server.host.asks("POST", "/api/parties", foes).status_code == 201
    turned = opens(server, "turned", toml=AMBUSH, party="foes", side="red")
    assert scene(turned) == {"portraits": {"bram": bram}}
    turned.does("rule leave bram")
    sets(turned, portraits={})
    assert scene(opens(server, "later", toml=AMBUSH, party="foes", side="red")) == {"portraits": {"bram": bram}}


def test_a_fork_shows_what_its_parent_shows_and_goes_its_own_way(server: Server) -> None:
    behind, ilse = upload_and_name(server.gm), upload_and_name(server.gm)
    sets(server.gm, background={"picture": behind, "scale": 1.0, "x": 0.0, "y": 0.0}, portraits={"ilse": ilse})
    answer = server.gm.asks("POST", "/api/fights/duel/fork", {"id": "duel-what-if", "at": 10, "reason": "a test"})
    assert answer.status_code == 201, answer.text
    fork = Somebody(server.client, token_in(answer.json()["links"]["gm"]), "duel-what-if")
    assert scene(fork) == scene(server.gm)
    sets(fork, portraits={"ilse": ilse})
    assert "background" in scene(server.gm)


def test_who_deletes_an_encounter_deletes_its_pictures_unless_a_fight_shows_them(
    server: Server, tmp_path: Path
) -> None:
    save_encounter_and_party(server)
    first = opens(server, "first", saved="duel", party="heroes")
    behind, ilse = upload_and_name(first), upload_and_name(first)
    sets(first, background={"picture": behind, "scale": 2.0, "x": 1.0, "y": 0.0}, portraits={"ilse": ilse})
    for path in ("/api/encounters/duel", "/api/parties/heroes"):
        version = server.host.asks("GET", path).json()["version"]
        assert server.host.asks("DELETE", path, params={"version": version}).status_code == 204
    assert is_picture_kept(server, behind)
    assert first.asks("DELETE", f"/api/fights/first/pictures/{behind}").status_code == 204
    assert first.asks("DELETE", f"/api/fights/first/pictures/{ilse}").status_code == 204
    assert documents_of(FileStore(tmp_path)).list_documents("picture") == []


def test_nothing_of_a_concealed_ones_face_is_handed_on_to_others(hiding: Server) -> None:
    """A viewer who may not know of a combatant does not get its portrait in a fork either."""
    face = upload_and_name(hiding.gm)
    sets(hiding.gm, portraits={"lurker": face})
    now = {"id": "duel-fork", "at": hiding.gm.looks().json()["head"], "reason": "a test"}
    answer = hiding.gm.asks("POST", "/api/fights/duel/fork", now)
    assert answer.status_code == 201, answer.text
    links = answer.json()["links"]
    gm, spectator = (Somebody(hiding.client, token_in(links[who]), "duel-fork") for who in ("gm", "spectator"))
    assert scene(gm) == {"portraits": {"lurker": face}}
    assert face not in spectator.looks("/scene").text
    assert scene(spectator) == {}
