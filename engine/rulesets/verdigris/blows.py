"""The attacker's roll: what a blow is struck with, and its dice (VER-023 to 025, VER-043 to 047, VER-058)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from msgspec import Struct

from affray.engine.core.changes import item_counted, marked
from affray.engine.core.effects import Rule
from affray.engine.core.state import Item, Relation
from affray.engine.core.table import Table
from affray.engine.kit.modifiers import granted
from affray.events import Clause, Id, Modifier

from .afflictions import afflict
from .gear import FIRED, ammunition_for, bonus_of, group_of
from .melees import by_numbers, counting, melee_of, participants, same_melee
from .pools import Share, attribute, background, burdens, skill
from .push import thrown
from .riding import mount_under
from .rows import WeaponGroup
from .sheet import is_mount, stat
from .tables import conditions, people
from .tests import Outcome, attempt
from .wanted import Pool

PIKES = frozenset({"spear", "lance", "halberd", "pike"})
"""The weapons that push on coming into a melee."""

NEEDS = {
    one: frozenset({"tests", one, "sight", "bodily"}) for one in ("strength", "agility", "intelligence", "charisma")
}
"""What an attack with an attribute takes: eyes, and a body that moves."""

MOUNTS_ROLL = frozenset({"tests", "sight", "bodily"})


class Blow(Struct, frozen=True, kw_only=True):
    """A blow that is being struck.

    Attributes:
        attacker, struck: By whom, and whom: somebody, or the mount below.
        weapon: Item id.
        melee: Whether the weapon is one for melees.
        grip: ``one`` hand or ``two``.
        aim: Empty, ``vital`` or ``effect`` (VER-052).
        mighty: Stress taken for as much damage.
        fits: Whether the background fits.
        manner: How it is struck; in panic it goes without stress dice.
    """

    attacker: Id
    struck: Id
    weapon: Id
    melee: bool
    grip: str = "one"
    aim: str = ""
    mighty: int = 0
    fits: bool = False
    manner: str = "standard"


def weapon_of(table: Table, blow: Blow) -> Item:
    """Return what a blow is struck with."""
    return table.item(blow.weapon)


def usage(weapon: Item) -> WeaponGroup:
    """Return the skill and attribute that a weapon is used with."""
    return people().group[weapon.traits[0]]  # type: ignore[index]


def attribute_of(table: Table, weapon: Item) -> str:
    """Return the attribute of an attack: Strength, or Agility for what is aimed and triggered (VER-024, VER-025)."""
    if group_of(weapon) == "thrown":
        return str(table.config.attack_thrown_attribute)
    return usage(weapon).attribute


def aimed(table: Table, blow: Blow, ground: Callable[[], None]) -> Rule[Outcome]:
    """Make the attack test; a mount strikes in its own way (VER-023, VER-063)."""
    if is_mount(table, blow.attacker):
        result = yield from thrown(table, partial(_of_the_mount, table, blow), ground)
        return Outcome(result.roll, result.sl)
    outcome = yield from attempt(
        table,
        blow.attacker,
        partial(_of_a_fighter, table, blow),
        ground,
        plain=bool(blow.aim),
        calm=blow.manner == "panicked",
        unhindered=_unhindered(table, blow),
    )
    if blow.attacker in table.draft.marks:
        yield from _forgotten(table, blow)
    return outcome


def _bonus(weapon: Item, grip: str, rule: Clause) -> Share:
    return Share("gear", bonus_of(weapon, grip), weapon.name, weapon.id, rule, weapon.id)


def _of_a_fighter(table: Table, blow: Blow) -> Pool:
    """Return attribute, skill and gear, or skill and gear alone for a called shot (VER-023, VER-058)."""
    weapon = weapon_of(table, blow)
    of = attribute_of(table, weapon)
    rule = "VER-025" if of == "agility" or group_of(weapon) == "thrown" else "VER-024"
    rules = ("VER-023", rule) if blow.melee else ("VER-023", rule, "VER-043")
    shared = same_melee(table, blow.attacker, blow.struck) if blow.melee else None
    changes = odds(table, blow, weapon, shared)
    rules = (*rules, *_circumstances(table, blow, changes, shared))
    shares = [skill(table, blow.attacker, usage(weapon).skill)]
    if blow.aim:
        rules = (*rules, "VER-053", "VER-058")
    else:
        shares.insert(0, attribute(table, blow.attacker, of, rule))
        if blow.fits:
            shares.append(background(table, blow.attacker))
    return Pool(
        who=blow.attacker,
        purpose="attack",
        shares=(*shares, _bonus(weapon, blow.grip, "VER-T22")),
        changes=changes,
        needs=NEEDS[of],
        rules=rules,
    )


def _circumstances(table: Table, blow: Blow, changes: list[Modifier], shared: Relation | None) -> tuple[Clause, ...]:
    """Return the clauses that the moment brings in: numbers that count, a shooter in a melee, mounts in the way."""
    if blow.melee:
        more = any(change.rule == "VER-036" for change in changes)
        clauses = counting(table, shared.id) if shared is not None else ()
        if "short" in weapon_of(table, blow).traits and mount_under(table, blow.attacker):
            clauses = (*clauses, "VER-T28")
        return (*clauses, "VER-036") if more else clauses
    melee = melee_of(table, blow.struck)
    engaged = ("VER-045",) if melee_of(table, blow.attacker) is not None else ()
    crowded = any(change.rule == "VER-046" for change in changes)
    return (*engaged, *by_mounts(table, melee)) if crowded else engaged


def by_mounts(table: Table, melee: Relation | None) -> tuple[Clause, ...]:
    """Return the clause by which mounts in a melee count for shots into it, if there are any (VER-047, VER-T56)."""
    rules = ("VER-047",) if table.config.mount_counts_in_shooting else ("VER-047", "VER-T56")
    return rules if melee is not None and any(is_mount(table, one.who) for one in melee.members) else ()


def _unhindered(table: Table, blow: Blow) -> frozenset[str]:
    """Return the penalties of the game master's that a marksman ignores (VER-022)."""
    if blow.melee:
        return frozenset()
    sharp = {"cover", "size"} if stat(table, blow.attacker, "sharpshooter") else set()
    far = {"long_range", "long range"} if stat(table, blow.attacker, "sniper") else set()
    return frozenset(sharp | far)


