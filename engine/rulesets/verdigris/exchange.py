"""One blow from its dice to what it does (VER-023 to 030, VER-043 to 049, VER-054 to 058, VER-077 to 080, VER-099)."""

from __future__ import annotations

from functools import partial

from msgspec import Struct

from affray.engine.core.changes import marked, pool_set
from affray.engine.core.effects import Go, Rule
from affray.engine.core.state import Item
from affray.engine.core.table import Table
from affray.events import Clause, Id, Judged, Modifier

from .blows import Blow, aimed, fired, weapon_of
from .defence import alarmed, dodged, dodged_in_vain, withstood
from .effects import crushed, crushes, ensnared
from .gear import damage_of
from .harm import dealt, hurt
from .refusing import no
from .riding import mount_under, ridden
from .sheet import ENEMIES, in_play, is_mount, is_pc, no_stress, stat
from .stray import may_stray, strayed
from .striking import stands
from .tests import Outcome


class Landed(Struct, frozen=True):
    """A blow that hit.

    Attributes:
        blow: Which one.
        sl: The attacker's own SL.
        net: What Dodge left of it.
    """

    blow: Blow
    sl: int
    net: int


def exchange(table: Table, blow: Blow) -> Rule[Landed | None]:
    """Attack, Dodge, Withstand: a blow connects with more SL than the Dodge save has (VER-026, VER-027).

    Comes to the blow as it landed, or to nothing if it missed.
    """
    if table.derived(ridden):
        yield from alarmed(table, blow.struck)
    ground = partial(stands, table, blow)
    attack = yield from aimed(table, blow, ground)
    if not blow.melee:
        yield from fired(table, blow)
    yield Go("aimed", rules=("VER-026", "VER-T01"))
    if not in_play(table, blow.struck):
        raise no("VER-023", f"{blow.struck} is out of play", blow.struck)
    rests = ground if attack.sl else None  # what cannot hit needs no striker and no weapon any more
    rules = _why_dodged(blow, attack)
    dodge = yield from dodged(table, blow.struck, blow.attacker, weapon_of(table, blow), rests, *rules)
    net = attack.sl - dodge.sl
    astray = net <= 0 and may_stray(table, blow, attack, net)
    yield _judged(table, blow, attack, net, astray)
    if net <= 0:
        yield from _missed(table, blow, attack, astray)
        return None
    if dodge.pushed:
        yield from dodged_in_vain(table, blow.struck, dodge)
    if blow.manner == "panicked" and table.pool(blow.attacker, "stress"):
        yield pool_set(table, blow.attacker, "stress", no_stress(table, blow.attacker), "VER-S12")
    landed = Landed(blow, attack.sl, net)
    yield from _lands(table, landed)
    return landed


def _why_dodged(blow: Blow, attack: Outcome) -> tuple[Clause, ...]:
    """Return the clauses that call for the Dodge save."""
    ranged = () if blow.melee else ("VER-044",)
    called = ("VER-059",) if blow.aim else ()
    spoilt = ("VER-T40",) if attack.panicked else ()
    return ("VER-026", *ranged, *called, *spoilt)


def _judged(table: Table, blow: Blow, attack: Outcome, net: int, astray: bool) -> Judged:
    rules: tuple[Clause, ...] = ("VER-027",)
    outcome = "hit" if net > 0 else "stray" if astray else "miss"
    if net > 0 and is_critical(table, blow, attack.sl):
        outcome, rules = "critical", (*rules, "VER-077")
    elif net > 0 and blow.aim == "effect" and attack.sl >= table.config.crit_sixes:
        rules = (*rules, "VER-T42")
    elif astray:
        rules = (*rules, "VER-048")
    return Judged(roll=attack.roll, outcome=outcome, margin=net, rules=rules)


def is_critical(table: Table, blow: Blow, sl: int) -> bool:
    """Tell whether a hit is critical: by the attacker's own SL, never by a mount or a shot for an effect (VER-077)."""
    return bool(sl >= table.config.crit_sixes) and blow.aim != "effect" and not is_mount(table, blow.attacker)


def maims(table: Table, blow: Blow) -> bool:
    """Tell whether a critical hit injures instead of doing more damage: an enemy's on a player character (VER-080)."""
    by_an_enemy = not is_pc(table, blow.attacker) and table[blow.attacker].side == ENEMIES
    return by_an_enemy and is_pc(table, blow.struck)


def _missed(table: Table, blow: Blow, attack: Outcome, astray: bool) -> Rule[None]:
    """Miss; the relentless remember it, and a shot into a melee may strike somebody else (VER-048)."""
    relentless = stat(table, blow.attacker, "relentless")
    if relentless:
        yield marked(blow.attacker, f"relentless/{blow.struck}", relentless, "VER-T29", until="the next attack on it")
    if astray:
        yield Go("strayed", rules=("VER-048",))
        yield from strayed(table, blow, attack)
    else:
        yield Go("missed", rules=("VER-027",))


