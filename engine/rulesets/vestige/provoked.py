"""The attacks that leaving melee provokes (VES-033)."""

from __future__ import annotations

from affray.engine.errors import Refused
from affray.engine.facts import marked
from affray.engine.rule import Ask, Go, Interrupted, Rule
from affray.engine.table import Table
from affray.events import Field, Id, Option

from .attack import Attack
from .board import locking


def provoke(table: Table, actor: Id) -> Rule[None]:
    """Ask every locking enemy, in turn order, for its attack; those made come before the move (VES-033)."""
    if table.mark(actor, "waived") is not None:
        yield marked(actor, "waived", None, "VES-033")
        return
    asked = tuple(enemy for enemy in locking(table, actor) if _can_strike(table, enemy, actor))
    if not asked:
        return
    yield Go("leave_melee", rules=("VES-033",))
    strikes = []
    for enemy in asked:
        answer = yield _provoked(table, enemy)
        if answer.choice == "strike":
            strikes.append((enemy, Attack(target=actor, ep=answer.fields.get("ep") or 0)))
    if strikes:
        yield Interrupted(by=tuple(strikes), manner="provoked", rules=("VES-033",))
    else:
        yield Go("let_go", rules=("VES-033",))


def _provoked(table: Table, enemy: Id) -> Ask:
    toll = 0 if table.config.provoked_free else 1
    cap = table.config.accuracy_ep_cap
    spare = table.pool(enemy, "ep") - toll
    ep = Field(name="ep", kind="int", high=spare if cap < 0 else min(spare, cap), optional=True)
    options = (
        Option(choice="strike", says="makes a basic attack", fields=(ep,)),
        Option(choice="decline", says="lets it pass"),
    )
    return Ask(of=(enemy,), about=f"provoked:{enemy}", options=options, rules=("VES-033",))


def _can_strike(table: Table, enemy: Id, mover: Id) -> bool:
    """Tell whether a locking enemy could make its attack: with the ep it costs, something loaded, and in sight."""
    try:
        Attack(target=mover).check(table, enemy, "provoked")
    except Refused:
        return False
    return bool(table.config.provoked_free or table.pool(enemy, "ep") >= 1)
