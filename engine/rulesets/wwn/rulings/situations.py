"""Rulings on the situation: circumstances, actions, beasts, places, windows.

Rulings of every system apply here to rider and mount together, and to two hands.
"""

from collections.abc import Mapping
from itertools import combinations
from typing import Annotated, ClassVar, Literal

from msgspec import Meta, field
from msgspec.structs import replace

from affray.engine.core.actions import Ruling, ruled_as
from affray.engine.core.changes import item_moved, pool_moved
from affray.engine.core.effects import Rule
from affray.engine.errors import Refused, Unusable
from affray.engine.kit.distances import stated_distance
from affray.engine.kit.relations import find_relation, leave_relation
from affray.engine.kit.rulings import combatants, flow, items, positions
from affray.engine.kit.rulings.turns import must_not_be_over
from affray.engine.rulesets.wwn.attack.modifiers import Circumstance
from affray.engine.rulesets.wwn.config import Table
from affray.engine.rulesets.wwn.encounter.outfit import named_line, shield_item, suit_item, weapon_item
from affray.engine.rulesets.wwn.encounter.stock import stock_of
from affray.engine.rulesets.wwn.gear.things import HANDS, hands, worn
from affray.engine.rulesets.wwn.harm import unseat
from affray.engine.rulesets.wwn.marks import ALLOWED, DECLARED, DIFFICULTY, NERVE, WAIVED
from affray.engine.rulesets.wwn.movement.board import apart_by
from affray.engine.rulesets.wwn.sheet import is_mount, mount_of, must_be_active, must_be_enemy, rider_of, unit
from affray.engine.rulesets.wwn.tables import Armor
from affray.engine.rulesets.wwn.turns.rounds import deny
from affray.events import Clause, CombatantId, Id, ItemAdded, Moved, PositionName, SideChanged


@ruled_as("circumstance", "declare or waive (applies=false) a circumstance for somebody's next attack", "who", "name")
class CircumstanceRuled(Ruling, frozen=True, kw_only=True):
    """Declare or waive a circumstance for a combatant's next attack.

    A declared one counts although it does not hold; a waived one does not count although it holds.
    """

    who: CombatantId
    name: Circumstance
    applies: bool = True

    def check(self, table: Table) -> None:
        """Refuse a combatant out of the fight, and a circumstance already noted."""
        must_be_active(table, self.who, "WWN-T65")
        if (DECLARED if self.applies else WAIVED).is_on(table, self.who, self.name):
            message = f"this is noted for the next attack of {table.called(self.who)} already"
            raise Refused("no_change", "WWN-014", message, source=self.who)

    def decide(self, table: Table) -> Rule[None]:
        """Note the circumstance."""
        what, other = (DECLARED, WAIVED) if self.applies else (WAIVED, DECLARED)
        if other.is_on(table, self.who, self.name):
            yield other.struck(self.who, "WWN-014", about=self.name)
        yield what.noted(self.who, True, "WWN-014", about=self.name)


@ruled_as("grant", "give Main or Move Actions this round, or take them away", "who", "action", "by")
class Grant(Ruling, frozen=True, kw_only=True):
    """Give a combatant more Main or Move Actions this round, or take some away."""

    who: CombatantId
    action: Literal["main", "move"] = "main"
    by: Annotated[int, Meta(ge=-9, le=9)] = 1

    def check(self, table: Table) -> None:
        """Refuse a combatant out of the fight, and no change."""
        must_not_be_over(table, "WWN-G02")
        must_be_active(table, self.who, "WWN-T65")
        if max(0, table.pool(self.who, self.action) + self.by) == table.pool(self.who, self.action):
            message = f"{table.called(self.who)} has as many as before; say: rule grant {self.who} {self.action}"
            raise Refused("no_change", "WWN-G01", message, source=f"{self.who}.{self.action}")

    def decide(self, table: Table) -> Rule[None]:
        """Change the rest of the budget."""
        yield pool_moved(table, self.who, self.action, self.by, "WWN-G01")


@ruled_as("deny", "take somebody's next Main or Move Action", "who", "action")
class Deny(Ruling, frozen=True, kw_only=True):
    """Deny a combatant's next Main or Move Action, of this round if unspent, else the next."""

    who: CombatantId
    action: Literal["main", "move"]

    def check(self, table: Table) -> None:
        """Refuse a combatant out of the fight."""
        must_be_active(table, self.who, "WWN-T65")

    def decide(self, table: Table) -> Rule[None]:
        """Deny the action."""
        yield from deny(table, self.who, self.action, "WWN-069")


