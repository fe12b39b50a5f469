"""The beginning of the fight and of each round, fresh budgets, the end of a turn."""

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any, Self

from affray.engine.core.actions import Action, declared_as
from affray.engine.core.changes import change_pool, set_condition, set_pool
from affray.engine.core.effects import Rule
from affray.engine.core.state import Combatant
from affray.engine.errors import Refused, Unusable
from affray.engine.kit.fight_end import has_enemies, list_sides_of
from affray.engine.kit.turn_order import find_last_score
from affray.engine.rulesets.wwn.config import Table
from affray.engine.rulesets.wwn.marks import FIGHT, SNEAK, SURPRISED, TURN, WATCHER, MountTurn
from affray.engine.rulesets.wwn.sheet import is_mount, list_able
from affray.events import CombatantId, Id, MemberDone, OrderSet, RoundBegan, SideName, Slot

from .acting import NEXT, end_denials, forget_attackers, is_denied


@declared_as("begin", "begin the fight", "surprised", "watcher", "sneak", by_gm=True, stacks=False)
class Begin(Action, frozen=True, kw_only=True):
    """Begin the fight; only the game master declares it.

    Attributes:
        surprised: The surprised side, if the game master rules so; all others then act once before initiative.
        watcher, sneak: The combatants whose Wis/Notice and Dex/Sneak decide whether the surprise succeeds.
    """

    surprised: SideName = ""
    watcher: CombatantId = ""
    sneak: CombatantId = ""

    def trigger(self, of_manner: str) -> str:
        """Return the trigger: to initiative, or to surprise (WWN-T39)."""
        return "surprise" if self.surprised else "begin"

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse a fight of one side, and an impossible surprise (WWN-T38)."""
        if actor != "gm":
            raise Refused("not_your_turn", "WWN-T38", "the game master begins the fight", source=actor)
        able = table.derive(list_able)
        if not has_enemies(table, able):
            message = "a fight needs two hostile sides with an active combatant each"
            raise Refused("need_two_sides", "WWN-T38", message, "sides")
        if self.surprised and self.surprised not in list_sides_of(table, able):
            raise Unusable(f"there is no side {self.surprised} with an active combatant", "surprised")
        self._check_pair(table)

    def _check_pair(self, table: Table) -> None:
        for name, who in (("watcher", self.watcher), ("sneak", self.sneak)):
            if who and (not self.surprised or (table[who].side == self.surprised) != (name == "watcher")):
                raise Unusable("watcher is of the side that may be surprised, sneak is of another", name)
        opposed = self.surprised and table.config.surprise == "opposed"
        if bool(self.watcher) != bool(self.sneak) or (opposed and not self.watcher):
            raise Unusable("say who might notice (watcher) whom (sneak)", "sneak" if self.watcher else "watcher")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Note the surprise for the flow."""
        for note, value in ((SURPRISED, self.surprised), (WATCHER, self.watcher), (SNEAK, self.sneak)):
            if value:
                yield note.set_on(FIGHT, value, "WWN-T35")

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """Return a plain beginning, and each side surprised, with its first pair."""
        side = so_far.surprised if field != "surprised" else ""
        match field:
            case "surprised":
                return ("", *list_sides_of(table, table.derive(list_able)))
            case "watcher" if side:
                return ("", *_list_first(table, lambda one: one.side == side))
            case "sneak" if side and so_far.watcher:
                return _list_first(table, lambda one: one.side != side)
            case _:
                return super().values(table, actor, manner, field, so_far)


def _list_first(table: Table, fit: Callable[[Combatant], bool]) -> list[Id]:
    """Return the first combatant to join that fits, if any."""
    return list(islice((who for who, one in table.draft.combatants.items() if fit(one)), 1))


