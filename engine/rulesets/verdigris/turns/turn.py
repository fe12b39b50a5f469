"""Turns and rounds from beginning to end, and the end of the fight."""

from collections.abc import Iterator
from functools import partial

from affray.engine.core.actions import Action, declared_as
from affray.engine.core.changes import end_condition, set_condition, set_pool
from affray.engine.core.effects import Ask, Interrupted, Rule, choice
from affray.engine.core.marks import Mark
from affray.engine.kit.fight_end import ONE_SIDE, record_fight_end, reopen_fight
from affray.engine.kit.turn_order import remove_called_up
from affray.engine.rulesets.verdigris import marks
from affray.engine.rulesets.verdigris.chapters.mounts import Nerve, is_in_danger
from affray.engine.rulesets.verdigris.chapters.panic import PANIC
from affray.engine.rulesets.verdigris.chapters.suffering import suffer_after_round, suffer_conditions
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.harm.conditions import hold_on, lose_readied
from affray.engine.rulesets.verdigris.harm.injuries import tick
from affray.engine.rulesets.verdigris.sheet import (
    NOBODY,
    is_in_play,
    least_stress,
    list_standing_sides,
    other_side,
    try_rule,
)
from affray.events import Clause, Id, Option, RoundBegan, TurnBegan, TurnEnded

from .initiative import spot_ambush
from .order import find_called_up, find_due_side, find_side_of_turn, is_over, list_due, list_rollers

REACHED = Option(choice="reached", says="is in safety, and calm")
NOT_REACHED = Option(choice="not_reached", says="is not in safety yet")

ENDS = Option(choice="ends", says="the fight is over")
GOES_ON = Option(choice="goes_on", says="the fight goes on for now")


@declared_as("begin_turn", "take the turn that is due", own_trigger="begin_turn", stacks=False)
class BeginTurn(Action, frozen=True, kw_only=True):
    """Take the turn that is due: one move, one action, one reach to the belt."""

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Give the actor a full budget, less what an effect took from it."""
        yield TurnBegan(slot=actor, members=(actor,), rules=("VER-002", *list_turn_clauses(table, actor)))
        yield from remove_called_up(table, actor, "VER-T76")
        noted = actor in table.draft.marks
        for pool in ("move", "action", "belt"):
            lost = noted and marks.LOSES.is_on(table, actor, pool)
            if lost:
                yield marks.LOSES.clear_on(actor, "VER-055", about=pool)
            if table.pool(actor, pool) != (0 if lost else 1):
                yield set_pool(table, actor, pool, 0 if lost else 1, "VER-100" if pool == "belt" else "VER-015")


def list_turn_clauses(table: Table, actor: Id) -> tuple[Clause, ...]:
    """Return the clauses by which a turn comes now, in an ambush too (VER-013, VER-T37)."""
    if find_called_up(table) == actor:
        return ("VER-T76",)
    ambush = marks.SURPRISING.of(table, marks.FIGHT)
    if not ambush:
        return ("VER-008",)
    if marks.EXEMPT.is_on(table, actor):
        return ("VER-012", "VER-T37")
    return ("VER-012",) if table[actor].side == ambush else ("VER-013",)


@declared_as("end_turn", "end the turn", own_trigger="end_turn", stacks=False)
class EndTurn(Action, frozen=True, kw_only=True):
    """End the own turn, with the budget used up or not."""


def start_turn(table: Table) -> Rule[str]:
    """Start the turn: Death's Door, conditions in table order, the mount's nerve."""
    who = table.draft.up
    if who not in table.draft.combatants:
        return "falls"
    if table[who].conditions:
        if table[who].has("readied"):
            yield from lose_readied(table, who)
        if table[who].has("deaths_door"):
            return "at_deaths_door"
        yield from suffer_conditions(table, who)
        if not is_in_play(table, who):
            return "falls"
    yield from marks.TENDED.end_on(table, who, "VER-S30")
    if table[who].has("deaths_door"):
        return "opens"
    if marks.FLEES.is_on(table, who):
        yield marks.FLEES.clear_on(who, "VER-S12")
        yield set_condition(table, who, "fleeing", 1, "VER-S12", source=PANIC)
    if is_in_danger(table, who):
        yield Interrupted(by=((who, Nerve()),), manner="shying", rules=("VER-060", "VER-061"))
    return "opens"


def try_deaths_door(table: Table) -> Rule[str]:
    """Save at Death's Door: the whole turn, unless configured or allowed otherwise."""
    who = table.draft.up
    if who not in table.draft.combatants:
        return "dies"
    if not table[who].has("stable"):
        yield from try_rule(hold_on(table, who))
        if not is_in_play(table, who):
            return "dies"
    allowed = table.config.deaths_door_may_act or marks.ALLOWED.is_on(table, who, "VER-094")
    return "acts_on" if allowed else "holds_on"


ENDING: tuple[Mark[int] | Mark[bool], ...] = (
    marks.MOVED_TWICE, marks.HELD_BACK, marks.TRANSITION_LEFT, marks.STANDS_STILL,
    marks.MOUNT_ALARMED, marks.MOUNT_CONTROLLED, marks.MOUNT_TRIED, marks.MOUNT_STRUCK,
)  # fmt: skip
"""Marks that last until the end of the turn."""


