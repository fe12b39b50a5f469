"""Rulings on the fight: harm, grants, turns, morale, the end; and their consequences."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta

from affray.engine.core.actions import Ruling, declared_as, ruled_as
from affray.engine.core.changes import move_item, set_condition, set_pool
from affray.engine.core.effects import Interrupted, Roll, Rule
from affray.engine.errors import Refused, Unusable
from affray.engine.kit.rulings import blasts, harm_and_end, turns
from affray.engine.kit.rulings.values import BRIEF, UNSAID, Bonus, Word, hide_cause
from affray.engine.kit.sides import must_be_a_side
from affray.engine.kit.turn_order import has_had_turn, is_acting_apart
from affray.engine.rulesets.wyrd.chapters.morale import BECOMES, MoraleTest, give_up, list_active_members
from affray.engine.rulesets.wyrd.chapters.stunts import knock_away
from affray.engine.rulesets.wyrd.chapters.wear_and_tear import list_prompts
from affray.engine.rulesets.wyrd.config import Table
from affray.engine.rulesets.wyrd.flow import FLOW
from affray.engine.rulesets.wyrd.gear.pieces import HANDS, list_held
from affray.engine.rulesets.wyrd.harm import Hit, note_morale_test, wound
from affray.engine.rulesets.wyrd.marks import DISARMED, FIGHT, MORALE_PROMPT
from affray.engine.rulesets.wyrd.movement.melee import tidy_melees
from affray.engine.rulesets.wyrd.sheet import GONE, can_be_hurt, is_active, list_active_by_side, must_be_active
from affray.engine.rulesets.wyrd.turns.sides import give_turn, reorder
from affray.engine.rulesets.wyrd.turns.turn import end_fight, is_undecided, leave_turn_and_melee
from affray.engine.texts import name_said
from affray.events import (
    Clause,
    CombatantId,
    ConditionChanged,
    Dice,
    Ending,
    Id,
    Modifier,
    Noted,
    SideName,
    Withdrawn,
    Words,
)


@ruled_as("harm", "do damage outside a test: an amount, or a die", "who", "amount")
class Wound(Ruling, frozen=True, kw_only=True):
    """Do damage outside a test, by an amount or a die.

    Attributes:
        amount: The damage before armor.
        die: The size of a die that is rolled for the damage instead.
        ignores_armor: Whether armor does not count (WYR-061).
        unavoidable: Whether it can be neither dodged nor sundered (WYR-T53).
        cause: The origin, such as a stunt.
    """

    who: CombatantId
    amount: Annotated[int, Meta(ge=0, le=999)] = 0
    die: Annotated[int, Meta(ge=0, le=100)] = 0
    ignores_armor: bool = False
    unavoidable: bool = False
    cause: Word = UNSAID

    def check(self, table: Table) -> None:
        """Refuse outside a turn, during an action, and against a combatant out of the fight."""
        if bool(self.amount) == bool(self.die):
            raise Unusable("say either an amount or a die", "amount")
        if not GONE.isdisjoint(table[self.who].conditions):
            raise table.refuse(self.who, "is out of the fight", "WYR-T50", "target_out")
        FLOW.permit(table, self.who, "intervene")

    def decide(self, table: Table) -> Rule[None]:
        """Put the damage on the stack; it resolves at once."""
        harm = Harm(
            who=self.who,
            amount=self.amount,
            die=self.die,
            ignores_armor=self.ignores_armor,
            unavoidable=self.unavoidable,
            cause=hide_cause(table, self.cause),
        )
        yield Interrupted(by=(("gm", harm),), manner="ruled")


@ruled_as("grant", "give actions or moves in this phase, a turn with them, or take some away", "who", "by")
class Grant(Ruling, frozen=True, kw_only=True):
    """Give a combatant actions or moves, and a turn with them, or take them away."""

    who: CombatantId
    by: Bonus = 1
    pool: Literal["actions", "moves"] = "actions"

    def check(self, table: Table) -> None:
        """Refuse a combatant of another side or that is down, and an empty grant."""
        draft, name = table.draft, table.name_of(self.who)
        if draft.ended or not draft.up:
            raise Refused("not_your_turn", "WYR-T58", "no side is acting; begin the fight first", source=self.who)
        if self.who not in draft.acting and table[self.who].side != draft.up:
            own = name_said(table[self.who].side)
            message = f"it is the phase of {name_said(draft.up)}, not of {name}; grant it in that of {own}"
            raise Refused("not_your_turn", "WYR-T58", message, source=self.who)
        must_be_active(table, self.who)
        if self.who not in draft.acting and self.by < 1:
            message = f"{name} has no turn to lose any more; a grant above 0 gives one"
            raise Refused("no_change", "WYR-T58", message, source=self.who)
        if self.who in draft.acting and self._budget_after(table) == table.pool(self.who, self.pool):
            message = f"{name} has {table.pool(self.who, self.pool)} {self.pool} already; say how many more or fewer"
            raise Refused("no_change", "WYR-T58", message, source=f"{self.who}.{self.pool}")

    def _budget_after(self, table: Table) -> int:
        """Return the budget afterwards; a turn given back keeps what it had left."""
        left = table.pool(self.who, self.pool)
        return max(0, left + self.by) if self.who in table.draft.acting else max(left, self.by)

    def decide(self, table: Table) -> Rule[None]:
        """Give the turn back if need be, and change the budget."""
        after = self._budget_after(table)
        if self.who not in table.draft.acting:
            yield from give_turn(table, self.who, "WYR-T58")
        if after != table.pool(self.who, self.pool):
            rule = "WYR-007" if self.pool == "actions" else "WYR-006"
            yield set_pool(table, self.who, self.pool, after, rule, "WYR-T58")


class Turn(turns.TurnRuling, frozen=True, kw_only=True):
    """Give a combatant the next turn (WYR-T61).

    It acts at once if its side is active, otherwise out of order or once more.
    """

    rule: ClassVar[Clause] = "WYR-T61"

    def comes_with(self, table: Table) -> Id:
        """Return the side if its phase is still to come, else the combatant alone."""
        side = table[self.who].side
        apart = is_acting_apart(table, self.who, table.derive(list_active_by_side).get(side, ()))
        return self.who if apart or side == table.draft.up or has_had_turn(table, side) else side

    def can_act(self, table: Table) -> bool:
        """Return whether the combatant is active."""
        return is_active(table, self.who)

    def decide(self, table: Table) -> Rule[None]:
        """Give a turn now to a member of the active side that has none; otherwise note it."""
        draft = table.draft
        if table[self.who].side != draft.up or not draft.acting or self.who in draft.acting:
            yield from super().decide(table)
            return
        yield from give_turn(table, self.who, "WYR-T61")
        for pool, rule in (("moves", "WYR-006"), ("actions", "WYR-007")):
            if table.pool(self.who, pool) != 1:
                yield set_pool(table, self.who, pool, 1, rule, "WYR-T61")


@ruled_as("morale", "test a side's morale, or say that it holds, flees or parleys", "side", "outcome")
class Morale(Ruling, frozen=True, kw_only=True):
    """Test a side's Will, or decide its morale; a waiting prompt is settled too.

    Attributes:
        outcome: The outcome without a test.
        who: The member whose Will is tested; the first one by default.
        broken: The effect of a failed test on the side.
    """

    side: Annotated[SideName, BRIEF]
    outcome: Literal["", "holds", "flees", "parleys"] = ""
    who: CombatantId = ""
    broken: Literal["flee", "parley"] = "flee"

    def check(self, table: Table) -> None:
        """Refuse an unknown side, and one without active members."""
        must_be_a_side(table, self.side, "side")
        if not list_active_members(table, self.side):
            raise Refused("not_active", "WYR-G06", f"no combatant of {name_said(self.side)} can act", source=self.side)
        if self.outcome:
            return
        if self.who and self.who not in list_active_members(table, self.side):
            raise table.refuse(self.who, f"is no active member of the {name_said(self.side)}", "WYR-G06", "not_active")
        FLOW.permit(table, "gm", "intervene")

    def decide(self, table: Table) -> Rule[str]:
        """Start the test, or apply the outcome."""
        if not self.outcome:
            yield harm_and_end.resolve_at_once(MoraleTest(side=self.side, who=self.who, broken=self.broken), "WYR-G06")
            return ""
        question = table.draft.question
        settled = question is not None and question.about in (f"morale:{self.side}", f"broken:{self.side}")
        if question is not None and settled:
            yield Withdrawn(what=question.id, rules=("WYR-G06",))
        yield from MORALE_PROMPT.end_on(table, FIGHT, about=self.side)
        yield Noted(kind="morale", parts={"side": self.side, "outcome": self.outcome}, rules=("WYR-G06",))
        if self.outcome in BECOMES:
            yield from give_up(table, self.side, BECOMES[self.outcome])
        return "resume" if settled else ""


class End(harm_and_end.End, frozen=True, kw_only=True):
    """End the fight, and name the victors if there are any."""

    refusal: ClassVar[tuple[str, Clause]] = ("fight_over", "WYR-G05")
    rules: ClassVar[tuple[Clause, ...]] = ("WYR-G05",)

    def end(self, table: Table) -> Rule[None]:
        """Drop the waiting prompts, and name the victors."""
        for waiting in list_prompts(table):
            yield waiting.clear()
        yield from end_fight(table, self.winners, "ruled")


@declared_as("harm", "damage by ruling", "who", "amount")
class Harm(harm_and_end.RuledHarm, frozen=True, kw_only=True):
    """Damage that the game master ruled; the fields are as in ``Wound``."""

    refusal: ClassVar[tuple[str, Clause]] = ("needs_ruling", "WYR-049")

    amount: Annotated[int, Meta(ge=0, le=999)] = 0
    die: Annotated[int, Meta(ge=0, le=100)] = 0
    ignores_armor: bool = False
    unavoidable: bool = False
    cause: Words = UNSAID

    def check_ground(self, table: Table, actor: Id) -> None:
        """Refuse to hurt a combatant that is gone before the die has fallen."""
        if is_undecided(table) and not can_be_hurt(table, self.who):
            raise table.refuse(self.who, "is out of the fight", "WYR-T50", "target_out")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Throw the die if there is one, and deal the damage (WYR-049)."""
        amount = self.amount
        if self.die:
            dice = (Dice(count=1, sides=self.die, kind="harm"),)
            roll = yield Roll(dice=dice, purpose="harm", by="gm", reading="highest", rules=("WYR-049",))
            amount = roll.total
        bare, sure = self.ignores_armor, self.unavoidable
        hit = Hit(self.who, amount, self.cause, "gm", "WYR-049", ignores_armor=bare, unavoidable=sure)
        yield from wound(table, hit, "WYR-049")


