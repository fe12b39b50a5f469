"""Values, times and characters."""

from __future__ import annotations

import json
from typing import Any

from tests.forging import Obj, encode_obj
from tests.fuzz_audit.draft import Draft, paths
from tests.fuzz_audit.ways import way

EXTREMES: dict[type[Any], tuple[Any, ...]] = {
    bool: (True, False),
    int: (0, 1, -1, 2, 3, 6, 20, 7, 1000, 10**6, 10**9, 2**31, 2**63 - 1, 2**63, 2**64, 10**30, -(2**63)),
    str: ("", "x", "*", "gm", "engine", "entered", "é" * 40, "a" * 3000, "0", "null"),
    float: (0.0, 1.5),
    list: ([], [1], [""], ["gm"], [[]], list(range(1, 400))),
    dict: ({}, {"a": 1}, {"type": "Noted", "text": "x"}),
    type(None): (0, "", False),
}
ODD_TIMES = (
    "", "2025-06-01T12:00:00Z", "2025-06-01T12:00:00.000+00:00", "2025-06-01T12:00:00.000z", "2025-06-01 12:00:00.000Z",
    "2026-W01-1T00:00:00Z", "2026-W01-1T00:00:00.000Z", "2025-152T12:00:00.000Z", "20250601T120000.000Z",
    "2025-06-01T12:00:00.000000Z", "2025-06-01T12:00:00,000Z", "2025-06-01T24:00:00.000Z", "2025-02-30T00:00:00.000Z",
    "2025-06-01T12:60:00.000Z", "2025-06-01T12:00:60.000Z", "0000-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z",
    "+02025-06-01T12:00:00.000Z", "2025-06-01T12:00:00.000ZZ", " 2025-06-01T12:00:00.000Z",
    "2025-06-01T12:00:00.000Z\n",
    "٢٠٢٥-06-01T12:00:00.000Z", "2025-06-01T12:00:00.000+02:00Z", "1", "Z", "2025-06-01T12:00:00.00Z",
    "2025-6-1T12:00Z",
    "2025-06-01T12Z", "2025-06-01T12:00:00.0000Z", "0001-01-01T00:00:00.000Z", "2031-01-01T00:00:00.000Z",
)  # fmt: skip
ODD_TEXTS = (
    "\n", "\r\n", "\x1b[2J", "\x1b]0;x\x07", "\x00", "\x07", "\x7f", "\x85", "\u2028", "\u2029", "\u202e", "\u200b",
    "\u2068\u2060", "\u2060\u2069", "\ufeff", "\ue000", "\U000e0041", "\ud800", "\ufffe", "\t", "\xa0", "\u3000",
    "\xad",    "\U000f0000", "\u0300" * 20, "\u061c", "\u180e",
)  # fmt: skip


def _paths(draft: Draft, obj: Obj) -> list[tuple[Any, ...]]:
    """Return paths into a line; three times in four into its event."""
    if draft.random.random() < 0.75:
        return [("event", *path) for path in paths(obj["event"])]
    return [path for path in paths(obj) if path[0] != "event" and path != ("hash",)]


def _parent(obj: Any, path: tuple[Any, ...]) -> Any:
    for key in path[:-1]:
        obj = obj[key]
    return obj


def _change(draft: Draft, change: Any) -> None:
    nth = draft.any()
    obj = draft.obj(nth)
    path = draft.random.choice(_paths(draft, obj))
    change(_parent(obj, path), path[-1])
    draft.put(nth, obj)


@way("values")
def another_value(draft: Draft) -> None:
    """Put a value of the same type from elsewhere in the log; of the same name, if there is one."""

    def change(parent: Any, key: Any) -> None:
        other = draft.obj(draft.any())
        found = [_parent(other, path)[path[-1]] for path in paths(other)]
        named = [_parent(other, path)[path[-1]] for path in paths(other) if path[-1] == key]
        same = [one for one in named or found if type(one) is type(parent[key]) and one != parent[key]]
        parent[key] = draft.random.choice(same)

    _change(draft, change)


@way("values")
def a_number_more(draft: Draft) -> None:
    def change(parent: Any, key: Any) -> None:
        if type(parent[key]) is not int:
            raise ValueError(key)
        parent[key] += draft.random.choice((1, -1, 2, -2, 5, 10))

    _change(draft, change)


@way("values")
def an_extreme(draft: Draft) -> None:
    def change(parent: Any, key: Any) -> None:
        parent[key] = draft.random.choice(EXTREMES[type(parent[key])])

    _change(draft, change)


@way("values")
def another_type(draft: Draft) -> None:
    def change(parent: Any, key: Any) -> None:
        parent[key] = draft.random.choice(EXTREMES[draft.random.choice(list(EXTREMES))])

    _change(draft, change)


@way("values")
def a_key_removed(draft: Draft) -> None:
    def change(parent: Any, key: Any) -> None:
        del parent[key]

    _change(draft, change)


@way("values")
def a_key_added(draft: Draft) -> None:
    def change(parent: Any, key: Any) -> None:
        value = draft.random.choice(EXTREMES[draft.random.choice(list(EXTREMES))])
        if isinstance(parent, list):
            parent.insert(key, draft.random.choice((parent[key], value)))
            return
        other = draft.obj(draft.any())
        name = draft.random.choice(("extra", "", "rules", "type", "at", *other["event"], *other))
        parent[name] = other["event"].get(name, value)

    _change(draft, change)


