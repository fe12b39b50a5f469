"""Images: accepted and refused ones, their viewers, and that none of them ever runs."""

from __future__ import annotations

import asyncio
import struct
import zlib
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from httpx import Response

from affray.engine import begin_fight
from affray.engine.errors import Unusable
from affray.engine.stores import FileStore
from affray.engine.stores.documents import documents_of
from affray.engine.visibility import Viewer, redacting
from affray.tools.api.schemas.documents import Background, SceneChange
from affray.tools.server import scene_store, server_state
from affray.tools.server.grants import HOST
from affray.tools.server.image_headers import MOST_BYTES, read_image_header
from affray.tools.server.scene_store import StoredScene
from affray.tools.server.subscription import FeedOptions
from tests.engine.conftest import two
from tests.engine.fights import SEED
from tests.serve.server import Server, Somebody, serve_duel, served_again, serving, token_in
from tests.serve.test_feed_ws import enter_feed, until

SCENE = "/api/fights/duel/scene"
PICTURES = "/api/fights/duel/pictures"


def png(width: int = 3, height: int = 2) -> bytes:
    """A PNG of this size."""
    chunks = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(b"")),
        (b"IEND", b""),
    ]
    parts = [struct.pack(">I", len(of)) + name + of + struct.pack(">I", zlib.crc32(name + of)) for name, of in chunks]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


JPEG = (
    b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00\xff\xc0\x00\x11\x08\x00\x07\x00\x05\x03"
    + bytes(9)
)
LOSSLESS = b"RIFF\x00\x00\x00\x00WEBPVP8L\x00\x00\x00\x00\x2f" + struct.pack("<I", 8 | 5 << 14)
EXTENDED = (
    b"RIFF\x00\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00"
    + (8).to_bytes(3, "little")
    + (5).to_bytes(3, "little")
)
LOSSY = b"RIFF\x00\x00\x00\x00WEBPVP8 \x00\x00\x00\x00\x00\x00\x00\x9d\x01\x2a" + struct.pack("<HH", 9, 6)


def uploads(who: Somebody, content: bytes, kind: str = "image/png") -> Response:
    """Send a picture."""
    headers = {"Authorization": f"Bearer {who.token}", "Content-Type": kind}
    return who.client.post(f"/api/fights/{who.fight}/pictures", headers=headers, content=content)


def upload_picture(server: Server, content: bytes | None = None) -> str:
    """Upload a picture as the game master, and return its name."""
    answer = uploads(server.gm, content or png())
    assert answer.status_code == 201, answer.text
    name: str = answer.json()["name"]
    return name


def sets(who: Somebody, version: str = "", **wanted: Any) -> Response:
    """Set the scene."""
    return who.asks("PUT", SCENE, {"version": version, **wanted})


@pytest.mark.parametrize(
    ("content", "media", "size"),
    [
        (png(), "image/png", (3, 2)),
        (JPEG, "image/jpeg", (5, 7)),
        (LOSSLESS, "image/webp", (9, 6)),
        (EXTENDED, "image/webp", (9, 6)),
        (LOSSY, "image/webp", (9, 6)),
    ],
)
def test_what_a_picture_is_follows_from_how_it_begins(
    server: Server, content: bytes, media: str, size: tuple[int, int]
) -> None:
    """Regardless of its declared type; it is served as its true type, and never runs."""
    answer = uploads(server.gm, content, "text/html")
    assert answer.status_code == 201, answer.text
    told = answer.json()
    assert (told["media"], (told["width"], told["height"])) == (media, size)
    found = server.client.get(f"/api/pictures/{told['name']}")
    assert (found.content, found.headers["content-type"]) == (content, media)
    assert found.headers["x-content-type-options"] == "nosniff"
    assert found.headers["content-security-policy"] == "default-src 'none'; sandbox; frame-ancestors 'none'"
    assert found.headers["cross-origin-resource-policy"] == "same-origin"
    assert "immutable" in found.headers["cache-control"]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b'<svg xmlns="http://www.w3.org/2000/svg"/>',
        b"<html><script>1</script>",
        b"GIF89a\x01\x00\x01\x00",
        b"\x89PNG\r\n\x1a\n",
        png(0, 5),
        JPEG[:20],
        b"\xff\xd8\xff" + b"\xff" * 10,
        LOSSY[:25],
        EXTENDED[:26],
        b"RIFF\x00\x00\x00\x00WEBPVP9 ",
    ],
)
def test_anything_else_is_refused(server: Server, content: bytes) -> None:
    answer = uploads(server.gm, content)
    assert (answer.status_code, answer.json()["detail"]) == (400, "must be a PNG, JPEG or WebP picture")
    assert server.gm.asks("GET", SCENE).json() == {"version": ""}


def test_a_picture_is_bounded_in_bytes_and_pixels(server: Server) -> None:
    assert uploads(server.gm, png() + bytes(MOST_BYTES)).status_code == 413
    for width, height in ((16_385, 1), (10_000, 10_000)):
        assert "pixels" in uploads(server.gm, png(width, height)).json()["detail"]
    assert uploads(server.gm, png() + bytes(2**20)).status_code == 201


