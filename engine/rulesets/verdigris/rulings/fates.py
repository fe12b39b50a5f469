"""Rulings on injuries, strays, fitness, waivers, vetoes and the end."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from affray.engine.core.actions import Ruling, ruled_as
from affray.engine.core.changes import condition_ended, condition_set, pool_moved, pool_set
from affray.engine.core.effects import Rule
from affray.engine.errors import Unusable
from affray.engine.kit.fight_end import ended
from affray.engine.kit.rulings import fates
from affray.engine.kit.rulings.turns import must_not_be_over
from affray.engine.kit.rulings.words import BRIEF, Word
from affray.engine.rulesets.verdigris import marks
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.harm import conditions
from affray.engine.rulesets.verdigris.harm.injuries import injury_keys, injury_named, lift_injury
from affray.engine.rulesets.verdigris.movement import melees
from affray.engine.rulesets.verdigris.movement.melees import leave_melee, let_go
from affray.engine.rulesets.verdigris.sheet import (
    NOBODY,
    is_able,
    is_in_play,
    is_mount,
    is_pc,
    melee_of,
    no,
)
from affray.engine.rulesets.verdigris.tables import injuries
from affray.engine.rulesets.verdigris.turns.actions import ACTIONS
from affray.events import ActionName, Clause, CombatantId, Id


@ruled_as("injury", "choose somebody's next critical injury, by its number or name", "who", "row")
class ChooseInjury(Ruling, frozen=True, kw_only=True):
    """Choose the row of a combatant's next critical injury."""

    who: CombatantId
    row: Word

    def check(self, table: Table) -> None:
        """Refuse a row that the tables do not have."""
        if self.row not in injury_keys():
            raise Unusable(f"there are {', '.join(injury_keys())}", "row", known=injury_keys())

    def decide(self, table: Table) -> Rule[None]:
        """Note the row."""
        yield marks.INJURY_ROW.noted(self.who, injury_named(self.row).name, "VER-093")


@ruled_as("stray", "say whom the next stray shot can hit", "victims")
class Stray(Ruling, frozen=True, kw_only=True):
    """Name the combatants that the next stray shot can hit; a single one needs no die."""

    victims: Annotated[tuple[CombatantId, ...], Meta(min_length=1)]

    def check(self, table: Table) -> None:
        """Refuse a combatant out of play, and one outside every melee."""
        for who in self.victims:
            if not is_in_play(table, who):
                raise no("VER-T32", f"{table.called(who)} is out of play", who)
            if melee_of(table, who) is None:
                said = f"{table.called(who)} is in no melee, and a stray shot strikes somebody of the target's melee"
                raise no("VER-049", f"{said}; rule harm {who} hurts it anyhow", who)

    def decide(self, table: Table) -> Rule[None]:
        """Note the combatants."""
        yield marks.STRAY_VICTIMS.note_list(marks.FIGHT, self.victims, "VER-049")


OUT_OF_FIGHT = ("unable", "slain", "dead")
"""Conditions that a return to the fight ends."""


@ruled_as("unable", "put somebody out of the fight alive, or back into it", "who")
class Unable(Ruling, frozen=True, kw_only=True):
    """Put a combatant out of the fight alive, or back into it."""

    who: CombatantId
    able: bool = False

    def check(self, table: Table) -> None:
        """Refuse no change, and name the condition that keeps a combatant from acting."""
        one, called = table[self.who], table.called(self.who)
        if not self.able and one.has("unable"):
            raise no("VER-090", f"{called} is out of the fight already", self.who)
        if not self.able or any(one.has(condition) for condition in OUT_OF_FIGHT):
            return
        if one.has("deaths_door"):
            raise no(
                "VER-095", f"{called} is at Death's Door; healing ends that: rule pool {self.who} hp to=1", self.who
            )
        for condition in ("unconscious", "paralysed"):
            if one.has(condition):
                said = f"{called} is {condition}, and in the fight; rule condition {self.who} {condition} 0 ends that"
                raise no("VER-T36", said, self.who)
        raise no("VER-090", f"{called} is in the fight already", self.who)

    def decide(self, table: Table) -> Rule[None]:
        """Change it.

        A combatant comes back with at least one hit point. A mount out of the fight carries no rider.
        """
        if self.able:
            if not table.pool(self.who, "hp"):
                yield pool_set(table, self.who, "hp", 1, "VER-090")
            for condition in OUT_OF_FIGHT:
                yield from condition_ended(table, self.who, condition, "VER-090")
            return
        for condition in ("slain", "dead"):
            yield from condition_ended(table, self.who, condition, "VER-090")
        yield condition_set(table, self.who, "unable", 1, "VER-090")
        yield from let_go(table, self.who, "VER-090")
        yield from conditions.lose_readied(table, self.who)
        yield from leave_melee(table, self.who, "VER-090")
        if is_mount(table, self.who):
            yield from conditions.unhorse(table, self.who)


