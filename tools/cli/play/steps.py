"""Legal actions step by step as typed words: actor, action, next parameter."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from affray.engine.core.ruleset import Ruleset
from affray.engine.errors import EngineError, Refused, Unusable
from affray.engine.fight import Fight
from affray.engine.runtime.offers import list_awaited
from affray.events import Id
from affray.tools.api.legal_actions import expand_action, list_actions
from affray.tools.api.schemas.legal_actions import HowMay, Refusal, ToChoose, WhatMay, WhoMay
from affray.tools.api.viewer_queries import list_actors_for
from affray.tools.parse.intent_parser import form_of, manners, sender
from affray.tools.parse.typed_parameters import said_in
from affray.tools.present.receipts.teller import GAME_MASTER
from affray.tools.present.typed_choices import as_typed, list_responses, several


class Begun(NamedTuple):
    """An incomplete declaration: actor, manner, action and parameters as recorded."""

    actor: Id
    manner: str
    kind: str = ""
    chosen: Mapping[str, Any] = {}


def parse_begun(fight: Fight, words: Sequence[str]) -> Begun:
    """Parse an incomplete declaration: ``ACTOR [MANNER] [ACTION [PARAMETER …]]``.

    Raises:
        Refused, Unusable: as in ``declaration``, but parts may be missing.
    """
    actor, manner, said = sender(fight, words)
    if not said:
        return Begun(actor, manner)
    kind, *rest = said
    form = form_of(fight.ruleset, kind)
    types = {field.encode_name: field.type for field in msgspec.structs.fields(form)}
    chosen = {}
    for name, value in said_in(fight, form, rest, actor).items():
        try:
            chosen[name] = msgspec.convert(value, types[name], strict=False)
        except msgspec.ValidationError as error:
            raise Unusable(str(error), name) from None
    return Begun(actor, manner, kind, chosen)


def goes_on(fight: Fight, words: Sequence[str], no: Refused | Unusable) -> bool:
    """Tell whether a declaration that was refused is only incomplete."""
    try:
        now = list_next(fight, words)
    except EngineError:
        return False
    return isinstance(no, Unusable) or not isinstance(now, HowMay) or now.refused is None


def list_next(fight: Fight, words: Sequence[str]) -> WhoMay | WhatMay | HowMay:
    """Return the answer of the legal-actions API for an incomplete declaration.

    These are the actors, the actions of an actor, or the next parameter of an action.

    Raises:
        Refused, Unusable: as in ``parse_begun``.
    """
    if not words:
        return list_actors_for(GAME_MASTER, fight)
    actor, manner, kind, chosen = parse_begun(fight, words)
    return expand_action(fight, actor, kind, manner, chosen) if kind else list_actions(fight, actor, manner)


def tell_next(fight: Fight, words: Sequence[str]) -> Iterator[str]:
    """Yield the legal actions for an incomplete declaration as lines.

    Raises:
        Refused, Unusable: as in ``parse_begun``.
    """
    match list_next(fight, words):
        case WhoMay() as now:
            yield from _what(fight, [list_actions(fight, mover.who, mover.manner) for mover in now.actors])
            for one in () if fight.history.closed else list_awaited(fight.table):
                yield from list_responses(fight, one)
        case WhatMay() as now:
            yield from _what(fight, [now])
        case HowMay() as now:
            yield from _how(fight, now, words)


def _what(fight: Fight, ways: Iterable[WhatMay]) -> Iterator[str]:
    """Yield the possible actions, and the others by reason.

    Combatants with the same actions share a line.
    """
    alike: dict[tuple[str, ...], list[str]] = {}
    for now in ways:
        may = ", ".join(one.kind for one in now.kinds if one.refused is None)
        lines = may or "nothing", *_list_refused(((one.kind, one.refused) for one in now.kinds), ", ".join)
        alike.setdefault(lines, []).append(_start(fight.ruleset, now.who, now.manner))
    for (may, *refused), starts in alike.items():
        yield f"{', '.join(starts)}  {may}"
        yield from refused


def _how(fight: Fight, now: HowMay, words: Sequence[str]) -> Iterator[str]:
    """Yield the whole action, or the values of its next parameter."""
    so_far, start = parse_begun(fight, words), " ".join(words)
    if now.whole is not None:
        yield f"{now.whole.line}  – {now.whole.says}"
        if now.promises:
            yield f"  {now.promises}"
    elif now.refused is not None:
        yield from _list_refused([(start, now.refused)])
    else:
        (field,) = now.fields
        said = [
            (type_parameter(fight.ruleset, so_far, field.field, one.value) or "none", one.refused)
            for one in field.choices
        ]
        may = [one for one, refused in said if refused is None]
        optional = "" if field.usual is UNSET else ", which may be left out"
        yield f"{start} …  {field.field}{optional}: {_values(field, may)}"
        yield from _list_refused(said)


def _values(field: ToChoose, may: list[str]) -> str:
    """List the values of a parameter."""
    if field.open:
        return "in your own words" if field.names else "any number"
    return several(may) if may else "nothing"


def _list_refused(
    judged: Iterable[tuple[str, Refusal | None]], joined: Callable[[list[str]], str] = several
) -> Iterator[str]:
    """Yield a line for each reason, with all refused choices for it."""
    by_reason: dict[str, list[str]] = {}
    for what, no in judged:
        if no is not None:
            by_reason.setdefault(f"{no.message} ({no.rule or no.code})", []).append(what)
    for reason, whats in by_reason.items():
        yield f"  not {joined(whats)}: {reason}"


def _start(ruleset: Ruleset, actor: Id, manner: str) -> str:
    """Return the words that begin a declaration of an actor in a manner."""
    how = [said for said, one in manners(ruleset).items() if one == manner]
    return " ".join((actor, *how))


def type_parameter(ruleset: Ruleset, so_far: Begun, name: str, value: Any) -> str:
    """Return a parameter as the user types it; empty if it is left out."""
    form = ruleset.actions[so_far.kind]
    words = form.words
    if name == "path" and "to" in words:
        name, value = "to", value[-1] if value else ""
    said = as_typed(ruleset, form, name, value, so_far.actor)
    bare = next((one for one in words if one not in so_far.chosen), "")
    return said if name == bare or not said else f"{name}={said}"
