"""Whether a log could have been recorded honestly, told without the audit: spelling, envelopes, and deciding it forward."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from hashlib import sha256
from typing import Any

import msgspec
from msgspec.structs import replace

from affray.engine.bounds import check_command
from affray.engine.commands import Command, Stir
from affray.engine.dice import Faces, NamedDice, commitment
from affray.engine.errors import EngineError, Unusable
from affray.engine.fight import Fight
from affray.engine.history import History, segments
from affray.engine.log import read_log
from affray.engine.ruleset import load
from affray.events import (
    ABOUT_THE_RECORD,
    FORMAT,
    INPUTS,
    Amended,
    Closed,
    Concealed,
    ConditionChanged,
    Dice,
    DiceRenewed,
    DistanceSet,
    EntropyAdded,
    FightOpened,
    Forked,
    FormatRaised,
    Id,
    ItemAdded,
    Joined,
    LogError,
    MarkSet,
    PhaseEntered,
    PlaceSet,
    Previewed,
    Recorded,
    RelationSet,
    Restored,
    Rewound,
    RulesetAdopted,
    Veiled,
    ViewSet,
    seal,
)
from tests.mutants.bases import Beside
from tests.tampering.forging import commands

TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z")

OPENING = (
    ConditionChanged, Concealed, DistanceSet, ItemAdded, Joined, MarkSet, PhaseEntered, PlaceSet, RelationSet, Veiled,
    ViewSet,
)  # fmt: skip
"""What an encounter comes to."""


class Dishonest(Exception):
    """No honest program records this; says why."""


def dishonest(lines: Sequence[bytes], key: bytes | None, parent: Beside | None = None) -> str:
    """Return why nobody can have recorded a log honestly; nothing if somebody can.

    Args:
        lines: The log.
        key: The seed that is known beside it.
        parent: What is known of the log that it is a fork of.
    """
    try:
        objs = [_spelt(nth, line) for nth, line in enumerate(lines, 1)]
        _enveloped(objs)
        _chained(lines, objs)
        log = read_log(lines, verified=False)
        _Forward(log, key, lines, parent).go()
    except Dishonest as why:
        return str(why)
    except LogError as why:
        return f"it cannot be read: {why}"
    return ""


def _spelt(nth: int, line: bytes) -> dict[str, Any]:
    """Read a line as JSON, which it must be in the one spelling that we write."""

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
    again = json.dumps(obj, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass")
    if again != line:
        raise Dishonest(f"line {nth} is spelt otherwise than we write it")
    try:
        decoded = msgspec.json.decode(line, type=Recorded)
        if msgspec.json.encode(decoded) != line or _says_defaults(decoded, obj):
            raise Dishonest(f"line {nth} is written otherwise than we write it, or says more")
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        if obj["event"].get("type") != "PassStanding":
            raise Dishonest(f"line {nth} is no event: {error}") from None
    return obj


def _says_defaults(value: Any, obj: Any) -> bool:
    """Tell whether something is written that is left out, since everybody takes it for granted."""
    if isinstance(value, msgspec.Struct):
        defaults = _defaults(type(value))
        return any(
            (part := getattr(value, name)) == defaults.get(name, _NOTHING) or _says_defaults(part, obj[name])
            for name in obj.keys() & set(value.__struct_fields__)
        )
    if isinstance(value, tuple):
        return any(_says_defaults(one, other) for one, other in zip(value, obj, strict=True))
    return False


_NOTHING = object()


@cache
def _defaults(kind: type[msgspec.Struct]) -> dict[str, Any]:
    return {field.name: field.default for field in msgspec.structs.fields(kind)}


def _enveloped(objs: list[dict[str, Any]]) -> None:
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
            _checked(one["who"], one["cause"], nth)
        before = one
    if before is None or before.get("more", 0):
        raise Dishonest("the last command is not whole")


def _checked(who: str, cause: str, nth: int) -> None:
    try:
        check_command(Command(id=cause, who=who, intent=Stir(words="x")))
    except Unusable as why:
        raise Dishonest(f"line {nth} was sent by {who!r} as {cause!r}: {why}") from None


def _chained(lines: Sequence[bytes], objs: list[dict[str, Any]]) -> None:
    """Compute the chain as the description of the log says."""
    previous, format = "", int(objs[0]["event"].get("format", FORMAT))
    for nth, (line, one) in enumerate(zip(lines, objs, strict=True), 1):
        payload = json.dumps(one["event"], separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass")
        if payload not in line:
            raise Dishonest(f"line {nth} is spelt otherwise")
        previous = _hash(one, previous, sha256(one.get("salt", "").encode() + payload).hexdigest(), framed=format >= 4)
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
    return sha256("\n".join((previous, numbers[0], one["time"], *sender, numbers[1], readers, payload)).encode()).hexdigest()


def _netstrings(*texts: str) -> bytes:
    return b"".join(b"%d:%b," % (len(text.encode()), text.encode()) for text in texts)


class _Seeded:
    """The dice of whatever seed stands promised now."""

    def __init__(self) -> None:
        self.now: NamedDice | None = None
        self.promised = ""

    def faces(self, roll: Id, dice: tuple[Dice, ...]) -> Faces | None:
        """Return what the seed says; without a promise, all dice are entered."""
        if not self.promised:
            return None
        if self.now is None:
            raise Dishonest(f"the dice of {roll} fell under a seed that nobody has shown")
        return self.now.faces(roll, dice)


class _Forward:
    """Says again what a log says was said, and compares what comes of it."""

    def __init__(self, log: list[Recorded], key: bytes | None, lines: Sequence[bytes], parent: Beside | None) -> None:
        self.log = log
        self.lines = lines
        self.parent = parent
        self.dice = _Seeded()
        self.words: list[str] = []
        self.fallen = False
        self.judged = 0
        last = log[-1].event
        known = [one for one in (key, parent and parent.key) if one]
        known += [bytes.fromhex(last.seed)] if isinstance(last, Closed) else []
        if parent is not None and isinstance(end := read_log(parent.lines, verified=False)[-1].event, Closed):
            known.append(bytes.fromhex(end.seed))
        self.seeds = {commitment(seed): seed for seed in known}

    def go(self) -> None:
        """Raise ``Dishonest`` where something else comes of it."""
        first, *rest = commands(self.log)
        opening = first[0].event
        if not isinstance(opening, FightOpened):
            raise Dishonest("it does not begin with an opening")
        for one in first[1:]:
            if not isinstance(one.event, OPENING):
                raise Dishonest(f"its opening holds {type(one.event).__name__}")
        try:
            self.ruleset = load(opening.system)
        except Unusable as why:
            raise Dishonest(str(why)) from None
        self.adopt(opening.version)
        self.format = opening.format
        self.history = History()
        self.history.add([replace(first[0], event=replace(opening, format=FORMAT)), *first[1:]])
        self.promise(opening.commitment)
        self.fight = self.stand()
        for command in rest:
            self.command(command)

    def promise(self, promised: str) -> None:
        if promised != self.dice.promised:
            self.words, self.fallen = [], False
        self.dice.promised = promised
        seed = self.seeds.get(promised)
        self.dice.now = NamedDice(seed, self.words) if seed is not None else None

    def adopt(self, version: str) -> None:
        if version != self.ruleset.version:
            raise Dishonest(f"it goes by version {version} of the rules, which is not here")
        self.version = version

    def stand(self) -> Fight:
        history = self.history
        try:
            return Fight("forward", self.ruleset, history, clock=lambda: history.recorded[-1].time, dice=self.dice)
        except Exception as why:
            raise Dishonest(f"nothing can stand at {history.head}: {type(why).__name__}: {why}") from None

    def command(self, command: list[Recorded]) -> None:
        first = command[0]
        event, at = first.event, first.position
        if self.history.closed:
            raise Dishonest(f"position {at} follows the end of the record")
        if type(event) in ABOUT_THE_RECORD and not isinstance(event, Amended):
            self.about(event, command)
            self.history.add(command)
            self.fight = self.stand()
        elif isinstance(event, Amended):
            self.amended(event, command)
        else:
            self.same(command, self.said(first.cause, first.who, event, at), command[0].position)
            self.fallen = self.fallen or any(getattr(one.event, "source", "") == "engine" for one in command)

    def said(self, cause: str, who: str, event: Any, at: int) -> list[Any]:
        try:
            return [one.event for one in self.fight.submit(Command(id=cause, who=who, intent=event)).recorded]
        except EngineError as why:
            raise Dishonest(f"position {at} is refused: {why}") from None

    def same(self, command: list[Recorded], due: list[Any], at: int) -> None:
        found = [one.event for one in command]
        if found != due:
            nth = next((nth for nth, (a, b) in enumerate(zip(due, found, strict=False)) if a != b), min(len(due), len(found)))
            raise Dishonest(f"at position {at + nth} the rules lead elsewhere")

    def about(self, event: Any, command: list[Recorded]) -> None:
        """Check what a record says of itself."""
        history, at = self.history, command[0].position
        rest = [one.event for one in command[1:]]

        def check(right: object, why: str) -> None:
            if not right:
                raise Dishonest(f"position {at}: {why}")

        if isinstance(event, Rewound | Restored):
            fresh = [DiceRenewed(generation=self.generation() + 1)] if event.fresh else []
            check(rest == fresh, "the dice are renewed where nobody asked for it, or not where somebody did")
            to = event.to if isinstance(event, Rewound) else event.lane
            left = event.lane if isinstance(event, Rewound) else event.left
            check(left == history.path[-1], "it leaves another head")
            check(1 <= to <= history.head and history.ends_a_command(to), "it goes to no end of a command")
            check(history.is_effective(to) == isinstance(event, Rewound) and to != left, "it goes where it cannot")
            check(not history.floor or history.floor in history.line(to), "it goes before the fork")
            if isinstance(event, Rewound):
                check(event.commands == history.commands_since(to), "it miscounts")
            else:
                check(type(history.at(to).event) not in ABOUT_THE_RECORD, "it goes to a remark")
            return
        check(not rest, "more follows than can")
        if isinstance(event, Forked):
            raised = isinstance(history.recorded[-1].event, FormatRaised)
            check(event.position == at - 1 - raised, "it says that it was forked elsewhere")
            check(self.parent is not None, "nobody has shown the parent")
            theirs = self.parent.lines if self.parent is not None else ()
            check(tuple(self.lines[: event.position]) == tuple(theirs[: event.position]), "it is no fork of that parent")
            check(bool(event.commitment) == bool(self.dice.promised), "a fork promises a seed if its parent does")
            self.promise(event.commitment)
        elif isinstance(event, EntropyAdded):
            check(self.dice.promised and not self.fallen, "words are stirred in when they cannot be")
            check(0 < len(event.words) <= 200 and event.words.isprintable(), "words cannot be those")
            self.words.append(event.words)
            self.promise(self.dice.promised)
        elif isinstance(event, Closed):
            revealed = commitment(bytes.fromhex(event.seed)) if event.seed else ""
            check(revealed == self.dice.promised, "it reveals another seed")
        elif isinstance(event, FormatRaised):
            check(event.format > self.format, "the format is not raised")
            self.format = event.format
        elif isinstance(event, RulesetAdopted):
            check(event.version != self.version, "the rules are those there were")
            self.adopt(event.version)
        else:
            check(isinstance(event, Previewed), f"nobody asks for {type(event).__name__}")

    def generation(self) -> int:
        used = (one.event.generation for one in self.history.recorded if isinstance(one.event, DiceRenewed))
        return max(used, default=0)

    def amended(self, event: Amended, command: list[Recorded]) -> None:
        """Say again, input by input, what an amendment holds; its end may have been left out."""
        history, at = self.history, command[0].position
        path = history.path
        if event.lane != path[-1] or event.position not in path or path.index(event.position) < 1:
            raise Dishonest(f"position {at} amends what does not count")
        if path[path.index(event.position) - 1] != event.to or type(history.at(event.position).event) not in INPUTS:
            raise Dishonest(f"position {at} amends no input")
        if history.floor and event.to < history.floor:
            raise Dishonest(f"position {at} amends what is before the fork")
        later = [one.event for one in history.effective(after=event.to) if isinstance(one.event, DiceRenewed)]
        put: list[Any] = [event]
        for nth, segment in enumerate(segments(command[1:])):
            first = segment[0].event
            self.half(command, put)
            if isinstance(first, DiceRenewed):
                if first not in later:
                    raise Dishonest(f"position {segment[0].position} renews dice where nobody asked for it")
                later.remove(first)
                put += [one.event for one in segment[:1]]
                if len(segment) > 1:
                    raise Dishonest(f"position {segment[1].position} follows from nothing")
                continue
            self.fight = self.stand()
            due = self.said(f"{nth} of {command[0].cause}"[:200], command[0].who, first, segment[0].position)
            self.same(segment, due, segment[0].position)
            put += due
        history = History()
        history.add(self.history.recorded[: at - 1])
        history.add(command)
        self.history = history
        self.fight = self.stand()

    def half(self, command: list[Recorded], put: list[Any]) -> None:
        """Put half an amendment on record."""
        first = command[0]
        history = History()
        history.add(self.history.recorded[: first.position - 1])
        recorded, _ = seal(
            put, after=history.head, previous=history.head_hash, time=first.time, who=first.who, cause=first.cause
        )
        history.add([replace(one, more=0) for one in recorded])
        self.history = history
