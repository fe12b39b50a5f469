"""The kinds of hostile use: what a link, or a client without one, can do to hold a server."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import msgspec

from .hostile import (
    BINARY,
    COMPRESSED,
    PING,
    PONG,
    TEXT,
    Target,
    asked,
    flooded,
    frame,
    make_http_request,
    make_ws_command,
    opened,
    reconnected,
    stormed,
)
from .large import LARGE
from .many import MANY

Attack = Callable[[Target], Coroutine[Any, Any, None]]

PASSED = {"type": "Passed", "window": "none", "who": "red-0"}
OTHERS = {"type": "Declared", "actor": "blue-1", "kind": "end_turn", "params": {}}
NOTE = {"type": "Ruled", "kind": "note", "params": {"text": "x"}, "reason": "so"}
AUTO = {"type": "Auto", "side": "red", "policy": "searching"}
ASKING = [{"type": "AskingSet", "who": "red-0", "ask": ask} for ask in ("never", "always")]

E = msgspec.json.encode


def said(many: int) -> dict[str, str]:
    """Return words of that length which mean nothing."""
    return {"type": "Said", "words": ("red 0 attack nobody " * many)[:many], "reason": ""}


def framed(*contents: bytes) -> list[bytes]:
    """Return contents as text frames."""
    return [frame(content) for content in contents]


def many(*intents: object) -> list[bytes]:
    """Return a thousand commands, each with a unique id, as frames."""
    return [frame(make_ws_command(intents[nth % len(intents)])) for nth in range(1_000)]


def bomb() -> bytes:
    """Return a compressed frame of 250 KB."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -12)
    content = packer.compress(b" " * 250_000) + packer.flush(zlib.Z_SYNC_FLUSH)
    return frame(content.removesuffix(b"\0\0\xff\xff"), COMPRESSED)


SOCKET: dict[str, Attack] = {
    "valid commands": lambda on: flooded(on, "gm", many(NOTE)),
    "valid commands, answers not read": lambda on: flooded(on, "gm", many(NOTE), reads=False),
    "valid standing asks": lambda on: flooded(on, "player", many(*ASKING)),
    "valid words stirred in": lambda on: flooded(on, "player", many({"type": "Stir", "words": "luck"})),
    "refused by the rules": lambda on: flooded(on, "player", many(PASSED)),
    "refused to the player": lambda on: flooded(on, "player", many(OTHERS)),
    "refused words of 1 KB": lambda on: flooded(on, "player", many(said(1_000))),
    "refused words of 2 KB, 30 sockets": lambda on: flooded(on, "player", many(said(2_000)), sockets=30),
    "refused undo": lambda on: flooded(on, "player", many({"type": "Undo"})),
    "refused to a spectator": lambda on: flooded(on, "spectator", many(PASSED)),
    "out of date": lambda on: flooded(on, "player", framed(make_ws_command(PASSED, expected=1))),
    "one id again and again": lambda on: flooded(on, "gm", framed(make_ws_command(NOTE, "again"))),
    "unknown intent": lambda on: flooded(on, "player", framed(make_ws_command({"type": "Nothing"}))),
    "unknown field": lambda on: flooded(on, "player", framed(make_ws_command(PASSED, more=1))),
    "{} of a player": lambda on: flooded(on, "player", framed(b"{}"), many=40_000),
    "{} of a spectator": lambda on: flooded(on, "spectator", framed(b"{}"), many=40_000),
    "no JSON": lambda on: flooded(on, "spectator", framed(b"no JSON")),
    "nested 5,000 deep": lambda on: flooded(on, "spectator", framed(b"[" * 5_000)),
    "huge command": lambda on: flooded(on, "player", framed(make_ws_command({"type": "Said", "words": "x" * 250_000}))),
    "huge, no JSON": lambda on: flooded(on, "spectator", framed(b"{" + b" " * 250_000)),
    "too long": lambda on: reconnected(on, "player", frame(b"x" * 300_000)),
    "binary": lambda on: flooded(on, "spectator", [frame(b"\0\1", BINARY)]),
    "empty": lambda on: flooded(on, "spectator", framed(b"")),
    "pings": lambda on: flooded(on, "spectator", [frame(b"x" * 125, PING)], many=50_000),
    "pings, 30 sockets": lambda on: flooded(on, "player", [frame(b"", PING)], sockets=30),
    "pongs": lambda on: flooded(on, "spectator", [frame(b"", PONG)], many=50_000),
    "empty fragments": lambda on: flooded(on, "spectator", [frame(b"", TEXT & 0x7F), *[frame(b"", 0)] * 20_000]),
    "message that never ends": lambda on: opened_sockets(on, b"\x01\x85", b"\0"),
    "compressed 250 KB": lambda on: flooded(on, "spectator", [bomb()]),
    "gone with 4,000 refused": lambda on: reconnected(on, "player", b"".join(many(said(1_000)) * 4), sockets=2),
    "come and gone": lambda on: reconnected(on, "spectator", b""),
    "catching up from the start": lambda on: reconnected(on, "spectator", b"", after=0, headline=True),
    "nobody says who comes": lambda on: flooded(on, "", [], many=0, sockets=200),
    "tokens of nobody": lambda on: reconnected(on, "nobody's", b""),
}
"""Over WebSockets."""


