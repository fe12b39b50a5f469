"""A fight that is followed: who moves it, and a client of its feed by the book."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec import UNSET, Raw

from affray.engine.analysis.policies import choose_sensibly
from affray.engine.commands import Amend, Close, Command, Intent, Redo, Undo
from affray.engine.core.evolve import fold
from affray.engine.core.state import State, digest
from affray.engine.fight import Fight
from affray.engine.opening import begin_fight, open_fight
from affray.engine.stores import FileStore
from affray.engine.visibility import Viewer, WireLine, list_bands, project_for_sending, verify_wire
from affray.events import Declared, Ruled, decode_line
from affray.tools.lab.bench.brawl import NOON, SEED, brawl
from affray.tools.server.feed import encode_messages
from affray.tools.server.hub import Hub
from affray.tools.server.subscription import Subscription

NAME = "brawl"
GM = Viewer(role="gm", name="gm")
SPECTATOR = Viewer(role="spectator", name="eve")
RED = Viewer(role="player", name="ilse", owns=("red-0", "red-2"))
VIEWERS = (GM, RED, SPECTATOR)

T = TypeVar("T")


class Process:
    """One server process: its fights, its hub, and a sender of commands.

    Several of them over one folder are several processes.
    """

    def __init__(self, folder: Path, combatants: int = 4) -> None:
        self.store = FileStore(folder, durable=False)
        if not self.store.fights():
            begin_fight(NAME, brawl(combatants), who="gm", seed=SEED, store=self.store, clock=lambda: NOON)
        self.hub = Hub(self)
        self.present = open_fight(NAME, self.store)
        self._sent = 0
        self._chance = Random(7)

    async def fight(self, name: str) -> Fight:
        """Return the fight as the store has it by now."""
        assert name == NAME
        if self.store.since(name, self.present.head):
            self.present = open_fight(name, self.store)
        return self.present

    @asynccontextmanager
    async def lock(self, name: str) -> AsyncIterator[Fight]:
        """Give the fight to one user at a time; here there is one alone."""
        yield await self.fight(name)

    async def run_on(self, fight: Fight, work: Callable[..., T], *about: Any) -> T:
        """Do something with the fight."""
        return work(*about)

    async def call_store(self, work: Callable[..., T], *about: Any) -> T:
        """Ask the store, which is a file."""
        return work(*about)

    async def do(self, intent: Intent) -> None:
        """Carry out a command, and let the hub hear of it."""
        fight = await self.fight(NAME)
        self._sent += 1
        fight.submit(Command(id=f"{fight.head}/{self._sent}", who="gm", intent=intent))
        self.hub.schedule_update(NAME)

    async def rule(self, kind: str, **params: Any) -> None:
        """Carry out a ruling."""
        await self.do(Ruled(kind=kind, params=Raw(msgspec.json.encode(params)), reason="because"))

    async def brawl(self, commands: int) -> None:
        """Let them fight on."""
        for _ in range(commands):
            intent = choose_sensibly(await self.fight(NAME), self._chance)
            assert intent is not None
            await self.do(intent)


class Told(NamedTuple):
    """One message of the stream."""

    event: str
    id: str
    data: Any


class Client:
    """A client by the book: folds what is behind its state, and takes what it is told instead.

    Attributes:
        state: As it believes it to be.
        at: The position of that state.
        lines: Every line it was ever sent, in the order they came; one that was opened later, as it can be read now.
        opened: What was opened to it.
        told: Every message of the present connection.
        bands: What it was told last of counters that it may not read.
        noted: Where to put what it would go on from if it were cut off after a message.
    """

    def __init__(self, viewer: Viewer, *, after: int | None = None, state: State | None = None) -> None:
        self.viewer = viewer
        self.after = after
        self.at = after or 0
        self.state = state or State()
        self.lines: list[WireLine] = []
        self.opened: list[WireLine] = []
        self.told: list[Told] = []
        self.bands: Any = {}
        self.noted: list[Client] | None = None
        self._stream: AsyncGenerator[bytes] | None = None

    @property
    def head(self) -> int:
        """The last position it was sent."""
        return self.after or 0

    async def connect(self, process: Process) -> Subscription:
        """Connect, or connect again behind the last line, and read until everything was sent."""
        await self.leave()
        follower = await process.hub.follow(NAME, self.viewer, self.after)
        self._stream = encode_messages(follower)
        self.told = []
        while "ready" not in [one.event for one in self.told]:
            await self.read()
        return follower

    async def read(self) -> None:
        """Take what comes next."""
        assert self._stream is not None
        async with asyncio.timeout(20):
            self.take(await anext(self._stream))

    async def read_to(self, head: int) -> None:
        """Take what comes until the line of a position."""
        while self.head < head:
            await self.read()

    async def read_to_the_end(self) -> None:
        """Take what comes until the server ends the stream."""
        with suppress(StopAsyncIteration):
            while True:
                await self.read()

    async def leave(self) -> None:
        """Go away."""
        if self._stream is not None:
            async with aclosing(self._stream):
                self._stream = None

    def take(self, chunk: bytes) -> None:
        """Take a piece of the stream, which holds whole messages."""
        for text in chunk.decode().removesuffix("\n\n").split("\n\n"):
            fields = dict(line.split(": ", 1) for line in text.split("\n"))
            self._take(Told(fields.get("event", ""), fields.get("id", ""), fields.get("data", "null")))

            if self.noted is not None:
                cut = Client(self.viewer, after=self.after, state=self.state)
                cut.at = self.at
                self.noted.append(cut)

    def _take(self, told: Told) -> None:
        self.told.append(told)
        if told.event == "snapshot":
            message = msgspec.json.decode(told.data)
            self.at, self.bands = message["position"], message["bands"]
            self.state = msgspec.json.decode(told.data, type=_Snapshot).state
            if self.after is None:
                self.after = self.at
        elif told.event == "opened":
            opened = wire_line(told.data)
            assert told.id == "", "an id would make Last-Event-ID run backwards"
            assert opened.position <= self.head
            self.opened.append(opened)
            self.lines = [opened if line.position == opened.position else line for line in self.lines]
        elif told.event == "line":
            line = wire_line(told.data)
            assert told.id == str(line.position)
            self.lines.append(line)
            self.after = line.position
            if line.position > self.at:
                assert line.event is not UNSET, "a sealed line came without the state behind it"
                self.state = fold([decode_line(told.data.encode())], onto=self.state)
                self.at = line.position


def wire_line(data: str) -> WireLine:
    """Read a line; its payload stays as it was written."""
    return msgspec.json.decode(data, type=WireLine)


class _Snapshot(msgspec.Struct):
    state: State


def whole_chain(lines: list[WireLine]) -> None:
    """Assert that lines, from the first position on, are all there once and tie up, sealed or not."""
    previous, format = "", 0
    for number, line in enumerate(lines):
        said = msgspec.json.decode(line.event) if line.event is not UNSET else {}
        format = said["format"] if said.get("type") == "FightOpened" else format
        previous = verify_wire(line, after=number, previous=previous, format=format)
        format = said["format"] if said.get("type") == "FormatRaised" else format


def lively(process: Process) -> list[Callable[[], Any]]:
    """Return commands of every kind that a feed must tell of: fighting, hiding, taking back, correcting."""

    def amended() -> Any:
        declared = [one for one in process.present.history.effective() if isinstance(one.event, Declared)]
        return process.do(Amend(position=declared[-1].position, reason="no such thing"))

    return [
        lambda: process.brawl(6),
        lambda: process.rule("conceal", who="blue-1"),
        lambda: process.brawl(3),
        lambda: process.rule("veil", who="blue-3", pools=["health"]),
        lambda: process.brawl(3),
        lambda: process.rule("pool", who="blue-3", pool="health", by=-700),
        lambda: process.do(Undo(commands=2)),
        lambda: process.do(Redo()),
        lambda: process.rule("secret_roll", dice="2d6", purpose="listening"),
        lambda: process.rule("reveal", who="blue-1"),
        lambda: process.brawl(6),
        lambda: process.rule("unveil", who="blue-3"),
        amended,
        lambda: process.brawl(3),
        lambda: process.do(Close(unfinished=True)),
    ]


async def check_up_to_date(client: Client, process: Process) -> None:
    """Assert that a client has read to the head and believes what is so."""
    await client.read_to(process.present.head)
    state = project_for_sending(client.viewer, process.present.state)
    assert client.at == client.head == process.present.head
    assert digest(client.state) == digest(state)
    if client.viewer.role != "gm":  # who sees the numbers needs no bands
        assert client.bands == list_bands(client.viewer, process.present.state)
