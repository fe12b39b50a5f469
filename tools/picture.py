"""Print the state of a fight."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from affray.engine.core.draft import Draft
from affray.engine.core.ruleset import Ruleset, config_of
from affray.engine.core.state import Combatant, Item, State
from affray.engine.core.table import Table
from affray.engine.fight import Fight
from affray.engine.runtime.offers import movers
from affray.events import Field, Id, Option

from .board import board
from .screen import Piece, shown
from .story.acting import phrase
from .story.sentences import dice_wanted, purpose, topic
from .story.words import TITLES, borne, called, capital, owns, said, series

MOST_FIELDS = 2
"""An option that wants to know more than this is not spelled out in one line."""

BAR = 10
"""How wide the bar of a counter is."""

FEW = 4
"""So many counters are shown whether they tell anything or not."""

MOST_PAIRS = 12
"""With more combatants than this the distances are not listed."""


def names_in(state: State | Draft) -> dict[Id, str]:
    """Return the names of all combatants and items."""
    names = {"gm": "the game master"} | {id: item.name for id, item in state.items.items()}
    names |= {id: f"the {id}" for id, relation in state.relations.items() if relation.kind == "group"}
    return names | {
        id: f"the {one.name}" if one.name.lower() in TITLES else one.name for id, one in state.combatants.items()
    }


def waiting_line(fight: Fight) -> str:
    """Return in one line whose turn it is, or what the fight waits for and from whom."""
    if fight.history.closed:
        return f"The record is closed, at position {fight.history.closed}; a fork of it can go on"
    return waiting_for(fight.state, fight.ruleset)


def waiting_for(state: State, ruleset: Ruleset) -> str:
    """Return the same of a state."""
    names = names_in(state)
    if state.ended and state.question is None and state.awaited is None:
        return f"The fight is over: {f'the {state.victors} win' if state.victors else 'nobody wins'}"
    if not state.quiet:
        return capital(_awaited(state, names))
    if state.acting:
        return f"It is {owns(series(called(names, one) for one in state.acting))} turn"
    if state.phase == ruleset.flow.initial:
        return "The fight has not begun: the game master begins it"
    may = dict.fromkeys(who for who, _ in movers(ruleset, Table(Draft(state), config_of(ruleset, state.config))))
    if may:
        return capital(f"{series((called(names, who) for who in may), 'or')} may act: {said(state.phase)}")
    return f"Nobody is up: {said(state.phase)}"


def _awaited(state: State, names: Mapping[Id, str]) -> str:
    if state.question is not None:
        who = series((called(names, one) for one in state.question.of), "or")
        ways = series((f"{one.choice}{_wants(one)} ({one.says})" for one in state.question.options), "or")
        return f"{who} must answer, {said(topic(state.question.about))}: {ways}"
    if state.awaited is not None:
        wanted = f"{dice_wanted(state.awaited.dice)} {purpose(state.awaited.purpose)}"
        return f"{owns(called(names, state.awaited.by))} dice are awaited: {wanted}"
    if state.window is not None:
        who = series((called(names, one) for one in state.window.to), "or")
        return f"{who} may {said(state.window.what)} or pass{_on(state, names)}"
    return f"something is pending{_on(state, names)}"


def _on(state: State, names: Mapping[Id, str]) -> str:
    if not state.stack:
        return ", between turns"
    top = state.stack[-1]
    return f": {called(names, top.actor)} means to {phrase(top.kind, top.params, names, top.actor)}"


def _wants(option: Option) -> str:
    if len(option.fields) > MOST_FIELDS:
        return " …"
    return "".join(f" {field_said(one)}" for one in option.fields)


def field_said(field: Field) -> str:
    """Return how a field of an answer is typed."""
    values = {"int": f"{field.low}–{field.high}", "id": "|".join(field.among)}.get(field.kind, "…")
    return f"[{field.name}={values}]" if field.optional else f"{field.name}={values}"


def picture(of: Fight | State, ruleset: Ruleset, *, waiting: bool = True) -> RenderableType:
    """Return a picture of the state for a rich console; with ``waiting`` it ends with whom the fight waits for."""
    state = of.state if isinstance(of, Fight) else of
    last = (shown(), shown(waiting_for(state, ruleset), style="bold yellow")) if waiting else ()
    return Group(*_parts(state, ruleset), *last)


def _parts(state: State, ruleset: Ruleset) -> Iterator[RenderableType]:
    names = names_in(state)
    yield shown((state.fight, "bold"), f"  {ruleset.title} · round {state.round} · {said(state.phase)}")
    if state.slots:
        yield _order(state, names)
    yield shown()
    yield _people(state)
    drawn = board(state, ruleset.map)
    if drawn:
        yield shown()
        yield from (shown(row, no_wrap=True) for row in drawn[:-1])
        yield shown(drawn[-1])
    elif state.distances and len(state.combatants) <= MOST_PAIRS:
        yield shown()
        yield _distances(state)
    yield from _views(state, names)
    yield from _stack(state, names)


def _order(state: State, names: Mapping[Id, str]) -> Text:
    pieces: list[Piece] = ["Order  "]
    scored = any(slot.score for slot in state.slots)
    for at, slot in enumerate(state.slots):
        up = slot.id == state.up and bool(state.acting) and not state.ended
        pieces.append(" · " if at else "")
        score = f" {slot.score}" if scored else ""
        pieces.append((f"{'▶ ' if up else ''}{called(names, slot.id)}{score}", "bold green" if up else ""))
    return shown(*pieces)


def _people(state: State) -> Grid:
    everybody = list(state.combatants.values())
    pools = _telling(everybody)
    grid = Grid(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), show_edge=False)
    grid.add_column("", no_wrap=True)
    for pool in pools:
        grid.add_column(said(pool), no_wrap=True)
    grid.add_column("in hand")
    grid.add_column("place" if any(one.place for one in everybody) else "")
    grid.add_column("conditions")
    dice = any(item.base for item in state.items.values())
    if dice:
        grid.add_column("dice")
    for side in dict.fromkeys(one.side for one in everybody):
        grid.add_row(shown(f"The {side}", style="bold"))
        for one in (one for one in everybody if one.side == side):
            name = shown(f"{'▶ ' if one.id in state.acting and not state.ended else '  '}{one.name}")
            cells = [_pool(one, pool, bar=pool == pools[0]) for pool in pools]
            last = (_dice(state, one),) if dice else ()
            grid.add_row(name, *cells, _in_hand(state, one), one.place, _conditions(one), *last)
    return grid


def _telling(everybody: list[Combatant]) -> list[str]:
    """Return the counters worth a column: the first one, and every other that is neither at its most nor 0 for all."""
    pools = dict.fromkeys(pool for one in everybody for pool in one.pools)
    moved = {pool for one in everybody for pool, value in one.pools.items() if value not in (0, one.stats.get(pool, 0))}
    return [pool for nth, pool in enumerate(pools) if nth == 0 or pool in moved or len(pools) <= FEW]


def _pool(one: Combatant, pool: str, *, bar: bool) -> Text:
    """Return a counter; where the sheet holds a number of the same name, that is its most."""
    if pool not in one.pools:
        return shown()
    value, most = one.pools[pool], one.stats.get(pool, 0)
    numbers = f"{value}/{most}" if most else str(value)
    if not (bar and most):
        return shown(numbers)
    filled = min(BAR, -(-value * BAR // most))
    colour = "green" if 2 * value > most else "yellow" if 4 * value > most else "red"
    return shown(("█" * filled, colour), ("░" * (BAR - filled), "dim"), f" {numbers}")


def _in_hand(state: State, one: Combatant) -> str:
    held = [item for item in state.items.values() if item.owner == one.id and _in_a_hand(item)]
    return ", ".join(_held(item) for item in held)


def _dice(state: State, one: Combatant) -> str:
    """Return the usage dice of what is not in hand, each with the size it had when whole where that differs."""
    own = [item for item in state.items.values() if item.owner == one.id and item.base]
    return ", ".join(_worn(item) for item in own if not _in_a_hand(item))


def _in_a_hand(item: Item) -> bool:
    """Tell whether an item is in a hand, whatever the hands are called: ``hand``, ``hands``, ``main hand`` …"""
    return any(word.startswith("hand") for word in item.where.split())


def _worn(item: Item) -> str:
    if not item.die:
        return f"{item.name} destroyed"
    return f"{item.name} d{item.die}" + (f" of d{item.base}" if item.die != item.base else "")


def _held(item: Item) -> str:
    counters = [
        (name if value else f"not {name}") if name.endswith(("ed", "en")) and value < 2 else f"{name} {value}"
        for name, value in item.counters.items()
    ]
    die = [f"d{item.die}"] if item.die else []
    return f"{item.name} ({', '.join(die + counters)})" if die + counters else item.name


def _conditions(one: Combatant) -> Text:
    return shown(", ".join(borne(name, sum(counts.values())) for name, counts in one.conditions.items()), style="red")


def _distances(state: State) -> Grid:
    """Return how far apart everybody is, in a fight without a map."""
    grid = Grid(box=None, pad_edge=False, padding=(0, 1), show_edge=False)
    people = list(state.combatants.values())
    grid.add_column("apart")
    for one in people[1:]:
        grid.add_column(one.name, justify="right")
    for at, one in enumerate(people[:-1]):
        row = [_apart(state, one.id, other.id) if nth > at else "" for nth, other in enumerate(people)]
        grid.add_row(one.name, *row[1:])
    return grid


def _apart(state: State, one: Id, other: Id) -> str:
    return str(state.distances.get("|".join(sorted((one, other))), "–"))


def _views(state: State, names: Mapping[Id, str]) -> Iterator[Text]:
    for pair, view in state.views.items():
        viewer, _, target = pair.partition(">")
        if view != "clear":
            cover = said(view) if view == "cover" else f"{said(view)} cover"
            how = "hidden" if view == "blocked" else f"in {cover}"
            yield shown(f"{called(names, target)} is {how} from {called(names, viewer)}", style="dim")


def _stack(state: State, names: Mapping[Id, str]) -> Iterator[Text]:
    if state.stack:
        yield from (shown(), shown("Pending, the uppermost first:"))
    for nth, item in enumerate(reversed(state.stack), 1):
        what = phrase(item.kind, item.params, names, item.actor)
        tags = f", {', '.join(item.tags)}" if item.tags else ""
        yield shown(f"  {nth}. {called(names, item.actor)}: {what} ({said(item.manner)}{tags})  {item.id}")


__all__ = ["names_in", "picture", "waiting_for", "waiting_line"]
