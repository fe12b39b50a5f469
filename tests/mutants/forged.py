"""Whole commands, dice, and what a record says about itself, as a forger would write them."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

from tests.mutants.bases import Beside
from tests.mutants.draft import Draft, Obj, told
from tests.mutants.ways import way

MINE = bytes(range(100, 132))


def _line(draft: Draft, nth: int, event: Obj, cause: str = "", **envelope: Any) -> bytes:
    """Return a line that would stand behind one with this index."""
    obj = draft.obj(nth)
    for key in ("audience", "salt", "known_to", "mask", "more"):
        obj.pop(key, None)
    return told({**obj, "position": nth + 2, "cause": cause or f"forged {nth}", "event": event, **envelope})


def _insert(draft: Draft, nth: int, *events: Obj) -> None:
    """Insert a command behind the line with an index."""
    cause = f"forged {nth} {draft.random.randrange(1000)}"
    draft.lines[nth + 1 : nth + 1] = [_line(draft, nth, event, cause) for event in events]


def _an_end(draft: Draft) -> int:
    return draft.random.choice(draft.commands())[1] - 1


# --- whole commands ---


@way("commands")
def strike_out_a_command(draft: Draft) -> None:
    first, last = draft.command(draft.any())
    del draft.lines[first:last]


@way("commands")
def swap_commands(draft: Draft) -> None:
    spans = draft.commands()
    nth = draft.random.randrange(1, len(spans) - 1)
    (a, b), (_, c) = spans[nth], spans[nth + 1]
    draft.lines[a:c] = draft.lines[b:c] + draft.lines[a:b]


@way("commands")
def move_a_command(draft: Draft) -> None:
    first, last = draft.command(draft.any())
    taken = draft.lines[first:last]
    del draft.lines[first:last]
    at = _an_end(draft) + 1
    draft.lines[at:at] = taken


@way("commands")
def double_a_command(draft: Draft) -> None:
    """Let a command stand twice: at once or later, under its own id or under another."""
    first, last = draft.command(draft.any())
    at = draft.random.choice((last, _an_end(draft) + 1))
    taken = draft.lines[first:last]
    if draft.random.random() < 0.6:
        taken = [told({**json.loads(line), "cause": "again", "time": draft.obj(at - 1)["time"]}) for line in taken]
    draft.lines[at:at] = taken


@way("commands")
def another_author(draft: Draft) -> None:
    _envelope(draft, who=draft.random.choice(("Mallory", "gm", "", "é", "x" * 300, draft.obj(draft.any())["who"])))


@way("commands")
def another_id(draft: Draft) -> None:
    _envelope(draft, cause=draft.random.choice(("forged", "", "x" * 300, draft.obj(draft.any())["cause"])))


@way("commands")
def other_readers(draft: Draft) -> None:
    audience = draft.random.choice((None, [], ["gm"], ["nobody", "gm"], ["a,b"]))
    which = draft.random.choice(("audience", "known_to"))
    extra = {"salt": "5a" * 16} if which == "audience" else {"mask": "5a" * 16}
    _envelope(draft, **{which: audience}, **draft.random.choice((extra, {})))


def _envelope(draft: Draft, **envelope: Any) -> None:
    first, last = draft.command(draft.any())
    for nth in range(first, last):
        draft.put(nth, {**draft.obj(nth), **envelope})


@way("commands")
def join_commands(draft: Draft) -> None:
    spans = draft.commands()
    nth = draft.random.randrange(len(spans) - 1)
    first = draft.obj(spans[nth][0])
    for at in range(*spans[nth + 1]):
        draft.put(at, {**draft.obj(at), **{key: first[key] for key in ("time", "who", "cause")}})


@way("commands")
def split_a_command(draft: Draft) -> None:
    at = draft.any()
    for nth in range(at, draft.command(at)[1]):
        draft.put(nth, {**draft.obj(nth), "cause": "split"})


@way("commands")
def say_again(draft: Draft) -> None:
    """Insert an input that was recorded somewhere, with or without what followed from it."""
    kinds = ("Declared", "Answered", "Passed", "Ruled", "AskingSet", "DiceEntered", "Noted", "EntropyAdded")
    event = draft.obj(draft.typed(*kinds))["event"]
    _insert(draft, _an_end(draft), event)


# --- dice ---


@way("dice")
def a_better_roll(draft: Draft) -> None:
    """Let a roll show other faces, and add them up."""
    _load(draft, draft.typed("Rolled"))


@way("dice")
def the_best_rolls(draft: Draft) -> None:
    """Let every roll show its best faces, and add them up."""
    for nth, line in enumerate(draft.lines):
        if b'"event":{"type":"Rolled"' in line:
            _load(draft, nth, best=True)


def _load(draft: Draft, nth: int, *, best: bool = False) -> None:
    obj = draft.obj(nth)
    event = obj["event"]
    before = sum(sum(group["faces"]) for group in event["dice"])
    for group in event["dice"]:
        sides = group["sides"]
        group["faces"] = [sides if best else draft.random.randint(1, sides) for _ in group["faces"]]
    if event.get("reading", "sum") == "sum":
        event["total"] += sum(sum(group["faces"]) for group in event["dice"]) - before
    draft.put(nth, obj)


@way("dice")
def entered_otherwise(draft: Draft) -> None:
    nth = draft.typed("DiceEntered")
    entered = draft.obj(nth)
    at = draft.random.randrange(len(entered["event"]["faces"]))
    entered["event"]["faces"][at] = draft.random.randint(1, 6)
    draft.put(nth, entered)
    if draft.random.random() < 0.7:
        rolled = draft.obj(nth + 1)
        group = rolled["event"]["dice"][0]
        change = entered["event"]["faces"][0] - group["faces"][0]
        group["faces"][0] += change
        rolled["event"]["total"] += change
        draft.put(nth + 1, rolled)


@way("dice")
def called_entered(draft: Draft) -> None:
    """Call a roll of the engine's a real one, with an input that enters it."""
    nth = draft.typed("Rolled")
    rolled = draft.obj(nth)
    rolled["event"]["source"] = draft.random.choice(("entered", "engine", "table"))
    faces = [face for group in rolled["event"]["dice"] for face in group["faces"]]
    draft.put(nth, rolled)
    if draft.random.random() < 0.5:
        entered = {"type": "DiceEntered", "roll": rolled["event"]["roll"], "faces": faces}
        draft.lines.insert(nth, told({**rolled, "event": entered}))


