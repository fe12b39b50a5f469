"""Shots and throws: an attack against an evade, and only the target can be hurt (HEX-027 to 029, 034, 037)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any, ClassVar, Self

from affray.engine.core.actions import Action
from affray.engine.core.changes import item_counted, item_moved
from affray.engine.core.effects import Go, Rule
from affray.engine.core.state import Item
from affray.engine.core.table import Table
from affray.events import Clause, CombatantId, Id, ItemId

from .blows import Blow, Landed, dealt
from .cover import sees
from .crowd import endangered, who_else
from .exchange import Swing, attack, evade, judged, lead
from .fate import settled
from .play import another, at, not_just_drawn, on_the_map, others, paid, playable, used, waived
from .sheet import held, is_broken, ranged, refusal
from .wear import fumbled, worn_by


class Shoot(Action, frozen=True, kw_only=True):
    """Shoot or throw at somebody with the ranged weapon in hand (HEX-010, HEX-027 to HEX-037).

    Attributes:
        target: Combatant id.
        weapon: Item id of a ranged weapon in hand; may be left out.
    """

    kind: ClassVar[str] = "shoot"
    says: ClassVar[str] = "shoot or throw at somebody, who evades"
    words: ClassVar[tuple[str, ...]] = ("target", "weapon")

    target: CombatantId
    weapon: ItemId = ""

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in the page's order: able, budget, missiles, weapon (HEX-042), target, and a wall (HEX-027)."""
        playable(table, actor, manner)
        launcher = bow(table, actor, self.weapon)
        if missiles(table, actor, launcher) is None:
            raise refusal("HEX-027", f"{actor} has nothing left to shoot with the {launcher.name}", launcher.id)
        if is_broken(launcher):
            raise refusal("HEX-042", f"the {launcher.name} is broken", launcher.id)
        not_just_drawn(table, actor, launcher)
        another(table, actor, self.target)
        on_the_map(table, self.target, "HEX-027")
        on_the_map(table, actor, "HEX-027")
        if not sees(table, actor, self.target) and not waived(table, actor, "HEX-027"):
            raise refusal("HEX-027", f"{actor} has no line of sight to {self.target}", f"{actor}>{self.target}")

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Take the action (HEX-010)."""
        yield from paid(table, actor, manner, "HEX-010")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Roll, spend the missile, let the target evade; then whoever stands near may be in danger."""
        first = yield from attack(table, actor, self.target, partial(self._drawn, table, actor), "HEX-027")
        supply = missiles(table, actor, table.item(first.weapon))
        assert supply is not None  # as it was looked for with the dice
        yield from spent(table, supply.id)
        yield from used(table, actor, "HEX-027", "HEX-065")
        second = yield from evade(table, actor, self.target, lambda: first.total, "HEX-027")
        yield from outcome(table, first, second)

    def _drawn(self, table: Table, actor: Id) -> Item:
        """Return what is shot with; until the dice have fallen everything must be as when it was declared."""
        self.check(table, actor, "pending")
        return bow(table, actor, self.weapon)

    def check_ground(self, table: Table, actor: Id) -> None:
        """Refuse to go on with a shot at somebody who is gone; once it is loosed, nothing else can stop it."""
        if at(table, "exchange"):
            on_the_map(table, self.target, "HEX-027")

    def targets(self) -> tuple[Id, ...]:
        """Return the one who is shot at."""
        return (self.target,)

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """Return everybody else; a weapon need not be named."""
        return others(table, actor) if field == "target" else super().values(table, actor, manner, field, so_far)


def bow(table: Table, actor: Id, weapon: Id) -> Item:
    """Return the weapon somebody shoots with: the one named, or the ranged one in hand, a whole one if there is one.

    Raises:
        Refused: there is none in hand (HEX-027).
    """
    found = [item for item in held(table, actor) if item.kind == "weapon" and ranged(item)]
    if weapon:
        named = table.item(weapon)
        found = [item for item in found if item.id == weapon]
        if not found:
            raise refusal("HEX-027", f"{actor} has no {named.name} in hand to shoot with", weapon)
    if not found:
        raise refusal("HEX-027", f"{actor} has nothing in hand to shoot with", actor)
    return min(found, key=is_broken)


def missiles(table: Table, actor: Id, weapon: Item) -> Item | None:
    """Return what a weapon shoots, as far as something of it is left; what is thrown is its own missile."""
    if "thrown" in weapon.traits:
        return weapon if weapon.counters.get("left") else None
    uses = next((trait.removeprefix("uses:") for trait in weapon.traits if trait.startswith("uses:")), "")
    fit = (item for item in table.items_of(actor) if item.kind == "ammunition" and uses in item.traits)
    return next((item for item in fit if item.counters.get("left")), None)


def spent(table: Table, item: Id) -> Rule[None]:
    """Spend a missile, which may be gathered after the fight (HEX-043); the last one thrown has left the hand."""
    counters = table.item(item).counters
    left = counters["left"] - 1
    yield item_counted(table, item, "left", max(0, left), "HEX-027")
    yield item_counted(table, item, "spent", counters["spent"] + 1, "HEX-043")
    if "thrown" in table.item(item).traits and left <= 0:
        yield item_moved(table, item, "", "HEX-027")


def outcome(table: Table, first: Swing, second: Swing) -> Rule[None]:
    """Hit on a better roll, see where the missile goes otherwise, and who fell (HEX-028, HEX-031, HEX-037)."""
    hit = lead(first, second) > 0
    both: tuple[Clause, ...] = ("HEX-037",) if first.critical and second.critical else ()
    unmoved: tuple[Clause, ...] = () if second.roll else ("HEX-T37",)
    yield judged(first, second, "hit" if hit else "miss", "HEX-028", *both, *unmoved)
    when, near = table.config.crowd_when, bool(who_else(table, first.who, second.who))
    landed: tuple[Landed, ...] = ()
    if near and when == "divert":
        yield Go("strays", rules=("HEX-031",))
        landed = yield from endangered(table, first, second.who)
        hit = hit and not landed
    if hit:
        landed = yield from _strikes(table, first, second)
    else:
        yield Go("no_blow", rules=("HEX-028",))
    yield from fumbled(table, first)
    if near and (when == "always" or (when == "on_miss" and not hit)):
        yield Go("strays", rules=("HEX-031",))
        landed = (*landed, *(yield from endangered(table, first, second.who)))
    yield Go("settled")
    yield from settled(table, *(one.blow.on for one in landed if one.amount))


def _strikes(table: Table, first: Swing, second: Swing) -> Rule[tuple[Landed, ...]]:
    """Let the shot hurt its target, with doubled dice if it is critical (HEX-028, HEX-029, HEX-035)."""
    yield Go("struck", rules=("HEX-028",))
    landed = yield from dealt(table, Blow(first.who, second.who, first.weapon, first.critical))
    yield Go("dealt", rules=("HEX-025",))
    yield from worn_by(table, landed)
    return landed
