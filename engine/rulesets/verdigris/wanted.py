"""What a pool of dice is about to be, by the present (VER-S01 to VER-S06)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from affray.engine.core.effects import Roll
from affray.engine.core.table import Table
from affray.events import Clause, Dice, Faces, Id, Modifier

from .pools import Share, lost_sl, pooled
from .refusing import no
from .sheet import in_play


class Pool(Struct, kw_only=True, gc=False):
    """A pool that is about to be thrown.

    Attributes:
        who: Whose roll it is.
        purpose: What for.
        shares: What it is made of.
        changes: Bonuses and penalties.
        needs: What is rolled and what it takes, as in ``burdens``.
        stress: How many stress dice it has.
        is_test: Whether it is a test; a save otherwise.
        may_push: Whether the rules let anybody push it.
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


class Wanted:
    """A pool that is wanted of somebody; while real dice are awaited it is what the present makes of it.

    Args:
        table: The fight.
        present: What the pool is now.
        ground: Refuses to go on where what the roll rests on is gone.

    Attributes:
        pool: What it was when it was last looked at.
    """

    __slots__ = ("ground", "pool", "present", "table")

    pool: Pool

    def __init__(self, table: Table, present: Callable[[], Pool], ground: Callable[[], None] | None) -> None:
        self.table = table
        self.present = present
        self.ground = ground

    def roll(self) -> Roll:
        """Return what is thrown now."""
        table = self.table
        self.pool = pool = self.present()
        dice, terms = pooled(pool.shares, pool.changes, pool.stress, table.config.pool_minimum)
        lost = lost_sl(table, pool.who, pool.needs) if _hampered(table, pool.who) else ()
        rules = (*pool.rules, *_sums(pool)) if pool.changes else pool.rules
        rules = rules if dice else (*rules, "VER-T52")
        return rolled(pool, dice, terms, lost, rules=rules, anew=self.again)

    def again(self) -> Roll:
        """Return what is to be thrown after a ruling."""
        self.check_ground()
        return self.roll()

    def check_ground(self) -> None:
        """Refuse to go on without the one who rolls (VER-002), or without what else the roll rests on."""
        if not in_play(self.table, self.pool.who):
            raise no("VER-002", f"{self.pool.who} is out of play", self.pool.who)
        if self.ground is not None:
            self.ground()


def _sums(pool: Pool) -> tuple[Clause, ...]:
    """Return the clauses by which bonuses and penalties are summed; of gear they take armour first (VER-S05)."""
    balance = sum([change.value for change in pool.changes])
    if balance > 0:
        return ("VER-S05", "VER-T13")
    takes_gear = not pool.is_test and balance + pool.shares[0].dice < 0 and len(pool.shares) > 1
    if takes_gear:
        return ("VER-S05", "VER-T51")
    return ("VER-S05",) if any(change.value for change in pool.changes) else ()


def rolled(
    pool: Pool,
    dice: tuple[Dice, ...],
    terms: tuple[Modifier, ...],
    lost: tuple[Modifier, ...],
    *,
    again: str = "",
    held: tuple[Faces, ...] = (),
    rules: tuple[Clause, ...] = (),
    anew: Callable[[], Roll] | None = None,
) -> Roll:
    """Return a throw of a pool."""
    return Roll(
        dice=dice,
        purpose=pool.purpose + again,
        by=pool.who,
        reading="sixes",
        held=held,
        pool=terms,
        modifiers=lost,
        against=pool.against,
        rules=rules or pool.rules,
        again=anew,
    )


def _hampered(table: Table, who: Id) -> bool:
    return who in table.draft.marks or table[who].has("injured")


def noted(table: Table, who: Id) -> bool:
    """Tell whether anything is noted about somebody, or about what is under way."""
    marks, stack = table.draft.marks, table.draft.stack
    return who in marks or bool(stack and stack[-1].id in marks)
