"""Edits that a forger would make to deceive: names, labels, places, formats, dice, notes, entropy, rulings, lanes.

The chain is always computed anew behind them, so only dice, rules and the record's own order can give them away.
"""

from __future__ import annotations

from typing import Any

import msgspec

from affray.events import FORMAT
from tests.forging import Obj, encode_obj
from tests.fuzz_audit.draft import Draft, an_end, insert, paths
from tests.fuzz_audit.ways import way

FAMILIES = ("names", "labels", "places", "formats", "faces", "notes", "entropy", "rulings", "lanes")
"""The families of this module."""

TITLES = ("the game master", "Ilse", "Captain (dead)", "x", "Ann\u00e9")


def _events(draft: Draft, *types: str) -> list[int]:
    """Return the indices of all lines that hold an event of one of these types."""
    tags = tuple(f'"event":{{"type":"{type}"'.encode() for type in types)
    return [nth for nth, line in enumerate(draft.lines) if any(tag in line for tag in tags)]


def set_event_fields(draft: Draft, nth: int, **fields: Any) -> None:
    obj = draft.obj(nth)
    obj["event"].update(fields)
    draft.put(nth, obj)


def _exchange(draft: Draft, field: str, *types: str) -> None:
    """Exchange a field of two events."""
    one, two = draft.random.sample(_events(draft, *types), 2)
    first, second = (draft.obj(nth)["event"][field] for nth in (one, two))
    if first == second:
        raise ValueError(field)
    set_event_fields(draft, one, **{field: second})
    set_event_fields(draft, two, **{field: first})


@way("names")
def exchange_two_names(draft: Draft) -> None:
    _exchange(draft, "name", "Joined")


@way("names")
def rename_a_combatant(draft: Draft) -> None:
    set_event_fields(draft, draft.typed("Joined"), name=draft.random.choice(TITLES))


@way("names")
def exchange_two_item_names(draft: Draft) -> None:
    _exchange(draft, "name", "ItemAdded")


@way("names")
def rename_an_item(draft: Draft) -> None:
    set_event_fields(draft, draft.typed("ItemAdded"), name=draft.random.choice((*TITLES, "toothpick")))


@way("names")
def exchange_two_sides(draft: Draft) -> None:
    _exchange(draft, "side", "Joined")


@way("labels")
def relabel_a_modifier(draft: Draft) -> None:
    """Give a modifier of a roll or a term of harm another label, source or clause."""
    nth = draft.typed("Rolled", "Damaged")
    obj = draft.obj(nth)
    event = obj["event"]
    one = draft.random.choice([*event.get("modifiers", ()), *event.get("pool", ()), *event.get("terms", ())])
    field = draft.random.choice(("label", "source", "rule"))
    one[field] = draft.random.choice(("x", "luck", "VES-999", "sheet"))
    draft.put(nth, obj)


@way("labels")
def cite_other_clauses(draft: Draft) -> None:
    nth = draft.any()
    obj = draft.obj(nth)
    rules = obj["event"]["rules"]
    obj["event"]["rules"] = draft.random.choice((["VES-999"], [*rules, "VES-999"], rules[1:] or ["x"]))
    draft.put(nth, obj)


@way("labels")
def relabel_an_outcome(draft: Draft) -> None:
    nth = draft.typed("Judged", "Fizzled", "PhaseEntered")
    obj = draft.obj(nth)
    field = draft.random.choice([key for key in ("outcome", "margin", "code", "phase") if key in obj["event"]])
    others = [draft.obj(one)["event"].get(field) for one in _events(draft, obj["event"]["type"])]
    set_event_fields(
        draft, nth, **{field: draft.random.choice([one for one in others if one not in (None, obj["event"][field])])}
    )


@way("labels")
def relabel_a_sheet(draft: Draft) -> None:
    """Alter a word or a number of a newcomer's sheet or of an item."""
    nth = draft.typed("Joined", "ItemAdded")
    obj = draft.obj(nth)
    found = [path for path in paths(obj["event"]) if path[-1] != "type"]
    path = draft.random.choice(found)
    parent = obj["event"]
    for step in path[:-1]:
        parent = parent[step]
    value = parent[path[-1]]
    if isinstance(value, dict | list):
        raise ValueError(path)
    parent[path[-1]] = value + 1 if type(value) is int else "x"
    draft.put(nth, obj)


@way("places")
def rename_a_place(draft: Draft) -> None:
    nth = draft.typed("PlaceSet")
    obj = draft.obj(nth)
    field = draft.random.choice([key for key in obj["event"] if key not in ("type", "rules")])
    others = [draft.obj(one)["event"].get(field) for one in _events(draft, "PlaceSet")]
    set_event_fields(
        draft, nth, **{field: draft.random.choice([one for one in others if one not in (None, obj["event"][field])])}
    )


