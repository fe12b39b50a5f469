"""Conditions by ruling; those that the rules would revert at once are refused."""

from affray.engine.core.changes import set_condition
from affray.engine.kit.rulings.combatants import Condition
from affray.engine.kit.sheets import is_pc
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.sheet import refusal_by
from affray.events import ConditionChanged, Ending, Id


class Afflict(Condition, frozen=True, kw_only=True):
    """Give, change or remove a condition, unless the rules would revert it at once."""

    def check(self, table: Table) -> None:
        """Refuse no change, and a condition that hit points and wounds decide."""
        super().check(table)
        reversal = find_reversal(table, self.who, self.condition, ends=not self.count)
        if reversal:
            raise refusal_by(*reversal, self.who)


def find_reversal(table: Table, who: Id, condition: str, *, ends: bool) -> tuple[str, str] | None:
    """Return the clause that would revert a condition's change, and a better ruling."""
    called = table.name_of(who)
    healthy = table.pool(who, "hp") or table.pool(who, "wounds")
    match condition, ends:
        case "slain", True if not table.pool(who, "hp") and not is_pc(table, who):
            return "VER-090", f"{called} has no hit points; rule unable {who} able=true brings it back with one"
        case "deaths_door", True if not healthy:
            return "VER-095", f"{called} has neither hit points nor wounds; rule pool {who} hp to=1 ends it"
        case "deaths_door", False if not is_pc(table, who):
            return "VER-095", f"{called} is no player character; rule unable {who} puts it out of the fight alive"
        case "deaths_door", False if healthy:
            return "VER-095", f"{called} has hit points or wounds left; rule pool sets both to 0"
        case "readied", False:
            return "VER-072", f"{called} readies an attack with ready, or attacks at once by rule free_attack {who}"
    return None


def set_condition_until(
    table: Table, who: Id, condition: str, count: int, source: Id, ends: Ending | None
) -> ConditionChanged:
    """Give a condition with an end, or end it (VER-T75)."""
    return set_condition(table, who, condition, count, "VER-T75", source=source, ends=ends)
