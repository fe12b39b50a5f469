"""Tests and saves: rolling a pool, pushing it, and its result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from msgspec.structs import replace

from affray.engine.core.effects import Ask, Roll, Rule, list_sources
from affray.engine.kit.modifiers import list_granted, use_up_granted
from affray.engine.kit.rulings.verdicts import judge_test
from affray.engine.kit.sheets import is_pc, stat
from affray.engine.rulesets.verdigris import marks
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.sheet import is_in_play, is_mount, refusal_by
from affray.events import Answered, Clause, Field, Id, Judged, Modifier, Option, Rolled

from .pools import Pool, Share, build_present_roll, count_stress_dice, is_noted, list_burdens
from .pushing import Thrown, ask_juggernaut, exhaust, push, use_luck, wear_down

SAVE_NEEDS = {save: frozenset({"saves", save}) for save in ("withstand", "panic", "warding")}
SAVE_NEEDS["dodge"] = frozenset({"saves", "dodge", "sight"})
"""The kinds and needs of each save."""

KEEP = Option(choice="keep", says="lets the roll stand")
PUSH = Option(choice="push", says="sets ones and sixes aside and rolls the others again")
LUCK = "luck"


def throw_pool(table: Table, present: Callable[[], Pool], ground: Callable[[], None] | None = None) -> Rule[Thrown]:
    """Roll a pool, let its owner push it or use luck, and apply the wear (VER-S02, VER-T05).

    Args:
        present: Returns the present pool; a ruling may change it while real dice are awaited.
        ground: Refuses to go on, after a ruling, if the roll has lost its ground; its owner is checked anyway.
    """
    used: list[Pool] = []
    roll: Rolled = yield _build_roll(table, present, ground, used)
    pool = used[-1]
    if is_noted(table, pool.who):
        yield from _strike_out(table, pool)
    pushed, stands = False, partial(_must_stand, table, pool, ground)
    while (ask := _build_push_question(table, pool, roll, pushed, stands)) is not None:
        answer = yield ask
        if answer is None or answer.choice == "keep":
            break
        if answer.choice == LUCK:
            roll = yield from use_luck(table, pool, roll, stands, answer)
        else:
            pushed = True
            roll = yield from push(table, pool, roll, stands)
    if pushed:
        yield from wear_down(table, pool, roll)
    panics = 0
    if pool.stress or pushed:
        panics = sum([group.faces.count(1) for group in roll.dice if group.kind == "stress"])
    return Thrown(roll.roll, max(0, roll.total), pushed, panics)


def _build_roll(table: Table, present: Callable[[], Pool], ground: Callable[[], None] | None, used: list[Pool]) -> Roll:
    """Return the roll of the present pool, and append that pool to ``used``."""
    pool = present()
    used.append(pool)
    return build_present_roll(table, pool, partial(_build_roll_again, table, present, ground, used))


def _build_roll_again(
    table: Table, present: Callable[[], Pool], ground: Callable[[], None] | None, used: list[Pool]
) -> Roll:
    """Return the roll after a ruling, if its ground still holds."""
    _must_stand(table, used[-1], ground)
    return _build_roll(table, present, ground, used)


def _must_stand(table: Table, pool: Pool, ground: Callable[[], None] | None) -> None:
    """Refuse to go on with a roll without its owner in play, or without its ground."""
    if not is_in_play(table, pool.who):
        raise refusal_by("VER-T32", f"{pool.who} is out of play", pool.who)
    if ground is not None:
        ground()


def _strike_out(table: Table, pool: Pool) -> Rule[None]:
    """Remove the notes for this one roll: modifiers, faltering, inspiration."""
    yield from use_up_granted(table, pool.who)
    yield from marks.FALTERS.end_on(table, pool.who, "VER-S12")
    if pool.is_test and marks.INSPIRED.is_on(table, pool.who):
        yield marks.INSPIRED.clear_on(pool.who, "VER-S15")


def _build_push_question(
    table: Table, pool: Pool, roll: Rolled, pushed: bool, check_ground: Callable[[], None]
) -> Ask | None:
    """Return the question whether to push or to use luck, if either is possible (VER-T15)."""
    if not roll.dice:
        return None
    pc = is_pc(table, pool.who)
    willing = pool.may_push and not pushed and (pc or table.config.npc_may_push)
    may_push = willing and (_has_loose_dice(roll) or (pool.is_test and pc))
    lucky = table.pool(pool.who, LUCK)
    if not (may_push or lucky) or is_standing_back(table, pool.who):
        return None
    options = (KEEP, PUSH) if may_push else (KEEP,)
    if lucky:
        die = Field(name="die", kind="int", low=1, high=sum([len(group.faces) for group in roll.dice]))
        again = Option(choice=LUCK, says="rolls one die again, counted from the first shown", fields=(die,))
        options = (*options, again)
    about = "push" if table.draft.stack else f"push:{pool.who}"
    of = (pool.who if pc else "gm",)
    rules = ("VER-S07", "VER-T15")
    refuses = None if may_push else _must_be_pushable
    anew = partial(_build_push_question_again, table, pool, roll, pushed, check_ground)
    sources = (f"{pool.who}.{LUCK}", *(list_sources(roll) if lucky else ()))
    return Ask(of=of, about=about, options=options, rules=rules, refuses=refuses, again=anew, sources=sources)


def _build_push_question_again(
    table: Table, pool: Pool, roll: Rolled, pushed: bool, check_ground: Callable[[], None]
) -> Ask | None:
    """Return the question after a ruling, if the roll's ground still holds."""
    ask = _build_push_question(table, pool, roll, pushed, check_ground)
    if ask is not None:
        check_ground()
    return ask


