"""Damage and its consequences: armor, hit points, falling, bleeding, recovery."""

from collections.abc import Iterable

from affray.engine.core.changes import change_pool, end_condition, set_condition, set_pool
from affray.engine.core.effects import Go, Rule
from affray.engine.core.state import Item
from affray.engine.kit.distances import set_distance, stated_distance
from affray.engine.kit.relations import find_relation, remove_members
from affray.engine.kit.riding import mount_of, rider_of
from affray.engine.kit.sheets import is_pc
from affray.events import Clause, Damaged, Id, Modifier, Moved, PoolChanged

from .config import Table
from .gear.things import find_armor, find_guarding_shield
from .marks import AT_ZERO, FATE, FELL
from .movement.board import list_free_beside
from .sheet import has_gift, is_active, is_mount, list_gifts, things_of

FATES = ("dead", "downed", "mortally_wounded", "stabilized")
"""The conditions of a combatant at 0 hp; it can recover from all but the first."""


def wound(
    table: Table,
    who: Id,
    terms: tuple[Modifier, ...],
    *rules: Clause,
    weapon: Item | None = None,
    mode: str = "",
    spare: bool = False,
) -> Rule[None]:
    """Record damage or Shock, and take it from the hit points.

    With ``spare`` a felled target lives. Armor that common weapons cannot pierce stops all of it, and the record shows
    that. Outside an attack there is no weapon.
    """
    amount = sum([term.value for term in terms])
    suit = None if weapon is None else find_proof_armor(table, who, weapon, mode)
    if suit is not None and amount:
        terms = (*terms, Modifier(value=-amount, label=suit.name, source=suit.id, rule="WWN-T60"))
        amount = 0
    yield Damaged(who=who, terms=terms, amount=amount, rules=rules)
    yield from lose_hp(table, who, amount, *rules, spare=spare)


def find_proof_armor(table: Table, target: Id, weapon: Item, mode: str) -> Item | None:
    """Return the armor that stops a common blow or throw; none if it can be pierced (WWN-T60)."""
    suit = find_armor(table, target)
    if suit is None or "proof" not in suit.traits or mode == "shoot" or table[target].has("grappled"):
        return None
    strong = weapon.stats.get("magic", 0) > 0 or "2H" in weapon.traits or weapon.stats.get("shock_ac", 0) >= 16
    return None if strong else suit


def find_no_shock_reason(table: Table, actor: Id, target: Id, weapon: Item, mode: str, ac: int) -> str:
    """Return why an attack does no Shock (WWN-034, WWN-037, WWN-038, WWN-T09, WWN-T10, WWN-T11).

    An empty text means that it does. ``shield`` is the last reason: it holds for one instance of Shock only, and not
    for the announcement.
    """
    if "shock" not in weapon.stats:
        return "unrated"
    if mode != "melee":
        return "thrown"
    if ac > weapon.stats["shock_ac"]:
        limits = [one.stats["shock_as_ac"] for one in list_gifts(table, actor) if "shock_as_ac" in one.stats]
        if not limits or min(limits) > weapon.stats["shock_ac"]:
            return "above"
    things = things_of(table, target)
    if "shock_immune" in table[target].traits or (things.gifts and has_gift(table, target, "shrugs_off_shock")):
        return "immune"
    if not things.shields or find_guarding_shield(table, target) is None:
        return ""
    spent = table.pool(target, "shock_ignored") >= table.config.shield_shock_ignores_per_round
    return "" if spent else "shield"


