"""Injuries, stray shots, who is out, repairs, the end (VER-049, VER-080, VER-090, VER-093, VER-097, P43)."""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta

from affray.engine.core.actions import Ruling
from affray.engine.core.changes import condition_set, item_counted, marked
from affray.engine.core.effects import Rule
from affray.engine.core.state import Item
from affray.engine.core.table import Table
from affray.engine.errors import Unusable
from affray.engine.kit.rulings import Give, Word
from affray.engine.kit.sides import known_side, no_longer_asked
from affray.engine.rulesets.verdigris.course import end
from affray.engine.rulesets.verdigris.fall import leaves_melee, lets_go, no_longer_ready, rid_of, unhorsed
from affray.engine.rulesets.verdigris.gear import armor_of
from affray.engine.rulesets.verdigris.injuries import ROW, named, names
from affray.engine.rulesets.verdigris.refusing import no
from affray.engine.rulesets.verdigris.sheet import in_play, is_mount
from affray.engine.rulesets.verdigris.stray import VICTIMS
from affray.engine.rulesets.verdigris.tables import inventory
from affray.events import CombatantId, ItemId, Noted, SideName


class ChooseInjury(Ruling, frozen=True, kw_only=True):
    """Choose the row of somebody's next critical injury (VER-080, VER-093)."""

    kind: ClassVar[str] = "injury"
    says: ClassVar[str] = "choose somebody's next critical injury, by its number or name"
    words: ClassVar[tuple[str, ...]] = ("who", "row")

    who: CombatantId
    row: Word

    def check(self, table: Table) -> None:
        """Refuse a row that the tables do not have."""
        if self.row not in names():
            raise Unusable(f"there are {', '.join(names())}", "row")

    def decide(self, table: Table) -> Rule[str]:
        """Note it."""
        yield marked(self.who, ROW, named(self.row).name, "VER-093", until="that injury")
        return ""


class Stray(Ruling, frozen=True, kw_only=True):
    """Say whom the next stray shot can hit; one alone needs no die (VER-048, VER-049)."""

    kind: ClassVar[str] = "stray"
    says: ClassVar[str] = "say whom the next stray shot can hit"
    words: ClassVar[tuple[str, ...]] = ("victims",)

    victims: Annotated[tuple[CombatantId, ...], Meta(min_length=1)]

    def check(self, table: Table) -> None:
        """Refuse somebody out of play."""
        for who in self.victims:
            if not in_play(table, who):
                raise no("VER-049", f"{who} is out of play", who)

    def decide(self, table: Table) -> Rule[str]:
        """Note it."""
        yield marked("fight", VICTIMS, " ".join(self.victims), "VER-049", until="that shot")
        return ""


class Unable(Ruling, frozen=True, kw_only=True):
    """Put somebody out of the fight alive, or back into it (VER-090)."""

    kind: ClassVar[str] = "unable"
    says: ClassVar[str] = "put somebody out of the fight alive, or back into it"
    words: ClassVar[tuple[str, ...]] = ("who",)

    who: CombatantId
    able: bool = False

    def check(self, table: Table) -> None:
        """Refuse what is so already."""
        one = table[self.who]
        back = one.has("unable") or one.has("slain")
        if (self.able and not back) or (not self.able and one.has("unable")):
            raise no("VER-090", f"{self.who} is {'in' if self.able else 'out of'} the fight already", self.who)

    def decide(self, table: Table) -> Rule[str]:
        """Change it; the slain who come back must be healed besides, and no animal that is out carries a rider."""
        if self.able:
            for condition in ("unable", "slain"):
                yield from rid_of(table, self.who, condition, "VER-090")
            return ""
        yield from rid_of(table, self.who, "slain", "VER-090")
        yield condition_set(table, self.who, "unable", 1, "VER-090")
        yield from lets_go(table, self.who, "VER-090")
        yield from no_longer_ready(table, self.who)
        yield from leaves_melee(table, self.who, "VER-090")
        if is_mount(table, self.who):
            yield from unhorsed(table, self.who)
        return ""


class Stabilize(Ruling, frozen=True, kw_only=True):
    """Let somebody at Death's Door need no more saves (VER-097)."""

    kind: ClassVar[str] = "stabilize"
    says: ClassVar[str] = "let somebody at Death's Door need no more saves"
    words: ClassVar[tuple[str, ...]] = ("who",)

    who: CombatantId

    def check(self, table: Table) -> None:
        """Refuse somebody who is not at Death's Door, or is stable there."""
        if not table[self.who].has("deaths_door") or table[self.who].has("stable"):
            raise no("VER-097", f"{self.who} has no saves to make", self.who)

    def decide(self, table: Table) -> Rule[str]:
        """Say so."""
        yield condition_set(table, self.who, "stable", 1, "VER-097")
        return ""


class Repair(Ruling, frozen=True, kw_only=True):
    """Make worn gear whole again; says what it costs (VER-S09, VER-S18)."""

    kind: ClassVar[str] = "repair"
    says: ClassVar[str] = "make worn gear whole again"
    words: ClassVar[tuple[str, ...]] = ("item",)

    item: ItemId

    def check(self, table: Table) -> None:
        """Refuse what has lost nothing."""
        if not _lost(table.item(self.item)):
            raise no("VER-S09", f"{self.item} is whole", self.item)

    def decide(self, table: Table) -> Rule[str]:
        """Restore it: a part of the price while fewer than half of its dice are lost, more from then on."""
        item = table.item(self.item)
        counter, whole = _worn(item)
        percent = inventory().repair.little if 2 * _lost(item) < whole else inventory().repair.much
        cost = -(-item.stats.get("cost", 0) * percent // 100)
        yield item_counted(table, self.item, counter, whole, "VER-S09")
        yield Noted(text=f"repairing {item.name} costs {cost}", rules=("VER-S09", "VER-T35"))
        return ""


class HandOver(Give, frozen=True, kw_only=True):
    """Put an item into other hands, or elsewhere on the body (VER-102)."""

    def check(self, table: Table) -> None:
        """Refuse what is part of a body, and what cannot be worn, or not besides."""
        thing = table.item(self.item)
        if thing.id.endswith(".unarmed"):
            raise no("VER-102", f"the {thing.name} of {thing.owner} cannot be given away", thing.id)
        if (thing.owner, thing.where) == (self.to, self.where):
            return
        if self.where == "worn" and (thing.kind != "armor" or armor_of(table, self.to) not in (None, thing)):
            raise no("VER-102", f"{self.to} cannot wear the {thing.name}", thing.id)


def _worn(item: Item) -> tuple[str, int]:
    """Return the counter that wears down, and its value when the thing is whole."""
    counter = "bonus" if item.kind == "weapon" else "rating"
    return counter, item.stats.get(counter, 0)


def _lost(item: Item) -> int:
    counter, whole = _worn(item)
    return whole - item.counters.get(counter, whole)


class End(Ruling, frozen=True, kw_only=True):
    """End the fight, and name the victors if there are any (P43)."""

    kind: ClassVar[str] = "end"
    says: ClassVar[str] = "end the fight and name the victors, if any"
    words: ClassVar[tuple[str, ...]] = ("victors",)

    victors: SideName = ""

    def check(self, table: Table) -> None:
        """Refuse victors nobody has heard of, and a second end."""
        known_side(table, self.victors, "victors")
        if table.draft.ended:
            raise no("VER-001", "the fight is over; undo its end to end it otherwise", "fight_over")

    def decide(self, table: Table) -> Rule[str]:
        """End it."""
        yield from no_longer_asked(table)
        yield from end(table, self.victors, "ruled")
        return "over"
