"""Verdicts on attacks and tests."""

from typing import ClassVar

from affray.engine.core.state import Pending
from affray.engine.kit.rulings import verdicts
from affray.engine.rulesets.verdigris.config import Table
from affray.events import Clause

ATTACKS = ("attack", "called_shot", "free_attack", "mount_attack")
OPPOSED = ("grapple", "struggle")


class Verdict(verdicts.Verdict, frozen=True, kw_only=True):
    """Say what an attack or a test comes to: the one under way, or the next one of this round."""

    rule: ClassVar[Clause] = "VER-T80"

    def stage(self, table: Table, item: Pending) -> verdicts.Stage:
        """Return how far an attack or a test has come; what follows most tests follows at once (VER-T80)."""
        if item.actor != self.who or item.kind not in (OPPOSED if self.is_on_test else ATTACKS):
            return "open"
        phase = table.draft.phases[item.id]
        if phase == "withstand":
            return "harm"
        return "over" if phase in ("consequences", "injury", "ruling") else "open"
