"""Tests: what somebody rolls when it attempts something (VER-S01, VER-S02, VER-S04, VER-S11, VER-S15)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from affray.engine.facts import marked
from affray.engine.modifiers import granted
from affray.engine.rule import Rule
from affray.engine.table import Table
from affray.events import Clause, Id, Judged, Modifier

from .gear import impeding
from .panic import steady
from .pools import Share, attribute, background, burdens, skill, stress_of
from .push import Pool, Thrown, noted, thrown
from .refusing import no

INSPIRED = "inspired"
"""Key of the mark that says that inspiration was spent on the next test."""

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
    purpose: str,
    shares: Sequence[Share],
    *rules: Clause,
    changes: Sequence[Modifier] = (),
    needs: frozenset[str] = TESTS,
    plain: bool = False,
    calm: bool = False,
    needed: int | None = None,
    unhindered: frozenset[str] = frozenset(),
) -> Rule[Outcome]:
    """Roll a test, with stress dice, and keep one's nerve if they show ones.

    Args:
        table: The fight.
        who: Who tests.
        purpose: Names the roll.
        shares: Attribute, skill, background and gear, in that order.
        rules: The clauses that call for it.
        changes: Bonuses and penalties besides those of conditions.
        needs: What it takes besides being a test, as in ``burdens``.
        plain: Whether bonus dice are left out before anything is summed (VER-058).
        calm: Whether it goes without stress dice, and so without a push.
        needed: The SL to reach, for the record.
        unhindered: The labels of penalties that do not count.
    """
    if table[who].conditions or noted(table, who):
        changes = yield from _changes(table, who, changes, needs)
    if unhindered:
        changes = [change for change in changes if change.value > 0 or change.label not in unhindered]
    if plain:
        changes = [change for change in changes if change.value < 0]
    pool = Pool(
        who=who,
        purpose=purpose,
        shares=shares,
        changes=changes,
        needs=needs,
        stress=0 if calm else stress_of(table, who),
        may_push=not calm,
        against=needed,
        rules=(*rules, "VER-S01", "VER-S02"),
    )
    result: Thrown = yield from thrown(table, pool)
    if result.panics and not (yield from steady(table, who, result.panics)):
        return Outcome(result.roll, 0, panicked=True)
    return Outcome(result.roll, result.sl)


def _changes(table: Table, who: Id, changes: Sequence[Modifier], needs: frozenset[str]) -> Rule[Sequence[Modifier]]:
    """Return bonuses and penalties with those of conditions, of the game master, and of inspiration (VER-S15)."""
    if table[who].conditions:
        changes = (*changes, *burdens(table, who, needs))
    if noted(table, who):
        changes = (*changes, *granted(table, who, "VER-022"))
        if table.mark(who, INSPIRED) is not None:
            inspired = Modifier(value=1, label="inspiration", source=f"{who}.inspiration", rule="VER-S15")
            changes = (*changes, inspired)
            yield marked(who, INSPIRED, None, "VER-S15")
    return changes


def tries(
    table: Table,
    who: Id,
    purpose: str,
    of: str,
    with_skill: str,
    *rules: Clause,
    fits: bool = False,
    changes: Sequence[Modifier] = (),
    needs: frozenset[str] = frozenset(),
    needed: int = 1,
) -> Rule[Outcome]:
    """Test an attribute and a skill against nobody; passed with 1 SL, unless another number is named (VER-S04)."""
    if with_skill in LIMBER or "movement" in needs:
        changes = (*changes, *burdened(table, who))
    shares = [attribute(table, who, of)]
    if with_skill:
        shares.append(skill(table, who, with_skill))
    if fits:
        shares.append(background(table, who))
    outcome = yield from attempt(
        table, who, purpose, shares, *rules, changes=changes, needs=TESTS | needs | {of}, needed=needed
    )
    said = "passed" if outcome.sl >= needed else "failed"
    yield Judged(roll=outcome.roll, outcome=said, margin=outcome.sl - needed, rules=("VER-S04", *rules))
    return outcome


def burdened(table: Table, who: Id) -> tuple[Modifier, ...]:
    """Return what worn armour takes from a test of stealth or movement (VER-S16)."""
    burden = impeding(table, who)
    return (Modifier(value=-burden, label="impeding", source=f"{who}.armor", rule="VER-S16"),) if burden else ()


def has_background(table: Table, who: Id, fits: bool) -> None:
    """Refuse a background die to somebody without a background (VER-S01)."""
    if fits and not any(trait.startswith("background:") for trait in table[who].traits):
        raise no("VER-S01", f"{who} has no background that could fit", who)
