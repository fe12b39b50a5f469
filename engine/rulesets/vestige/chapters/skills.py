"""Skills, disciplines, and unlisted actions (VES-011 to VES-019, VES-G03)."""

from collections.abc import Iterable
from typing import Any, Self

from msgspec.structs import replace

from affray.engine.core.actions import Action, declared_as
from affray.engine.core.candidates import Target
from affray.engine.core.effects import Ask, Rule, choice
from affray.engine.core.state import Item
from affray.engine.errors import Refused, Unusable
from affray.engine.rulesets.vestige.attack import Ep, must_afford_ep, must_be_strikable, strike
from affray.engine.rulesets.vestige.config import Table
from affray.engine.rulesets.vestige.gear import find_weapon_in_hand, must_be_loaded
from affray.engine.rulesets.vestige.marks import ALLOWED
from affray.engine.rulesets.vestige.movement.moving import Steps
from affray.engine.rulesets.vestige.sheet import (
    find_allowed_target,
    list_needed_types,
    list_permissions,
    list_targets,
    weapon_type,
)
from affray.engine.rulesets.vestige.turns.economy import must_afford, spend
from affray.events import Clause, Field, Id, Noted, Option, OptionName, StatName


def find_skill(table: Table, who: Id, skill: Id) -> Item:
    """Return a skill that a combatant has learnt, singly or by a discipline (VES-018).

    Raises:
        Refused: The combatant has not learnt the skill.
    """
    found = table.draft.items.get(f"{who}.{skill}")
    if found is None or found.kind != "skill" or found.owner != who:
        raise table.refuse(who, f"has not learnt {skill}", "VES-018", "unknown_skill", f"{who}.{skill}")
    return found


def list_attack_skills(table: Table, who: Id) -> list[Id]:
    """Return the attack skills of a combatant, as an action names them."""
    known = (item for item in table.items_of(who) if item.kind == "skill" and "attack" in item.traits)
    return [item.id.removeprefix(f"{who}.") for item in known]


@declared_as("skill", "use a skill or discipline", "skill", "target")
class Skill(Steps, frozen=True, kw_only=True):
    """Use a learnt skill: an attack, a movement, or an effect for the game master.

    Attributes:
        skill: Its id, such as ``lunge``.
        target: The target of a skill that attacks.
        ep: Energy spent on accuracy, besides the skill's cost.
        to, path, metres, difficult: The way of a skill that moves, as in ``Move``.
    """

    skill: StatName
    target: Target = ""
    ep: Ep = 0

    @classmethod
    def is_for(cls, table: Table, actor: Id) -> bool:
        """Offer it to a combatant that has learnt a skill."""
        return any(item.kind == "skill" for item in table.items_of(actor))

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in rulebook order: budget, ep and ammunition, weapon and skill, effect."""
        must_afford(table, actor, manner, self.kind)
        known = table.draft.items.get(f"{actor}.{self.skill}")
        weapon = find_weapon_in_hand(table, actor)
        if known is not None and known.kind == "skill":
            if manner != "pending":
                must_afford_ep(table, actor, self.ep, known.counters["cost"])
            if "attack" in known.traits and "spares ammunition" not in known.traits:
                must_be_loaded(weapon, "VES-029")
        skill = find_skill(table, actor, self.skill)
        self._must_hold_weapon(actor, weapon, skill)
        if manner != "pending":
            self._must_fit(skill)
        if "attack" in skill.traits:
            must_be_strikable(table, actor, self.target, weapon, skill)
        elif "move" in skill.traits:
            self.check_steps(table, actor, skill.stats["metres"])

    def _must_hold_weapon(self, actor: Id, weapon: Item, skill: Item) -> None:
        """Refuse a skill that needs another type of weapon (VES-013)."""
        needs = list_needed_types(skill)
        if needs and weapon_type(weapon) not in needs:
            message = f"{skill.quoted_name} needs a {' or '.join(needs)}"
            raise Refused("wrong_weapon_type", "VES-013", message, source=weapon.id)

    def _must_fit(self, skill: Item) -> None:
        """Refuse a field that the skill's effect lacks or does not use."""
        attacks, moves = "attack" in skill.traits, "move" in skill.traits
        if attacks and not self.target:
            raise Unusable(f"say at whom {skill.quoted_name} is aimed", "target")
        if self.ep and not attacks:
            raise Unusable(f"{skill.quoted_name} is no attack, and energy is spent on accuracy alone", "ep")
        if self.target and moves:
            raise Unusable(f"{skill.quoted_name} is aimed at nobody", "target")
        if not moves and (self.to or self.path or self.metres or self.difficult or self.is_relative):
            raise Unusable(f"{skill.quoted_name} takes nobody anywhere", "to")

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Take the action or token, the skill's cost, and the ep for accuracy (VES-016)."""
        skill = find_skill(table, actor, self.skill)
        rules = ("VES-016", "VES-T14", "VES-019") if "cost by default" in skill.traits else ("VES-016", "VES-T14")
        if "by discipline" in skill.traits:
            rules = (*rules, "VES-018", "VES-T15")
        if self.ep:
            rules = (*rules, "VES-025")
        yield from spend(table, actor, manner, self.kind, skill.counters["cost"] + self.ep, *rules)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Resolve the skill's own effect (VES-012, VES-017)."""
        skill = find_skill(table, actor, self.skill)
        if "attack" in skill.traits:
            yield from strike(table, actor, self.target, self.ep, skill, "VES-012", "VES-017")
        elif "move" in skill.traits:
            yield from self.go(table, actor, skill.stats["metres"], "provokes" in skill.traits, "VES-012", "VES-017")
        else:
            note = Noted(kind="used", parts={"who": actor, "what": skill.id})
            yield from let_gm_settle(note, f"{actor} uses {skill.name}", "VES-012", "VES-017")

    def tags(self, table: Table, actor: Id) -> tuple[str, ...]:
        """Return the initiative tag if the skill has it (VES-T05)."""
        return ("initiative",) if "initiative" in find_skill(table, actor, self.skill).traits else ()

    @classmethod
    def reach(cls, table: Table, actor: Id, so_far: Self) -> int:
        """Return how many metres the skill moves the actor."""
        skill = find_skill(table, actor, so_far.skill)
        return skill.stats["metres"] if "move" in skill.traits else 0

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """List the learnt skills; for an attack, its targets and the energy left."""
        if field == "skill":
            own = f"{actor}."
            known = (item.id for item in table.items_of(actor) if item.kind == "skill")
            return [item.removeprefix(own) for item in known if item.startswith(own)]
        skill = find_skill(table, actor, so_far.skill)
        if field == "target" and "attack" in skill.traits:
            return list_targets(table, actor)
        if field == "ep" and "attack" in skill.traits:
            return range(max(0, table.pool(actor, "ep") - skill.counters["cost"]) + 1)
        return super().values(table, actor, manner, field, so_far)


