"""The attacks that leaving melee provokes (VES-033)."""

from __future__ import annotations

from functools import partial

from affray.engine.errors import Refused
from affray.engine.facts import marked
from affray.engine.rule import Ask, Go, Interrupted, Rule, choice
from affray.engine.table import Table
from affray.events import Answered, Field, Id, Option

from .attack import Attack, affordable, toll
from .board import locking


def provoke(table: Table, actor: Id) -> Rule[None]:
    """Ask every locking enemy, in turn order, for its attack; those made come before the move (VES-033)."""
    if provoked(table, actor):
        yield Go("leave_melee", rules=("VES-033",))
        strikes = yield from _strikes(table, actor)
        if strikes:
            yield Interrupted(by=strikes, manner="provoked", rules=("VES-033",))
        else:
            yield Go("let_go", rules=("VES-033",))
    if table.mark(actor, "waived") is not None:
        yield marked(actor, "waived", None, "VES-033")


def provoked(table: Table, actor: Id) -> tuple[Id, ...]:
    """Return who may strike somebody who sets out: the locking enemies who can, first in the turn order first.

    Nobody may if the game master waived it.
    """
    if table.mark(actor, "waived") is not None:
        return ()
    return tuple(enemy for enemy in locking(table, actor) if _can_strike(table, enemy, Attack(target=actor)))


def _strikes(table: Table, actor: Id) -> Rule[tuple[tuple[Id, Attack], ...]]:
    """Ask one enemy after another, as long as there is one to ask; come to the attacks that can still be made."""
    said: dict[Id, Attack | None] = {}
    while enemy := next((one for one in provoked(table, actor) if one not in said), ""):
        answer = yield from choice(partial(_asked, table, enemy, actor))
        if answer is not None:
            strikes = answer.choice == "strike"
            said[enemy] = Attack(target=actor, ep=int(answer.fields.get("ep") or 0)) if strikes else None
    made = ((enemy, said.get(enemy)) for enemy in provoked(table, actor))
    return tuple((enemy, attack) for enemy, attack in made if attack and _can_strike(table, enemy, attack))


def _asked(table: Table, enemy: Id, actor: Id) -> Ask | None:
    if enemy not in provoked(table, actor):
        return None
    cap = table.config.accuracy_ep_cap
    spare = table.pool(enemy, "ep") - toll(table, "provoked")
    ep = Field(name="ep", kind="int", high=spare if cap < 0 else min(spare, cap), optional=True)
    options = (
        Option(choice="strike", says="makes a basic attack", fields=(ep,)),
        Option(choice="decline", says="lets it pass"),
    )
    refuses = partial(_refused, table, enemy)
    return Ask(of=(enemy,), about=f"provoked:{enemy}", options=options, rules=("VES-033",), refuses=refuses)


def _refused(table: Table, enemy: Id, answer: Answered) -> None:
    """Refuse more ep for accuracy than there is (VES-025)."""
    ep = answer.fields.get("ep")
    if answer.choice == "strike" and isinstance(ep, int):
        affordable(table, enemy, ep, toll(table, "provoked"))


def _can_strike(table: Table, enemy: Id, attack: Attack) -> bool:
    """Tell whether a locking enemy could make its attack: with the ep it costs, something loaded, and in sight."""
    try:
        attack.check(table, enemy, "provoked")
    except Refused:
        return False
    return True
