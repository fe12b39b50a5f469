"""Grappling and breaking free: brawl against brawl."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Self

from msgspec.structs import replace

from affray.engine.core.actions import Action, declared_as
from affray.engine.core.effects import Go, Roll, Rule
from affray.engine.core.state import Relation
from affray.engine.kit.relations import end_relation
from affray.engine.kit.rulings.verdicts import judge_test
from affray.engine.rulesets.hexblade.attack.rolls import (
    SUCCEEDS,
    Swing,
    build_d20_roll,
    find_lead,
    judge_swings,
    record_swing,
    throw_test,
)
from affray.engine.rulesets.hexblade.config import Table
from affray.engine.rulesets.hexblade.marks import BROKE_FREE
from affray.engine.rulesets.hexblade.movement.positions import (
    GRAPPLED,
    cite_reach_waiver,
    find_grip_between,
    find_other_member,
    hold,
    list_grips,
    must_be_in_reach,
)
from affray.engine.rulesets.hexblade.sheet import (
    can_fight_back,
    give_state,
    is_active,
    list_modifiers,
    must_be_active,
    refusal,
)
from affray.engine.rulesets.hexblade.turns.order import (
    Other,
    PaidAction,
    must_afford,
    must_be_another,
    note_acted,
    spend,
    use_waivers,
)
from affray.events import Clause, CombatantId, Id


@declared_as(
    "grapple", "wrestle an adjacent combatant to the ground, and hold it", "target", throughout=True, pays=("HEX-011",)
)
class Grapple(PaidAction, frozen=True, kw_only=True):
    """Wrestle an adjacent target to the ground and hold it (HEX-011, HEX-058 to HEX-060)."""

    target: Other

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in rulebook order: able, budget, target, distance."""
        must_afford(table, actor, manner)
        must_be_another(table, actor, self.target)
        if not is_active(table, self.target):
            raise table.refuse(self.target, "is out of the fight and cannot be held", "HEX-G02")
        bound = find_grip_between(table, actor, self.target)
        if bound is not None:
            raise table.refuse(
                actor, f"and {table.name_of(self.target)} hold each other already", "HEX-059", source=bound.id
            )
        must_be_in_reach(table, actor, self.target, "HEX-058")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Roll brawl against brawl; a success grapples both, a failure fells the actor (HEX-060)."""
        success = yield from wrestle(table, actor, lambda: self.target, "HEX-058", won="HEX-059", lost="HEX-060")
        yield from use_waivers(table, actor, *cite_reach_waiver(table, actor, self.target, "HEX-058"))
        rule = "HEX-059" if success else "HEX-060"
        for who in (actor, self.target) if success else (actor,):
            yield from give_state(table, who, "prone", rule, "HEX-G01")
        if success:
            yield from hold(table, actor, self.target, rule)


@declared_as("break_free", "try to break a grapple", "target", throughout=True)
class BreakFree(Action, frozen=True, kw_only=True):
    """Try to break a grapple (HEX-061).

    Attributes:
        target: The combatant to get free of, where several hold the actor.
    """

    target: CombatantId = ""

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in rulebook order: able, budget, not grappled."""
        if is_free_of_cost(table):
            must_be_active(table, actor)
            if manner == "standard" and BROKE_FREE.of(table, actor) == table.draft.round:
                raise table.refuse(actor, "has tried to break free this turn", "HEX-061")
        else:
            must_afford(table, actor, manner)
        self._find_grip(table, actor)

    def _find_grip(self, table: Table, actor: Id) -> Relation:
        """Return the grapple that is meant."""
        found = [one for one in list_grips(table, actor) if self.target in ("", find_other_member(one, actor))]
        if not found:
            by = f" by {table.name_of(self.target)}" if self.target else ""
            raise refusal("HEX-061", f"{table.name_of(actor)} is not held{by}", f"{actor}.{GRAPPLED}")
        return found[0]

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Take the action, or note the one free try (HEX-T41)."""
        if is_free_of_cost(table):
            yield BROKE_FREE.set_on(actor, table.draft.round, "HEX-061", "HEX-T41")
            yield from note_acted(table, actor)
        else:
            yield from spend(table, actor, manner, "HEX-061")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Roll brawl against brawl; success frees both, who stay prone (HEX-061).

        Without a name, the oldest grapple at the second roll is meant.
        """
        success = yield from wrestle(
            table,
            actor,
            lambda: find_other_member(self._find_grip(table, actor), actor),
            "HEX-061",
            won="HEX-061",
            lost="HEX-061",
        )
        if success:
            yield from end_relation(table, self._find_grip(table, actor), "HEX-061")

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """List the default, which is the oldest grapple, and each holder by name."""
        return ["", *(find_other_member(grip, actor) for grip in list_grips(table, actor))]


def is_free_of_cost(table: Table) -> bool:
    """Return whether breaking free costs nothing."""
    return table.config.grapple_break_cost == "free"


def wrestle(
    table: Table, actor: Id, opponent: Callable[[], Id], rule: Clause, *, won: Clause, lost: Clause
) -> Rule[bool]:
    """Roll brawl against brawl; return whether the actor wins. A tie fails (HEX-058)."""
    first = yield from roll_brawl(table, lambda: actor, rule)
    second = yield from roll_brawl(table, opponent, rule, against=first.total)
    margin = find_lead(first, second)
    judged = judge_swings(first, second, SUCCEEDS[margin <= 0], won if margin > 0 else lost)
    wins = yield from judge_test(table, actor, judged, margin > 0, SUCCEEDS, "HEX-T53")
    yield Go("no_blow", rules=(rule,))
    yield Go("settled")
    return wins


def roll_brawl(table: Table, find_roller: Callable[[], Id], rule: Clause, against: int | None = None) -> Rule[Swing]:
    """Roll brawl for a combatant that is looked up when the dice fall (HEX-T12).

    Lying prone does not matter, and no face is critical.
    """

    def find_roll() -> Roll | None:
        who = find_roller()
        terms = list_modifiers(table, who, "brawl", "HEX-T12")
        brawls = build_d20_roll(table, who, "brawl", "brawl", (), terms, rule, "HEX-T12", against=against)
        return brawls if can_fight_back(table, who) else None

    roll = yield from throw_test(table, find_roll)
    return replace(record_swing(table, roll.by if roll else find_roller(), "", roll), face=0)
