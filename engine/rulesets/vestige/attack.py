"""Attacks (VES-020 to VES-030, VES-038)."""

from collections.abc import Iterable
from functools import partial
from typing import Annotated, Self

from msgspec import Meta
from msgspec.structs import replace

from affray.engine.core.actions import Action, declared_as
from affray.engine.core.candidates import Among, Target
from affray.engine.core.changes import set_item_counter
from affray.engine.core.effects import Roll, Rule, throw
from affray.engine.core.state import Item
from affray.engine.errors import Refused
from affray.engine.kit.modifiers import list_granted, use_up_granted
from affray.engine.kit.rulings.verdicts import (
    ON_ATTACKS,
    decide_attack,
    is_under_any_verdict,
    overrule,
    use_up_verdicts,
)
from affray.engine.kit.sheets import sheet_modifier, stat
from affray.engine.kit.sides import are_enemies
from affray.events import Clause, Dice, Id, ItemId, Judged, Modifier

from .config import Table
from .gear import find_weapon_in_hand, must_be_in_hand, must_be_loaded
from .harm import wound
from .marks import ALLOWED
from .movement.board import must_be_in_reach, must_be_in_sight
from .sheet import can_be_loaded, find_permitted_attack, list_targets, must_be_enemy
from .turns.economy import is_yet_to_happen, must_afford, must_have_ep, spend

D20 = (Dice(count=1, sides=20, kind="attack"),)

Ep = Annotated[int, Meta(ge=0)]

PLAIN = Item(id="", name="basic attack", kind="skill")
"""The skill of a basic attack: one that changes no number."""


def must_afford_ep(table: Table, actor: Id, ep: int, cost: int) -> None:
    """Refuse more ep than the pool or the configuration allows (VES-014, VES-025)."""
    cap = table.config.accuracy_ep_cap
    if 0 <= cap < ep:
        raise Refused("too_much_ep", "VES-T08", f"at most {cap} energy may go into an attack", "config.accuracy_ep_cap")
    if cost:
        must_have_ep(table, actor, cost, "VES-014")
    if ep:
        must_have_ep(table, actor, cost + ep, "VES-025")


def must_be_strikable(table: Table, actor: Id, target: Id, weapon: Item, skill: Item) -> None:
    """Refuse in rulebook order: a target that is no enemy, out of range, or hidden.

    By VES-020, VES-021 and VES-022.
    """
    must_be_enemy(table, actor, target, "VES-020")
    must_be_in_reach(table, actor, target, skill.stats.get("range", weapon.stats["range"]), "VES-021")
    must_be_in_sight(table, actor, target, "VES-022")


def accuracy(table: Table, actor: Id, weapon: Item, skill: Item, ep: int) -> tuple[Modifier, ...]:
    """List the modifiers of an attack roll: sheet, weapon, skill and energy (VES-T07, VES-T08)."""
    terms = [sheet_modifier(actor, "accuracy", stat(table, actor, "accuracy"), "VES-T07")]
    terms += _list_item_modifiers("accuracy", weapon, skill, "VES-T07")
    if ep:
        bought = ep * table.config.accuracy_per_ep
        terms.append(Modifier(value=bought, label=f"{ep} ep", source=f"{actor}.ep", rule="VES-T08"))
    return tuple(terms)


def _list_item_modifiers(name: str, weapon: Item, skill: Item, rule: Clause) -> list[Modifier]:
    """List the modifiers that a weapon and a skill give to a number."""
    bonuses = [(item, item.stats.get(name, 0)) for item in (weapon, skill)]
    return [Modifier(value=bonus, label=item.name, source=item.id, rule=rule) for item, bonus in bonuses if bonus]


def might(table: Table, actor: Id, weapon: Item, skill: Item) -> tuple[Modifier, ...]:
    """List the terms of a hit's damage before protection (VES-027, VES-T10)."""
    terms = [sheet_modifier(actor, "might", stat(table, actor, "might"), "VES-027")]
    terms += _list_item_modifiers("might", weapon, skill, "VES-T10")
    least = weapon.stats.get("might_min", 0)
    base = sum_bonus(table, actor, "might", weapon, skill)
    if base < least:
        terms.append(Modifier(value=least - base, label=f"at least {least}", source=weapon.id, rule="VES-T10"))
    return tuple(terms)


def sum_might(table: Table, actor: Id, weapon: Item, skill: Item) -> int:
    """Return the sum of the terms of ``might``."""
    return max(sum_bonus(table, actor, "might", weapon, skill), weapon.stats.get("might_min", 0))


