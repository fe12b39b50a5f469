"""Surprise by ruling, before any round."""

from typing import Literal

from affray.engine.core.actions import Ruling, ruled_as
from affray.engine.core.effects import Rule
from affray.engine.errors import Unusable
from affray.engine.kit.rulings.harm_and_end import must_await_nothing
from affray.engine.rulesets.verdigris import marks
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.flow import FLOW
from affray.engine.rulesets.verdigris.sheet import other_side, refusal_by
from affray.engine.rulesets.verdigris.turns.order import fighters_by_side
from affray.engine.texts import name_said
from affray.events import CombatantId


@ruled_as("surprise", "let a side surprise the other in the round that begins", "side", "exempt")
class Surprise(Ruling, frozen=True, kw_only=True):
    """Let a side surprise the other in the round that begins: an ambush, a second wave.

    Attributes:
        side: The side that surprises the other.
        exempt: The combatants of the other side who are not surprised.
    """

    side: Literal["party", "enemies"]
    exempt: tuple[CombatantId, ...] = ()

    def check(self, table: Table) -> None:
        """Refuse it once the round has its order, a side without turns, and exempt ambushers."""
        must_await_nothing(table, "VER-012", "VER-012")
        FLOW.permit(table, "gm", "lie_in_wait")
        if not table.derive(fighters_by_side).get(self.side):
            raise refusal_by("VER-012", f"nobody on the side {name_said(self.side)} has a turn", self.side)
        for who in self.exempt:
            if table[who].side == self.side:
                raise Unusable(f"{table.name_of(who)} is not on a side that is surprised", "exempt")

    def decide(self, table: Table) -> Rule[str]:
        """Say who comes first; no initiative is rolled in this round."""
        yield marks.SURPRISING.set_on(marks.FIGHT, self.side, "VER-012")
        yield marks.SIDE_DUE.set_on(marks.FIGHT, self.side, "VER-012")
        yield marks.AMBUSHED.set_on(marks.FIGHT, True, "VER-012")
        for who in table.derive(fighters_by_side).get(other_side(self.side), ()):
            if who in self.exempt:
                yield marks.EXEMPT.set_on(who, True, "VER-012")
        return "lie_in_wait"
