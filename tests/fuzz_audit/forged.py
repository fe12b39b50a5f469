"""Whole commands and dice, as a forger would write them."""

from __future__ import annotations

import json
from typing import Any

from tests.forging import encode_obj
from tests.fuzz_audit.draft import Draft, an_end, insert
from tests.fuzz_audit.ways import way


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
    at = an_end(draft) + 1
    draft.lines[at:at] = taken


@way("commands")
def double_a_command(draft: Draft) -> None:
    """Let a command stand twice: at once or later, under its own id or under another."""
    first, last = draft.command(draft.any())
    at = draft.random.choice((last, an_end(draft) + 1))
    taken = draft.lines[first:last]
    if draft.random.random() < 0.6:
        taken = [
            encode_obj({**json.loads(line), "cause": "again", "time": draft.obj(at - 1)["time"]}) for line in taken
        ]
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
    insert(draft, an_end(draft), event)


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
        draft.lines.insert(nth, encode_obj({**rolled, "event": entered}))


@way("dice")
def another_roll_id(draft: Draft) -> None:
    """Give a roll the name of another, everywhere."""
    one, two = (draft.obj(draft.typed("Rolled"))["event"]["roll"] for _ in range(2))
    if draft.random.random() < 0.5:
        two = f"g{draft.random.choice((1, 2, 7, 4743))}:{one}"
    draft.lines[:] = [line.replace(encode_obj(one), encode_obj(two)) for line in draft.lines]


@way("dice")
def another_generation(draft: Draft) -> None:
    nth = draft.typed("DiceRenewed")
    obj = draft.obj(nth)
    obj["event"]["generation"] += draft.random.choice((1, -1, 4743))
    draft.put(nth, obj)


@way("dice")
def words_stirred_in(draft: Draft) -> None:
    words = draft.random.choice(("wind", "", "x" * 300, "a\nb"))
    insert(draft, an_end(draft), {"type": "EntropyAdded", "words": words})


@way("dice")
def fresh_dice(draft: Draft) -> None:
    """Renew the dice: alone, in a command, in an amendment."""
    nth = draft.any()
    renewed = {"type": "DiceRenewed", "generation": draft.random.choice((0, 1, 2, 3, 4, -1, 4743))}
    where = draft.random.random()
    if where < 0.3:
        insert(draft, an_end(draft), renewed)
        return
    if where < 0.7:
        nth = draft.typed("Amended", "Rewound", "Restored")
    draft.lines.insert(nth + 1, encode_obj({**draft.obj(nth), "event": renewed}))