def end_turn(table: Table) -> Rule[str]:
    """End the turn: flight, injury clocks, notes of the turn; the other side is due (VER-005, VER-T63)."""
    who = table.draft.up
    if who in table.draft.combatants:
        if table[who].has("fleeing"):
            answer = yield from choice(partial(_build_safety_question, table, who))
            if answer is not None and answer.choice == "reached":
                yield set_pool(table, who, "stress", least_stress(table, who), "VER-S12")
            yield from end_condition(table, who, "fleeing", "VER-S12")
        if is_in_play(table, who) and table[who].has("injured"):
            yield from tick(table, who, "turns", "VER-093")
        if who in table.draft.marks:
            for mark in ENDING:
                yield from mark.end_on(table, who)
            for clause in [clause for clause, _ in marks.ALLOWED.list_on(table, who)]:
                yield marks.ALLOWED.clear_on(who, about=clause)
    yield TurnEnded(slot=who, rules=("VER-004", "VER-T63"))
    after = other_side(find_side_of_turn(table, who))
    yield from marks.SIDE_DUE.end_on(table, who, "VER-005")
    if after != marks.SIDE_DUE.of(table, marks.FIGHT):
        yield marks.SIDE_DUE.set_on(marks.FIGHT, after, "VER-005")
    return "ended"


def _build_safety_question(table: Table, who: Id) -> Ask | None:
    if not is_in_play(table, who) or PANIC not in table[who].conditions.get("fleeing", NOBODY):
        return None
    if not table.pool(who, "stress"):
        return None
    return Ask(of=("gm",), about=f"safety:{who}", options=(NOT_REACHED, REACHED), rules=("VER-S12",))


def next_slot(table: Table) -> Rule[str]:
    """Find the side with the next turn, or end the round (VER-009).

    A side without turns left is skipped.
    """
    if is_over(table):
        return "one_side_left"
    if marks.AMBUSHED.is_on(table, marks.FIGHT):
        yield from spot_ambush(table)
    now = find_due_side(table)
    if now is None:
        return "all_had_one"
    side = now[0]
    ambush = marks.SURPRISING.is_on(table, marks.FIGHT)
    called = find_called_up(table)
    if side != find_side_of_turn(table, called):
        owner = called if called and not table.is_known(called) else marks.FIGHT
        yield marks.SIDE_DUE.set_on(owner, side, "VER-T76" if called else "VER-013" if ambush else "VER-009")
    return "ambush" if ambush else "due"


def end_round(table: Table) -> Rule[str]:
    """End the round: poison, hearing, hiding, numb limbs; then begin the next (VER-010, VER-T39).

    A fight that was reopened may still have a turn under way. That turn ends first.
    """
    if table.draft.acting:
        yield from end_turn(table)
    for who in tuple(table.draft.combatants):
        if is_in_play(table, who) and table[who].conditions:
            yield from try_rule(suffer_after_round(table, who))
    if not (yield from _go_on(table, ahead=1)):
        return "over"
    if marks.SURPRISING.is_on(table, marks.FIGHT):
        acts = table.config.surprise_surprised_side_acts_in_first_round
        yield marks.SURPRISING.clear_on(marks.FIGHT, "VER-013", *(() if acts else ("VER-T39",)))
        for who in tuple(table.draft.combatants):
            yield from marks.EXEMPT.end_on(table, who, "VER-013")
    yield RoundBegan(round=table.draft.round + 1, rules=("VER-010",))
    return "next_round"


def settle_end(table: Table) -> Rule[str]:
    """Ask whether the fight is over once one side has no able combatant (P43)."""
    if not (yield from _go_on(table)):
        return "over"
    if table.draft.acting:
        return "fights_on"
    begun = marks.INITIATIVE.of(table, marks.FIGHT) == table.draft.round or marks.SURPRISING.is_on(table, marks.FIGHT)
    return "next" if begun else "next_round"


def reopen(table: Table) -> Rule[str]:
    """Reopen a finished fight in a new round (VER-T79).

    A fight that had not begun starts from its beginning.
    """
    yield from reopen_fight(table, "VER-T79")
    return "reopen" if table.draft.round else "begin_anew"


def _go_on(table: Table, ahead: int = 0) -> Rule[bool]:
    """Ask the game master whether a one-sided fight goes on; if not, end it (P43)."""
    answer = yield from choice(partial(_build_end_question, table, ahead))
    if answer is None:
        return True
    if answer.choice == "ends":
        yield from record_fight_end(table, table.derive(list_standing_sides), ONE_SIDE, "VER-T36")
        return False
    yield marks.UNFINISHED.set_on(marks.FIGHT, table.draft.round + ahead)
    return True


def _build_end_question(table: Table, ahead: int) -> Ask | None:
    """Return the question whether the fight is over, while one side is left (VER-T72)."""
    if not is_over(table, ahead):
        return None
    ways = (ENDS, GOES_ON) if list_rollers(table) else (ENDS,)
    return Ask(of=("gm",), about="ending", options=ways, rules=("VER-T36", "VER-T72") if ahead else ("VER-T36",))


def movers(table: Table) -> Iterator[tuple[Id, str]]:
    """Yield the combatants who might declare an action now, each with its manner."""
    draft = table.draft
    phase = draft.phase
    if phase in ("setup", "fight_over"):
        yield "gm", "standard"
    elif phase == "initiative":
        for who in list_rollers(table):
            yield who, "standard"
    elif phase in ("slot", "surprise"):
        for who in list_due(table):
            yield who, "standard"
    elif phase == "turn":
        for who in draft.acting:
            yield who, "standard"