@way("values")
def a_key_renamed(draft: Draft) -> None:
    def change(parent: Any, key: Any) -> None:
        if not isinstance(parent, dict):
            raise ValueError(key)
        name = draft.random.choice(
            (key + "s", key[:-1], key.upper(), "x", draft.random.choice(list(draft.obj(0)["event"])))
        )
        items = [(name if one == key else one, value) for one, value in parent.items()]
        parent.clear()
        parent.update(items)

    _change(draft, change)


@way("values")
def two_values_swapped(draft: Draft) -> None:
    """Swap two values of one name in one log: faces, targets, numbers."""
    one, two = draft.any(), draft.any()
    first, second = draft.obj(one), draft.obj(two)
    path = draft.random.choice([path for path in paths(first["event"]) if path[-1] in second["event"]])
    key = path[-1]
    parent = _parent(first["event"], path)
    parent[key], second["event"][key] = second["event"][key], parent[key]
    draft.put(one, first)
    if one != two:
        draft.put(two, second)


@way("values")
def everywhere_another_name(draft: Draft) -> None:
    """Rename a combatant or a thing in the whole log."""
    obj = draft.obj(draft.any())
    old = draft.random.choice([word for word in _words(obj["event"]) if len(word) > 2])
    new = draft.random.choice(("x", old + "s", "gm", "Ann\u00e9", old.upper()))
    draft.lines[:] = [line.replace(encode_obj(old)[1:-1], encode_obj(new)[1:-1]) for line in draft.lines]


def _words(part: Any) -> list[str]:
    if isinstance(part, str):
        return [part]
    parts = list(part.values()) if isinstance(part, dict) else part if isinstance(part, list) else []
    return [word for one in parts for word in _words(one)]


@way("characters")
def odd_characters_in_a_line(draft: Draft) -> None:
    """Put characters that cannot be typed into a text of one line."""
    nth = draft.any()
    obj = draft.obj(nth)
    path = draft.random.choice([path for path in paths(obj) if isinstance(_parent(obj, path)[path[-1]], str)])
    parent, key = _parent(obj, path), path[-1]
    at = draft.random.randrange(len(parent[key]) + 1)
    parent[key] = parent[key][:at] + draft.random.choice(ODD_TEXTS) + parent[key][at:]
    draft.put(nth, obj)


@way("characters")
def odd_characters_in_a_sender(draft: Draft) -> None:
    """Put them in the author or the id of a whole command; or move a line break from the one to the other."""
    first, last = draft.command(draft.any())
    key, odd = draft.random.choice(("who", "cause")), draft.random.choice(ODD_TEXTS)
    split = draft.random.random() < 0.3
    for nth in range(first, last):
        obj = draft.obj(nth)
        if split:
            obj["who"], obj["cause"] = f"{obj['who']}\n{obj['cause']}", "x"
        else:
            obj[key] = draft.random.choice((obj[key] + odd,))
        draft.put(nth, obj)


@way("characters")
def odd_characters_everywhere(draft: Draft) -> None:
    """Put such characters into a name in the whole log."""
    words = [word for word in _words(json.loads(draft.lines[draft.any()])["event"]) if len(word) > 2]
    old = draft.random.choice(words)
    new = old[:1] + draft.random.choice(ODD_TEXTS) + old[1:]
    draft.lines[:] = [line.replace(encode_obj(old)[1:-1], encode_obj(new)[1:-1]) for line in draft.lines]


def _retime(draft: Draft, first: int, last: int, time: str) -> None:
    for nth in range(first, last):
        obj = draft.obj(nth)
        obj["time"] = time
        draft.put(nth, obj)


@way("times")
def an_odd_time_of_a_command(draft: Draft) -> None:
    _retime(draft, *draft.command(draft.any()), draft.random.choice(ODD_TIMES))


@way("times")
def odd_times_from_here_on(draft: Draft) -> None:
    _retime(draft, draft.command(draft.any())[0], len(draft.lines), draft.random.choice(ODD_TIMES))


@way("times")
def another_time_of_a_command(draft: Draft) -> None:
    """Let a command have the time of any other."""
    _retime(draft, *draft.command(draft.any()), draft.obj(draft.any())["time"])


@way("times")
def the_same_time_spelt_otherwise(draft: Draft) -> None:
    first, last = draft.command(draft.any())
    time = draft.obj(first)["time"]
    ways = (
        time.replace("T", " "), time.lower(), time.replace("Z", "+00:00"), time.replace(".000Z", "Z"),
        time[:-1] + "000Z",
        time.replace(".", ","), time.replace("-", "").replace(":", ""), time.replace("Z", "-00:00"), time[:-1],
    )  # fmt: skip
    _retime(draft, first, last, draft.random.choice(ways))


@way("times")
def a_digit_of_a_time(draft: Draft) -> None:
    first, last = draft.command(draft.any())
    time = draft.obj(first)["time"]
    at = draft.random.choice([at for at, one in enumerate(time) if one.isdigit()])
    _retime(draft, first, last, time[:at] + draft.random.choice("0123456789") + time[at + 1 :])