@declared_as("end_turn", "end the turn", own_trigger="end_turn", stacks=False)
class EndTurn(Action, frozen=True, kw_only=True):
    """End the own turn; unspent actions are kept for a snap attack."""

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Mark the actor as done; its beasts forget who attacked them before."""
        yield from forget_attackers(table, actor)
        yield MemberDone(who=actor, rules=("WWN-003",))


def begin_round(table: Table) -> Rule[None]:
    """Begin the next round with fresh budgets (WWN-G01).

    Combatants without a place in the order come last.
    """
    later = table.draft.round > 0 and not table.config.reroll_initiative
    yield RoundBegan(round=table.draft.round + 1, rules=("WWN-G01", "WWN-T36") if later else ("WWN-G01",))
    yield from _place_newcomers(table)
    for who, one in tuple(table.draft.combatants.items()):
        if "mount" not in one.traits:
            yield from refresh(table, who)
        elif table.pool(who, "shock_ignored"):
            yield set_pool(table, who, "shock_ignored", 0, "WWN-G01")


def _place_newcomers(table: Table) -> Rule[None]:
    """Give combatants without a place in the order the last places."""
    slots = table.draft.slots
    score, known = find_last_score(table), {who for slot in slots for who in slot.members}
    new = [who for who in table.draft.combatants if who not in known and not is_mount(table, who)]
    if new:
        more = [Slot(id=who, members=(who,), score=score) for who in new]
        yield OrderSet(slots=(*slots, *more), rules=("WWN-006",))


def refresh(table: Table, who: Id, *, mount: bool = False) -> Rule[None]:
    """Restore Main, Move and the shield's protection, unless denied (WWN-T49).

    Combatants out of the fight are included: they might come back before the round is over.
    """
    if _is_fresh(table, who):
        return
    rules = ("WWN-G01", "WWN-054", "WWN-T49") if mount else ("WWN-G01", "WWN-T49")
    for pool in ("main", "move"):
        if f"denied_{pool}" in table[who].conditions and (yield from _let_denial_begin(table, who, pool)):
            if table.pool(who, pool):
                yield set_pool(table, who, pool, 0, "WWN-069")
        elif table.pool(who, pool) != 1:
            yield set_pool(table, who, pool, 1, *rules)
    for pool in ("shock_ignored", "feet"):
        if table.pool(who, pool):
            yield set_pool(table, who, pool, 0, *rules)


def give_mount_actions(table: Table, mount: Id, by: Id) -> Rule[None]:
    """Give a mount its actions, once a round, in its rider's or its own turn (WWN-054)."""
    if not _has_had_turn(table, mount):
        yield TURN.set_on(mount, MountTurn(round=table.draft.round, who=by), "WWN-054")
        yield from refresh(table, mount, mount=True)


def _has_had_turn(table: Table, mount: Id) -> bool:
    """Tell whether a mount's turn of this round has begun."""
    turn = TURN.of(table, mount)
    return turn is not None and turn.round == table.draft.round


def _is_fresh(table: Table, who: Id) -> bool:
    """Tell whether a combatant has a full budget and no condition that could deny it."""
    one = table[who]
    has = one.pools.get
    return not (one.conditions or has("shock_ignored") or has("feet")) and has("main") == has("move") == 1


def _let_denial_begin(table: Table, who: Id, pool: str) -> Rule[bool]:
    """End last round's denial, begin a waiting one, and return whether one holds."""
    condition = f"denied_{pool}"
    yield from end_denials(table, who, condition, "WWN-069")
    waiting = table[who].conditions.get(condition, {}).get(NEXT, 0)
    if not waiting:
        return is_denied(table, who, pool)
    yield set_condition(table, who, condition, waiting - 1, "WWN-069", source=NEXT)
    yield set_condition(table, who, condition, 1, "WWN-069")
    return True


def deny(table: Table, who: Id, pool: str, *rules: str) -> Rule[None]:
    """Take a combatant's next Main or Move Action (WWN-069).

    It is this round's if unspent, otherwise next round's. A mount has this round's only from its rider's turn on
    (WWN-054).
    """
    condition = f"denied_{pool}"
    if table.pool(who, pool) and not (is_mount(table, who) and not _has_had_turn(table, who)):
        yield change_pool(table, who, pool, -1, *rules)
        yield set_condition(table, who, condition, 1, *rules)
    else:
        waiting = table[who].conditions.get(condition, {}).get(NEXT, 0)
        yield set_condition(table, who, condition, waiting + 1, *rules, source=NEXT)
