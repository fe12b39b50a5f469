"""Damage and its consequences: the brink, forfeiting, death, the end of the fight, morale."""

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

from affray.engine.core.actions import Action, declared_as
from affray.engine.core.candidates import Target
from affray.engine.core.changes import change_pool, end_condition, set_condition
from affray.engine.core.effects import Ask, Go, Roll, Rule, choice, throw
from affray.engine.errors import Refused
from affray.engine.kit.fight_end import FightEnd, record_fight_end, settle_end
from affray.engine.kit.rulings import blasts, harm_and_end
from affray.engine.kit.rulings.verdicts import judge_test
from affray.engine.kit.sheets import sheet_modifier, stat
from affray.events import Clause, Damaged, Dice, Id, Judged, MemberDone, Modifier, Option, PoolChanged

from .config import Table
from .marks import BRINK, BRINK_MODIFIER, BRINK_OUTCOME, BRINK_SIDES, BRINK_TARGET, CUT_SHORT, DONE, SETTLED
from .sheet import is_active, is_contested, list_able, list_winning_sides, must_be_active

STAYS = Option(choice="no", says="fights on at the brink")

FORFEITS = Option(choice="yes", says="leaves the fight, beaten but alive")


def wound(table: Table, who: Id, terms: tuple[Modifier, ...], *rules: Clause) -> Rule[None]:
    """Work out the damage of a hit, and take it from the target's health."""
    yield from lose_health(table, who, (yield from reduce_by_protection(table, who, terms, *rules)))


def reduce_by_protection(table: Table, who: Id, terms: tuple[Modifier, ...], *rules: Clause) -> Rule[int]:
    """Subtract protection and return the damage that is left (VES-028, VES-T11)."""
    protection = stat(table, who, "protection")
    if protection:
        terms = (*terms, sheet_modifier(who, "protection", -protection, "VES-T11"))
    amount = max(0, sum(term.value for term in terms))
    yield Damaged(who=who, terms=terms, amount=amount, rules=(*rules, "VES-028"))
    return amount


def lose_health(table: Table, who: Id, amount: int) -> Rule[None]:
    """Take damage from health; a combatant at the brink rolls to survive instead (VES-T06)."""
    if not amount:
        return
    if table[who].has("brink"):
        yield from survive(table, who)
        return
    yield change_pool(table, who, "health", -amount, "VES-028", "VES-T06")
    if not table.pool(who, "health"):
        yield from fall(table, who)


def fall(table: Table, who: Id) -> Rule[None]:
    """Put a combatant without health at the brink. It may forfeit at once (VES-055, VES-T29)."""
    yield Go("felled", rules=("VES-055",))
    yield set_condition(table, who, "brink", 1, "VES-055", "VES-T29")
    answer = yield from choice(partial(_build_forfeit_question, table, who))
    if answer is not None and answer.choice == "yes":
        yield from forfeit(table, who)
    one = table.draft.combatants.get(who)
    forfeited = one is not None and one.has("forfeited")
    yield Go("forfeits", rules=("VES-056",)) if forfeited else Go("fights_on", rules=("VES-057",))


def is_at_brink(table: Table, who: Id) -> bool:
    """Return whether a combatant is at the brink and still in the fight."""
    return is_active(table, who) and table[who].has("brink")


def _build_forfeit_question(table: Table, who: Id) -> Ask | None:
    if not is_at_brink(table, who):
        return None
    return Ask(of=(who,), about="forfeit", options=(STAYS, FORFEITS), rules=("VES-056",))


def forfeit(table: Table, who: Id) -> Rule[None]:
    """Take a combatant out of the fight by its own choice, beaten and alive (VES-T31)."""
    yield set_condition(table, who, "forfeited", 1, "VES-056", "VES-T31")
    yield from drop_token_and_turn(table, who)


def drop_token_and_turn(table: Table, who: Id) -> Rule[None]:
    """Take tokens and turns from a combatant that is out of the fight.

    Its readied token, its delayed turn, and its part in the group's turn end.
    By VES-042, VES-054 and VES-T02.
    """
    if is_active(table, who):
        return
    draft = table.draft
    has_mates = who in draft.acting and any(is_active(table, one) for one in draft.acting)
    if has_mates and draft.phases[""] == "turn":
        yield CUT_SHORT.set_on(who, table.draft.round, "VES-007")
        yield MemberDone(who=who, rules=("VES-007", "VES-T02"))
    yield from end_condition(table, who, "readied", "VES-042")
    if table[who].has("delayed"):
        yield from end_condition(table, who, "delayed", "VES-054")
        yield DONE.set_on(who, table.draft.round, "VES-054")


