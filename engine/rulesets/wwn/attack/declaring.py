"""The declaration of an attack, its cost and its target."""

from collections.abc import Iterable
from contextlib import suppress
from typing import Any, Literal, Self

from msgspec.json import decode
from msgspec.structs import replace

from affray.engine.core.actions import Action, declared_as
from affray.engine.core.effects import Rule
from affray.engine.core.state import Item
from affray.engine.errors import Refused
from affray.engine.kit.sides import Enemy
from affray.engine.rulesets.wwn.config import Table
from affray.engine.rulesets.wwn.gear.things import find_mode, find_usual_weapon, list_readied, take_in_hand
from affray.engine.rulesets.wwn.marks import MET
from affray.engine.rulesets.wwn.sheet import ARMS, is_active, must_be_able, must_be_enemy
from affray.engine.rulesets.wwn.turns.acting import has_struck, is_met, spend
from affray.events import Clause, Id, ItemId, Noted

from . import legality
from .blow import build_announcement, commit_shield, strike
from .modifiers import Blow

Mode = Literal["", "melee", "shoot", "throw"]


@declared_as("attack", "attack an enemy", "target", "weapon")
class Attack(Action, frozen=True, kw_only=True):
    """Attack an enemy with a readied weapon.

    Attributes:
        target: An enemy; of rider and mount, either (WWN-G04).
        weapon: The weapon; the usual one if left out.
        mode: The use of the weapon; its usual one if left out.
        dual: A second weapon, for an attack with both (WWN-040).
        spare: With a Less Lethal weapon, whether a felled target lives.
    """

    target: Enemy
    weapon: ItemId = ""
    mode: Mode = ""
    dual: ItemId = ""
    spare: bool = False

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse an illegal attack, with the first reason in the page's order.

        The order is actor, budget, loading, weapon and skill, target, reach, range, sight.
        """
        if manner != "pending":
            must_be_able(table, actor, "WWN-T65")
        elif not is_met(table):
            must_be_able(table, actor, "WWN-T43")
        legality.must_afford_attack(table, actor, manner)
        if manner == "snap":
            legality.must_not_have_passed(table, actor)
        weapon = self.find_weapon(table, actor, "WWN-T67" if manner == "pending" else "WWN-T65")
        mode = self.mode or find_mode(weapon)
        legality.must_be_loaded(weapon, mode)
        legality.must_fit(table, actor, weapon, mode, manner)
        if self.spare and not _can_spare(table, weapon, table.draft.items.get(self.dual)):
            raise Refused(
                "not_less_lethal", "WWN-T68", f"the {weapon.quoted_name} cannot spare its target", source=weapon.id
            )
        if self.dual:
            legality.must_wield_two(table, actor, weapon, mode, table.item(self.dual))
        self._check_target(table, actor, manner)
        legality.must_be_in_reach(table, actor, self.target, weapon, mode)
        legality.must_be_in_sight(table, actor, self.target)

    def _check_target(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse a target out of the fight, no enemy, or spared by the beast (WWN-T65).

        A target that fell at the same moment may still be attacked.
        """
        if manner != "pending":
            must_be_enemy(table, actor, self.target, "WWN-T65")
        else:
            must_still_be_leaving(table)
            if not is_met(table) or self.target not in table.draft.combatants:
                must_be_enemy(table, actor, self.target, "WWN-T43")
        legality.must_be_willing(table, actor, self.target)

    def check_ground(self, table: Table, actor: Id) -> None:
        """Refuse to go on without attacker or target.

        Once the die has fallen, the attacker is no longer needed. The weapon is checked when the die is rolled.
        """
        if not has_struck(table) and not is_met(table):
            must_be_able(table, actor, "WWN-T43")
        self._check_target(table, actor, "pending")
        if not has_struck(table):
            legality.must_be_in_sight(table, actor, self.target)

    def find_weapon(self, table: Table, actor: Id, rule: Clause = "WWN-T65") -> Item:
        """Return the weapon: the named one, or the usual one for the mode.

        Raises:
            Refused: there is no weapon, or it is not the actor's.
        """
        weapon = table.item(self.weapon) if self.weapon else find_usual_weapon(table, actor, self.mode)
        if weapon is None:
            raise table.refuse(actor, "has nothing to attack with", "WWN-T14", "weapon_not_readied")
        if weapon.owner != actor or weapon.kind not in ARMS:
            message = f"the {weapon.quoted_name} is no weapon of {table.name_of(actor)}"
            raise Refused("not_owned", rule, message, source=weapon.id)
        return weapon

    def fix_choices(self, table: Table, actor: Id) -> Self:
        """Fix the weapon that is usual at the declaration (WWN-T67)."""
        return self if self.weapon else replace(self, weapon=self.find_weapon(table, actor).id)

    def build_blow(self, table: Table, actor: Id, *, snap: bool, rules: tuple[Clause, ...] = ()) -> Blow:
        """Return the attack to be rolled, with the clauses that allow it."""
        weapon = self.find_weapon(table, actor)
        mode = self.mode or find_mode(weapon)
        return Blow(self.target, weapon.id, mode, self.dual, self.spare, snap, rules=rules)

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Spend the Main Action, take the weapon, commit the shield, announce the AC."""
        pending, rules = table.pending(), ("WWN-008", *_list_mount_clauses(table, actor))
        yield from spend(table, actor, manner, "main", *(("WWN-021",) if manner == "snap" else rules))
        if manner == "snap" and table.config.snap_timing == "simultaneous" and pending is not None:
            yield MET.set_on(pending.id, True, "WWN-T57")
        blow = self.build_blow(table, actor, snap=manner == "snap")
        if table.item(blow.weapon).where == "readied":
            yield from take_in_hand(table, actor, blow.weapon, "WWN-T14")
        if blow.dual:
            announced = list_announcements(table, actor)
            yield from commit_shield(table, actor, blow)
            yield from repeat_announcements(table, actor, announced)
        if table.config.announce_ac:
            yield build_announcement(table, actor, blow)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Make the attack (WWN-T44)."""
        pending = table.pending()
        snap = pending is not None and pending.manner == "snap"
        yield from strike(
            table, actor, self.build_blow(table, actor, snap=snap, rules=_list_mount_clauses(table, actor))
        )

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """Return the usual weapon and all others, a second one, and sparing."""
        named = table.draft.items.get(so_far.weapon) if field not in cls.words else None
        match field:
            case "weapon":
                return ("", *(item.id for item in list_readied(table, actor)))
            case "mode" if named and "T" in named.traits:
                return ("", "throw")
            case "dual" if named and named.where == "hand":
                return (
                    "",
                    *(item.id for item in list_readied(table, actor) if item.where == "hand" and item is not named),
                )
            case "spare" if named and _can_spare(table, named, table.draft.items.get(so_far.dual)):
                return (False, True)
            case _:
                return super().values(table, actor, manner, field, so_far)