@way("dice")
def another_roll_id(draft: Draft) -> None:
    """Give a roll the name of another, everywhere."""
    one, two = (draft.obj(draft.typed("Rolled"))["event"]["roll"] for _ in range(2))
    if draft.random.random() < 0.5:
        two = f"g{draft.random.choice((1, 2, 7, 4743))}:{one}"
    draft.lines[:] = [line.replace(told(one), told(two)) for line in draft.lines]


@way("dice")
def another_generation(draft: Draft) -> None:
    nth = draft.typed("DiceRenewed")
    obj = draft.obj(nth)
    obj["event"]["generation"] += draft.random.choice((1, -1, 4743))
    draft.put(nth, obj)


@way("dice")
def words_stirred_in(draft: Draft) -> None:
    words = draft.random.choice(("wind", "", "x" * 300, "a\nb"))
    _insert(draft, _an_end(draft), {"type": "EntropyAdded", "words": words})


@way("dice")
def fresh_dice(draft: Draft) -> None:
    """Renew the dice: alone, in a command, in an amendment."""
    nth = draft.any()
    renewed = {"type": "DiceRenewed", "generation": draft.random.choice((0, 1, 2, 3, 4, -1, 4743))}
    where = draft.random.random()
    if where < 0.3:
        _insert(draft, _an_end(draft), renewed)
        return
    if where < 0.7:
        nth = draft.typed("Amended", "Rewound", "Restored")
    draft.lines.insert(nth + 1, told({**draft.obj(nth), "event": renewed}))


# --- the record about itself ---


@way("record")
def forked(draft: Draft) -> None:
    """Call it a fork from some moment on; often under a seed of one's own, which is then revealed."""
    nth = draft.random.choice((len(draft.lines) - 1, _an_end(draft)))
    if b'"type":"Closed"' in draft.lines[nth]:
        nth -= 1
    promise = draft.random.choice((sha256(MINE).hexdigest(), draft.obj(0)["event"].get("commitment", ""), "", "00"))
    fork = {"type": "Forked", "fight": "x", "parent": "y", "position": nth + 1, "commitment": promise, "reason": ""}
    if draft.random.random() < 0.2:
        fork["position"] = draft.random.randrange(len(draft.lines) + 2)
    _insert(draft, nth, {key: value for key, value in fork.items() if value != ""})
    if draft.random.random() < 0.7:
        del draft.lines[nth + 2 :]
        if draft.random.random() < 0.8:
            _insert(draft, nth + 1, {"type": "Closed", "seed": MINE.hex()})
        draft.key = draft.random.choice((MINE, draft.key))
    if draft.random.random() < 0.5:
        draft.parent = draft.random.choice((Beside(draft.base.lines, draft.base.key), Beside(tuple(draft.lines), None)))


@way("record")
def closed(draft: Draft) -> None:
    """Close it: with the right seed, another one, none."""
    nth = draft.random.choice((len(draft.lines) - 1, _an_end(draft)))
    known = [seed.hex() for seed in draft.base.seeds.values()] + ([draft.key.hex()] if draft.key else [])
    seed = draft.random.choice((*known, *known, MINE.hex(), "", "zz", known[0].upper() if known else "00"))
    _insert(draft, nth, {"type": "Closed", **({"seed": seed} if seed else {})})
    if draft.random.random() < 0.5:
        del draft.lines[nth + 2 :]


@way("record")
def without_a_promise(draft: Draft) -> None:
    """Promise no seed, or another; reveal none, or that."""
    obj = draft.obj(0)
    mine = draft.random.random() < 0.5
    obj["event"]["commitment"] = sha256(MINE).hexdigest() if mine else ""
    if not mine and draft.random.random() < 0.7:
        del obj["event"]["commitment"]
    draft.put(0, obj)
    for nth, line in enumerate(draft.lines):
        if b'"type":"Closed"' in line:
            closing = draft.obj(nth)
            closing["event"].pop("seed", None)
            if mine:
                closing["event"] = {"type": "Closed", "seed": MINE.hex(), **closing["event"]}
            draft.put(nth, closing)
    draft.key = draft.random.choice((None, MINE if mine else b"", draft.key))


