"""Readied actions (VER-072 to VER-076)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, ClassVar, Literal, Self

from msgspec import Meta, field

from affray.engine.core.actions import Action
from affray.engine.core.changes import condition_set, marked
from affray.engine.core.effects import Rule
from affray.engine.core.table import Table
from affray.engine.errors import Unusable
from affray.events import CombatantId, Id, ItemId, PlaceId, Words

from .acting import begins
from .fall import no_longer_ready
from .gear import is_melee, weapon_for
from .striking import shootable, wieldable
from .turns import paid, playable, unforbidden

Trigger = Literal["enters_zone", "leaves_zone", "enters_melee", "leaves_melee", "acts", "other"]


class Ready(Action, frozen=True, kw_only=True):
    """Ready an attack for what somebody may do; it comes before leaving and acting, and after entering (VER-072).

    Attributes:
        cause: Recorded as ``trigger``: what sets it off; ``other`` is what ``text`` says, for the game master to call.
        zone: Only in this zone.
        through: Only by the way to this zone, for ``leaves_zone`` (VER-073).
        whom: Only this combatant; the first enemy if not given.
        weapon: Item id of the weapon in hand; the first one if not given.
        text: What is waited for, in plain words.
    """

    kind: ClassVar[str] = "ready"
    says: ClassVar[str] = "ready an attack for what somebody may do"
    words: ClassVar[tuple[str, ...]] = ("trigger", "zone")

    cause: Trigger = field(name="trigger")
    zone: PlaceId = ""
    through: PlaceId = ""
    whom: CombatantId = ""
    weapon: ItemId = ""
    text: Annotated[Words, Meta(max_length=200)] = ""

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in the page's order: actor, budget, shot, weapon; a place or person nobody knows cannot be used."""
        for named, zone in (("zone", self.zone), ("through", self.through)):
            if zone and zone not in table.draft.places:
                known = ", ".join(table.draft.places) or "none"
                raise Unusable(f"there is no zone {zone}; there are {known}", named)
        if self.whom:
            table[self.whom]
        if self.cause == "other" and not self.text.strip():
            raise Unusable("say in words what is waited for", "text")
        playable(table, actor, manner, "action", self.kind)
        weapon = weapon_for(table, actor, self.weapon)
        shootable(table, actor, weapon)
        wieldable(table, actor, weapon, "")
        unforbidden(table, actor, manner, self.kind, "VER-072")

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Take the action."""
        yield from paid(table, actor, "action", "VER-072")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Hold it until it fires, the next own turn, or one can no longer act (VER-075)."""
        if not (yield from begins(table, self, actor)):
            return
        yield from no_longer_ready(table, actor)
        weapon = weapon_for(table, actor, self.weapon)
        rule = "VER-073" if is_melee(weapon) and self.cause == "leaves_zone" else "VER-072"
        held = table.mark("fight", "readied")
        order = (held if isinstance(held, int) else 0) + 1
        yield marked("fight", "readied", order, rule)
        yield condition_set(table, actor, "readied", 1, rule, "VER-075")
        told = {"weapon": weapon.id, "zone": self.zone, "through": self.through, "whom": self.whom, "text": self.text}
        noted = {"order": order, "trigger": self.cause, **{key: value for key, value in told.items() if value}}
        for key, value in noted.items():
            yield marked(actor, f"readied/{key}", value, rule, until="it fires, or the next own turn")

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """Return what may be waited for in the own zone, and that somebody acts."""
        match field:
            case "cause":
                return ("enters_zone", "leaves_zone", "enters_melee", "leaves_melee", "acts")
            case "zone" if so_far.cause != "acts":
                return (table[actor].place,)
            case _:
                return super().values(table, actor, manner, field, so_far)
