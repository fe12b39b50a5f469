"""Rulings of every kind with parameters a game master might say, sensible or not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Raw

from affray.engine.draft import Draft
from affray.engine.fight import Fight
from affray.events import Ruled
from tests.engine.choices import Choices
from tests.engine.encounters import SIDES, SPAN

Params = dict[str, Any]
Say = Callable[[Draft, Choices], Params]


def ruled(fight: Fight, choices: Choices, kind: str | None = None) -> Ruled:
    """Return a ruling of a chosen kind."""
    kind = kind or choices.of(sorted(RULED))
    params = RULED[kind](fight.table.draft, choices)
    return Ruled(kind=kind, params=Raw(msgspec.json.encode(params)), reason="so it is ruled")


def who(draft: Draft, choices: Choices) -> str:
    """Return somebody in the fight, or once everybody has left, nobody."""
    return choices.of(tuple(draft.combatants) or ("nobody",))


def _who(**more: tuple[Any, ...]) -> Say:
    """Return what says somebody, and for each further parameter one of its values; ``None`` leaves it out."""

    def say(draft: Draft, choices: Choices) -> Params:
        said = {name: choices.of(values) for name, values in more.items()}
        return {"who": who(draft, choices), **{name: value for name, value in said.items() if value is not None}}

    return say


def _cell(choices: Choices) -> str:
    return f"{choices.below(SPAN)},{choices.below(SPAN)}"


def _item(draft: Draft, choices: Choices) -> str:
    return choices.of(tuple(draft.items) or ("nothing",))


def _counter(draft: Draft, choices: Choices) -> Params:
    counted = [item.id for item in draft.items.values() if item.counters]
    item = choices.of(counted) if counted else _item(draft, choices)
    return {"item": item, "counter": choices.of(("loaded", "cost")), "to": choices.below(2)}


def _pending(draft: Draft, choices: Choices) -> str:
    return choices.of(tuple(item.id for item in draft.stack) or ("0/nobody/1",))


def _two(draft: Draft, choices: Choices) -> tuple[str, str]:
    return who(draft, choices), who(draft, choices)


def _group(draft: Draft, choices: Choices) -> Params:
    first = draft.combatants.get(who(draft, choices))
    alike = [
        one.id for one in draft.combatants.values() if first and (one.side, one.stats) == (first.side, first.stats)
    ]
    return {"group": "pack", "members": alike}


def _join(draft: Draft, choices: Choices) -> Params:
    newcomer: Params = {"name": f"New {choices.of('ABC')}", "side": choices.of(SIDES), "block": "minion"}
    if any(one.place for one in draft.combatants.values()):
        newcomer["at"] = _cell(choices)
    return {"combatant": newcomer, **choices.of(({}, {"initiative": 12}))}


def _modify(draft: Draft, choices: Choices) -> Params:
    aim = {"item": _pending(draft, choices)} if choices.below(2) else {"who": who(draft, choices)}
    return {"by": choices.below(9) - 4, "label": choices.of(("high ground", "mud")), **aim}


def _reorder(draft: Draft, choices: Choices) -> Params:
    order = [slot.id for slot in draft.slots]
    turn = choices.below(len(order)) if order else 0
    return {"order": order[turn:] + order[:turn]}


def _relate(draft: Draft, choices: Choices) -> Params:
    return {"relation": "allies", "members": sorted(set(_two(draft, choices))) if choices.below(4) else []}


def _slot(draft: Draft, choices: Choices) -> Params:
    return {"slot": choices.of(tuple(slot.id for slot in draft.slots) or ("none",))}


RULED: dict[str, Say] = {
    "allow": _who(what=("opens the gate", "helps a friend")),
    "brink": _who(outcome=(None, "holds on", "dies", "unable"), sides=(None, 6), target=(None, 5), modifier=(None, 2)),
    "cancel": lambda draft, choices: {"item": _pending(draft, choices)},
    "close": lambda draft, choices: {},
    "condition": _who(condition=("prone", "readied", "brink", "unable", "delayed"), count=(1, 0, 2)),
    "dice": lambda draft, choices: {
        "owner": choices.of(("*", who(draft, choices))),
        "source": choices.of(("entered", "engine")),
    },
    "distance": lambda draft, choices: {
        **dict(zip(("one", "other"), _two(draft, choices), strict=True)),
        "to": choices.below(12),
    },
    "end": lambda draft, choices: {"victors": choices.of(("", *{one.side: 0 for one in draft.combatants.values()}))},
    "forfeit": _who(),
    "give": lambda draft, choices: {
        "item": _item(draft, choices),
        "to": who(draft, choices),
        "where": choices.of(("", "hand", "pack")),
    },
    "grant": _who(by=(1, -1, 2)),
    "group": _group,
    "harm": _who(amount=(1, 3, 9), protected=(False, True)),
    "item": _counter,
    "join": _join,
    "late_delay": lambda draft, choices: {},
    "leave": _who(),
    "modify": _modify,
    "note": lambda draft, choices: {"text": choices.of(("rain sets in", "it is late"))},
    "place": lambda draft, choices: {"who": who(draft, choices), "to": _cell(choices)},
    "place_slot": _slot,
    "pool": _who(pool=("health", "ep", "morale", "actions"), to=(None, 0, 1, 4), by=(None, 2, -3)),
    "relate": _relate,
    "reorder": _reorder,
    "sheet": _who(stat=("agility", "might", "protection", "health", "ep", "luck"), to=(0, 2, 12)),
    "side": lambda draft, choices: {"who": who(draft, choices), "side": choices.of(SIDES)},
    "split": _who(),
    "terrain": lambda draft, choices: {
        "place": _cell(choices),
        "traits": choices.of((["difficult"], ["blocked"], [])),
    },
    "trait": _who(trait=("footwork", "brave"), present=(True, False)),
    "unable": _who(able=(False, True)),
    "view": lambda draft, choices: {
        **dict(zip(("viewer", "target"), _two(draft, choices), strict=True)),
        "view": choices.of(("blocked", "clear")),
    },
    "waive": _who(),
}
"""What is said for each kind of ruling there is."""
