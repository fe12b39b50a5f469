"""Morale of those whom no player plays (Terms, Morale; WYR-G06)."""

from __future__ import annotations

from functools import partial

from affray.engine.core.changes import condition_set, marked
from affray.engine.core.effects import Ask, Rule, choice
from affray.engine.core.table import Table
from affray.engine.errors import Refused
from affray.events import Answered, Field, Id, Judged, MemberDone, Option

from . import melee, prompts
from .rolling import rolled
from .sheet import active, must_be_active, pc_sides
from .throwing import worn_down

RULE, TERM = "WYR-G06", "WYR-T30"
HOLDS = Option(choice="holds", says="they fight on, with no test")
FLEES = Option(choice="flees", says="they run")
PARLEYS = Option(choice="parleys", says="they lay down their arms and talk")
BROKEN = (Option(choice="flee", says="they run"), Option(choice="parley", says="they lay down their arms and talk"))
BECOMES = {"flees": "fled", "flee": "fled", "parleys": "yielded", "parley": "yielded"}
"""What somebody is whose side gives up."""

HOLDS_FROM = 4
"""The face from which a test of morale is passed: only 1 to 3 fails."""


def shaken(table: Table, side: str, *, wounded: bool = False) -> Rule[None]:
    """Note that a side is to be tested: at its first casualty, at half its number, a lone foe at any wound."""
    if not table.config.npc_morale or side in table.derived(pc_sides):
        return
    mates = [one for one in table.draft.combatants.values() if one.side == side]
    down = sum(one.has("incapacitated") or one.has("dead") for one in mates)
    tested = table.mark(side, "morale")
    if len(mates) == 1:
        why = "one alone, and wounded" if wounded and not down else ""
    elif down and down * 2 >= len(mates) and tested != "half":
        why = "half of them are lost"
        yield marked(side, "morale", "half", RULE, TERM, until="the end")
    elif down and tested is None:
        why = "their first casualty"
        yield marked(side, "morale", "first", RULE, TERM, until="the end")
    else:
        why = ""
    if why:
        yield prompts.noted(f"morale:{side}", why, RULE)


def asked(table: Table, key: str, why: str) -> Rule[None]:
    """Ask for the morale of a side: a test of Will, or the game master's word (WYR-G06)."""
    side = key.partition(":")[2]
    answer = yield from choice(partial(_whether, table, key, side))
    why = prompts.noted_about(table, key) or why
    yield prompts.asked(key)
    if answer is None:
        return
    become = BECOMES.get(answer.choice, "")
    if answer.choice == "test":
        spokesman = str(answer.fields.get("who") or _members(table, side)[0])
        try:
            fails = yield from _fails(table, side, spokesman)
        except Refused:  # whoever was to test fell before the die did
            if not prompts.noted_about(table, key):
                yield prompts.noted(key, why, RULE)
            yield from asked(table, key, why)
            return
        if fails:
            broken = yield from choice(partial(_broken, table, side))
            become = BECOMES[broken.choice] if broken else ""
    if become:
        yield from given_up(table, side, become)


def _members(table: Table, side: str) -> tuple[Id, ...]:
    return tuple([one.id for one in table.draft.combatants.values() if one.side == side and active(table, one.id)])


def _whether(table: Table, key: str, side: str) -> Ask | None:
    """Return what the game master is asked, as long as anybody of the side is up; why is what was noted last."""
    members = _members(table, side)
    if not members:
        return None
    who = Field(name="who", kind="id", among=members, optional=True)
    test = Option(choice="test", says=f"test the Will of the {side}: {prompts.noted_about(table, key)}", fields=(who,))
    options = (test, HOLDS, FLEES, PARLEYS)
    return Ask(of=("gm",), about=key, options=options, rules=(RULE, TERM), refuses=partial(_down, table))


def _down(table: Table, answer: Answered) -> None:
    """Refuse to test the Will of somebody who is down."""
    who = answer.fields.get("who")
    if isinstance(who, str) and who in table.draft.combatants:
        must_be_active(table, who, RULE)


def _broken(table: Table, side: str) -> Ask | None:
    """Return what the game master is asked of a side that has failed, as long as anybody of it is up."""
    return Ask(of=("gm",), about=f"broken:{side}", options=BROKEN, rules=(RULE,)) if _members(table, side) else None


def _fails(table: Table, side: str, who: Id) -> Rule[bool]:
    roll = yield from rolled(table, who, "will", tuple, f"morale:{side}", HOLDS_FROM, (RULE,))
    fails = roll.total < HOLDS_FROM
    yield Judged(
        roll=roll.roll, outcome="failure" if fails else "holds", margin=roll.total - HOLDS_FROM, rules=(RULE, TERM)
    )
    yield from worn_down(table, roll)
    return fails


def given_up(table: Table, side: str, condition: str) -> Rule[None]:
    """Let everybody of a side who is still up flee or yield (WYR-G06)."""
    for who, one in tuple(table.draft.combatants.items()):
        if one.side == side and active(table, who):
            yield condition_set(table, who, condition, 1, RULE)
            if who in table.draft.acting:
                yield MemberDone(who=who)
            yield from melee.leave(table, who)
