"""The preview of an action: chances, damage, wounds and wear."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cache, partial
from math import prod
from typing import NamedTuple

from affray.engine.core.actions import Action
from affray.engine.core.preview import NOTHING_KNOWN, Prospect
from affray.engine.kit.odds import (
    Distribution,
    chain_rolls,
    combine,
    die,
    find_chance_at_least,
    highest_of,
    lowest_of,
    make_certain,
    take_highest,
)
from affray.engine.kit.preview import format_percent, round_chance, summarise_harm
from affray.engine.kit.sides import are_enemies
from affray.events import Dice, Id

from .attack.blows import read_ruled_dice
from .attack.defence import cite_unanswered
from .attack.engage import Engage
from .attack.foe_attacks import Attack
from .attack.shots import Fire, find_volley, list_hindrances
from .attack.testing import SETBACK, SUCCESS, AbilityAction, Support, list_help_dice, list_ruled_modifiers
from .config import Config, Table
from .gear import pieces
from .movement.melee import is_adjacent, is_engaged, is_engaged_with
from .movement.moving import Move, list_reachable
from .odds import HitEffect, wound_by_face
from .sheet import can_test, find_ability, find_better_ability, hinder_size, is_active


def moves_to_help(table: Table, helper: Id, whom: Id) -> int | None:
    """Count the moves, 0 or 1, that a combatant needs to get within reach of a companion (WYR-069)."""
    if not is_active(table, helper) or are_enemies(table, helper, whom):
        return None
    if is_adjacent(table, helper, whom):
        return 0
    here, there = table[helper].place, table[whom].place
    near = here == there or there in list_reachable(table, helper)
    return 1 if near and not is_engaged(table, helper) else None


class Part(NamedTuple):
    """Dice of one size that show one counting face."""

    times: int
    sides: int
    keep: str = ""


def prospect(table: Table, actor: Id, action: Action, manner: str) -> Prospect:
    """Preview a declaration: a blow or shot by all its dice, or a way out of a melee."""
    match action:
        case Engage():
            arms = action.find_weapons(table, actor)
            return _preview_test(table, actor, action.target, action, arms, shot=False)
        case Fire():
            arms = pieces.choose_weapons(table, actor, action.weapon, shot=True, rule="WYR-050")
            return _preview_test(table, actor, action.target, action, arms, shot=True)
        case Attack():
            return _preview_announced(table, actor, action)
        case Move():
            return _preview_move(table, actor, action)
        case _:
            return NOTHING_KNOWN


def _preview_test(
    table: Table, actor: Id, target: Id, action: AbilityAction, arms: tuple[Id, ...], *, shot: bool
) -> Prospect:
    """Preview a test: the target is hit by the weapon face, or the tester by the answer."""
    weapons = pieces.list_weapon_dice(table, actor, arms)
    other = pieces.list_ammunition_dice(table, actor) if shot else ()
    own = _build_ability_die(table, actor, target, action, shot=shot)
    help_ = list_help_dice(
        table, own.item.rpartition(".")[2], list_ruled_modifiers(table, actor), Support(action.helper, action.push)
    )
    if not is_active(table, target):
        effects = _hit_effects(table, target, _blow_damage(table, actor, arms, weapons), shot=shot)
        return Prospect(chance=1.0, harm=summarise_harm(_remaining(effects)), says=_describe_wounds(effects))
    need = SETBACK if table.config.setback_hits else SUCCESS
    chance, faces = _test_chances(_make_parts(weapons), _make_parts((own, *other, *help_)), need)
    damage = faces if weapons else _blow_damage(table, actor, arms, ())
    effects = _hit_effects(table, target, damage, shot=shot)
    says = f"{_describe_wounds(effects)}; {_describe_wear((own, *weapons, *other))}"
    back = _answer_damage(table, actor, target, shot=shot)
    if back is None or chance == 1:
        return Prospect(chance=round_chance(chance), harm=summarise_harm(_remaining(effects)), says=says)
    suffers = summarise_harm(_remaining(_hit_effects(table, actor, back, shot=shot)))
    return Prospect(
        chance=round_chance(chance),
        harm=summarise_harm(_remaining(effects)),
        risk=round_chance(1 - chance),
        suffers=suffers,
        says=says,
    )


def _build_ability_die(table: Table, actor: Id, target: Id, action: AbilityAction, *, shot: bool) -> Dice:
    """Return the die of the ability that is tested, after its hindrances."""
    name = action.ability or ("grace" if shot else find_better_ability(table, actor))
    own = find_ability(table, actor, name)
    found = (*list_ruled_modifiers(table, actor), *(list_hindrances(table, actor, target) if shot else ()))
    by = -sum(one.value for one in found if one.value < 0)
    return Dice(count=1, sides=hinder_size(table.config, own.die, by) if by else own.die, kind="ability", item=own.id)


def _answer_damage(table: Table, actor: Id, target: Id, *, shot: bool) -> Distribution[int] | None:
    """Return the damage of the blow or volley that answers a failed test, or nothing."""
    volley = find_volley(table, actor, target) if shot else None
    used = pieces.list_ready_weapons(table, target, shot=False) if not shot else [volley] if volley is not None else []
    arms = tuple([one.id for one in used])
    if not arms:
        return None
    dice = read_ruled_dice(table, target) or pieces.list_weapon_dice(table, target, arms)
    return _blow_damage(table, target, arms, dice)


def _preview_announced(table: Table, actor: Id, action: Attack) -> Prospect:
    """Preview a foe's announced blow, which the target may avert."""
    shot = action.is_shot(table, actor)
    rule = "WYR-050" if shot else "WYR-G01"
    arms = pieces.choose_weapons(table, actor, action.weapon, action.off, shot=shot, rule=rule)
    dice = read_ruled_dice(table, actor) or pieces.list_weapon_dice(table, actor, arms)
    effects = _hit_effects(table, action.target, _blow_damage(table, actor, arms, dice), shot=shot)
    if cite_unanswered(table, action.target):
        return Prospect(chance=1.0, harm=summarise_harm(_remaining(effects)), says=_describe_wounds(effects))
    answers = "the target answers, and its test decides" if can_test(table, action.target) else "who rolls is asked"
    return Prospect(
        harm=summarise_harm(_remaining(effects)), unknown=("chance",), says=f"{answers}; {_describe_wounds(effects)}"
    )


