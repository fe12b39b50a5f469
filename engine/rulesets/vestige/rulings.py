"""The rulings that Vestige adds to those of every system."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from affray.engine.actions import Ruling
from affray.engine.errors import Refused, Unusable
from affray.engine.facts import condition_set, marked, pool_moved
from affray.engine.rule import Interrupted, Rule
from affray.engine.rulings import EVERYWHERE, Word
from affray.engine.state import Combatant, Relation
from affray.engine.table import Table
from affray.events import Event, Id, Joined, Member, OrderSet, RelationSet, Slot, WindowClosed, Withdrawn

from .encounter import Spec, Tables, joined, skills, weapons
from .flow import FLOW
from .harm import Harm, end, forfeit, must_be_active
from .sheet import active
from .turn import reinserted, set_aside, slot_of, slot_with


class Join(Ruling, frozen=True, kw_only=True):
    """Bring somebody new into the fight, written as in an encounter file.

    Attributes:
        combatant: A ``[[combatant]]`` of an encounter file.
        initiative: Its place in the turn order, once there is one; the last place if not given.
    """

    kind: ClassVar[str] = "join"
    says: ClassVar[str] = "bring somebody new into the fight, written as in an encounter file"
    words: ClassVar[tuple[str, ...]] = ("combatant",)

    combatant: Spec
    initiative: int | None = None

    def check(self, table: Table) -> None:
        """Refuse what an encounter file could not say either, and anybody while initiative is being rolled."""
        if table.draft.phase == "initiative":
            raise Refused(
                "initiative_pending", "VES-003", "first all dice for initiative must have fallen", "initiative"
            )
        list(self._events(table))

    def _events(self, table: Table) -> Iterator[Event]:
        on_board = any(one.place for one in table.draft.combatants.values())
        known = set(table.draft.combatants)
        yield from joined(self.combatant, "combatant", table.config, Tables(weapons(), skills()), on_board, known)

    def decide(self, table: Table) -> Rule[str]:
        """Let them join, and give them their place in the order."""
        units: dict[Id, tuple[Id, ...]] = {}
        for event in self._events(table):
            yield event
            if isinstance(event, Joined):
                units[event.who] = (event.who,)
            elif isinstance(event, RelationSet):
                units = {event.relation: tuple(member.who for member in event.members)}
        if table.draft.slots:
            last = table.draft.slots[-1].score
            score = last if self.initiative is None else self.initiative
            new = tuple(Slot(id=unit, members=members, score=score) for unit, members in units.items())
            at = sum(slot.score >= score for slot in table.draft.slots)
            slots = table.draft.slots
            yield OrderSet(slots=(*slots[:at], *new, *slots[at:]), rules=("VES-004",))
        return ""


class Group(Ruling, frozen=True, kw_only=True):
    """Let identical combatants of one side roll one initiative and act together (VES-005, VES-006)."""

    kind: ClassVar[str] = "group"
    says: ClassVar[str] = "let identical combatants share one initiative and act together"
    words: ClassVar[tuple[str, ...]] = ("group", "members")
    people: ClassVar[tuple[str, ...]] = ("members",)

    group: Word
    members: Annotated[tuple[Id, ...], Meta(min_length=2)]

    def check(self, table: Table) -> None:
        """Refuse combatants who differ, are grouped already, or after initiative (VES-005)."""
        if table.draft.phase != "setup":
            raise Refused("already_begun", "VES-005", "groups are made before the fight begins", source="setup")
        if len(set(self.members)) != len(self.members) or self.group in table.draft.combatants:
            raise Unusable("name each member once, and the group unlike any of them", "members")
        first = table[self.members[0]]
        for who in self.members:
            if any(who == other.who for one in table.draft.relations.values() for other in one.members):
                raise Refused("already_grouped", "VES-005", f"{who} is in a group already", source=who)
            if alike(table, table[who]) != alike(table, first):
                message = f"{who} and {first.id} are not identical"
                raise Refused("not_identical", "VES-005", message, source=who)

    def decide(self, table: Table) -> Rule[str]:
        """Make the group."""
        members = tuple(Member(who=who) for who in self.members)
        yield RelationSet(relation=self.group, kind="group", members=members, rules=("VES-005", "VES-006"))
        return ""


def alike(table: Table, one: Combatant) -> tuple[object, ...]:
    """Return what must be equal for combatants to be identical: side, numbers, weapons and skills (VES-005)."""
    gear = tuple(
        (item.id.removeprefix(f"{one.id}."), item.kind, tuple(item.stats.items()), item.traits)
        for item in table.items_of(one.id)
    )
    return (one.side, tuple(one.stats.items()), one.traits, gear)


class Split(Ruling, frozen=True, kw_only=True):
    """Let a member of a group act alone, with the group's number, directly after it (VES-G04)."""

    kind: ClassVar[str] = "split"
    says: ClassVar[str] = "let a member of a group act alone, directly after the group"
    words: ClassVar[tuple[str, ...]] = ("who",)
    people: ClassVar[tuple[str, ...]] = ("who",)

    who: Id

    def check(self, table: Table) -> None:
        """Refuse somebody who has no mates to be split from, or whose turn is under way."""
        table[self.who]
        if all(self.who != one.who for group in _groups(table) if len(group.members) > 1 for one in group.members):
            raise Refused("not_grouped", "VES-G04", f"{self.who} is in no group", source=self.who)
        if table.draft.stack or self.who in table.draft.acting:
            raise Refused("action_pending", "VES-G04", f"split {self.who} off between turns", source=self.who)

    def decide(self, table: Table) -> Rule[str]:
        """Take them out of the group; if the group has had its turn this round, so have they."""
        group = next(one for one in _groups(table) if any(self.who == member.who for member in one.members))
        left = tuple(member for member in group.members if member.who != self.who)
        yield RelationSet(relation=group.id, kind="group", members=left, rules=("VES-G04",))
        if table.draft.slots:
            slot = slot_with(table, self.who)
            rest = tuple(who for who in slot.members if who != self.who)
            alone = Slot(id=self.who, members=(self.who,), score=slot.score)
            slots = table.draft.slots
            at = slots.index(slot)
            group_left = Slot(id=slot.id, members=rest, score=slot.score)
            yield OrderSet(slots=(*slots[:at], group_left, alone, *slots[at + 1 :]), rules=("VES-G04",))
            if f"{slot.id}/turn" in table.draft.counts:
                yield marked(self.who, "waits", table.draft.round, "VES-G04", until="the next round")
        return ""


