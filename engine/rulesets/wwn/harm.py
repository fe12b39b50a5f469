"""From damage to what becomes of the hurt: armor that stops it, hit points, falling, bleeding, coming round."""

from collections.abc import Iterable

from affray.engine.core.changes import condition_ended, condition_set, pool_moved, pool_set
from affray.engine.core.effects import Go, Rule
from affray.engine.core.state import Item
from affray.engine.kit.distances import distance_set, stated_distance
from affray.engine.kit.relations import bond, parted
from affray.events import Clause, Damaged, Id, Modifier, Moved, PoolChanged

from .config import Table
from .gear.things import shield_up, worn
from .marks import AT_ZERO, FATE, FELL
from .movement.board import beside
from .sheet import gifts, has_gift, is_active, is_mount, is_pc, mount_of, rider_of, things_of

FATES = ("dead", "downed", "mortally_wounded", "stabilized")
"""What may become of somebody at 0 hp; but for the first, one may come round from it."""


def wound(
    table: Table,
    who: Id,
    terms: tuple[Modifier, ...],
    *rules: Clause,
    weapon: Item | None = None,
    mode: str = "",
    spare: bool = False,
) -> Rule[None]:
    """Record what damage or Shock comes to, and take it from the hit points; what it fells is to live if ``spare``.

    Armor that common weapons cannot pierce lets nothing through, and the record says so. Outside an attack there is no
    weapon.
    """
    amount = sum([term.value for term in terms])
    suit = None if weapon is None else proof(table, who, weapon, mode)
    if suit is not None and amount:
        terms = (*terms, Modifier(value=-amount, label=suit.name, source=suit.id, rule="WWN-T60"))
        amount = 0
    yield Damaged(who=who, terms=terms, amount=amount, rules=rules)
    yield from lose_hp(table, who, amount, *rules, spare=spare)


def proof(table: Table, target: Id, weapon: Item, mode: str) -> Item | None:
    """Return the armor that lets a common blow or throw do nothing; none if it can be pierced (WWN-T60)."""
    suit = worn(table, target)
    if suit is None or "proof" not in suit.traits or mode == "shoot" or table[target].has("grappled"):
        return None
    strong = weapon.stats.get("magic", 0) > 0 or "2H" in weapon.traits or weapon.stats.get("shock_ac", 0) >= 16
    return None if strong else suit


def no_shock(table: Table, actor: Id, target: Id, weapon: Item, mode: str, ac: int) -> str:
    """Return why an attack can do no Shock, if so (WWN-034, WWN-037, WWN-038, WWN-T09, WWN-T10, WWN-T11).

    ``shield`` is the last reason: it holds for one instance of Shock only, and not for what is announced.
    """
    if "shock" not in weapon.stats:
        return "unrated"
    if mode != "melee":
        return "thrown"
    if ac > weapon.stats["shock_ac"]:
        limits = [one.stats["shock_as_ac"] for one in gifts(table, actor) if "shock_as_ac" in one.stats]
        if not limits or min(limits) > weapon.stats["shock_ac"]:
            return "above"
    mine = things_of(table, target)
    if "shock_immune" in table[target].traits or (mine.gifts and has_gift(table, target, "shrugs_off_shock")):
        return "immune"
    if not mine.shields or shield_up(table, target) is None:
        return ""
    spent = table.pool(target, "shock_ignored") >= table.config.shield_shock_ignores_per_round
    return "" if spent else "shield"