def _preview_move(table: Table, actor: Id, action: Move) -> Prospect:
    """Preview a move: its destination, and what leaving a melee takes."""
    to = action.to or table[actor].place
    if not is_engaged(table, actor) or is_engaged_with(table, actor, action.contact):
        return Prospect(to=to)
    match table.config.leave_melee:
        case "free":
            return Prospect(to=to, says="leaving the melee takes no test")
        case "test":
            own = find_ability(table, actor, action.ability or find_better_ability(table, actor))
            need = SETBACK if table.config.setback_hits else SUCCESS
            gets_away = find_chance_at_least(die(own.die), need)
            return Prospect(to=to, chance=round_chance(gets_away), says="leaving the melee takes a test")
        case _:
            return Prospect(to=to, unknown=("chance",), says="the game master says what leaving the melee takes")


# --- dice ---


def _make_parts(dice: Iterable[Dice]) -> tuple[Part, ...]:
    return tuple([Part(one.count, one.sides, one.keep) for one in dice])


def _counting_face(part: Part) -> Distribution[int]:
    """Return the face that counts: the highest, unless the lowest is kept."""
    return (lowest_of if part.keep == "lowest" else highest_of)(part.times, part.sides)


@cache
def _test_chances(weapons: tuple[Part, ...], others: tuple[Part, ...], need: int) -> tuple[Fraction, Distribution[int]]:
    """Return the chance that a test succeeds, and the highest weapon face if it does."""
    rest = find_chance_at_least(take_highest(*map(_counting_face, others)), need)
    faces = take_highest(*map(_counting_face, weapons))
    worked = {face: weight * (1 if face >= need else rest) for face, weight in faces.items()}
    chance = sum(worked.values(), Fraction(0))
    return chance, {face: weight / chance for face, weight in worked.items() if weight} if chance else make_certain(0)


def _blow_damage(table: Table, who: Id, arms: tuple[Id, ...], dice: tuple[Dice, ...]) -> Distribution[int]:
    """Return the damage of a blow without a test, by weapon dice or bare hands."""
    return (
        take_highest(*map(_counting_face, _make_parts(dice)))
        if dice
        else make_certain(table.item(arms[0]).stats.get("damage", 0))
    )


def _hit_effects(table: Table, who: Id, damage: Distribution[int], *, shot: bool) -> Distribution[HitEffect]:
    """Return the damage behind armor, and the wound that it causes."""
    armor = pieces.list_armor_dice(table, who, shot=shot)[0]
    power = find_ability(table, who, "power").die
    return _effects_of_damage(tuple(damage.items()), _make_parts(armor), power, table.config)


@cache
def _effects_of_damage(
    damage: tuple[tuple[int, Fraction], ...], armor: tuple[Part, ...], power: int, config: Config
) -> Distribution[HitEffect]:
    def apply_armor(amount: int, stopped: int, face: int) -> HitEffect:
        remaining = max(0, amount - stopped)
        return HitEffect(remaining, wound_by_face(face, remaining, power, config))

    stops = take_highest(*map(_counting_face, armor))
    return chain_rolls(dict(damage), lambda amount: combine(partial(apply_armor, amount), stops, die(power)))


def _remaining(effects: Distribution[HitEffect]) -> Distribution[int]:
    return combine(lambda one: one.remaining, effects)


def _describe_wounds(effects: Distribution[HitEffect]) -> str:
    """Describe the chance of each wound from a hit."""
    kinds = combine(lambda one: one.wound, effects)
    texts = [f"{name} {format_percent(weight)}" for name in ("incidental", "debilitating", "severe", "mortal")
            if (weight := kinds.get(name))]  # fmt: skip
    return f"a hit wounds: {', '.join(texts)}" if texts else "armour stops every hit"


def _describe_wear(dice: Iterable[Dice]) -> str:
    """Describe the chance that a used piece shows a 1 and steps down."""
    spared = prod(1 - _counting_face(part).get(1, Fraction(0)) for part in _make_parts(dice))
    return f"a piece of the own gear wears down: {format_percent(1 - spared)}"
