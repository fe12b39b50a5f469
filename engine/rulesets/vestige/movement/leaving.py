"""The attacks that leaving melee provokes (VES-033)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from affray.engine.core.effects import Ask, Go, Interrupted, Rule, choice
from affray.engine.errors import Refused
from affray.engine.rulesets.vestige.attack import Attack, must_afford_ep, toll
from affray.engine.rulesets.vestige.config import Table
from affray.engine.rulesets.vestige.marks import WAIVED
from affray.engine.rulesets.vestige.movement.board import locking_enemies
from affray.events import Answered, Field, Id, Option


def provoke(table: Table, actor: Id) -> Rule[None]:
    """Ask every locking enemy, in turn order, for its attack; those made come before the move (VES-033)."""
    enemies = provoked_enemies(table, actor)
    if enemies:
        yield Go("leave_melee", rules=("VES-033", "VES-T21"))
        strikes = yield from _ask_enemies(table, actor, enemies)
        if strikes:
            yield Interrupted(by=strikes, manner="provoked", rules=("VES-033", "VES-T22"))
        else:
            yield Go("let_go", rules=("VES-033",))
    if WAIVED.is_on(table, actor):
        yield WAIVED.struck(actor, "VES-033")


def provoked_enemies(table: Table, actor: Id) -> tuple[Id, ...]:
    """Return who may strike somebody who sets out: the locking enemies who can, first in the turn order first.

    Nobody may if the game master waived it.
    """
    if WAIVED.is_on(table, actor):
        return ()
    return tuple(enemy for enemy in locking_enemies(table, actor) if _can_strike(table, enemy, Attack(target=actor)))


def _ask_enemies(table: Table, actor: Id, enemies: tuple[Id, ...]) -> Rule[tuple[tuple[Id, Attack], ...]]:
    """Ask one enemy after another, until none is left to ask; come to the attacks that can be made then."""
    said: dict[Id, Attack | None] = {}
    while enemy := _next(enemies, said):
        answer = yield from choice(partial(_asked, table, enemy, actor, said))
        if answer is not None:
            strikes = answer.choice == "strike"
            said[enemy] = Attack(target=actor, ep=int(answer.fields.get("ep") or 0)) if strikes else None
        enemies = provoked_enemies(table, actor)
    made = ((enemy, said[enemy]) for enemy in enemies)
    return tuple((enemy, attack) for enemy, attack in made if attack and _can_strike(table, enemy, attack))


def _next(enemies: tuple[Id, ...], said: Mapping[Id, Attack | None]) -> Id:
    return next((enemy for enemy in enemies if enemy not in said), "")


def _asked(table: Table, enemy: Id, actor: Id, said: Mapping[Id, Attack | None]) -> Ask | None:
    if _next(provoked_enemies(table, actor), said) != enemy:
        return None
    cap = table.config.accuracy_ep_cap
    spare = table.pool(enemy, "ep") - toll(table, "provoked")
    ep = Field(name="ep", kind="int", high=spare if cap < 0 else min(spare, cap), optional=True)
    options = (
        Option(choice="strike", says="makes a basic attack", fields=(ep,)),
        Option(choice="decline", says="lets it pass"),
    )
    refuses = partial(_must_afford, table, enemy)
    return Ask(of=(enemy,), about=f"provoked:{enemy}", options=options, rules=("VES-033", "VES-T21"), refuses=refuses)


def _must_afford(table: Table, enemy: Id, answer: Answered) -> None:
    """Refuse more ep for accuracy than there is."""
    ep = answer.fields.get("ep")
    if answer.choice == "strike" and isinstance(ep, int):
        must_afford_ep(table, enemy, ep, toll(table, "provoked"))


def _can_strike(table: Table, enemy: Id, attack: Attack) -> bool:
    """Tell whether a locking enemy could make its attack: with the ep it costs, something loaded, and in sight."""
    try:
        attack.check(table, enemy, "provoked")
    except Refused:
        return False
    return True