def _lands(table: Table, landed: Landed) -> Rule[None]:
    """Hurt the one who is struck: gross damage, less the SL of a Withstand save (VER-028, VER-030)."""
    blow = landed.blow
    if blow.aim == "effect" and table.config.called_shot_effect_damage == "none":
        yield Go("spared", rules=("VER-056",))
        return
    terms = yield from _gross(table, landed)
    yield Go("struck", rules=("VER-028",))
    weapon = weapon_of(table, blow)
    guard = yield from withstood(table, blow.struck, blow.attacker, weapon)
    critical = is_critical(table, blow, landed.sl) and maims(table, blow)
    aims = {"effect": ("VER-056",), "vital": ("VER-054",)}.get(blow.aim, ())
    why = (*aims, "VER-079") if critical else aims
    amount = yield from dealt(table, blow.struck, terms, guard, "VER-030", *why)
    yield Go("withstood", rules=("VER-089",))
    yield from hurt(table, blow.struck, amount, critical=critical)
    if crushes(table, blow.attacker, weapon):
        yield from crushed(table, blow.struck)
    if "ensnaring" in weapon.traits and in_play(table, blow.struck):
        yield from ensnared(table, blow.attacker, blow.struck, weapon, landed.net)


def _gross(table: Table, landed: Landed) -> Rule[list[Modifier]]:
    """List what a hit does before Withstand (VER-054, VER-056, VER-078 to 080, VER-099)."""
    blow = landed.blow
    weapon = weapon_of(table, blow)
    harm = damage_of(weapon, blow.grip)
    terms = [Modifier(value=harm, label=weapon.name, source=weapon.id, rule="VER-098")]
    if is_critical(table, blow, landed.sl) and not maims(table, blow):
        rule = "VER-078" if is_pc(table, blow.attacker) else "VER-080"
        terms.append(Modifier(value=harm, label="critical", source=weapon.id, rule=rule))
    if not (blow.aim == "effect" and table.config.called_shot_effect_damage == "listed_only"):
        sl = landed.net if table.config.damage_sl == "net" else landed.sl
        terms.append(Modifier(value=sl, label="SL", source="sl", rule="VER-099"))
    terms += _by_training(table, blow, weapon, harm)
    if blow.mighty:
        yield from _mighty(table, blow, terms)
    if blow.melee and table.mark(blow.attacker, "charging") is not None:
        charge = stat(table, blow.attacker, "berserk-charge")
        source = f"{blow.attacker}.berserk-charge"
        terms.append(Modifier(value=charge, label="berserk charge", source=source, rule="VER-T29"))
        yield marked(blow.attacker, "charging", None, "VER-T29")
    most = weapon.stats.get("max", harm + 6)
    now = sum([term.value for term in terms])
    if blow.aim == "vital" and now < most:
        terms.append(Modifier(value=most - now, label="weak spot", source=weapon.id, rule="VER-T24"))
    return terms


def _mighty(table: Table, blow: Blow, terms: list[Modifier]) -> Rule[None]:
    """Gain stress for as much more damage (table 5.7)."""
    stress = table.pool(blow.attacker, "stress")
    yield pool_set(table, blow.attacker, "stress", stress + blow.mighty, "VER-T29")
    source = f"{blow.attacker}.strike-mighty-blow"
    terms.append(Modifier(value=blow.mighty, label="mighty blow", source=source, rule="VER-T29"))


def _by_training(table: Table, blow: Blow, weapon: Item, harm: int) -> list[Modifier]:
    """List what talents and the saddle add to a hit (VER-S22, table 5.7)."""
    who = blow.attacker
    found = []
    if "impact" in weapon.traits and mount_under(table, who):
        found.append(Modifier(value=1, label="impact", source=weapon.id, rule="VER-S22"))
    talents = [("accurate-shot", not blow.melee, 0), ("dirty-fighting", weapon.traits[0] == "brawling", 0)]
    talents.append(("slayer", blow.melee and _towers(table, blow.struck, who), harm))
    for talent, applies, amount in talents:
        level = stat(table, who, talent)
        if applies and level:
            label = talent.replace("-", " ")
            found.append(Modifier(value=amount or level, label=label, source=f"{who}.{talent}", rule="VER-T29"))
    return found


def _towers(table: Table, one: Id, other: Id) -> bool:
    """Tell whether one is much larger than the other."""
    return "large" in table[one].traits and "large" not in table[other].traits