def raise_to_minimum(table: Table, terms: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Raise the terms of damage or Shock to the configured minimum (WWN-T37)."""
    short = table.config.min_damage - sum([term.value for term in terms])
    if short <= 0:
        return terms
    return (*terms, Modifier(value=short, label="at least", source="config.min_damage", rule="WWN-T37"))


def lose_hp(table: Table, who: Id, amount: int, *rules: Clause, spare: bool) -> Rule[None]:
    """Take damage from the hit points, and fell the combatant at 0."""
    yield from lower_hp(table, who, amount, *rules)
    if amount > 0:
        yield from fell(table, who, spare=spare)


def lower_hp(table: Table, who: Id, amount: int, *rules: Clause) -> Iterable[PoolChanged]:
    """Lower the hit points by damage, to no less than 0 (WWN-T46)."""
    hp = table.pool(who, "hp")
    if amount <= 0 or hp == 0:
        return ()
    if amount >= hp:
        rules = (*rules, "WWN-T33")
        if is_mount(table, who):
            rules = (*rules, "WWN-064")
    return (change_pool(table, who, "hp", -amount, *rules),)


def fell(table: Table, who: Id, *, spare: bool) -> Rule[None]:
    """Fell an active combatant without hit points."""
    if table.pool(who, "hp") == 0 and is_active(table, who):
        yield Go("felled")
        yield from fall(table, who, spare=spare)
        yield Go("goes_on")


def fall(table: Table, who: Id, *, spare: bool = False) -> Rule[None]:
    """Apply a fate at 0 hp; a mount throws its rider (WWN-T33).

    A ruled fate comes before every other. Only foes and mounts can be spared.
    """
    fate = FATE.of(table, who)
    if fate:
        yield FATE.clear_on(who, "WWN-T33")
    else:
        fate = _find_fate(table, who, spare)
    if fate != "dead":
        yield AT_ZERO.set_on(who, True, "WWN-T33")
    yield set_condition(table, who, fate, 1, "WWN-T33", *_list_fate_clauses(table, who, fate, spare))
    if fate == "mortally_wounded":
        yield from begin_to_bleed(table, who)
    yield from throw_rider(table, who)


def _list_fate_clauses(table: Table, who: Id, fate: str, spare: bool) -> tuple[Clause, ...]:
    """Return a fate's further clause: a setting, or the sparing weapon."""
    if is_pc(table, who):
        return () if fate == "mortally_wounded" else ("WWN-T64",)
    return ("WWN-T68",) if spare and fate == "downed" else ()


def _find_fate(table: Table, who: Id, spare: bool) -> str:
    """Return the fate of a combatant at 0 hp without a ruling (WWN-T64)."""
    if is_pc(table, who):
        return "downed" if table.config.pc_at_zero == "out" else table.config.pc_at_zero
    return "downed" if spare else "dead"


def end_fates(table: Table, who: Id, fates: tuple[str, ...]) -> Rule[None]:
    """End those of the given fates that the combatant has."""
    for fate in fates:
        yield from end_condition(table, who, fate, "WWN-T33")


def begin_to_bleed(table: Table, who: Id) -> Rule[None]:
    """Begin to count the rounds to death; the round of the fall is not counted."""
    yield FELL.set_on(who, table.draft.round, "WWN-T33")
    if table.pool(who, "bleed"):
        yield set_pool(table, who, "bleed", 0, "WWN-T33")


def count_bleeding(table: Table, who: Id) -> Rule[None]:
    """Count one more round for a mortally wounded combatant, until it dies (WWN-T51)."""
    if table[who].has("mortally_wounded") and FELL.of(table, who) != table.draft.round:
        yield change_pool(table, who, "bleed", 1, "WWN-T51")
        if table.pool(who, "bleed") >= table.config.bleed_rounds:
            yield from end_condition(table, who, "mortally_wounded", "WWN-T33")
            yield set_condition(table, who, "dead", 1, "WWN-T33", "WWN-T51")


def throw_rider(table: Table, mount: Id) -> Rule[None]:
    """Let a felled mount throw its rider, who falls prone beside it (WWN-064)."""
    rider = rider_of(table, mount)
    if rider:
        yield from unseat(table, rider, "WWN-064")
        if not table[rider].has("prone"):
            yield set_condition(table, rider, "prone", 1, "WWN-064")


def unseat(table: Table, rider: Id, *rules: Clause) -> Rule[None]:
    """Take a rider out of the saddle, to a square beside the mount on a board."""
    mount, relation = mount_of(table, rider), find_relation(table, "riding", rider)
    assert relation is not None
    yield remove_members(relation, rules=rules)
    place = table[mount].place
    after = next(list_free_beside(table, place), place) if place else ""
    if not place:
        yield from _part(table, rider, mount, *rules)
    elif after != table[rider].place:
        yield Moved(who=rider, before=table[rider].place, after=after, rules=rules)


def _part(table: Table, rider: Id, mount: Id, *rules: Clause) -> Rule[None]:
    """State the distances of two who parted, where only one of them had any."""
    for other in tuple(table.draft.combatants):
        distances = {one: stated_distance(table, one, other) for one in (rider, mount)}
        for one, twin in ((rider, mount), (mount, rider)):
            known = distances[twin]
            if other not in distances and distances[one] is None and known is not None:
                yield set_distance(table, one, other, known, *rules)
    near = table.config.adjacent_ft
    if stated_distance(table, rider, mount) != near:
        yield set_distance(table, rider, mount, near, *rules)


def correct(table: Table, who: Id) -> Rule[None]:
    """Let a felled combatant with hit points recover; fell an active one without."""
    hp = table.pool(who, "hp")
    if hp == 0 and is_active(table, who):
        yield from fall(table, who)
    elif (hp and AT_ZERO.is_on(table, who)) or (FELL.is_on(table, who) and is_active(table, who)):
        yield from recover(table, who)
    if table[who].has("mortally_wounded") and not FELL.is_on(table, who):
        yield from begin_to_bleed(table, who)


def recover(table: Table, who: Id) -> Rule[None]:
    """Remove the marks, the count of rounds and the conditions of a fall (WWN-T69)."""
    for mark in (AT_ZERO, FELL):
        yield from mark.end_on(table, who, "WWN-T69")
    if table.pool(who, "bleed"):
        yield set_pool(table, who, "bleed", 0, "WWN-T69")
    yield from end_fates(table, who, FATES[1:])


def bring_back(table: Table, who: Id) -> Rule[None]:
    """Give a combatant that a ruling brought back its first hit point, if it has none."""
    if is_active(table, who) and not table.pool(who, "hp"):
        yield set_pool(table, who, "hp", 1, "WWN-T69")
