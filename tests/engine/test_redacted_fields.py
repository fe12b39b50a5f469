"""Redacted states field by field: no id of a concealed combatant is left in any field of any type.

The fields are read from the types of the state. So a new field is tried as soon as it exists.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec import Raw, Struct, inspect
from msgspec.structs import replace

from affray.engine.core.draft import MarkValue
from affray.engine.core.loading import load
from affray.engine.core.marks import WORDS, StructMark
from affray.engine.core.state import Combatant, Item, Pending, Relation, State
from affray.engine.visibility import Viewer, project_state
from affray.engine.visibility.audiences import find_audiences
from affray.events import MarkSet, Member, Slot
from affray.events.refs import KEY
from tests.rulesets.systems import PRESENT

SPECTATOR = Viewer(role="spectator")
HIDDEN = ("lurker", "hidden")
"""No redacted state contains these words: ids of the concealed combatant and of groups that rest on it."""

NAMING_HIDDEN = {
    "combatant": ("lurker",),
    "item": ("lurker.sword",),
    "thing": ("lurker.sword", "ilse.lurker-shield"),
    "relation": ("hidden-bond",),
    "several": ("lurker", "hidden-side"),
    "side": ("hidden-side",),
    "slot": ("lurker", "hidden-slot"),
    "pending": ("1/lurker/strike.1", "1/hidden-slot/strike.1"),
    "question": ("1/lurker/strike.1/pay", "1/ilse/strike.1/pay:lurker"),
    "roll": ("1/lurker/strike.1/attack", "1/ilse/strike.1/provoked:lurker", "1/turn_start/panic:ilse@lurker"),
    "window": ("1/lurker/strike.1/declare", "1/hidden-slot/turn"),
    "subject": ("lurker", "lurker.sword", "ilse.lurker-shield", "hidden-side", "hidden-bond", "1/lurker/strike.1"),
    "source": ("lurker", "lurker.sword", "ilse.lurker-shield", "hidden-bond"),
    "purpose": ("provoked:lurker", "panic:ilse@lurker"),
    "topic": ("outcome:1/lurker/strike.1", "help:lurker"),
}
"""Per kind of text examples that name the concealed combatant."""

UNTYPED = {
    "among": ("lurker", "lurker.sword"),
    "counts": ("lurker/strike.", "lurker/turn", "hidden-slot/turn"),
}
"""The same per field whose type does not say what its texts or its keys name."""

NAMES_NOBODY = frozenset(
    {
        *("action", "condition", "counter", "die", "item kind", "manner", "option", "phase", "pool", "position"),
        *("place", "relation kind", "role", "stat", "text", "trait", "trigger", "words", "clock", "view"),
        *("mark", "mark topic"),
    }
)
"""Kinds of text that name no combatant. What marks name is declared by each system, and tried below."""

NAMED_BY_VALUE = {"among": {"name": "attacker"}}
"""Per field what must stand beside it for its texts to be ids: here the name of what a question asks for."""

SETTINGS = frozenset({"config", "dice_sources", "mark_parts", "marks", "side_dice", "standing", "stops", "views"})
"""Tables whose values are settings, or marks; no type says that these name a combatant."""

OF_KNOWN = {Combatant: "side", Slot: "id"}
"""Fields that viewers know from a known combatant: its side and its slot."""


def fight(system: str = "verdigris") -> State:
    """Return a state with a concealed combatant that has items, a side, a slot and a relation."""
    people = {
        "ilse": Combatant(id="ilse", name="Ilse", side="a"),
        "brand": Combatant(id="brand", name="Brand", side="b"),
        "lurker": Combatant(id="lurker", name="The lurker", side="hidden-side"),
    }
    things = [
        Item(id="lurker.sword", name="lurker's sword", kind="weapon", owner="lurker"),
        Item(id="ilse.lurker-shield", name="shield", kind="weapon", owner="lurker"),
    ]
    return State(
        system=system,
        combatants=people,
        items={one.id: one for one in things},
        relations={"hidden-bond": Relation(id="hidden-bond", kind="bond", members=(Member(who="lurker"),))},
        slots=(Slot(id="ilse", members=("ilse",)), Slot(id="hidden-slot", members=("lurker",))),
        concealed=("lurker",),
    )


def make_hiding_values(kind: inspect.Type, named: str, path: str) -> Iterator[Any]:
    """Yield values of a type with one text that names the concealed combatant."""
    match kind:
        case inspect.Metadata():
            yield from make_hiding_values(kind.type, (kind.extra_json_schema or {}).get(KEY, named), path)
        case inspect.StrType():
            assert named in NAMING_HIDDEN or named in NAMES_NOBODY or path in {*UNTYPED, *SETTINGS}, (path, named)
            yield from NAMING_HIDDEN.get(named) or (UNTYPED.get(path, ()) if path not in SETTINGS else ())
        case inspect.StructType():
            for field in kind.fields:
                if field.name not in ("params", OF_KNOWN.get(kind.cls)):  # parameters of each action are tried below
                    for value in make_hiding_values(field.type, "", field.name):
                        yield strip_concealed(kind, **NAMED_BY_VALUE.get(field.name, {}), **{field.name: value})
        case inspect.VarTupleType():
            yield from ((plain_of(kind.item_type), value) for value in make_hiding_values(kind.item_type, named, path))
        case inspect.DictType():
            keys = UNTYPED.get(path) or make_hiding_values(kind.key_type, "", path)
            yield from ({key: plain_of(kind.value_type)} for key in keys)
            for value in make_hiding_values(kind.value_type, "", path):
                yield {plain_of(kind.key_type): value}
        case inspect.UnionType():
            for one in kind.types:
                yield from make_hiding_values(one, named, path)


def strip_concealed(kind: inspect.StructType, **fields: Any) -> Struct:
    """Return a struct without ids of concealed combatants, but for these fields."""
    rest = {one.name: plain_of(one.type) for one in kind.fields}
    return kind.cls(**{**rest, **({"kind": "end_turn"} if kind.cls is Pending else {}), **fields})


def plain_of(kind: inspect.Type) -> Any:
    """Return a value of a type without ids of concealed combatants."""
    while isinstance(kind, inspect.Metadata | inspect.UnionType):
        kind = kind.types[0] if isinstance(kind, inspect.UnionType) else kind.type
    if isinstance(kind, inspect.StructType):
        return strip_concealed(kind)
    if isinstance(kind, inspect.VarTupleType):
        return (plain_of(kind.item_type),)
    return kind.values[0] if isinstance(kind, inspect.LiteralType) else PLAIN[type(kind)]


PLAIN: dict[type[inspect.Type], Any] = {
    inspect.BoolType: False,
    inspect.CustomType: Raw(b"{}"),
    inspect.DictType: {},
    inspect.IntType: 1,
    inspect.NoneType: None,
    inspect.RawType: Raw(b"{}"),
    inspect.StrType: "ilse",
}
"""Per type of a field a value without ids of concealed combatants."""


def states() -> Iterator[tuple[str, State]]:
    """Yield states and the name of the field with one text that names the concealed combatant."""
    base, told = fight(), inspect.type_info(State)
    assert isinstance(told, inspect.StructType)
    for field in told.fields:
        known = getattr(base, field.name)
        for value in make_hiding_values(field.type, "", field.name):
            whole = {**known, **value} if isinstance(known, dict) else value
            yield field.name, replace(base, **{field.name: (*known, *value) if isinstance(known, tuple) else whole})


def find_leaked_texts(state: State) -> list[str]:
    """Return the texts of a redacted state that name the concealed combatant."""
    seen = msgspec.json.decode(msgspec.json.encode(project_state(SPECTATOR, state)))
    return [text for text in texts(seen) if any(word in text for word in HIDDEN)]


def texts(said: Any) -> Iterator[str]:
    """Yield every text in a value made of builtins, keys included."""
    if isinstance(said, dict):
        for key, value in said.items():
            yield from (key, *texts(value))
    elif isinstance(said, list | tuple):
        for one in said:
            yield from texts(one)
    elif isinstance(said, str):
        yield said


@pytest.mark.parametrize("veiled", [{}, {"ilse": {"hp": 5}}], ids=["shown", "veiled"])
def test_no_field_of_a_redacted_state_names_a_concealed_combatant(veiled: dict[str, dict[str, int]]) -> None:
    """However it came in: as a key or a value, in a combatant, in a thing, in what is asked or awaited."""
    tried = [(name, replace(state, veiled={**state.veiled, **veiled})) for name, state in states()]
    assert not [(name, found) for name, state in tried if (found := find_leaked_texts(state))]


@pytest.mark.parametrize("system", PRESENT)
def test_no_mark_of_a_redacted_state_names_a_concealed_combatant(system: str) -> None:
    """Neither by its name nor by its value, as the system declares them."""
    marks, base, tried = load(system).marks, fight(system), list[tuple[str, str, MarkValue]]()
    for (key, topic), mark in marks.items():
        tried += [(key, topic, (value,) if mark.lists else value) for value in NAMING_HIDDEN.get(mark.names, ())]
        tried += [(key, value, 1) for value in NAMING_HIDDEN.get(mark.about, ())]
    assert tried
    for owner in ("fight", "ilse"):
        for key, about, value in tried:
            assert not find_leaked_texts(replace(base, marks={owner: {key: {about: value}}})), (key, about, value)


@pytest.mark.parametrize("owner", ["fight", "ilse"])
@pytest.mark.parametrize("system", ["wwn", "wyrd"])
def test_no_struct_of_a_redacted_state_names_a_concealed_combatant(system: str, owner: str) -> None:
    """Nor does it hold words for others than the player of its subject."""
    base, tried = fight(system), 0
    known, hidden = ("ilse", "lurker") if system == "wwn" else (("ilse",), ("ilse", "lurker"))
    for (key, about), mark in load(system).marks.items():
        if not isinstance(mark, StructMark) or {"who", "what", "name"}.isdisjoint(mark.form.__struct_fields__):
            continue
        if mark.names == WORDS:
            words = {owner: {key: {about: {"name": "a kris"}}}}
            assert not project_state(SPECTATOR, replace(base, mark_parts=words)).mark_parts
            continue
        open_ = {owner: {key: {about: {"who": known}}}}
        assert project_state(SPECTATOR, replace(base, mark_parts=open_)).mark_parts == open_
        for parts in ({"who": hidden}, {"what": "a rope"}):
            if set(parts) <= {*mark.form.__struct_fields__}:
                tried += 1
                state = replace(base, mark_parts={owner: {key: {about: parts}}})
                assert not find_leaked_texts(state), key
                assert not project_state(SPECTATOR, state).mark_parts, key
    assert tried


@pytest.mark.parametrize("system", PRESENT)
def test_a_mark_that_names_a_concealed_combatant_is_struck_as_secretly_as_it_was_set(system: str) -> None:
    """What it says no more tells as much as what it said; a mark about known combatants is struck openly."""
    marks, base = load(system).marks, fight(system)
    for (key, about), mark in marks.items():
        for value in ("a", *NAMING_HIDDEN.get(mark.names, ())):
            marked = replace(base, marks={"fight": {key: {about: (value,) if mark.lists else value}}})
            struck = MarkSet(owner="fight", key=key, about=about, value=None)
            _, (readers,) = find_audiences(marked, [struck], lambda _: base)
            assert readers == (None if value == "a" else ("lurker",)), (key, value)


@pytest.mark.parametrize("system", PRESENT)
def test_no_pending_action_of_a_redacted_state_names_a_concealed_combatant(system: str) -> None:
    """Not in a parameter of any action."""
    base, tried = fight(system), 0
    for kind, action in load(system).actions.items():
        told = inspect.type_info(action)
        assert isinstance(told, inspect.StructType)
        for said in make_hiding_values(told, "", kind):
            one = Pending("1/ilse/x.1", "ilse", kind, Raw(msgspec.json.encode(said)), "action")
            assert not find_leaked_texts(replace(base, stack=(one,))), said
            tried += 1
    assert tried > 5
