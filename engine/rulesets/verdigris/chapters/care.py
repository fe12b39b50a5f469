"""Healing, and calming down."""

from collections.abc import Iterable
from functools import partial
from typing import Annotated, Any, Literal, Self

from affray.engine.core.actions import declared_as
from affray.engine.core.candidates import EACH, Among, Target
from affray.engine.core.changes import change_pool, set_condition, set_pool
from affray.engine.core.effects import Rule
from affray.engine.core.state import Combatant
from affray.engine.kit.sheets import is_pc
from affray.engine.rulesets.verdigris import marks
from affray.engine.rulesets.verdigris.attack.attacks import begin_action
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.harm.conditions import lessen
from affray.engine.rulesets.verdigris.harm.injuries import LIMITS, list_deadly_injuries, stop_clocks
from affray.engine.rulesets.verdigris.sheet import is_in_play, least_stress, must_have_background, refusal_by
from affray.engine.rulesets.verdigris.turns.order import Deed, done_for
from affray.events import Clause, CombatantId, Id

from .panic import try_test


def must_be_beside(table: Table, actor: Id, patient: Id, rule: str) -> None:
    """Refuse a patient who is absent, out of play, or in another zone."""
    if not is_in_play(table, patient):
        table[patient]
        raise refusal_by(rule, f"nobody can help {table.name_of(patient)} any more", patient)
    if table[patient].place != table[actor].place:
        raise table.refuse(patient, "is in another zone", rule)


def list_own_side(table: Table, actor: Id) -> list[Combatant]:
    """Return all combatants on the actor's side, the actor included."""
    side = table[actor].side
    return [one for one in table.draft.combatants.values() if one.side == side]


def list_ailing(table: Table, actor: Id) -> list[Id]:
    """Return the combatants of the actor's side and zone who bear a condition."""
    return [one.id for one in list_own_side(table, actor) if one.conditions and one.place == table[actor].place]


@declared_as("heal", "treat Death's Door, injuries, bleeding, poison or the unconscious", "patient", "cures")
@done_for("action", "VER-S30", paid_by=())
class Heal(Deed, frozen=True, kw_only=True):
    """Treat a patient: an Agility and Healing test, for the action (table 5.4, table 5.5).

    Attributes:
        patient: The combatant to treat; by default the actor.
        cures: The ailment to treat: Death's Door, deadly injuries, bleeding, poison or unconsciousness.
        background: Whether the background fits (VER-S01).
    """

    patient: Annotated[Target, Among(list_ailing)] = ""
    cures: Annotated[Literal["deaths_door", "injuries", "bleeding", "poisoned", "unconscious"], EACH] = "injuries"
    background: bool = False

    def clause(self) -> Clause:
        """Return the clause about the treated ailment."""
        return {"deaths_door": "VER-097", "injuries": "VER-093"}.get(self.cures, self.rule)

    def must_fit(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in the page's order: the patient, the ailment."""
        must_have_background(table, actor, self.background)
        rule = {"deaths_door": "VER-097", "injuries": "VER-T31"}.get(self.cures, "VER-T30")
        patient = self.patient or actor
        must_be_beside(table, actor, patient, rule)
        one = table[patient]
        ails = {
            "deaths_door": one.has("deaths_door") and not one.has("stable") and patient != actor,
            "injuries": bool(list_deadly_injuries(table, patient)),
        }
        if not ails.get(self.cures, one.has(self.cures)):
            raise refusal_by(rule, f"{table.name_of(actor)} cannot treat {table.name_of(patient)} for that", patient)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Test; the ailment decides the effect of each SL."""
        if not (yield from begin_action(table, self, actor)):
            return
        rule = self.clause()
        ground = partial(self.check, table, actor, "pending")
        of = ("agility", "healing")
        outcome = yield from try_test(table, actor, "heal", *of, rule, ground=ground, fits=self.background)
        patient = self.patient or actor
        if outcome.sl < 1 or not is_in_play(table, patient):
            return
        yield marks.TENDED.set_on(patient, True, rule)
        if self.cures == "deaths_door":
            yield set_condition(table, patient, "stable", 1, rule)
        elif self.cures == "injuries":
            for injury in list_deadly_injuries(table, patient)[: outcome.sl]:
                yield from stop_clocks(table, patient, injury, rule, kinds=LIMITS)
        else:
            yield from lessen(table, patient, self.cures, outcome.sl, rule)


@declared_as("calm", "calm down, or calm a friend", "patient")
@done_for("action", "VER-S14")
class Calm(Deed, frozen=True, kw_only=True):
    """Lose stress: by Intelligence, by a friend's Leadership, or by a cool head.

    Attributes:
        patient: The friend to calm; by default the actor.
        coolheaded: Whether a cool head does it at once, once a session.
    """

    patient: CombatantId = ""
    coolheaded: bool = False
    background: bool = False

    def costs(self, table: Table, actor: Id) -> str:
        """Return the cost: the action, or nothing with a cool head."""
        return "free" if self.coolheaded else "action"

    def must_fit(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in the page's order: the talent, a patient without stress."""
        patient = self.patient or actor
        if self.coolheaded and (patient != actor or (manner != "pending" and not table.pool(actor, "coolheaded"))):
            raise table.refuse(actor, "has no cool head left this session", "VER-S14", source=f"{actor}.coolheaded")
        must_have_background(table, actor, self.background)
        must_be_beside(table, actor, patient, "VER-S14")
        if not is_pc(table, patient):
            raise table.refuse(patient, "knows no stress", "VER-S06")
        if table.pool(patient, "stress") <= least_stress(table, patient):
            raise refusal_by("VER-S14", f"{table.name_of(patient)} is calm", f"{patient}.stress")

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Spend the action, or the cool head."""
        yield from super().pay(table, actor, manner)
        if self.coolheaded:
            yield change_pool(table, actor, "coolheaded", -1, "VER-S14", "VER-T29")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Test, and lose the stress (VER-S14)."""
        patient = self.patient or actor
        if not self.coolheaded:
            if not (yield from begin_action(table, self, actor)):
                return
            of = ("intelligence", "") if patient == actor else ("charisma", "leadership")
            ground = partial(self.check, table, actor, "pending")
            outcome = yield from try_test(table, actor, "calm", *of, "VER-S14", ground=ground, fits=self.background)
            if outcome.sl < 1:
                return
        yield set_pool(table, patient, "stress", least_stress(table, patient), "VER-S14")

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """Return the actor and every friend with stress; a cool head calms only the actor."""
        match field:
            case "patient":
                stressed = [one.id for one in list_own_side(table, actor) if one.pools.get("stress")]
                return [*stressed, ""] if table.pool(actor, "coolheaded") else stressed
            case "coolheaded":
                return (not so_far.patient,)
            case _:
                return super().values(table, actor, manner, field, so_far)
