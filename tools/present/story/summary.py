"""The summary of a story line: its gravest consequence, or else its roll's outcome."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from affray.engine.core.words import ConditionWord, PoolWord
from affray.events import ConditionChanged, Damaged, Event, Id, Judged, Left, PoolChanged, Rolled, topic_of

from .changes import pool_said
from .sentences import came_to, roller
from .story import Line
from .words import Names, becomes, capital, is_now, name_of, plain, possessive

OUT, DOWN, HARMED, HURT, CHANGED, DECIDED = 6, 5, 4, 3, 2, 1
"""The severities: a combatant is out, cannot act, takes harm, or has less health; another lasting or decisive change;
an action was decided without any of these."""

HAPPENS = (ConditionChanged, Damaged, Left, PoolChanged)
"""The event types that change a combatant."""

LONG = 64
"""The most characters of a gist; further parts are left out."""


class Gist(NamedTuple):
    """The gist of a line.

    Attributes:
        says: The gist as a sentence; empty if the line itself is as short.
        grave: The severity; 0 if no combatant changed and no action was decided.
    """

    says: str = ""
    grave: int = 0


def gist(line: Line, events: Sequence[Event], names: Names) -> Gist:
    """Return the gist of the events that a line tells."""
    happened = [event for event in events if isinstance(event, HAPPENS)]
    found = [one for who in dict.fromkeys(event.who for event in happened) for one in _of(who, happened, names)]
    if found:
        grave = max(one.grave for one in found)
        return Gist(capital("; ".join(one.says for one in found if one.grave == grave)), grave)
    judged = _result_of_roll(line, events, names)
    return Gist(judged, DECIDED) if judged else Gist(_without_dice(line, events, names))


def _of(who: Id, events: Sequence[Event], names: Names) -> Iterator[Gist]:
    """Yield the gravest consequence for a combatant, if there is any."""
    name = name_of(names, who)
    took = next((one.amount for one in events if isinstance(one, Damaged) and one.who == who), None)
    fates = [Gist(f"{name} is gone from the fight", OUT) for one in events if isinstance(one, Left) and one.who == who]
    fates += _list_gained(who, events, names)
    worst = max(fates, key=lambda one: one.grave, default=Gist())
    if worst.grave >= DOWN:
        whole = f"{name} takes {took} and {worst.says.removeprefix(f'{name} ')}"
        yield Gist(whole, worst.grave) if took and len(whole) <= LONG else worst
    elif took is not None:
        lost = next((f": {one}" for one in _list_lost(who, events, names)), "")
        yield Gist(f"{name} takes {took or 'nothing'}{lost}", HARMED)
    elif lost := ", ".join(_list_lost(who, events, names)):
        yield Gist(f"{name}: {lost}", HURT)
    elif worst.grave:
        yield worst


def _list_gained(who: Id, events: Sequence[Event], names: Names) -> Iterator[Gist]:
    """Yield a combatant's new conditions that disable, last or turn the fight."""
    for condition, count in _new(who, events).items():
        known = names.words.conditions.get(condition, ConditionWord())
        grave = {"out": OUT, "helpless": DOWN}.get(known.role, CHANGED if known.turns or known.lasts else 0)
        if grave:
            yield Gist(f"{name_of(names, who)} {becomes(names, condition, count)}", grave)


def _new(who: Id, events: Sequence[Event]) -> dict[str, int]:
    """Count a combatant's new conditions."""
    changes = [one for one in events if isinstance(one, ConditionChanged) and one.who == who]
    first = {one.condition: one.before for one in reversed(changes)}
    last = {one.condition: one.after for one in changes}
    return {condition: count for condition, count in last.items() if count and not first[condition]}


def _list_lost(who: Id, events: Sequence[Event], names: Names) -> Iterator[str]:
    """Yield each loss in a combatant's health counters."""
    for one in events:
        if isinstance(one, PoolChanged) and one.who == who:
            known = names.words.pools.get(one.pool, PoolWord())
            if known.role == "health" and (one.after > one.before) == known.rises and one.after != one.before:
                yield pool_said(one, names)


def _result_of_roll(line: Line, events: Sequence[Event], names: Names) -> str:
    """Return the result of an action's roll, if the line is short and tells nothing else."""
    judged = next((one for one in events if isinstance(one, Judged)), None)
    if judged is None or line.about[:1] != ("judged",) or not line.during:
        return ""
    whole = f"{line.during}: {came_to(judged, names)}"
    return whole if len(whole) <= LONG else ""


def _without_dice(line: Line, events: Sequence[Event], names: Names) -> str:
    """Strip the dice from a story line; keep the outcome and its consequence."""
    rolls = [one for one in events if isinstance(one, Rolled)]
    numbers = [nth for nth, piece in enumerate(line.pieces) if piece.position]
    if not rolls or not numbers:
        return ""
    title = names.label("purposes", topic_of(rolls[0].purpose))
    behind = "".join(piece.text for piece in line.pieces[numbers[-1] + 1 :]).lstrip(",: ")
    came = behind or f"rolls {plain(rolls[-1].total)}"
    short = capital(f"{possessive(roller(rolls[0], names))} {title}: {came}")
    if line.about[:1] == ("list",):
        return short if len(rolls) == 1 else capital(title)
    head = "".join(piece.text for piece in line.pieces[: numbers[0]]).rstrip(": ")
    whole = f"{head}: {came}"
    if len(whole) > LONG:
        return short
    for condition, count in _new(line.whom, events).items():
        longer = f"{whole}, {is_now(names, condition, count)}"
        whole = longer if len(longer) <= LONG else whole
    longer = f"{line.during}; {whole}"
    return longer if line.during and len(longer) <= LONG else whole
