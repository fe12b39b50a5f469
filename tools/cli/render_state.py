"""State of a fight, drawn for a terminal."""

from collections.abc import Iterator

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table as Grid

from affray.engine.core.draft import Draft
from affray.engine.core.preview import NOTHING_TO_SEE, Glance
from affray.engine.core.ruleset import Ruleset, config_of
from affray.engine.core.state import Combatant, State
from affray.engine.core.table import Table
from affray.engine.errors import NotInFight
from affray.engine.fight import Fight
from affray.engine.limits import MOST_COMBATANTS
from affray.engine.texts import quote
from affray.events import Id
from affray.tools.present.belongings import is_kept, said_in_hand, said_kept
from affray.tools.present.bonds import list_bonds, list_hidden
from affray.tools.present.names import conditions_of, most_of, names_of_state, short_of
from affray.tools.present.perils import list_shown_perils
from affray.tools.present.story.actions import phrase
from affray.tools.present.story.words import (
    Names,
    capital,
    name_of,
    side_said,
)
from affray.tools.present.waiting_text import waiting_sentence

from .render_board import board
from .render_distances import draw_distances
from .terminal import Hanging, Piece, join_pieces

BAR = 10
"""Width of the bar of a pool, in characters."""

FEW = 4
"""If there are no more pools than this, all of them are shown."""


def picture(of: Fight | State, ruleset: Ruleset, *, waiting: bool = True) -> RenderableType:
    """Draw a state for a rich console.

    With ``waiting`` the last line says whom the fight waits for.
    """
    state = of.state if isinstance(of, Fight) else of
    last = (join_pieces(), join_pieces(waiting_sentence(state, ruleset), style="bold yellow")) if waiting else ()
    return Group(*_parts(state, ruleset), *last)


def _parts(state: State, ruleset: Ruleset) -> Iterator[RenderableType]:
    """Yield the parts of the picture: title, order, combatants, map, views, stack."""
    names = names_of_state(state)
    phase = names.label("phases", state.phase)
    yield join_pieces((quote(state.fight), "bold"), f"  {ruleset.title} · round {state.round} · {phase}")
    if state.slots:
        yield _order(state, names)
    yield join_pieces()
    table = Table(Draft(state), config_of(ruleset, state.config))
    fits = len(state.combatants) <= MOST_COMBATANTS  # the rules may look from each one at all others
    glances = {who: _glance(table, ruleset, who) if fits else NOTHING_TO_SEE for who in state.combatants}
    yield _people(state, glances, names)
    for peril in list_shown_perils(ruleset, table):
        said = f"{peril.says} {peril.helps}".rstrip()
        yield join_pieces(said, style="bold red" if peril.grade == "mortal" else "yellow")
    drawn = board(state, ruleset.board.kind, names)
    if drawn:
        yield join_pieces()
        yield from (join_pieces(row, no_wrap=True) for row in drawn[:-1])
        yield join_pieces(drawn[-1])
    elif state.distances:
        yield join_pieces()
        yield from draw_distances(state, ruleset, names)
    yield from _views(state, names)
    bonds = [*list_bonds(state, glances, names), *list_hidden(state, names)]
    yield from (join_pieces(), *map(join_pieces, bonds)) if bonds else ()
    yield from _stack(state, names)


def _glance(table: Table, ruleset: Ruleset, who: Id) -> Glance:
    """Ask the rules for a combatant's numbers.

    Return no numbers if a damaged log lacks a pool or stat that the rules need.
    """
    try:
        return ruleset.presentation.glance(table, who)
    except NotInFight:
        return NOTHING_TO_SEE


def _order(state: State, names: Names) -> Hanging:
    """Format the turn order; an arrow marks the active combatant."""
    pieces: list[Piece] = ["Order  "]
    scored = any(slot.score for slot in state.slots)
    for at, slot in enumerate(state.slots):
        up = slot.id == state.up and bool(state.acting) and not state.ended
        pieces.append(" · " if at else "")
        score = f" ({slot.score})" if scored else ""
        pieces.append((f"{'▶ ' if up else ''}{name_of(names, slot.id)}{score}", "bold green" if up else ""))
    return join_pieces(*pieces)


def _people(state: State, glances: dict[Id, Glance], names: Names) -> Grid:
    """Build the table of combatants, grouped by side."""
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
        grid.add_row(join_pieces(capital(side_said(side)), style="bold"))
        for one in (one for one in everybody if one.side == side):
            name = join_pieces(
                f"{'▶ ' if one.id in state.acting and not state.ended else '  '}{name_of(names, one.id)}"
            )
            cells = [_pool(one, pool, names, bar=pool == pools[0]) for pool in pools]
            cells += [join_pieces(str(glances[one.id].numbers.get(stat, ""))) for stat in numbers]
            last = (said_kept(state, one, names),) if kept else ()
            borne_now = join_pieces(conditions_of(one, names), style="red")
            grid.add_row(name, *cells, said_in_hand(state, one, names), names.place(one.place), borne_now, *last)
    return grid


def _telling(everybody: list[Combatant], names: Names) -> list[str]:
    """Return the pools that get a column: the first, and those that have changed.

    A pool has changed if for some combatant it is neither full nor 0.
    """
    pools = dict.fromkeys(pool for one in everybody for pool in one.pools)
    moved = {
        pool for one in everybody for pool, value in one.pools.items() if value not in (0, most_of(one, pool, names))
    }
    return [pool for nth, pool in enumerate(pools) if nth == 0 or pool in moved or len(pools) <= FEW]


def _pool(one: Combatant, pool: str, names: Names, *, bar: bool) -> Hanging:
    """Format a pool with its maximum; draw a bar if asked."""
    if pool not in one.pools:
        return join_pieces()
    value, most = one.pools[pool], most_of(one, pool, names)
    numbers = f"{value}/{most}" if most else str(value)
    if not (bar and most):
        return join_pieces(numbers)
    filled = min(BAR, -(-value * BAR // most))
    colour = "green" if 2 * value > most else "yellow" if 4 * value > most else "red"
    return join_pieces(("█" * filled, colour), ("░" * (BAR - filled), "dim"), f" {numbers}")


def _views(state: State, names: Names) -> Iterator[Hanging]:
    """Yield a line for each pair of combatants without a clear view."""
    for viewer, seen in state.views.items():
        for target, view in [one for one in seen.items() if one[1] != "clear"]:
            yield join_pieces(
                f"{name_of(names, target)} is {names.label('views', view)} from {name_of(names, viewer)}", style="dim"
            )


def _stack(state: State, names: Names) -> Iterator[Hanging]:
    """Yield the pending actions, the uppermost first."""
    if state.stack:
        yield from (join_pieces(), join_pieces("Pending, the uppermost first:"))
    for nth, item in enumerate(reversed(state.stack), 1):
        what = phrase(item.kind, item.params, names, item.actor)
        tags = f", {', '.join(item.tags)}" if item.tags else ""
        yield join_pieces(
            f"  {nth}. {name_of(names, item.actor)}: {what} ({names.label('manners', item.manner)}{tags})  {item.id}"
        )
