"""What runs by itself: initiative, slots, rounds, windows, precedence (VES-003 to 008, VES-042 to 054)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice

from affray.engine.core.changes import condition_ended, marked
from affray.engine.core.effects import Interrupted, Roll, Rule, throw
from affray.engine.core.ruleset import Offer
from affray.engine.core.state import Pending
from affray.engine.kit.relations import bonds
from affray.engine.kit.turn_order import first_to_come, has_had_turn
from affray.events import Clause, Dice, Id, Modifier, OrderSet, Rolled, RoundBegan, Slot, TurnBegan, TurnEnded

from .attack import Attack
from .config import Table
from .flow import OPEN
from .groups import regrouped
from .harm import end, is_over, winners
from .play import before_initiative
from .sheet import active, holders, standing, stat
from .slots import belated, first_to_act, put_off, start_of_turn
from .turn import free_round


def first_strike(table: Table) -> Rule[str]:
    """Let the blow that opens the fight come first, outside the order and at no cost (VES-002).

    A free round comes after it (VES-G02).
    """
    surprising = table.mark("fight", "surprising")
    if surprising:
        yield marked("fight", "free_round", surprising, "VES-G02", until="initiative")
    attacker, target = table.mark("fight", "attacker"), table.mark("fight", "target")
    yield Interrupted(by=((str(attacker), Attack(target=str(target))),), manner="first", rules=("VES-002",))
    return "resume"


def units(table: Table) -> dict[Id, tuple[Id, ...]]:
    """Return who will act together: each group, and everybody else alone, in roster order (VES-005)."""
    groups = bonds(table, "group")
    found: dict[Id, tuple[Id, ...]] = {}
    for who in table.draft.combatants:
        group = groups.get(who)
        found[group.id if group else who] = tuple(one.who for one in group.members) if group else (who,)
    return found


def initiative(table: Table) -> Rule[str]:
    """Roll one d20 for each combatant or group in roster order, highest first (VES-003, VES-004)."""
    if table.draft.round == 0:
        yield RoundBegan(round=1, rules=("VES-T03",))
    scores = yield from _thrown(table)
    slots = [Slot(id=unit, members=members, score=scores[unit]) for unit, members in units(table).items()]
    if table.config.initiative_tie == "agility":
        slots.sort(key=lambda slot: stat(table, slot.members[0], "agility"), reverse=True)
    slots.sort(key=lambda slot: slot.score, reverse=True)
    yield OrderSet(slots=tuple(slots), rules=("VES-004", "VES-T04"))
    if is_over(table):
        yield from end(table, winners(table), "at most one side can still fight")
        return "over"
    return "ordered"


def _thrown(table: Table) -> Rule[dict[Id, int]]:
    """Throw the dice for initiative, and come to what each unit got (VES-003, VES-005).

    Where rulings made other units of them meanwhile, those still without a die throw it last.
    """
    scores: dict[Id, int] = {}
    while missing := [unit for unit in units(table) if unit not in scores]:
        for unit in missing:
            roll: Rolled | None = yield from throw(partial(_die, table, unit))
            if roll is not None:
                scores[unit] = roll.total
    return scores


def _die(table: Table, unit: Id) -> Roll | None:
    """Return the roll of a combatant or a group, if it is still there to roll."""
    grouped = bonds(table, "group")
    group = next((one for one in grouped.values() if one.id == unit), None)
    if group is None and (unit not in table.draft.combatants or unit in grouped):
        return None
    bonus = table.config.initiative_modifier
    return Roll(
        dice=(Dice(count=1, sides=20, kind="initiative"),),
        purpose=f"initiative:{unit}",
        by=group.members[0].who if group else unit,
        modifiers=(Modifier(value=bonus, label="initiative", rule="VES-T04"),) if bonus else (),
        rules=("VES-003", "VES-005", "VES-006", "VES-007") if group else ("VES-003",),
    )


def upcoming(table: Table) -> Rule[str]:
    """Let the next slot of the round come up that has somebody active (VES-008)."""
    draft = table.draft
    for slot in islice(draft.slots, first_to_come(table, draft.slots), None):
        if has_had_turn(table, slot) or draft.marks.get(slot.id, {}).get("waits") == draft.round:
            continue
        members = tuple(who for who in slot.members if active(table, who))
        if members:
            rules = ("VES-008", "VES-007") if len(slot.members) > 1 else ("VES-008",)
            yield TurnBegan(slot=slot.id, members=members, rules=rules)
            for who in members:
                yield from start_of_turn(table, who)
            return "comes_up"
    return "all_had_one"


def round_end(table: Table) -> Rule[str]:
    """Let turns that were never re-inserted be lost, and open the next round (VES-054, VES-008)."""
    for who in table.draft.combatants:
        yield from condition_ended(table, who, "delayed", "VES-054")
    yield RoundBegan(round=table.draft.round + 1, rules=("VES-T03",))
    return "reroll" if table.config.reroll_initiative else "next_round"


def announcements(table: Table) -> Offer:
    """Ask every holder of a token whose turn it is not (VES-042)."""
    acting = table.draft.acting
    to = () if before_initiative(table) else table.derived(holders)
    if to and acting:
        to = tuple(who for who in to if who not in acting)
    return Offer(to=to, what="announce", rules=("VES-042", "VES-T27"))


def reinsertions(table: Table) -> Offer:
    """Ask everybody who has delayed, once nobody answers the last turn any more (VES-054)."""
    return Offer(to=table.derived(delayed), what="reinsert", rules=("VES-054",))


def delayed(table: Table) -> tuple[Id, ...]:
    """Return who has delayed, in roster order."""
    return tuple(who for who, one in table.draft.combatants.items() if one.has("delayed") and active(table, who))


def precedence(table: Table, manner: str, tags: tuple[str, ...]) -> tuple[int, tuple[Clause, ...]]:
    """Find a new action's place on the stack, 0 resolving last, and the clauses that put it there.

    A readied action goes above all it outranks, from the top down; everything else goes on top (VES-046 to VES-049).
    """
    stack = table.draft.stack
    at = len(stack)
    tagged: tuple[Clause, ...] = ("VES-T05",) if "initiative" in tags else ()
    if manner != "readied":
        return at, tagged
    if not stack:
        return at, (*tagged, "VES-T43")
    if tagged:
        passes_tagged = any("initiative" in pending.tags for pending in stack)
        return at, (*tagged, "VES-046", "VES-T38", *(("VES-049",) if passes_tagged else ()))
    while at > 0 and "initiative" in stack[at - 1].tags:
        at -= 1
    below = ("VES-048", "VES-T39") if at < len(stack) else ()
    return at, (*below, *_passing(stack[at - 1])) if at > 0 else below


def _passing(pending: Pending) -> tuple[Clause, ...]:
    """Return why an untagged readied action resolves before what is pending, which may be an answer, or provoked."""
    return {"readied": ("VES-046", "VES-T37"), "provoked": ("VES-046", "VES-T42")}.get(pending.manner, ("VES-046",))


def aftermath(table: Table) -> Rule[str]:
    """See whether the fight is over, or the slot's turn; otherwise go on (VES-059, VES-007, VES-051)."""
    draft = table.draft
    if draft.phases[""] in OPEN and is_over(table):
        yield from end(table, winners(table), "at most one side can still fight")
        return "over"
    if draft.phases[""] == "first_strike" and table.mark("fight", "free_round") in table.derived(standing):
        yield from free_round(table, str(table.mark("fight", "free_round")))
        return "surprise"
    in_a_turn = not draft.stack and draft.phases[""] in ("turn", "surprise")
    if in_a_turn and not any(active(table, who) for who in draft.acting):
        yield TurnEnded(slot=draft.up, rules=("VES-051",))
        return "spent"
    return "resume"