def _must_be_pushable(answer: Answered) -> None:
    if answer.choice == "push":
        raise refusal_by("VER-S07", "this roll cannot be pushed, or has been", "push")


def _has_loose_dice(roll: Rolled) -> bool:
    for group in roll.dice:
        for face in group.faces:
            if 1 < face < 6:
                return True
    return False


def is_standing_back(table: Table, who: Id) -> bool:
    """Tell whether a combatant's player wants no question now.

    The setting is ``never``, or ``targeted`` while no action targets the combatant.
    """
    ask = table.draft.asking_frequency(who)
    if ask in ("always", "worthwhile", "never"):
        return ask == "never"
    return all(who not in pending.targets for pending in table.draft.stack)


def roll_test(
    keep_nerve: Callable[[Table, Id, int], Rule[bool]],
    table: Table,
    who: Id,
    base: Callable[[], Pool],
    ground: Callable[[], None] | None = None,
    *,
    plain: bool = False,
    calm: bool = False,
    unhindered: frozenset[str] = frozenset(),
) -> Rule[Thrown]:
    """Roll a test with stress dice; ones on them call for a Panic save (VER-S01, VER-T03, VER-T50).

    Args:
        keep_nerve: The Panic save that ones on stress dice call for; the chapter on panic has it.
        base: Returns the present pool, without stress and the modifiers of its owner.
        ground: As in ``throw_pool``.
        plain: Whether bonus dice are left out before anything is summed (VER-058).
        calm: Whether it has no stress dice, and cannot be pushed.
        unhindered: The labels of penalties that do not count.
    """

    def present() -> Pool:
        pool = base()
        changes = list_test_changes(table, pool)
        if unhindered:
            changes = [change for change in changes if change.value > 0 or change.label not in unhindered]
        if plain:
            less = [change for change in changes if change.value < 0]
            if len(less) < len(changes):
                pool.rules = (*pool.rules, "VER-T50")
            changes = less
        pool.changes = changes
        pool.stress = 0 if calm else count_stress_dice(table, who)
        pool.may_push = not calm
        pool.rules = (*pool.rules, "VER-T03", "VER-S01", "VER-S02", "VER-T05")
        return pool

    result: Thrown = yield from throw_pool(table, present, ground)
    if result.panics:
        if not (yield from keep_nerve(table, who, result.panics)):
            return replace(result, sl=0, panicked=True)
        if ground is not None:
            ground()
    return result


