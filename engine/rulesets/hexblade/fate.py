"""At 0 hit points: slain, down, or what the game master decides; healing; the end of the fight (HEX-G03, HEX-001)."""

from __future__ import annotations

from functools import partial
from typing import Literal

from affray.engine.core.changes import condition_set, marked, pool_set
from affray.engine.core.effects import Ask, Go, Rule, choice
from affray.engine.core.table import Table
from affray.engine.kit.sides import ended
from affray.events import Clause, Damaged, Id, Modifier, Moved, Option

from .blows import hurt
from .formation import rearranged, seen
from .grip import grips, released, slackened
from .sheet import is_pc, standing
from .states import borne, lasting, lifted

Fate = Literal["slain", "down", "stands"]

FATES = (
    Option(choice="slain", says="is dead and leaves its hex"),
    Option(choice="down", says="lies prone, without turns and rolls, until healed"),
    Option(choice="stands", says="goes on with 0 hit points"),
)

OVER = (
    Option(choice="over", says="the fight is over"),
    Option(choice="go_on", says="it goes on; the question comes again next round"),
)


def settled(table: Table, *people: Id) -> Rule[None]:
    """Settle who fell, after everything was applied (HEX-G03)."""
    for who in dict.fromkeys(people):
        if falls(table, who):
            yield Go("felled", rules=("HEX-G03",))
            asked = table.config.zero_hp_pc if is_pc(table, who) else table.config.zero_hp_npc
            fate: str = asked
            if asked == "gm_decides":
                answer = yield from choice(partial(_asked_fate, table, who))
                fate = answer.choice if answer else ""
            if fate:
                yield from meets(table, who, fate)


def _asked_fate(table: Table, who: Id) -> Ask | None:
    """Return what the game master is asked of somebody, as long as nothing has come of it yet."""
    return Ask(of=("gm",), about=f"fate:{who}", options=FATES, rules=("HEX-G03",)) if falls(table, who) else None


def falls(table: Table, who: Id) -> bool:
    """Tell whether somebody has no hit points left and nothing has come of it yet."""
    one = table.draft.combatants.get(who)
    return one is not None and not one.pools.get("hp") and not (one.has("slain") or one.has("down"))


def meets(table: Table, who: Id, fate: str) -> Rule[None]:
    """Let somebody be slain, go down, or stand (HEX-G03)."""
    if fate == "stands":
        for condition in ("slain", "down"):
            yield from lifted(table, who, condition, "HEX-G03")
        yield from rearranged(table, table[who].place)
        return
    place = table[who].place
    if not table[who].has(fate):
        yield condition_set(table, who, fate, 1, "HEX-G03")
    if fate == "down":
        yield from borne(table, who, "prone", "HEX-G03", "HEX-G01")
        yield marked(who, "fell", table.draft.round, "HEX-G03", until="the next initiative")
    for relation in grips(table, who):
        yield from released(table, relation.id, "HEX-G02", "HEX-G03")
    if fate == "slain" and place:
        yield Moved(who=who, before=place, after="", rules=("HEX-G03",))
        yield from seen(table, (who,))
    yield from rearranged(table, place)


def healed(table: Table, who: Id, amount: int, *rules: Clause) -> Rule[None]:
    """Give hit points back, up to the maximum; whoever is down is no longer (HEX-G03)."""
    before = table.pool(who, "hp")
    after = max(before, min(before + amount, table[who].stats["hp"]))
    if after != before:
        yield pool_set(table, who, "hp", after, *rules, "HEX-T14")
    yield from revived(table, who)


def revived(table: Table, who: Id) -> Rule[None]:
    """End being down for somebody who has hit points again (HEX-G03).

    It lies prone still, and acts from the next initiative on: from the one that is being rolled, if there is one.
    """
    if table[who].has("down") and table.pool(who, "hp"):
        yield from lifted(table, who, "down", "HEX-G03", "HEX-T42")
        rolling = table.draft.phases[""] == "initiative"
        if not rolling or table.mark(who, "fell") == table.draft.round:
            after, until = (None, "") if rolling else (table.draft.round, "the next initiative")
            yield marked(who, "fell", after, "HEX-G03", until=until)
        yield from rearranged(table, table[who].place)


def recover(table: Table, who: Id) -> Rule[None]:
    """Look after somebody whose hit points, conditions or sheet the game master changed (HEX-G03)."""
    if falls(table, who):
        wish = table.config.zero_hp_pc if is_pc(table, who) else table.config.zero_hp_npc
        if wish != "gm_decides":
            yield from meets(table, who, wish)
    yield from revived(table, who)
    if table[who].has("slain") and table[who].place:
        yield from meets(table, who, "slain")
    if table[who].has("down"):
        yield from borne(table, who, "prone", "HEX-G03", "HEX-G01")
    if table.mark(who, "clears/blinded") is not None and not lasting(table, who, "blinded"):
        yield marked(who, "clears/blinded", None, "HEX-G04")


def upkeep(table: Table) -> Rule[None]:
    """Let grapples and positions agree with who is where, able and on which side: at the start, and after a ruling.

    What moves, falls or grapples by the rules looks after itself.
    """
    yield from slackened(table)
    yield from seen(table, tuple(table.draft.combatants))


def harmed(table: Table, who: Id, amount: int, *rules: Clause) -> Rule[None]:
    """Do damage outside an exchange."""
    term = Modifier(value=amount, label="ruling", source="gm")
    yield Damaged(who=who, terms=(term,), amount=amount, rules=rules)
    yield from hurt(table, who, amount, *rules)


# --- the end ---


def over(table: Table) -> Rule[bool]:
    """See whether a side has nobody able; then the game master says whether that ends it (HEX-001)."""
    answer = yield from choice(partial(_asked_whether_over, table))
    if answer is None:
        return False
    if answer.choice == "go_on":
        yield marked("fight", "goes_on", table.draft.round, "HEX-001", until="the next round")
        return False
    sides = table.derived(standing)
    yield from end(table, "".join(sides), "one side has nobody able" if sides else "nobody is able")
    return True


def _asked_whether_over(table: Table) -> Ask | None:
    """Return the question, once a round and as long as there are not two sides with somebody able."""
    if len(table.derived(standing)) >= 2 or table.mark("fight", "goes_on") == table.draft.round:
        return None
    return Ask(of=("gm",), about="over", options=OVER, rules=("HEX-001",))


def end(table: Table, victors: str, why: str) -> Rule[None]:
    """Drop what is pending and name the victors."""
    yield from ended(table, victors, why, "HEX-001")
