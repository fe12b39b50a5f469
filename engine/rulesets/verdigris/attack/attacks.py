"""Attacks that a combatant declares or readies, and the start of every action."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Annotated, Any, Literal, Self

from msgspec import Meta, field
from msgspec.structs import replace

from affray.engine.core.actions import Action, declared_as
from affray.engine.core.candidates import Among, Target
from affray.engine.core.changes import set_condition
from affray.engine.core.effects import Roll, Rule, throw
from affray.engine.core.marks import Mark
from affray.engine.errors import Unusable
from affray.engine.rulesets.verdigris import marks, sheet
from affray.engine.rulesets.verdigris.chapters.free_attacks import fire_readied
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.gear.things import (
    find_weapon_for,
    is_melee,
    list_held,
    must_be_loaded,
    must_be_wieldable,
)
from affray.engine.rulesets.verdigris.harm.conditions import lose_readied
from affray.engine.rulesets.verdigris.turns.order import Deed, done_for, find_manner
from affray.events import CombatantId, Dice, Id, ItemId, Judged, PlaceId, Words

from .exchange import exchange
from .striking import Grip, Mighty, build_blow, choose_weapon, must_be_bold_enough, must_be_strikable

Cause = Literal["enters_zone", "leaves_zone", "enters_melee", "leaves_melee", "acts", "other"]


@declared_as("attack", "strike or shoot at an enemy", "target", "weapon", own_trigger="attack")
@done_for("action", "VER-023")
class Attack(Deed, frozen=True, kw_only=True):
    """Strike an enemy in the same melee, or shoot at any, against its Dodge save.

    Attributes:
        weapon: A weapon in hand; a fitting one by default.
        strike: Whether rider or mount is struck; needed against a mounted target (VER-067).
        grip: The number of hands, for a flexible weapon (VER-S21).
        mighty: Stress taken on a hit for the same extra damage, up to the level of Strike Mighty Blow.
        background: Whether the background fits (VER-S01).
    """

    target: Foe
    weapon: Arm = ""
    strike: sheet.Strike = ""
    grip: Grip = ""
    mighty: Mighty = 0
    background: bool = False

    def must_fit(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse an unfit weapon, target or reach, in the page's order."""
        weapon = choose_weapon(table, actor, self.target, self.weapon)
        must_be_loaded(table, actor, weapon)
        must_be_wieldable(table, actor, weapon, self.grip)
        sheet.must_have_background(table, actor, self.background)
        must_be_bold_enough(table, actor, self.mighty, weapon)
        must_be_strikable(table, actor, self.target, weapon, self.strike, find_manner(table, manner))

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Strike the target."""
        if not (yield from begin_action(table, self, actor)):
            return
        strike = build_blow(table, actor, self.target, self.weapon, self.strike, self.grip)
        yield from exchange(table, replace(strike, mighty=self.mighty, fits=self.background))

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """Return both rider and mount, and every grip."""
        match field:
            case "strike":
                return sheet.strike_choices(table, so_far.target)
            case "grip" if "flexible" in table.item(so_far.weapon).traits:
                return ("", "two")
            case _:
                return super().values(table, actor, manner, field, so_far)


def list_foes(table: Table, actor: Id) -> list[Id]:
    """Return the enemies who are in play."""
    return [who for who in table.draft.combatants if sheet.is_enemy(table, actor, who) and sheet.is_in_play(table, who)]


def list_arms(table: Table, actor: Id) -> list[Id]:
    """Return a combatant's weapons in hand, and its bare hands."""
    return [*(item.id for item in list_held(table, actor) if item.kind == "weapon"), f"{actor}.unarmed"]


Foe = Annotated[Target, Among(list_foes)]
"""An enemy in play, at whom an action is aimed."""

Arm = Annotated[ItemId, Among(list_arms)]
"""A weapon in hand."""