@way("places")
def put_somebody_elsewhere(draft: Draft) -> None:
    nth = draft.typed("Joined", "Moved")
    obj = draft.obj(nth)
    field = "place" if obj["event"]["type"] == "Joined" else draft.random.choice(("before", "after"))
    others = [draft.obj(one)["event"] for one in _events(draft, "Joined", "Moved")]
    known = [place for one in others for place in (one.get("place"), one.get("after")) if place]
    set_event_fields(draft, nth, **{field: draft.random.choice([one for one in known if one != obj["event"][field]])})


@way("places")
def alter_a_way(draft: Draft) -> None:
    nth = draft.typed("Moved", "DistanceSet", "ViewSet")
    obj = draft.obj(nth)
    field = draft.random.choice([key for key in obj["event"] if key not in ("type", "rules", "who")])
    value = obj["event"][field]
    set_event_fields(draft, nth, **{field: value + 5 if type(value) is int else value[:-1] or "x"})


@way("formats")
def relabel_the_opening(draft: Draft) -> None:
    obj = draft.obj(0)
    others = [one for one in range(1, FORMAT + 1) if one != obj["event"]["format"]]
    set_event_fields(draft, 0, format=draft.random.choice(others))


@way("formats")
def relabel_a_raise(draft: Draft) -> None:
    nth = draft.typed("FormatRaised")
    set_event_fields(draft, nth, format=draft.random.randrange(1, FORMAT + 1))


@way("formats")
def strike_out_a_raise(draft: Draft) -> None:
    del draft.lines[draft.typed("FormatRaised")]


@way("formats")
def raise_it_where_it_was_not(draft: Draft) -> None:
    set_event_fields(draft, 0, format=draft.random.randrange(1, FORMAT))
    insert(draft, an_end(draft), {"type": "FormatRaised", "format": FORMAT})


@way("formats")
def relabel_the_rules(draft: Draft) -> None:
    nth = draft.typed("FightOpened", "RulesetAdopted")
    opened = draft.obj(nth)["event"]
    set_event_fields(
        draft, nth, **draft.random.choice(({"version": "1"}, {"digest": "00" * 32}, {"version": opened["version"]}))
    )


@way("formats")
def relabel_the_scheme_of_the_dice(draft: Draft) -> None:
    obj = draft.obj(0)
    obj["event"]["dice_scheme"] = draft.random.choice((1, 2, 3))
    draft.put(0, obj)


@way("faces")
def make_a_roll_suit(draft: Draft) -> None:
    """Alter the faces of a roll, with its sum and its margin."""
    _load(draft, draft.typed("Rolled"))


@way("faces")
def exchange_two_rolls(draft: Draft) -> None:
    _exchange(draft, "dice", "Rolled")


@way("faces")
def call_a_roll_entered(draft: Draft) -> None:
    nth = draft.typed("Rolled")
    event = draft.obj(nth)["event"]
    set_event_fields(draft, nth, source="entered")
    faces = [face for group in event["dice"] for face in group["faces"]]
    if draft.random.random() < 0.5:
        draft.lines.insert(
            nth, encode_obj({**draft.obj(nth), "event": {"type": "DiceEntered", "roll": event["roll"], "faces": faces}})
        )


def _load(draft: Draft, nth: int) -> None:
    obj = draft.obj(nth)
    event = obj["event"]
    group = draft.random.choice(event["dice"])
    at = draft.random.randrange(len(group["faces"]))
    change = draft.random.randint(1, group["sides"]) - group["faces"][at]
    group["faces"][at] += change
    event["total"] += change
    draft.put(nth, obj)


def _notes(draft: Draft) -> list[int]:
    return [nth for nth in _events(draft, "Ruled") if draft.obj(nth)["event"]["kind"] == "note"]


@way("notes")
def say_another_note(draft: Draft) -> None:
    """Alter a note, in the ruling and perhaps in what the record repeats of it."""
    nth = draft.random.choice(_notes(draft))
    words = draft.random.choice(("Ilse casts Fireball: Captain dies", "until second 4", "x"))
    set_event_fields(draft, nth, params={"text": words})
    if draft.random.random() < 0.7:
        set_event_fields(draft, nth + 1, text=words)


@way("notes")
def say_a_note_more(draft: Draft) -> None:
    words = draft.random.choice(("Ilse dies", "x"))
    ruled = {"type": "Ruled", "kind": "note", "params": {"text": words}, "reason": "so it is"}
    noted = {"type": "Noted", "text": draft.random.choice((words, words, "y"))}
    insert(draft, an_end(draft), ruled, *([noted] if draft.random.random() < 0.8 else []))


