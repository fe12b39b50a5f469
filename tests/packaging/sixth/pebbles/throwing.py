"""Throwing (PEB-3 to PEB-6)."""

from __future__ import annotations

from affray.engine.core.actions import Action, declared_as
from affray.engine.core.changes import condition_set, pool_moved
from affray.engine.core.effects import Ask, Roll, Rule
from affray.engine.core.table import Table
from affray.engine.errors import Refused
from affray.engine.kit.modifiers import granted, used_up
from affray.events import CombatantId, Dice, Id, Judged, MemberDone, Modifier, Option, Rolled

THROWS_BACK = Option(choice="throw", says="throws back")
DUCKS = Option(choice="duck", says="ducks: 2 more, and nothing to win")


@declared_as("throw", "throw a pebble at somebody", "target")
class Throw(Action, frozen=True, kw_only=True):
    """Throw a pebble at a child of another side (PEB-2 to PEB-5)."""

    target: CombatantId

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse friends (PEB-2) and those who are out (PEB-6)."""
        if table[self.target].side == table[actor].side:
            raise Refused("not_an_enemy", "PEB-2", f"{self.target} is on the side of {actor}", source=self.target)
        if table[self.target].has("out"):
            raise Refused("out", "PEB-6", f"{self.target} is out", source=self.target)

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Be done: one throw a turn (PEB-2)."""
        yield MemberDone(who=actor, rules=("PEB-2",))

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Ask the target, roll both dice, and take a pebble from the loser."""
        answer = yield Ask(of=(self.target,), about="throw", options=(THROWS_BACK, DUCKS), rules=("PEB-3",))
        ducks = answer.choice == "duck"
        thrown = yield from die(table, actor, "throw")
        met = yield from die(table, self.target, "duck" if ducks else "throw_back", 2 if ducks else 0)
        margin = thrown.total - met.total
        outcome = "hit" if margin > 0 else "hit back" if margin < 0 and not ducks else "miss"
        yield Judged(roll=thrown.roll, outcome=outcome, margin=margin, rules=("PEB-4",))
        if outcome != "miss":
            yield from lose_pebble(table, self.target if margin > 0 else actor)

    def targets(self) -> tuple[Id, ...]:
        """Return the child who is thrown at."""
        return (self.target,)


def die(table: Table, who: Id, purpose: str, bonus: int = 0) -> Rule[Rolled]:
    """Roll a die, with 2 more for ducking and whatever the game master grants (PEB-4)."""
    extra = granted(table, who, "PEB-4")
    ducking = (Modifier(value=bonus, label="ducking", rule="PEB-4"),) if bonus else ()
    rolled: Rolled = yield Roll(
        dice=(Dice(count=1, sides=table.config.sides),),
        purpose=f"{purpose}:{who}",
        by=who,
        modifiers=(*ducking, *extra),
        rules=("PEB-4",),
    )
    if extra:
        yield from used_up(table, who)
    return rolled


def lose_pebble(table: Table, who: Id) -> Rule[None]:
    """Take a pebble; who has none left is out (PEB-5, PEB-6)."""
    yield pool_moved(table, who, "pebbles", -1, "PEB-5")
    if table.pool(who, "pebbles") == 0:
        yield condition_set(table, who, "out", 1, "PEB-6")
