"""``affray serve`` in a separate process that can be killed and restarted."""

from __future__ import annotations

import re
import socket
from pathlib import Path
from random import Random
from typing import Literal

import msgspec

from affray.engine import Fight, SqliteStore, begin_fight, open_fight
from affray.engine.analysis.policies import choose_sensibly
from affray.engine.stores.protocol import Store
from affray.events import Recorded, TurnBegan
from tests.engine.fights import salt, submit_accepted
from tests.engine.memory import MemoryStore
from tests.tools.program import THEN, Running

LINK = re.compile(r"^  (?P<who>.+?)\s+(?P<link>http://\S+)$")

HOST = "Host, who opens fights and may enter all: "
"""What stands before the host's link."""


class Served:
    """A folder of fights and the server before it.

    Attributes:
        address: Where it is found, also after it was started again.
        links: Per fight the links that were printed for it last, by whom they are for.
        host: The link of whoever runs it, as it was printed last.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port: int = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.links: dict[str, dict[str, str]] = {}
        self.host = ""
        self.store = SqliteStore(folder / "fights.db")
        self.program: Running | None = None

    def __enter__(self) -> Served:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def begin(
        self, name: str, encounter: str, *, dice: Literal["engine", "entered"] = "engine", first: str = ""
    ) -> None:
        """Store a fight with fixed dice or entered ones; ``first`` has its first turn."""
        seeds = (bytes(range(nth, nth + 32)) for nth in range(192)) if dice == "engine" else (None,)
        seed = next(one for one in seeds if first in ("", first_up(opened(name, encounter, one, MemoryStore()))))
        opened(name, encounter, seed, self.store)

    def start(self, *fights: str) -> None:
        """Serve, and read what is printed until it listens."""
        self.program = Running(self.folder, "serve", *fights, "--port", str(self.port))
        said, fight = [], ""
        for line in self.program.out:
            said.append(line)
            found = LINK.match(line.rstrip("\n"))
            if found:
                self.links.setdefault(fight, {})[found["who"]] = found["link"]
            elif line.startswith(HOST):
                self.host = line.removeprefix(HOST).strip()
            elif line.startswith("Listening"):
                return
            else:
                fight = line.partition(":")[0].strip()
        raise AssertionError("".join(said) + self.program.err)

    def kill(self) -> None:
        """End it as a power cut does."""
        if self.program is not None:
            self.program.close()
            self.program = None

    def recorded(self, name: str) -> list[Recorded]:
        """Return what is on disk."""
        return list(open_fight(name, self.store).history.recorded)


def opened(name: str, encounter: str, seed: bytes | None, store: Store) -> Fight:
    """Open a fight; the same one whenever it is opened."""
    content = msgspec.toml.decode(encounter)
    return begin_fight(name, content, who="gm", seed=seed, store=store, clock=lambda: THEN, salts=salt)


def first_up(fight: Fight) -> str:
    """Return the combatant with the first turn, if only the required inputs are made."""
    recorded = fight.history.recorded
    while not (began := [one.event.slot for one in recorded if isinstance(one.event, TurnBegan)]):
        intent = choose_sensibly(fight, Random(0))
        assert intent is not None
        submit_accepted(fight, intent)
    return began[0]
