"""A combatant's outfit as items: weapons, shield, armor, Foci and abilities."""

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from affray.engine.errors import Unusable
from affray.engine.kit.encounters import add_item, add_named_items, find_row, make_unknown_name
from affray.engine.rulesets.wwn.gear.things import HANDS, note_modifier
from affray.engine.rulesets.wwn.tables import Armor, Block, Focus, Modifier, Tables, Weapon, parse_damage
from affray.events import Feature, Id, ItemAdded

from .file import Spec

MANY = 5
"""The number of pieces of a numerous weapon."""


MOST_PLUS = 9
"""The greatest bonus of a magical thing."""


class Named(NamedTuple):
    """A table line as an entry names it, such as ``sword_long+1``."""

    key: str
    plus: int


def list_outfit(who: Id, spec: Spec, block: Block | None, field: str, tables: Tables) -> Iterator[ItemAdded]:
    """Yield all items of a combatant.

    Raises:
        Unusable: an item does not exist, is named twice, or does not fit into two hands.
    """
    fields = [(key, f"{field}.weapons[{nth}]") for nth, key in enumerate(spec.weapons or ())]
    arms = [(split_bonus(key, at), at) for key, at in fields]
    known = {key: line for key, line in tables.weapons.items() if key != "unarmed"}
    things: list[tuple[str, ItemAdded]] = []
    if spec.shield:
        things.append(build_shield(who, split_bonus(spec.shield, f"{field}.shield"), f"{field}.shield", tables))
    for named, at in arms:
        line = find_row("weapon", named.key, known, at)
        if any(key == named.key for key, _ in things):
            raise Unusable(f"{named.key} is named twice", at)
        things.append((named.key, build_weapon(who, named.key, line, named.plus)))
    yield from _place_items(things, spec, field)
    if block and block.damage:
        bite = Weapon(name="natural weapon", damage=block.damage, attribute=("str",), skill="punch", tags=("natural",))
        yield build_weapon(who, "natural", bite, 0)
    elif all("natural" not in item.traits for _, item in things):
        yield build_weapon(who, "unarmed", tables.weapons["unarmed"], 0)
    if spec.armor:
        yield build_suit(who, split_bonus(spec.armor, f"{field}.armor"), f"{field}.armor", tables)
    for nth, key in enumerate(spec.foci):
        if key not in tables.foci or key in spec.foci[:nth]:
            raise make_unknown_name("further Focus", key, tables.foci, f"{field}.foci[{nth}]")
        yield _build_focus(who, key, tables.foci[key])
    yield from add_named_items(who, "spell", spec.spells, f"{field}.spells")
    if spec.modifiers:
        yield add_item(who, "abilities", "ability", "focus", features=map(note_modifier, spec.modifiers))


def split_bonus(key: str, field: str) -> Named:
    """Split the bonus of a magical item off its name."""
    name, plus, bonus = key.partition("+")
    if plus and not (bonus.isdigit() and 1 <= int(bonus) <= MOST_PLUS):
        raise Unusable(f'a magical thing is written "{name}+1", not "{key}"', field)
    return Named(name, int(bonus) if plus else 0)


def build_weapon(who: Id, key: str, line: Weapon, plus: int) -> ItemAdded:
    """Return a weapon as an item, not yet in hand."""
    counters = {"loaded": 1} if {"R", "SR", "SS"} & {*line.tags} else {}
    for tag, counter, start in (("SS", "loading", 0), ("FX", "set_up", 0), ("N", "count", MANY)):
        if tag in line.tags:
            counters[counter] = start
    stats, features = _list_numbers(line, plus), _list_features(line)
    return add_item(who, key, line.name, "weapon", stats=stats, traits=line.tags, features=features, counters=counters)


def _list_numbers(line: Weapon, plus: int) -> dict[str, int]:
    dice, sides, _ = parse_damage(line.damage)
    stats = {"dice": dice, "sides": sides, "near": line.near, "far": line.far}
    if line.shock is not None:
        stats |= {"shock": line.shock, "shock_ac": line.shock_ac}
    if line.magic + plus:
        stats["magic"] = line.magic + plus
    return stats


