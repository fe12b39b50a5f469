"""Large fights: one of 1,000 combatants with a hidden one, and forks with a very fast combatant."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from msgspec.json import encode

from affray.tools.lab.bench.subscribers import Caller

from .hostile import Target, asked, make_http_request, opened

COMBATANTS = 1_000

VIEWERS = 20
"""So many players with different rights follow the crowd."""

FORKS = 20

FOE = {"hp": 9, "attack": 1, "ac": 12, "morale": 7}
RUNA = {"name": "Runa", "side": "party", "pc": True, "hp": 9, "attack": 1}
CROWD = {
    "system": "wwn",
    "name": "crowd",
    "combatant": [
        RUNA,
        {"name": "Ally", "side": "party", "count": COMBATANTS // 2, **FOE},
        {"name": "Wolf", "side": "enemies", "count": COMBATANTS // 2 - 2, **FOE},
        {"name": "Lurk", "side": "enemies", "concealed": True, **FOE},
    ],
}
PLAIN = {
    "system": "wwn",
    "name": "plain",
    "board": {},
    "combatant": [{**RUNA, "at": "0,0"}, {"name": "Wolf", "side": "enemies", "at": "9,9", **FOE}],
}
BEGIN = {"type": "Said", "words": "gm begin", "reason": ""}
FAST = {"type": "Ruled", "kind": "sheet", "params": {"who": "runa", "stat": "pace", "to": 999}, "reason": "so"}
NOTE = {"type": "Ruled", "kind": "note", "params": {"text": "x"}, "reason": "so"}


async def prepare_large(host: Caller) -> dict[str, str]:
    """Open the fights, and return tokens by what they are for."""
    tokens: dict[str, str] = {}

    async def enter(fight: str, use: str, role: str, *owns: str) -> None:
        answer = await host.post(f"/api/fights/{fight}/grants", {"role": role, "name": use, "owns": owns})
        tokens[use] = str(answer["token"])

    for name, encounter in (("crowd", CROWD), ("plain", PLAIN)):
        await host.post("/api/fights", {"id": name, "encounter": encounter})
        await host.post(f"/api/fights/{name}/commands", {"id": "begin", "intent": BEGIN})
        await enter(name, f"{name}-gm", "gm")
    await enter("crowd", "crowd-spectator", "spectator")
    for nth in range(VIEWERS):
        await enter("crowd", f"crowd-{nth}", "player", f"ally-{_letters(nth)}")
    await host.post("/api/fights/plain/commands", {"id": "fast", "intent": FAST})
    return tokens


def _letters(nth: int) -> str:
    return "abcdefghijklmnopqrstuvwxyz"[nth]


async def followed(on: Target) -> None:
    """Follow the crowd with different rights, and write notes into it."""
    path = "/api/fights/crowd"
    bodies = [encode({"id": f"note-{nth}-{id(on)}", "intent": NOTE}) for nth in range(1_000)]
    notes = [make_http_request(on, "POST", f"{path}/commands", "crowd-gm", body) for body in bodies]
    following = (
        opened(on, make_http_request(on, "GET", f"{path}/feed", f"crowd-{nth}"), connections=1, reads=True)
        for nth in range(VIEWERS)
    )
    await asyncio.gather(*following, asked(on, notes, connections=1))


async def forked(on: Target) -> None:
    """Fork the fight of a fast combatant, and request all ways in each fork."""
    names = [f"plain-{id(on)}-{nth}" for nth in range(FORKS)]
    tokens = dict(on.tokens)

    async def one(name: str) -> None:
        reader, writer = await on.connect()
        writer.write(make_http_request(on, "POST", "/api/fights/plain/fork", "plain-gm", encode({"id": name})))
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
        tokens[name] = (await reader.readexactly(length)).decode().partition("token=")[2].partition('"')[0]
        writer.close()
        asks = make_http_request(on._replace(tokens=tokens), "GET", f"/api/fights/{name}/ways/runa", name)
        await asked(on, [asks], connections=1)

    await asyncio.gather(*map(one, names))


def declarations() -> list[bytes]:
    """Return declarations out of turn, of the player of an ally."""
    said = {"type": "Declared", "actor": "ally-a", "kind": "attack", "params": {"target": "wolf-a"}}
    return [encode({"id": f"out-{nth}", "intent": said}) for nth in range(500)]


LARGE: dict[str, Callable[[Target], Coroutine[Any, Any, None]]] = {
    "state": lambda on: asked(on, [make_http_request(on, "GET", "/api/fights/crowd/state", "crowd-spectator")]),
    "how it stands": lambda on: asked(on, [make_http_request(on, "GET", "/api/fights/crowd", "crowd-0")]),
    "refused declarations": lambda on: asked(
        on, [make_http_request(on, "POST", "/api/fights/crowd/commands", "crowd-0", body) for body in declarations()]
    ),
    "notes while 20 players follow": followed,
    "all ways in 20 forks": forked,
}
"""Against these fights, over HTTP."""
