"""What every action of a turn has in common: when it may be played, and what playing it costs (WYR-005 to WYR-012)."""

from __future__ import annotations

from affray.engine.core.changes import pool_moved
from affray.engine.core.effects import Rule
from affray.engine.core.table import Table
from affray.engine.errors import Refused
from affray.events import Clause, Id

from . import melee
from .sheet import must_be_active

MANNERS = {"standard": "declare", "ruled": "intervene"}
"""The ways to play an action, and what each means to the flow."""

ORDERLY = frozenset({"delay", "initiative", "reinsert", "roll_initiative"})
"""What other games do with an order of initiative."""

OPEN = frozenset({"defence", "harm", "improvise", "leave", "materials", "revive", "roller", "stunt", "test"})
"""The questions, and the purposes of dice, before which nothing has come of an action yet."""


def not_on_the_list(kind: str) -> Refused:
    """Return the refusal for what is no action: there is no initiative (WYR-001); all else is improvised (WYR-012)."""
    if kind in ORDERLY:
        return Refused("no_initiative", "WYR-001", "nobody has or rolls initiative here; sides take turns", source=kind)
    message = f"{kind} is not on the list of actions; say it with improvise, and the game master rules on it"
    return Refused("needs_ruling", "WYR-012", message, source=kind)


def in_turn(table: Table, actor: Id) -> None:
    """Refuse whoever has no turn: another side's (WYR-002), a turn that is done, or one revived just now (WYR-069)."""
    draft = table.draft
    if actor in draft.acting:
        return
    if table[actor].side != draft.up:
        raise Refused("not_your_turn", "WYR-002", f"it is the turn of {draft.up}, not of {actor}", source=actor)
    must_be_active(table, actor, "WYR-005")
    if waits(table, actor):
        raise Refused(
            "not_your_turn", came_round(table, actor), f"{actor} came round and waits for its next turn", actor
        )
    raise Refused("not_your_turn", "WYR-002", f"{actor} has no turn any more, or not yet", source=actor)


def waits(table: Table, who: Id) -> bool:
    """Tell whether somebody came round and has had no turn since (WYR-068, WYR-069)."""
    return table.mark(who, "revived") is not None and who not in table.draft.acting


def came_round(table: Table, who: Id) -> Clause:
    """Return by which clause somebody came round who waits for its next turn."""
    return str(table.mark(who, "revived"))


def an_action(table: Table, who: Id, rule: Clause = "WYR-007") -> None:
    """Refuse somebody whose action is spent (WYR-007)."""
    if table.pool(who, "actions") < 1:
        raise Refused("no_action", rule, f"{who} has no action left", source=f"{who}.actions")


def may_act(table: Table, actor: Id, manner: str, rule: Clause) -> None:
    """Refuse somebody who is down, or whose action is spent."""
    must_be_active(table, actor, rule)
    if manner == "standard":
        an_action(table, actor)


def action_spent(table: Table, actor: Id, *rules: Clause) -> Rule[None]:
    """Take the action (WYR-007)."""
    yield pool_moved(table, actor, "actions", -1, "WYR-007", *rules)


def in_reach(table: Table, actor: Id, target: Id, rule: Clause) -> None:
    """Refuse a target that cannot be struck: at another place, or farther off than the game master lets one reach."""
    if not melee.near(table, actor, target):
        raise Refused("out_of_reach", rule, f"{target} is out of reach of {actor}", source=target)


def undecided(table: Table) -> bool:
    """Tell whether what is pending can still come to nothing; a blow that has landed hurts, whoever is gone."""
    draft = table.draft
    waits_for = draft.question.about if draft.question else draft.awaited.purpose if draft.awaited else ""
    return waits_for.partition(":")[0] in OPEN


def sees(table: Table, viewer: Id, target: Id) -> bool:
    """Tell whether one sees another, in cover or not."""
    views = table.draft.views
    return not views or views.get(f"{viewer}>{target}") != "blocked"


def on_top(table: Table, manner: str, tags: tuple[str, ...]) -> tuple[int, tuple[Clause, ...]]:
    """Put every action on top of the stack: nobody interrupts but the one who is attacked, by an answer (WYR-027)."""
    return len(table.draft.stack), ()
