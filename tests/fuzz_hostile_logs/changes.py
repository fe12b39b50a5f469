"""Changes of a log; a mutant has at least one. Each returns its description."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

from tests.forging import Obj

from .logs import RAW, SEEDS, Log, iterate_nested_places, list_known_values, seed

POINTERS = (
    "to",
    "lane",
    "left",
    "position",
    "commands",
    "generation",
    "format",
    "at",
    "nth",
    "round",
    "before",
    "after",
)
STRANGE: tuple[Any, ...] = (
    0, 1, -1, 2, 7, 99, 2**31, 2**63 - 1, -(2**63), 10**30, 0.5, -0.0, 1e308, True, False, None, [], {}, [[]], {"": 0},
    ["nobody"], {"nobody": 3}, {"kind": 7}, "", " ", "*", "gm", "nobody", "a:b", "a|b", "1/x/2", "0,0", "-3,99",
    "1e400", "é\u202e", "x" * 3000, "two\nlines", "\x1b[31m", *RAW,
)  # fmt: skip
"""What stands in no log, or seldom."""


def _event(log: Log, dice: Random) -> Obj:
    entry = dice.choice(log)
    return entry["event"] if isinstance(entry.get("event"), dict) else {}


def _spot(log: Log, dice: Random) -> tuple[Any, Any]:
    """Return a place within some event, of one type as likely as of another."""
    types: dict[str, list[Obj]] = {}
    for entry in log:
        event = entry.get("event")
        if isinstance(event, dict):
            types.setdefault(str(event.get("type")), []).append(event)
    if not types:
        return {"x": 0}, "x"
    found = [
        place for place in iterate_nested_places(dice.choice(types[dice.choice(list(types))])) if place[1] != "type"
    ]
    return dice.choice(found) if found else ({"x": 0}, "x")


def _other_value(log: Log, nth: int, dice: Random) -> str:
    """Put in its place what stands elsewhere in the fight under the same name."""
    holder, key = _spot(log, dice)
    values = list_known_values(nth).get(key) if isinstance(key, str) else None
    before = holder[key]
    holder[key] = deepcopy(dice.choice(values)) if values else before
    return f"{key}: {before!r:.60} → {holder[key]!r:.60}"


def _other_reference(log: Log, nth: int, dice: Random) -> str:
    """Replace a reference by another word of the fight, of any kind."""
    every = [
        (holder, key)
        for entry in log
        for holder, key in iterate_nested_places(entry.get("event"))
        if isinstance(holder[key], str)
    ]
    every = [place for place in every if place[1] != "type"]
    if not every:
        return "nothing"
    (holder, key), (other, there) = dice.choice(every), dice.choice(every)
    before, holder[key] = holder[key], other[there]
    return f"{key}: {before!r:.60} → {holder[key]!r:.60}"


def _strange(log: Log, _: int, dice: Random) -> str:
    """Put in its place what stands in no log: of the same kind, or of any."""
    holder, key = _spot(log, dice)
    alike = [value for value in STRANGE if type(value) is type(holder[key])]
    before, holder[key] = holder[key], deepcopy(dice.choice(alike if alike and dice.random() < 0.8 else STRANGE))
    return f"{key}: {before!r:.60} → {holder[key]!r:.60}"


def _number(log: Log, _: int, dice: Random) -> str:
    """Put another number."""
    every = [(h, k) for entry in log for h, k in iterate_nested_places(entry.get("event")) if type(h[k]) is int]
    if not every:
        return "nothing"
    holder, key = dice.choice(every)
    before, holder[key] = holder[key], dice.choice((0, -1, before_or(dice, holder[key]), 2**63 - 1, -5, 1000, len(log)))
    return f"{key}: {before!r} → {holder[key]!r}"


def before_or(dice: Random, value: int) -> int:
    """Return a number near another one."""
    return value + dice.choice((-2, -1, 1, 2))


def _left_out(log: Log, _: int, dice: Random) -> str:
    """Leave a field, a key or a member out."""
    holder, key = _spot(log, dice)
    value = holder.pop(key)
    return f"{key}: {value!r:.60}"


def _member(log: Log, _: int, dice: Random) -> str:
    """Double or add a member."""
    holder, key = _spot(log, dice)
    value = holder[key]
    if isinstance(value, list) and value:
        value.append(deepcopy(dice.choice(value)))
    elif isinstance(value, dict):
        value[str(dice.choice(("nobody", "", "hp", "x")))] = dice.choice((0, 3, "x"))
    elif isinstance(value, str):
        holder[key] = value + dice.choice(("x", ":", "/", "#2", value))
    return f"{key}: {value!r:.60}"


def _struck(log: Log, _: int, dice: Random) -> str:
    """Strike a line or a few."""
    at = dice.randrange(len(log))
    many = dice.choice((1, 1, 1, 3, 10))
    gone = log[at : at + many] if len(log) > many else []
    if gone:
        del log[at : at + many]
    return f"from {at + 1}: {[one['event'].get('type') for one in gone if isinstance(one.get('event'), dict)][:4]}"


def _doubled(log: Log, _: int, dice: Random) -> str:
    """Say a line again, there or elsewhere."""
    one = deepcopy(dice.choice(log))
    at = dice.randrange(len(log) + 1)
    _joins(log, at, one, dice)
    return f"{one['event'].get('type') if isinstance(one.get('event'), dict) else one!r:.40} before {at + 1}"


def _moved(log: Log, _: int, dice: Random) -> str:
    """Take a line elsewhere."""
    one = log.pop(dice.randrange(len(log)))
    at = dice.randrange(len(log) + 1)
    _joins(log, at, one, dice)
    return f"{one['event'].get('type') if isinstance(one.get('event'), dict) else one!r:.40} to {at + 1}"


def _joins(log: Log, at: int, one: Obj, dice: Random) -> None:
    """Insert a line, as part of the command there or as a separate one."""
    if log and dice.random() < 0.7:
        beside = log[min(at, len(log) - 1)]
        one = {**one, "cause": beside.get("cause"), "who": beside.get("who"), "time": beside.get("time")}
    log.insert(at, one)


def _foreign(log: Log, _: int, dice: Random) -> str:
    """Insert a line of another fight, perhaps of another system, about a combatant of this one."""
    name, entries = seed(dice.randrange(len(SEEDS)))
    types: dict[str, list[Obj]] = {}
    for entry in entries:
        types.setdefault(entry["event"]["type"], []).append(entry)
    one = deepcopy(dice.choice(types[dice.choice(list(types))]))
    here = [entry["event"]["who"] for entry in log if isinstance(entry.get("event"), dict) and "who" in entry["event"]]
    for key in ("who", "actor", "by"):
        if here and key in one["event"] and dice.random() < 0.7:
            one["event"][key] = dice.choice(here)
    at = dice.randrange(len(log) + 1)
    _joins(log, at, one, dice)
    return f"{one['event']['type']} of {name} before {at + 1}"


def _record(log: Log, _: int, dice: Random) -> str:
    """Put in an event about the record that points anywhere."""
    size = len(log)

    def anywhere() -> int:
        return dice.choice((0, -1, 1, size, size + 1, 2**62, dice.randint(1, size), dice.randint(1, size)))

    event: Obj = dice.choice(
        (
            {"type": "Rewound", "to": anywhere(), "lane": anywhere(), "commands": anywhere()},
            {"type": "Restored", "lane": anywhere(), "left": anywhere(), "commands": dice.choice((0, anywhere()))},
            {"type": "Amended", "position": anywhere(), "to": anywhere(), "lane": anywhere(), "dropped": [anywhere()]},
            {"type": "Previewed", "position": anywhere(), "rolls": ["nothing"]},
            {"type": "UndoRequested", "to": anywhere(), "lane": anywhere(), "commands": anywhere()},
            {"type": "UndoDeclined", "request": anywhere()},
            {"type": "Rewound", "to": anywhere(), "lane": size, "commands": 1, "request": anywhere()},
            {"type": "Forked", "fight": "x", "parent": "y", "position": anywhere(), "commitment": "zz"},
            {"type": "Closed", "seed": dice.choice(("", "zz", "00", "00" * 32)), "reason": ""},
            {"type": "DiceRenewed", "generation": anywhere()},
            {"type": "FormatRaised", "format": dice.choice((0, 1, 2, 3, 4, -1, 2**62))},
            {"type": "RulesetAdopted", "version": "99", "digest": ""},
            {"type": "EntropyAdded", "words": "late"},
        )
    )
    at = dice.choice((len(log), dice.randrange(1, len(log) + 1)))
    before = log[at - 1]
    cause = dice.choice((before.get("cause"), f"record {at}"))
    log.insert(at, {**before, "cause": cause, "event": event})
    return f"{event} before {at + 1}"


def _retyped(log: Log, _: int, dice: Random) -> str:
    """Give an event another type, with what that type needs from elsewhere."""
    name, entries = seed(dice.randrange(len(SEEDS)))
    event, other = _event(log, dice), dice.choice(entries)["event"]
    was = event.get("type")
    kept = {key: value for key, value in event.items() if key in other and key != "type"}
    event.clear()
    event.update({**deepcopy(other), **kept})
    return f"{was} → {event.get('type')} ({name})"


def _envelope(log: Log, _: int, dice: Random) -> str:
    """Change what is written around an event."""
    entry = dice.choice(log)
    key = dice.choice(("position", "time", "who", "cause", "more", "audience", "salt", "known_to", "mask"))
    values = [other.get(key) for other in log if key in other]
    entry[key] = dice.choice((*values, "", "nobody", 0, -1, 7, ["nobody"], [], None, "2026-99-99T00:00:00Z", "x\ny"))
    return f"{key} → {entry[key]!r:.60}"


def _deep(log: Log, _: int, dice: Random) -> str:
    """Nest what people entered without end."""
    found = [entry["event"] for entry in log if isinstance(entry.get("event"), dict) and "params" in entry["event"]]
    if not found:
        return "nothing"
    event = dice.choice(found)
    depth = dice.choice((3, 200, 900))
    value: Any = dice.choice((0, "x"))
    for _nth in range(depth):
        value = [value] if dice.random() < 0.5 else {"a": value}
    params = event["params"]
    if isinstance(params, dict) and params and dice.random() < 0.7:
        params[dice.choice(list(params))] = value
    else:
        event["params"] = value
    return f"{event.get('type')} {depth} deep"


def _params(log: Log, _: int, dice: Random) -> str:
    """Change what was declared or ruled."""
    found = [entry["event"] for entry in log if isinstance(entry.get("event"), dict) and "params" in entry["event"]]
    if not found:
        return "nothing"
    event = dice.choice(found)
    every = list(iterate_nested_places(event["params"]))
    if every and dice.random() < 0.8:
        holder, key = dice.choice(every)
        holder[key] = deepcopy(dice.choice(STRANGE))
    else:
        event[dice.choice(("params", "kind", "manner", "actor"))] = deepcopy(dice.choice(STRANGE))
    return f"{event!r:.150}"


def _joined(log: Log, _: int, dice: Random) -> str:
    """Have two logs in one, or the first half of one before the second of another."""
    name, entries = seed(dice.randrange(len(SEEDS)))
    if dice.random() < 0.5:
        log.extend(deepcopy(list(entries[:100])))
    else:
        log[dice.randrange(len(log)) :] = deepcopy(list(entries[dice.randrange(len(entries)) :][:100]))
    return name


def _beheaded(log: Log, _: int, dice: Random) -> str:
    """Begin further on."""
    many = dice.choice((1, 1, 2, 5, 30))
    if len(log) > many:
        del log[:many]
    return str(many)


WAYS: tuple[Callable[[Log, int, Random], str], ...] = (
    _other_value, _other_value, _other_reference, _other_reference, _strange, _strange, _number, _left_out, _member,
    _struck, _doubled, _moved, _foreign, _record, _record, _retyped, _envelope, _deep, _params, _joined, _beheaded,
)  # fmt: skip