def survive(table: Table, who: Id) -> Rule[None]:
    """Roll at the brink: the combatant holds on or dies (VES-058).

    The game master may rule on the roll before the die falls.
    """
    yield Go("hurt_again", rules=("VES-058",))
    outcome = yield from _decide_outcome(table, who)
    for ruled in BRINK:
        yield from ruled.end_on(table, who)
    if outcome == "holds on":
        yield Go("holds_on", rules=("VES-058",))
    else:
        yield from die(table, who, "dead" if outcome == "dies" else "unable")


def die(table: Table, who: Id, condition: str) -> Rule[None]:
    """Make a combatant ``dead``, or ``unable`` by configuration or ruling."""
    yield set_condition(table, who, condition, 1, "VES-058")
    yield from drop_token_and_turn(table, who)
    yield Go("lost", rules=("VES-058",))


def _decide_outcome(table: Table, who: Id) -> Rule[str]:
    """Return ``holds on``, ``dies`` or ``unable``, by the roll or a ruling."""
    roll = yield from throw(partial(_build_brink_roll, table, who))
    if roll is None:
        return BRINK_OUTCOME.of(table, who) if is_at_brink(table, who) else "holds on"
    assert roll.against is not None
    margin = roll.total - roll.against
    lost = "dies" if table.config.brink_fail == "dead" else "unable"
    outcome = "holds on" if margin >= 0 else lost
    judged = Judged(roll=roll.roll, outcome=outcome, margin=margin, rules=("VES-058", "VES-T30"))
    holds = yield from judge_test(table, who, judged, margin >= 0, ("holds on", lost), "VES-T54")
    return "holds on" if holds else lost


def _build_brink_roll(table: Table, who: Id) -> Roll | None:
    """Return the roll, or nothing if it is ruled or the combatant left the brink (VES-T30)."""
    if BRINK_OUTCOME.is_on(table, who) or not is_at_brink(table, who):
        return None
    config = table.config
    bonus = BRINK_MODIFIER.of(table, who) if BRINK_MODIFIER.is_on(table, who) else config.brink_modifier
    return Roll(
        dice=(Dice(count=1, sides=BRINK_SIDES.of(table, who), kind="brink"),),
        purpose=f"brink:{who}",
        by=who,
        modifiers=(Modifier(value=bonus, label="at the brink", rule="VES-T30"),) if bonus else (),
        against=BRINK_TARGET.of(table, who) if BRINK_TARGET.is_on(table, who) else config.brink_target,
        rules=("VES-058", "VES-T30"),
    )


def correct(table: Table, who: Id) -> Rule[None]:
    """Match the condition ``brink`` to the health after a ruling (VES-G01).

    A combatant that is out of the fight also loses its token and its delayed turn (VES-042, VES-054).
    """
    yield from drop_token_and_turn(table, who)
    at_brink, health = table[who].has("brink"), table.pool(who, "health")
    if at_brink and health:
        yield from end_condition(table, who, "brink", "VES-G01")
    elif not at_brink and not health:
        yield set_condition(table, who, "brink", 1, "VES-055", "VES-T29")


def must_be_at_brink(table: Table, who: Id) -> None:
    """Refuse a forfeit away from the brink, unless the configuration permits it (VES-056)."""
    if table.config.forfeit_only_at_brink and not table[who].has("brink"):
        raise Refused("not_at_brink", "VES-056", f"{table.name_of(who)} is not at the brink", source=f"{who}.health")


@declared_as("forfeit", "leave the fight, beaten but alive", own_trigger="forfeit", stacks=False)
class Forfeit(Action, frozen=True, kw_only=True):
    """Leave the fight by choice while at the brink."""

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse an actor that is out of the fight or not at the brink."""
        must_be_active(table, actor)
        must_be_at_brink(table, actor)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Take the actor out of the fight, beaten and alive."""
        yield from forfeit(table, actor)


