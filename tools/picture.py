"""Print the state of a fight."""

from collections.abc import Iterator

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table as Grid

from affray.engine.core.draft import Draft
from affray.engine.core.prospect import NOTHING_TO_SEE, Glance
from affray.engine.core.ruleset import Ruleset, config_of
from affray.engine.core.state import Combatant, State
from affray.engine.core.table import Table
from affray.engine.errors import Missing
from affray.engine.fight import Fight
from affray.engine.runtime.offers import movers
from affray.engine.texts import name_said, quoted
from affray.events import Field, Id, Option, topic_of

from .belongings import is_kept, said_in_hand, said_kept
from .board import board
from .bonds import list_bonds, list_hidden
from .distance_table import draw_distances
from .screen import Hanging, Piece, shown
from .story.acting import phrase
from .story.asking import still_asked
from .story.sentences import dice_wanted, option_said, purpose
from .story.words import Names, borne, called, capital, name_relation, owns, series, side_said, won_by

MOST_FIELDS = 2
"""An option that wants to know more than this is not spelled out in one line."""

BAR = 10
"""How wide the bar of a counter is."""

FEW = 4
"""So many counters are shown whether they tell anything or not."""


def names_in(state: State | Draft) -> Names:
    """Return the names of all combatants and items."""
    names = Names(state.system)
    names.update((id, name_said(item.name)) for id, item in state.items.items())
    names.update((id, name_said(one.name)) for id, one in state.combatants.items())
    for id, one in state.relations.items():
        if id not in state.combatants:
            name_relation(names, id, one.kind, one.members)
    return names


def waiting_line(fight: Fight) -> str:
    """Return in one line whose turn it is, or what the fight waits for and from whom."""
    if fight.history.closed:
        return f"The record is closed, at position {fight.history.closed}; a fork of it can go on"
    return waiting_for(fight.state, fight.ruleset)


def waiting_for(state: State, ruleset: Ruleset) -> str:
    """Return the same of a state."""
    names = names_in(state)
    if state.ended and state.question is None and state.awaited is None:
        return f"The fight is over, {won_by(state.victors, *state.allied_victors)}"
    if not state.quiet:
        return capital(_awaited(state, names))
    if state.acting:
        return f"It is {owns(series(called(names, one) for one in state.acting))} turn"
    if state.phase == ruleset.flow.initial:
        return "The fight has not begun: the game master begins it"
    may = dict.fromkeys(who for who, _ in movers(ruleset, Table(Draft(state), config_of(ruleset, state.config))))
    if may:
        return capital(
            f"{series((called(names, who) for who in may), 'or')} may act: {names.label('phases', state.phase)}"
        )
    return f"Nobody is up: {names.label('phases', state.phase)}"


def _awaited(state: State, names: Names) -> str:
    if state.question is not None:
        who = series((called(names, one) for one in state.question.of), "or")
        options = (still_asked(one, state.combatants, names.words) for one in state.question.options)
        ways = series((f"{one.choice}{_wants(one)} ({option_said(one)})" for one in options), "or")
        return f"{who} must answer, {names.label('questions', topic_of(state.question.about))}: {ways}"
    if state.awaited is not None:
        wanted = f"{dice_wanted(state.awaited.dice)} {purpose(state.awaited.purpose, names)}"
        return f"{owns(called(names, state.awaited.by))} dice are awaited: {wanted}"
    if state.window is not None:
        who = series((called(names, one) for one in state.window.to), "or")
        return f"{who} may {names.label('triggers', state.window.what)} or pass{_on(state, names)}"
    return f"something is pending{_on(state, names)}"


def _on(state: State, names: Names) -> str:
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
    phase = names.label("phases", state.phase)
    yield shown((quoted(state.fight), "bold"), f"  {ruleset.title} · round {state.round} · {phase}")
    if state.slots:
        yield _order(state, names)
    yield shown()
    table = Table(Draft(state), config_of(ruleset, state.config))
    glances = {who: _glance(table, ruleset, who) for who in state.combatants}
    yield _people(state, glances, names)
    drawn = board(state, ruleset.map, names)
    if drawn:
        yield shown()
        yield from (shown(row, no_wrap=True) for row in drawn[:-1])
        yield shown(drawn[-1])
    elif state.distances:
        yield shown()
        yield from draw_distances(state, ruleset, names)
    yield from _views(state, names)
    bonds = [*list_bonds(state, glances, names), *list_hidden(state, names)]
    yield from (shown(), *map(shown, bonds)) if bonds else ()
    yield from _stack(state, names)


def _glance(table: Table, ruleset: Ruleset, who: Id) -> Glance:
    """Return what the rules see of a combatant: nothing where a log left out a thing that they give everybody."""
    try:
        return ruleset.glance(table, who)
    except Missing:
        return NOTHING_TO_SEE