@declared_as("ready", "ready an attack for a trigger", "trigger", "zone")
@done_for("action", "VER-072")
class Ready(Deed, frozen=True, kw_only=True):
    """Ready an attack for a trigger.

    It fires before leaving and acting, and after entering.

    Attributes:
        cause: The trigger, recorded as ``trigger``. For ``other`` the game master fires it, by ``text``.
        zone: Fires only in this zone.
        through: Fires only on the way to this zone, for ``leaves_zone`` (VER-073).
        whom: Fires only at this combatant; by default at the first enemy.
        weapon: A weapon in hand; by default the first.
        grip, mighty, background: As in ``Attack``.
        text: The trigger in plain words.
    """

    cause: Cause = field(name="trigger")
    zone: PlaceId = ""
    through: PlaceId = ""
    whom: CombatantId = ""
    weapon: ItemId = ""
    grip: Grip = ""
    mighty: Mighty = 0
    background: bool = False
    text: Annotated[Words, Meta(max_length=200)] = ""

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse an unknown zone or combatant, and then what every action refuses."""
        for named, zone in (("zone", self.zone), ("through", self.through)):
            if zone and zone not in table.draft.places:
                known = ", ".join(table.draft.places) or "none"
                raise Unusable(f"there is no zone {zone}; there are {known}", named)
        if self.whom:
            table[self.whom]
        if self.cause == "other" and not self.text.strip():
            raise Unusable("say in words what is waited for", "text")
        super().check(table, actor, manner)

    def must_fit(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse an unfit weapon, in the page's order."""
        weapon = find_weapon_for(table, actor, self.weapon)
        must_be_loaded(table, actor, weapon)
        must_be_wieldable(table, actor, weapon, self.grip)
        sheet.must_have_background(table, actor, self.background)
        must_be_bold_enough(table, actor, self.mighty, weapon)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Hold the attack until it fires, the next own turn, or incapacity (VER-073)."""
        if not (yield from begin_action(table, self, actor)):
            return
        yield from lose_readied(table, actor)
        weapon = find_weapon_for(table, actor, self.weapon)
        rule = "VER-073" if is_melee(weapon) and self.cause == "leaves_zone" else "VER-072"
        order = marks.READIED_COUNT.of(table, marks.FIGHT)
        if table.is_known(actor):  # a concealed combatant comes after those who readied openly, and is not counted
            order += 1
            yield marks.READIED_COUNT.set_on(marks.FIGHT, order, rule)
        yield set_condition(table, actor, "readied", 1, rule, "VER-075")
        yield marks.READIED_ORDER.set_on(actor, order, rule)
        yield marks.READIED_TRIGGER.set_on(actor, self.cause, rule)
        notes: dict[Mark[Any], str | int] = {
            marks.READIED_WEAPON: weapon.id,
            marks.READIED_ZONE: self.zone,
            marks.READIED_THROUGH: self.through,
            marks.READIED_WHOM: self.whom,
            marks.READIED_GRIP: self.grip,
            marks.READIED_MIGHTY: self.mighty,
            marks.READIED_BACKGROUND: self.background,
            marks.READIED_TEXT: self.text,
        }
        for mark, value in notes.items():
            if value:
                yield mark.set_on(actor, value, rule)

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """Return the triggers that can happen in the own zone, and actions of others."""
        match field:
            case "cause":
                return ("enters_zone", "leaves_zone", "enters_melee", "leaves_melee", "acts")
            case "zone" if so_far.cause != "acts":
                return (table[actor].place,)
            case _:
                return super().values(table, actor, manner, field, so_far)


def begin_action(table: Table, action: Action, actor: Id, *, free: bool = False) -> Rule[bool]:
    """Let readied attacks come first, then test whether an ensnared actor fails.

    Args:
        action: The action under way; it is checked again if a readied attack came first.
        free: Whether it is an attempt to get free, which being ensnared cannot spoil.
    """
    if not table.derive(sheet.list_readied) and not table[actor].has("ensnared"):
        return True
    if (yield from fire_readied(table, actor, "acts")):
        action.check(table, actor, "pending")
    return free or not (yield from hamper(table, actor))


def _build_ensnared_roll(table: Table, actor: Id) -> Roll | None:
    """Return the d6 that may spoil an action while the actor is ensnared (VER-T68)."""
    if not table[actor].has("ensnared"):
        return None
    dice = (Dice(count=1, sides=6, kind="ensnared"),)
    return Roll(dice=dice, purpose="ensnared", by=actor, against=4, rules=("VER-S20", "VER-T68"))


def hamper(table: Table, actor: Id) -> Rule[bool]:
    """Fail an ensnared actor's action on a d6 of 1 to 3, before its other dice."""
    roll = yield from throw(partial(_build_ensnared_roll, table, actor))
    if roll is None:
        return False
    fails: bool = roll.total <= 3
    outcome = "failed" if fails else "passed"
    yield Judged(roll=roll.roll, outcome=outcome, margin=roll.total - 4, rules=("VER-S20",))
    return fails