def _groups(table: Table) -> list[Relation]:
    return [one for one in table.draft.relations.values() if one.kind == "group"]


class Grant(Ruling, frozen=True, kw_only=True):
    """Give somebody more standard actions this turn, or take some away (VES-009)."""

    kind: ClassVar[str] = "grant"
    says: ClassVar[str] = "give standard actions this turn (by), or take them away"
    words: ClassVar[tuple[str, ...]] = ("who", "by")
    people: ClassVar[tuple[str, ...]] = ("who",)

    who: Id
    by: int = 1

    def check(self, table: Table) -> None:
        """Refuse anybody who does not have the turn."""
        if self.who not in table.draft.acting:
            raise Refused("not_your_turn", "VES-009", f"it is not the turn of {self.who}", source=self.who)

    def decide(self, table: Table) -> Rule[str]:
        """Change what is left of the budget."""
        yield pool_moved(table, self.who, "actions", self.by, "VES-009")
        return ""


class Allow(Ruling, frozen=True, kw_only=True):
    """Allow an action that is not on the list, for one standard action (VES-011, VES-G03)."""

    kind: ClassVar[str] = "allow"
    says: ClassVar[str] = "allow an action that is not on the list"
    words: ClassVar[tuple[str, ...]] = ("who", "what")
    people: ClassVar[tuple[str, ...]] = ("who",)

    who: Id
    what: Word

    def check(self, table: Table) -> None:
        """Refuse somebody out of the fight."""
        must_be_active(table, self.who, "VES-G03")

    def decide(self, table: Table) -> Rule[str]:
        """Note the permission."""
        yield marked(self.who, "allowed", self.what, "VES-G03", until="it is used")
        return ""


class Waive(Ruling, frozen=True, kw_only=True):
    """Let somebody's next move provoke nobody (VES-033)."""

    kind: ClassVar[str] = "waive"
    says: ClassVar[str] = "let somebody's next move provoke nobody"
    words: ClassVar[tuple[str, ...]] = ("who",)
    people: ClassVar[tuple[str, ...]] = ("who",)

    who: Id

    def check(self, table: Table) -> None:
        """Refuse somebody out of the fight."""
        must_be_active(table, self.who, "VES-033")

    def decide(self, table: Table) -> Rule[str]:
        """Note it."""
        yield marked(self.who, "waived", True, "VES-033", until="the next move")
        return ""


