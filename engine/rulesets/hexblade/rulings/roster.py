"""Who takes part, and with which number (HEX-001, HEX-005)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

from msgspec import Meta

from affray.engine.core.actions import Ruling
from affray.engine.core.effects import Rule
from affray.engine.core.table import Table
from affray.engine.kit.rulings import Change, Count, replaced
from affray.engine.rulesets.hexblade.course import initiative, turn_rank
from affray.engine.rulesets.hexblade.encounter import joined
from affray.engine.rulesets.hexblade.encounter_file import Spec
from affray.engine.rulesets.hexblade.equipment import Stock
from affray.engine.rulesets.hexblade.ground import no_room
from affray.engine.rulesets.hexblade.sheet import is_pc, refusal
from affray.events import CombatantId, Event, Id, Joined, OrderSet, Slot, StatChanged


class Join(Ruling, frozen=True, kw_only=True):
    """Bring somebody new into the fight, written as in an encounter file.

    Attributes:
        combatant: A ``[[combatant]]`` of an encounter file.
        initiative: Its place in the order of this round, once there is one; the own number if not given. A player
            character without one waits for the next roll.
    """

    kind: ClassVar[str] = "join"
    says: ClassVar[str] = "bring somebody new into the fight, written as in an encounter file"
    words: ClassVar[tuple[str, ...]] = ("combatant",)

    combatant: Spec
    initiative: Change | None = None

    def check(self, table: Table) -> None:
        """Refuse what an encounter file could not say either, and a hex that has no room (HEX-071)."""
        new: set[Id] = set()
        for event in tuple(self._events(table)):
            if isinstance(event, Joined) and event.place:
                fault = no_room(table, event.place)
                if fault or event.place in new:
                    message = fault or f"two cannot be at {event.place}, for a hex holds one combatant"
                    raise refusal("HEX-071", message, event.place)
                new.add(event.place)

    def _events(self, table: Table) -> Iterator[Event]:
        yield from joined(self.combatant, "combatant", Stock.of({}, {}), set(table.draft.combatants))

    def decide(self, table: Table) -> Rule[str]:
        """Let them join, and give them their place in the order."""
        new = []
        for event in tuple(self._events(table)):
            if isinstance(event, Joined):
                yield from replaced(table, event.who)
                new.append(event.who)
            yield event
        slots = table.draft.slots
        if not slots:
            return ""
        for who in new:
            if self.initiative is None and is_pc(table, who):
                continue
            score = self.initiative if self.initiative is not None else initiative(table, who)
            rank = turn_rank(table, who, score)
            at = sum(turn_rank(table, slot.members[0], slot.score) <= rank for slot in slots)
            slots = (*slots[:at], Slot(id=who, members=(who,), score=score), *slots[at:])
        if slots != table.draft.slots:
            equal = len({slot.score for slot in slots}) < len(slots)
            yield OrderSet(slots=slots, rules=("HEX-006", "HEX-007") if equal else ("HEX-006",))
        return ""


class Initiative(Ruling, frozen=True, kw_only=True):
    """Give non-player characters their fixed number, from the next order on (HEX-005)."""

    kind: ClassVar[str] = "initiative"
    says: ClassVar[str] = "give those who do not roll their fixed number; several may share one"
    words: ClassVar[tuple[str, ...]] = ("who", "to")

    who: Annotated[tuple[CombatantId, ...], Meta(min_length=1)]
    to: Count

    def check(self, table: Table) -> None:
        """Refuse player characters, who roll (HEX-004)."""
        for who in self.who:
            if is_pc(table, who):
                raise refusal("HEX-004", f"{who} rolls and has no fixed number", who)

    def decide(self, table: Table) -> Rule[str]:
        """Set it."""
        for who in self.who:
            before = table[who].stats["initiative"]
            yield StatChanged(who=who, stat="initiative", before=before, after=self.to, rules=("HEX-005",))
        return ""