@ruled_as("allow", "let a beast fight somebody who has not attacked it", "who", "target")
class Allow(Ruling, frozen=True, kw_only=True):
    """Let an ordinary beast fight an enemy who has not attacked it."""

    who: CombatantId
    target: CombatantId

    def check(self, table: Table) -> None:
        """Refuse it for a combatant that needs no permission."""
        if not is_mount(table, self.who) or "war_trained" in table[self.who].traits:
            raise Refused("no_change", "WWN-059", f"{table.called(self.who)} may fight whom it likes", source=self.who)
        must_be_enemy(table, self.who, self.target, "WWN-059")

    def decide(self, table: Table) -> Rule[None]:
        """Note the permission."""
        yield ALLOWED.noted(self.who, True, "WWN-059", about=self.target)

    def already(self, table: Table) -> str:
        """Say that the beast may already."""
        return f"{table.called(self.who)} may fight {table.called(self.target)} already"


@ruled_as("mount_check", "say which check a beast makes, and how hard it is to make it obey", "mount", "check")
class MountCheck(Ruling, frozen=True, kw_only=True):
    """Set a beast's check from now on, and the difficulty to make it obey.

    Attributes:
        nerve: The check, recorded as ``check``; ``none`` for no check.
        difficulty: The difficulty for its rider to make it obey.
    """

    mount: CombatantId
    nerve: Literal["morale", "instinct", "none"] | None = field(default=None, name="check")
    difficulty: Annotated[int, Meta(ge=2, le=20)] | None = None

    def check(self, table: Table) -> None:
        """Refuse a combatant that makes no such check, and a ruling without a change."""
        if not is_mount(table, self.mount):
            raise Unusable(f"{table.called(self.mount)} is no mount", "mount")
        if self.nerve is None and self.difficulty is None:
            raise Unusable("say check or difficulty", "check")
        called = table.called(self.mount)
        if "war_trained" in table[self.mount].traits:
            message = f"{called} is trained for war; rule trait {self.mount} war_trained present=false ends that"
            raise Refused("no_change", "WWN-058", message, source=self.mount)
        check = self.nerve in (None, NERVE.of(table, self.mount) or table.config.mount_check)
        if check and self.difficulty in (None, DIFFICULTY.of(table, self.mount) or table.config.skill_difficulty):
            raise Refused("no_change", "WWN-060", f"this holds for {called} already", source=self.mount)

    def decide(self, table: Table) -> Rule[None]:
        """Note check and difficulty."""
        if self.nerve is not None:
            yield NERVE.noted(self.mount, self.nerve, "WWN-060")
        if self.difficulty is not None:
            yield DIFFICULTY.noted(self.mount, self.difficulty, "WWN-062")


@ruled_as("melee", "put combatants into one melee, each beside every other, without a map", "members")
class Melee(Ruling, frozen=True, kw_only=True):
    """Put combatants into one melee, each beside every other, in a fight without a map."""

    members: Annotated[tuple[CombatantId, ...], Meta(min_length=2)]

    def check(self, table: Table) -> None:
        """Refuse it on a map, and a combatant named twice."""
        if len({*self.members}) != len(self.members):
            raise Unusable("name each of them once", "members")
        for who in self.members:
            if table[who].place:
                raise Refused("on_a_map", "", "this fight has a map; rule a place instead", source=who)
        close = table.config.adjacent_ft
        if all(stated_distance(table, one, other) == close for one, other in combinations(self.members, 2)):
            raise Refused("no_change", "WWN-T16", "they are beside one another already", source=self.members[0])

    def decide(self, table: Table) -> Rule[None]:
        """State the distances."""
        for one, other in combinations(self.members, 2):
            yield from apart_by(table, one, other, table.config.adjacent_ft)


class Close(flow.CloseWindow, frozen=True, kw_only=True):
    """Close the open window without the missing answers."""

    rule: ClassVar[Clause] = "WWN-021"


class Place(positions.PlaceRuling, frozen=True, kw_only=True):
    """Move a combatant elsewhere, with its mount or rider."""

    def decide(self, table: Table) -> Rule[None]:
        """Move them."""
        for who in unit(table, self.who):
            yield Moved(who=who, before=table[who].place, after=self.to, rules=_why(who, self.who))


class Distance(positions.Distance, frozen=True, kw_only=True):
    """Set the distance of two combatants without a map; rider and mount share a place."""

    def check(self, table: Table) -> None:
        """Refuse a pair on a map, and a rider with its mount."""
        super().check(table)
        if self.other in unit(table, self.one):
            raise Refused(
                "is_ridden",
                "WWN-053",
                f"{table.called(self.one)} and {table.called(self.other)} are together",
                source=self.other,
            )

    def decide(self, table: Table) -> Rule[None]:
        """Set the distance."""
        for other in self.others(table):
            yield from apart_by(table, self.one, other, self.to)


