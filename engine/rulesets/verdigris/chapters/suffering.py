"""Effects of conditions at the start of a turn and at the end of a round."""

from collections.abc import Collection
from functools import partial

from affray.engine.core.changes import set_condition, set_pool
from affray.engine.core.effects import Roll, Rule, throw
from affray.engine.kit.sheets import is_pc, stat
from affray.engine.rulesets.verdigris import marks
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.gear.things import list_armor_shares
from affray.engine.rulesets.verdigris.harm import conditions
from affray.engine.rulesets.verdigris.harm.damage import deal, wound
from affray.engine.rulesets.verdigris.harm.injuries import tick
from affray.engine.rulesets.verdigris.sheet import count_condition, is_in_play, try_rule
from affray.engine.rulesets.verdigris.turns.order import all_fighters
from affray.events import Clause, Dice, Id, Modifier

from .pushing import exhaust
from .rolls import save, try_save


def suffer_conditions(table: Table, who: Id) -> Rule[None]:
    """Apply each condition once at the start of the own turn (table 5.4).

    Conditions ruled in the middle of it count too.
    """
    past: list[str] = []
    while condition := _find_first_condition(table, who, past):
        past.append(condition)
        yield from try_rule(AT_START[condition](table, who))


def _find_first_condition(table: Table, who: Id, past: Collection[str]) -> str:
    """Return the next condition to apply; empty if none is left."""
    if not is_in_play(table, who) or table[who].has("deaths_door"):
        return ""
    return next((one for one in AT_START if one not in past and table[who].has(one)), "")


def _burn(table: Table, who: Id) -> Rule[None]:
    """Burn: 1d6, and 1 for each count beyond the first, less a Withstand save (VER-T48).

    Armour counts for the save. The damage is at least 1.
    """
    roll = yield from throw(partial(_build_fire_roll, table, who))
    if roll is None:
        return
    gear = partial(list_armor_shares, table, who)
    guard = yield from save(table, who, "withstand", "VER-S30", "VER-T48", purpose=f"flames:{who}", gear=gear)
    flames = count_condition(table, who, "ablaze")
    terms = [Modifier(value=roll.total, label="ablaze", source=f"{who}.ablaze", rule="VER-S30")]
    if flames > 1:
        terms.append(Modifier(value=flames - 1, label="more flames", source=f"{who}.ablaze", rule="VER-S30"))
    least = 1 - (sum([term.value for term in terms]) - guard.sl)
    if least > 0:
        terms.append(Modifier(value=least, label="at least 1", source=f"{who}.ablaze", rule="VER-S30"))
    amount = yield from deal(table, who, terms, guard, "VER-S30")
    yield from wound(table, who, amount, "VER-S30")


def _build_fire_roll(table: Table, who: Id) -> Roll | None:
    if not is_in_play(table, who) or not table[who].has("ablaze"):
        return None
    dice = (Dice(count=1, sides=6, kind="ablaze"),)
    return Roll(dice=dice, purpose=f"ablaze:{who}", by=who, rules=("VER-S30",))


def _lose_blood(table: Table, who: Id) -> Rule[None]:
    """Lose 1d3 hit points per count; at 0 fall unconscious, then save each turn (VER-T44)."""
    wounds = count_condition(table, who, "bleeding")
    if table[who].has("unconscious") and not table.pool(who, "hp"):
        if not marks.TENDED.is_on(table, who):
            still = partial(conditions.must_still_suffer, table, who, "bleeding")
            purpose = f"bleeding out:{who}"
            if not (yield from try_save(table, who, "withstand", wounds, "VER-S30", purpose=purpose, ground=still)):
                yield from conditions.die(table, who, "dead", "VER-S30")
        return
    roll = yield from throw(partial(_build_blood_roll, table, who))
    if roll is None:
        return
    left = max(0, table.pool(who, "hp") - roll.total)
    deadly = not is_pc(table, who) or not table.pool(who, "wounds")
    rules = ["VER-S30"]
    if not left and deadly and stat(table, who, "implacable"):
        left = min(1, table.pool(who, "hp"))
        rules.append("VER-T29")
    if left != table.pool(who, "hp"):
        yield set_pool(table, who, "hp", left, *rules)
    if left:
        return
    if not is_pc(table, who):
        yield from conditions.die(table, who, "slain", "VER-090")
    elif table.pool(who, "wounds"):
        yield from conditions.afflict(table, who, "unconscious", 1, "VER-T44")
    else:
        yield from conditions.reach_deaths_door(table, who, "VER-T44")