async def opened_sockets(on: Target, begun: bytes, drips: bytes) -> None:
    """Begin a message on 30 sockets, and never end it."""
    await flooded(on, "player", [begun, *[drips] * 200], sockets=30, many=200)


def posts(path: str, role: str, *bodies: object, raw: bytes = b"", connections: int = 10) -> Attack:
    """Return an attack that posts these bodies."""
    encoded = [raw] if raw else [E(body) for body in bodies]
    return lambda on: asked(
        on, [make_http_request(on, "POST", path, role, one) for one in encoded], connections=connections
    )


def gets(path: str, role: str = "spectator", connections: int = 10, pipelined: int = 1) -> Attack:
    """Return an attack that asks for the same again and again."""
    return lambda on: asked(
        on, [make_http_request(on, "GET", path, role)], connections=connections, pipelined=pipelined
    )


def make_command_bodies(*intents: object, many: int = 500) -> list[dict[str, object]]:
    """Return bodies of commands with these intents in turns, each with a unique id."""
    return [{"id": f"http-{nth}-{id(intents[0])}", "intent": intents[nth % len(intents)]} for nth in range(many)]


LOG = "\n".join(['{"v":1}'] * 20_000)

OPENING = (Path(__file__).parents[2] / "replays" / "vestige" / "closed-bridge.jsonl").read_text("utf-8").split("\n")[0]
LONG_LINE = OPENING + (
    '\n{"position":2,"time":"2025-06-01T12:00:00.000Z","who":"gm","cause":"x","hash":"'
    + "0" * 64
    + '","event":{"type":"Declared","actor":"x","kind":"attack","params":{"a":['
    + "[]," * 2_000_000
    + "0]}}}\n"
)
"""A log whose second line holds two million lists."""

