"""The form of an honest log: spelling, envelopes, chain; with as little of our code as possible."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from hashlib import sha256
from typing import Any

import msgspec

from affray.engine.commands import Command, Stir
from affray.engine.errors import Unusable
from affray.engine.limits import check_command
from affray.events import FORMAT, RawRecorded, Recorded

TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z")


class Dishonest(Exception):
    """No honest program records this; says why."""


def written_honestly(lines: Sequence[bytes]) -> None:
    """Check how a log is written.

    Raises:
        Dishonest: nobody writes it so.
    """
    objs: list[dict[str, Any]] = []
    format = FORMAT
    for nth, line in enumerate(lines, 1):
        objs.append(obj := _spelt(nth, line, format if nth > 1 else 0))
        if obj["event"]["type"] in ("FightOpened", "FormatRaised"):
            format = obj["event"]["format"]
    check_envelopes(objs)
    compute_chain(lines, objs)


def _spelt(nth: int, line: bytes, format: int) -> dict[str, Any]:
    """Read a line as JSON, which it must be in the one spelling that we write.

    Before format 4, what people said was written down as they had spelt it.
    """

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len({key for key, _ in pairs}) < len(pairs):
            raise Dishonest(f"line {nth} has a key twice")
        return dict(pairs)

    try:
        obj = json.loads(line, object_pairs_hook=once)
    except (ValueError, RecursionError) as error:
        raise Dishonest(f"line {nth} is no JSON: {error}") from None
    if not isinstance(obj, dict):
        raise Dishonest(f"line {nth} is no object")
    try:
        decoded = msgspec.json.decode(line, type=Recorded)
        if msgspec.json.encode(decoded) != line or _says_defaults(decoded, obj):
            raise Dishonest(f"line {nth} is written otherwise than we write it, or says more")
        params = bytes(getattr(decoded.event, "params", b""))
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        if obj["event"].get("type") != "PassStanding":
            raise Dishonest(f"line {nth} is no event: {error}") from None
        params = b""
    plain = line.replace(params, encode_spelling(json.loads(params))) if params and format < 4 else line
    if encode_spelling(obj) != plain:
        raise Dishonest(f"line {nth} is spelt otherwise than we write it")
    return obj


def _says_defaults(value: Any, obj: Any) -> bool:
    """Tell whether a default is written that must be left out."""
    if isinstance(value, msgspec.Struct):
        defaults = _defaults(type(value))
        return any(
            (part := getattr(value, name)) == defaults.get(name, _NOTHING) or _says_defaults(part, obj[name])
            for name in obj.keys() & set(value.__struct_fields__)
        )
    if isinstance(value, tuple):
        return any(_says_defaults(one, other) for one, other in zip(value, obj, strict=True))
    return False


def encode_spelling(obj: Any) -> bytes:
    return json.dumps(obj, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass")


_NOTHING = object()


@cache
def _defaults(kind: type[msgspec.Struct]) -> dict[str, Any]:
    return {field.name: field.default for field in msgspec.structs.fields(kind)}


def check_envelopes(objs: list[dict[str, Any]]) -> None:
    """Check positions, times, and that the lines of a command agree."""
    said: set[str] = set()
    before: dict[str, Any] | None = None
    for nth, one in enumerate(objs, 1):
        if one["position"] != nth:
            raise Dishonest(f"line {nth} has position {one['position']}")
        if not TIME.fullmatch(one["time"]):
            raise Dishonest(f"line {nth} has the time {one['time']!r}")
        try:
            datetime.fromisoformat(one["time"])
        except ValueError:
            raise Dishonest(f"line {nth} has the time {one['time']!r}, which there is not") from None
        if before is not None and one["time"] < before["time"]:
            raise Dishonest(f"time runs backwards at line {nth}")
        if before is not None and before.get("more", 0):
            for field in ("time", "who", "cause", "known_to", "mask"):
                if one.get(field) != before.get(field):
                    raise Dishonest(f"line {nth} has another {field} than its command")
            if one.get("more", 0) != before["more"] - 1:
                raise Dishonest(f"line {nth} counts wrongly")
        else:
            if one["cause"] in said:
                raise Dishonest(f"line {nth} has the id {one['cause']} a second time")
            said.add(one["cause"])
            check_sender(one["who"], one["cause"], nth)
        before = one
    if before is None or before.get("more", 0):
        raise Dishonest("the last command is not whole")


def check_sender(who: str, cause: str, nth: int) -> None:
    try:
        check_command(Command(id=cause, who=who, intent=Stir(words="x")))
    except Unusable as why:
        raise Dishonest(f"line {nth} was sent by {who!r} as {cause!r}: {why}") from None


def compute_chain(lines: Sequence[bytes], objs: list[dict[str, Any]]) -> None:
    """Compute the chain as the description of the log says."""
    previous, format = "", int(objs[0]["event"].get("format", FORMAT))
    for nth, (line, one) in enumerate(zip(lines, objs, strict=True), 1):
        payload = bytes(msgspec.json.decode(line, type=RawRecorded).event)
        content = sha256(one.get("salt", "").encode() + payload).hexdigest()
        if format >= 6 and "audience" not in one and "salt" not in one:
            content = payload.decode()
        previous = _hash(one, previous, content, framed=format >= 4)
        if one["hash"] != previous:
            raise Dishonest(f"the chain breaks at line {nth}")
        if one["event"]["type"] == "FormatRaised":
            format = one["event"]["format"]


def _hash(one: dict[str, Any], previous: str, payload: str, *, framed: bool) -> str:
    audience, known_to, salt, mask = (one.get(key) for key in ("audience", "known_to", "salt", "mask"))
    readers, sender = "*", [one["who"], one["cause"]]
    if audience is not None:
        told = _netstrings(salt or "", *audience) if framed else f"{salt or ''}{','.join(audience)}".encode()
        readers = sha256(told).hexdigest()
    if known_to is not None:
        knowing = _netstrings(*known_to).decode() if framed else ",".join(known_to)
        parts = (mask or "", knowing, *sender)
        sender = [sha256(_netstrings(*parts) if framed else "\n".join(parts).encode()).hexdigest()]
    numbers = str(one["position"]), str(one.get("more", 0))
    if framed:
        rest = "\n".join((previous, *numbers, readers, payload)).encode()
        return sha256(_netstrings(one["time"], *sender) + rest).hexdigest()
    return sha256(
        "\n".join((previous, numbers[0], one["time"], *sender, numbers[1], readers, payload)).encode()
    ).hexdigest()


def _netstrings(*texts: str) -> bytes:
    return b"".join(b"%d:%b," % (len(text.encode()), text.encode()) for text in texts)
