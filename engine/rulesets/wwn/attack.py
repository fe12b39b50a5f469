"""Attacks: what may be declared, and what it costs (WWN-008, WWN-021 to WWN-024, WWN-040 to WWN-052, WWN-058, 059)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal, Self

from affray.engine.actions import Action
from affray.engine.errors import Refused
from affray.engine.facts import marked
from affray.engine.rule import Rule
from affray.engine.sides import enemies
from affray.engine.state import Item
from affray.engine.table import Table
from affray.events import Clause, Id

from .arms import bodily, gift, hands, matches, missile, readied, ready, strikes_with, taken_in_hand, usable
from .blow import announced, committed, mode_of, strike
from .board import LONG, distance, meleed, view
from .hit import Blow, unusable_in_melee
from .kit import ARMS
from .play import main_left, met, paid
from .sheet import an_enemy, in_own_turn, is_pc, level, mount_of, must_be_able

Mode = Literal["", "melee", "shoot", "throw"]


class Attack(Action, frozen=True, kw_only=True):
    """Attack an enemy with a readied weapon (WWN-008).

    Attributes:
        target: Combatant id; of rider and mount, either (WWN-G04).
        weapon: Item id; what is usual if left out.
        mode: How it is used; as is usual for the weapon if left out.
        dual: Item id of a second weapon, for an attack with both (WWN-040).
        spare: With a Less Lethal weapon, whether whom it fells is to live.
    """

    kind: ClassVar[str] = "attack"
    says: ClassVar[str] = "attack an enemy"
    words: ClassVar[tuple[str, ...]] = ("target", "weapon")
    people: ClassVar[tuple[str, ...]] = ("target",)
    things: ClassVar[tuple[str, ...]] = ("weapon", "dual")

    target: Id
    weapon: Id = ""
    mode: Mode = ""
    dual: Id = ""
    spare: bool = False

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in the page's order: actor, budget, loaded, equipment and skill, target, reach, range, sight."""
        at_once = manner == "pending" and met(table)
        if not at_once:
            must_be_able(table, actor, "WWN-021" if manner == "pending" else "WWN-008")
        budget(table, actor, manner)
        weapon = self.armed(table, actor)
        mode = self.mode or mode_of(weapon)
        loaded(weapon, mode)
        fit(table, actor, weapon, mode, manner)
        if self.spare and "LL" not in weapon.traits:
            raise Refused("not_less_lethal", "WWN-025", f"the {weapon.name} spares nobody", source=weapon.id)
        if self.dual:
            two_weapons(table, actor, weapon, mode, table.item(self.dual))
        if not at_once or self.target not in table.draft.combatants:
            an_enemy(table, actor, self.target, "WWN-021" if manner == "pending" else "WWN-008")
        willing(table, actor, self.target)
        in_range(table, actor, self.target, weapon, mode)
        in_sight(table, actor, self.target)
        window = table.draft.window
        if manner == "snap" and window is not None and actor not in window.to:
            raise Refused("already_passed", "WWN-021", f"{actor} has let this moment pass", source=window.id)

    def armed(self, table: Table, actor: Id) -> Item:
        """Return the weapon: the one that was named, or the one that is usual for the mode.

        Raises:
            Refused: there is none, or it is not the actor's.
        """
        weapon = table.item(self.weapon) if self.weapon else usable(table, actor, self.mode)
        if weapon is None:
            raise Refused("weapon_not_readied", "WWN-008", f"{actor} has nothing to attack with", source=actor)
        if weapon.owner != actor or weapon.kind not in ARMS:
            raise Refused("not_owned", "WWN-008", f"{actor} has no weapon {weapon.id}", source=weapon.id)
        return weapon

    def blow(self, table: Table, actor: Id, *, snap: bool, rules: tuple[Clause, ...] = ()) -> Blow:
        """Return what will be rolled, and the clauses that make it an attack."""
        weapon = self.armed(table, actor)
        mode = self.mode or mode_of(weapon)
        return Blow(self.target, weapon.id, mode, self.dual, self.spare, snap, rules=rules)

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Take the Main Action and the weapon, commit the shield, announce the armor class (WWN-008, 035, 047)."""
        if manner == "snap":
            yield from paid(table, actor, manner, "main", "WWN-021")
            pending = table.pending()
            if table.config.snap_timing == "simultaneous" and pending is not None:
                yield marked(pending.id, "met", True, "WWN-021", until="it is over")
        else:
            yield from paid(table, actor, manner, "main", "WWN-008", *_because(table, actor))
        blow = self.blow(table, actor, snap=manner == "snap")
        if table.item(blow.weapon).where == "readied":
            yield from taken_in_hand(table, actor, blow.weapon, "WWN-008")
        if blow.dual:
            yield from committed(table, actor, blow)
        if table.config.announce_ac:
            yield announced(table, actor, blow)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Make the attack."""
        pending = table.pending()
        snap = pending is not None and pending.manner == "snap"
        yield from strike(table, actor, self.blow(table, actor, snap=snap, rules=_because(table, actor)))

    def targets(self) -> tuple[Id, ...]:
        """Return the one who is attacked."""
        return (self.target,)

    @classmethod
    def offers(cls, table: Table, actor: Id, manner: str) -> Iterator[Self]:
        """Yield every enemy, with what is usual and with every other weapon, thrown, and with two weapons."""
        if manner == "standard" and not in_own_turn(table, actor):
            return
        arms = readied(table, actor)
        for target in table.draft.combatants:
            if target == actor or not enemies(table, actor, target):
                continue
            yield cls(target=target)
            for item in arms:
                yield cls(target=target, weapon=item.id)
                if "T" in item.traits:
                    yield cls(target=target, weapon=item.id, mode="throw")
                if "LL" in item.traits:
                    yield cls(target=target, weapon=item.id, spare=True)
                for other in arms:
                    if other is not item and other.where == item.where == "hand":
                        yield cls(target=target, weapon=item.id, dual=other.id)


