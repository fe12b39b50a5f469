"""The minutes after the fight: saves at Death's Door, clocks of injuries."""

from affray.engine.core.actions import Action, declared_as
from affray.engine.core.effects import Rule
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.harm.conditions import hold_on
from affray.engine.rulesets.verdigris.harm.injuries import is_running, tick
from affray.engine.rulesets.verdigris.sheet import is_in_play, refusal_by, try_rule
from affray.events import Id

SHORT = ("turns", "rounds")


LONG = ("minutes", "heals")
"""Clocks that count minutes."""


@declared_as("tick_minute", "let a minute pass after the fight", own_trigger="tick_minute", by_gm=True, stacks=False)
class TickMinute(Action, frozen=True, kw_only=True):
    """Let a minute pass after the fight: saves at Death's Door, clocks of injuries."""

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse all actors but the game master, and a minute without effect."""
        if actor != "gm":
            raise refusal_by("VER-096", "the game master lets minutes pass", actor)
        if not any(_is_concerned(table, who) for who in table.draft.combatants):
            raise refusal_by("VER-096", "no life depends on the minutes", "fight_over")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Apply a minute to all in joining order; turns and rounds run out (table 5.5)."""
        for who in tuple(table.draft.combatants):
            if is_in_play(table, who) and table[who].has("deaths_door") and not table[who].has("stable"):
                yield from try_rule(hold_on(table, who))
            for kind in SHORT:
                while is_in_play(table, who) and is_running(table, who, kind):
                    yield from tick(table, who, kind, "VER-093")
            for kind in LONG:
                if is_in_play(table, who):
                    yield from tick(table, who, kind, "VER-093")


def _is_concerned(table: Table, who: Id) -> bool:
    dying = table[who].has("deaths_door") and not table[who].has("stable")
    return is_in_play(table, who) and (dying or any(is_running(table, who, kind) for kind in (*SHORT, *LONG)))
