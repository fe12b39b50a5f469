"""Tests: what somebody rolls when it attempts something (VER-S01, VER-S02, VER-S04, VER-S11, VER-S15)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from affray.engine.core.effects import Rule
from affray.engine.core.table import Table
from affray.engine.kit.modifiers import granted
from affray.events import Clause, Id, Judged, Modifier

from .gear import impeding
from .panic import steady
from .pools import attribute, background, burdens, skill, stress_of
from .push import INSPIRED, Thrown, thrown
from .refusing import no
from .wanted import Pool, noted

TESTS = frozenset({"tests"})

LIMBER = frozenset({"acrobatics", "sneaking", "swimming"})
"""Skills of stealth and movement, which armour impedes (VER-S16)."""


class Outcome(Struct, frozen=True):
    """What a test came to.

    Attributes:
        roll: Id of its last throw.
        sl: Its SL; 0 if panic spoilt it.
        panicked: Whether it failed by panic.
    """

    roll: Id
    sl: int
    panicked: bool = False


def attempt(
    table: Table,
    who: Id,
    base: Callable[[], Pool],
    ground: Callable[[], None] | None = None,
    *,
    plain: bool = False,
    calm: bool = False,
    unhindered: frozenset[str] = frozenset(),
) -> Rule[Outcome]:
    """Roll a test, with stress dice, and keep one's nerve if they show ones.

    Args:
        table: The fight.
        who: Who tests.
        base: The pool as it is now, without stress and without what ails or helps its owner.
        ground: As in ``thrown``.
        plain: Whether bonus dice are left out before anything is summed (VER-058).
        calm: Whether it goes without stress dice, and so without a push.
        unhindered: The labels of penalties that do not count.
    """

    def present() -> Pool:
        pool = base()
        changes = _changes(table, pool)
        if unhindered:
            changes = [change for change in changes if change.value > 0 or change.label not in unhindered]
        if plain:
            less = [change for change in changes if change.value < 0]
            if len(less) < len(changes):
                pool.rules = (*pool.rules, "VER-T50")
            changes = less
        pool.changes = changes
        pool.stress = 0 if calm else stress_of(table, who)
        pool.may_push = not calm
        pool.rules = (*pool.rules, "VER-T03", "VER-S01", "VER-S02", "VER-T05")
        return pool

    result: Thrown = yield from thrown(table, present, ground)
    if result.panics:
        if not (yield from steady(table, who, result.panics)):
            return Outcome(result.roll, 0, panicked=True)
        if ground is not None:
            ground()
    return Outcome(result.roll, result.sl)


def _changes(table: Table, pool: Pool) -> Sequence[Modifier]:
    """Return bonuses and penalties with those of conditions, of the game master, and of inspiration (VER-S15)."""
    who, changes = pool.who, pool.changes
    if table[who].conditions:
        changes = (*changes, *burdens(table, who, pool.needs))
    if noted(table, who):
        changes = (*changes, *granted(table, who, "VER-022"))
        if table.mark(who, INSPIRED) is not None:
            inspired = Modifier(value=1, label="inspiration", source=f"{who}.inspiration", rule="VER-S15")
            changes = (*changes, inspired)
    return changes


def tries(
    table: Table,
    who: Id,
    purpose: str,
    of: str,
    with_skill: str,
    *rules: Clause,
    ground: Callable[[], None] | None = None,
    fits: bool = False,
    needs: frozenset[str] = frozenset(),
    needed: int = 1,
) -> Rule[Outcome]:
    """Test an attribute and a skill against nobody; passed with 1 SL, unless another number is named (VER-S04).

    Hiding, like running, is spared by what breaks the nerve (table 5.4).
    """
    hides = TESTS | {"flight"} if with_skill == "sneaking" else TESTS

    def base() -> Pool:
        shares = [attribute(table, who, of)]
        if with_skill:
            shares.append(skill(table, who, with_skill))
        if fits:
            shares.append(background(table, who))
        return Pool(
            who=who,
            purpose=purpose,
            shares=shares,
            changes=burdened(table, who) if with_skill in LIMBER or "movement" in needs else (),
            needs=hides | needs | {of},
            against=needed,
            rules=rules,
        )

    outcome = yield from attempt(table, who, base, ground)
    said = "passed" if outcome.sl >= needed else "failed"
    yield Judged(roll=outcome.roll, outcome=said, margin=outcome.sl - needed, rules=("VER-S04", "VER-T06", *rules))
    return outcome


def burdened(table: Table, who: Id) -> tuple[Modifier, ...]:
    """Return what worn armour takes from a test of stealth or movement (VER-S16)."""
    burden = impeding(table, who)
    return (Modifier(value=-burden, label="impeding", source=f"{who}.armor", rule="VER-S16"),) if burden else ()


def has_background(table: Table, who: Id, fits: bool) -> None:
    """Refuse a background die to somebody without a background (VER-S01)."""
    if fits and not any(trait.startswith("background:") for trait in table[who].traits):
        raise no("VER-S01", f"{who} has no background that could fit", who)
