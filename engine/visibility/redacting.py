"""A state as somebody may see it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from typing import Any

from msgspec import Raw, Struct
from msgspec.structs import FieldInfo, replace
from msgspec.structs import fields as fields_of

from affray.engine.core.state import Awaited, Combatant, Pending, Question, Relation, State, Window
from affray.events import Id

from .betrayal import Secrets, plain, secrets, tells_of
from .viewers import Viewer

BANDS = ((1.0, "unhurt"), (0.5, "hurt"), (0.0, "badly hurt"))
"""From which share of its whole on a counter is shown as what; nothing left is ``down``."""

PENDING = (Awaited, Pending, Question, Window)
"""What is gone as a whole where it tells of a hidden counter."""

_GONE = object()

fields: Callable[[type[Struct]], tuple[FieldInfo, ...]] = lru_cache(fields_of)


def seen_by(viewer: Viewer, state: State) -> State:
    """Return the state with all left out that is hidden from somebody; the very same state if nothing is."""
    hidden = _hidden(viewer, state)
    if hidden is None:
        return state
    changes = {}
    for field in fields(State):
        before = getattr(state, field.name)
        after = _field(before, hidden)
        if after is _GONE:
            after = field.default  # there is one: what may be gone as a whole is a text, or nothing
        if after is not before:
            changes[field.name] = after
    return _veiled(replace(state, **changes), hidden)


def _field(value: Any, hidden: Secrets) -> Any:
    """Return a part of a state without what betrays something; most parts have nothing of it, which is soon seen."""
    if isinstance(value, PENDING) or (isinstance(value, tuple) and value and isinstance(value[0], PENDING)):
        return _without(value, hidden)
    if not value or not hidden.may_be_in(value):
        return value
    return _without(value, hidden)


def _veiled(state: State, hidden: Secrets) -> State:
    """Return a state without the hidden counters of those who are in it."""
    if not hidden.pools:
        return state
    people, marks = dict(state.combatants), dict(state.marks)
    for who, pools in hidden.pools.items():
        if who in people:
            one = people[who]
            people[who] = replace(one, stats=_unnumbered(one.stats, pools), pools=_unnumbered(one.pools, pools))
        if who in marks:
            marks[who] = _unnumbered(marks[who], pools)
    veiled = {who: pools for who, pools in state.veiled.items() if who not in hidden.pools}
    return replace(state, combatants=people, marks=marks, veiled=veiled)


def bands(viewer: Viewer, state: State) -> dict[Id, dict[str, str]]:
    """Return how the veiled counters stand of everybody whom somebody may see."""
    shown = seen_by(viewer, state).combatants
    return {
        who: {pool: _band(state.combatants[who].pools.get(pool, 0), whole) for pool, whole in pools.items()}
        for who, pools in state.veiled.items()
        if who in shown
    }


def betrays(viewer: Viewer, state: State, said: object) -> bool:
    """Tell whether one statement, a text or anything made of texts, says what is hidden from somebody."""
    hidden = _hidden(viewer, state)
    return hidden is not None and bool(hidden.found_in(said))


def _hidden(viewer: Viewer, state: State) -> Secrets | None:
    return None if viewer.role == "gm" else secrets(state, viewer.owns)


def _without(value: Any, hidden: Secrets) -> Any:
    """Return a value without what betrays something: an entry of a table or list, or the whole where its name does."""
    if isinstance(value, str | Raw):
        return _GONE if hidden.found_in(value) else value
    if isinstance(value, tuple):
        return tuple([one for one in (_without(one, hidden) for one in value) if one is not _GONE])
    if isinstance(value, Mapping):
        return _table(value, hidden)
    return _struct(value, hidden) if isinstance(value, Struct) else value


def _table(table: Mapping[Any, Any], hidden: Secrets) -> dict[Any, Any]:
    kept = {}
    for key, value in table.items():
        if not hidden.may_be_in((key, value)):
            kept[key] = value
            continue
        left = _without(value, hidden)
        emptied = isinstance(left, dict | tuple) and not left and value
        if left is not _GONE and not emptied and not hidden.found_in(key):
            kept[key] = left
    return kept


def _struct(struct: Struct, hidden: Secrets) -> Any:
    """Return a struct without what betrays something; it is gone where a text does or nobody is left in it."""
    if isinstance(struct, Combatant):
        return _combatant(struct, hidden)
    if not hidden.found_in(struct):
        return struct
    if isinstance(struct, PENDING) and hidden.numbers_in(struct):
        return _GONE
    changes = {}
    for field in fields(type(struct)):
        before = getattr(struct, field.name)
        after = _without(before, hidden)
        if after is _GONE or (before and not after and field.required):
            return _GONE
        changes[field.name] = after
    if isinstance(struct, Relation) and len(changes["members"]) < min(2, len(struct.members)):
        return _GONE  # one who rides, or is held, tells that there is another
    return replace(struct, **changes)


def _combatant(one: Combatant, hidden: Secrets) -> Any:
    """Return a combatant without what betrays others; it is gone if it is concealed itself."""
    if hidden.concealed.found_in(plain(f"{one.id}/{one.name}")):
        return _GONE
    return replace(one, traits=_without(one.traits, hidden), conditions=_table(one.conditions, hidden))


def _unnumbered(table: Mapping[str, Any], pools: Collection[str]) -> Mapping[str, Any]:
    """Return a table without what is named after a hidden counter, such as ``hp_max``."""
    return {key: value for key, value in table.items() if not tells_of(plain(key), pools)}


def _band(count: int, whole: int) -> str:
    if count <= 0:
        return "down"
    return next(word for share, word in BANDS if count >= share * whole)
