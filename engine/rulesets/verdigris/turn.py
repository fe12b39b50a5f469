"""Beginning and ending a turn (VER-002, VER-004, VER-008, VER-015, VER-096, P07 to P12, table 5.4)."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from affray.engine.core.actions import Action
from affray.engine.core.changes import condition_set, marked, pool_set
from affray.engine.core.effects import Ask, Interrupted, Rule, choice
from affray.engine.core.table import Table
from affray.events import Clause, Id, Option, TurnBegan, TurnEnded

from .care import TENDED
from .defence import ALARMED
from .fall import no_longer_ready, rid_of
from .harm import hold_on
from .injuries import tick
from .moving import SPARE
from .nerve import Nerve, in_danger
from .order import EXEMPT, SIDE_DUE, may_begin, side_due, surprising
from .panic import FLEES, PANIC
from .refusing import ALLOWED, if_there, permissions_over
from .sheet import NOBODY, in_play, no_stress, other_side
from .suffering import suffers
from .turns import STANDS_STILL

BUDGET = ("move", "action", "belt")
REACHED = Option(choice="reached", says="is in safety, and calm")
NOT_REACHED = Option(choice="not_reached", says="is not in safety yet")


class BeginTurn(Action, frozen=True, kw_only=True):
    """Take the turn that is due: one move, one action, one reach to the belt (VER-002, VER-008, VER-015)."""

    kind: ClassVar[str] = "begin_turn"
    says: ClassVar[str] = "take the turn that is due"
    own_trigger: ClassVar[str] = "begin_turn"
    stacks: ClassVar[bool] = False

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Have a whole budget, less what an effect took from it."""
        yield TurnBegan(slot=actor, members=(actor,), rules=("VER-002", *why_now(table, actor)))
        noted = actor in table.draft.marks
        for pool in BUDGET:
            lost = noted and table.mark(actor, f"loses/{pool}") is not None
            if lost:
                yield marked(actor, f"loses/{pool}", None, "VER-055")
            if table.pool(actor, pool) != (0 if lost else 1):
                yield pool_set(table, actor, pool, 0 if lost else 1, "VER-100" if pool == "belt" else "VER-015")


def why_now(table: Table, actor: Id) -> tuple[Clause, ...]:
    """Return the clauses by which somebody's turn comes now: who surprises and the exempt, then the surprised."""
    ambush = surprising(table)
    if not ambush:
        return ("VER-008",)
    if table.mark(actor, EXEMPT) is not None:
        return ("VER-012", "VER-T37")
    return ("VER-012",) if table[actor].side == ambush else ("VER-013",)


class EndTurn(Action, frozen=True, kw_only=True):
    """End one's own turn; nothing has to be used up (VER-004, VER-015)."""

    kind: ClassVar[str] = "end_turn"
    says: ClassVar[str] = "end the turn"
    own_trigger: ClassVar[str] = "end_turn"
    stacks: ClassVar[bool] = False


def is_due(table: Table, actor: Id) -> None:
    """VER-002, VER-008: of the side that is due, and without a turn yet."""
    may_begin(table, actor)


def turn_start(table: Table) -> Rule[str]:
    """Open the turn: Death's Door, conditions in the order of their table, a mount's nerve (VER-096, P09 to P12)."""
    who = table.draft.up
    if table[who].conditions:
        if table[who].has("readied"):
            yield from no_longer_ready(table, who)
        if table[who].has("deaths_door"):
            return "at_deaths_door"
        yield from suffers(table, who)
        if not in_play(table, who):
            return "falls"
    if table.mark(who, TENDED) is not None:
        yield marked(who, TENDED, None, "VER-S30")
    if table[who].has("deaths_door"):
        return "opens"
    if table.mark(who, FLEES) is not None:
        yield marked(who, FLEES, None, "VER-S12")
        yield condition_set(table, who, "fleeing", 1, "VER-S12", source=PANIC)
    if in_danger(table, who):
        yield Interrupted(by=((who, Nerve()),), manner="shying", rules=("VER-060", "VER-061"))
    return "opens"


def deaths_door(table: Table) -> Rule[str]:
    """Save at Death's Door; that is the whole turn, unless configured or allowed otherwise (VER-094, 096, 097)."""
    who = table.draft.up
    if not table[who].has("stable"):
        yield from if_there(hold_on(table, who))
        if not in_play(table, who):
            return "dies"
    allowed = table.config.deaths_door_may_act or table.mark(who, f"{ALLOWED}VER-094") is not None
    return "acts_on" if allowed else "holds_on"


ENDING = ("moved twice", "held back", SPARE, STANDS_STILL, ALARMED, "mount controlled", "mount tried", "mount struck")
"""Marks that matter until the end of the turn."""


def turn_end(table: Table) -> Rule[str]:
    """End the turn: flight, clocks of injuries, notes of the turn; then the other side is due (VER-005, P38, P41)."""
    who = table.draft.up
    if who in table.draft.combatants:
        if table[who].has("fleeing"):
            yield from _after_flight(table, who)
        if in_play(table, who) and table[who].has("injured"):
            yield from tick(table, who, "turns", "VER-093")
        if who in table.draft.marks:
            for key in ENDING:
                if table.mark(who, key) is not None:
                    yield marked(who, key, None)
            yield from permissions_over(table, who)
    yield TurnEnded(slot=who, rules=("VER-004", "VER-T63"))
    yield marked("fight", SIDE_DUE, other_side(side_due(table)), "VER-005")
    return "ended"


def _after_flight(table: Table, who: Id) -> Rule[None]:
    """End a flight; who fled in panic and got to safety is calm (VER-S12)."""
    answer = yield from choice(partial(_asked, table, who))
    if answer is not None and answer.choice == "reached":
        yield pool_set(table, who, "stress", no_stress(table, who), "VER-S12")
    yield from rid_of(table, who, "fleeing", "VER-S12")


def _asked(table: Table, who: Id) -> Ask | None:
    """Return the question whether who fled in panic is in safety, if that matters to it."""
    if not in_play(table, who) or PANIC not in table[who].conditions.get("fleeing", NOBODY):
        return None
    if not table.pool(who, "stress"):
        return None
    return Ask(of=("gm",), about=f"safety:{who}", options=(NOT_REACHED, REACHED), rules=("VER-S12",))