def _can_spare(table: Table, *arms: Item | None) -> bool:
    """Tell whether a Less Lethal weapon may strike, also if named after the roll (WWN-T68)."""
    late = table.config.dual_choice == "after_hit"
    return any(one is not None and "LL" in one.traits for one in (arms if late else arms[:1]))


def list_announcements(table: Table, target: Id) -> list[Noted]:
    """Return the present announcements for pending attacks on a combatant.

    Only known attackers count: the announcement of a concealed one was sealed with its attack.
    """
    if not table.config.announce_ac:
        return []
    found = []
    for one in table.draft.stack:
        if one.kind == Attack.kind and target in one.targets and table.is_known(one.actor):
            with suppress(Refused):
                blow = decode(one.params, type=Attack).build_blow(table, one.actor, snap=False)
                found.append(build_announcement(table, one.actor, blow))
    return found


def repeat_announcements(table: Table, target: Id, before: list[Noted]) -> Rule[None]:
    """Repeat announcements of pending attacks that have changed."""
    yield from (note for note in list_announcements(table, target) if note not in before)


def must_still_be_leaving(table: Table) -> None:
    """Refuse a free attack at a leaver who has been felled (WWN-T54)."""
    stack = table.draft.stack
    mover = stack[-2].actor if len(stack) > 1 and stack[-1].manner == "free" else ""
    if mover and not is_active(table, mover):
        raise table.refuse(mover, "is out of the fight", "WWN-T54", "target_out")


def _list_mount_clauses(table: Table, actor: Id) -> tuple[Clause, ...]:
    """Return the clause by which a mount may attack, if the attacker is one (WWN-058, WWN-T32)."""
    traits = table[actor].traits
    if "mount" not in traits:
        return ()
    return ("WWN-058", "WWN-T32") if "war_trained" in traits else ("WWN-059",)
