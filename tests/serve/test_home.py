"""Coming together: who is there, told when it changes; the fights of a server; links as codes."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import pytest

from affray.engine.errors import Unusable
from affray.engine.visibility import Viewer
from affray.tools.api.schemas.feed import PresenceChanged, Ready
from affray.tools.server.addresses import check_public_url
from affray.tools.server.qr_codes import render_text_code
from affray.tools.server.subscription import FeedOptions, Subscription
from tests.serve.server import Server, create_token

GM = Viewer(role="gm", name="Gregor")
SANNA = Viewer(role="player", name="Sanna", owns=("ilse", "lurker"))
LOOKER = Viewer(role="spectator", name="Lotte")


def let_pages_follow(server: Server, *viewers: Viewer) -> list[Subscription]:
    """Let some follow the duel, as their pages do."""
    hub = server.app.state.server.hub

    async def all_of_them() -> list[Subscription]:
        return [await hub.follow("duel", one, 0, one.name) for one in viewers]

    with server.client.portal() as portal:
        return portal.call(all_of_them)


def test_who_is_there_is_told_by_name_and_no_concealed_combatant_with_it(hiding: Server) -> None:
    """Spectators are a number, but to game masters; two pages of one are one."""
    there = let_pages_follow(hiding, GM, SANNA, SANNA, LOOKER)
    seen = hiding.ilse.looks("/present").json()
    assert [(one["role"], one["name"], one.get("owns", []), one.get("streams", 1)) for one in seen["people"]] == [
        ("gm", "Gregor", [], 1),
        ("player", "Sanna", ["ilse"], 2),
    ]
    assert seen["spectators"] == 1
    all_seen = hiding.gm.looks("/present").json()["people"]
    assert [one["name"] for one in all_seen] == ["Gregor", "Sanna", "Lotte"]
    assert all_seen[1]["owns"] == ["ilse", "lurker"]
    del there


def test_whoever_wants_to_hear_is_told_when_somebody_who_plays_comes_or_goes(begun: Server) -> None:
    hub = begun.app.state.server.hub

    async def heard() -> list[type]:
        listener = await hub.follow("duel", GM, None, "", FeedOptions(present=True))
        kinds: list[type] = []
        async with aclosing(listener.messages()) as messages:
            kinds.append(type(await anext(messages)))
            kinds.append(type(await anext(messages)))
            await hub.follow("duel", LOOKER, 0, "lotte")
            coming = asyncio.ensure_future(anext(messages))
            other = await hub.follow("duel", SANNA, 0, "sanna")
            kinds.append(type(await coming))
            async with aclosing(other.messages()) as theirs:
                await anext(theirs)
            kinds.append(type(await anext(messages)))
        return kinds

    with begun.client.portal() as portal:
        _, *kinds = portal.call(heard)
    assert kinds == [Ready, PresenceChanged, PresenceChanged]


BO = Viewer(role="player", name="Bo", owns=("lurker",))


def test_a_player_who_plays_only_somebody_concealed_is_unknown_to_the_others(
    hiding: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the list nor the feed tells of them, until their combatant is revealed."""
    monkeypatch.setattr("affray.tools.server.subscription.PRESENT_SECONDS", 0)
    hub = hiding.app.state.server.hub
    ilse = Viewer(role="player", name="Ilse", owns=("ilse",))

    async def heard() -> dict[str, list[type]]:
        listeners = {
            one.name: await hub.follow("duel", one, None, "", FeedOptions(present=True)) for one in (GM, ilse, BO)
        }
        streams = {name: one.messages() for name, one in listeners.items()}
        told = {name: [type(await anext(messages)) for _ in range(2)] for name, messages in streams.items()}
        coming = {name: asyncio.ensure_future(anext(messages)) for name, messages in streams.items()}
        await asyncio.sleep(0)
        other = await hub.follow("duel", BO, 0, "bo")
        await asyncio.wait([coming["Gregor"], coming["Bo"]], timeout=5)
        await asyncio.sleep(0)
        for name, message in coming.items():
            told[name] += [type(message.result())] if message.done() else []
            message.cancel()
        del other
        return told

    with hiding.client.portal() as portal:
        told = portal.call(heard)
    assert [PresenceChanged in told[name] for name in ("Gregor", "Ilse", "Bo")] == [True, False, True]
    there = let_pages_follow(hiding, GM, ilse, BO)
    names = {
        who.token: [one["name"] for one in who.looks("/present").json()["people"]] for who in (hiding.gm, hiding.ilse)
    }
    assert (names[hiding.gm.token], names[hiding.ilse.token]) == (["Gregor", "Bo", "Ilse"], ["Gregor", "Ilse"])
    hiding.gm.does("rule reveal lurker")
    assert [one["name"] for one in hiding.ilse.looks("/present").json()["people"]] == ["Gregor", "Bo", "Ilse"]
    del there


def test_whoever_runs_the_server_sees_how_its_fights_stand(begun: Server) -> None:
    host = begun.host
    create_token(begun.gm, "player", "Sanna", "ilse")
    (fight,) = host.asks("GET", "/api/home").json()["fights"]
    assert (fight["id"], fight["name"], fight["system"], fight["round"]) == ("duel", "A duel", "vestige", 1)
    assert fight["headline"] == "Ilse's turn"
    assert fight["changed"] > "2020"
    assert "Sanna" in [one["name"] for one in fight["people"]]
    assert begun.gm.asks("GET", "/api/home").status_code == 403


def test_a_link_becomes_a_code(begun: Server) -> None:
    link = begun.links["spectator"]
    picture = begun.gm.asks("POST", "/api/code", {"link": link})
    assert picture.headers["content-type"].startswith("image/svg+xml")
    assert picture.text.startswith("<svg")
    assert "script" not in picture.text
    lines = render_text_code(link)
    assert len({len(line) for line in lines}) >= 1
    assert len(lines) > 10
    assert begun.ilse.asks("POST", "/api/code", {"link": link}).status_code == 403
    assert begun.gm.asks("POST", "/api/code", {"link": "x" * 2000}).status_code == 400


def test_a_link_that_no_code_holds_is_refused(begun: Server) -> None:
    """900 characters of three bytes each are more than the largest code has room for."""
    refused = begun.gm.asks("POST", "/api/code", {"link": "".join(map(chr, range(0x4E00, 0x4E00 + 900)))})
    assert refused.status_code == 400
    assert "2700 bytes, and no code holds so many" in refused.json()["detail"]


@pytest.mark.parametrize(
    "wrong",
    [
        *("table.example", "ftp://table.example", "https://", "https://a.example/#x", "https://a.example?x=1"),
        *("https://u@a.example", "https://a.example:99999", "https://a.example/a b", "https://a.example\n"),
    ],
)
def test_a_public_address_is_one_of_the_web(wrong: str) -> None:
    with pytest.raises(Unusable) as no:
        check_public_url(wrong, "url")
    assert no.value.field == "url"


def test_a_public_address_stands_in_front_of_links_without_its_slash() -> None:
    assert check_public_url("https://table.example/", "url") == "https://table.example"
    assert check_public_url("", "url") == ""