def tidied(table: Table) -> Rule[None]:
    """Bring into line with a ruling who rolls together, and whose turn it is (VES-005, VES-007)."""
    draft = table.draft
    if not draft.slots:
        yield from regrouped(table)
    if draft.phases[""] in OPEN:
        yield from put_off(table)
    if draft.phases[""] == "turn":
        yield from belated(table)


def movers(table: Table) -> Iterator[tuple[Id, str]]:
    """Yield who might declare something now, and in which manner."""
    draft = table.draft
    phase = draft.phase
    if phase == "setup":
        yield "gm", "standard"
    if not draft.stack:
        for who in draft.acting:
            yield who, "standard"
    if draft.window is not None:
        for who in draft.window.to:
            yield who, "readied" if draft.window.what == "announce" else "standard"
    elif phase == "turn":
        for who in announcements(table).to:
            yield who, "readied"
    if phase in ("gap", "reinsertion", "lull") or (phase == "turn" and not first_to_act(table)):
        for who, one in draft.combatants.items():
            asks = one.has("brink") or not table.config.forfeit_only_at_brink
            if asks and active(table, who) and who not in draft.acting and not _in_window(table, who):
                yield who, "standard"


def _in_window(table: Table, who: Id) -> bool:
    return table.draft.window is not None and who in table.draft.window.to
