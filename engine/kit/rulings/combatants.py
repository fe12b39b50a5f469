"""Rulings on combatants: their counters, conditions, sheets and sides."""

import itertools
from collections.abc import Collection, Iterable
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from affray import events as facts
from affray.engine.core.actions import Ruling, ruled_as
from affray.engine.core.candidates import list_sides
from affray.engine.core.changes import set_clock, set_condition, set_mark, set_pool
from affray.engine.core.effects import Rule
from affray.engine.core.endings import RULING, ending
from affray.engine.core.groups.corrections import condition_until
from affray.engine.core.loading import load
from affray.engine.core.references import lowest_count, maximum_of, must_be_a_count, must_be_a_number, range_of
from affray.engine.core.table import Table
from affray.engine.errors import Refused, Unusable
from affray.engine.kit.relations import end_relation, leave_relation
from affray.engine.kit.riding import LEFT_WITH, cite_saddle, list_known_unit, mount_of, refuse_parting, rider_of
from affray.engine.kit.side_names import check_sides
from affray.engine.kit.turn_order import LEFT_AT
from affray.engine.texts import name_said
from affray.engine.visibility import veil_of_side
from affray.events import Event, Id

from .flow import cancel_pending
from .values import BRIEF, UNSAID, Change, Count, hide_source, must_be_a_condition, quote_value


@ruled_as("pool", "set a counter, or change it by so much", "who", "pool")
class PoolRuling(Ruling, frozen=True, kw_only=True):
    """Set a counter (``to``) or change it (``by``), such as hit points or energy."""

    who: facts.CombatantId
    pool: Annotated[facts.PoolName, BRIEF]
    to: Count | None = None
    by: Change | None = None

    def check_new(self, table: Table) -> None:
        """Refuse a value above the maximum, where a clause sets one."""
        if self.who not in table.draft.combatants or (self.to is None) == (self.by is None):
            return
        maximum, now = maximum_of(table, self.who, self.pool), table.pool(self.who, self.pool)
        if maximum is None or not maximum.rule:
            return
        stat, most, rule = maximum
        if (self.to or 0) > max(most, now) or ((self.by or 0) > 0 and now >= most):
            wanted = self.to if self.to is not None else now + (self.by or 0)
            wanted = min(wanted, range_of(load(table.draft.system), stat)[1])
            line = f"rule sheet {self.who} {quote_value(stat)} {wanted}" if wanted > most else ""
            raise table.refuse(self.who, f"has {self.pool} {most} at most", rule, "above_maximum", example=line)

    def check(self, table: Table) -> None:
        """Refuse an unknown counter, an impossible value, and neither or both of to, by."""
        if self.pool not in table[self.who].pools:
            there = table[self.who].pools
            raise Unusable(f"{self.who} has the counters {', '.join(there)}", "pool", known=there)
        if (self.to is None) == (self.by is None):
            raise Unusable("say either to or by", "to")
        must_be_a_count(table, self.pool, self._after(table), "by" if self.to is None else "to")

    def _after(self, table: Table) -> int:
        if self.to is not None:
            return self.to
        maximum, now = maximum_of(table, self.who, self.pool), table.pool(self.who, self.pool)
        low = lowest_count(load(table.draft.system), self.pool)
        after = max(low, now + (self.by or 0))
        is_below = maximum is not None and maximum.rule and now < maximum.most  # one above it may go further up
        return min(after, maximum.most) if maximum is not None and is_below else after

    def decide(self, table: Table) -> Rule[None]:
        """Change the counter within its minimum and maximum."""
        before, after = table.pool(self.who, self.pool), self._after(table)
        yield facts.PoolChanged(who=self.who, pool=self.pool, before=before, after=after)

    def already(self, table: Table) -> str:
        """Say the counter's present value."""
        return f"{table.name_of(self.who)} has {self.pool} {table.pool(self.who, self.pool)} already"

    def instead(self, table: Table) -> str:
        """Return a ruling that lowers the counter by one, or raises it from 0."""
        return f"rule pool {self.who} {self.pool} by={-1 if table.pool(self.who, self.pool) > 0 else 1}"