def _build_blood_roll(table: Table, who: Id) -> Roll | None:
    if not is_in_play(table, who) or not table[who].has("bleeding"):
        return None
    dice = (Dice(count=count_condition(table, who, "bleeding"), sides=3, kind="bleeding"),)
    return Roll(dice=dice, purpose=f"bleeding:{who}", by=who, rules=("VER-S30",))


def _shake_off(table: Table, who: Id, condition: str, purpose: str, rule: Clause) -> Rule[None]:
    """Remove one count of a condition for each SL of a Withstand save."""
    still = partial(conditions.must_still_suffer, table, who, condition)
    result = yield from save(table, who, "withstand", "VER-S30", rule, purpose=f"{purpose}:{who}", ground=still)
    if result.sl:
        yield from conditions.lessen(table, who, condition, result.sl)
    else:
        yield from exhaust(table, who, result)


def _recover(table: Table, who: Id) -> Rule[None]:
    """Recover from stunned (VER-T47)."""
    yield from _shake_off(table, who, "stunned", "recovery", "VER-T47")


def _see_again(table: Table, who: Id) -> Rule[None]:
    yield from wear_off(table, who, "blinded")


def wear_off(table: Table, who: Id, condition: str) -> Rule[None]:
    """Count a turn or round of a condition; every second removes one count (VER-T49)."""
    now = marks.SINCE[condition].of(table, who) + 1
    yield marks.SINCE[condition].set_on(who, now, "VER-S30")
    if now % 2 == 0:
        yield from conditions.lessen(table, who, condition, 1, "VER-T49")


def _test_broken_nerve(table: Table, who: Id) -> Rule[None]:
    if table[who].has("fleeing") or table[who].has("unconscious"):
        return
    still = partial(conditions.must_still_suffer, table, who, "broken")
    if not (yield from try_save(table, who, "panic", 1, "VER-S30", purpose=f"broken:{who}", ground=still)):
        yield set_condition(table, who, "fleeing", 1, "VER-S30")


AT_START = {
    "ablaze": _burn,
    "bleeding": _lose_blood,
    "stunned": _recover,
    "blinded": _see_again,
    "broken": _test_broken_nerve,
}
"""The effects at the start of the own turn, in this order (P10)."""


def suffer_after_round(table: Table, who: Id) -> Rule[None]:
    """Apply conditions at the end of a round (table 5.4)."""
    if table[who].has("poisoned"):
        yield from try_rule(_poison(table, who))
    if table[who].has("deafened") and is_in_play(table, who):
        yield from wear_off(table, who, "deafened")
    if table[who].has("broken") and is_in_play(table, who):
        yield from _hide(table, who)
    if table[who].has("injured") and is_in_play(table, who):
        yield from tick(table, who, "rounds", "VER-093")
        if who not in table.derive(all_fighters) and f"{who}/turn" not in table.draft.counts:
            yield from tick(table, who, "turns", "VER-093")


def _poison(table: Table, who: Id) -> Rule[None]:
    """Lose one hit point, unsaved; then a Withstand save removes one count per SL (VER-T46)."""
    yield from wound(table, who, 1, "VER-S30")
    if is_in_play(table, who) and table[who].has("poisoned"):
        yield from _shake_off(table, who, "poisoned", "poison", "VER-T46")


def _hide(table: Table, who: Id) -> Rule[None]:
    """Lose one count of broken after a whole round in hiding."""
    has_hidden = marks.HIDDEN_SINCE.is_on(table, who)
    if not table[who].has("hidden"):
        if has_hidden:
            yield marks.HIDDEN_SINCE.clear_on(who, "VER-S30")
    elif not has_hidden:
        yield marks.HIDDEN_SINCE.set_on(who, table.draft.round, "VER-S30")
    else:
        yield from conditions.lessen(table, who, "broken", 1)
