"""The preview of an action: chance, likely harm, free attacks."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

from affray.engine.core.actions import Action
from affray.engine.core.preview import NOTHING_KNOWN, HarmDone, Prospect
from affray.engine.core.state import Item
from affray.engine.kit.odds import Distribution, chain_rolls, combine, find_chance
from affray.engine.kit.preview import format_percent, list_provoked, round_chance, sum_modifiers, summarise_harm
from affray.engine.kit.riding import rider_of
from affray.engine.kit.sheets import stat
from affray.events import Id, Modifier

from . import sheet
from .attack.attacks import Attack
from .attack.exchange import build_fighter_pool, build_mount_pool, list_ignored_penalties
from .attack.striking import Blow, build_blow, can_be_critical, can_maim, list_training_damage
from .chapters.pools import Share, build_dice, count_stress_dice, list_lost_sl, quality
from .chapters.rolls import list_save_changes, list_test_changes
from .config import Table
from .gear import things
from .harm.damage import list_dodge_changes, list_withstand_changes
from .movement.leaving import LeaveMelee, list_candidates
from .movement.moving import Move, list_exits, list_threats
from .odds import Pool, Target, level, nerves, sixes
from .sheet import is_mount

NEVER = 99
"""More sixes than any pool shows."""


def moves_to_help(table: Table, helper: Id, whom: Id) -> int | None:
    """Count the moves, 0 or 1, that a combatant needs to get into the zone of a patient on its side (VER-018)."""
    one, other = table[helper], table[whom]
    if one.side != other.side or not sheet.is_able(table, helper) or is_mount(table, helper):
        return None
    if one.place == other.place:
        return 0
    stuck = one.has("entangled") or one.has("ensnared") or sheet.melee_of(table, helper) is not None
    return 1 if other.place in list_exits(table, helper) and not stuck else None


def prospect(table: Table, actor: Id, action: Action, manner: str) -> Prospect:
    """Preview an action: a blow by both pools, a move by the attacks it provokes."""
    match action:
        case Attack():
            blow = build_blow(table, actor, action.target, action.weapon, action.strike, action.grip)
            return _blow(table, blow, action.mighty)
        case Move():
            foes = () if action.cautious else list_threats(table, actor, action.to)
            says = "the game master says whether one of them may strike" if foes else ""
            return Prospect(to=action.to, way=1, provokes=list_provoked(foes, "VER-074"), says=says)
        case LeaveMelee():
            foes = list_candidates(table, actor)
            return Prospect(
                provokes=list_provoked(foes, "VER-041"), says="one of the enemies may strike" if foes else ""
            )
        case _:
            return NOTHING_KNOWN


def _blow(table: Table, blow: Blow, mighty: int) -> Prospect:
    """Preview a blow: the chance to beat the Dodge save, and the harm after Withstand.

    Pushes and luck are left out.
    """
    own, weapon = _build_attack_pool(table, blow), table.item(blow.weapon)
    listed = things.damage_of(weapon, blow.grip)
    more = sum_modifiers(list_training_damage(table, blow, weapon, listed)) + mighty
    maims = can_maim(table, blow)
    sixes_needed = NEVER if maims or not can_be_critical(table, blow.attacker) else table.config.crit_sixes
    target = Target(_count_dodge_dice(table, blow, weapon), _count_withstand_dice(table, blow, weapon))
    wins, harm = _compute_hit(own, target, (listed, more), sixes_needed, table.config.damage_sl == "net")
    says = [f"{format_percent(_compute_panic_chance(own.stress))} to need a Panic save"] if own.stress else []
    if maims:
        says.append("a critical hit injures")
    summary = "; ".join([*says, "nothing is pushed yet"])
    hampered = list_lost_sl(table, blow.attacker, frozenset({"tests", "sight", "bodily"}))
    if hampered:
        return Prospect(harm=harm, unknown=("chance",), says=summary)
    return Prospect(chance=round_chance(wins), harm=harm, says=summary)


def _build_attack_pool(table: Table, blow: Blow) -> Pool:
    """Return the attacker's pool: its dice, stress dice, and those of its Panic save."""
    who = blow.attacker
    if is_mount(table, who):
        pool = build_mount_pool(table, blow)
        return Pool(_count(table, pool.shares, pool.changes))
    pool, spared = build_fighter_pool(table, blow), list_ignored_penalties(table, blow)
    changes = [one for one in list_test_changes(table, pool) if one.value > 0 or one.label not in spared]
    panic = _count(table, (_save_share(table, who, "panic"),), list_save_changes(table, who, "panic", ()))
    return Pool(_count(table, pool.shares, changes), count_stress_dice(table, who), panic)


def _count_dodge_dice(table: Table, blow: Blow, weapon: Item) -> int:
    """Return the dice of the Dodge save against a blow.

    The helpless have none. The rider dodges for its mount, unless configured otherwise.
    """
    dodger = blow.struck
    if is_mount(table, dodger):
        if table.config.mount_defence == "quality":
            return _count(table, (quality(table, dodger),), list_save_changes(table, dodger, "dodge", ()))
        dodger = rider_of(table, dodger)
    if not dodger or not sheet.HELPLESS.isdisjoint(table[dodger].conditions):
        return 0
    changes = list_save_changes(table, dodger, "dodge", list_dodge_changes(table, dodger, blow.attacker, weapon))
    return _count(table, (_save_share(table, dodger, "dodge"),), changes)


def _count_withstand_dice(table: Table, blow: Blow, weapon: Item) -> int:
    """Return the dice of the Withstand save, with what armour adds."""
    who = blow.struck
    gear = things.list_armor_against(table, who, blow.attacker, weapon)
    if is_mount(table, who):
        return _count(table, (quality(table, who), *gear), list_save_changes(table, who, "withstand", ()))
    changes = list_save_changes(table, who, "withstand", list_withstand_changes(table, who))
    return _count(table, (_save_share(table, who, "withstand"), *gear), changes)


def _save_share(table: Table, who: Id, kind: str) -> Share:
    return Share("save", stat(table, who, kind), kind, f"{who}.{kind}", "VER-T09")


def _count(table: Table, shares: Sequence[Share], changes: Sequence[Modifier]) -> int:
    """Return how many dice a pool has after all changes."""
    return sum([one.count for one in build_dice(shares, changes, 0, table.config.pool_minimum)[0]])


@cache
def _compute_panic_chance(stress: int) -> Fraction:
    """Return the chance that stress dice show a one."""
    return find_chance(nerves(stress, pushed=False), lambda nerve: nerve[1] > 0)


@cache
def _compute_hit(
    own: Pool, target: Target, listed: tuple[int, int], critical: int, net: bool
) -> tuple[Fraction, HarmDone | None]:
    """Return the chance to hit, and the harm of a hit.

    Args:
        listed: The weapon's damage, which a critical hit doubles, and what is added.
        critical: The number of sixes that makes a hit critical.
        net: Whether sixes of the Dodge save lower the damage.
    """
    both = combine(lambda mine, theirs: (mine, theirs), level(own), sixes(target.dodge))
    hits = {pair: weight for pair, weight in both.items() if pair[0] > pair[1]}
    wins = sum(hits.values(), Fraction(0))
    if not wins:
        return wins, None

    def withstand(pair: tuple[int, int]) -> Distribution[int]:
        mine, theirs = pair
        gross = listed[0] * (2 if mine >= critical else 1) + listed[1] + mine - (theirs if net else 0)
        return combine(lambda saved: max(0, gross - saved), sixes(target.withstand))

    return wins, summarise_harm(chain_rolls({pair: weight / wins for pair, weight in hits.items()}, withstand), "hp")