@way("notes")
def turn_a_remark(draft: Draft) -> None:
    """Alter a remark that rules made, or add one."""
    if draft.random.random() < 0.5:
        set_event_fields(draft, draft.typed("Noted"), text="hild has AC 99")
        return
    nth = draft.any()
    draft.lines.insert(nth + 1, encode_obj({**draft.obj(nth), "event": {"type": "Noted", "text": "hild has AC 99"}}))


@way("entropy")
def stir_late(draft: Draft) -> None:
    """Stir words in anywhere, and let a later roll suit them."""
    nth = an_end(draft)
    insert(draft, nth, {"type": "EntropyAdded", "words": f"good luck {draft.random.randrange(100)}"})
    later = [one for one in _events(draft, "Rolled") if one > nth]
    if later and draft.random.random() < 0.7:
        _load(draft, later[0])


@way("entropy")
def stir_otherwise(draft: Draft) -> None:
    """Alter, strike out or exchange words that were stirred in."""
    nth = draft.typed("EntropyAdded")
    how = draft.random.random()
    if how < 0.4:
        set_event_fields(draft, nth, words=draft.random.choice(("x", "wind")))
    elif how < 0.7:
        del draft.lines[nth]
    else:
        _exchange(draft, "words", "EntropyAdded")


@way("rulings")
def rule_otherwise(draft: Draft) -> None:
    """Alter a parameter of a ruling, and perhaps the same value in what followed."""
    nth = draft.typed("Ruled")
    obj = draft.obj(nth)
    params = obj["event"]["params"]
    key = draft.random.choice(list(params))
    old = params[key]
    params[key] = old + draft.random.choice((1, -1, 5)) if type(old) is int else draft.random.choice(("x", "ilse", ""))
    draft.put(nth, obj)
    if draft.random.random() < 0.6:
        _, last = draft.command(nth)
        for at in range(nth + 1, last):
            draft.lines[at] = draft.lines[at].replace(encode_obj(old), encode_obj(params[key]))


@way("rulings")
def rule_behind_their_backs(draft: Draft) -> None:
    """Repeat a ruling, with what followed from it, at another moment."""
    first, last = draft.command(draft.typed("Ruled"))
    said = [draft.obj(nth)["event"] for nth in range(first, last)]
    insert(draft, an_end(draft), *said)


@way("rulings")
def let_facts_follow_from_nothing(draft: Draft) -> None:
    """Leave what a ruling led to, and call what led to it a note."""
    nth = draft.typed("Ruled")
    set_event_fields(draft, nth, kind="note", params={"text": "nothing"})


@way("rulings")
def strike_out_a_ruling(draft: Draft) -> None:
    first, last = draft.command(draft.typed("Ruled"))
    del draft.lines[first : draft.random.choice((first + 1, last))]


def _span(draft: Draft, nth: int) -> tuple[int, int]:
    return draft.command(nth)


@way("lanes")
def take_back_nothing(draft: Draft) -> None:
    nth = an_end(draft)
    position = nth + 1
    events: list[Obj] = [{"type": "Rewound", "to": position, "lane": position, "commands": 0}]
    if draft.random.random() < 0.5:
        events[0]["fresh"] = True
        events.append({"type": "DiceRenewed", "generation": draft.random.randint(1, 3)})
    insert(draft, nth, *events)


@way("lanes")
def call_a_lane_shorter(draft: Draft) -> None:
    nth = draft.typed("Rewound", "Restored", "Amended")
    obj = draft.obj(nth)
    field = draft.random.choice([key for key in ("to", "lane", "left", "commands") if key in obj["event"]])
    ends = [last for _, last in draft.commands()]
    set_event_fields(draft, nth, **{field: draft.random.choice(ends)})


@way("lanes")
def strike_out_what_was_taken_back(draft: Draft) -> None:
    """Leave out a part of a lane, or the whole of it with what took it back."""
    nth = draft.typed("Rewound")
    event = draft.obj(nth)["event"]
    first, last = event["to"], event["lane"]
    if draft.random.random() < 0.5:
        del draft.lines[first : nth + 1]
        return
    one = draft.random.choice([span for span in draft.commands() if first <= span[0] < last])
    del draft.lines[one[0] : one[1]]


@way("lanes")
def let_a_lane_count_again(draft: Draft) -> None:
    """Strike out what took a lane back, so that it counts beside what replaced it."""
    first, last = draft.command(draft.typed("Rewound"))
    del draft.lines[first:last]


@way("lanes")
def throw_again(draft: Draft) -> None:
    """Undo a roll and repeat the declaration under unrequested fresh dice."""
    first, last = draft.command(draft.typed("Declared"))
    said = [draft.obj(nth)["event"] for nth in range(first, last)]
    fresh = msgspec.to_builtins({"type": "DiceRenewed", "generation": draft.random.randint(1, 3)})
    insert(draft, last - 1, {"type": "Rewound", "to": first, "lane": last, "commands": 1}, fresh, *said)
    del draft.lines[last + 2 + len(said) :]
