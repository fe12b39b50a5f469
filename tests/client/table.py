"""A real server behind a path prefix, and both Python clients at its tables, driven alike."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

import httpx
import uvicorn
from litestar.types import ASGIApp, Receive, Scope, Send

from affray.client import AsyncClient, Client, Moment, Update
from affray.engine.stores import FileStore
from affray.tools.server.app import build_application
from affray.tools.server.grants import open_registry
from affray.tools.server.hub import Hub
from affray.tools.server.open_fights import OpenFights
from affray.tools.server.server_state import ServerState
from tests.serve.server import HOST
from tests.tools.program import ENCOUNTER

PREFIX = "/club/table"

FIGHTS = (f"duel-{number}" for number in count())


class Links(NamedTuple):
    """The links of a fight, as the server names them."""

    fight: str
    host: str
    gm: str
    ilse: str
    spectator: str


class Server(NamedTuple):
    """A server in a thread of this process; its links have the path prefix that a proxy serves it at."""

    origin: str

    def open_duel(self, *said: str, encounter: str = ENCOUNTER, dice: str = "entered") -> Links:
        """Open a duel, and say some lines as its game master."""
        fight = next(FIGHTS)
        body = {"id": fight, "toml": encounter, "dice": dice}
        headers = {"Authorization": f"Bearer {HOST}"}
        opened = httpx.post(f"{self.origin}/api/fights", json=body, headers=headers, trust_env=False)
        assert opened.status_code == 201, opened.text
        links = opened.json()["links"]
        with Client(links["gm"]) as gm:
            for words in said:
                gm.say(words, reason="so it is")
        host = f"{self.origin}/#token={HOST}"
        return Links(fight, host, links["gm"], links["players"]["Ilse"], links["spectator"])


@contextmanager
def serving_below(folder: Path) -> Iterator[Server]:
    """Serve a folder of fights below ``PREFIX``, as a proxy does that takes the prefix away."""
    store = FileStore(folder, durable=False)
    fights = OpenFights(store)
    # Only a socket that says it is of TCP gets TCP_NODELAY, without which every answer waits for the next packet.
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        origin = f"http://127.0.0.1:{listening.getsockname()[1]}{PREFIX}"
        state = ServerState(fights=fights, grants=open_registry(store), hub=Hub(fights), host=HOST, origin=origin)
        config = uvicorn.Config(_take_prefix(build_application(state)), log_level="error", timeout_graceful_shutdown=1)
        server = uvicorn.Server(config)
        thread = Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            yield Server(origin)
        finally:
            server.should_exit = True
            thread.join(20)


def _take_prefix(inner: ASGIApp) -> ASGIApp:
    """Wrap an application so that it is found below ``PREFIX`` alone."""

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        if "path" in scope:  # else it is about the start or the end of the server
            assert scope["path"].startswith(f"{PREFIX}/"), scope["path"]
            scope["raw_path"] = scope["raw_path"].removeprefix(PREFIX.encode())
            scope["path"] = scope["path"].removeprefix(PREFIX)
        await inner(scope, receive, send)

    return application


class Proxy:
    """A proxy on the way to a server, which cuts connections where a test says so.

    Attributes:
        cuts: Bytes that the server will send, in order. Before each of them the connection is cut.
    """

    def __init__(self, listening: socket.socket, port: int) -> None:
        self.port = port
        self.cuts: list[bytes] = []
        self._listening = listening
        self._open: list[socket.socket] = []

    def run(self) -> None:
        """Carry what comes, until the proxy is ended."""
        threads = []
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                server = socket.create_connection(("127.0.0.1", self.port))
                self._open += (client, server)
                threads += [Thread(target=self._carry, args=(client, server, False))]
                threads += [Thread(target=self._carry, args=(server, client, True))]
                for thread in threads[-2:]:
                    thread.start()
        for thread in threads:
            thread.join(20)
        for one in self._open:
            one.close()

    def end(self) -> None:
        """Cut all connections."""
        for one in (self._listening, *self._open):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def _carry(self, source: socket.socket, sink: socket.socket, cuts: bool) -> None:
        seen = b""
        with suppress(OSError):
            while part := source.recv(1 << 16):
                seen += part
                if cuts and self.cuts and self.cuts[0] in seen:
                    unsent = len(seen) - seen.index(self.cuts.pop(0))
                    sink.sendall(part[: max(0, len(part) - unsent)])
                    break
                sink.sendall(part)
        for one in (source, sink):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)


@contextmanager
def proxy_before(link: str) -> Iterator[tuple[Proxy, str]]:
    """Put a proxy before the server of a link; yield it with the link through it."""
    port = int(link.split(":")[2].split("/", maxsplit=1)[0])
    with socket.create_server(("127.0.0.1", 0)) as listening:
        proxy = Proxy(listening, port)
        thread = Thread(target=proxy.run)
        thread.start()
        try:
            yield proxy, link.replace(f":{port}/", f":{listening.getsockname()[1]}/")
        finally:
            proxy.end()
            thread.join(20)


@contextmanager
def saying(*answers: bytes) -> Iterator[str]:
    """Serve these bytes for each connection in order, then close it; yield the link."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def say() -> None:
            for answer in answers:
                client, _ = listening.accept()
                with client:
                    while b"\r\n\r\n" not in client.recv(1 << 16, socket.MSG_PEEK):
                        pass
                    client.recv(1 << 16)
                    client.sendall(answer)

        thread = Thread(target=say)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}/#fight=duel&token=token"
        finally:
            thread.join(20)


class Driver:
    """A client, synchronous or asynchronous, whose calls a test waits for.

    Attributes:
        pauses: The pauses that the client took; none of them lasts.
    """

    def __init__(self, link: str, fight: str = "", *, asynchronous: bool = False) -> None:
        self.pauses: list[float] = []
        self._followed: list[Generator[Update, None, None]] = []
        self._runner = asyncio.Runner() if asynchronous else None
        self._client: Any = (
            AsyncClient(link, fight, wait=self._pause) if asynchronous else Client(link, fight, wait=self.pauses.append)
        )

    def __getattr__(self, name: str) -> Any:
        """Return a call that is waited for."""
        call = getattr(self._client, name)
        return call if self._runner is None else lambda *args, **named: self._run(call(*args, **named))

    def follow(self, since: Moment | None = None, **options: Any) -> Iterator[Update]:
        """Follow the fight."""
        updates = self._client.follow(since, **options)
        followed = updates if self._runner is None else self._take(updates)
        self._followed.append(followed)
        return followed

    def leave(self) -> None:
        """Close the client."""
        for one in self._followed:
            one.close()
        self.close()
        if self._runner is not None:
            self._runner.close()

    def _take(self, updates: Any) -> Generator[Update, None, None]:
        try:
            while True:
                yield self._run(anext(updates))
        finally:
            self._run(updates.aclose())

    async def _pause(self, seconds: float) -> None:
        self.pauses.append(seconds)

    def _run(self, awaited: Any) -> Any:
        async def wait() -> Any:
            return await awaited

        assert self._runner is not None
        return self._runner.run(wait())
