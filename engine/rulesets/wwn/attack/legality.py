"""The legality of an attack: budget, weapon, reach, sight; and of snap attacks.

The refusals stand in the page's order.
"""

from affray.engine.core.groups.turns import Offer
from affray.engine.core.state import Item
from affray.engine.errors import Refused
from affray.engine.kit.riding import mount_of
from affray.engine.kit.sheets import is_pc
from affray.engine.rulesets.wwn.config import Table
from affray.engine.rulesets.wwn.gear.things import (
    LONG,
    can_strike,
    count_hands,
    find_reach,
    is_bodily,
    is_missile,
    is_of_kind,
    is_ready,
    is_unusable_in_melee,
    list_arms,
)
from affray.engine.rulesets.wwn.marks import ALLOWED, ATTACKED, OBEYS
from affray.engine.rulesets.wwn.movement.board import distance, is_meleed, list_near, view
from affray.engine.rulesets.wwn.sheet import ARMS, find_gift, is_able, level, list_foes
from affray.engine.rulesets.wwn.turns.acting import is_denied, must_afford
from affray.events import Id, Source


def must_afford_attack(table: Table, actor: Id, manner: str) -> None:
    """Refuse an attack without the Main Action that its manner needs (WWN-G05)."""
    if manner == "standard":
        must_afford(table, actor, "main", "WWN-008")
    elif manner == "snap" and table.pool(actor, "main") < 1:
        rule = "WWN-G05" if is_denied(table, actor, "main") else "WWN-021"
        raise table.refuse(actor, "has no Main Action left this round", rule, "snap_no_main_action", f"{actor}.main")


def must_be_loaded(weapon: Item, mode: str) -> None:
    """Refuse a weapon that is not loaded or not set up."""
    if mode != "shoot":
        return
    if not weapon.counters.get("loaded", 1):
        raise Refused("not_loaded", "WWN-T65", f"the {weapon.quoted_name} must be reloaded first", source=weapon.id)
    if not weapon.counters.get("set_up", 1):
        raise Refused("not_set_up", "WWN-T65", f"the {weapon.quoted_name} must be set up first", source=weapon.id)


def must_fit(table: Table, actor: Id, weapon: Item, mode: str, manner: str) -> None:
    """Refuse a weapon that is not ready, or not fit for this mode or place (WWN-T22)."""
    if not is_ready(weapon):
        rule = {"snap": "WWN-021", "pending": "WWN-T67"}.get(manner, "WWN-T14")
        raise Refused("weapon_not_readied", rule, f"the {weapon.quoted_name} is not readied", source=weapon.id)
    if mode == "throw" and "T" not in weapon.traits:
        raise Refused("not_throwable", "WWN-T22", f"the {weapon.quoted_name} is not for throwing", source=weapon.id)
    if mode != "throw" and is_missile(weapon) != (mode == "shoot"):
        use = "shooting" if mode == "shoot" else "melee"
        raise Refused("wrong_mode", "WWN-T65", f"the {weapon.quoted_name} is not for {use}", source=weapon.id)
    if manner == "free" and (mode != "melee" or _is_unfit_for_free_attack(table, actor, weapon)):
        raise Refused("wrong_mode", "WWN-T34", "a free attack is made with what is in hand", source=weapon.id)
    if is_missile(weapon):
        must_be_shootable(table, actor, weapon)


def must_be_shootable(table: Table, actor: Id, weapon: Item) -> None:
    """Refuse a shot from the saddle, or while meleed (WWN-024, WWN-050, WWN-051, WWN-T24)."""
    if mount_of(table, actor) and is_of_kind(weapon, table.config.unusable_mounted_tags):
        rule = "WWN-051" if "rifle" in weapon.traits else "WWN-050" if "longbow" in weapon.traits else "WWN-T24"
        message = f"the {weapon.quoted_name} cannot be used while riding"
        raise Refused("unusable_while_riding", rule, message, source=mount_of(table, actor))
    if (
        is_unusable_in_melee(table, weapon)
        and find_gift(table, actor, "bow_in_melee") is None
        and is_meleed(table, actor)
    ):
        rule = "WWN-024" if "bow" in weapon.traits else "WWN-T23"
        raise table.refuse(actor, f"cannot use the {weapon.quoted_name} while meleed", rule, "bow_in_melee", weapon.id)


def _is_unfit_for_free_attack(table: Table, actor: Id, weapon: Item) -> bool:
    """Tell whether a weapon cannot make a free attack: none in hand, or not this one."""
    return not (weapon.where == "hand" or is_bodily(weapon)) or not can_strike(table, actor)


