"""Pools of dice: their parts, bonuses and penalties, and the roll of a pool."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache

from msgspec import Struct

from affray.engine.core.effects import Roll
from affray.engine.kit.sheets import is_pc
from affray.engine.rulesets.verdigris import marks
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.sheet import NOBODY, background_of
from affray.engine.rulesets.verdigris.tables import conditions, injuries
from affray.events import Clause, Dice, Faces, Id, Modifier, Source


class Share(Struct, frozen=True, gc=False):
    """Dice of one kind in a pool. Shares stand in the order of rolling.

    Attributes:
        kind: ``attribute``, ``save``, ``quality``, ``skill``, ``background`` or ``gear``.
        dice: Their number, before penalties.
        label: Their name, as players read it.
        source: The stat or item that gives them.
        rule: The clause that gives them.
        item: The item they belong to, for gear that can wear.
    """

    kind: str
    dice: int
    label: str
    source: Id
    rule: Clause
    item: Id = ""


TAKEN = (("skill",), ("background",), ("attribute", "save", "quality"), ("gear",))
"""The kinds of dice that penalties take, first to last; never stress dice (VER-S05)."""

TAKEN_FIRST = {kind: at for at, kinds in enumerate(TAKEN) for kind in kinds}


def attribute(table: Table, who: Id, name: str, rule: Clause = "VER-T08") -> Share:
    """Return the dice of an attribute's present value (VER-T08)."""
    return Share("attribute", table.pool(who, name), name, f"{who}.{name}", rule)


def skill(table: Table, who: Id, name: str, rule: Clause = "VER-T10") -> Share:
    """Return the dice of a skill (VER-T10)."""
    return Share("skill", table[who].stats.get(name, 0), name, f"{who}.{name}", rule)


def quality(table: Table, mount: Id) -> Share:
    """Return the dice of a mount's Quality (VER-T26)."""
    return Share("quality", table[mount].stats.get("quality", 0), "quality", f"{mount}.quality", "VER-T26")


def background(table: Table, who: Id) -> Share:
    """Return the die of a fitting background (VER-T11)."""
    known = background_of(table, who)
    return Share("background", int(bool(known)), known, f"{who}.background", "VER-T11")


def count_stress_dice(table: Table, who: Id) -> int:
    """Return the stress dice of a combatant's tests; only player characters have any (VER-S06)."""
    return table.pool(who, "stress") if is_pc(table, who) else 0


def build_dice(
    shares: Sequence[Share], changes: Sequence[Modifier], stress: int, least: int
) -> tuple[tuple[Dice, ...], tuple[Modifier, ...]]:
    """Return the dice of a pool, and their sources (VER-T54).

    Only the sum of the modifiers counts. A positive sum adds bonus dice; a negative one takes dice away.

    Args:
        shares: The parts of the pool, in the order of rolling.
        changes: Bonuses and penalties.
        stress: The number of stress dice.
        least: The fewest dice that penalties leave, without stress dice.
    """
    balance = sum([change.value for change in changes]) if changes else 0
    left, put_back = _take_dice(shares, balance, least) if balance < 0 or least else (None, 0)
    dice, terms = [], []
    for at, share in enumerate(shares):
        count = share.dice if left is None else left[at]
        if count:
            dice.append(Dice(count=count, sides=6, kind=share.kind, item=share.item))
        if share.dice:
            terms.append(Modifier(value=share.dice, label=share.label, source=share.source, rule=share.rule))
    if balance > 0:
        dice.append(Dice(count=balance, sides=6, kind="bonus"))
    if stress:
        dice.append(Dice(count=stress, sides=6, kind="stress"))
        terms.append(Modifier(value=stress, label="stress", source="stress", rule="VER-S06"))
    terms += changes
    if put_back:
        terms.append(Modifier(value=put_back, label="at least", source="config.pool_minimum", rule="VER-T54"))
    return tuple(dice), tuple(terms)


def _take_dice(shares: Sequence[Share], balance: int, least: int) -> tuple[list[int], int]:
    """Take dice away: skill, background, attribute or save, then gear in order (VER-S05).

    Return the dice left of each share, and how many dice were put back to keep ``least``. They are put back to the last
    share that has any, or to the attribute or save.
    """
    left = [share.dice for share in shares]
    for at in sorted(range(len(shares)), key=lambda nth: TAKEN_FIRST[shares[nth].kind]):
        taken = min(left[at], max(0, -balance))
        left[at] -= taken
        balance += taken
    if sum(left) + balance >= least:
        return left, 0
    owned = [at for at, share in enumerate(shares) if share.dice]
    owned = owned or [at for at, share in enumerate(shares) if share.kind != "gear"]
    last = max(owned, key=lambda nth: (TAKEN_FIRST[shares[nth].kind], nth))
    left[last] = least
    return left, least


def list_burdens(table: Table, who: Id, needs: frozenset[str]) -> list[Modifier]:
    """List the dice that conditions and injuries take from a roll (VER-S30).

    Args:
        needs: The kinds of the roll: ``tests`` or ``saves``, the save or attribute, and its needs: ``sight``,
            ``hearing``, ``bodily`` movement; ``flight`` spares the broken.
    """
    found: list[Modifier] = []
    for name, sources in table[who].conditions.items():
        if name == "injured":
            found += _list_injury_penalties(table, who, sources, needs)
            continue
        each = sum([dice for need, dice in penalties().get(name, ()) if need in needs])
        if not each or (name == "broken" and "flight" in needs):
            continue
        times = sum(sources.values()) if conditions()[name].stacks else 1
        found.append(Modifier(value=-each * times, label=name, source=f"{who}.{name}", rule="VER-S30"))
    return found