class Wound(Ruling, frozen=True, kw_only=True):
    """Do damage outside an attack; at the brink it tests survival (VES-028, VES-058)."""

    kind: ClassVar[str] = "harm"
    says: ClassVar[str] = "do damage outside an attack"
    words: ClassVar[tuple[str, ...]] = ("who", "amount")
    people: ClassVar[tuple[str, ...]] = ("who",)

    who: Id
    amount: Annotated[int, Meta(ge=1, le=999)]
    protected: bool = False

    def check(self, table: Table) -> None:
        """Refuse it while something waits for an answer, and against somebody out of the fight."""
        must_be_active(table, self.who, "VES-028")
        if table.draft.question is not None or table.draft.awaited is not None:
            raise Refused("action_pending", "VES-051", "first comes the answer that is awaited", table.draft.phase)
        FLOW.permit(table, self.who, "intervene")

    def decide(self, table: Table) -> Rule[str]:
        """Put it on the stack; it resolves at once."""
        harm = Harm(who=self.who, amount=self.amount, protected=self.protected)
        if table.draft.window is not None:
            yield WindowClosed(window=table.draft.window.id, how="taken", expired=())
        yield Interrupted(by=(("gm", harm),), manner="ruled")
        return ""


class Brink(Ruling, frozen=True, kw_only=True):
    """Rule on somebody's next roll at the brink: another die, target or modifier, or its outcome (VES-058)."""

    kind: ClassVar[str] = "brink"
    says: ClassVar[str] = "rule on somebody's next roll at the brink: sides, target, modifier, or outcome"
    words: ClassVar[tuple[str, ...]] = ("who",)
    people: ClassVar[tuple[str, ...]] = ("who",)

    who: Id
    sides: Annotated[int, Meta(ge=2, le=1000)] | None = None
    target: int | None = None
    modifier: int | None = None
    outcome: Literal["holds on", "dies", "unable"] | None = None

    def check(self, table: Table) -> None:
        """Refuse somebody out of the fight, and a ruling that says nothing."""
        must_be_active(table, self.who, "VES-058")
        if all(value is None for value in (self.sides, self.target, self.modifier, self.outcome)):
            raise Unusable("say sides, target, modifier or outcome", "outcome")

    def decide(self, table: Table) -> Rule[str]:
        """Note it for that roll."""
        for key in ("sides", "target", "modifier", "outcome"):
            value = getattr(self, key)
            if value is not None:
                yield marked(self.who, f"brink/{key}", value, "VES-058", until="that roll")
        return ""


class GiveUp(Ruling, frozen=True, kw_only=True):
    """Let a foe forfeit, whatever its health (VES-056)."""

    kind: ClassVar[str] = "forfeit"
    says: ClassVar[str] = "let a foe forfeit, whatever its health"
    words: ClassVar[tuple[str, ...]] = ("who",)
    people: ClassVar[tuple[str, ...]] = ("who",)

    who: Id

    def check(self, table: Table) -> None:
        """Refuse somebody out of the fight."""
        must_be_active(table, self.who, "VES-056")

    def decide(self, table: Table) -> Rule[str]:
        """Let them forfeit."""
        yield from forfeit(table, self.who)
        return ""


class Unable(Ruling, frozen=True, kw_only=True):
    """Make somebody unable to fight (bound, unconscious, fled), or able again (VES-059)."""

    kind: ClassVar[str] = "unable"
    says: ClassVar[str] = "make somebody unable to fight, or able again"
    words: ClassVar[tuple[str, ...]] = ("who",)
    people: ClassVar[tuple[str, ...]] = ("who",)

    who: Id
    able: bool = False

    def check(self, table: Table) -> None:
        """Refuse what is so already."""
        if table[self.who].has("unable") != self.able:
            said = "able" if self.able else "unable"
            raise Refused("no_change", "VES-059", f"{self.who} is {said} to fight already", source=self.who)

    def decide(self, table: Table) -> Rule[str]:
        """Change it."""
        yield condition_set(table, self.who, "unable", 0 if self.able else 1, "VES-059")
        return ""