@ruled_as("condition", "give a condition, or take it away with count 0", "who", "condition", "count")
class Condition(Ruling, frozen=True, kw_only=True):
    """Give a condition, change its count, or take it away with count 0.

    Count 0 takes it away from every source, unless a source is named. A condition that a ruling gives replaces the one
    that earlier rulings gave, with or without an end.

    Attributes:
        source: The source of the condition. While a combatant is concealed, only the ruling holds the free text; the
            open source is ``ruling``.
        rounds: The number of rounds that it lasts, counting the present one. It ends with the last of them.
        until: Alternatively, the moment when it ends. It ends with the fight at the latest.
        own: Whether it is a condition of the table, which the rules do not know.
    """

    who: facts.CombatantId
    condition: Annotated[facts.ConditionName, BRIEF]
    count: Count = 1
    source: facts.SourceId = ""
    rounds: Annotated[int, Meta(ge=0, le=99)] = 0
    until: facts.Moment | Literal[""] = ""
    own: bool = False

    def check_new(self, table: Table) -> None:
        """Refuse a condition that the rules do not know, unless it is the table's own."""
        if self.count:
            must_be_a_condition(table, self.condition, own=self.own)

    def check(self, table: Table) -> None:
        """Refuse an end that never comes, and a free-text source that is ambiguous."""
        held = self._list_sources(table)
        if hide_source(table, self.source, held) == UNSAID != self.source and UNSAID in held:
            other = next(said for nth in itertools.count(2) if (said := f"{UNSAID} {nth}") not in held)
            message = f'words are sealed here; say source={UNSAID}, which it has already, or source="{other}"'
            raise Unusable(message, "source")
        if not self.rounds and not self.until:
            return
        if self.rounds and self.until:
            raise Unusable("say either rounds or until", "until")
        if not self.count:
            raise Unusable("what is taken away ends at once; leave out rounds and until", "count")
        if table.draft.ended:
            give = load(table.draft.system).corrections.set_condition_until
            clauses = give(table, self.who, self.condition, self.count, RULING, None).rules
            message = f"the fight is over, and no round ends any more; rule condition {self.who} {self.condition} lasts"
            raise Refused("fight_over", clauses[0] if clauses else "", message, source="fight_over")

    def decide(self, table: Table) -> Rule[None]:
        """Change the condition."""
        is_timed = bool(self.rounds or self.until)
        ends = ending(table, self.who, self.until or "end of round", self.rounds or 1) if is_timed else None
        source = hide_source(table, self.source, self._list_sources(table)) or (RULING if is_timed else "")
        replaced = self._replaces(table, source)
        for other in replaced:
            yield set_condition(table, self.who, self.condition, 0, source=other)
        if source in replaced:
            return
        one = table[self.who]
        held = one.conditions.get(self.condition, {}).get(source, 0)
        if (self.count, ends) != (held, one.ending(self.condition, source)):
            give = load(table.draft.system).corrections.set_condition_until if ends else condition_until
            yield give(table, self.who, self.condition, self.count, source, ends)

    def _list_sources(self, table: Table) -> Collection[Id]:
        """Return the sources of the combatant's present condition."""
        return table[self.who].conditions.get(self.condition, {}).keys()

    def _replaces(self, table: Table, source: Id) -> tuple[Id, ...]:
        """Return the sources to take away: all of them, or those of earlier rulings."""
        if self.source:
            return ()
        held = table[self.who].conditions.get(self.condition, ())
        return tuple(one for one in held if not self.count or (one != source and one in ("", RULING)))

    def already(self, table: Table) -> str:
        """Say the present count of the condition."""
        return f"{table.name_of(self.who)} has {self.condition} {self.count} already"