def _list_injury_penalties(table: Table, who: Id, sources: Mapping[Id, int], needs: frozenset[str]) -> list[Modifier]:
    """List the dice that injuries take, as often as each is borne (table 5.5).

    Injuries hamper only tests.
    """
    found = []
    for injury, times in sources.items() if "tests" in needs else ():
        dice = times * sum([dice for need, dice in hampering_injuries().get(injury, ((), ()))[0] if need in needs])
        if dice:
            found.append(Modifier(value=-dice, label=injury, source=Source(of=who, name=injury), rule="VER-093"))
    return found


def list_lost_sl(table: Table, who: Id, needs: frozenset[str]) -> tuple[Modifier, ...]:
    """List the SL that injuries and a past panic take from a roll."""
    found = []
    for injury, times in table[who].conditions.get("injured", NOBODY).items() if "tests" in needs else ():
        lost = times * sum([sl for need, sl in hampering_injuries().get(injury, ((), ()))[1] if need in needs])
        if lost:
            found.append(Modifier(value=-lost, label=injury, source=Source(of=who, name=injury), rule="VER-093"))
    faltering = marks.FALTERS.of(table, who)
    if faltering:
        found.append(Modifier(value=faltering, label="falters", source=Source(of=who, name="falters"), rule="VER-S12"))
    return tuple(found)


Takes = tuple[tuple[str, int], ...]


@cache
def penalties() -> dict[str, Takes]:
    """Return the dice that each condition takes per count, by kind of roll (table 5.4)."""
    return {name: tuple(row.penalties.items()) for name, row in conditions().items() if row.penalties}


@cache
def hampering_injuries() -> dict[str, tuple[Takes, Takes]]:
    """Return the dice and the SL that each injury takes, by kind of roll (table 5.5)."""
    return {row.name: (tuple(row.penalties.items()), tuple(row.sl.items())) for row in injuries().rows}


class Pool(Struct, kw_only=True, gc=False):
    """A pool that is about to be rolled.

    Attributes:
        who: The combatant who rolls.
        purpose: The purpose of the roll.
        recurs: Whether several turns of a round may ask for it, as in ``Roll``.
        shares: The parts of the pool.
        changes: Bonuses and penalties.
        needs: The kinds and needs of the roll, as in ``list_burdens``.
        stress: The number of stress dice.
        is_test: Whether it is a test; a save otherwise.
        may_push: Whether the rules let it be pushed.
        against: The SL it needs, for the record.
        rules: The clauses that ask for it.
    """

    who: Id
    purpose: str
    shares: Sequence[Share]
    changes: Sequence[Modifier]
    needs: frozenset[str]
    stress: int = 0
    is_test: bool = True
    may_push: bool = True
    against: int | None = None
    rules: tuple[Clause, ...] = ()
    recurs: bool = False


def build_present_roll(table: Table, pool: Pool, again: Callable[[], Roll]) -> Roll:
    """Return the roll of a pool as it is now, even without dice (VER-T52)."""
    dice, terms = build_dice(pool.shares, pool.changes, pool.stress, table.config.pool_minimum)
    hampered = pool.who in table.draft.marks or table[pool.who].has("injured")
    lost = list_lost_sl(table, pool.who, pool.needs) if hampered else ()
    rules = (*pool.rules, *_list_sum_clauses(pool)) if pool.changes else pool.rules
    return build_roll(pool, dice, terms, lost, rules if dice else (*rules, "VER-T52"), anew=again)


def _list_sum_clauses(pool: Pool) -> tuple[Clause, ...]:
    """Return the clauses by which modifiers are summed and taken (VER-T13, VER-T51)."""
    balance = sum([change.value for change in pool.changes])
    if balance > 0:
        return ("VER-S05", "VER-T13")
    if not pool.is_test and balance + pool.shares[0].dice < 0 and len(pool.shares) > 1:
        return ("VER-S05", "VER-T51")
    return ("VER-S05",) if any(change.value for change in pool.changes) else ()


def build_roll(
    pool: Pool,
    dice: tuple[Dice, ...],
    terms: tuple[Modifier, ...],
    lost: tuple[Modifier, ...],
    rules: tuple[Clause, ...],
    *,
    again: str = "",
    held: tuple[Faces, ...] = (),
    anew: Callable[[], Roll] | None = None,
) -> Roll:
    """Return a roll of a pool."""
    return Roll(
        dice=dice,
        purpose=pool.purpose + again,
        by=pool.who,
        recurs=pool.recurs,
        reading="sixes",
        held=held,
        pool=terms,
        modifiers=lost,
        against=pool.against,
        rules=rules,
        again=anew,
    )


def is_noted(table: Table, who: Id) -> bool:
    """Tell whether marks exist on a combatant, or modifiers on the combatant or on the action under way."""
    draft = table.draft
    held = draft.mark_parts
    return who in draft.marks or who in held or bool(draft.stack and draft.stack[-1].id in held)