class Blast(blasts.Blast, frozen=True, kw_only=True):
    """Damage dice that the game master ruled; the fields are as in ``Wound``."""

    refusal: ClassVar[tuple[str, Clause]] = ("needs_ruling", "WYR-049")
    rule: ClassVar[Clause] = "WYR-T62"

    ignores_armor: bool = False
    unavoidable: bool = False

    def is_there(self, table: Table, who: Id) -> bool:
        """Return whether a combatant can still be hurt."""
        return can_be_hurt(table, who)

    def hurt(self, table: Table, who: Id, term: Modifier, guard: Any) -> Rule[int]:
        """Return the damage before armor."""
        yield from ()
        return term.value

    def settle(self, table: Table, taken: Mapping[Id, int]) -> Rule[None]:
        """Wound each combatant by the dice that were rolled for all (WYR-T62)."""
        bare, sure = self.ignores_armor, self.unavoidable
        for who, amount in taken.items():
            hit = Hit(who, amount, self.cause, "gm", self.rule, ignores_armor=bare, unavoidable=sure)
            yield from wound(table, hit, "WYR-049")


class Damage(blasts.Damage, frozen=True, kw_only=True):
    """Deal dice of harm to one or several combatants; the fields are as in ``Wound``."""

    action: ClassVar[type[blasts.Blast]] = Blast

    ignores_armor: bool = False
    unavoidable: bool = False

    def check(self, table: Table) -> None:
        """Refuse outside a turn, during an action, and against a combatant out of the fight."""
        super().check(table)
        for who in self.who:
            if not GONE.isdisjoint(table[who].conditions):
                raise table.refuse(who, "is out of the fight", "WYR-T50", "target_out")
        FLOW.permit(table, self.who[0], "intervene")


