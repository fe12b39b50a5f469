"""The form of an encounter file, and the sheet of each entry."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from affray.engine.core.ids import id_of
from affray.engine.errors import Unusable
from affray.engine.kit.encounters import (
    CombatantEntry,
    EncounterFile,
    MeleeEntry,
    Name,
    ViewEntry,
    find_row,
    make_unknown_name,
)
from affray.engine.rulesets.verdigris.sheet import BACKGROUND, TENACIOUS
from affray.engine.rulesets.verdigris.tables import Make, Score, Size, Weapon, people, talents
from affray.events import Feature

Number = Annotated[int, Meta(ge=0, le=30)]


class Armed(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A weapon with more details than its name."""

    weapon: str
    make: Make = "plain"
    where: Literal["", "hand", "belt", "pack"] = ""
    loaded: bool = True
    lit: bool = True


class Shielded(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A shield with more details than its name."""

    shield: str
    where: Literal["", "hand", "pack"] = ""


class Thing(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Another carried item. ``slots`` is the room it takes, unless its kind gives it."""

    name: Name
    kind: Literal["potion", "book", "rations", "thing"] = "thing"
    where: Literal["", "belt", "pack", "hand"] = ""
    slots: Annotated[int, Meta(ge=0, le=99)] | None = None


class Ridden(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A mount with more details than its kind."""

    mount: str
    name: str = ""
    quality: Number | None = None
    bonus: Number | None = None
    damage: Number | None = None
    hp: Annotated[int, Meta(ge=1, le=999)] | None = None
    barding: Number | None = None
    battle_trained: bool | None = None


class Spec(CombatantEntry, frozen=True, kw_only=True):
    """A ``[[combatant]]`` of an encounter file.

    Missing values come from its block, then from the defaults.
    """

    side: Literal["party", "enemies"]
    pc: bool = False
    player: str = ""
    at: str | tuple[str, ...] = ""
    strength: Number | None = None
    agility: Number | None = None
    intelligence: Number | None = None
    charisma: Number | None = None
    dodge: Number | None = None
    panic: Number | None = None
    warding: Number | None = None
    withstand: Number | None = None
    hp: Score | None = None
    hp_max: Annotated[int, Meta(ge=1, le=999)] | None = None
    wounds: Number | None = None
    wounds_max: Number | None = None
    stress: Number = 0
    stress_min: Number = 0
    inspiration: Annotated[int, Meta(ge=0, le=1)] = 0
    bodies: Number = 1
    size: Size | None = None
    background: str = ""
    skills: dict[str, Number] | None = None
    talents: dict[str, Annotated[int, Meta(ge=1, le=9)]] = {}
    tenacious: tuple[Literal["strength", "agility", "intelligence", "charisma"], ...] = ()
    weapons: tuple[str | Armed, ...] | None = None
    armor: str | None = None
    shield: str | Shielded = ""
    ammunition: dict[str, Score] | None = None
    items: tuple[Thing, ...] = ()
    mount: str | Ridden = ""


class Zone(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ``[[zone]]``: its exits, which also lead back, and its traits."""

    name: Name
    exits: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()


class View(ViewEntry, frozen=True, kw_only=True):
    """A ``[[view]]``: a viewer who cannot see a target."""

    view: Literal["blocked"] = "blocked"


class Encounter(EncounterFile, frozen=True, kw_only=True):
    """An encounter file of Verdigris."""

    combatant: Annotated[tuple[Spec, ...], Meta(min_length=1)]
    zone: tuple[Zone, ...] = ()
    melee: tuple[MeleeEntry, ...] = ()
    view: tuple[View, ...] = ()
    weapon: dict[str, Weapon] = {}


def stats_of(spec: Spec, hp: int, field: str) -> dict[str, int]:
    """Return the sheet's numbers: attributes, saves, maxima, skills and talents.

    Args:
        spec: The entry, completed from its stat block.
        hp: The hit points of the block, or of a new character.
        field: The entry's path in the file.

    Raises:
        Unusable: a skill or talent does not exist, or a level is too high.
    """
    start = people().start
    stats: dict[str, int] = {}
    for names, usual in ((people().attributes, start["attribute"]), (people().saves, start["save"])):
        for name in names:
            given = getattr(spec, name)
            stats[name] = usual if given is None else given
    most = spec.hp_max or spec.hp or hp
    if spec.hp is not None and not 1 <= spec.hp <= most:
        raise Unusable(f"must be from 1 to the maximum of {most}", f"{field}.hp")
    stats["hp"] = most + spec.talents.get("hardy", 0)
    stats["wounds"] = _wounds_max(spec, field)
    for name, level in (spec.skills or {}).items():
        if name not in people().skills:
            raise make_unknown_name("skill", name, people().skills, f"{field}.skills")
        stats[name] = level
    for name, level in spec.talents.items():
        talent = find_row("talent", name, talents(), f"{field}.talents")
        if talent.max and level > talent.max:
            raise Unusable(f"{name} goes up to {talent.max}", f"{field}.talents")
        stats[name] = level
    if spec.pc:
        stats["stress_min"] = spec.stress_min
    return stats


def _wounds_max(spec: Spec, field: str) -> int:
    if not spec.pc:
        for name in ("wounds", "wounds_max", "stress", "inspiration", "stress_min"):
            if getattr(spec, name):
                raise Unusable("only a player character has wounds, stress and inspiration", f"{field}.{name}")
        return 0
    if spec.wounds_max is not None:
        if (spec.wounds or 0) > spec.wounds_max:
            raise Unusable(f"must be from 0 to the maximum of {spec.wounds_max}", f"{field}.wounds")
        return spec.wounds_max
    return max(people().start["wounds"], spec.wounds or 0)


def pools_of(spec: Spec, stats: dict[str, int]) -> dict[str, int]:
    """Return the counters at the start; attributes as pushing has left them."""
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


def traits_of(spec: Spec) -> tuple[str | Feature, ...]:
    """Return the sheet's words: player character, size, background, tenacious attributes."""
    found: list[str | Feature] = ["pc"] if spec.pc else []
    if spec.size and spec.size != "common":
        found.append(spec.size)
    if spec.background:
        found.append(Feature(kind=BACKGROUND, of=id_of(spec.background)))
    return (*found, *(Feature(kind=TENACIOUS, of=name) for name in spec.tenacious))
