"""Rounds and turns, and how the fight ends (PEB-1, PEB-2, PEB-6)."""

from __future__ import annotations

from affray.engine.core.actions import Action, Ruling, declared_as, ruled_as
from affray.engine.core.changes import condition_set, marked
from affray.engine.core.effects import Rule
from affray.engine.core.table import Table
from affray.engine.errors import Refused
from affray.engine.kit.sides import sides_with
from affray.events import CombatantId, FightEnded, Id, MemberDone, RoundBegan, TurnBegan, TurnEnded


@declared_as("begin", "begin the fight", own_trigger="begin", by_gm=True, stacks=False)
class Begin(Action, frozen=True, kw_only=True):
    """Begin the fight (PEB-1)."""

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse anybody but the game master, and a fight of one side."""
        if actor != "gm":
            raise Refused("not_your_turn", "PEB-1", "the game master begins the fight", source=actor)
        if len(sides_left(table)) < 2:
            raise Refused("need_two_sides", "PEB-1", "a fight needs two sides", source="sides")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Open the first round."""
        yield RoundBegan(round=1, rules=("PEB-1",))


@declared_as("end_turn", "end the turn", own_trigger="end_turn", stacks=False)
class EndTurn(Action, frozen=True, kw_only=True):
    """End one's turn without a throw (PEB-2)."""

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Be done."""
        yield MemberDone(who=actor, rules=("PEB-2",))


@ruled_as("home", "send somebody home", "who")
class Call(Ruling, frozen=True, kw_only=True):
    """Send somebody home, pebbles or not (PEB-6)."""

    who: CombatantId

    def check(self, table: Table) -> None:
        """Refuse whoever is out already."""
        if table[self.who].has("out"):
            raise Refused("out", "PEB-6", f"{self.who} is out already", source=self.who)

    def decide(self, table: Table) -> Rule[str]:
        """Be out."""
        yield condition_set(table, self.who, "out", 1, "PEB-6")
        return ""


def upcoming(table: Table) -> Rule[str]:
    """Let the next child come up that has not had a turn in this round (PEB-1)."""
    for who, child in table.draft.combatants.items():
        if not child.has("out") and table.mark(who, "turn") != table.draft.round:
            yield marked(who, "turn", table.draft.round, "PEB-1", until="the next round")
            yield TurnBegan(slot=who, members=(who,), rules=("PEB-1",))
            return "comes_up"
    return "all_had_one"


def round_end(table: Table) -> Rule[str]:
    """Open the next round (PEB-1)."""
    yield RoundBegan(round=table.draft.round + 1, rules=("PEB-1",))
    return "next_round"


def aftermath(table: Table) -> Rule[str]:
    """See whether the fight is over, or the turn (PEB-6, PEB-2)."""
    draft = table.draft
    if draft.phases[""] != "turn" or draft.stack:
        return "resume"
    left = sides_left(table)
    if len(left) < 2:
        yield FightEnded(victors="".join(left), why="at most one side has pebbles", rules=("PEB-6",))
        return "over"
    if not any(not table[who].has("out") for who in draft.acting):
        yield TurnEnded(slot=draft.up, rules=("PEB-2",))
        return "spent"
    return "resume"


def sides_left(table: Table) -> tuple[str, ...]:
    """Return the sides that have somebody with pebbles."""
    return sides_with(table, lambda child: not child.has("out"))
