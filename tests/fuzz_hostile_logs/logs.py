"""Recorded fights as plain data, and the writing of such data as a log with valid hashes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from tests.forging import Obj, rechain_lines

ROOT = Path(__file__).parents[2]
SEEDS = sorted(ROOT.glob("replays/*/*.jsonl"))
LONGEST = 150
"""How many lines of a recorded fight are taken at most, now and then apart; reading them all takes longer."""

Log = list[Obj]
RAW: dict[str, bytes] = {
    "raw: too big": b"1e400",
    "raw: too small": b"-1e400",
    "raw: many digits": b"1" * 400,
    "raw: half a character": b'"\\ud800"',
    "raw: no utf-8": b'"\xff\xfe"',
    "raw: nul": b'"\\u0000"',
    "raw: no end": b"[" * 1500 + b"]" * 1500,
    "raw: no end of objects": b'{"a":' * 1500 + b"1" + b"}" * 1500,
    "raw: twice": b'{"a":1,"a":2,"who":"x","who":"y"}',
    "raw: spaces": b"[ 1 ,\t2 ]",
}
"""What stands for what no encoder of ours would write."""


@cache
def seed(nth: int) -> tuple[str, tuple[Obj, ...]]:
    """Return a recorded fight by its number: its name, and its lines as plain values."""
    path = SEEDS[nth % len(SEEDS)]
    return path.parent.name + "/" + path.stem, tuple(map(msgspec.json.decode, path.read_bytes().splitlines()))


@cache
def list_known_values(nth: int) -> dict[str, tuple[Any, ...]]:
    """Return per name of a field every value that a recorded fight has under it."""
    found: dict[str, dict[str, Any]] = {}
    for entry in seed(nth)[1]:
        for holder, key in iterate_nested_places(entry["event"]):
            if isinstance(key, str):
                found.setdefault(key, {})[repr(holder[key])] = holder[key]
    return {key: tuple(values.values()) for key, values in found.items()}


def iterate_nested_places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield everything within a value, as its holder and its key or index there."""
    keys: Sequence[Any] = (
        list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    )
    for key in keys:
        yield value, key
        yield from iterate_nested_places(value[key])


def encode_chained(log: Log) -> bytes:
    """Return a log as it is written, with every hash made to fit as long as there are envelopes."""
    lines = [msgspec.json.encode({**entry, "hash": _HASH}) for entry in log]
    for said, raw in RAW.items():
        lines = [line.replace(msgspec.json.encode(said), raw) for line in lines]
    return b"".join(line + b"\n" for line in rechain_lines(lines))


_HASH = "what the hash will be"
