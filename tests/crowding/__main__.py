"""Measures how long one link can delay another: each kind of hostile use against a real server, and a probe beside it.

python -m tests.crowding --seconds 2 --runs 3
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from time import clock_gettime, monotonic, perf_counter, sleep
from typing import NamedTuple

from affray.engine.stores import SqliteStore
from affray.tools.lab.bench.brawl import brawl, recorded_brawl
from affray.tools.lab.bench.server import TOKEN, a_server
from affray.tools.lab.bench.subscribers import Caller, request

from . import large, many
from .kinds import KINDS

GAP_SECONDS = 0.01
"""How long the probe rests between two requests."""

MOST_MS = 100
"""How long a link may delay another."""

MOST_MEMORY = 300
"""By how many megabytes the server may grow in one attack."""


class Measure(NamedTuple):
    """The probe's measurements during one kind of attack.

    Attributes:
        work: The most that the server computed while one of its requests waited, in milliseconds: on a busy machine the
            only measure that tells the server from its neighbours.
        worst, median: How long its requests took by the clock, in milliseconds.
        many: How many it made.
        memory: By how many megabytes the server grew.
    """

    work: float
    worst: float
    median: float
    many: int
    memory: float


def main() -> int:
    """Measure each kind, print a line for it, and say whether any delayed others for too long."""
    said = argparse.ArgumentParser(prog="python -m tests.crowding", description=__doc__)
    said.add_argument("--seconds", type=float, default=2.0, help="of each attack")
    said.add_argument("--runs", type=int, default=3, help="of which the best counts")
    said.add_argument("--events", type=int, default=5_000, help="of the fight that is attacked")
    said.add_argument("--kinds", nargs="*", default=[], help="words of which a kind must hold one")
    chosen = said.parse_args()
    kinds = ["idle", *(kind for kind in KINDS if not chosen.kinds or any(word in kind for word in chosen.kinds))]
    print(f"{'kind':48}{'work ms':>9}{'worst ms':>10}{'median':>8}{'requests':>10}{'+MB':>7}", flush=True)
    late: list[str] = []
    with TemporaryDirectory() as kept:
        store = Path(kept) / "fights.db"
        recorded_brawl(12, chosen.events, store=SqliteStore(store))
        with a_server(store) as (process, port):
            table = asyncio.run(_table(port))
            for kind in kinds:
                found = best([measured(kind, process, port, table, chosen.seconds) for _ in range(chosen.runs)])
                late += [kind] if found.work > MOST_MS or found.memory > MOST_MEMORY else []
                times = f"{found.work:9.0f}{found.worst:10.0f}{found.median:8.1f}"
                print(f"{kind:48}{times}{found.many:10}{found.memory:7.0f}", flush=True)
    print(f"{len(kinds)} kinds, too much in {len(late)}: {', '.join(late) or 'none'}")
    return int(bool(late))


def best(found: Sequence[Measure]) -> Measure:
    """Return the run with the smallest delay, for a busy machine only adds to it; of memory the most counts."""
    return min(found)._replace(memory=max(one.memory for one in found))


async def _table(port: int) -> dict[str, str]:
    """Open a second fight for the probe, and return the tokens of both."""
    host = Caller(port, TOKEN)
    await host.post("/api/fights", {"id": "twin", "encounter": brawl(4)})
    tokens = {"probe": (await _granted(host, "twin", "gm"))}
    for role in ("gm", "player", "spectator"):
        tokens[role] = await _granted(host, "brawl", role)
    tokens |= await large.prepare_large(host) | await many.prepare_many(host)
    await host.leave()
    return tokens


async def _granted(host: Caller, fight: str, role: str) -> str:
    owns = ["red-0", "red-2"] if role == "player" else []
    answer = await host.post(f"/api/fights/{fight}/grants", {"role": role, "name": role, "owns": owns})
    return str(answer["token"])


def measured(kind: str, process: int, port: int, tokens: dict[str, str], seconds: float) -> Measure:
    """Attack in a separate process, and measure meanwhile."""
    before, attacker = _memory(process), None
    if kind != "idle":
        attacker = subprocess.Popen(
            [sys.executable, "-m", __package__ + ".attacking", kind, str(port), json.dumps(tokens), str(seconds)]
        )
    try:
        probed = asyncio.run(_probed(process, port, tokens["probe"], attacker, seconds))
    finally:
        if attacker is not None:
            attacker.kill()
            attacker.wait()
    most = _memory(process)
    sleep(0.5)
    ordered = sorted(took for took, _ in probed)
    work = max(worked for _, worked in probed)
    return Measure(work * 1e3, ordered[-1] * 1e3, ordered[len(ordered) // 2] * 1e3, len(ordered), most - before)


async def _probed(
    process: int, port: int, token: str, attacker: subprocess.Popen[bytes] | None, seconds: float
) -> list[tuple[float, float]]:
    """Return how long each request of another link took, and how long the server computed meanwhile.

    It looks and sends a command in turn, at a fight of its own.
    """
    clock = (~process << 3) | 2  # Linux's clock of the time that another process has computed
    until, probed, sent = monotonic() + seconds + 30, [], 0
    least = monotonic() + seconds
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
    while monotonic() < least or (attacker is not None and attacker.poll() is None and monotonic() < until):
        body = json.dumps({"id": os.urandom(6).hex(), "intent": {"type": "Passed", "window": "w", "who": "red-0"}})
        more = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        look = request("GET", "/api/fights/twin", token)
        act = request("POST", "/api/fights/twin/commands", token, more) + body.encode()
        start, worked = perf_counter(), clock_gettime(clock)
        writer.write(act if sent % 2 else look)
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
        await reader.readexactly(int(length.partition(b":")[2]))
        probed.append((perf_counter() - start, clock_gettime(clock) - worked))
        sent += 1
        await asyncio.sleep(GAP_SECONDS)
    writer.close()
    return probed


def _memory(process: int) -> float:
    """Return how much memory a process holds, in megabytes, as Linux tells it."""
    with suppress(OSError, StopIteration):
        status = Path(f"/proc/{process}/status").read_text("utf-8")
        return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) / 1024
    return 0.0


if __name__ == "__main__":
    sys.exit(main())
