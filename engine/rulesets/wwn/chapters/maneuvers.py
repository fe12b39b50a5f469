"""Improvised maneuvers, settled by the game master."""

from collections.abc import Iterable
from functools import partial
from typing import Annotated, Any, ClassVar, Self

from msgspec import Meta

from affray.engine.core.actions import declared_as
from affray.engine.core.candidates import Target
from affray.engine.core.changes import change_pool, set_condition
from affray.engine.core.effects import Ask, Rule, choice
from affray.engine.core.state import Item
from affray.engine.errors import Refused
from affray.engine.kit.rulings.verdicts import ON_ATTACKS, use_up_verdicts
from affray.engine.kit.sides import are_enemies
from affray.engine.rulesets.wwn.attack.blow import build_announcement, hurt, roll_damage, strike
from affray.engine.rulesets.wwn.attack.legality import must_be_in_reach, must_be_loaded, must_fit
from affray.engine.rulesets.wwn.attack.modifiers import Blow
from affray.engine.rulesets.wwn.config import Table
from affray.engine.rulesets.wwn.gear.things import (
    find_mode,
    find_reach,
    find_usual_weapon,
    list_arms,
    list_readied,
    take_in_hand,
)
from affray.engine.rulesets.wwn.movement.board import distance
from affray.engine.rulesets.wwn.sheet import ATTRIBUTES, is_active, things_of
from affray.engine.rulesets.wwn.tables import skills
from affray.engine.rulesets.wwn.turns.acting import MainAction, has_struck, is_met
from affray.engine.rulesets.wwn.turns.rounds import deny
from affray.events import Answered, Clause, Field, Id, Modifier, Noted, Option, Words

from .checks import oppose, try_check

Text = Annotated[Words, Meta(min_length=1, max_length=200)]

EFFECTS = ("harm", "hinder", "both", "none")
"""The effects of a successful maneuver on its target."""

PAINLESS = ("hinder", "none")
"""The effects that need no weapon."""

REWARD = 2
"""The least bonus on usual damage that a good idea should earn (WWN-068)."""