class Close(Ruling, frozen=True, kw_only=True):
    """Close the open window, whoever has not answered yet (VES-042)."""

    kind: ClassVar[str] = "close"
    says: ClassVar[str] = "close the open window"

    def check(self, table: Table) -> None:
        """Refuse it where there is none, or where only passes may close one."""
        if table.draft.window is None:
            raise Refused("no_such_window", "VES-042", "no window is open", source=table.draft.phase)
        if table.config.window_close == "all_pass":
            raise Refused("window_stays", "VES-042", "here only passes close a window", source="config.window_close")

    def decide(self, table: Table) -> Rule[str]:
        """Close it."""
        window = table.draft.window
        assert window is not None
        yield WindowClosed(window=window.id, how="ruled", expired=window.to, rules=("VES-042",))
        return "close"


class LateDelay(Ruling, frozen=True, kw_only=True):
    """Let the slot whose turn it is delay although it has acted (VES-052)."""

    kind: ClassVar[str] = "late_delay"
    says: ClassVar[str] = "let the slot whose turn it is delay although it has acted"

    def check(self, table: Table) -> None:
        """Refuse it outside a turn, or while something is pending."""
        if table.draft.phase != "turn":
            raise Refused("action_pending", "VES-052", "only a turn with nothing pending can be delayed", "turn")

    def decide(self, table: Table) -> Rule[str]:
        """Set the slot aside."""
        yield from set_aside(table, table.draft.up)
        return "delay"


class PlaceSlot(Ruling, frozen=True, kw_only=True):
    """Let a delayed slot take its turn now, between turns (VES-054)."""

    kind: ClassVar[str] = "place_slot"
    says: ClassVar[str] = "let a delayed slot take its turn now"
    words: ClassVar[tuple[str, ...]] = ("slot",)

    slot: Id

    def check(self, table: Table) -> None:
        """Refuse a slot that has not delayed, and any moment but the one between turns."""
        if all(slot.id != self.slot for slot in table.draft.slots):
            raise Unusable(f"there are the slots {', '.join(slot.id for slot in table.draft.slots)}", "slot")
        if table.draft.phase != "reinsertion" or table.draft.stack:
            raise Refused("turn_running", "VES-054", "a turn is re-inserted only between turns", table.draft.phase)
        if not any(table[who].has("delayed") and active(table, who) for who in slot_of(table, self.slot).members):
            raise Refused("not_delayed", "VES-054", f"{self.slot} has not delayed", source=self.slot)

    def decide(self, table: Table) -> Rule[str]:
        """Place it."""
        window = table.draft.window
        if window is not None:
            yield WindowClosed(window=window.id, how="ruled", expired=window.to, rules=("VES-054",))
        yield from reinserted(table, slot_of(table, self.slot), table.draft.up)
        return "reinsert"


class End(Ruling, frozen=True, kw_only=True):
    """End the fight, and name the victors if there are any (VES-059 to VES-061)."""

    kind: ClassVar[str] = "end"
    says: ClassVar[str] = "end the fight and name the victors, if any"
    words: ClassVar[tuple[str, ...]] = ("victors",)

    victors: str = ""

    def check(self, table: Table) -> None:
        """Refuse victors nobody has heard of, and an end in the middle of an answer."""
        sides = {one.side for one in table.draft.combatants.values()}
        if self.victors and self.victors not in sides:
            raise Unusable(f"there are the sides {', '.join(sorted(sides))}", "victors")
        if table.draft.ended:
            raise Refused("fight_over", "VES-059", "the fight is over; undo its end to end it otherwise", "fight_over")

    def decide(self, table: Table) -> Rule[str]:
        """End it."""
        draft = table.draft
        waiting = draft.question.id if draft.question else draft.awaited.roll if draft.awaited else ""
        if waiting:
            yield Withdrawn(what=waiting, rules=("VES-059",))
        yield from end(table, self.victors, "ruled")
        return "over"


RULINGS: tuple[type[Ruling], ...] = (
    *EVERYWHERE,
    Allow,
    Brink,
    Close,
    End,
    GiveUp,
    Grant,
    Group,
    Join,
    LateDelay,
    PlaceSlot,
    Split,
    Unable,
    Waive,
    Wound,
)