def test_a_fight_has_so_many_and_no_more(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scene_store, "MOST_PICTURES", 2)
    names = [upload_picture(server), upload_picture(server)]
    assert uploads(server.gm, png()).status_code == 429
    assert server.gm.asks("DELETE", f"{PICTURES}/{names[0]}").status_code == 204
    assert server.client.get(f"/api/pictures/{names[0]}").status_code == 404
    upload_picture(server)


def test_what_was_set_is_there_for_everybody_and_after_a_restart(server: Server, tmp_path: Path) -> None:
    """And not in the log; the version tells that something changed."""
    map_, face = upload_picture(server), upload_picture(server)
    head = server.gm.asks("GET", "/api/fights/duel").json()["head"]
    background = {"picture": map_, "scale": 2.5, "x": -1.5, "y": 3.0}
    answer = sets(
        server.gm, server.gm.asks("GET", SCENE).json()["version"], background=background, portraits={"ilse": face}
    )
    assert answer.status_code == 200, answer.text
    assert server.gm.asks("GET", "/api/fights/duel").json()["head"] == head
    for who in (server.ilse, server.bram, server.spectator):
        told = who.asks("GET", SCENE).json()
        assert (told["background"], told["portraits"]) == (background, {"ilse": face})
        assert "pictures" not in told
    with served_again(tmp_path) as host:
        assert host.asks("GET", SCENE).json() == server.gm.asks("GET", SCENE).json()
        assert host.client.get(f"/api/pictures/{face}").content == png()
    late = sets(server.gm, "", background=None)
    assert (late.status_code, late.json()["version"]) == (409, answer.json()["version"])
    server.gm.asks("DELETE", f"{PICTURES}/{face}")
    assert "portraits" not in server.ilse.asks("GET", SCENE).json()


@pytest.mark.parametrize(
    "wanted", [{"background": {"picture": "0" * 32}}, {"portraits": {"ilse": "0" * 32}}, {"portraits": {"nobody": ""}}]
)
def test_only_pictures_of_the_fight_and_combatants_in_it_are_set(server: Server, wanted: dict[str, Any]) -> None:
    assert sets(server.gm, **wanted).status_code == 400


def test_nothing_of_a_concealed_ones_picture_reaches_others(hiding: Server) -> None:
    """Neither its name nor its existence; after the reveal all viewers get it."""
    face, other = upload_picture(hiding), upload_picture(hiding)
    version = hiding.gm.asks("GET", SCENE).json()["version"]
    others = (hiding.ilse, hiding.bram, hiding.spectator)
    before = [who.asks("GET", SCENE).text for who in others]
    assert sets(hiding.gm, version, portraits={"lurker": face}).status_code == 200
    assert [who.asks("GET", SCENE).text for who in others] == before
    version = hiding.gm.asks("GET", SCENE).json()["version"]
    sets(hiding.gm, version, portraits={"lurker": face, "ilse": other})
    for who in others:
        answer = who.asks("GET", SCENE)
        assert answer.json()["portraits"] == {"ilse": other}
        assert "lurker" not in answer.text
        assert face not in answer.text
    assert hiding.gm.asks("GET", SCENE).json()["portraits"]["lurker"] == face
    hiding.gm.does("rule reveal lurker")
    assert hiding.ilse.asks("GET", SCENE).json()["portraits"]["lurker"] == face


def test_only_the_game_master_uploads_sets_and_deletes(server: Server) -> None:
    name = upload_picture(server)
    for who in (server.ilse, server.spectator):
        assert uploads(who, png()).status_code == 403
        assert sets(who).status_code == 403
        assert who.asks("DELETE", f"{PICTURES}/{name}").status_code == 403
    for guess in ("", "0" * 32, "..", "../scene", "%2e%2e"):
        assert server.client.get(f"/api/pictures/{guess}").status_code in (400, 404)
    elsewhere = Somebody(server.client, server.gm.token, "other")
    assert elsewhere.asks("GET", "/api/fights/other/scene").status_code == 403


def test_who_follows_is_told_of_another_scene_as_far_as_they_see_it(hiding: Server) -> None:
    """At once; a concealed combatant's portrait only for the game master, until it is revealed."""
    face, other = upload_picture(hiding), upload_picture(hiding)
    version = hiding.gm.asks("GET", SCENE).json()["version"]
    with enter_feed(hiding.gm, scene=True) as gm, enter_feed(hiding.ilse, scene=True) as ilse:
        until(gm, "ready")
        until(ilse, "ready")
        version = sets(hiding.gm, version, portraits={"lurker": face}).json()["version"]
        assert gm.receive_json()["type"] == "scene"
        hiding.gm.does("rule note hello")
        sets(hiding.gm, version, portraits={"lurker": face, "ilse": other})
        assert "line" in {one["type"] for one in until(ilse, "scene")}  # which came before what she is told of first
        hiding.gm.asks("DELETE", f"{PICTURES}/{other}")
        assert ilse.receive_json()["type"] == "scene"


