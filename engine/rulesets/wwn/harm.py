"""Hit points, who is felled and what becomes of them, the end (WWN-025, WWN-064, WWN-G02)."""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta

from affray.engine.core.actions import Action
from affray.engine.core.changes import condition_set, marked, pool_moved, pool_set
from affray.engine.core.effects import Go, Rule
from affray.engine.core.table import Table
from affray.engine.errors import Refused
from affray.engine.kit.relations import bond, parted
from affray.engine.kit.sides import ended
from affray.events import Clause, CombatantId, Damaged, DistanceSet, Id, Modifier, Moved

from .board import beside, pair
from .sheet import active, is_mount, is_pc, mount_of, rider_of, standing

FATES = ("dead", "downed", "mortally_wounded", "stabilized")
"""What may become of somebody at 0 hp."""

AT_ZERO = "at_zero"
"""Notes that somebody was felled at 0 hp, and not by a ruling alone; who has hit points again comes round."""


def lose_hp(table: Table, who: Id, amount: int, *rules: Clause, spare: bool = False) -> Rule[None]:
    """Take damage from the hit points, never below 0; at 0 one is felled (WWN-025, WWN-064)."""
    hp = table.pool(who, "hp")
    if amount <= 0 or hp == 0:
        return
    if amount >= hp:
        rules = (*rules, "WWN-T33")
        if is_mount(table, who):
            rules = (*rules, "WWN-064")
    yield pool_moved(table, who, "hp", -amount, *rules)
    if table.pool(who, "hp") == 0 and active(table, who):
        yield Go("felled")
        yield from felled(table, who, spare=spare)
        yield Go("goes_on")


def felled(table: Table, who: Id, *, spare: bool = False) -> Rule[None]:
    """Settle what becomes of somebody at 0 hp; a mount throws its rider (WWN-025, WWN-064).

    What the game master ruled beforehand comes before everything else; only foes and mounts can be spared.
    """
    fate = table.mark(who, "fate")
    if fate is not None:
        yield marked(who, "fate", None, "WWN-T33")
    else:
        fate = _fate(table, who, spare)
    if fate != "dead":
        yield marked(who, AT_ZERO, True, "WWN-T33", until="it has hit points again")
    other = is_pc(table, who) and fate != "mortally_wounded"
    yield condition_set(table, who, str(fate), 1, "WWN-T33", *(("WWN-T64",) if other else ()))
    if fate == "mortally_wounded":
        yield from bleeding(table, who)
    yield from thrown(table, who)


def _fate(table: Table, who: Id, spare: bool) -> str:
    if is_pc(table, who):
        return "downed" if table.config.pc_at_zero == "out" else str(table.config.pc_at_zero)
    return "downed" if spare else "dead"


def bleeding(table: Table, who: Id) -> Rule[None]:
    """Begin to count the rounds to death; the round of the fall is not counted (WWN-025)."""
    yield marked(who, "fell", table.draft.round, "WWN-T33", until="the wound is stabilized")
    if table.pool(who, "bleed"):
        yield pool_set(table, who, "bleed", 0, "WWN-T33")


def thrown(table: Table, mount: Id) -> Rule[None]:
    """Let a mount that is down throw its rider, who lies beside it (WWN-064)."""
    rider = rider_of(table, mount)
    if rider:
        yield from unseated(table, rider, "WWN-064")
        if not table[rider].has("prone"):
            yield condition_set(table, rider, "prone", 1, "WWN-064")


def unseated(table: Table, rider: Id, *rules: Clause) -> Rule[None]:
    """Take a rider out of the saddle, to a square beside the mount if there is a board (WWN-057, WWN-064)."""
    mount, relation = mount_of(table, rider), bond(table, "riding", rider)
    assert relation is not None
    yield parted(relation, rules=rules)
    place = table[mount].place
    if place:
        after = next(beside(table, place), place)
        if after != table[rider].place:
            yield Moved(who=rider, before=table[rider].place, after=after, rules=rules)
        return
    yield from _apart(table, rider, mount, *rules)


def _apart(table: Table, rider: Id, mount: Id, *rules: Clause) -> Rule[None]:
    """State the distances of two who parted, as far as they were those of one of them."""
    stated = table.draft.distances
    for other in tuple(table.draft.combatants):
        ours = {one: stated.get("|".join(pair(one, other))) for one in (rider, mount)}
        for one, twin in ((rider, mount), (mount, rider)):
            known = ours[twin]
            if other not in ours and ours[one] is None and known is not None:
                yield DistanceSet(pair=pair(one, other), before=None, after=known, rules=rules)
    before = stated.get("|".join(pair(rider, mount)))
    near = int(table.config.adjacent_ft)
    if before != near:
        yield DistanceSet(pair=pair(rider, mount), before=before, after=near, rules=rules)


def recover(table: Table, who: Id) -> Rule[None]:
    """Let whoever was felled come round with hit points; whoever has none is felled (WWN-025)."""
    hp = table.pool(who, "hp")
    if hp == 0 and active(table, who):
        yield from felled(table, who)
    elif hp and table.mark(who, AT_ZERO) is not None:
        yield marked(who, AT_ZERO, None, "WWN-T33")
        for condition in ("downed", "mortally_wounded", "stabilized"):
            if table[who].has(condition):
                yield condition_set(table, who, condition, 0, "WWN-T33")
    if table[who].has("mortally_wounded") and table.mark(who, "fell") is None:
        yield from bleeding(table, who)


def is_over(table: Table) -> bool:
    """Tell whether at most one side still has somebody active (WWN-G02)."""
    return len(table.derived(standing)) < 2


def winners(table: Table) -> str:
    """Return the one side that still has somebody active; nothing if there is none."""
    sides = table.derived(standing)
    return sides[0] if len(sides) == 1 else ""


def end(table: Table, victors: str, why: str) -> Rule[None]:
    """Drop what is pending, close an open window, name the victors (WWN-G02)."""
    yield from ended(table, victors, why, "WWN-G02")


class Harm(Action, frozen=True, kw_only=True):
    """Damage that the game master ruled: a fall, a fire, a consequence of something improvised.

    Attributes:
        who: Combatant id.
        amount: How much.
        spare: Whether whom it fells is to live.
    """

    kind: ClassVar[str] = "harm"
    says: ClassVar[str] = "damage by ruling"
    words: ClassVar[tuple[str, ...]] = ("who", "amount")

    who: CombatantId
    amount: Annotated[int, Meta(ge=1, le=999)]
    spare: bool = False

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse it from anybody but a ruling, which has looked at everything else."""
        by_ruling(manner)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Take it from the hit points."""
        term = Modifier(value=self.amount, label="ruling", source="gm")
        yield Damaged(who=self.who, terms=(term,), amount=self.amount)
        yield from lose_hp(table, self.who, self.amount, spare=self.spare)

    def targets(self) -> tuple[Id, ...]:
        """Return whom it hits."""
        return (self.who,)


def by_ruling(manner: str) -> None:
    """Refuse from anybody what only a ruling sets going."""
    if manner not in ("ruled", "pending"):
        raise Refused("not_an_action", "WWN-065", "this is the game master's to rule", source=manner)
