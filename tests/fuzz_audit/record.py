"""A record's statements about itself, and its keys, as a forger would write them."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from tests.forging import Obj, promise_seed
from tests.fuzz_audit.bases import Beside
from tests.fuzz_audit.draft import Draft, an_end, insert
from tests.fuzz_audit.forged import the_best_rolls
from tests.fuzz_audit.ways import way

MINE = bytes(range(100, 132))
"""A forger's own seed."""


def promise_mine(draft: Draft, nth: int) -> None:
    """Let an opening or a fork promise the forger's seed."""
    obj = draft.obj(nth)
    obj["event"]["commitment"] = promise_seed(draft.lines, nth, MINE)
    draft.put(nth, obj)


@way("record")
def forked(draft: Draft) -> None:
    """Make it a fork from some moment on, often under another seed, which is then revealed."""
    nth = draft.random.choice((len(draft.lines) - 1, an_end(draft)))
    if b'"type":"Closed"' in draft.lines[nth]:
        nth -= 1
    promise = draft.random.choice((MINE.hex(), draft.obj(0)["event"].get("commitment", ""), "", "00"))
    fork = {"type": "Forked", "fight": "x", "parent": "y", "position": nth + 1, "commitment": promise, "reason": ""}
    if draft.random.random() < 0.2:
        fork["position"] = draft.random.randrange(len(draft.lines) + 2)
    insert(draft, nth, {key: value for key, value in fork.items() if value != ""})
    if promise == MINE.hex():
        promise_mine(draft, nth + 1)
    if draft.random.random() < 0.7:
        del draft.lines[nth + 2 :]
        if draft.random.random() < 0.8:
            insert(draft, nth + 1, {"type": "Closed", "seed": MINE.hex()})
        draft.key = draft.random.choice((MINE, draft.key))
    if draft.random.random() < 0.5:
        draft.parent = draft.random.choice((Beside(draft.base.lines, draft.base.key), Beside(tuple(draft.lines), None)))


@way("record")
def closed(draft: Draft) -> None:
    """Close it: with the right seed, another one, none."""
    nth = draft.random.choice((len(draft.lines) - 1, an_end(draft)))
    known = [seed.hex() for seed in draft.base.seeds.values()] + ([draft.key.hex()] if draft.key else [])
    seed = draft.random.choice((*known, *known, MINE.hex(), "", "zz", known[0].upper() if known else "00"))
    insert(draft, nth, {"type": "Closed", **({"seed": seed} if seed else {})})
    if draft.random.random() < 0.5:
        del draft.lines[nth + 2 :]


@way("record")
def without_a_promise(draft: Draft) -> None:
    """Promise no seed, or another; reveal none, or that."""
    obj = draft.obj(0)
    mine = draft.random.random() < 0.5
    obj["event"]["commitment"] = MINE.hex() if mine else ""
    if not mine and draft.random.random() < 0.7:
        del obj["event"]["commitment"]
    draft.put(0, obj)
    if mine:
        promise_mine(draft, 0)
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
    nth, ends = an_end(draft), [last for _, last in draft.commands()]
    behind = [end for end in ends if end <= nth] or [0]
    count = draft.random.randint(1, min(3, len(behind)))
    back = behind[-count]
    rewound = {"type": "Rewound", "to": back, "lane": nth + 1, "commands": draft.random.choice((count, count - 1, 1))}
    events: list[Obj] = [rewound]
    if draft.random.random() < 0.2:
        rewound["fresh"] = True
        events.append({"type": "DiceRenewed", "generation": draft.random.choice((1, 2, 3))})
    insert(draft, nth, *events)
    if draft.random.random() < 0.6:
        insert(draft, nth + len(events), {"type": "Restored", "lane": nth + 1, "left": back})


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
    insert(draft, end - 1, head, *events)
    if draft.random.random() < 0.5:
        del draft.lines[end + 1 + len(events) :]


@way("record")
def format_raised(draft: Draft) -> None:
    insert(draft, an_end(draft), {"type": "FormatRaised", "format": draft.random.choice((0, 1, 2, 3, 4, 5, 99, -1))})


@way("record")
def ruleset_adopted(draft: Draft) -> None:
    opening = draft.obj(0)["event"]
    version = draft.random.choice(("1", "2", "3", opening["version"], "", "x"))
    digest = draft.random.choice((opening["digest"], "00" * 32, ""))
    insert(draft, an_end(draft), {"type": "RulesetAdopted", "version": version, "digest": digest})


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
    nth = draft.typed(
        "Rewound", "Restored", "Amended", "Previewed", "Closed", "Forked", "FormatRaised", "RulesetAdopted"
    )
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