HTTP: dict[str, Attack] = {
    "valid commands": posts("commands", "gm", *make_command_bodies(NOTE)),
    "refused commands": posts("commands", "player", *make_command_bodies(PASSED)),
    "refused words of 2 KB, 100 at once": posts(
        "commands", "player", *make_command_bodies(said(2_000)), connections=100
    ),
    "malformed": posts("commands", "player", raw=b"{"),
    "huge command": posts("commands", "player", *make_command_bodies({"type": "Said", "words": "x" * 250_000}, many=1)),
    "body too long": posts("commands", "player", raw=b"x" * 400_000),
    "bodies that never end": lambda on: opened(
        on, make_http_request(on, "POST", "commands", "player", Content_Length="200000"), drips=b"x"
    ),
    "heads that never end": lambda on: opened(on, b"GET / HTTP/1.1\r\n", drips=b"X: y\r\n"),
    "1,000 requests in a row": gets("", pipelined=1_000, connections=4),
    "about, 100 at once": gets("", connections=100),
    "state": gets("state"),
    "state as it was": gets("state?at=1000"),
    "legal": gets("legal", "player"),
    "legal of one": gets("legal/red-0", "player"),
    "next field, 9 KB chosen": gets("legal/red-0/attack?chosen=" + "%7B%22a%22:" + "1" * 9_000 + "%7D", "player"),
    "aims": gets("aims/red-0/blue-1", "player"),
    "ways": gets("ways/red-0", "player"),
    "likely": gets("likely/red-0", "player"),
    "story": gets("story"),
    "log": gets("log"),
    "headlines": gets("headlines"),
    "explain": gets("explain/1000"),
    "cost": gets("cost"),
    "audit": gets("audit"),
    "audit after each command": lambda on: asked(
        on,
        [
            one
            for body in make_command_bodies(*ASKING, many=50)
            for one in (
                make_http_request(on, "POST", "commands", "player", E(body)),
                make_http_request(on, "GET", "audit", "player"),
            )
        ],
        connections=4,
    ),
    "report": gets("export.html"),
    "report, not read": lambda on: opened(on, make_http_request(on, "GET", "export.html", "spectator"), connections=20),
    "log file, not read": lambda on: opened(on, make_http_request(on, "GET", "log.jsonl", "spectator"), connections=20),
    "forecasts": posts("forecasts", "player", {"what": "odds"}, {"what": "luck"}),
    "a log told": posts("/api/told", "", {"log": LOG}),
    "one long line told": posts("/api/told", "", {"log": LONG_LINE}, connections=1),
    "short lines told": posts("/api/told", "", {"log": "ab\n" * 2_000_000}, connections=1),
    "previews": posts("preview", "gm", {"id": "look", "intent": {"type": "Amend", "position": 900, "reason": "x"}}),
    "a policy that looks ahead": posts("commands", "gm", *make_command_bodies(AUTO)),
    "forks": posts("fork", "gm", *({"id": f"brawl-{nth}"} for nth in range(20)), connections=4),
    "links given out": posts("grants", "gm", {"role": "spectator", "name": "Eve"}),
    "pictures": lambda on: asked(
        on, [make_http_request(on, "POST", "pictures", "gm", b"\x89PNG\r\n\x1a\n" + b"\0" * 8_000_000)], connections=4
    ),
    "who is there": gets("present"),
    "tables": gets("/api/systems/wwn/tables?search=a", ""),
    "files of the page": gets("/static/app.js", "", connections=100),
    "long paths": gets("/static/" + "x" * 40_000, ""),
    "the description": gets("/schema/openapi.json", ""),
    "books": gets("/rules/wwn", ""),
    "tokens of nobody": gets("state", "nobody's", connections=100),
    "connections and nothing": lambda on: stormed(on, at_once=500),
    "requests and gone": lambda on: stormed(on, make_http_request(on, "GET", "story", "spectator")),
}
"""Over HTTP."""

EVENTS: dict[str, Attack] = {
    "from the start, read": lambda on: opened(
        on, make_http_request(on, "GET", "feed?after=0", "spectator"), connections=100, reads=True
    ),
    "from the start, not read": lambda on: opened(on, make_http_request(on, "GET", "feed?after=0", "spectator")),
    "all there is, one link of a player": lambda on: opened(
        on, make_http_request(on, "GET", "feed?headline=true&present=true", "player"), connections=1_000, reads=True
    ),
    "come and gone": lambda on: stormed(on, make_http_request(on, "GET", "feed?present=true", "player"), at_once=50),
    "malformed": gets("feed?after=x", "player"),
}
"""Over Server-Sent Events."""

KINDS: dict[str, Attack] = {
    f"{way}: {name}": attack
    for way, kinds in (("WebSocket", SOCKET), ("HTTP", HTTP), ("feed", EVENTS), ("large", LARGE), ("many", MANY))
    for name, attack in kinds.items()
}