def sum_bonus(table: Table, actor: Id, name: str, weapon: Item, skill: Item) -> int:
    """Return ``accuracy`` or ``might`` of actor, weapon and skill together."""
    return stat(table, actor, name) + weapon.stats.get(name, 0) + skill.stats.get(name, 0)


def strike(table: Table, actor: Id, target: Id, ep: int, skill: Item, *rules: Clause) -> Rule[None]:
    """Roll the attack, use up the shot, and wound on a hit (VES-026, VES-029, VES-038, VES-T09, VES-T40)."""
    roll = yield from throw(partial(_build_attack_roll, table, actor, target, ep, skill, rules))
    assert roll is not None
    yield from use_up_granted(table, actor)
    if not are_enemies(table, actor, target) and (number := find_permitted_attack(table, actor, target)):
        yield ALLOWED.clear_on(actor, "VES-020", "VES-T46", about=number)
    weapon = find_weapon_in_hand(table, actor)
    if can_be_loaded(weapon) and "spares ammunition" not in skill.traits:
        yield set_item_counter(table, weapon.id, "loaded", 0, "VES-029", "VES-038", "VES-T40")
    margin = roll.total - stat(table, target, "agility")
    hits = margin >= 0
    judged = Judged(roll=roll.roll, outcome="hit" if hits else "miss", margin=margin, rules=("VES-026", "VES-T09"))
    if is_under_any_verdict(table, actor):
        hits, _ = decide_attack(table, actor, hits)
        judged = overrule(judged, "hit" if hits else "miss", "VES-T54")
    yield judged
    yield from use_up_verdicts(table, actor, ON_ATTACKS, "VES-T54")
    if hits:
        yield from wound(table, target, might(table, actor, weapon, skill), "VES-027")


def _build_attack_roll(table: Table, actor: Id, target: Id, ep: int, skill: Item, rules: tuple[Clause, ...]) -> Roll:
    """Return the attack roll: one d20, its modifiers and the agility to reach (VES-023, VES-024)."""
    return Roll(
        dice=D20,
        purpose="attack",
        by=actor,
        modifiers=(
            *accuracy(table, actor, find_weapon_in_hand(table, actor), skill, ep),
            *list_granted(table, actor, "VES-T07"),
        ),
        against=stat(table, target, "agility"),
        rules=(*rules, "VES-023", "VES-024"),
    )


def find_base_cost(table: Table, manner: str) -> int:
    """Return the base ep of an attack: 0, or 1 for a provoked attack that is not free (VES-T22)."""
    return 1 if manner == "provoked" and not table.config.provoked_free else 0


def list_ep_amounts(table: Table, actor: Id) -> Iterable[int]:
    """List every amount of energy that a combatant can spend."""
    return range(table.pool(actor, "ep") + 1)


@declared_as("attack", "strike an enemy in range", "target", "weapon")
class Attack(Action, frozen=True, kw_only=True):
    """Strike an enemy in range with one d20: the basic attack, with the weapon in hand.

    Attributes:
        ep: Energy spent on accuracy.
    """

    target: Annotated[Target, Among(list_targets)]
    weapon: ItemId = ""
    ep: Annotated[Ep, Among(list_ep_amounts)] = 0

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in rulebook order: budget, ep and ammunition, weapon, target, range, sight."""
        must_afford(table, actor, manner, self.kind)
        if manner != "pending":
            must_afford_ep(table, actor, self.ep, find_base_cost(table, manner))
        weapon = find_weapon_in_hand(table, actor)
        must_be_loaded(weapon, "VES-029")
        must_be_in_hand(table, actor, weapon, self.weapon)
        must_be_strikable(table, actor, self.target, weapon, PLAIN)

    def fix_choices(self, table: Table, actor: Id) -> Self:
        """Fix the weapon to the one in hand at the declaration."""
        return replace(self, weapon=find_weapon_in_hand(table, actor).id)

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Take the action or token, and the ep for accuracy."""
        cost = find_base_cost(table, manner)
        rules = (*(("VES-T22",) if cost else ()), *(("VES-025",) if self.ep else ()))
        yield from spend(table, actor, manner, self.kind, self.ep + cost, *rules)

    def check_ground(self, table: Table, actor: Id) -> None:
        """Refuse an attack that is no longer possible, as long as its die has not fallen."""
        if is_yet_to_happen(table):
            self.check(table, actor, "pending")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Make the basic attack (VES-T17)."""
        yield from strike(table, actor, self.target, self.ep, PLAIN, "VES-T17")