def _because(table: Table, actor: Id) -> tuple[Clause, ...]:
    """Return the clause that lets a mount attack, if it is one (WWN-058, WWN-059)."""
    traits = table[actor].traits
    if "mount" not in traits:
        return ()
    return ("WWN-058",) if "war_trained" in traits else ("WWN-059",)


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
        raise Refused("not_loaded", "WWN-008", f"the {weapon.name} must be reloaded first", source=weapon.id)
    if not weapon.counters.get("set_up", 1):
        raise Refused("not_set_up", "WWN-008", f"the {weapon.name} must be set up first", source=weapon.id)


def fit(table: Table, actor: Id, weapon: Item, mode: str, manner: str) -> None:
    """Refuse a weapon that is out of reach, cannot be used so, or not in this place (WWN-021, 024, 038, 050, 051)."""
    if not ready(weapon):
        rule = "WWN-021" if manner == "snap" else "WWN-008"
        raise Refused("weapon_not_readied", rule, f"the {weapon.name} is not readied", source=weapon.id)
    if mode == "throw" and "T" not in weapon.traits:
        raise Refused("not_throwable", "WWN-038", f"the {weapon.name} is not for throwing", source=weapon.id)
    shot = missile(weapon)
    if mode != "throw" and shot != (mode == "shoot"):
        raise Refused("wrong_mode", "WWN-008", f"the {weapon.name} cannot be used in {mode}", source=weapon.id)
    if shot and mount_of(table, actor) and matches(weapon, table.config.unusable_mounted_tags):
        rule = "WWN-051" if "rifle" in weapon.traits else "WWN-050"
        message = f"the {weapon.name} cannot be used while riding"
        raise Refused("unusable_while_riding", rule, message, source=mount_of(table, actor))
    if manner == "free" and (mode != "melee" or _missing(table, actor, weapon)):
        raise Refused("wrong_mode", "WWN-G01", "a free attack is made with what is in hand", source=weapon.id)
    if (
        shot
        and unusable_in_melee(table, weapon)
        and gift(table, actor, "bow_in_melee") is None
        and meleed(table, actor)
    ):
        raise Refused("bow_in_melee", "WWN-024", f"{actor} cannot use the {weapon.name} while meleed", weapon.id)


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
            raise Refused("out_of_reach", "WWN-016", f"{target} is {apart} ft away, beyond {reach} ft", source=target)
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
        raise Refused("no_line_of_sight", "WWN-020", message, source=f"{actor}>{target}")