@ruled_as("stabilize", "let somebody at Death's Door need no more saves", "who")
class Stabilize(Ruling, frozen=True, kw_only=True):
    """Let a combatant at Death's Door make no further saves."""

    who: CombatantId

    def check(self, table: Table) -> None:
        """Refuse a combatant not at Death's Door, or stable there."""
        if not table[self.who].has("deaths_door") or table[self.who].has("stable"):
            raise no("VER-097", f"{table.called(self.who)} has no saves to make", self.who)

    def decide(self, table: Table) -> Rule[None]:
        """Make the combatant stable."""
        yield condition_set(table, self.who, "stable", 1, "VER-097")


class End(fates.End, frozen=True, kw_only=True):
    """End the fight, and name the victors if any (P43)."""

    refusal: ClassVar[tuple[str, Clause]] = ("VER-T36", "VER-T36")

    def end(self, table: Table) -> Rule[None]:
        """Name the victors."""
        yield from ended(table, self.winners, "ruled", "VER-T36")


WAIVABLE: dict[str, str] = {
    "VER-015": "an action beyond the budget",
    "VER-016": "a move beyond the budget",
    "VER-018": "a way that the map does not have",
    "VER-019": "closing with somebody out of reach",
    "VER-021": "a shot without a line of sight",
    "VER-052": "aiming a melee weapon",
    "VER-065": "grappling from the saddle",
    "VER-066": "firing or reloading in the saddle",
    "VER-081": "grappling with something in hand",
    "VER-094": "acting at Death's Door",
    "VER-100": "a second thing from the belt",
    "VER-S24": "a long weapon indoors",
}
"""The refusals that a game master can waive, by clause."""


@ruled_as("allow", "waive a refusal (its clause) until the end of somebody's turn", "who", "what")
class Allow(Ruling, frozen=True, kw_only=True):
    """Waive a refusal for a combatant, until the end of its turn.

    Attributes:
        what: The clause that refuses, such as ``VER-066``.
    """

    who: CombatantId
    what: Annotated[Clause, BRIEF]

    def check(self, table: Table) -> None:
        """Refuse a clause that cannot be waived."""
        if self.what not in WAIVABLE:
            known = ", ".join(f"{clause} ({says})" for clause, says in WAIVABLE.items())
            raise Unusable(f"can be waived: {known}", "what", known=WAIVABLE)

    def decide(self, table: Table) -> Rule[None]:
        """Note the waiver."""
        yield marks.ALLOWED.noted(self.who, True, self.what, about=self.what)

    def already(self, table: Table) -> str:
        """Say that the clause is already waived."""
        return f"that is waived for {table.called(self.who)} already"