@ruled_as("side", "let a combatant fight for another side", "who", "side")
class Side(Ruling, frozen=True, kw_only=True):
    """Let a combatant fight for another side, and its mount with it.

    Class attributes:
        rules: The clauses by which it does.
    """

    rules: ClassVar[tuple[facts.Clause, ...]] = ()

    who: facts.CombatantId
    side: Annotated[facts.SideName, BRIEF]

    def check_new(self, table: Table) -> None:
        """Refuse a side with a name that looks like another side's."""
        check_sides([("side", self.side)], list_sides(table), "side=SIDE")

    def check(self, table: Table) -> None:
        """Refuse a mount with a rider on another side."""
        rider = rider_of(table, self.who)
        if rider and table[rider].side != self.side:
            message = f"{table.name_of(self.who)} is on the side of its rider {table.name_of(rider)}"
            raise refuse_parting(table, message, rider)

    def decide(self, table: Table) -> Rule[None]:
        """Change the side, and that of the mount."""
        yield facts.SideChanged(who=self.who, before=table[self.who].side, after=self.side, rules=self.rules)
        if mount := mount_of(table, self.who):
            before = table[mount].side
            yield facts.SideChanged(who=mount, before=before, after=self.side, rules=cite_saddle(table))
        for who in filter(None, (self.who, mount)):
            yield from veil_of_side(table.draft, table[who])

    def already(self, table: Table) -> str:
        """Say that the combatant is on that side."""
        return f"{table.name_of(self.who)} is on the side {name_said(self.side)} already"

    def instead(self, table: Table) -> str:
        """Return a ruling with another side of the fight."""
        sides = (table[who].side for who in table.list_known(table.draft.combatants))
        other = next((side for side in sides if side != self.side), "")
        return f"rule side {self.who} {quote_value(other)}" if other else ""


@ruled_as("sheet", "correct a number on a sheet", "who", "stat", "to")
class Sheet(Ruling, frozen=True, kw_only=True):
    """Correct a number on a sheet. A lowered maximum lowers its counter."""

    who: facts.CombatantId
    stat: Annotated[facts.StatName, BRIEF]
    to: Change

    def check(self, table: Table) -> None:
        """Refuse a number that the sheet does not have or could not have."""
        if self.stat not in table[self.who].stats:
            raise Unusable(f"the sheet has {', '.join(table[self.who].stats)}", "stat")
        must_be_a_number(table, self.stat, self.to, "to")

    def decide(self, table: Table) -> Rule[None]:
        """Correct the number, and lower the counters above it if it is their maximum."""
        yield facts.StatChanged(who=self.who, stat=self.stat, before=table[self.who].stats[self.stat], after=self.to)
        for pool, held in tuple(table[self.who].pools.items()):
            maximum = maximum_of(table, self.who, pool)
            if maximum is not None and maximum.stat == self.stat and held > max(0, self.to):
                yield set_pool(table, self.who, pool, self.to, *filter(None, (maximum.rule,)))

    def already(self, table: Table) -> str:
        """Say the present number."""
        return f"the sheet of {table.name_of(self.who)} has {self.stat} {self.to} already"


@ruled_as("trait", "add a word to a sheet, or strike it out", "who", "trait")
class Trait(Ruling, frozen=True, kw_only=True):
    """Add a trait to a sheet, or remove it.

    Attributes:
        of: What a feature names, such as the class.
    """

    who: facts.CombatantId
    trait: Annotated[facts.TraitName, BRIEF]
    present: bool = True
    of: Annotated[facts.TraitName, Meta(max_length=200)] = ""

    def decide(self, table: Table) -> Rule[None]:
        """Add or remove the trait. A present trait keeps its place on the sheet."""
        trait = facts.Feature(kind=self.trait, of=self.of) if self.of else self.trait
        if self.present != (trait in table[self.who].traits):
            yield facts.TraitChanged(who=self.who, trait=trait, present=self.present)

    def already(self, table: Table) -> str:
        """Say whether the sheet has the trait."""
        has = "has the word" if self.present else "does not have the word"
        return f"the sheet of {table.name_of(self.who)} {has} {' '.join(filter(None, (self.trait, self.of)))} already"

    def instead(self, table: Table) -> str:
        """Return the opposite ruling."""
        of = f" of={quote_value(self.of)}" if self.of else ""
        return f"rule trait {self.who} {quote_value(self.trait)}{of}{' present=no' if self.present else ''}"