def at_least(table: Table, terms: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the terms of damage or Shock, raised to the least that the configuration has (WWN-T37)."""
    short = table.config.min_damage - sum([term.value for term in terms])
    if short <= 0:
        return terms
    return (*terms, Modifier(value=short, label="at least", source="config.min_damage", rule="WWN-T37"))


def lose_hp(table: Table, who: Id, amount: int, *rules: Clause, spare: bool) -> Rule[None]:
    """Take damage from the hit points; at 0 one is felled."""
    yield from lower_hp(table, who, amount, *rules)
    if amount > 0:
        yield from fell(table, who, spare=spare)


def lower_hp(table: Table, who: Id, amount: int, *rules: Clause) -> Iterable[PoolChanged]:
    """Take damage from the hit points, never below 0 (WWN-T46)."""
    hp = table.pool(who, "hp")
    if amount <= 0 or hp == 0:
        return ()
    if amount >= hp:
        rules = (*rules, "WWN-T33")
        if is_mount(table, who):
            rules = (*rules, "WWN-064")
    return (pool_moved(table, who, "hp", -amount, *rules),)


def fell(table: Table, who: Id, *, spare: bool) -> Rule[None]:
    """Fell an active combatant that has no hit points left."""
    if table.pool(who, "hp") == 0 and is_active(table, who):
        yield Go("felled")
        yield from fall(table, who, spare=spare)
        yield Go("goes_on")


def fall(table: Table, who: Id, *, spare: bool = False) -> Rule[None]:
    """Settle what becomes of somebody at 0 hp; a mount throws its rider (WWN-T33).

    What the game master ruled beforehand comes before everything else; only foes and mounts can be spared.
    """
    fate = FATE.of(table, who)
    if fate:
        yield FATE.struck(who, "WWN-T33")
    else:
        fate = _fate(table, who, spare)
    if fate != "dead":
        yield AT_ZERO.noted(who, True, "WWN-T33")
    yield condition_set(table, who, fate, 1, "WWN-T33", *_why(table, who, fate, spare))
    if fate == "mortally_wounded":
        yield from begin_to_bleed(table, who)
    yield from throw_rider(table, who)


def _why(table: Table, who: Id, fate: str, spare: bool) -> tuple[Clause, ...]:
    """Return the further clause of a fate: a setting for heroes, or the weapon that spared."""
    if is_pc(table, who):
        return () if fate == "mortally_wounded" else ("WWN-T64",)
    return ("WWN-T68",) if spare and fate == "downed" else ()


def _fate(table: Table, who: Id, spare: bool) -> str:
    """Return what becomes of somebody at 0 hp where the game master has not ruled it (WWN-T64)."""
    if is_pc(table, who):
        return "downed" if table.config.pc_at_zero == "out" else table.config.pc_at_zero
    return "downed" if spare else "dead"


def strike_out(table: Table, who: Id, fates: tuple[str, ...]) -> Rule[None]:
    """End what became of somebody, as far as it did."""
    for fate in fates:
        yield from condition_ended(table, who, fate, "WWN-T33")


def begin_to_bleed(table: Table, who: Id) -> Rule[None]:
    """Begin to count the rounds to death; the round of the fall is not counted."""
    yield FELL.noted(who, table.draft.round, "WWN-T33")
    if table.pool(who, "bleed"):
        yield pool_set(table, who, "bleed", 0, "WWN-T33")


def bleed(table: Table, who: Id) -> Rule[None]:
    """Let one more round of bleeding pass for somebody who is mortally wounded, up to the last one (WWN-T51)."""
    if table[who].has("mortally_wounded") and FELL.of(table, who) != table.draft.round:
        yield pool_moved(table, who, "bleed", 1, "WWN-T51")
        if table.pool(who, "bleed") >= table.config.bleed_rounds:
            yield from condition_ended(table, who, "mortally_wounded", "WWN-T33")
            yield condition_set(table, who, "dead", 1, "WWN-T33", "WWN-T51")


def throw_rider(table: Table, mount: Id) -> Rule[None]:
    """Let a mount that is down throw its rider, who lies beside it (WWN-064)."""
    rider = rider_of(table, mount)
    if rider:
        yield from unseat(table, rider, "WWN-064")
        if not table[rider].has("prone"):
            yield condition_set(table, rider, "prone", 1, "WWN-064")


def unseat(table: Table, rider: Id, *rules: Clause) -> Rule[None]:
    """Take a rider out of the saddle, to a square beside the mount if there is a board."""
    mount, relation = mount_of(table, rider), bond(table, "riding", rider)
    assert relation is not None
    yield parted(relation, rules=rules)
    place = table[mount].place
    after = next(beside(table, place), place) if place else ""
    if not place:
        yield from _part(table, rider, mount, *rules)
    elif after != table[rider].place:
        yield Moved(who=rider, before=table[rider].place, after=after, rules=rules)


def _part(table: Table, rider: Id, mount: Id, *rules: Clause) -> Rule[None]:
    """State the distances of two who parted, as far as they were those of one of them."""
    for other in tuple(table.draft.combatants):
        ours = {one: stated_distance(table, one, other) for one in (rider, mount)}
        for one, twin in ((rider, mount), (mount, rider)):
            known = ours[twin]
            if other not in ours and ours[one] is None and known is not None:
                yield distance_set(table, one, other, known, *rules)
    near = table.config.adjacent_ft
    if stated_distance(table, rider, mount) != near:
        yield distance_set(table, rider, mount, near, *rules)


def corrected(table: Table, who: Id) -> Rule[None]:
    """Let a felled combatant come round with hit points; fell an active one that has none."""
    hp = table.pool(who, "hp")
    if hp == 0 and is_active(table, who):
        yield from fall(table, who)
    elif (hp and AT_ZERO.is_on(table, who)) or (FELL.is_on(table, who) and is_active(table, who)):
        yield from come_round(table, who)
    if table[who].has("mortally_wounded") and not FELL.is_on(table, who):
        yield from begin_to_bleed(table, who)


def come_round(table: Table, who: Id) -> Rule[None]:
    """End the marks, the count of rounds and the conditions of a fall (WWN-T69)."""
    for mark in (AT_ZERO, FELL):
        if mark.is_on(table, who):
            yield mark.struck(who, "WWN-T69")
    if table.pool(who, "bleed"):
        yield pool_set(table, who, "bleed", 0, "WWN-T69")
    yield from strike_out(table, who, FATES[1:])


def bring_back(table: Table, who: Id) -> Rule[None]:
    """Give a combatant that a ruling has brought back a hit point, if it has none."""
    if is_active(table, who) and not table.pool(who, "hp"):
        yield pool_set(table, who, "hp", 1, "WWN-T69")
