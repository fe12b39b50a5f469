"""What every action has in common: whose turn it is, which part of the round's budget it takes (WWN-008, WWN-G01)."""

from __future__ import annotations

from typing import Literal

from affray.engine.core.changes import pool_moved
from affray.engine.core.effects import Rule
from affray.engine.core.table import Table
from affray.engine.errors import Refused
from affray.events import Clause, Id

from .sheet import is_mount, must_be_able, rider_of

MANNERS = {
    "standard": "declare",
    "snap": "snap",
    "free": "strike",
    "bolts": "bolt",
    "ruled": "intervene",
}
"""The ways to play an action, and what each means to the flow."""

Payment = Literal["move", "main"]
"""With what a Move Action is paid."""

PAYMENTS: tuple[Payment, ...] = ("move", "main")
"""All of them, in the order in which they are offered."""


def not_on_the_list(kind: str) -> Refused:
    """Return the refusal for what is no action at all (WWN-065)."""
    return Refused("not_an_action", "WWN-065", f"{kind} is no action of its own; it can be improvised", source=kind)


def in_turn(table: Table, actor: Id) -> None:
    """Refuse whoever does not have the turn; a mount has it with its rider (WWN-053, WWN-055)."""
    if actor in table.draft.acting:
        return
    if is_mount(table, actor):
        if rider_of(table, actor) in table.draft.acting:
            return
        raise Refused("not_mounts_turn", "WWN-055", f"{actor} acts in its rider's turn only", source=actor)
    raise Refused("not_your_turn", "WWN-003", f"it is not the turn of {actor}", source=actor)


def may_snap(table: Table, actor: Id) -> None:
    """Refuse a snap attack on one's own turn, of a mount, or by somebody out of the fight (WWN-021, WWN-055)."""
    if is_mount(table, actor):
        raise Refused("not_mounts_turn", "WWN-055", f"{actor} acts in its rider's turn only", source=actor)
    if actor in table.draft.acting:
        raise Refused("not_your_turn", "WWN-T56", f"{actor} cannot interrupt on its own turn", source=actor)
    must_be_able(table, actor, "WWN-021")


def playable(table: Table, actor: Id, manner: str, rule: Clause, main: bool = False) -> None:
    """Refuse an action by the state of its actor, and (``main``) for want of the Main Action.

    Somebody who was felled while the action was pending has lost it, unless both happen at once (WWN-021).
    """
    if manner == "pending" and met(table):
        return
    must_be_able(table, actor, "WWN-T43" if manner == "pending" else rule)
    if manner == "snap":
        raise Refused("not_an_attack", "WWN-T25", "only an attack can be made as a snap", source=actor)
    if main and manner == "standard":
        main_left(table, actor, rule)


def met(table: Table) -> bool:
    """Tell whether the pending action was answered by a snap attack that cannot prevent it."""
    if table.config.snap_timing != "simultaneous":
        return False
    pending = table.pending()
    return pending is not None and table.mark(pending.id, "met") is not None


def struck(table: Table) -> bool:
    """Tell whether the pending action has hit or missed already, and it only waits for what comes of that."""
    question, awaited = table.draft.question, table.draft.awaited
    return (question is not None and question.about == "weapon") or (
        awaited is not None and awaited.purpose == "damage"
    )


def beastly(table: Table, actor: Id, rule: Clause) -> None:
    """Refuse to a mount what only people do; it moves, fights and withdraws (WWN-054, WWN-058)."""
    if is_mount(table, actor):
        raise Refused("not_for_beasts", rule, f"{actor} is a beast", source=actor)


def main_left(table: Table, actor: Id, rule: Clause) -> None:
    """Refuse somebody without a Main Action this round (WWN-008), or who was denied it (WWN-069)."""
    if table.pool(actor, "main") < 1:
        denied = "" in table[actor].conditions.get("denied_main", {})
        raise Refused(
            "no_main_action",
            "WWN-069" if denied else rule,
            f"{actor} has no Main Action left this round",
            source=f"{actor}.main",
        )


def move_left(table: Table, actor: Id, payment: Payment, rule: Clause) -> None:
    """Refuse somebody without what a Move Action is to be paid with (WWN-G01, WWN-069)."""
    if payment == "main":
        if not table.config.main_as_move:
            raise Refused("no_move_action", "WWN-T12", "here a Main Action is no second Move", "config.main_as_move")
        main_left(table, actor, rule)
    elif table.pool(actor, "move") < 1:
        denied = "" in table[actor].conditions.get("denied_move", {})
        raise Refused(
            "no_move_action",
            "WWN-069" if denied else rule,
            f"{actor} has no Move Action left this round",
            source=f"{actor}.move",
        )


def move_paid(table: Table, actor: Id, manner: str, with_: Payment, *rules: Clause) -> Rule[None]:
    """Take what pays for a Move Action: that, or the Main Action as a second one (WWN-T12, WWN-T50)."""
    yield from paid(table, actor, manner, with_, *rules, *(("WWN-T12", "WWN-T50") if with_ == "main" else ()))


def paid(table: Table, actor: Id, manner: str, with_: Payment, *rules: Clause) -> Rule[None]:
    """Take the Main or the Move Action; what the rules or a ruling set going costs nothing."""
    if manner in ("standard", "snap"):
        own = ("WWN-053", "WWN-054") if is_mount(table, actor) else ()
        yield pool_moved(table, actor, with_, -1, *own, *rules)