@ruled_as("forbid", "veto a kind of action of somebody's for this round", "who", "what")
class Forbid(Ruling, frozen=True, kw_only=True):
    """Veto a kind of action of a combatant for this round.

    Attributes:
        what: The action, such as ``called_shot``.
    """

    who: CombatantId
    what: Annotated[ActionName, BRIEF]

    def check(self, table: Table) -> None:
        """Refuse an unknown action, and a fight without another turn in this round."""
        must_not_be_over(table, "VER-T36")
        known = sorted(action.kind for action in ACTIONS if not action.by_gm)
        if self.what not in known:
            raise Unusable(f"there are the actions {', '.join(known)}", "what", known=known)

    def decide(self, table: Table) -> Rule[None]:
        """Note the veto."""
        yield marks.FORBIDDEN.noted(self.who, table.draft.round, about=self.what)

    def already(self, table: Table) -> str:
        """Say that the action is already vetoed."""
        return f"{self.what} is vetoed this round for {table.called(self.who)} already"


@ruled_as("grant", "give a move, an action or a use of the belt, or take it away", "who", "what", "by")
class Grant(Ruling, frozen=True, kw_only=True):
    """Give a combatant moves or actions in its turn, or take some away."""

    who: CombatantId
    what: Literal["move", "action", "belt"] = "action"
    by: Annotated[int, Meta(ge=-9, le=9)] = 1

    def check(self, table: Table) -> None:
        """Refuse a combatant who does not have the turn."""
        must_not_be_over(table, "VER-T36")
        if self.who not in table.draft.acting:
            raise no("VER-004", f"it is not the turn of {table.called(self.who)}", self.who)
        if not self.by:
            raise Unusable("say how many more, or with a minus how many fewer", "by")
        if self.by < 0 and not table.pool(self.who, self.what):
            raise no("VER-015", f"{table.called(self.who)} has no {self.what} left to take away", self.who)

    def decide(self, table: Table) -> Rule[None]:
        """Change the rest of the budget."""
        yield pool_moved(table, self.who, self.what, self.by, "VER-015")


def corrected(table: Table, who: Id) -> Rule[None]:
    """Apply what follows on a game master's correction without a die."""
    if table[who].conditions or not table.pool(who, "hp"):
        yield from _fall_or_rise(table, who)
    if not is_able(table, who) or not table[who].has("readied"):
        yield from conditions.lose_readied(table, who)
    if table[who].has("unconscious"):
        yield from conditions.drop_all(table, who, "VER-S30")
        yield from let_go(table, who, "VER-S30")
    yield from conditions.drop_excess(table, who)
    yield from _free(table, who)
    yield from _heal(table, who)


def _fall_or_rise(table: Table, who: Id) -> Rule[None]:
    """Bring a combatant to Death's Door, out of it, or to death, by its hp and wounds.

    A combatant out of play lets go of all others.
    """
    one = table[who]
    hp, wounds = table.pool(who, "hp"), table.pool(who, "wounds")
    if one.has("deaths_door") and (hp or wounds):
        yield from conditions.leave_deaths_door(table, who, "VER-095", "VER-097")
    elif not hp and is_in_play(table, who) and not one.has("unable"):
        if not is_pc(table, who):
            yield from conditions.die(table, who, "slain", "VER-090")
        elif not wounds:
            yield from conditions.come_to_deaths_door(table, who)
    if not is_in_play(table, who):
        yield from let_go(table, who)
        yield from leave_melee(table, who, "VER-031")
        yield from conditions.unhorse(table, who)


def tidied(table: Table) -> Rule[None]:
    """End the bonds that no longer hold, after a ruling."""
    yield from melees.tidied(table)
    for who in tuple(table.draft.combatants):
        yield from _free(table, who)


def _free(table: Table, who: Id) -> Rule[None]:
    """End grapples after the game master removed their last Entangled."""
    asked = table.draft.question
    if asked is None or asked.topic != "outcome":
        yield from melees.end_slack_grapples(table, who)


def _heal(table: Table, who: Id) -> Rule[None]:
    """Remove the conditions of an injury that the game master struck out."""
    one = table[who]
    if not one.conditions:
        return
    borne = one.conditions.get("injured", NOBODY)
    sources = {source for held in one.conditions.values() for source in held if source}
    for injury in sorted((sources & {row.name for row in injuries().rows}) - set(borne)):
        yield from lift_injury(table, who, injury, "VER-093")
