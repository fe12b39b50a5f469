"""What every declaration of a turn has in common: whose turn it is, and what is left of its budget (VER-004 to 016)."""

from __future__ import annotations

from affray.engine.core.changes import marked, pool_moved
from affray.engine.core.effects import Rule
from affray.engine.core.table import Table
from affray.events import Clause, Id

from .fall import grapples
from .refusing import no, not_forbidden, unless_allowed
from .riding import mount_under
from .sheet import can_act

MANNERS = {
    "standard": "act",
    "free": "claim",
    "readied": "fire",
    "granted": "grant",
    "panicked": "lash_out",
    "shying": "shy",
    "ruled": "intervene",
    "called": "call",
}
"""The ways in which an action is played, and what each means to the flow."""

CONVERTED = "moved twice"
"""Key of the mark that holds the round in which somebody's action went into a move."""


STANDS_STILL = "stands still"
"""Key of the mark that says that a rider's mount stands still this turn for a weapon to be reloaded (VER-066)."""


def has_the_turn(table: Table, actor: Id) -> None:
    """Refuse whoever does not have the turn (VER-004)."""
    if actor not in table.draft.acting:
        table[actor]
        raise no("VER-004", f"it is not the turn of {actor}", table.draft.up)


def manner_of(table: Table, manner: str) -> str:
    """Return the manner in which something is played, also where it is only looked at again before it resolves."""
    if manner != "pending":
        return manner
    pending = table.pending()
    return pending.manner if pending is not None else "standard"


def playable(table: Table, actor: Id, manner: str, cost: str, kind: str) -> None:
    """Refuse in the page's order: an actor who is not able, then a budget that is spent.

    Args:
        table: The fight.
        actor: Who means to do it.
        manner: How it is played; only a standard declaration is paid for.
        cost: ``action``, ``move``, ``crawl`` for both, or ``free``.
        kind: The action's name.
    """
    must_be_able(table, actor)
    if manner != "standard":
        return
    if table[actor].has("fleeing") and kind not in ("move", "leave_melee", "dismount", "break_grapple", "struggle"):
        raise no("VER-S12", f"{actor} can only flee this turn", f"{actor}.fleeing")
    affordable(table, actor, cost)


def unforbidden(table: Table, actor: Id, manner: str, kind: str, rule: Clause) -> None:
    """Refuse, after everything else, a declaration of a kind that the game master vetoed."""
    if manner == "standard":
        not_forbidden(table, actor, kind, rule)


def must_be_able(table: Table, actor: Id) -> None:
    """Refuse somebody who cannot act: at Death's Door (VER-094), or by another condition (VER-S30)."""
    if can_act(table, actor):
        return
    one = table[actor]
    if one.has("deaths_door"):
        unless_allowed("VER-094", table, actor, f"{actor} is at Death's Door", f"{actor}.deaths_door")
    elif one.has("slain") or one.has("dead"):
        raise no("VER-002", f"{actor} is out of play", actor)
    else:
        raise no("VER-S30", f"{actor} cannot act", actor)


def affordable(table: Table, actor: Id, cost: str) -> None:
    """Refuse what the budget does not give any more: one move and one action, which may be a second move."""
    move, action = table.pool(actor, "move"), table.pool(actor, "action")
    if cost == "action" and not action:
        if table.mark(actor, CONVERTED) == table.draft.round:
            raise no("VER-016", f"{actor} has spent the action on a second move", f"{actor}.action")
        unless_allowed("VER-015", table, actor, f"{actor} has no action left", f"{actor}.action")
    elif cost == "move" and not move and not action:
        unless_allowed("VER-016", table, actor, f"{actor} has neither a move nor an action left", f"{actor}.move")
    elif cost == "crawl" and not (move and action):
        raise no("VER-S30", f"{actor} crawls: it takes the move and the action", f"{actor}.crawling")


def paid(table: Table, actor: Id, cost: str, *rules: Clause) -> Rule[None]:
    """Take from the budget what a declaration costs (VER-015, VER-016)."""
    if cost in ("action", "crawl") and table.pool(actor, "action"):
        yield pool_moved(table, actor, "action", -1, "VER-015", *rules)
    if cost in ("move", "crawl"):
        if table.pool(actor, "move"):
            yield pool_moved(table, actor, "move", -1, "VER-015", *rules)
        elif cost == "move" and table.pool(actor, "action"):
            yield pool_moved(table, actor, "action", -1, "VER-016", *rules)
            yield marked(actor, CONVERTED, table.draft.round, "VER-016", until="the end of the turn")


def cost_of_moving(table: Table, actor: Id) -> str:
    """Return what a step or a transition costs: a move, or everything for who crawls (table 5.4)."""
    one = table[actor]
    return "crawl" if one.has("crawling") or one.has("leg_out") else "move"


def can_move(table: Table, actor: Id, rule: Clause) -> None:
    """Refuse somebody who is held: entangled, or caught in something ensnaring (VER-018, VER-S20)."""
    one = table[actor]
    if one.has("entangled"):
        held = table.derived(grapples).get(actor, ())
        raise no(rule, f"{actor} is entangled", held[0].id if held else f"{actor}.entangled")
    if one.has("ensnared"):
        raise no("VER-S20", f"{actor} is ensnared", f"{actor}.ensnared")


def can_go(table: Table, actor: Id, rule: Clause) -> None:
    """Refuse to go anywhere while oneself or the mount below is held, or the mount stands still (VER-060, VER-066)."""
    can_move(table, actor, rule)
    mount = mount_under(table, actor)
    if mount:
        can_move(table, mount, rule)
        if table.mark(actor, STANDS_STILL) is not None:
            raise no("VER-066", f"{mount} stands still this turn, for {actor} to reload", actor)
