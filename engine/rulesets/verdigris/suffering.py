"""What conditions do at the start of the own turn (P10, table 5.4)."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

from affray.engine.core.changes import condition_set, marked, pool_set
from affray.engine.core.effects import Roll, Rule, throw
from affray.engine.core.table import Table
from affray.events import Dice, Id, Modifier

from .afflictions import afflict, lessen
from .care import TENDED
from .fall import slain
from .harm import at_deaths_door, dealt, hurt
from .refusing import if_there
from .saves import ailing, armored, passes, save, spent
from .sheet import count, in_play, is_pc, stat


def suffers(table: Table, who: Id) -> Rule[None]:
    """Suffer what conditions do at the start of the own turn, each once, those ruled by then too (table 5.4)."""
    past: list[str] = []
    while condition := _first(table, who, past):
        past.append(condition)
        yield from if_there(AT_START[condition](table, who))


def _first(table: Table, who: Id, past: Collection[str]) -> str:
    """Return the condition whose turn it is, but for those that had theirs; empty if none does anything any more."""
    if not in_play(table, who) or table[who].has("deaths_door"):
        return ""
    return next((one for one in AT_START if one not in past and table[who].has(one)), "")


def _burns(table: Table, who: Id) -> Rule[None]:
    """Burn: 1d6 and 1 for each count beyond the first, less a Withstand save with armour, at least 1."""
    roll = yield from throw(partial(_fire, table, who))
    if roll is None:
        return
    gear = partial(armored, table, who)
    guard = yield from save(table, who, "withstand", "VER-S30", "VER-T48", purpose=f"flames:{who}", gear=gear)
    flames = count(table, who, "ablaze")
    terms = [Modifier(value=roll.total, label="ablaze", source=f"{who}.ablaze", rule="VER-S30")]
    if flames > 1:
        terms.append(Modifier(value=flames - 1, label="more flames", source=f"{who}.ablaze", rule="VER-S30"))
    least = 1 - (sum([term.value for term in terms]) - guard.sl)
    if least > 0:
        terms.append(Modifier(value=least, label="at least 1", source=f"{who}.ablaze", rule="VER-S30"))
    amount = yield from dealt(table, who, terms, guard, "VER-S30")
    yield from hurt(table, who, amount, "VER-S30")


def _fire(table: Table, who: Id) -> Roll | None:
    if not in_play(table, who) or not table[who].has("ablaze"):
        return None
    dice = (Dice(count=1, sides=6, kind="ablaze"),)
    return Roll(dice=dice, purpose=f"ablaze:{who}", by=who, rules=("VER-S30",))


def _bleeds(table: Table, who: Id) -> Rule[None]:
    """Lose 1d3 hit points for each count; at 0 fall unconscious, and then hold out turn by turn."""
    wounds = count(table, who, "bleeding")
    if table[who].has("unconscious") and not table.pool(who, "hp"):
        if table.mark(who, TENDED) is None:
            still = ailing(table, who, "bleeding")
            holds = yield from passes(
                table, who, "withstand", wounds, "VER-S30", purpose=f"bleeding out:{who}", ground=still
            )
            if not holds:
                yield from slain(table, who, "dead", "VER-S30")
        return
    roll = yield from throw(partial(_blood, table, who))
    if roll is None:
        return
    left = max(0, table.pool(who, "hp") - roll.total)
    deadly = not is_pc(table, who) or not table.pool(who, "wounds")
    rules = ["VER-S30"]
    if not left and deadly and stat(table, who, "implacable"):
        left = min(1, table.pool(who, "hp"))
        rules.append("VER-T29")
    if left != table.pool(who, "hp"):
        yield pool_set(table, who, "hp", left, *rules)
    if left:
        return
    if not is_pc(table, who):
        yield from slain(table, who, "slain", "VER-090")
    elif table.pool(who, "wounds"):
        yield from afflict(table, who, "unconscious", 1, "VER-T44")
    else:
        yield from at_deaths_door(table, who, "VER-T44")


def _blood(table: Table, who: Id) -> Roll | None:
    """Return 1d3 for each bleeding, as long as any flows."""
    if not in_play(table, who) or not table[who].has("bleeding"):
        return None
    dice = (Dice(count=count(table, who, "bleeding"), sides=3, kind="bleeding"),)
    return Roll(dice=dice, purpose=f"bleeding:{who}", by=who, rules=("VER-S30",))


def _recovers(table: Table, who: Id) -> Rule[None]:
    """Shake off stunned: Withstand, each SL one."""
    result = yield from save(
        table, who, "withstand", "VER-S30", "VER-T47", purpose=f"recovery:{who}", ground=ailing(table, who, "stunned")
    )
    if result.sl:
        yield from lessen(table, who, "stunned", result.sl)
    else:
        yield from spent(table, who, result)


def _sees_again(table: Table, who: Id) -> Rule[None]:
    """Lose one of blinded at every second own turn, counted from the gain."""
    yield from every_second(table, who, "blinded")


def every_second(table: Table, who: Id, condition: str) -> Rule[None]:
    """Count another turn or round since a condition was gained, and lose one of it at every second."""
    since = table.mark(who, f"{condition}/since")
    now = (since if isinstance(since, int) else 0) + 1
    yield marked(who, f"{condition}/since", now, "VER-S30", until="it is gone")
    if now % 2 == 0:
        yield from lessen(table, who, condition, 1, "VER-T49")


def _breaks(table: Table, who: Id) -> Rule[None]:
    """Keep one's nerve, or spend this turn in flight."""
    if table[who].has("fleeing") or table[who].has("unconscious"):
        return
    still = ailing(table, who, "broken")
    if not (yield from passes(table, who, "panic", 1, "VER-S30", purpose=f"broken:{who}", ground=still)):
        yield condition_set(table, who, "fleeing", 1, "VER-S30")


AT_START = {
    "ablaze": _burns,
    "bleeding": _bleeds,
    "stunned": _recovers,
    "blinded": _sees_again,
    "broken": _breaks,
}
"""What happens at the start of the own turn, in this order (P10)."""
