"""Stunts and spells of foes, which a player character tests to avoid (WYR-T59)."""

from __future__ import annotations

from collections.abc import Callable

from affray.engine.core.effects import Ask, Go, Rule, choice
from affray.engine.errors import Refused
from affray.engine.rulesets.wyrd.attack.defence import Threat, cite_unanswered, defend
from affray.engine.rulesets.wyrd.attack.testing import AbilityAction, Support
from affray.engine.rulesets.wyrd.config import Table
from affray.engine.rulesets.wyrd.marks import UNAWARE
from affray.engine.rulesets.wyrd.sheet import can_be_hurt, leaves_test_to
from affray.events import Clause, Field, Id, Noted, Option

from .wear_and_tear import NOTHING, note_prompt

WORKS = Option(choice="works", says="it works as it was meant")

OTHERWISE = Option(choice="other", says="it comes out like this", fields=(Field(name="outcome", kind="text"),))

Effect = Callable[[], Rule[None]]
"""The effect of a maneuver that works."""


def is_test_left_to(table: Table, actor: Id, target: Id) -> bool:
    """Return whether the target tests in place of the actor."""
    return bool(target) and leaves_test_to(table, actor, target)


def must_leave_the_test(table: Table, actor: Id, target: Id, action: AbilityAction) -> None:
    """Refuse an ability, help or a push to a foe that makes no test."""
    if is_test_left_to(table, actor, target) and (action.ability or action.helper or action.push):
        message = f"{table.name_of(target)} tests, not {table.name_of(actor)}; leave out ability, helper and push"
        raise Refused("npc_attacks", "WYR-T59", message, source=actor)


def announce_maneuver(
    table: Table,
    actor: Id,
    action: AbilityAction,
    target: Id,
    what: str,
    effect: Effect | None,
    abilities: tuple[str, ...],
) -> Rule[None]:
    """Announce a foe's maneuver, and let the target test to avoid it (WYR-T59).

    Args:
        what: The attempt, in words.
        effect: The effect if it works; ``None`` if the game master has to describe it.
        abilities: The abilities that fit the defence.
    """

    def take_effect(rule: Clause, support: Support) -> Rule[None]:
        if UNAWARE.of(table, target):
            yield UNAWARE.clear_on(target)
        yield from _ask_outcome(table, target, what, effect)
        if support.helper:
            yield note_prompt(table, "consequence", "WYR-T12", support.helper)

    def settle_by_ruling() -> Rule[None]:
        yield Go("defend", rules=("WYR-T59",))
        yield from _ask_outcome(table, target, what, effect)

    unanswered = cite_unanswered(table, target)
    yield Go("carry_out" if unanswered else "announce", rules=(unanswered or "WYR-T59",))
    if unanswered:
        yield from take_effect(unanswered, Support())
        return
    threat = Threat(
        attacker=actor,
        target=target,
        check=lambda: action.check(table, actor, "pending"),
        is_shot=lambda: False,
        before_dice=_do_nothing,
        on_hit=take_effect,
        on_no_answer=settle_by_ruling,
        abilities=abilities,
    )
    yield from defend(table, threat)


def _do_nothing() -> Rule[None]:
    yield from ()


def _ask_outcome(table: Table, target: Id, what: str, effect: Effect | None) -> Rule[None]:
    """Ask the game master for the effect of a maneuver that was not averted."""
    options = (OTHERWISE, NOTHING) if effect is None else (WORKS, OTHERWISE, NOTHING)
    asked = Ask(of=("gm",), about=f"lands:{target}", options=options, rules=("WYR-T59",))
    answer = yield from choice(lambda: asked if can_be_hurt(table, target) else None)
    if answer is None:
        return
    if answer.choice == "works" and effect is not None:
        yield from effect()
    elif answer.choice == "other":
        yield Noted(kind="outcome", parts={"what": what, "outcome": answer.fields["outcome"]}, rules=("WYR-T59",))