@declared_as("harm", "damage by ruling", "who", "amount")
class Harm(harm_and_end.RuledHarm, frozen=True, kw_only=True):
    """Damage that the game master ruled: from a fall, a fire, an improvised action.

    Attributes:
        amount: Before protection.
        protected: Whether protection lowers it.
    """

    refusal: ClassVar[tuple[str, Clause]] = ("not_a_standard_action", "VES-011")

    who: Target
    amount: int
    protected: bool = False

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Take the damage from health; at the brink the combatant rolls to survive."""
        term = Modifier(value=self.amount, label="ruling", source="gm")
        if self.protected:
            yield from wound(table, self.who, (term,))
        else:
            yield Damaged(who=self.who, terms=(term,), amount=self.amount)
            yield from lose_health(table, self.who, self.amount)


class Blast(blasts.Blast, frozen=True, kw_only=True):
    """Damage dice that the game master ruled; protection lowers them if ``protected``."""

    refusal: ClassVar[tuple[str, Clause]] = ("not_a_standard_action", "VES-011")
    rule: ClassVar[Clause] = "VES-T51"

    protected: bool = False

    def is_there(self, table: Table, who: Id) -> bool:
        """Return whether a combatant is still in the fight."""
        return is_active(table, who)

    def hurt(self, table: Table, who: Id, term: Modifier, guard: Any) -> Rule[int]:
        """Take the damage from health; at the brink, ``settle`` deals with it afterwards."""
        amount = term.value
        if self.protected:
            amount = yield from reduce_by_protection(table, who, (term,), self.rule)
        else:
            yield Damaged(who=who, terms=(term,), amount=amount, rules=(self.rule,))
        if amount and not table[who].has("brink"):
            yield change_pool(table, who, "health", -amount, "VES-028", "VES-T06")
        return amount

    def settle(self, table: Table, taken: Mapping[Id, int]) -> Rule[None]:
        """Let harmed combatants at the brink roll, and bring those without health there (VES-T51)."""
        for who, amount in taken.items():
            if not amount or not self.is_there(table, who):
                continue
            if table[who].has("brink"):
                yield from survive(table, who)
            elif not table.pool(who, "health"):
                yield from fall(table, who)


def end_fight(table: Table, victors: Sequence[str], reason: str) -> Rule[None]:
    """Drop pending actions, close an open window, name the victors, settle morale (VES-059)."""
    winners = list_winning_sides(table, victors)
    together = ("VES-T45",) if len(winners) > 1 else ()
    yield from record_fight_end(table, winners, reason, "VES-059", won_by=("VES-T34", *together))
    yield from settle_morale(table, winners)


def _end_with_allies(table: Table, victors: Sequence[str], reason: str) -> Rule[None]:
    """End the fight: the first remaining side wins, together with its allies."""
    yield from end_fight(table, victors[:1], reason)


FIGHT_END = FightEnd(
    able=list_able,
    is_contested=is_contested,
    end=_end_with_allies,
    rules=("VES-059", "VES-T53"),
)
"""The rule by which a fight ends."""


def end_if_over(table: Table) -> Rule[bool]:
    """End the fight once no known active enemies are left; return whether it is over (VES-T34)."""
    return settle_end(table, FIGHT_END)


def settle_morale(table: Table, victors: Collection[str]) -> Rule[None]:
    """Raise the morale of the living victors, lower that of the living defeated (VES-060, VES-061, VES-T33)."""
    for who in tuple(table.draft.combatants):
        change, rule = _find_morale_change(table, who, victors)
        before = table.pool(who, "morale")
        after = max(min(before, table.config.morale_min), before + change)
        if after != before:
            yield PoolChanged(who=who, pool="morale", before=before, after=after, rules=(rule, "VES-T33"))
        elif change:
            yield SETTLED.set_on(who, 0, "VES-T53")


def _find_morale_change(table: Table, who: Id, victors: Collection[str]) -> tuple[int, Clause]:
    """Return the change of morale that the fight's end causes, and its clause."""
    if table[who].has("dead"):
        return 0, "VES-061"
    if not victors:
        return table.config.draw_morale, "VES-T34"
    return (1, "VES-060") if table[who].side in victors else (-1, "VES-061")


def keep_morale_change(table: Table, who: Id) -> Rule[None]:
    """Note the morale that the fight's end brought, before a ruling changes its grounds."""
    if table.draft.ended and not SETTLED.is_on(table, who):
        yield SETTLED.set_on(who, _find_morale_change(table, who, list_victors(table))[0], "VES-T53")


def take_back_morale(table: Table, victors: Collection[str]) -> Rule[None]:
    """Reverse the changes of morale when a fight goes on after its end."""
    for who in tuple(table.draft.combatants):
        change = _find_morale_change(table, who, victors)[0]
        if SETTLED.is_on(table, who):
            change = SETTLED.of(table, who)
            yield SETTLED.clear_on(who, "VES-T53")
        if change:
            before = table.pool(who, "morale")
            yield PoolChanged(who=who, pool="morale", before=before, after=before - change, rules=("VES-T53",))


def list_victors(table: Table) -> frozenset[str]:
    """Return the sides that have won a fight that is over."""
    return frozenset({table.draft.victors, *table.draft.allied_victors} - {""})
