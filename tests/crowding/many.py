"""One command that brings much, and one game master with many links."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from msgspec.json import encode

from affray.tools.lab.bench.subscribers import Caller

from .hostile import Target, asked, make_http_request, opened
from .large import FOE, PLAIN

LINKS = 30
"""So many links a game master has, and as many players of one fight own one combatant once, twice and so on."""

WEAPONS = [
    "axe_hand", "axe_war", "blackjack", "bow_large", "bow_small", "claw_blades", "club", "club_great", "crossbow",
    "dagger", "halberd", "hammer_great", "hammer_war", "hurlant_great", "hurlant_hand", "hurlant_long", "mace",
    "pike", "spear_heavy", "spear_light", "staff", "stiletto", "sword_great", "sword_long", "sword_short",
    "throwing_blade",
]  # fmt: skip
"""What newcomers carry."""

LURK = {"name": "Lurk", "side": "enemies", "concealed": True, "at": "8,8", **FOE}
HOARD = {**PLAIN, "name": "hoard", "combatant": [*PLAIN["combatant"], LURK]}


async def prepare_many(host: Caller) -> dict[str, str]:
    """Open the fights, and return tokens by what they are for."""
    tokens: dict[str, str] = {}

    async def enter(fight: str, use: str, role: str, *owns: str) -> None:
        answer = await host.post(f"/api/fights/{fight}/grants", {"role": role, "name": use, "owns": owns})
        tokens[use] = str(answer["token"])

    for name, encounter in (("few", {**PLAIN, "name": "few"}), ("hoard", HOARD)):
        await host.post("/api/fights", {"id": name, "encounter": encounter})
        await enter(name, f"{name}-gm", "gm")
    await host.post("/api/fights/hoard/commands", {"id": "hoard", "intent": make_join_ruling(50, each=10)})
    for nth in range(LINKS):
        await enter("few", f"few-{nth}", "gm")
        await enter("hoard", f"hoard-{nth}", "player", *["runa"] * (nth + 1))
    return tokens


def make_join_ruling(count: int, each: int) -> dict[str, Any]:
    """Return a ruling by which so many combatants join, each with so many weapons."""
    at = [f"{nth % 40 + 20},{nth // 40 + 20}" for nth in range(count)]
    packs = [{"name": name, "at": at[nth::2], "count": len(at[nth::2])} for nth, name in enumerate(("Fox", "Wolf"))]
    newcomers = [{**pack, "side": "enemies", "weapons": WEAPONS[:each], **FOE} for pack in packs]
    return {"type": "Ruled", "kind": "join", "params": {"combatant": newcomers}, "reason": "so"}


def rulings(on: Target, fight: str, *intents: Mapping[str, Any], many: int = 200) -> list[bytes]:
    """Return requests of the game master of a fight that rule in turn."""
    bodies = [
        encode({"id": f"{nth}-{turn}-{id(on)}", "intent": one})
        for turn in range(many)
        for nth, one in enumerate(intents)
    ]
    return [make_http_request(on, "POST", f"/api/fights/{fight}/commands", f"{fight}-gm", body) for body in bodies]


async def joined(on: Target) -> None:
    """Let 900 join a fight of two with 26 weapons each, take them back, and so on, while its game master follows.

    A ruling of 25,000 lines.
    """
    feed = make_http_request(on, "GET", "/api/fights/few/feed?headline=true", "few-gm")
    turns = rulings(on, "few", make_join_ruling(900, each=26), {"type": "Undo", "reason": "so"})
    await asyncio.gather(opened(on, feed, connections=1, reads=True), asked(on, turns, connections=1))


async def coded(on: Target) -> None:
    """Ask for QR codes of long texts, with all links of one fight."""
    body = encode({"link": "aB3" * 330})
    codes = ([make_http_request(on, "POST", "/api/code", f"few-{nth}", body)] for nth in range(LINKS))
    await asyncio.gather(*(asked(on, one, connections=4) for one in codes))


async def owned(on: Target) -> None:
    """Follow a hoard with links that own one combatant once, twice and so on, and rule in secret."""
    path = "/api/fights/hoard/feed?headline=true"
    feeds = (make_http_request(on, "GET", path, f"hoard-{nth}") for nth in range(LINKS))
    hidden = {"type": "Ruled", "kind": "condition", "params": {"who": "lurk", "condition": "prone"}, "reason": "so"}
    turns = rulings(on, "hoard", hidden, {"type": "Undo", "reason": "so"})
    following = (opened(on, feed, connections=1, reads=True) for feed in feeds)
    await asyncio.gather(*following, asked(on, turns, connections=1))


MANY: dict[str, Callable[[Target], Coroutine[Any, Any, None]]] = {
    "hundreds join, and are taken back": joined,
    "codes with 30 links of one fight": coded,
    "30 links that own one several times, and 500 things": owned,
    "state with 500 things": lambda on: asked(on, [make_http_request(on, "GET", "/api/fights/hoard/state", "hoard-0")]),
}
"""Over HTTP."""
