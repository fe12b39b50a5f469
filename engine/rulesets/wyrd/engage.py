"""Engaging in melee: one test stands for an exchange of blows, and exactly one side is hit (WYR-013 to WYR-020)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any, ClassVar, Self

from affray.engine.core.changes import marked
from affray.engine.core.effects import Ask, Go, Rule, choice
from affray.engine.core.table import Table
from affray.engine.errors import Refused
from affray.engine.kit.sides import enemies_of
from affray.events import Clause, CombatantId, Id, ItemId, Noted, Option, Rolled

from . import melee
from .damage import Arms, Hit, blow, dealt, struck
from .gear import armed, carried, dice_of, ready, taken_up
from .play import action_spent, in_reach, may_act
from .rolling import ALONE, Support, attempt
from .sheet import active, an_enemy, helpless, like_a_pc, tests
from .testing import Trying, critical
from .throwing import drawn, used

USUAL = ("power", "grace")
"""The abilities that fit a melee without a ruling (WYR-013)."""

SPARED = Option(choice="spared", says="only the one who tested is hurt")
BOTH = Option(choice="hit", says="whoever helped is hurt as well")


class Engage(Trying, frozen=True, kw_only=True):
    """Fight an enemy within reach: an ability and the weapons against nothing but the dice (WYR-013 to WYR-020).

    Attributes:
        target: Combatant id.
        weapon, off: Items to fight with, one in each hand; what is in hand if none is named.
        ability: Power or Grace, the larger die if nothing is said; others need a ruling.
    """

    kind: ClassVar[str] = "engage"
    says: ClassVar[str] = "fight an enemy hand to hand"
    words: ClassVar[tuple[str, ...]] = ("target", "weapon", "off")

    target: CombatantId
    weapon: ItemId = ""
    off: ItemId = ""

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in the page's order: active, budget, weapons, ability, target, reach."""
        may_act(table, actor, manner, "WYR-010")
        must_test(table, actor, "engage")
        self.check_support(table, actor, manner)
        self.weapons(table, actor)
        fitting(table, actor, self.ability, USUAL, "WYR-013")
        an_enemy(table, actor, self.target, "WYR-013")
        in_reach(table, actor, self.target, "WYR-013")

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Take the action (WYR-007)."""
        yield from action_spent(table, actor, "WYR-010")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Exchange blows, or strike somebody helpless, for which nobody helps (WYR-017, WYR-G03)."""
        yield Go("carry_out", rules=("WYR-010",))
        support = (yield from self.braced(table, actor)) if active(table, self.target) else ALONE
        yield from taken_up(table, actor, self.weapons(table, actor))
        if active(table, self.target):
            yield from melee.engage(table, actor, self.target, "WYR-017")
        yield from exchange(table, actor, self.target, partial(self.weapons, table, actor), self.ability, support)

    def weapons(self, table: Table, actor: Id) -> tuple[Id, ...]:
        """Return what is fought with: what was named, or else what is ready."""
        return armed_with(table, actor, self.weapon, self.off, shot=False, rule="WYR-013")

    def targets(self) -> tuple[Id, ...]:
        """Return the one who is engaged."""
        return (self.target,)

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """Return every enemy, and what is in hand, for a push or either ability too, or every weapon for a melee."""
        match field:
            case "target":
                return enemies_of(table, actor)
            case "weapon":
                return ("", *(item.id for item in carried(table, actor, shot=False)))
            case "ability" if not so_far.weapon:
                return ("", *USUAL)
            case "push" if not (so_far.weapon or so_far.ability):
                return (False, True)
            case _:
                return super().values(table, actor, manner, field, so_far)


def armed_with(table: Table, who: Id, *named: Id, shot: bool, rule: Clause) -> tuple[Id, ...]:
    """Return the weapons that were said, once they are known to fit, or what is ready if none was."""
    said = tuple([one for one in named if one])
    return tuple([one.id for one in armed(table, who, said, shot=shot, rule=rule)])