def _order(state: State, names: Names) -> Hanging:
    pieces: list[Piece] = ["Order  "]
    scored = any(slot.score for slot in state.slots)
    for at, slot in enumerate(state.slots):
        up = slot.id == state.up and bool(state.acting) and not state.ended
        pieces.append(" · " if at else "")
        score = f" ({slot.score})" if scored else ""
        pieces.append((f"{'▶ ' if up else ''}{called(names, slot.id)}{score}", "bold green" if up else ""))
    return shown(*pieces)


def _people(state: State, glances: dict[Id, Glance], names: Names) -> Grid:
    everybody = list(state.combatants.values())
    pools = _telling(everybody, names)
    numbers = list(dict.fromkeys(name for glance in glances.values() for name in glance.numbers))
    grid = Grid(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), show_edge=False)
    grid.add_column("", no_wrap=True)
    for pool in pools:
        grid.add_column(short_of(pool, names), no_wrap=True)
    for stat in numbers:
        grid.add_column(names.label("stats", stat), no_wrap=True)
    grid.add_column("in hand")
    grid.add_column("place" if any(one.place for one in everybody) else "")
    grid.add_column("conditions")
    kept = any(is_kept(item, names) for item in state.items.values())
    if kept:
        grid.add_column("kept")
    for side in dict.fromkeys(one.side for one in everybody):
        grid.add_row(shown(capital(side_said(side)), style="bold"))
        for one in (one for one in everybody if one.side == side):
            name = shown(f"{'▶ ' if one.id in state.acting and not state.ended else '  '}{called(names, one.id)}")
            cells = [_pool(one, pool, names, bar=pool == pools[0]) for pool in pools]
            cells += [shown(str(glances[one.id].numbers.get(stat, ""))) for stat in numbers]
            last = (said_kept(state, one, names),) if kept else ()
            borne_now = shown(conditions_of(one, names), style="red")
            grid.add_row(name, *cells, said_in_hand(state, one, names), names.place(one.place), borne_now, *last)
    return grid


def _telling(everybody: list[Combatant], names: Names) -> list[str]:
    """Return the counters worth a column: the first one, and every other that is neither at its most nor 0 for all."""
    pools = dict.fromkeys(pool for one in everybody for pool in one.pools)
    moved = {
        pool for one in everybody for pool, value in one.pools.items() if value not in (0, most_of(one, pool, names))
    }
    return [pool for nth, pool in enumerate(pools) if nth == 0 or pool in moved or len(pools) <= FEW]


def short_of(pool: str, names: Names) -> str:
    """Return what a counter is called where there is little room."""
    known = names.words.pools.get(pool)
    return (known.short if known is not None else "") or names.label("pools", pool)


def most_of(one: Combatant, pool: str, names: Names) -> int:
    """Return the most there can be in a counter; 0 where there is no such number."""
    known = names.words.pools.get(pool)
    return one.stats.get(known.most, 0) if known is not None else 0


def _pool(one: Combatant, pool: str, names: Names, *, bar: bool) -> Hanging:
    """Return a counter, with the most there can be in it."""
    if pool not in one.pools:
        return shown()
    value, most = one.pools[pool], most_of(one, pool, names)
    numbers = f"{value}/{most}" if most else str(value)
    if not (bar and most):
        return shown(numbers)
    filled = min(BAR, -(-value * BAR // most))
    colour = "green" if 2 * value > most else "yellow" if 4 * value > most else "red"
    return shown(("█" * filled, colour), ("░" * (BAR - filled), "dim"), f" {numbers}")


def conditions_of(one: Combatant, names: Names) -> str:
    """Return what a combatant is, in words, and until when."""
    said = (
        (borne(names, name, sum(counts.values())), *map(names.words.until, one.endings.get(name, {}).values()))
        for name, counts in one.conditions.items()
    )
    return ", ".join(map(" ".join, said))


def _views(state: State, names: Names) -> Iterator[Hanging]:
    for pair, view in state.views.items():
        viewer, _, target = pair.partition(">")
        if view != "clear":
            yield shown(
                f"{called(names, target)} is {names.label('views', view)} from {called(names, viewer)}", style="dim"
            )


def _stack(state: State, names: Names) -> Iterator[Hanging]:
    if state.stack:
        yield from (shown(), shown("Pending, the uppermost first:"))
    for nth, item in enumerate(reversed(state.stack), 1):
        what = phrase(item.kind, item.params, names, item.actor)
        tags = f", {', '.join(item.tags)}" if item.tags else ""
        yield shown(
            f"  {nth}. {called(names, item.actor)}: {what} ({names.label('manners', item.manner)}{tags})  {item.id}"
        )
