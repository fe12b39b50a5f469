"""What runs by itself: the order, the ends of turns and rounds, what follows from an action (HEX-001 to HEX-008)."""

from __future__ import annotations

from collections.abc import Iterator

from affray.engine.core.changes import condition_set, marked
from affray.engine.core.effects import Rule
from affray.engine.core.table import Table
from affray.events import Clause, ClockSet, Id, OrderSet, RoundBegan, Slot, TurnEnded

from .effects import lapsed
from .fate import over
from .flow import OPEN
from .sheet import able, is_pc, standing, stat
from .slots import next_slot, to_roll
from .states import ROUND, SECONDS, lasting


def ordered(table: Table) -> Rule[None]:
    """Set the order of the round, highest first, and note whom each player character has beaten (HEX-006, HEX-007).

    A total beats only a lower number. Equal ones: a fixed number before a total, or the other way round if the table
    wants it so; then the better dexterity among player characters, then the seats.
    """
    everybody = [who for who in table.draft.combatants if able(table, who)]
    scores = {who: initiative(table, who) for who in everybody}
    order = sorted(everybody, key=lambda who: turn_rank(table, who, scores[who]))
    slots = tuple(Slot(id=who, members=(who,), score=scores[who]) for who in order)
    tie: tuple[Clause, ...] = ("HEX-007",) if len(set(scores.values())) < len(scores) else ()
    allies: tuple[Clause, ...] = ("HEX-T26",) if _allied_others(table, everybody) else ()
    yield OrderSet(slots=slots, rules=("HEX-006", "HEX-003", *tie, *allies))
    order_only: tuple[Clause, ...] = ("HEX-T35",) if table.config.initiative_tie == "pc_first" else ()
    for who in everybody:
        if is_pc(table, who):
            beaten = [one for one in everybody if not is_pc(table, one) and scores[who] > scores[one]]
            yield marked(who, "beaten", ";".join(beaten), "HEX-006", *order_only, until="the end of the round")


def _allied_others(table: Table, everybody: list[Id]) -> bool:
    """Tell whether somebody with a fixed number is on the side of a player character (HEX-T26)."""
    sides = {table[who].side for who in everybody if is_pc(table, who)}
    return any(not is_pc(table, who) and table[who].side in sides for who in everybody)


def turn_rank(table: Table, who: Id, score: int) -> tuple[int, bool, int]:
    """Return what decides who acts before whom, the least first; equal ones go by their seats (HEX-006, HEX-007)."""
    pc = is_pc(table, who)
    pcs_last = table.config.initiative_tie == "npc_first"
    return -score, pc == pcs_last, -stat(table, who, "dex") if pc else 0


def initiative(table: Table, who: Id) -> int:
    """Return what a player character rolled, or the fixed number of anybody else (HEX-004, HEX-005)."""
    rolled = table.mark(who, "initiative") if is_pc(table, who) else None
    return rolled if isinstance(rolled, int) else stat(table, who, "initiative")


def turn_end(table: Table) -> Rule[str]:
    """End the turn and what ends with it (HEX-001, HEX-G04)."""
    who = table.draft.up
    felled: tuple[Clause, ...] = ("HEX-T28",) if who in table.draft.combatants and not able(table, who) else ()
    yield TurnEnded(slot=who, rules=("HEX-001", *felled))
    if table.mark(who, "clears/blinded") is not None:
        yield marked(who, "clears/blinded", None, "HEX-G04")
        if who in table.draft.combatants:
            for source in lasting(table, who, "blinded"):
                yield condition_set(table, who, "blinded", 0, "HEX-G04", source=source)
    return "next" if next_slot(table) else "all_acted"


def round_end(table: Table) -> Rule[str]:
    """Let six seconds have passed, and throw the order away (HEX-002, HEX-008)."""
    now = table.draft.clocks.get(SECONDS, 0)
    yield ClockSet(clock=SECONDS, before=now, after=now + ROUND, rules=("HEX-002",))
    yield from lapsed(table)
    yield OrderSet(slots=(), rules=("HEX-008",))
    for who in table.draft.combatants:
        for key in ("initiative", "beaten"):
            if table.mark(who, key) is not None:
                yield marked(who, key, None, "HEX-008")
    yield RoundBegan(round=table.draft.round + 1, rules=("HEX-001", "HEX-008"))
    if (yield from over(table)):
        return "over"
    if to_roll(table):
        return "next_round"
    yield from ordered(table)
    return "nobody_rolls"


def aftermath(table: Table) -> Rule[str]:
    """See what has become of the fight, of the round and of the turn; otherwise go on."""
    draft = table.draft
    phase = draft.phases[""]
    if phase in OPEN and len(table.derived(standing)) < 2 and (yield from over(table)):
        return "over"
    if draft.stack:
        return "resume"
    if phase == "initiative" and not to_roll(table):
        yield from ordered(table)
        return "all_rolled"
    if phase == "order_ready" and next_slot(table) is None:
        return "all_acted"
    if phase == "turn" and not any(able(table, who) for who in draft.acting):
        return "spent"
    return "resume"


def movers(table: Table) -> Iterator[tuple[Id, str]]:
    """Yield who might declare something now, and in which manner."""
    draft = table.draft
    phase = draft.phase
    if phase == "setup":
        yield "gm", "standard"
    elif phase == "initiative":
        for who in to_roll(table):
            yield who, "standard"
    elif phase == "order_ready":
        slot = next_slot(table)
        for who in slot.members if slot else ():
            yield who, "standard"
    elif phase == "turn":
        for who in draft.acting:
            yield who, "standard"
    elif phase == "fight_over":
        for who in draft.combatants:
            yield who, "standard"
