"""The sheet of somebody who joins: its numbers, words and counters at the start (5.3, 5.7, 5.9)."""

from __future__ import annotations

from affray.engine.core.ids import id_of
from affray.engine.errors import Unusable
from affray.engine.kit.encounters import unknown

from .encounter_file import Spec
from .rows import Creature
from .tables import blocks, people, talents


def block_of(spec: Spec, field: str) -> Creature | None:
    """Return the stat block an entry starts from, if it names one.

    Raises:
        Unusable: there is no such block.
    """
    if not spec.block:
        return None
    row = blocks().creature.get(spec.block)
    if row is None:
        raise unknown("stat block", spec.block, blocks().creature, f"{field}.block")
    return row


def stats_of(spec: Spec, field: str) -> dict[str, int]:
    """Return the sheet's numbers: attributes, saves, maxima, skills and talents.

    Raises:
        Unusable: a skill or talent does not exist, or a level is too high.
    """
    block = block_of(spec, field)
    start = people().start
    stats: dict[str, int] = {}
    for names, usual in ((people().attributes, start.attribute), (people().saves, start.save)):
        for name in names:
            said = getattr(spec, name)
            stats[name] = said if said is not None else getattr(block, name, usual)
    stats["hp"] = _hp_max(spec, field, block) + spec.talents.get("hardy", 0)
    stats["wounds"] = _wounds_max(spec, field)
    skills = spec.skills if spec.skills is not None else block.skills if block else {}
    for name, level in skills.items():
        if name not in people().skills:
            raise unknown("skill", name, people().skills, f"{field}.skills")
        stats[name] = level
    for name, level in spec.talents.items():
        talent = talents().get(name)
        if talent is None:
            raise unknown("talent", name, talents(), f"{field}.talents")
        if talent.max and level > talent.max:
            raise Unusable(f"{name} goes up to {talent.max}", f"{field}.talents")
        stats[name] = level
    if spec.pc:
        stats["stress_min"] = spec.stress_min
    return stats


def _hp_max(spec: Spec, field: str, block: Creature | None) -> int:
    most = spec.hp_max or spec.hp or (block.hp if block else people().start.hp)
    if spec.hp is not None and not 1 <= spec.hp <= most:
        raise Unusable(f"must be from 1 to the maximum of {most}", f"{field}.hp")
    return most


def _wounds_max(spec: Spec, field: str) -> int:
    if not spec.pc:
        if spec.wounds or spec.wounds_max or spec.stress or spec.inspiration or spec.stress_min:
            raise Unusable("only a player character (pc = true) has wounds, stress and inspiration", field)
        return 0
    if spec.wounds_max is not None:
        if (spec.wounds or 0) > spec.wounds_max:
            raise Unusable(f"must be from 0 to the maximum of {spec.wounds_max}", f"{field}.wounds")
        return spec.wounds_max
    return max(people().start.wounds, spec.wounds or 0)


def pools_of(spec: Spec, field: str, stats: dict[str, int]) -> dict[str, int]:
    """Return the counters at the start; an attribute's is what pushing has left of it."""
    whole = spec.hp is None or spec.hp_max is None
    pools = {"hp": stats["hp"] if whole else spec.hp or 0}
    if spec.pc:
        pools["wounds"] = stats["wounds"] if spec.wounds is None else spec.wounds
        pools["stress"] = spec.stress
        pools["inspiration"] = spec.inspiration
    pools |= {"move": 0, "action": 0, "belt": 0}
    pools |= {name: stats[name] for name in people().attributes}
    for name, level in spec.talents.items():
        if talents()[name].uses:
            pools[name] = level
    return pools


def traits_of(spec: Spec) -> tuple[str, ...]:
    """Return the sheet's words: player character, size, background, tenacious attributes."""
    block = blocks().creature.get(spec.block)
    size = spec.size or (block.size if block else "common")
    found = ["pc"] if spec.pc else []
    if size != "common":
        found.append(size)
    if spec.background:
        found.append(f"background:{id_of(spec.background)}")
    return (*found, *(f"tenacious:{name}" for name in spec.tenacious))
