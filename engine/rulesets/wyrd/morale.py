"""Morale of those whom no player plays (Terms, Morale; WYR-G06)."""

from __future__ import annotations

from affray.engine.facts import condition_set, marked
from affray.engine.rule import Ask, Rule
from affray.engine.table import Table
from affray.events import Answered, Field, Id, Judged, MemberDone, Option

from . import melee, prompts
from .rolling import rolled
from .sheet import active, pc_sides
from .throwing import worn_down

RULE = "WYR-G06"
HOLDS = Option(choice="holds", says="they fight on, with no test")
FLEES = Option(choice="flees", says="they run")
PARLEYS = Option(choice="parleys", says="they lay down their arms and talk")
BROKEN = (Option(choice="flee", says="they run"), Option(choice="parley", says="they lay down their arms and talk"))
BECOMES = {"flees": "fled", "flee": "fled", "parleys": "yielded", "parley": "yielded"}
"""What somebody is whose side gives up."""

HOLDS_FROM = 4
"""The face from which a test of morale is passed: only 1 to 3 fails."""


def shaken(table: Table, who: Id, fell: bool) -> Rule[None]:
    """Note that a side is to be tested: at its first casualty, at half its number, a lone foe at any wound."""
    side = table[who].side
    if not table.config.npc_morale or side in table.derived(pc_sides):
        return
    mates = [one for one in table.draft.combatants.values() if one.side == side]
    down = sum(one.has("incapacitated") or one.has("dead") for one in mates)
    tested = table.mark(side, "morale")
    if len(mates) == 1:
        why = "" if down else "one alone, and wounded"
    elif fell and down * 2 >= len(mates) and tested != "half":
        why = "half of them are lost"
        yield marked(side, "morale", "half", RULE, until="the end")
    elif fell and tested is None:
        why = "their first casualty"
        yield marked(side, "morale", "first", RULE, until="the end")
    else:
        why = ""
    if why:
        yield prompts.noted(f"morale:{side}", why, RULE)


def asked(table: Table, key: str, why: str) -> Rule[None]:
    """Ask for the morale of a side: a test of Will, or the game master's word (WYR-G06)."""
    side = key.partition(":")[2]
    members = tuple(one.id for one in table.draft.combatants.values() if one.side == side and active(table, one.id))
    if not members:
        yield prompts.asked(key)
        return
    who = Field(name="who", kind="id", among=members, optional=True)
    test = Option(choice="test", says=f"test the Will of the {side}: {why}", fields=(who,))
    answer: Answered = yield Ask(of=("gm",), about=key, options=(test, HOLDS, FLEES, PARLEYS), rules=(RULE,))
    yield prompts.asked(key)
    choice = answer.choice
    if choice == "test":
        spokesman = str(answer.fields.get("who") or members[0])
        if not active(table, spokesman):
            yield from asked(table, key, why)
            return
        if (yield from _fails(table, side, spokesman)):
            broken: Answered = yield Ask(of=("gm",), about=f"broken:{side}", options=BROKEN, rules=(RULE,))
            choice = broken.choice
    if choice in BECOMES:
        yield from given_up(table, side, BECOMES[choice])


def _fails(table: Table, side: str, who: Id) -> Rule[bool]:
    roll = yield from rolled(table, who, "will", (), f"morale:{side}", HOLDS_FROM, (RULE,))
    fails = roll.total < HOLDS_FROM
    yield Judged(roll=roll.roll, outcome="failure" if fails else "holds", margin=roll.total - HOLDS_FROM, rules=(RULE,))
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