def _list_features(line: Weapon) -> tuple[Feature, ...]:
    taught = (Feature(kind="damage_skill", of=line.damage_skill),) if line.damage_skill else ()
    named = (*(Feature(kind="attribute", of=one) for one in line.attribute), Feature(kind="skill", of=line.skill))
    _, _, added = parse_damage(line.damage)
    printed = (Modifier(to="damage", value=added),) if added else ()
    return (*named, *taught, *map(note_modifier, (*printed, *line.modifiers)))


def build_shield(who: Id, named: Named, field: str, tables: Tables) -> tuple[str, ItemAdded]:
    """Return a shield as an item, with its weapon line."""
    shields = {key: one for key, one in tables.armor.items() if one.class_ == "shield"}
    line = find_row("shield", named.key, shields, field)
    bash = find_row("weapon", line.bash, tables.weapons, f"armor.{named.key}.bash")
    stats = {
        **_list_numbers(bash, 0),
        "ac": line.ac,
        "bonus": line.bonus,
        **({"plus": named.plus} if named.plus else {}),
    }
    words = bash.tags
    traits = (*words, *(("shield",) if "shield" not in words else ()), *_list_magic_traits(line, named))
    features = _list_features(bash)
    return named.key, add_item(who, named.key, line.name, "shield", stats=stats, traits=traits, features=features)


def build_suit(who: Id, named: Named, field: str, tables: Tables) -> ItemAdded:
    """Return a suit of armor as an item."""
    suits = {key: one for key, one in tables.armor.items() if one.class_ != "shield"}
    line = find_row("armor", named.key, suits, field)
    traits = (line.class_, *(("proof",) if line.proof else ()), *_list_magic_traits(line, named))
    return add_item(who, named.key, line.name, "armor", "worn", stats={"ac": line.ac + named.plus}, traits=traits)


def _list_magic_traits(line: Armor, named: Named) -> tuple[str, ...]:
    return ("magical",) if line.magical or named.plus else ()


def _place_items(things: list[tuple[str, ItemAdded]], spec: Spec, field: str) -> Iterator[ItemAdded]:
    """Place all items: as the entry says, else shield, then weapons, in free hands."""
    known = [key for key, _ in things]
    in_hand = None if spec.in_hand is None else _find_named(spec.in_hand, known, f"{field}.in_hand")
    stowed = _find_named(spec.stowed, known, f"{field}.stowed")
    free = HANDS
    for key, item in things:
        takes = 2 if "2H" in item.traits else 1
        if "natural" in item.traits:
            where = ""
        elif key in stowed:
            where = "stowed"
        elif takes <= free and (in_hand is None or key in in_hand):
            where, free = "hand", free - takes
        elif in_hand is not None and key in in_hand:
            raise Unusable(f"there is no hand left for {key}", f"{field}.in_hand")
        else:
            where = "readied"
        yield replace(item, where=where)


def _find_named(keys: tuple[str, ...], known: list[str], field: str) -> tuple[str, ...]:
    """Return the named items; the bonus of a magical one may be left out."""
    meant = tuple(key.partition("+")[0] for key in keys)
    for nth, key in enumerate(meant):
        if key not in known:
            raise make_unknown_name("thing", key, known, f"{field}[{nth}]")
    return meant


def _build_focus(who: Id, key: str, focus: Focus) -> ItemAdded:
    stats = {
        "shock_as_ac": focus.shock_as_ac,
        "bow_in_melee": focus.bow_in_melee,
        "initiative_dice": focus.initiative_dice if focus.initiative_dice > 1 else None,
        "mount_morale": focus.mount_morale,
    }
    flags = {"unsurprised": focus.unsurprised, "shrugs_off_shock": focus.shrugs_off_shock, "lends_ac": focus.lends_ac}
    traits = (name for name, true in flags.items() if true)
    thrown = (Feature(kind="throws_in_melee", of=tag) for tag in focus.throws_in_melee)
    features = (*thrown, *map(note_modifier, focus.modifiers))
    given = {name: value for name, value in stats.items() if value is not None}
    return add_item(who, key, focus.name, "focus", stats=given, traits=traits, features=features)
