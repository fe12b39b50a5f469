"""From an entry of an encounter file to a sheet: numbers, words and counters."""

from __future__ import annotations

from affray.engine.errors import Unusable
from affray.engine.kit.encounters import unknown

from .encounter_file import Spec
from .sheet import ATTRIBUTES
from .tables import Block, blocks, class_attack, classes, skills

MOVE = 30
"""The movement rate of somebody whose sheet and stat block name none, in feet."""


def block_of(spec: Spec, field: str) -> Block | None:
    """Return the stat block an entry names, if any.

    Raises:
        Unusable: it does not exist.
    """
    if not spec.block:
        return None
    if spec.block not in blocks():
        raise unknown("stat block", spec.block, blocks(), f"{field}.block")
    return blocks()[spec.block]


def sheet(spec: Spec, block: Block | None, field: str) -> tuple[dict[str, int], dict[str, int]]:
    """Return a sheet's numbers and its counters at the start.

    Raises:
        Unusable: a number is missing or contradicts another, or a skill does not exist.
    """
    hp_max = spec.hp_max or spec.hp or (block.hp if block else 0)
    if hp_max < 1:
        raise Unusable("hp is missing, and there is no stat block to take it from", f"{field}.hp")
    hp = hp_max if spec.hp is None else spec.hp
    if hp > hp_max:
        raise Unusable(f"must be from 1 to the maximum of {hp_max}", f"{field}.hp")
    stats = {"attack": _attack(spec, block, field), "hp": hp_max}
    stats["pace"] = spec.move if spec.move is not None else block.move if block else MOVE
    for name in ATTRIBUTES:
        score = getattr(spec, name + "_" if name in ("str", "int") else name)
        if score is not None:
            stats[name] = score
    for skill, level in spec.skills.items():
        if skill not in skills():
            raise unknown("skill", skill, skills(), f"{field}.skills")
        stats[skill] = level
    stats |= _of_pc(spec, field) if spec.pc else _of_foe(spec, block, field)
    pools = {"hp": hp, "main": 1, "move": 1, "shock_ignored": 0}
    if spec.pc:
        pools["bleed"] = 0
    elif is_mount(spec, block):
        pools["feet"] = 0
    return stats, pools


def _attack(spec: Spec, block: Block | None, field: str) -> int:
    """Return the attack bonus: as stated, by class and level, or the stat block's (WWN-009)."""
    if spec.attack is not None:
        return spec.attack
    if spec.class_:
        if spec.class_ not in classes():
            raise unknown("class", spec.class_, classes(), f"{field}.class")
        return class_attack(classes()[spec.class_], spec.level or 1)
    if block is None:
        raise Unusable("attack is missing; state it, or class and level, or a stat block", f"{field}.attack")
    return block.attack


def _of_pc(spec: Spec, field: str) -> dict[str, int]:
    for name in ("ac", "morale", "instinct"):
        if getattr(spec, name) is not None:
            raise Unusable("is for foes and mounts; a PC has armor and shield, and no Morale", f"{field}.{name}")
    return {"ac_bonus": spec.ac_bonus}


def _of_foe(spec: Spec, block: Block | None, field: str) -> dict[str, int]:
    """Return the numbers of a foe or mount; without an armor class of its own it has that of its armor."""
    told = {
        "ac": spec.ac if spec.ac is not None or block is None else block.ac,
        "morale": spec.morale if spec.morale is not None or block is None else block.morale,
        "instinct": spec.instinct if spec.instinct is not None or block is None else block.instinct,
    }
    if is_mount(spec, block) and not war_trained(spec, block):
        for name in ("morale", "instinct"):
            if told[name] is None:
                raise Unusable("an ordinary riding beast needs it for its check", f"{field}.{name}")
    numbers = {name: value for name, value in told.items() if value is not None}
    if "ac" in numbers:
        numbers["ac"] += spec.ac_bonus
    else:
        numbers["ac_bonus"] = spec.ac_bonus
    shares = {"armor_share": spec.armor_share, "shield_share": spec.shield_share}
    return {**numbers, **{name: value for name, value in shares.items() if value}, "skill": spec.skill}


def is_mount(spec: Spec, block: Block | None) -> bool:
    """Tell whether an entry's combatants are there to be ridden."""
    return spec.mount if spec.mount is not None else block is not None and block.mount


def war_trained(spec: Spec, block: Block | None) -> bool:
    """Tell whether an entry's mounts are trained for war."""
    return spec.war_trained if spec.war_trained is not None else bool(block and block.war_trained)


def traits_of(spec: Spec, block: Block | None, field: str) -> tuple[str, ...]:
    """Return a sheet's words.

    Raises:
        Unusable: somebody is a PC and a mount.
    """
    mount = is_mount(spec, block)
    if spec.pc and mount:
        raise Unusable("a PC is no mount", f"{field}.pc")
    words = {
        "pc": spec.pc,
        "mount": mount,
        "war_trained": mount and war_trained(spec, block),
        "shock_immune": spec.shock_immune,
        "dual_wields": spec.dual_wields,
    }
    return tuple(word for word, true in words.items() if true)