def tidy(table: Table) -> Rule[None]:
    """Match melees, the turn and morale to what a ruling changed."""
    yield from tidy_melees(table)
    yield from reorder(table)
    for side in dict.fromkeys(one.side for one in table.draft.combatants.values()):
        yield from note_morale_test(table, side)


def correct(table: Table, who: Id) -> Rule[None]:
    """Match turn, melee and weapons to the conditions that a ruling changed.

    A fallen combatant has no turn and no melee; a weapon that was knocked away comes back.
    The weapon comes into the hand, unless another one has been taken up meanwhile.
    """
    if not is_active(table, who):
        yield from leave_turn_and_melee(table, who)
    if table[who].has("disarmed"):
        if not DISARMED.of(table, who):
            yield from knock_away(table, who)
        return
    if DISARMED.of(table, who):
        yield DISARMED.clear_on(who)
    dropped = [item for item in table.items_of(who) if item.where == "dropped"]
    if not dropped:
        return
    pair = all(item.stats.get("hands") == 1 for item in dropped)
    room = () if list_held(table, who) else HANDS if pair else HANDS[:1]
    for nth, item in enumerate(dropped):
        yield move_item(table, item.id, room[nth] if nth < len(room) else "", "WYR-046")


def set_condition_until(
    table: Table, who: Id, condition: str, count: int, source: Id, ends: Ending | None
) -> ConditionChanged:
    """Give a condition with an end, or end it (WYR-T60)."""
    return set_condition(table, who, condition, count, "WYR-T60", source=source, ends=ends)