@way("record")
def taken_back(draft: Draft) -> None:
    """Go back to some moment, and perhaps bring what was taken back again."""
    nth, ends = _an_end(draft), [last for _, last in draft.commands()]
    behind = [end for end in ends if end <= nth] or [0]
    count = draft.random.randint(1, min(3, len(behind)))
    back = behind[-count]
    rewound = {"type": "Rewound", "to": back, "lane": nth + 1, "commands": draft.random.choice((count, count - 1, 1))}
    events: list[Obj] = [rewound]
    if draft.random.random() < 0.2:
        rewound["fresh"] = True
        events.append({"type": "DiceRenewed", "generation": draft.random.choice((1, 2, 3))})
    _insert(draft, nth, *events)
    if draft.random.random() < 0.6:
        _insert(draft, nth + len(events), {"type": "Restored", "lane": nth + 1, "left": back})


@way("record")
def amended(draft: Draft) -> None:
    """Amend something with what was recorded behind it, under fresh dice or not."""
    nth = draft.typed("Declared", "Ruled", "Answered", "Passed")
    first, last = draft.command(nth)
    end = draft.random.choice([one for _, one in draft.commands() if one >= last])
    events = [draft.obj(at)["event"] for at in range(first, end)]
    head: Obj = {"type": "Amended", "position": first + 1, "to": first, "lane": end}
    if draft.random.random() < 0.5:
        events.insert(0, {"type": "DiceRenewed", "generation": draft.random.choice((1, 2, 3, 4, 4743))})
    _insert(draft, end - 1, head, *events)
    if draft.random.random() < 0.5:
        del draft.lines[end + 1 + len(events) :]


@way("record")
def format_raised(draft: Draft) -> None:
    _insert(draft, _an_end(draft), {"type": "FormatRaised", "format": draft.random.choice((0, 1, 2, 3, 4, 5, 99, -1))})


@way("record")
def ruleset_adopted(draft: Draft) -> None:
    opening = draft.obj(0)["event"]
    version = draft.random.choice(("1", "2", "3", opening["version"], "", "x"))
    digest = draft.random.choice((opening["digest"], "00" * 32, ""))
    _insert(draft, _an_end(draft), {"type": "RulesetAdopted", "version": version, "digest": digest})


@way("record")
def opened_otherwise(draft: Draft) -> None:
    """Change what the opening says of the fight as a whole."""
    obj = draft.obj(0)
    event = obj["event"]
    field = draft.random.choice(("format", "fight", "system", "version", "digest", "config", "commitment", "config"))
    values: dict[str, tuple[Any, ...]] = {
        "format": (0, 1, 2, 3, 4, 99, -1, "3", 3.0, True),
        "fight": ("x", ""),
        "system": ("wwn", "wyrd", "vestige", "hexblade", "verdigris", "x", "", "..", "rules"),
        "version": ("1", "2", "3", "", "1.0"),
        "digest": ("", "00" * 32, "x"),
        "commitment": ("", "00" * 32, sha256(MINE).hexdigest(), event.get("commitment", "").upper()),
    }
    if field == "config":
        config = event["config"]
        key = draft.random.choice((*config, "x"))
        config[key] = draft.random.choice((0, 1, 3, 7, -1, True, False, "x", None, ["x"], 10**9, {}))
    else:
        event[field] = draft.random.choice(values[field])
    draft.put(0, obj)


@way("record")
def a_remark_otherwise(draft: Draft) -> None:
    """Change a field of an event about the record."""
    nth = draft.typed("Rewound", "Restored", "Amended", "Previewed", "Closed", "Forked", "FormatRaised", "RulesetAdopted")
    obj = draft.obj(nth)
    event = obj["event"]
    key = draft.random.choice([key for key in (*event, "fresh", "retracted", "reason", "commands") if key != "type"])
    old = event.get(key)
    if isinstance(old, int) and not isinstance(old, bool):
        event[key] = old + draft.random.choice((1, -1, 3, -5))
    elif isinstance(old, list):
        event[key] = draft.random.choice(([], [1, 2], old[1:], ["x"]))
    else:
        event[key] = draft.random.choice((True, False, "x", ""))
    draft.put(nth, obj)


@way("keys")
def another_key(draft: Draft) -> None:
    """Give the audit of an open log a key that is not the promised one, a part of it, or none."""
    if b'"type":"Closed"' in draft.lines[-1] or draft.key is None:
        raise ValueError("closed")
    key = draft.key
    draft.key = draft.random.choice((None, b"", key[:-1], key[:16], key + b"\0", MINE, key[::-1], b"\0" * 32))


@way("keys")
def another_key_of_loaded_dice(draft: Draft) -> None:
    another_key(draft)
    the_best_rolls(draft)