@declared_as("improvise", "try something else, as the game master rules", "what", "target")
class Improvise(MainAction, frozen=True, kw_only=True):
    """Try something that no other action covers, with or without a target.

    The game master decides how it is settled.
    """

    rule: ClassVar[Clause] = "WWN-065"

    what: Text
    target: Target = ""

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in the page's order: actor, budget, a target out of the fight."""
        super().check(table, actor, manner)
        self._check_target(table, manner)

    def _check_target(self, table: Table, manner: str) -> None:
        here = self.target in table.draft.combatants
        if self.target and not is_active(table, self.target) and not (here and manner == "pending" and is_met(table)):
            raise table.refuse(self.target, "is out of the fight", "WWN-T65", "target_out")

    def check_ground(self, table: Table, actor: Id) -> None:
        """Refuse to go on without the target, or without the actor before success."""
        if not has_struck(table):
            super().check(table, actor, "pending")
        self._check_target(table, "pending")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Ask the game master, and apply the answer."""
        answer = yield from choice(partial(_build_question, table, actor, self.target))
        assert answer is not None
        if answer.choice == "refuse":
            yield change_pool(table, actor, "main", 1, "WWN-065")
            yield Noted(kind="cannot", parts={"who": actor, "why": answer.fields["why"]}, rules=("WWN-065",))
        elif answer.choice == "settled":
            parts = {"who": actor, "what": self.what, "outcome": answer.fields["outcome"]}
            yield Noted(kind="improvised", parts=parts, rules=("WWN-065",))
        elif answer.choice == "attack":
            yield from _settle_by_attack(table, actor, self.target, answer)
        else:
            yield from _settle_by_check(table, actor, self.target, answer)

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """Return a stunt, without a target and at every enemy."""
        if field == "what":
            return ("a stunt",)
        return ("", *(who for who in table.draft.combatants if are_enemies(table, actor, who)))


def _build_question(table: Table, actor: Id, target: Id) -> Ask:
    """Ask the game master how it is settled, and with what effect (WWN-065)."""
    check = (
        _build_id_field("attribute", ATTRIBUTES, optional=False),
        _build_id_field("skill", tuple(skills()), optional=False),
    )
    arms, fit_ = tuple(item.id for item in list_arms(table, actor)), _list_fit_weapons(table, actor, target)
    effect = _list_effect_fields(EFFECTS if arms else PAINLESS) if target else ()
    usual = (*((_build_id_field("weapon", arms),) if effect and arms else ()), *effect)
    options = [
        Option(choice="skill", says="is a skill check", fields=(*check, _build_int_field("difficulty", 2, 20), *usual)),
        Option(choice="settled", says="comes out like this", fields=(Field(name="outcome", kind="text"),)),
        Option(choice="refuse", says="is not possible", fields=(Field(name="why", kind="text"),)),
    ]
    if target:
        others = _build_id_field("against_attribute", ATTRIBUTES), _build_id_field("against_skill", tuple(skills()))
        pair = (*others, _build_int_field("against", -5, 20))
        options.insert(1, Option(choice="opposed", says="is an opposed check", fields=(*check, *pair, *usual)))
    if fit_ and are_enemies(table, actor, target):
        numbers = _build_int_field("by", -10, 10), _build_int_field("count", 1, 10), _build_int_field("sides", 2, 20)
        fields = (_build_id_field("weapon", fit_), *numbers, *effect)
        options.insert(0, Option(choice="attack", says="is an attack", fields=fields))
    refuses = partial(_must_be_possible, table, actor, target)
    return Ask(of=("gm",), about="maneuver", options=tuple(options), rules=("WWN-065",), refuses=refuses)


def _list_fit_weapons(table: Table, actor: Id, target: Id) -> tuple[Id, ...]:
    """Return the weapons with which a stunt could be an attack, the usual one first."""
    found = []
    for item in list_readied(table, actor) if target else ():
        try:
            _must_allow_attack(table, actor, target, item)
        except Refused:
            continue
        found.append(item.id)
    return tuple(found)


def _must_allow_attack(table: Table, actor: Id, target: Id, weapon: Item) -> None:
    """Refuse a weapon unfit for an ordinary attack.

    A melee stunt may bridge a distance.
    """
    mode = find_mode(weapon)
    must_be_loaded(weapon, mode)
    must_fit(table, actor, weapon, mode, "standard")
    if mode == "shoot":
        must_be_in_reach(table, actor, target, weapon, mode)


def _must_be_possible(table: Table, actor: Id, target: Id, answer: Answered) -> None:
    """Refuse an attack on a friend, or with a weapon that is unfit now."""
    if answer.choice != "attack" or not target:
        return
    if not are_enemies(table, actor, target):
        raise table.refuse(target, f"is no enemy of {table.name_of(actor)}", "WWN-T65", "not_an_enemy")
    weapon = table.draft.items.get(str(answer.fields.get("weapon")))
    if weapon is not None and weapon.id in things_of(table, actor).arms:
        _must_allow_attack(table, actor, target, weapon)


def _build_id_field(name: str, among: tuple[str, ...], *, optional: bool = True) -> Field:
    return Field(name=name, kind="id", among=among, optional=optional)


def _build_int_field(name: str, low: int, high: int) -> Field:
    return Field(name=name, kind="int", low=low, high=high, optional=True)


def _list_effect_fields(effects: tuple[str, ...]) -> tuple[Field, ...]:
    condition = Field(name="condition", kind="text", optional=True)
    return (
        _build_id_field("effect", effects),
        _build_int_field("bonus", 0, 20),
        _build_id_field("deny", ("move", "main")),
        condition,
    )


def _settle_by_attack(table: Table, actor: Id, target: Id, answer: Answered) -> Rule[None]:
    """Settle it by an attack roll, with a weapon or an improvised one (WWN-066)."""
    fields = answer.fields
    effect = str(fields.get("effect") or "harm")
    weapon = table.item(str(fields.get("weapon") or _list_fit_weapons(table, actor, target)[0]))
    sides, by = _read_int(fields.get("sides")), _read_int(fields.get("by"))
    bonus = yield from _grant_reward(effect, _read_int(fields.get("bonus")))
    mode = "melee" if sides else find_mode(weapon)
    blow = Blow(
        target,
        weapon.id,
        mode,
        extra=(Modifier(value=by, label="ruling", source="gm", rule="WWN-066"),) if by else (),
        bonus=bonus,
        dice=(_read_int(fields.get("count")) or 1, sides) if sides else None,
        harmless=effect in PAINLESS,
        shocks=distance(table, actor, target) <= find_reach(table, weapon),
        rules=("WWN-066",),
    )
    if weapon.where == "readied" and not sides:
        yield from take_in_hand(table, actor, weapon.id, "WWN-T14")
    if table.config.announce_ac:
        yield build_announcement(table, actor, blow)
    if (yield from strike(table, actor, blow)):
        yield from _hinder(table, target, effect, answer)


def _settle_by_check(table: Table, actor: Id, target: Id, answer: Answered) -> Rule[None]:
    """Settle it by a skill check or an opposed check (WWN-067)."""
    fields = answer.fields
    pair = (str(fields["attribute"]), str(fields["skill"]))
    if answer.choice == "opposed":
        other = (str(fields.get("against_attribute") or "str"), str(fields.get("against_skill") or "exert"))
        bonus = _read_int(fields.get("against"))
        worked = yield from oppose(table, actor, pair, target, other, "WWN-067", resisting=target, bonus=bonus)
    else:
        ruled = _read_int(fields.get("difficulty"))
        difficulty = table.config.skill_difficulty if ruled is None else ruled
        worked = yield from try_check(table, actor, *pair, "WWN-067", difficulty=lambda: difficulty)
    if not (worked and target):
        return
    effect = str(fields.get("effect") or "none")
    if effect in ("harm", "both"):
        bonus_terms = yield from _grant_reward(effect, _read_int(fields.get("bonus")))
        yield from _do_usual_damage(table, actor, target, str(fields.get("weapon") or ""), bonus_terms)
    yield from _hinder(table, target, effect, answer)


def _read_int(value: object) -> int | None:
    return value if isinstance(value, int) else None


def _grant_reward(effect: str, ruled: int | None) -> Rule[tuple[Modifier, ...]]:
    """Return the damage bonus of a good idea; warn if it is small (WWN-068, WWN-070)."""
    if effect not in ("harm", "both"):
        return ()
    bonus = ruled if ruled is not None else REWARD if effect == "harm" else 0
    if effect == "harm" and bonus < REWARD:
        yield Noted(kind="low_bonus", parts={"least": REWARD}, rules=("WWN-068",))
    rule: Clause = "WWN-068" if effect == "harm" else "WWN-070"
    return (Modifier(value=bonus, label="maneuver", source="gm", rule=rule),) if bonus else ()


def _do_usual_damage(table: Table, actor: Id, target: Id, named: Id, bonus: tuple[Modifier, ...]) -> Rule[None]:
    """Deal the damage of the usual weapon, or of the named one, without Shock."""
    weapon = table.item(named) if named else find_usual_weapon(table, actor, "")
    if weapon is not None:
        blow = Blow(target, weapon.id, find_mode(weapon), bonus=bonus)
        terms = yield from roll_damage(table, actor, blow)
        if terms:
            yield from hurt(table, blow, terms, "WWN-025", "WWN-068")
        else:
            yield from use_up_verdicts(table, actor, ON_ATTACKS, "WWN-T78")


def _hinder(table: Table, target: Id, effect: str, answer: Answered) -> Rule[None]:
    """Deny the target's next Main or Move Action, or give it a condition."""
    if not is_active(table, target):
        return
    if effect in ("hinder", "both"):
        rules: tuple[Clause, ...] = ("WWN-069",) if effect == "hinder" else ("WWN-069", "WWN-070")
        yield from deny(table, target, str(answer.fields.get("deny") or "move"), *rules)
    condition = answer.fields.get("condition")
    if condition and not table[target].has(str(condition)):
        yield set_condition(table, target, str(condition), 1, "WWN-065")
