"""Parts for drawn fights of every rule system: configuration values, and common rulings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, get_args

import msgspec
from hypothesis import strategies as st
from msgspec import inspect

from affray.engine.core.draft import Draft
from affray.engine.core.state import Combatant
from affray.events import Moment
from tests.engine.choices import Choices

Params = dict[str, Any]
Say = Callable[[Draft, Choices], Params]


class Kind(NamedTuple):
    """A kind of action or ruling.

    Attributes:
        sort: ``action`` or ``ruling``.
        say: What is said of a ruling, where not what is usually said of its kind.
    """

    sort: str
    name: str
    say: Say | None = None


class Drawn(NamedTuple):
    """The declarations of ``tests/rulesets/<system>/drawn.py``, under the name ``DRAWN``.

    Attributes:
        encounters: Draws everything an encounter file of the system can say.
        with_an_end: Leaves out of an encounter everything for which blows might never settle it.
        ruled: The parameters of each ruling of the system's own, sensible or not.
        conditions: What the common ruling on conditions may give.
        places: Where the common rulings on places may put somebody.
        things: What the ruling on gear may hand out.
        out: Tells whether somebody can fight no more.
        first: What must have been done before something can be, where it seldom comes about by itself.
    """

    encounters: Callable[[], st.SearchStrategy[dict[str, Any]]]
    with_an_end: Callable[[dict[str, Any]], dict[str, Any]]
    ruled: Mapping[str, Say]
    conditions: tuple[str, ...]
    places: tuple[str, ...]
    things: tuple[str, ...]
    out: Callable[[Combatant], bool]
    first: Mapping[str, Kind] = MappingProxyType({})


def value_of(type_: inspect.Type) -> st.SearchStrategy[Any]:
    """Return values of a configuration key; numbers without a bound stay small."""
    if isinstance(type_, inspect.BoolType):
        return st.booleans()
    if isinstance(type_, inspect.NoneType):
        return st.none()
    if isinstance(type_, inspect.LiteralType):
        return st.sampled_from(type_.values)
    if isinstance(type_, inspect.IntType):
        low = -3 if type_.ge is None else max(type_.ge, -3)
        return st.integers(low, low + 8 if type_.le is None else max(low, min(type_.le, 12)))
    if isinstance(type_, inspect.UnionType):
        return st.one_of([value_of(one) for one in type_.types if not isinstance(one, inspect.NoneType)])
    assert isinstance(type_, inspect.VarTupleType), type_
    return st.lists(value_of(type_.item_type), unique=True).map(tuple)


def config_values(config: type[msgspec.Struct], **given: st.SearchStrategy[Any]) -> dict[str, st.SearchStrategy[Any]]:
    """Return a strategy for every key of the whole struct, so that a new key is drawn from the day it exists.

    Args:
        config: The struct of a system's configuration.
        given: The strategies of keys whose type alone does not say which values make sense.
    """
    told = inspect.type_info(config)
    assert isinstance(told, inspect.StructType)
    return {field.name: given[field.name] if field.name in given else value_of(field.type) for field in told.fields}


@st.composite
def configs(draw: st.DrawFn, values: dict[str, st.SearchStrategy[Any]], most: int = 6) -> dict[str, Any]:
    """Draw the values of some keys; the others keep their defaults."""
    keys = draw(st.lists(st.sampled_from(sorted(values)), unique=True, max_size=most))
    return {key: draw(values[key]) for key in keys}


def ids_of(one: dict[str, Any]) -> list[str]:
    """Return the ids that an entry's combatants get."""
    name = str(one["name"]).lower().replace(" ", "-")
    return [f"{name}-{'abcdefgh'[nth]}" for nth in range(one["count"])] if one.get("count", 1) > 1 else [name]


def who(draft: Draft, choices: Choices) -> str:
    """Return a combatant of the fight; none once all have left."""
    return choices.of(tuple(draft.combatants) or ("nobody",))


def somebody(**more: tuple[Any, ...]) -> Say:
    """Return a strategy for a combatant and further parameters; ``None`` leaves a parameter out."""

    def say(draft: Draft, choices: Choices) -> Params:
        said = {name: choices.of(values) for name, values in more.items()}
        return {"who": who(draft, choices), **{name: value for name, value in said.items() if value is not None}}

    return say


def several(**more: tuple[Any, ...]) -> Say:
    """Return a strategy for one or two combatants."""
    say = somebody(**more)

    def several_say(draft: Draft, choices: Choices) -> Params:
        said = say(draft, choices)
        return {**said, "who": sorted({said["who"], who(draft, choices)})}

    return several_say


def item(draft: Draft, choices: Choices) -> str:
    """Return a thing, if there is one."""
    return choices.of(tuple(draft.items) or ("nothing",))


def pending(draft: Draft, choices: Choices) -> str:
    """Return what is pending, if anything is."""
    return choices.of(tuple(one.id for one in draft.stack) or ("0/nobody/1",))


def draw_two(draft: Draft, choices: Choices) -> tuple[str, str]:
    """Return two combatants, or the same one twice."""
    return who(draft, choices), who(draft, choices)


def side(draft: Draft, choices: Choices) -> str:
    """Return a side of the fight."""
    return choices.of(tuple({one.side: 0 for one in draft.combatants.values()}) or ("nobody",))


def _counter(draft: Draft, choices: Choices) -> Params:
    counted = [one for one in draft.items.values() if one.counters]
    if not counted:
        return {"item": item(draft, choices), "counter": "loaded", "to": 1}
    thing = choices.of(counted)
    return {"item": thing.id, "counter": choices.of(tuple(thing.counters)), "to": choices.below(3)}


