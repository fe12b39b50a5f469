"""What an attack takes: an action, a weapon that is loaded and fits, somebody in reach and sight.

The refusals stand in the page's order (WWN-008, WWN-016 to WWN-024, WWN-038 to WWN-051, WWN-059, WWN-G05).
"""

from __future__ import annotations

from affray.engine.core.state import Item
from affray.engine.core.table import Table
from affray.engine.errors import Refused
from affray.events import Id

from .arms import bodily, gift, hands, matches, missile, ready, strikes_with
from .board import LONG, distance, meleed, view
from .hit import unusable_in_melee
from .kit import ARMS
from .play import main_left
from .sheet import is_pc, level, mount_of


def budget(table: Table, actor: Id, manner: str) -> None:
    """Refuse an attack for want of the Main Action, as the manner wants it (WWN-008, WWN-021, WWN-G05)."""
    if manner == "standard":
        main_left(table, actor, "WWN-008")
    elif manner == "snap" and table.pool(actor, "main") < 1:
        denied = "" in table[actor].conditions.get("denied_main", {})
        rule = "WWN-G05" if denied else "WWN-021"
        raise Refused("snap_no_main_action", rule, f"{actor} has no Main Action left this round", f"{actor}.main")


def loaded(weapon: Item, mode: str) -> None:
    """Refuse a weapon that is not loaded, or not set up."""
    if mode != "shoot":
        return
    if not weapon.counters.get("loaded", 1):
        raise Refused("not_loaded", "WWN-T65", f"the {weapon.name} must be reloaded first", source=weapon.id)
    if not weapon.counters.get("set_up", 1):
        raise Refused("not_set_up", "WWN-008", f"the {weapon.name} must be set up first", source=weapon.id)


def fit(table: Table, actor: Id, weapon: Item, mode: str, manner: str) -> None:
    """Refuse a weapon that is out of reach, cannot be used so, or not in this place (WWN-021, 024, 038, 050, 051)."""
    if not ready(weapon):
        rule = "WWN-021" if manner == "snap" else "WWN-T14"
        raise Refused("weapon_not_readied", rule, f"the {weapon.name} is not readied", source=weapon.id)
    if mode == "throw" and "T" not in weapon.traits:
        raise Refused("not_throwable", "WWN-T22", f"the {weapon.name} is not for throwing", source=weapon.id)
    if mode != "throw" and missile(weapon) != (mode == "shoot"):
        raise Refused("wrong_mode", "WWN-008", f"the {weapon.name} cannot be used in {mode}", source=weapon.id)
    if manner == "free" and (mode != "melee" or _missing(table, actor, weapon)):
        raise Refused("wrong_mode", "WWN-T34", "a free attack is made with what is in hand", source=weapon.id)
    if missile(weapon):
        shootable(table, actor, weapon)


def shootable(table: Table, actor: Id, weapon: Item) -> None:
    """Refuse a weapon that cannot be shot from the saddle, or while being meleed (WWN-024, WWN-050, WWN-051)."""
    if mount_of(table, actor) and matches(weapon, table.config.unusable_mounted_tags):
        rule = "WWN-051" if "rifle" in weapon.traits else "WWN-050" if "longbow" in weapon.traits else "WWN-T24"
        message = f"the {weapon.name} cannot be used while riding"
        raise Refused("unusable_while_riding", rule, message, source=mount_of(table, actor))
    if unusable_in_melee(table, weapon) and gift(table, actor, "bow_in_melee") is None and meleed(table, actor):
        rule = "WWN-024" if "bow" in weapon.traits else "WWN-T23"
        raise Refused("bow_in_melee", rule, f"{actor} cannot use the {weapon.name} while meleed", weapon.id)


def _missing(table: Table, actor: Id, weapon: Item) -> bool:
    """Tell whether there is nothing to make a free attack with, or it is not in hand."""
    return not (weapon.where == "hand" or bodily(weapon)) or strikes_with(table, actor) is None


def two_weapons(table: Table, actor: Id, weapon: Item, mode: str, other: Item) -> None:
    """Refuse two weapons without the skill, a fist as one of them, or what does not go together (WWN-040, WWN-045)."""
    least = table.config.dual_wield_min_stab
    trained = level(table, actor, "stab") >= least if is_pc(table, actor) else "dual_wields" in table[actor].traits
    if not trained:
        message = f"{actor} needs Stab-{least} to fight with two weapons"
        raise Refused("needs_stab_1", "WWN-040", message, source=f"{actor}.stab")
    for one in (weapon, other):
        if "unarmed" in one.traits:
            raise Refused("unarmed_cannot_dual_wield", "WWN-045", "a fist is no second weapon", source=one.id)
    for one in (weapon, other):
        bad = one.owner != actor or one.where != "hand" or one.kind not in ARMS or missile(one) or bodily(one)
        if bad or hands(one) != 1 or mode != "melee" or weapon.id == other.id:
            message = "it takes two one-handed melee weapons in hand"
            raise Refused("not_dual_wieldable", "WWN-040", message, source=one.id)


def willing(table: Table, actor: Id, target: Id) -> None:
    """Refuse to let an ordinary beast attack whoever has not attacked it (WWN-059)."""
    traits = table[actor].traits
    if "mount" not in traits or "war_trained" in traits:
        return
    if table.mark(actor, f"attacked/{target}") is None and table.mark(actor, f"allowed/{target}") is None:
        message = f"{target} has not attacked {actor} itself since its last turn"
        raise Refused("beast_fights_only_in_self_defense", "WWN-059", message, source=actor)


def in_range(table: Table, actor: Id, target: Id, weapon: Item, mode: str) -> None:
    """Refuse a target beyond the reach or range of a weapon (WWN-016, WWN-022)."""
    apart = distance(table, actor, target)
    if mode == "melee":
        reach = reach_of(table, weapon)
        if apart > reach:
            raise Refused("out_of_reach", "WWN-T16", f"{target} is {apart} ft away, beyond {reach} ft", source=target)
    elif apart > weapon.stats["far"]:
        far = weapon.stats["far"]
        raise Refused("out_of_range", "WWN-022", f"{target} is {apart} ft away, beyond {far} ft", source=target)


def reach_of(table: Table, weapon: Item) -> int:
    """Return how far a weapon reaches in melee, in feet."""
    near = int(table.config.adjacent_ft)
    return max(near, LONG) if "L" in weapon.traits else near


def in_sight(table: Table, actor: Id, target: Id) -> None:
    """Refuse a target that is wholly covered (WWN-020)."""
    if view(table, actor, target) == "blocked":
        message = f"{target} is wholly covered from {actor}"
        raise Refused("no_line_of_sight", "WWN-T20", message, source=f"{actor}>{target}")