def _of_the_mount(table: Table, blow: Blow) -> Pool:
    """Return a mount's Quality and bonus, a roll that nobody can push (VER-063, VER-064)."""
    weapon = weapon_of(table, blow)
    quality = Share("quality", stat(table, blow.attacker, "quality"), "quality", f"{blow.attacker}.quality", "VER-T26")
    shared = same_melee(table, blow.attacker, blow.struck)
    changes = odds(table, blow, weapon, shared)
    return Pool(
        who=blow.attacker,
        purpose="attack",
        shares=(quality, _bonus(weapon, blow.grip, "VER-T27")),
        changes=(*changes, *burdens(table, blow.attacker, MOUNTS_ROLL), *granted(table, blow.attacker, "VER-022")),
        needs=MOUNTS_ROLL,
        may_push=False,
        rules=("VER-063", "VER-064", *_circumstances(table, blow, changes, shared)),
    )


def odds(table: Table, blow: Blow, weapon: Item, shared: Relation | None) -> list[Modifier]:
    """List what the moment gives and takes: numbers, the saddle, a prone target, a crowd (VER-035, 046, 065)."""
    found = on_target(table, blow.struck, melee=blow.melee)
    if not blow.melee:
        return found + crowd(table, blow.attacker, blow.struck)
    if shared is not None:
        found = by_numbers(table, shared.id, blow.attacker, blow.struck) + found
    if "short" not in weapon.traits and mount_under(table, blow.attacker):
        found.append(Modifier(value=1, label="mounted", source=blow.attacker, rule="VER-065"))
    return found + remembered(table, blow, weapon) if blow.attacker in table.draft.marks else found


def remembered(table: Table, blow: Blow, weapon: Item) -> list[Modifier]:
    """List what training gives after a miss at the same target, and on coming into a melee (table 5.7)."""
    found = []
    again = table.mark(blow.attacker, f"relentless/{blow.struck}")
    if isinstance(again, int):
        source = f"{blow.attacker}.relentless"
        found.append(Modifier(value=again, label="relentless", source=source, rule="VER-T29"))
    if table.mark(blow.attacker, "pushing") is not None and is_pike(weapon):
        source = f"{blow.attacker}.pike-push"
        found.append(Modifier(value=2, label="pike push", source=source, rule="VER-T29"))
    return found


def is_pike(weapon: Item) -> bool:
    """Tell whether a weapon pushes, whoever made it."""
    return weapon.name.rpartition(" ")[2] in PIKES


def on_target(table: Table, struck: Id, *, melee: bool) -> list[Modifier]:
    """List the dice that a target's conditions give to whoever attacks it, whatever their count (VER-S30)."""
    found = []
    for name in table[struck].conditions:
        row = conditions().get(name)
        dice = 0 if row is None else row.against.get("all", 0) + (row.against.get("melee", 0) if melee else 0)
        if dice:
            found.append(Modifier(value=dice, label=f"{name} target", source=f"{struck}.{name}", rule="VER-S30"))
    return found


def crowd(table: Table, shooter: Id, target: Id) -> list[Modifier]:
    """Take a die for every participant beyond four in the target's melee, the shooter aside (VER-045 to VER-047)."""
    melee = melee_of(table, target)
    if melee is None:
        return []
    count = sum(one != shooter for one in in_the_way(table, participants(table, melee)))
    if count <= 4:
        return []
    return [Modifier(value=4 - count, label="crowd", source=melee.id, rule="VER-046")]


def in_the_way(table: Table, members: tuple[Id, ...]) -> tuple[Id, ...]:
    """Return which members of a melee count for shots into it: mounts too, unless configured otherwise (VER-047)."""
    if table.config.mount_counts_in_shooting:
        return members
    return tuple(one for one in members if not is_mount(table, one))


def _forgotten(table: Table, blow: Blow) -> Rule[None]:
    """Strike out what was noted for one attack alone."""
    for key in (f"relentless/{blow.struck}", "pushing") if blow.melee else ():
        if table.mark(blow.attacker, key) is not None:
            yield marked(blow.attacker, key, None, "VER-T29")


def fired(table: Table, blow: Blow) -> Rule[None]:
    """Use up the shot; powder must be loaded again and deafens all around (VER-043, VER-S25, VER-S28)."""
    weapon = weapon_of(table, blow)
    if group_of(weapon) not in FIRED:
        return
    ammunition = ammunition_for(table, blow.attacker, weapon)
    if ammunition is not None:
        yield item_counted(table, ammunition.id, "count", ammunition.counters["count"] - 1, "VER-043")
    if "reloading" in weapon.traits:
        yield item_counted(table, weapon.id, "loaded", 0, "VER-S25")
    if group_of(weapon) == "blackpowder":
        melee = melee_of(table, blow.attacker)
        members = (one.who for one in melee.members) if melee is not None else (blow.attacker,)
        for who in tuple(members):
            yield from afflict(table, who, "deafened", 1, "VER-S28")