@ruled_as("leave", "take a combatant out of the fight, body and all", "who")
class LeaveRuling(Ruling, frozen=True, kw_only=True):
    """Remove a combatant, body included, from the fight. Its mount leaves with it.

    Class attributes:
        returns: The clause by which a returning combatant has its old initiative, in a system where initiative lasts.
    """

    returns: ClassVar[facts.Clause] = ""

    who: facts.CombatantId

    def check(self, table: Table) -> None:
        """Refuse a mount that is ridden, because it leaves with its rider."""
        rider = list_known_unit(table, self.who)[0]
        if rider != self.who:
            reason = f"{table.name_of(rider)} rides {table.name_of(self.who)}"
            raise refuse_parting(table, reason, rider, example=f"rule leave {rider}")

    def decide(self, table: Table) -> Rule[None]:
        """Remove the combatant, and its mount with it."""
        unit = list_known_unit(table, self.who)
        if len(unit) > 1:
            yield LEFT_WITH.set_on(self.who, unit[-1], *cite_saddle(table))
        for who in unit:
            yield from self.depart(table, who)

    def depart(self, table: Table, who: Id) -> Rule[None]:
        """Cancel a combatant's pending actions, and remove it from turn, order and fight."""
        for pending in reversed(tuple(table.draft.stack)):
            if pending.actor == who:
                yield from cancel_pending(table, pending.id)
        if who in table.draft.acting:
            yield facts.MemberDone(who=who)
        slots = []
        for slot in table.draft.slots:
            if who in slot.members and self.returns:
                yield LEFT_AT.set_on(who, slot.score, self.returns)
            members = tuple(one for one in slot.members if one != who)
            if members:
                slots.append(facts.Slot(id=slot.id, members=members, score=slot.score))
        if tuple(slots) != table.draft.slots:
            yield facts.OrderSet(slots=tuple(slots))
        for relation in tuple(table.draft.relations.values()):
            if any(member.who == who for member in relation.members):
                left = leave_relation(table, relation, who)
                yield from (left,) if left.members else end_relation(table, relation)
        yield facts.Left(who=who)


def remove_departed(table: Table, who: Id) -> Rule[None]:
    """Remove the items, marks and clocks of a combatant that left.

    This is needed when another combatant joins under the same id.
    """
    for item in tuple(table.draft.owned_items.get(who, ())):
        yield from _remove_marks(table, item)
        yield facts.ItemRemoved(item=item)
    yield from _remove_marks(table, who)
    clocks = table.draft.clocks.get(who, {}).items()
    for clock, about in [(clock, about) for clock, by in clocks for about, left in by.items() if left]:
        yield set_clock(table, clock, 0, owner=who, about=about)


def must_not_take_items(table: Table, events: Iterable[Event]) -> None:
    """Refuse a newcomer's item if another combatant now has an item of that id.

    The item belonged to an earlier combatant of the newcomer's name, who has left.

    Raises:
        Unusable: names the owner and the item.
    """
    for event in events:
        held = table.draft.items.get(event.item) if isinstance(event, facts.ItemAdded) else None
        if held is not None and isinstance(event, facts.ItemAdded) and held.owner != event.owner:
            message = f"{table.name_of(held.owner)} has {held.id} of one who has left; take another name"
            raise Unusable(message, "combatant.name")


def _remove_marks(table: Table, owner: Id) -> Rule[None]:
    for marks in (table.draft.marks, table.draft.mark_parts):
        for key, about in [(key, about) for key, held in marks.get(owner, {}).items() for about in held]:
            yield set_mark(owner, key, None, about=about)
