"""The state as a viewer may see it: redacted by its typed fields."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping
from threading import Lock
from typing import Any, TypeVar

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from affray.engine.core.loading import load
from affray.engine.core.marks import holds_words, is_list
from affray.engine.core.open_parts import asks_for_each, known_in_list, known_options
from affray.engine.core.ruleset import Ruleset
from affray.engine.core.state import (
    Awaited,
    Combatant,
    Item,
    MarksBy,
    Pending,
    Postponed,
    Question,
    Relation,
    State,
    Window,
)
from affray.events import APART, AnySource, Id, Slot, pending_of

from .foes import list_foes
from .hidden import Hidden, hidden_in
from .linked_events import seal_parts
from .privileged_text import free_texts
from .readers import Reading
from .references import find_names_in_mark
from .viewers import SECRET_RULINGS, Viewer

T = TypeVar("T")
V = TypeVar("V")
P = TypeVar("P", Pending, Awaited)

BANDS = ((1.0, "unhurt"), (0.5, "hurt"), (0.0, "badly hurt"))
"""The bands of a veiled counter, each with its smallest share of the whole; 0 left is ``down``."""

MUCH = 3
"""The share to which a counter that rises with harm must rise to be ``badly hurt``; it is never ``down``."""

TYPICAL = 10
"""The assumed maximum of a counter for viewers who read only its band."""

UNTOLD = "…"
"""The placeholder for words that a viewer may not read."""

KEPT = 128
"""The size of the cache of redacted states, least recently used dropped; a request reads one several times."""

_kept: OrderedDict[tuple[int, tuple[Id, ...]], tuple[State, State]] = OrderedDict()
_keeping = Lock()


def project_state(viewer: Viewer, state: State) -> State:
    """Return the state as a viewer may see it; the same object if nothing is hidden."""
    if viewer.role == "gm" or not (state.concealed or state.veiled):
        return state
    key = id(state), viewer.owns
    with _keeping:
        kept = _kept.get(key)
        if kept is not None and kept[0] is state:
            _kept.move_to_end(key)
            return kept[1]
    hidden = _hidden_from(viewer, state)
    seen = state if hidden is None else _untold(_without(state, hidden, viewer.owns), _unread(viewer, state, hidden))
    with _keeping:
        _kept[key] = state, seen
        if len(_kept) > KEPT:
            _kept.popitem(last=False)
    return seen


def leave_out(state: State, absent: Collection[Id]) -> State:
    """Return a state without some combatants, and without all that tells of them."""
    return _without(state, Hidden(state, frozenset(absent), {}), state.combatants)


def project_for_sending(viewer: Viewer, state: State) -> State:
    """Return the state as it is sent to a viewer: ``project_state`` without secret counts, and without foes' sheets.

    The numbers of secret rulings are secret, and so are those of rulings about concealed combatants, even after a
    reveal. The numbers of foes and of their things stay in ``project_state``: a viewer reads hit chances, not sheets.
    """
    seen = project_state(viewer, state)
    if viewer.role == "gm":
        return seen
    if sheets := list_foes(state).intersection(state.veiled).difference(viewer.owns):
        seen = _without_sheets(seen, sheets)
    secret = {key for key in seen.counts if key in SECRET_COUNTS or key.endswith(f"{APART}.")}
    if not secret:
        return seen
    return replace(seen, counts={key: many for key, many in seen.counts.items() if key not in secret})


def _without_sheets(state: State, sheets: Collection[Id]) -> State:
    """Return a state without the numbers of some combatants and of their things."""
    return replace(
        state,
        combatants={who: replace(one, stats={}) if who in sheets else one for who, one in state.combatants.items()},
        items={
            id: replace(one, stats={}, counters={}, die=0, base=0) if one.owner in sheets else one
            for id, one in state.items.items()
        },
    )


SECRET_COUNTS = frozenset(f"gm/{kind}." for kind in SECRET_RULINGS)
"""The counters of secret rulings, by kind."""


def list_bands(viewer: Viewer, state: State) -> dict[Id, dict[str, str]]:
    """Return the bands of all veiled counters that the viewer sees."""
    if not state.veiled:
        return {}
    concealed = concealed_from(viewer, state)
    if viewer.role != "gm" and state.foes == "hidden":
        concealed |= list_foes(state).difference(viewer.owns)
    rising = load(state.system).vocabulary.rising
    return {
        who: {
            pool: _band(state.combatants[who].pools.get(pool, 0), whole, pool in rising)
            for pool, whole in pools.items()
        }
        for who, pools in state.veiled.items()
        if who in state.combatants and who not in concealed
    }


def concealed_from(viewer: Viewer, state: State) -> frozenset[Id]:
    """Return the combatants that are concealed from a viewer."""
    return frozenset() if viewer.role == "gm" else frozenset(state.concealed).difference(viewer.owns)


def names_hidden(viewer: Viewer, state: State, kind: str, text: AnySource) -> bool:
    """Tell whether a text or a source, such as that of a refusal, names a concealed combatant."""
    hidden = _hidden_from(viewer, state)
    return hidden is not None and bool(hidden.named_as(kind, text))


def _hidden_from(viewer: Viewer, state: State) -> Hidden | None:
    return None if viewer.role == "gm" else hidden_in(state, viewer.owns)


def _without(state: State, hidden: Hidden, owns: Collection[Id]) -> State:
    """Return a state without the facts that are hidden."""

    def list_visible(kind: str, ids: Iterable[Id]) -> tuple[Id, ...]:
        return tuple([id for id in ids if not hidden.named_as(kind, id)])

    def keep_visible(kind: str, table: Mapping[str, Any]) -> Mapping[str, Any]:
        return {id: value for id, value in table.items() if not hidden.named_as(kind, id)}

    def keep_visible_pairs(table: Mapping[Id, Mapping[Id, V]]) -> Mapping[Id, Mapping[Id, V]]:
        known = {one: by for one, by in table.items() if one not in hidden.concealed}
        left = {one: {two: it for two, it in by.items() if two not in hidden.concealed} for one, by in known.items()}
        return {one: by for one, by in left.items() if by}

    def redact_parts(parts: Iterable[T], see: Callable[[T, Hidden], T | None]) -> tuple[T, ...]:
        return tuple([left for one in parts if (left := see(one, hidden)) is not None])

    pending = [(one, hidden.found_in(one)) for one in state.stack]
    sealed = {one.id for one, who in pending if who & hidden.concealed}
    asking = {one.id for one, who in pending if seal_parts(one, who, state.system) & hidden.concealed}
    theirs = bool(state.acting) and hidden.named_as("slot", state.up)

    def see(one: Postponed, hidden: Hidden) -> Postponed | None:
        is_open = pending_of(one.id) not in asking
        question = _question(one.question, hidden) if one.question and is_open else None
        awaited = _whole(one.awaited, hidden) if one.awaited and is_open else None
        return Postponed(question=question, awaited=awaited) if question or awaited else None

    waits = redact_parts((*state.postponed, Postponed(question=state.question, awaited=state.awaited)), see)
    on_top = waits[-1] if waits else Postponed()
    veiled = {who: pools for who, pools in state.veiled.items() if who not in (hidden.pools.keys() | hidden.concealed)}
    marks = {owner: left for owner, table in state.marks.items() if (left := _marks(owner, table, hidden, owns))}
    structs = {owner: told for owner, table in state.mark_parts.items() if (told := _marks(owner, table, hidden, owns))}
    return replace(
        state,
        phases={
            id: one
            for id, one in keep_visible("pending", state.phases).items()
            if id not in sealed and (id or not theirs)
        },
        combatants={one.id: one for one in redact_parts(state.combatants.values(), _combatant)},
        departed={one.id: one for one in redact_parts(state.departed.values(), _combatant)},
        items={one.id: one for one in redact_parts(state.items.values(), _item)},
        relations={one.id: one for one in redact_parts(state.relations.values(), _relation)},
        distances=keep_visible_pairs(state.distances),
        views=keep_visible_pairs(state.views),
        marks=marks,
        mark_parts=structs,
        clocks=keep_visible("subject", state.clocks),
        slots=redact_parts(state.slots, _slot),
        up=state.up if not hidden.named_as("slot", state.up) else "",
        acting=list_visible("combatant", state.acting),
        stack=redact_parts(state.stack, _whole),
        counts={key: many for key, many in keep_visible("count", state.counts).items() if not _is_of_declarations(key)},
        question=on_top.question,
        awaited=on_top.awaited,
        postponed=waits[:-1],
        window=_window(state.window, hidden) if state.window else None,
        standing=keep_visible("combatant", state.standing),
        dice_sources=keep_visible("combatant", state.dice_sources),
        side_dice=keep_visible("side", state.side_dice),
        heroes=list_visible("side", state.heroes),
        victors=state.victors if not hidden.named_as("side", state.victors) else "",
        allied_victors=list_visible("side", state.allied_victors),
        concealed=list_visible("combatant", state.concealed),
        veiled=veiled,
    )


def _is_of_declarations(counter: str) -> bool:
    """Tell whether a counter numbers declarations or rulings, some maybe sealed."""
    return counter.endswith(".") or "/" not in counter


def _combatant(one: Combatant, hidden: Hidden) -> Combatant | None:
    """Return a combatant without hidden counters and concealed sources of conditions."""
    if one.id in hidden.concealed:
        return None
    changes: dict[str, Any] = {
        "conditions": _from_known(one.conditions, hidden),
        "endings": _from_known(one.endings, hidden),
    }
    if one.id in hidden.pools:
        changes |= {
            "stats": _drop_hidden_counters(one.id, one.stats, hidden),
            "pools": _drop_hidden_counters(one.id, one.pools, hidden),
        }
    return one if all(getattr(one, name) == left for name, left in changes.items()) else replace(one, **changes)


def _from_known(table: Mapping[str, Mapping[str, T]], hidden: Hidden) -> dict[str, dict[str, T]]:
    """Return a table by condition and source without concealed sources.

    A condition without a source left is removed.
    """
    return {
        name: left
        for name, sources in table.items()
        if (left := {source: held for source, held in sources.items() if not hidden.named_as("source", source)})
    }


def _drop_hidden_counters(who: Id, table: Mapping[str, Any], hidden: Hidden) -> dict[str, Any]:
    """Return a table without words that tell of hidden counters, such as ``hp_max``."""
    return {word: value for word, value in table.items() if not hidden.pool_in(word, who)}


def _item(one: Item, hidden: Hidden) -> Item | None:
    return None if hidden.named_as("item", one.id) or one.owner in hidden.concealed else one


def _relation(one: Relation, hidden: Hidden) -> Relation | None:
    """Return a relation without concealed members.

    A member that rides, or is held, would tell that there is another.
    """
    if hidden.named_as("relation", one.id):
        return None
    members = tuple([member for member in one.members if member.who not in hidden.concealed])
    return one if len(members) == len(one.members) else replace(one, members=members)


def _slot(one: Slot, hidden: Hidden) -> Slot | None:
    members = tuple([who for who in one.members if who not in hidden.concealed])
    if one.id in hidden.slots:
        return None
    if len(members) == len(one.members):
        return one
    return replace(one, members=members) if members else None


def _marks(owner: Id, table: MarksBy[V], hidden: Hidden, owns: Collection[Id]) -> MarksBy[V]:
    """Return the marks of a subject that tell no hidden fact, of a list its known combatants.

    Free text in them is for the subject's player alone.
    """
    if hidden.named_as("subject", owner):
        return {}
    found: dict[str, dict[str, V]] = {}
    for key, held in table.items():
        for about, value in held.items():
            known: Any = value
            if isinstance(value, tuple) and value and is_list(hidden.scope.marks, key):
                known = known_in_list(value, hidden.concealed) or None
            if known is not None and _is_told(owner, key, about, known, hidden, owns):
                found.setdefault(key, {})[about] = known
    return found


def _is_told(owner: Id, key: str, about: str, value: object, hidden: Hidden, owns: Collection[Id]) -> bool:
    """Tell whether a viewer may read a mark: it tells no hidden fact, or words to another player."""
    parts = value if isinstance(value, Mapping) else {}
    if owner not in owns and holds_words(hidden.scope.marks, key, about, parts):
        return False
    found = find_names_in_mark(key, about, value, parts, hidden.scope)
    return not hidden.told_by(Reading(found.who | {owner}, found.words))


def _whole(one: P, hidden: Hidden) -> P | None:
    """Return a pending or awaited item if it tells no hidden fact."""
    return None if hidden.found_in(one) else one


def _window(one: Window, hidden: Hidden) -> Window | None:
    to = tuple([who for who in one.to if who not in hidden.concealed])
    return replace(one, to=to) if to and not hidden.named_as("window", one.id) else None


def _question(one: Question, hidden: Hidden) -> Question | None:
    """Return a question without concealed choices; ``None`` if it is hidden.

    It is hidden if it concerns a concealed combatant, tells of a hidden counter, or asks concealed ones alone.
    """
    of = tuple([who for who in one.of if who not in hidden.concealed])
    numbers = (hidden.found_in(one) - hidden.concealed) | hidden.named_as_sources(one.sources)
    if not of or numbers or hidden.named_as("question", one.id) or hidden.named_as("topic", one.about):
        return None
    if asks_for_each(one.options, lambda about: bool(hidden.named_as("several", about))):
        return None
    assert hidden.scope.rules is not None  # they asked
    options = known_options(one.options, hidden.names_concealed, hidden.scope.rules.vocabulary)
    return replace(one, of=of, options=options) if options else None


# --- words ---


def _unread(viewer: Viewer, state: State, hidden: Hidden) -> frozenset[Id]:
    """Return the pending actions with words that a viewer may not read.

    These are words of senders who know more, or about a hidden combatant. A viewer who plays the actor and a concealed
    combatant may read them: they wrote them, or are addressed by them.
    """
    theirs = {*viewer.owns} if {*state.concealed} & {*viewer.owns} else set[Id]()
    knows = {*state.concealed} <= {*viewer.owns}
    return frozenset(
        one.id
        for one in state.stack
        if (one.confided and not knows and one.actor not in theirs)
        or seal_parts(one, hidden.found_in(one), state.system)
    )


def _untold(state: State, unread: Collection[Id]) -> State:
    """Return a state without the words of these pending actions and their questions."""
    if not unread:
        return state
    question = _without_says(state.question, unread)
    beneath = tuple([replace(one, question=_without_says(one.question, unread)) for one in state.postponed])
    stack = tuple([_without_words(one, load(state.system)) if one.id in unread else one for one in state.stack])
    return replace(state, stack=stack, question=question, postponed=beneath)


def _without_says(question: Question | None, unread: Collection[Id]) -> Question | None:
    if question is None or pending_of(question.id) not in unread:
        return question
    return replace(question, options=tuple([replace(one, says=UNTOLD) for one in question.options]))


def _without_words(one: Pending, rules: Ruleset) -> Pending:
    params = msgspec.json.decode(one.params, type=dict[str, object])
    said = {name: UNTOLD for name in free_texts(rules.actions[one.kind]) if params.get(name)}
    return replace(one, params=Raw(msgspec.json.encode({**params, **said})), confided=False)


def _band(count: int, whole: int, rises: bool) -> str:
    if rises:
        return "unhurt" if count <= whole else "hurt" if count < whole + MUCH else "badly hurt"
    if count <= 0:
        return "down"
    return next(word for share, word in BANDS if count >= share * whole)


def count_in_band(band: str, rises: bool) -> int:
    """Return the best count in a band, to assume for a veiled counter."""
    best = {"unhurt": TYPICAL, "hurt": TYPICAL - 1, "badly hurt": (TYPICAL - 1) // 2, "down": 0}
    rising = {"unhurt": 0, "hurt": 1, "badly hurt": MUCH}
    return (rising if rises else best)[band]