class Side(combatants.Side, frozen=True, kw_only=True):
    """Let a combatant fight for another side.

    A mount changes with its rider, and a group has one side.
    """

    def check(self, table: Table) -> None:
        """Refuse a ridden mount."""
        if rider_of(table, self.who):
            raise Refused("is_ridden", "WWN-053", f"{table.called(self.who)} is of its rider's side", source=self.who)

    def decide(self, table: Table) -> Rule[None]:
        """Change the side."""
        for who in unit(table, self.who):
            yield SideChanged(who=who, before=table[who].side, after=self.side, rules=_why(who, self.who))
        group = find_relation(table, "group", self.who)
        if group is not None and any(table[one.who].side != self.side for one in group.members):
            yield leave_relation(table, group, self.who, rules=("WWN-T28",))


def _why(who: Id, named: Id) -> tuple[Clause, ...]:
    """Return the clause by which rider or mount goes along with the named combatant."""
    return () if who == named else ("WWN-053",)


class Give(positions.Give, frozen=True, kw_only=True):
    """Put an item into other hands, or elsewhere on the body.

    A combatant has two hands and wears one suit of armor.
    """

    def check(self, table: Table) -> None:
        """Refuse the owner and the place that the item already has."""
        super().check(table)
        item = table.item(self.item)
        if (item.owner, item.where) == (self.to, self.where or self.usual_place(table)):
            message = f"{table.called(self.to)} has {item.quoted_name} there already"
            raise Refused("no_change", "WWN-T14", message, source=item.id)

    def decide(self, table: Table) -> Rule[None]:
        """Hand the item over; put back what finds no room."""
        others = [item for item in table.items_of(self.to) if item.id != self.item and item.where == self.where]
        free = HANDS - hands(table.item(self.item))
        for other in sorted(others, key=lambda item: item.kind == "shield", reverse=True):
            free -= hands(other) if self.where == "hand" else 0
            if free < 0 or (self.where == "worn" and other.kind == "armor"):
                yield item_moved(table, other.id, "readied", "WWN-T14")
        yield from super().decide(table)

    def usual_place(self, table: Table) -> PositionName:
        """Return ``readied``; for a suit of armor ``stowed``."""
        return "stowed" if table.item(self.item).kind == "armor" else "readied"


class Gear(items.Gear, frozen=True, kw_only=True):
    """Hand a combatant an item of the rules or of the encounter (WWN-T76).

    It is at hand; armor is worn if no other is. A magical item is written with its bonus, such as ``sword_long+1``.
    """

    rule: ClassVar[Clause] = "WWN-T76"

    def lines(self, table: Table) -> Mapping[str, str]:
        """Return the weapons and the armor of the rules and the encounter."""
        tables = stock_of(table)
        arms = {key: line.name for key, line in tables.weapons.items() if "natural" not in line.tags}
        return {**{key: name for key, name in arms.items() if key != "unarmed"}, **_names(tables.armor)}

    def make_item(self, table: Table, key: str) -> ItemAdded:
        """Return the item (WWN-T76)."""
        tables, named = stock_of(table), named_line(f"{key}{self._bonus()}", "thing")
        if key in tables.weapons:
            return replace(weapon_item(self.who, key, tables.weapons[key], named.plus), where="readied")
        if tables.armor[key].class_ == "shield":
            return replace(shield_item(self.who, named, "thing", tables)[1], where="readied")
        return replace(suit_item(self.who, named, "thing", tables), where="stowed" if worn(table, self.who) else "worn")

    def find_name(self) -> str:
        """Return the name without the bonus of a magical item."""
        return self.thing.partition("+")[0]

    def _bonus(self) -> str:
        return "".join(self.thing.partition("+")[1:])

    def check(self, table: Table) -> None:
        """Refuse an item that no table has, and a malformed bonus."""
        named_line(f"thing{self._bonus()}", "thing")
        super().check(table)


def _names(lines: Mapping[str, Armor]) -> dict[str, str]:
    return {key: line.name for key, line in lines.items()}


class Relate(flow.Relate, frozen=True, kw_only=True):
    """Set a relation between combatants; the end of riding unseats the rider."""

    def decide(self, table: Table) -> Rule[None]:
        """Set the relation."""
        held = table.draft.relations.get(self.relation)
        if held is not None and held.kind == "riding" and mount_of(table, held.members[0].who):
            yield from unseat(table, held.members[0].who, "WWN-053")
        else:
            yield from super().decide(table)
