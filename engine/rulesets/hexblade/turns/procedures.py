"""The procedures of a fight: beginning, initiative, turns, ends of turns and rounds."""

from functools import partial

from affray.engine.core.actions import Action, declared_as
from affray.engine.core.changes import set_clock, set_condition, set_pool
from affray.engine.core.effects import Roll, Rule
from affray.engine.kit.fight_end import has_enemies, reopen_fight
from affray.engine.kit.sheets import is_pc, stat
from affray.engine.kit.turn_order import list_called_up, remove_called_up
from affray.engine.rulesets.hexblade.attack.rolls import build_d20_roll, throw_test
from affray.engine.rulesets.hexblade.chapters.effects import end_states_due
from affray.engine.rulesets.hexblade.config import Table
from affray.engine.rulesets.hexblade.harm import tidy
from affray.engine.rulesets.hexblade.marks import ACTED, BEATEN, BROKE_FREE, CLEARS, DRAWN, INITIATIVE
from affray.engine.rulesets.hexblade.movement.board import is_on_board
from affray.engine.rulesets.hexblade.sheet import (
    ROUND,
    SECONDS,
    is_active,
    list_able,
    list_lasting_sources,
    list_modifiers,
    must_be_active,
    refusal,
)
from affray.engine.rulesets.hexblade.turns.order import end_if_over, list_yet_to_roll, next_slot, set_order
from affray.events import Clause, Id, OrderSet, RoundBegan, Source, TurnBegan, TurnEnded


@declared_as("begin", "begin the fight", own_trigger="begin", by_gm=True, stacks=False)
class Begin(Action, frozen=True, kw_only=True):
    """Begin the fight; only the game master declares it (HEX-001, HEX-071).

    There is no surprise.
    """

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse a fight of one side, and a combatant that is not on the map."""
        if actor != "gm":
            raise refusal("HEX-001", "the game master begins the fight", actor)
        if not has_enemies(table, table.derive(list_able)):
            raise refusal("HEX-001", "a fight needs two sides with somebody able each", "sides")
        for who, one in table.draft.combatants.items():
            if is_active(table, who) and not is_on_board(table, one.place):
                raise table.refuse(who, "is not on the map", "HEX-071")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Open the first round, and update positions."""
        yield RoundBegan(round=1, rules=("HEX-001",))
        yield from tidy(table)


@declared_as("roll_initiative", "roll initiative for this round", own_trigger="roll_initiative", stacks=False)
class RollInitiative(Action, frozen=True, kw_only=True):
    """Roll a player character's initiative: one d20 and dexterity (HEX-003 to HEX-005, HEX-008)."""

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse an actor that is not able, has a fixed number, or has rolled."""
        must_be_active(table, actor)
        if not is_pc(table, actor):
            raise table.refuse(actor, "has a fixed number and does not roll", "HEX-005", source=f"{actor}.initiative")
        if INITIATIVE.is_on(table, actor):
            raise refusal(
                "HEX-004", f"{table.name_of(actor)} has rolled for this round", Source(of=actor, name=INITIATIVE.key)
            )

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Roll, and note the total for this round."""
        roll = yield from throw_test(table, partial(_build_initiative_roll, table, actor))
        if roll is not None:
            yield INITIATIVE.set_on(actor, roll.total, "HEX-004")


def _build_initiative_roll(table: Table, who: Id) -> Roll | None:
    """Return the initiative roll of an able combatant, or nothing (HEX-004)."""
    terms = list_modifiers(table, who, "dex", "HEX-004")
    return (
        build_d20_roll(table, who, "initiative", "initiative", (), terms, "HEX-004") if is_active(table, who) else None
    )


@declared_as("begin_turn", "take the turn that is next in the order", own_trigger="begin_turn", stacks=False)
class BeginTurn(Action, frozen=True, kw_only=True):
    """Take the turn that is next in the order (HEX-001, HEX-009)."""

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Restore movement and action, and note the states that end with this turn (HEX-066)."""
        called = actor in list_called_up(table)
        yield TurnBegan(slot=actor, members=(actor,), rules=("HEX-001", "HEX-T49") if called else ("HEX-001",))
        if called:
            yield from remove_called_up(table, actor, "HEX-T49")
            for mark in (ACTED, BROKE_FREE, DRAWN):
                if mark.of(table, actor) == table.draft.round:
                    yield mark.clear_on(actor, "HEX-T49")
        for pool, budget, rules in (
            ("movement", stat(table, actor, "movement"), ("HEX-009", "HEX-066")),
            ("actions", 1, ("HEX-009",)),
        ):
            if table.pool(actor, pool) != budget:
                yield set_pool(table, actor, pool, budget, *rules)
        if list_lasting_sources(table, actor, "blinded"):
            yield CLEARS.set_on(actor, True, "HEX-G04", about="blinded")


@declared_as("end_turn", "end the turn", own_trigger="end_turn", stacks=False)
class EndTurn(Action, frozen=True, kw_only=True):
    """End the turn; what is left of it is lost (HEX-001)."""


def end_turn(table: Table) -> Rule[str]:
    """End the turn and the states that end with it (HEX-G04)."""
    who = table.draft.up
    felled: tuple[Clause, ...] = ("HEX-T28",) if who in table.draft.combatants and not is_active(table, who) else ()
    yield TurnEnded(slot=who, rules=("HEX-001", *felled))
    if CLEARS.is_on(table, who, "blinded"):
        yield CLEARS.clear_on(who, "HEX-G04", about="blinded")
        if who in table.draft.combatants:
            for source in list_lasting_sources(table, who, "blinded"):
                yield set_condition(table, who, "blinded", 0, "HEX-G04", source=source)
    return "next" if next_slot(table) else "all_acted"


def end_round(table: Table) -> Rule[str]:
    """Let six seconds pass, and drop the order (HEX-002, HEX-008)."""
    yield set_clock(table, SECONDS, table.draft.clock("", SECONDS) + ROUND, "HEX-002")
    yield from end_states_due(table)
    yield OrderSet(slots=(), rules=("HEX-008",))
    for who in table.draft.combatants:
        for mark in (INITIATIVE, BEATEN):
            yield from mark.end_on(table, who, "HEX-008")
    yield RoundBegan(round=table.draft.round + 1, rules=("HEX-001", "HEX-008"))
    if (yield from end_if_over(table)):
        return "over"
    if list_yet_to_roll(table):
        return "next_round"
    yield from set_order(table)
    return "nobody_rolls" if next_slot(table) else "all_acted"


def reopen(table: Table) -> Rule[str]:
    """Reopen a fight in a new round, or in setup if it had not begun (HEX-T52)."""
    yield from reopen_fight(table, "HEX-T52")
    if table.draft.acting:
        yield from end_turn(table)
    return "reopen" if table.draft.round else "begin_anew"