def must_wield_two(table: Table, actor: Id, weapon: Item, mode: str, other: Item) -> None:
    """Refuse two weapons without the skill, a fist, or a bad pair (WWN-040, WWN-045, WWN-T05)."""
    least = table.config.dual_wield_min_stab
    trained = level(table, actor, "stab") >= least if is_pc(table, actor) else "dual_wields" in table[actor].traits
    if not trained:
        message = f"{table.name_of(actor)} needs Stab-{least} to fight with two weapons"
        raise Refused("needs_stab_1", "WWN-040", message, source=f"{actor}.stab")
    for one in (weapon, other):
        if "unarmed" in one.traits:
            raise Refused("unarmed_cannot_dual_wield", "WWN-045", "a fist is no second weapon", source=one.id)
    for one in (weapon, other):
        bad = one.owner != actor or one.where != "hand" or one.kind not in ARMS or is_missile(one) or is_bodily(one)
        if bad or count_hands(one) != 1 or mode != "melee" or weapon.id == other.id:
            message = "it takes two one-handed melee weapons in hand"
            raise Refused("not_dual_wieldable", "WWN-040", message, source=one.id)


def must_be_willing(table: Table, actor: Id, target: Id) -> None:
    """Refuse to let an ordinary beast attack an enemy who has not attacked it (WWN-059).

    Its rider can force it.
    """
    traits = table[actor].traits
    if "mount" not in traits or "war_trained" in traits:
        return
    if OBEYS.of(table, actor) == table.draft.round:
        return
    if not (ATTACKED.is_on(table, actor, target) or ALLOWED.is_on(table, actor, target)):
        message = f"{table.name_of(target)} has not attacked {table.name_of(actor)} itself since its last turn"
        raise Refused("beast_fights_only_in_self_defense", "WWN-059", message, source=actor)


def must_be_in_reach(table: Table, actor: Id, target: Id, weapon: Item, mode: str) -> None:
    """Refuse a target beyond the weapon's reach or range."""
    apart = distance(table, actor, target)
    far = find_reach(table, weapon) if mode == "melee" else weapon.stats["far"]
    if apart > far:
        code, rule = ("out_of_reach", "WWN-T16") if mode == "melee" else ("out_of_range", "WWN-022")
        raise table.refuse(target, f"is {apart} ft away, beyond {far} ft", rule, code)


def must_be_in_sight(table: Table, actor: Id, target: Id) -> None:
    """Refuse a target that is fully covered."""
    if view(table, actor, target) == "blocked":
        message = f"{table.name_of(target)} is wholly covered from {table.name_of(actor)}"
        raise Refused("no_line_of_sight", "WWN-T20", message, source=Source(of=actor, to=target))


FEW = 9
"""Up to this number of enemies, each is checked, instead of the squares around."""


def offer_snaps(table: Table) -> Offer:
    """Ask all combatants who could make a snap attack now (WWN-021)."""
    acting = table.draft.acting
    asked = [
        one.id
        for one in table.draft.combatants.values()
        if one.pools["main"] > 0 and one.id not in acting and "mount" not in one.traits and can_snap(table, one.id)
    ]
    return Offer(to=tuple(asked), what="snap", rules=("WWN-021", "WWN-T25"))


def can_snap(table: Table, who: Id) -> bool:
    """Tell whether a ready weapon reaches a known enemy.

    A concealed combatant always can: when the table waits for it must not reveal where it stands.
    """
    if not is_able(table, who):
        return False
    if not table.is_known(who):
        return True
    close = table.config.adjacent_ft
    if _has_foe_within(table, who, close):
        return True
    reach, far = close, 0
    for item in list_arms(table, who):
        if is_ready(item):
            if "L" in item.traits:
                reach = max(reach, LONG)
            farther = is_missile(item) and item.stats["far"] > far
            if "T" in item.traits or (farther and _can_shoot(table, who, item)):
                far = max(far, item.stats["far"])
    return (reach > close and _has_foe_within(table, who, reach)) or (far > reach and _has_foe_within(table, who, far))


def _can_shoot(table: Table, who: Id, weapon: Item) -> bool:
    """Tell whether a combatant could shoot a weapon now."""
    if not weapon.counters.get("loaded", 1) or not weapon.counters.get("set_up", 1):
        return False
    if table.config.meleed_requires_adjacent and not table.draft.views and not mount_of(table, who):
        return True
    try:
        must_be_shootable(table, who, weapon)
    except Refused:
        return False
    return True


def must_not_have_passed(table: Table, who: Id) -> None:
    """Refuse a snap attack of a combatant who has passed on this window."""
    window = table.draft.window
    if window is not None and who not in window.to and can_snap(table, who):
        raise Refused("already_passed", "WWN-021", f"{table.name_of(who)} has let this moment pass", source=window.id)


def _has_foe_within(table: Table, who: Id, feet: int) -> bool:
    """Tell whether a known active enemy is in sight within a distance in feet.

    With many enemies, the squares around are looked up instead.
    """
    against = list_foes(table, who)
    if table.draft.concealed:
        against = against.difference(table.draft.concealed)
    among = against if len(against) < FEW or feet > LONG else against.intersection(list_near(table, who, feet))
    for one in among:  # noqa: SIM110 - a generator costs more than what it asks
        if distance(table, who, one) <= feet and view(table, who, one) != "blocked":
            return True
    return False