def let_gm_settle(note: Noted, what: str, *rules: Clause) -> Rule[None]:
    """Ask the game master for the outcome of an action that the rules leave open.

    Args:
        note: The note of the action, without its outcome.
        what: The action in words, for the question.
        rules: The clauses that leave it open.
    """
    outcome = Field(name="outcome", kind="text")
    options = (Option(choice="settled", says=f"{what}: say what comes of it, and rule its effects", fields=(outcome,)),)
    asked = Ask(of=("gm",), about="outcome", options=options, rules=rules)
    answer = yield from choice(lambda: asked)
    assert answer is not None
    yield replace(note, parts={**note.parts, "outcome": answer.fields["outcome"]}, rules=rules)


def list_improvisable(table: Table, who: Id) -> dict[str, str]:
    """Return the non-attack permissions of a combatant by the numbers of their notes."""
    allowed = list_permissions(table, who).items()
    return {number: what for number, what in allowed if not find_allowed_target(table, what)}


@declared_as("improvise", "do something else that the game master allowed", "what", throughout=True)
class Improvise(Action, frozen=True, kw_only=True):
    """Take an unlisted action that the game master permitted.

    Attributes:
        what: The action, in the game master's exact words, so it cannot be guessed.
    """

    what: OptionName

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse an action that no ruling permitted (VES-G03)."""
        must_afford(table, actor, manner, self.kind)
        if manner != "pending" and self.what not in list_improvisable(table, actor).values():
            message = f"{self.what} is no standard action, and the game master has not allowed it"
            raise Refused("not_a_standard_action", "VES-011", message, source=actor)

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Take the action and use up one permission."""
        yield from spend(table, actor, manner, self.kind)
        number = next(number for number, what in list_improvisable(table, actor).items() if what == self.what)
        yield ALLOWED.clear_on(actor, "VES-G03", about=number)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Ask the game master for the outcome."""
        note = Noted(kind="improvised", parts={"who": actor, "what": self.what})
        yield from let_gm_settle(note, f"{actor}: {self.what}", "VES-G03")

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """List the permitted actions."""
        return dict.fromkeys(list_improvisable(table, actor).values())
