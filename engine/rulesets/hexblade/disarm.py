"""Disarming: weapon against weapon, and the better one leaves the other without it (HEX-049 to HEX-054)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Self

from affray.engine.actions import Action
from affray.engine.facts import item_moved
from affray.engine.rule import Go, Roll, Rule
from affray.engine.state import Item
from affray.engine.table import Table
from affray.events import Dice, Id, Modifier, Rolled

from .exchange import Swing, answer, attack, judged, lead
from .ground import can_be_entered
from .hexes import SIDES, around
from .levels import Levels
from .melee import crossed
from .play import adjacent, another, not_just_drawn, paid, playable, used
from .sheet import blade, held, refusal
from .wear import fumbled

TWO_HANDS = 2


class Disarm(Action, frozen=True, kw_only=True):
    """Knock the weapon out of somebody's hand; it counts as an attack (HEX-011, HEX-049 to HEX-054)."""

    kind: ClassVar[str] = "disarm"
    says: ClassVar[str] = "knock the weapon out of somebody's hand, at the risk of being struck"
    words: ClassVar[tuple[str, ...]] = ("target",)
    people: ClassVar[tuple[str, ...]] = ("target",)

    target: Id

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in the page's order: able, budget, own weapon, target, its weapon, distance (HEX-049)."""
        playable(table, actor, manner)
        if "natural" in blade(table, actor).traits:
            raise refusal("HEX-049", f"{actor} has no weapon in hand to disarm with", actor)
        not_just_drawn(table, actor, blade(table, actor))
        another(table, actor, self.target)
        if armed_with(table, self.target) is None:
            raise refusal("HEX-049", f"{self.target} has no weapon in hand", self.target)
        adjacent(table, actor, self.target, "HEX-049")

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Take the action (HEX-011)."""
        yield from paid(table, actor, manner, "HEX-011")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Roll as in an attack; the initiator who wins does no damage, and the weapon falls (HEX-050 to HEX-052)."""
        yield from used(table, actor, "HEX-049", "HEX-065")
        first = yield from attack(
            table, actor, self.target, blade(table, actor).id, "HEX-049", "HEX-050", extra=leverage(table, actor)
        )
        either = table.config.disarm_two_handed_advantage == "either_party"
        extra = leverage(table, self.target) if either else ()
        second = yield from answer(table, first, self.target, "HEX-049", "HEX-050", "HEX-017", extra=extra)
        if lead(first, second) > 0 and not (first.critical and second.critical):
            yield judged(first, second, "wins", "HEX-051")
            yield from disarmed(table, first, second)
        else:
            yield from crossed(table, first, second, "HEX-050")

    def targets(self) -> tuple[Id, ...]:
        """Return the one who is to be disarmed."""
        return (self.target,)

    @classmethod
    def offers(cls, table: Table, actor: Id, manner: str) -> Iterator[Self]:
        """Yield everybody else."""
        for target in table.draft.combatants:
            if target != actor:
                yield cls(target=target)


def armed_with(table: Table, who: Id) -> Item | None:
    """Return what somebody would drop: the melee weapon in hand, or else any other weapon there."""
    weapons = [item for item in held(table, who) if item.kind == "weapon"]
    wielded = blade(table, who)
    return wielded if wielded in weapons else next(iter(weapons), None)


def leverage(table: Table, who: Id) -> Levels:
    """Return the advantage of a weapon that is held in both hands (HEX-053)."""
    weapon = blade(table, who)
    if weapon.stats.get("hands", 0) < TWO_HANDS:
        return ()
    return (Modifier(value=1, label="two hands", source=weapon.id, rule="HEX-053"),)


def disarmed(table: Table, first: Swing, second: Swing) -> Rule[None]:
    """Let the weapon fall beside the one who held it, and natural 1s take their toll (HEX-052, HEX-054, HEX-038)."""
    yield Go("no_blow", rules=("HEX-051",))
    weapon = armed_with(table, second.who)
    if weapon is not None:
        item = weapon.id
        way: Rolled = yield Roll(
            dice=(Dice(count=1, sides=SIDES, kind="drop"),), purpose="drop", by=first.who, rules=("HEX-054",)
        )
        where = landing(table, table[second.who].place, way.total)
        yield item_moved(table, item, where, "HEX-052", "HEX-054", owner="")
    yield from fumbled(table, first, second)
    yield Go("settled")


def landing(table: Table, place: Id, face: int) -> Id:
    """Return the hex in the direction of a die's face, or the own one if nothing can lie there (HEX-054)."""
    ring = around(place)
    return ring[face - 1] if ring and can_be_entered(table, ring[face - 1]) else place