def must_test(table: Table, actor: Id, kind: str) -> None:
    """Refuse a test to foes, who attack and leave the rolling to players (WYR-G01)."""
    if not tests(table, actor):
        raise Refused("npc_attacks", "WYR-G01", f"{actor} does not {kind} but attack, and the target tests", actor)


def fitting(table: Table, actor: Id, name: str, usual: tuple[str, ...], rule: Clause) -> None:
    """Refuse an ability off the list that no ruling has allowed (WYR-013)."""
    if name and name not in usual and not table.mark(actor, f"allowed/{name}"):
        raise Refused("needs_ruling", rule, f"{name} is not usual here; the game master may allow it", source=actor)


def ruled_ability(table: Table, actor: Id, name: str, usual: tuple[str, ...]) -> Rule[None]:
    """Use up the ruling that allowed an ability off the list."""
    if name and name not in usual:
        yield marked(actor, f"allowed/{name}", None)


def exchange(table: Table, who: Id, foe: Id, arms: Arms, name: str, support: Support) -> Rule[None]:
    """Test, and let one of the two be hit: the foe by the weapon face, or else the one who tested (WYR-014 to 020).

    Help is paid for already. A foe that is helpless, or falls before the dice do, is hit without a test (WYR-G03).
    """
    try:
        tested = yield from attempt(
            table,
            who,
            name,
            lambda: dice_of(table, who, arms()),
            "WYR-014",
            "WYR-013",
            foe=foe,
            versus=foe,
            support=support,
            won="WYR-015",
            lost="WYR-016",
            cited=partial(like_a_pc, table, who),
        )
    except Refused:
        if not helpless(table, foe):
            raise
        hit = yield from blow(table, who, arms, foe, "WYR-G03")
        yield from dealt(table, hit, "WYR-G03")
        return
    yield from ruled_ability(table, who, name, USUAL)
    yield from drawn(table, who, tested.roll)
    if tested.succeeded:
        hit = struck(table, tested.roll, arms, foe)
        yield from critical(table, tested, who, foe)
        yield from dealt(table, hit, "WYR-015", "WYR-018", *several(tested.roll))
    else:
        yield from hit_back(table, who, foe, support)


def several(roll: Rolled) -> tuple[Clause, ...]:
    """Return the clause by which the highest of several weapons counts (WYR-037)."""
    return ("WYR-037",) if len(used(roll)) > 1 else ()


def hit_back(table: Table, who: Id, foe: Id, support: Support) -> Rule[None]:
    """Be hit for a failed test, unless the game master has named something else (WYR-016, WYR-020)."""
    if (yield from instead(table, who, "WYR-016")):
        return
    hit = yield from blow(table, foe, lambda: tuple([one.id for one in ready(table, foe, shot=False)]), who, "WYR-016")
    yield from dealt(table, hit, "WYR-016", "WYR-018")
    yield from shared(table, hit, support)


def instead(table: Table, who: Id, rule: Clause) -> Rule[bool]:
    """Let a consequence that was ruled beforehand take the place of being hit; tell whether there was one."""
    ruled = table.mark(who, "consequence")
    if ruled is None:
        return False
    yield marked(who, "consequence", None)
    yield Noted(text=f"{table[who].name}: {ruled}", rules=(rule,))
    return True


def shared(table: Table, hit: Hit, support: Support) -> Rule[None]:
    """Ask whether the ally who helped is hit as well (Terms, Help)."""
    answer = yield from choice(partial(_risk, table, support.helper))
    if answer is not None and answer.choice == "hit":
        yield from dealt(table, hit._replace(who=support.helper), "WYR-T12")


def _risk(table: Table, helper: Id) -> Ask | None:
    if not active(table, helper):
        return None
    return Ask(of=("gm",), about="shared_risk", options=(SPARED, BOTH), rules=("WYR-T12",))
