"""Rulings on melees, sides and relations."""

from itertools import combinations
from typing import Annotated

from msgspec import Meta

from affray.engine.core.actions import Ruling, ruled_as
from affray.engine.core.effects import Rule
from affray.engine.errors import Refused, Unusable
from affray.engine.kit.distances import stated_distance
from affray.engine.kit.relations import find_relation, leave_relation
from affray.engine.kit.riding import mount_of, state_distance
from affray.engine.kit.rulings import combatants, flow
from affray.engine.rulesets.wwn.config import Table
from affray.engine.rulesets.wwn.harm import unseat
from affray.events import CombatantId


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
            yield from state_distance(table, one, other, table.config.adjacent_ft)


class Side(combatants.Side, frozen=True, kw_only=True):
    """Let a combatant fight for another side, with its mount, but without its group: a group has one side (WWN-T28)."""

    def decide(self, table: Table) -> Rule[None]:
        """Change the side, and leave a group of the other one."""
        yield from super().decide(table)
        group = find_relation(table, "group", self.who)
        if group is not None and any(table[one.who].side != self.side for one in group.members):
            yield leave_relation(table, group, self.who, rules=("WWN-T28",))


class Relate(flow.Relate, frozen=True, kw_only=True):
    """Set a relation between combatants; the end of riding unseats the rider."""

    def decide(self, table: Table) -> Rule[None]:
        """Set the relation."""
        held = table.draft.relations.get(self.relation)
        if held is not None and held.kind == "riding" and mount_of(table, held.members[0].who):
            yield from unseat(table, held.members[0].who, "WWN-053")
        else:
            yield from super().decide(table)