def test_who_follows_is_told_of_a_portrait_that_comes_in_sight_or_goes(hiding: Server) -> None:
    """By a ruling that reveals, conceals or brings back; the game master sees it all the while."""
    face = upload_picture(hiding)
    sets(hiding.gm, hiding.gm.asks("GET", SCENE).json()["version"], portraits={"lurker": face})
    with enter_feed(hiding.gm, scene=True) as gm, enter_feed(hiding.ilse, scene=True) as ilse:
        until(gm, "ready")
        until(ilse, "ready")
        for line, there in (("reveal", True), ("conceal", False), ("reveal", True), ("leave", False)):
            hiding.gm.does(f"rule {line} lurker")
            until(ilse, "scene")
            assert ("lurker" in hiding.ilse.asks("GET", SCENE).json().get("portraits", {})) is there
        hiding.gm.does("rule note hello")
        hiding.gm.asks("DELETE", f"{PICTURES}/{face}")
        assert [one["type"] for one in until(gm, "scene")].count("scene") == 1


def test_who_sees_a_change_of_a_scene_is_found_without_what_they_see_of_the_fight(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is asked for every view of a fight in one step; working out a view of a large fight takes milliseconds."""
    people = [*two()["combatant"], {**two()["combatant"][1], "name": "Lurker", "concealed": True}]
    state = begin_fight("f", {**two(), "combatant": people}, who="gm", seed=SEED).state
    viewers = [Viewer(role="gm"), Viewer(role="spectator"), Viewer(role="player", owns=("lurker",))]
    kept = [
        StoredScene("f", Background(picture=picture) if picture else None, portraits, pictures)
        for picture in ("", "a")
        for portraits in ({}, {"lurker": "a"}, {"ilse": "a", "lurker": "b"}, {"gone": "a"})
        for pictures in ((), ("a", "b"))
    ]
    monkeypatch.delattr(redacting, "_without")
    for before, now in product(kept, kept):
        sees_it = scene_store.compare_scenes(scene_store.show_scene(before, state), scene_store.show_scene(now, state))
        for viewer in viewers:
            assert sees_it(viewer) == (
                scene_store.project_scene(before, "", viewer, state)
                != scene_store.project_scene(now, "", viewer, state)
            )


def test_a_scene_that_another_server_set_is_told_of_when_it_is_looked_at(tmp_path: Path) -> None:
    async def told() -> list[bool]:
        mine, theirs = serving(FileStore(tmp_path)), documents_of(FileStore(tmp_path))
        follower = await mine.hub.follow("duel", HOST, None, "", FeedOptions(scene=True))
        found = []
        for change in (False, True):
            if change:
                owner = await mine.document_owner("duel")
                name = scene_store.add_image(theirs, owner, png(), read_image_header(png()))
                kept, version = scene_store.read_scene(theirs, owner)
                wanted = SceneChange(version=version, background=Background(picture=name))
                scene_store.write_scene(theirs, owner, wanted, (await mine.fights.fight("duel")).state)
                assert name in kept.pictures
            await mine.scene_updates.check_scene(mine, "duel")
            found.append(follower.scene_due)
        return found

    with serve_duel(tmp_path):
        pass
    assert asyncio.run(told()) == [False, True]


@pytest.mark.parametrize("filled", [b"\xff" * 5_000, b"\xff\x01" * 5_000, b"\xff\xe0\x00\x02" * 5_000])
def test_a_picture_of_endless_segments_is_not_read_to_its_end(filled: bytes) -> None:
    """A size stands behind them; others would wait while 8 MiB of them are read."""
    sized = b"\xff\xc0\x00\x11\x08\x00\x10\x00\x10"
    assert read_image_header(b"\xff\xd8" + filled[:400] + sized).width == 16
    with pytest.raises(Unusable, match="must be a PNG, JPEG or WebP picture"):
        read_image_header(b"\xff\xd8" + filled + sized)


def test_the_pictures_of_a_fight_and_of_its_forks_have_a_size_together(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One fight does not use up what the others may have, nor do its forks."""
    monkeypatch.setattr(scene_store, "MOST_PICTURE_BYTES", 2 * len(png()))
    monkeypatch.setattr(server_state, "MOST_PICTURE_BYTES", 2 * len(png()))
    assert [uploads(server.gm, png()).status_code for _ in range(3)] == [201, 201, 429]
    forks = []
    for nth in range(2):
        fork = f"duel-{nth}"
        link = server.gm.asks("POST", "/api/fights/duel/fork", {"id": fork}).json()["links"]["gm"]
        forks.append(Somebody(server.client, token_in(link), fork))
    assert [uploads(forks[0], png()).status_code, uploads(forks[1], png()).status_code] == [201, 201]
    answer = uploads(forks[1], png())
    assert (answer.status_code, answer.json()["code"]) == (429, "too_many")
