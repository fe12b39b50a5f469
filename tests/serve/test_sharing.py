"""Players elsewhere: the public address, set while the server runs, and the check whether an address leads to it."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from pathlib import Path
from typing import cast

import httpx
import pytest

from affray.engine.stores import FileStore, SqliteStore
from affray.engine.stores.documents import documents_of
from affray.tools.api.schemas.home import AddressCheck
from affray.tools.server import address_check
from affray.tools.server.address_check import check_address
from affray.tools.server.public_address import read_public_url, write_public_url
from tests.serve.server import Server, serve_duel, served_again
from tests.serve.test_serve import list_link_holders, serving
from tests.tools.program import affray

ADDRESSES = "/api/addresses"
PUBLIC = "http://127.0.0.1:9"  # the port of the discard service, where no server answers

ME = "0123456789abcdef"
HEALTH = b'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{"ok":true,"version":"1","server":"' + ME.encode() + b'"}'
SWITCHED = b"HTTP/1.1 101 Switching Protocols\r\n\r\n"
MOVED = b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:9/\r\nConnection: close\r\n\r\n"
NOT_FOUND = b"HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n"


@pytest.mark.parametrize("place", [".", "fights.db"])
def test_the_host_changes_the_public_address_while_the_server_runs(tmp_path: Path, place: str) -> None:
    """New links begin with it at once and after a restart; links that were given before stay good."""
    store = FileStore(tmp_path) if place == "." else SqliteStore(tmp_path / place)
    grant = ("POST", "/api/fights/duel/grants", {"role": "player", "name": "Bo", "owns": ["bram"]})
    with serve_duel(store) as server:
        assert server.host.asks("GET", ADDRESSES).json() == {
            "public": "", "links": "http://table", "reach": [], "checks": [],
        }  # fmt: skip
        told = server.host.asks("PUT", ADDRESSES, {"url": f"{PUBLIC}/"}).json()
        assert (told["public"], told["links"], told["reach"]) == (PUBLIC, PUBLIC, [PUBLIC])
        assert told["checks"][0]["leads"] is False
        assert server.gm.asks(*grant).json()["link"].startswith(f"{PUBLIC}/#fight=duel&token=")
        assert server.ilse.looks().status_code == 200
        held = server.host.looks("/grants").json()
        assert (held["reach"], held["public"], held["is_host"]) == ([PUBLIC], PUBLIC, True)
        assert "is_host" not in server.gm.looks("/grants").json()
        ilse = server.ilse.token
    with served_again(store) as host:
        assert host.asks(*grant).json()["link"].startswith(f"{PUBLIC}/#")
        assert type(host)(host.client, ilse).looks().status_code == 200
        assert host.asks("PUT", ADDRESSES, {"url": ""}).json()["links"] == "http://table"
        assert host.asks(*grant).json()["link"].startswith("http://table/#")
        assert host.looks("/grants").json().get("reach", []) == []


def test_only_the_host_may_change_it_and_only_to_a_web_address(server: Server) -> None:
    for other in (server.gm, server.ilse, server.spectator):
        assert other.asks("GET", ADDRESSES).status_code == 403
        assert other.asks("PUT", ADDRESSES, {"url": PUBLIC}).status_code == 403
    refused = server.host.asks("PUT", ADDRESSES, {"url": "table.example"})
    assert (refused.status_code, refused.json()["field"]) == (400, "url")
    assert server.host.asks("GET", ADDRESSES).json()["public"] == ""


def test_an_address_that_was_edited_into_nonsense_is_none(tmp_path: Path) -> None:
    documents = documents_of(FileStore(tmp_path))
    write_public_url(documents, PUBLIC)
    for text in ('{"url": "no address"}', "{}", "no JSON"):
        (tmp_path / "server" / "public-address.json").write_text(text, "utf-8")
        assert read_public_url(documents) == ""
    write_public_url(documents, PUBLIC)
    assert read_public_url(documents) == PUBLIC


async def _check(*answers: bytes) -> AddressCheck:
    """Check an address at which each connection gets the next of some answers; an empty one leaves it waiting."""
    left = list(answers)
    handlers: list[asyncio.Task[None]] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        handlers.append(cast("asyncio.Task[None]", asyncio.current_task()))
        with suppress(OSError):
            await reader.readuntil(b"\r\n\r\n")
            writer.write(left.pop(0) or await reader.read())
            await writer.drain()
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        found = await check_address(ME, f"http://127.0.0.1:{port}/club")
        await asyncio.gather(*handlers)
        return found


@pytest.mark.parametrize(
    ("answers", "leads", "says"),
    [
        ((HEALTH, SWITCHED), True, "leads to this server."),
        ((HEALTH, NOT_FOUND), True, "leads to this server, but not for WebSockets"),
        ((MOVED,), False, "answers, but it does not lead to this server"),
        ((NOT_FOUND,), False, "answers, but it does not lead to this server"),
        ((HEALTH.replace(b"0123", b"9999"),), False, "answers, but it does not lead to this server"),
        ((b"",), False, "does not answer from this computer"),
    ],
)
def test_a_check_says_whether_an_address_leads_here(
    answers: tuple[bytes, ...], leads: bool, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(address_check, "SECONDS", 0.2 if answers == (b"",) else 20)
    found = asyncio.run(_check(*answers))
    assert (found.leads, says in found.says) == (leads, True), found.says


def test_a_check_reads_no_endless_answer() -> None:
    found = asyncio.run(_check(HEALTH.replace(ME.encode(), b"x" * (1 << 20))))
    assert found.leads is False


def test_sharing_gives_links_for_the_network_and_says_what_answers(tmp_path: Path) -> None:
    """Where this machine has no network, links are for this machine."""
    with serving(tmp_path, "duel.toml", "--share") as (server, said):
        people = list_link_holders(said)
        origin = people["Ilse"].origin
        told = [server.out.readline() for _ in range(3)]
        assert people["Ilse"].asks(origin=origin)["you"]["name"] == "Ilse"
        assert f"Host, who opens fights and may enter all: {origin}/#token=" in said
        assert "\nIlse:\n█" in said
        if "localhost" in origin:
            assert "no address in a network" in told[0]
        else:
            assert told[0] == f"Checked: {origin} leads to this server.\n"
            assert "firewall" in "".join(told[1:])


def test_a_public_address_of_the_command_line_is_remembered(tmp_path: Path) -> None:
    with serving(tmp_path, "duel.toml", "--public-url", "https://table.example/") as (_, said):
        assert said.count("https://table.example/#") == 4
    with serving(tmp_path, "duel.toml") as (_, said):
        assert "Links begin with https://table.example, as set before" in said
        token = re.findall(r"Bearer (\S+)", said)[0]
        address = re.findall(r"Listening on (\S+);", said)[0]
        told = httpx.get(f"{address}/api/addresses", headers={"Authorization": f"Bearer {token}"}).json()
        assert told["links"] == "https://table.example"
    with serving(tmp_path, "duel.toml", "--public-url", "") as (_, said):
        assert "table.example" not in said


@pytest.mark.parametrize("address", ["proxy.example", "10.0.0.1/8", "*"])
def test_a_trusted_proxy_is_an_address_or_a_network(tmp_path: Path, address: str) -> None:
    ran = affray(tmp_path, "serve", "--trust-proxy", address)
    assert (ran.code, "--trust-proxy: must be an address such as 127.0.0.1" in ran.err) == (2, True)