def _pool(draft: Draft, choices: Choices) -> Params:
    whom = who(draft, choices)
    pools = tuple(draft.combatants[whom].pools) if whom in draft.combatants else ()
    amount = choices.of(({"to": 0}, {"to": 1}, {"to": 4}, {"by": 2}, {"by": -3}, {}))
    return {"who": whom, "pool": choices.of((*pools, "luck")), **amount}


def _sheet(draft: Draft, choices: Choices) -> Params:
    whom = who(draft, choices)
    stats = tuple(draft.combatants[whom].stats) if whom in draft.combatants else ()
    return {"who": whom, "stat": choices.of((*stats, "fame")), "to": choices.of((0, 2, 12))}


def _modify(draft: Draft, choices: Choices) -> Params:
    aim = {"item": pending(draft, choices)} if choices.below(2) else {"who": who(draft, choices)}
    return {"by": choices.below(9) - 4, "label": choices.of(("high ground", "mud")), **aim}


def _reorder(draft: Draft, choices: Choices) -> Params:
    order = [slot.id for slot in draft.slots]
    turn = choices.below(len(order)) if order else 0
    return {"order": order[turn:] + order[:turn]}


def _relate(draft: Draft, choices: Choices) -> Params:
    return {"relation": "allies", "members": sorted(set(draw_two(draft, choices))) if choices.below(4) else []}


def _distance(draft: Draft, choices: Choices) -> Params:
    return {**dict(zip(("one", "other"), draw_two(draft, choices), strict=True)), "to": choices.below(12)}


def _view(draft: Draft, choices: Choices) -> Params:
    seen = choices.of(
        (*dict.fromkeys((one for by in draft.views.values() for one in by.values()), 0), "blocked", "clear")
    )
    return {**dict(zip(("viewer", "target"), draw_two(draft, choices), strict=True)), "view": seen}


def _veil(draft: Draft, choices: Choices) -> Params:
    whom = who(draft, choices)
    pools = tuple(draft.combatants[whom].pools) if whom in draft.combatants else ()
    return {"who": whom, "pools": [choices.of((*pools, "luck"))]}


def _release(_: Draft, choices: Choices) -> Params:
    return choices.of(({}, {"positions": [1]}, {"positions": [2, 10_000]}))


def _conceal(draft: Draft, choices: Choices) -> Params:
    return {"who": who(draft, choices)} if choices.below(4) else {"coming": choices.of(("The Stalker", "…"))}


MOMENTS: tuple[str, ...] = get_args(Moment)
"""When a condition can end."""

FIRST = {
    "release": Kind("ruling", "note"),
    "note": Kind("ruling", "conceal"),
    "reveal": Kind("ruling", "conceal"),
    "unveil": Kind("ruling", "veil"),
}
"""What must have been done before something can be, in every system."""


def everywhere(drawn: Drawn) -> dict[str, Say]:
    """Return what is said for each ruling that every system knows."""
    return {
        "cancel": lambda draft, choices: {"item": pending(draft, choices)},
        "conceal": _conceal,
        "condition": somebody(
            condition=drawn.conditions, count=(1, 0, 2), rounds=(*[None] * 3, 1, 2), until=(*[None] * 4, *MOMENTS)
        ),
        "dice": lambda draft, choices: {
            "owner": choices.of(("*", who(draft, choices))),
            "source": choices.of(("entered", "engine")),
        },
        "distance": _distance,
        "to_hand": lambda draft, choices: {"item": item(draft, choices)},
        "foes": lambda draft, choices: {"show": choices.of(("open", "rough", "hidden"))},
        "gear": somebody(thing=drawn.things),
        "give": lambda draft, choices: {
            "item": item(draft, choices),
            "to": who(draft, choices),
            "where": choices.of(("", "hand", "pack")),
            "count": choices.of((0, 0, 1)),
        },
        "item": _counter,
        "leave": somebody(),
        "modify": _modify,
        "more_to_come": lambda draft, choices: {"expected": choices.of((True, False))},
        "note": lambda draft, choices: {"text": choices.of(("rain sets in", "it is late"))},
        "place": lambda draft, choices: {"who": who(draft, choices), "to": choices.of(drawn.places)},
        "pool": _pool,
        "relate": _relate,
        "release": _release,
        "reorder": _reorder,
        "reveal": lambda draft, choices: {"who": choices.of((*draft.concealed, who(draft, choices)))},
        "roll": somebody(dice=("2d6+1", "d20", "3d4 - 2"), **{"for": ("luck", "the weather")}),
        "secret_roll": lambda draft, choices: {
            "dice": choices.of(("2d6", "d20", "d1000")),
            "purpose": choices.of(("listening", f"what {who(draft, choices)} hears")),
            "plus": choices.below(3),
        },
        "sheet": _sheet,
        "side": lambda draft, choices: {"who": who(draft, choices), "side": side(draft, choices)},
        "put_away": lambda draft, choices: {"item": item(draft, choices)},
        "take_away": lambda draft, choices: {"item": item(draft, choices), "count": choices.of((0, 0, 1))},
        "terrain": lambda draft, choices: {
            "place": choices.of(drawn.places),
            "traits": choices.of((["difficult"], ["blocked"], [])),
        },
        "trait": somebody(trait=("brave", "pc"), present=(True, False)),
        "turn": somebody(),
        "undo": lambda draft, choices: {"rule": choices.of(("consent", "free"))},
        "unveil": lambda draft, choices: {"who": choices.of((*draft.veiled, who(draft, choices)))},
        "veil": _veil,
        "verdict": somebody(verdict=("miss", "hit", "fails", "succeeds")),
        "view": _view,
    }