def list_test_changes(table: Table, pool: Pool) -> Sequence[Modifier]:
    """Add the modifiers of conditions, rulings and inspiration to a test's (VER-S15)."""
    who, changes = pool.who, pool.changes
    if table[who].conditions:
        changes = (*changes, *list_burdens(table, who, pool.needs))
    if is_noted(table, who):
        changes = (*changes, *list_granted(table, who, "VER-022"))
        if marks.INSPIRED.is_on(table, who):
            inspired = Modifier(value=1, label="inspiration", source=f"{who}.inspiration", rule="VER-S15")
            changes = (*changes, inspired)
    return changes


def save(
    table: Table,
    who: Id,
    kind: str,
    *rules: Clause,
    purpose: str = "",
    recurs: bool = False,
    gear: Callable[[], Sequence[Share]] = tuple,
    changes: Callable[[], Sequence[Modifier]] = tuple,
    needs: int | None = None,
    ground: Callable[[], None] | None = None,
) -> Rule[Thrown]:
    """Roll a save: its dice, gear, modifiers, never stress (VER-S03, VER-T04, VER-T09, VER-T67).

    A mount withstands with its Quality, and cannot push (VER-064, VER-068).

    Args:
        kind: ``dodge``, ``withstand``, ``panic`` or ``warding``.
        purpose: The purpose of the roll; by default the save's name.
        recurs: Whether several turns of a round may ask for it, as in ``Roll``.
        gear: The dice of armour and shield now.
        changes: The present bonuses and penalties, without those of conditions.
        needs: The SL to reach, for the record.
        ground: As in ``throw_pool``.
    """
    more: tuple[Share, ...] = ()
    if table.pool(who, "juggernaut"):
        more = yield from ask_juggernaut(table, who, gear, ground)
    animal = is_mount(table, who)
    of = "quality" if animal and kind == "withstand" else kind
    rule = "VER-T26" if of == "quality" else "VER-T09"
    if kind == "panic" and not table.config.panic_may_push:
        rules = (*rules, "VER-T67")

    def present() -> Pool:
        return Pool(
            who=who,
            purpose=purpose or kind,
            recurs=recurs,
            shares=(Share("save", stat(table, who, of), of, f"{who}.{of}", rule), *gear(), *more),
            changes=list_save_changes(table, who, kind, changes()),
            needs=SAVE_NEEDS[kind],
            is_test=False,
            may_push=not animal and (kind != "panic" or table.config.panic_may_push),
            against=needs,
            rules=(*rules, "VER-T04", "VER-S03", "VER-T05"),
        )

    return (yield from throw_pool(table, present, ground))


def list_save_changes(table: Table, who: Id, kind: str, changes: Sequence[Modifier]) -> Sequence[Modifier]:
    """Add the modifiers of conditions and rulings to a save's."""
    if table[who].conditions:
        changes = (*changes, *list_burdens(table, who, SAVE_NEEDS[kind]))
    return (*changes, *list_granted(table, who, "VER-S05")) if is_noted(table, who) else changes


PASSED = ("passed", "failed")
"""The outcomes of a test."""


def try_save(
    table: Table,
    who: Id,
    kind: str,
    needs: int,
    *rules: Clause,
    purpose: str = "",
    recurs: bool = False,
    ground: Callable[[], None] | None = None,
    is_ruled: bool = True,
) -> Rule[bool]:
    """Roll a save against a number of SL; return whether it passes (VER-S04, VER-T06).

    A pushed save that fails exhausts.

    Args:
        is_ruled: Whether a verdict on tests applies; it does not to a save within a test.
    """
    result = yield from save(table, who, kind, *rules, purpose=purpose, recurs=recurs, needs=needs, ground=ground)
    cited = ("VER-S04", "VER-T06", *rules)
    passed = result.sl >= needs
    judged = Judged(roll=result.roll, outcome=PASSED[not passed], margin=result.sl - needs, rules=cited)
    if is_ruled:
        passed = yield from judge_test(table, who, judged, passed, PASSED, "VER-T80")
    else:
        yield judged
    if not passed:
        yield from exhaust(table, who, result)
    return passed
