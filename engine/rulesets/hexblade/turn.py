"""Beginning, initiative and turns (HEX-001 to HEX-009, HEX-066)."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from affray.engine.core.actions import Action
from affray.engine.core.changes import marked, pool_set
from affray.engine.core.effects import Roll, Rule
from affray.engine.core.table import Table
from affray.events import Id, RoundBegan, TurnBegan

from .fate import upkeep
from .ground import on_the_board
from .levels import a_test, thrown
from .sheet import able, bonus, is_pc, must_be_able, refusal, standing, stat
from .states import lasting


class Begin(Action, frozen=True, kw_only=True):
    """Begin the fight; the game master's to declare (HEX-001, HEX-071). There is no surprise."""

    kind: ClassVar[str] = "begin"
    says: ClassVar[str] = "begin the fight"
    by_gm: ClassVar[bool] = True
    stacks: ClassVar[bool] = False
    own_trigger: ClassVar[str] = "begin"

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse a fight of one side, and somebody who is not on the map."""
        if actor != "gm":
            raise refusal("HEX-001", "the game master begins the fight", actor)
        if len(table.derived(standing)) < 2:
            raise refusal("HEX-001", "a fight needs two sides with somebody able each", "sides")
        for who, one in table.draft.combatants.items():
            if able(table, who) and not on_the_board(table, one.place):
                raise refusal("HEX-071", f"{who} is not on the map", who)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Open the first round, and see who stands around whom."""
        yield RoundBegan(round=1, rules=("HEX-001",))
        yield from upkeep(table)


class RollInitiative(Action, frozen=True, kw_only=True):
    """Roll a player character's initiative for this round: one d20 and dexterity (HEX-003 to HEX-005, HEX-008)."""

    kind: ClassVar[str] = "roll_initiative"
    says: ClassVar[str] = "roll initiative for this round"
    stacks: ClassVar[bool] = False
    own_trigger: ClassVar[str] = "roll_initiative"

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse somebody who is not able, has a fixed number (HEX-005), or has rolled (HEX-004)."""
        must_be_able(table, actor)
        if not is_pc(table, actor):
            raise refusal("HEX-005", f"{actor} has a fixed number and does not roll", f"{actor}.initiative")
        if table.mark(actor, "initiative") is not None:
            raise refusal("HEX-004", f"{actor} has rolled for this round", f"{actor}/initiative")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Roll, and note the total for this round."""
        roll = yield from thrown(table, partial(_initiative, table, actor))
        if roll is not None:
            yield marked(actor, "initiative", roll.total, "HEX-004", until="the end of the round")


def _initiative(table: Table, who: Id) -> Roll | None:
    """Return the initiative roll, as long as somebody is able to have one."""
    terms = bonus(table, who, "dex", "HEX-004")
    return a_test(table, who, "initiative", "initiative", (), terms, "HEX-004") if able(table, who) else None


class BeginTurn(Action, frozen=True, kw_only=True):
    """Take the turn that is next in the order (HEX-001, HEX-009)."""

    kind: ClassVar[str] = "begin_turn"
    says: ClassVar[str] = "take the turn that is next in the order"
    stacks: ClassVar[bool] = False
    own_trigger: ClassVar[str] = "begin_turn"

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Have movement and an action again; what ends with this turn is noted (HEX-009, HEX-066, HEX-G04)."""
        slot = next(slot for slot in table.draft.slots if actor in slot.members)
        yield TurnBegan(slot=slot.id, members=(actor,), rules=("HEX-001",))
        for pool, budget, rules in (
            ("movement", stat(table, actor, "movement"), ("HEX-009", "HEX-066")),
            ("actions", 1, ("HEX-009",)),
        ):
            if table.pool(actor, pool) != budget:
                yield pool_set(table, actor, pool, budget, *rules)
        if lasting(table, actor, "blinded"):
            yield marked(actor, "clears/blinded", True, "HEX-G04", until="the end of this turn")


class EndTurn(Action, frozen=True, kw_only=True):
    """End one's turn; what is left of it is lost (HEX-001)."""

    kind: ClassVar[str] = "end_turn"
    says: ClassVar[str] = "end the turn"
    stacks: ClassVar[bool] = False
    own_trigger: ClassVar[str] = "end_turn"
