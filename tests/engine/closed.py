"""Automatically played and closed fights of every system, with added words in their dice."""

from __future__ import annotations

from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec

from affray.engine import Fight, Store, begin_fight
from affray.engine.analysis.policies import choose_anything, choose_best
from affray.engine.commands import Close, Command, Intent, Stir, Undo
from affray.engine.forking import ForkRequest, fork_fight
from tests.engine.fights import SEED, noon

ENCOUNTERS = Path(__file__).parents[2] / "encounters"
WORDS = ("salt and pepper", "– of Ilse’s own –")
COMMANDS = 90


def load_first_encounter(system: str) -> Path:
    """Return the first encounter of a system."""
    return min((ENCOUNTERS / system).glob("*.toml"))


def open_system_fight(system: str, name: str, store: Store | None = None, seed: bytes | None = SEED) -> Fight:
    """Open a fight of a system."""
    content = msgspec.toml.decode(load_first_encounter(system).read_bytes())
    return begin_fight(name, content, who="gm", seed=seed, store=store, clock=noon)


def submit_to_closed(fight: Fight, intent: Intent) -> None:
    """Have something done that must be accepted."""
    fight.submit(Command(id=f"after {fight.head}", who="gm", intent=intent))


def go_on(fight: Fight, commands: int = COMMANDS) -> None:
    """Play on, one command in two a sensible one, and take some back in the middle for fresh dice."""
    chance = Random(9)
    for nth in range(commands):
        intent = (choose_anything if nth % 2 else choose_best)(fight, chance)
        if intent is None:
            return
        submit_to_closed(fight, intent)
        if nth == commands // 2:
            submit_to_closed(fight, Undo(commands=4, fresh=True, reason="the table wants it"))


def play_and_close(system: str, name: str, store: Store | None = None, commands: int = COMMANDS) -> Fight:
    """Play a fight with words in its dice, and close it."""
    fight = open_system_fight(system, name, store)
    for words in WORDS:
        submit_to_closed(fight, Stir(words=words))
    go_on(fight, commands)
    submit_to_closed(fight, Close(unfinished=True, reason="it is late"))
    return fight


def shows(said: str | bytes, secret: bytes) -> list[str]:
    """List the forms in which a value shows a secret or a quarter of it: bytes, digits, a list."""
    text = said.encode() if isinstance(said, str) else said
    return [way for way, form in _forms(secret) if form.lower() in text.lower()]


def _forms(secret: bytes) -> Iterator[tuple[str, bytes]]:
    yield "big figure", str(int.from_bytes(secret, "big")).encode()
    yield "little figure", str(int.from_bytes(secret, "little")).encode()
    yield "list", ", ".join(map(str, secret)).encode()
    yield "list of a machine", ",".join(map(str, secret)).encode()
    whole = {
        "raw": secret,
        "hex": secret.hex().encode(),
        "base64": b64encode(secret),
        "base64 for addresses": urlsafe_b64encode(secret),
        "base64 of the hex": b64encode(secret.hex().encode()),
        "hex of the hex": secret.hex().encode().hex().encode(),
        "repr": repr(secret)[2:-1].encode(),
    }
    for way, form in whole.items():
        part = len(form) // 4
        yield from ((f"{way} from {first}", form[first : first + part]) for first in range(0, 4 * part, part))


def fork_open_fight(store: Store, fresh: bytes, words: str) -> Fight:
    """Return a fork of a fight that goes on, behind words stirred in and some commands; both are in the store."""
    parent = open_system_fight("vestige", "parent", store)
    submit_to_closed(parent, Stir(words=words))
    go_on(parent, 20)
    return fork_fight(ForkRequest(parent="parent", name="child", who="gm"), store, store, fresh=fresh, clock=noon)
