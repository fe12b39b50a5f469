"""The fields of events: consequences, inputs, the opening, the record."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import msgspec
from msgspec.structs import replace

from affray.engine.history.amend import AMENDABLE
from affray.events import (
    ABOUT_THE_RECORD,
    SET_ASIDE,
    Amended,
    Answered,
    AskingSet,
    ConditionChanged,
    Damaged,
    Declared,
    DiceEntered,
    DiceRenewed,
    DieStepped,
    Event,
    FightOpened,
    ItemCounted,
    ItemMoved,
    LogError,
    Passed,
    PoolChanged,
    Previewed,
    Recorded,
    Restored,
    Rewound,
    Rolled,
    Ruled,
    Stacked,
    WindowClosed,
    decode_line,
)
from tests.forging import command_at, encode_log, head, replace_event
from tests.tampering.edits import UNFELT, Site, Tampered, edits, is_start, left_alone, one_line
from tests.tampering.fights import Closed
from tests.tampering.rolls import rolled_otherwise
from tests.tampering.varied import list_fight_ids, variants

GROUPS: dict[type[Event], str] = {
    PoolChanged: "a pool",
    Damaged: "damage",
    ConditionChanged: "a condition",
    ItemCounted: "an item",
    ItemMoved: "an item",
    DieStepped: "an item",
    Stacked: "what is pending",
}
"""The consequences with a row of their own."""


@edits
def consequences(fight: Closed) -> Iterator[Site]:
    """Change each field of each consequence."""
    ids = list_fight_ids(fight)
    for one in fight.log[fight.opening :]:
        if not is_start(one) and not isinstance(one.event, Rolled):
            group = GROUPS.get(type(one.event), "any other")
            row = f"consequence: {group}"
            for variant in variants(one.event, ids):
                yield Site(row, partial(one_line, row, fight, one.position, variant.event))


@edits
def taken_back(fight: Closed) -> Iterator[Site]:
    """Change consequences and faces in lanes that were taken back."""
    ids = list_fight_ids(fight)
    for position in sorted(_not_effective(fight)):
        one = fight.log[position - 1]
        if isinstance(one.event, Rolled) and one.event.source == "engine" and one.event.dice:
            row = "taken back: a face"
            event = next(iter(rolled_otherwise(one.event)))[1]
            if SET_ASIDE not in one.event.dice[0].fates:
                yield Site(row, partial(one_line, row, fight, position, event))
        elif not is_start(one) and not isinstance(one.event, Rolled):
            row = "taken back: a consequence"
            for variant in list(variants(one.event, ids))[:2]:
                yield Site(row, partial(one_line, row, fight, position, variant.event))


def _not_effective(fight: Closed) -> set[int]:
    """Return the positions that were taken back and never brought back."""
    taken: set[int] = set()
    for one in fight.log:
        event = one.event
        if isinstance(event, Rewound | Amended):
            taken |= set(range(event.to + 1, event.lane + 1))
        elif isinstance(event, Restored):
            taken -= set(range(1, event.lane + 1))
    return taken


@edits
def inputs(fight: Closed) -> Iterator[Site]:
    """Change each field of what people said and did, and leave what followed."""
    ids = list_fight_ids(fight)
    for one in fight.log[fight.opening :]:
        for variant in variants(one.event, ids) if is_start(one) else ():
            row = _input_row(one.event, variant.field)
            if row:
                kind = "reason" if variant.field == "reason" else row
                yield Site(kind, partial(forge_words, fight, one.position, variant.event, row))


def _input_row(event: Event, field: str) -> str:
    """Return the row for a field of an input."""
    if isinstance(event, DiceEntered) or type(event) in ABOUT_THE_RECORD or isinstance(event, DiceRenewed):
        return ""
    if field == "confided":  # who may read it is in the chain beside it
        return ""
    if isinstance(event, Declared):
        return {"params": "declared: target and the like", "actor": "declared: the actor"}.get(field, "declared: how")
    if isinstance(event, Answered):
        return "answered: the choice" if field in {"choice", "fields"} else "answered: who and what"
    if isinstance(event, Ruled):
        return "ruled: what"
    assert isinstance(event, Passed | AskingSet), event
    return "passed, or when to ask"


def forge_words(fight: Closed, position: int, event: Event, row: str) -> Tampered | None:
    entries = replace_event(fight.log, position, event)
    try:
        decode_line(encode_log(entries[position - 1 : position])[0])
    except LogError:
        return None  # such a thing cannot be said
    try:
        return left_alone(row, UNFELT, fight, entries, entries, position)
    except (LookupError, ValueError, TypeError, AttributeError):
        return None  # no encounter file can say that


@edits
def aimed_elsewhere(fight: Closed) -> Iterator[Site]:
    """Change what was declared and what is pending together, such as the target of both."""
    ids = list_fight_ids(fight)
    for one in fight.log[fight.opening :]:
        stacked = find_stacked_line(fight, one)
        if stacked is not None:
            for variant in variants(one.event, ids):
                if variant.field == "params" and isinstance(variant.event, Declared):
                    yield Site("aimed elsewhere", partial(forge_target, fight, one.position, variant.event, stacked))


def find_stacked_line(fight: Closed, one: Recorded) -> Recorded | None:
    """Return the line that put this declaration on the stack."""
    if isinstance(one.event, Declared):
        for later in fight.log[one.position :]:
            if is_start(later):
                return None
            if isinstance(later.event, Stacked) and later.event.params == one.event.params:
                return later
    return None


def forge_target(fight: Closed, position: int, declared: Declared, stacked: Recorded) -> Tampered:
    assert isinstance(stacked.event, Stacked)
    pending = replace(stacked.event, params=declared.params, targets=_targets(declared))
    entries = replace_event(replace_event(fight.log, position, declared), stacked.position, pending)
    return left_alone("declared: the target, pending as well", UNFELT, fight, entries, entries, position)


def _targets(declared: Declared) -> tuple[str, ...]:
    target = msgspec.json.decode(declared.params).get("target", "")
    return (target,) if target else ()


@edits
def tamper_with_opening(fight: Closed) -> Iterator[Site]:
    """Change each field of the opening: who joins, with what, under which configuration."""
    ids = list_fight_ids(fight)
    for one in fight.log[: fight.opening]:
        for variant in variants(one.event, ids):
            if isinstance(one.event, FightOpened) and variant.field in {"format", "system", "version", "commitment"}:
                continue
            yield Site(
                "opening", partial(forge_words, fight, one.position, variant.event, "opening: who joins, and with what")
            )


_BROUGHT = "record: how many commands were brought back"
_BACK = "record: taken back or brought back"
_FRESH = "record: whether fresh dice were asked for"
_AMENDED = "record: amended"
_DROPPED = "record: what an amendment dropped"
_LOOKED_UP = "record: of which position an amendment was looked at"
_ROLLS_SEEN = "record: which rolls were looked at"
_LOOKED = "record: which dice were looked at"
RECORD: dict[type[Event], dict[str, str]] = {
    Rewound: {"to": _BACK, "lane": _BACK, "commands": _BACK, "fresh": _FRESH, "request": _BACK},
    Restored: {
        "lane": _BACK,
        "left": _BACK,
        "commands": "record: how many commands were brought back",
        "fresh": _FRESH,
    },
    Amended: {"position": _AMENDED, "to": _AMENDED, "lane": _AMENDED, "retracted": _DROPPED, "dropped": _DROPPED},
    Previewed: {"position": _LOOKED_UP, "rolls": _ROLLS_SEEN, "dice": _ROLLS_SEEN},
}
"""The rows for what an event about the record says, but for its reason."""


@edits
def record_keeping(fight: Closed) -> Iterator[Site]:
    """Change what is said about the record itself."""
    for one in fight.log:
        event = one.event
        for field, changed in variants(event, ["nobody", "somebody"]) if type(event) in ABOUT_THE_RECORD else ():
            row = "record: a reason" if field == "reason" else RECORD.get(type(event), {}).get(field)
            at = one.position + (field == "fresh")
            if isinstance(changed, Previewed) and row:
                row = _row_of_look(fight, changed, row)
            elif row == _DROPPED:
                first, last = command_at(fight.log, one.position)
                row = None if field == "retracted" and _is_in_window(fight, first + 1) else row
                at = max(nth for nth in range(first + 1, last + 1) if is_start(fight.log[nth - 1]))
            if row:
                yield Site(f"{row} {field}", partial(one_line, row, fight, one.position, changed, at))
        if isinstance(event, DiceRenewed):
            amends = isinstance(head(fight.log, one.position), Amended)
            row = f"record: the count of fresh dice{' in an amendment' * amends}"
            later = replace(event, generation=event.generation + 1)
            yield Site(row, partial(one_line, row, fight, one.position, later))


def _row_of_look(fight: Closed, changed: Previewed, row: str) -> str | None:
    """Return the row of a changed look; nothing where it is about another input that could have been amended."""
    if row == _LOOKED_UP:
        return None if isinstance(fight.log[changed.position - 1].event, AMENDABLE) else row
    named = tuple(dict.fromkeys(one.roll for one in changed.dice)) or changed.rolls
    return _LOOKED if changed.rolls == named != () else row


def _is_in_window(fight: Closed, position: int) -> bool:
    """Tell whether the input at a position was declared in a window."""
    behind = fight.log[position]
    return isinstance(behind.event, WindowClosed) and behind.event.how == "taken"
