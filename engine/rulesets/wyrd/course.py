"""What runs by itself: surprise, the sides in turn, rounds, prompts, the end (WYR-001 to WYR-007, WYR-041, WYR-G05)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from affray.engine.core.changes import condition_ended, condition_set, marked, pool_set
from affray.engine.core.effects import Go, Roll, Rule
from affray.engine.core.table import Table
from affray.events import Dice, Id, Judged, MemberDone, OrderSet, RoundBegan, Slot, TurnBegan, TurnEnded

from . import morale, prompts
from .ending import end, is_over, winners
from .sheet import active, pc_sides, standing
from .tables import omens

OPEN = ("turn", "prompt")
"""The fight's own phases in which it may turn out to be over."""

ASKED: dict[str, Callable[[Table, str, str], Rule[None]]] = {
    "wear": prompts.wear,
    "consequence": prompts.wear,
    "setback": prompts.wear,
    "outcome": prompts.told,
    "paradox": prompts.told,
    "morale": morale.asked,
}
"""How each kind of prompt is asked."""

OUTCOMES = {"party": "the party is surprised", "encounter": "the party surprises them"}


def surprise(table: Table) -> Rule[str]:
    """See who goes first: the player characters, unless they were surprised; nobody rolls (WYR-001 to WYR-004)."""
    noted = table.mark("fight", "surprise")
    surprised = "" if noted is None else "party"
    rule = "WYR-004" if noted in ("roll", "encounter_roll") else "WYR-003"
    yield RoundBegan(round=1, rules=("WYR-001",))
    if noted is not None:
        yield marked("fight", "surprise", None)
    if noted == "roll":
        surprised = yield from _omen(table)
    if surprised == "party":
        yield marked("fight", "surprise", surprised, rule, until="the next round")
    for who, one in tuple(table.draft.combatants.items()):
        if surprised and active(table, who) and (one.side in table.derived(pc_sides)) == (surprised == "party"):
            yield condition_set(table, who, "surprised", 1, rule)
    if is_over(table):
        yield from end(table, winners(table), "at most one side can still fight")
        return "over"
    late = surprised == "party"
    yield OrderSet(slots=order(table, late), rules=("WYR-001", rule if late else "WYR-002"))
    return "npcs_first" if late else "pcs_first"


def _omen(table: Table) -> Rule[str]:
    """Roll the d6 of the encounter; come to who is surprised, if anybody (WYR-004)."""
    roll = yield Roll(
        dice=(Dice(count=1, sides=6, kind="omen"),),
        purpose="surprise",
        by="gm",
        reading="highest",
        rules=("WYR-004", "WYR-T31"),
    )
    omen = omens().get(roll.total)
    said = OUTCOMES[omen.surprised] if omen else "nobody is surprised"
    yield Judged(roll=roll.roll, outcome=said, rules=("WYR-004", "WYR-T31"))
    return omen.surprised if omen else ""


def order(table: Table, npcs_first: bool) -> tuple[Slot, ...]:
    """Return the sides in turn: those of player characters, then the others, or the other way round (WYR-002)."""
    members: dict[str, list[Id]] = {}
    for one in table.draft.combatants.values():
        members.setdefault(one.side, []).append(one.id)
    ours = table.derived(pc_sides)
    in_turn = sorted(members, key=lambda side: (side in ours) is npcs_first)
    return tuple(Slot(id=side, members=tuple(members[side])) for side in in_turn)


def upcoming(table: Table) -> Rule[str]:
    """Let the next side come up that has somebody active; each of them has a move and an action (WYR-005 to 007)."""
    draft = table.draft
    for slot in draft.slots:
        members = table.derived(standing).get(slot.id)
        if members is None or f"{slot.id}/turn" in draft.counts:
            continue
        yield TurnBegan(slot=slot.id, members=members, rules=("WYR-002", "WYR-005"))
        for who in members:
            if table.mark(who, "revived") is not None:
                yield marked(who, "revived", None)
            if table.pool(who, "moves") != 1:
                yield pool_set(table, who, "moves", 1, "WYR-006")
            if table.pool(who, "actions") != 1:
                yield pool_set(table, who, "actions", 1, "WYR-007")
        return "comes_up"
    return "all_had_one"


def reordered(table: Table) -> Rule[None]:
    """Let each side's turn be that of those who are on it after a ruling; a new side comes last (WYR-002)."""
    draft = table.draft
    for who in draft.acting:
        if table[who].side != draft.up:
            yield MemberDone(who=who, rules=("WYR-002",))
    present = {slot.id: slot for slot in order(table, npcs_first=False)}
    known = [slot.id for slot in draft.slots if slot.id in present]
    slots = tuple([present[side] for side in dict.fromkeys((*known, *present))])
    if draft.slots and [(one.id, one.members) for one in slots] != [(one.id, one.members) for one in draft.slots]:
        yield OrderSet(slots=slots, rules=("WYR-002",))


def round_end(table: Table) -> Rule[str]:
    """Open the next round; surprise is over, and the player characters go first again (WYR-002).

    An order that the game master ruled without any surprise stays as it is.
    """
    ours = table.derived(pc_sides)
    late = table.mark("fight", "surprise") is not None
    if late:
        yield marked("fight", "surprise", None)
    for who in tuple(table.draft.combatants):
        yield from condition_ended(table, who, "surprised", "WYR-002")
    yield RoundBegan(round=table.draft.round + 1, rules=("WYR-002",))
    if late and table.config.surprise_order == "first_round":
        slots = table.draft.slots
        usual = tuple(sorted(slots, key=lambda slot: slot.id not in ours))
        if usual != slots:
            yield OrderSet(slots=usual, rules=("WYR-002", "WYR-T39"))
    return "next_round"


def aftermath(table: Table) -> Rule[str]:
    """See whether the fight is over, ask what is still to be asked, and whether the side is done (WYR-041, WYR-G05)."""
    draft = table.draft
    while draft.phases[""] in OPEN:
        if not draft.ended and is_over(table):
            yield from end(table, winners(table), "at most one side can still fight")
        left = prompts.waiting(table)
        if not left:
            break
        key, what = left[0]
        if draft.ended and key.startswith("morale:"):
            yield prompts.asked(key)
            continue
        if draft.phases[""] == "turn":
            yield Go("prompt", rules=("WYR-041", "WYR-T42"))
        yield from ASKED[key.partition(":")[0]](table, key, what)
    if draft.phases[""] not in OPEN:
        return "resume"
    if draft.ended:
        return "over"
    if not any(active(table, who) for who in draft.acting):
        yield TurnEnded(slot=draft.up, rules=("WYR-T36",))
        return "spent"
    return "resume"


def movers(table: Table) -> Iterator[tuple[Id, str]]:
    """Yield who might declare something now, and in which manner."""
    draft = table.draft
    if draft.phase == "setup":
        yield "gm", "standard"
    elif draft.phase == "turn":
        for who in draft.acting:
            yield who, "standard"
    elif draft.phase == "fight_over":
        for who, one in draft.combatants.items():
            if not one.has("dead"):
                yield who, "standard"
