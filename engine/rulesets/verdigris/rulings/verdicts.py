"""Verdicts on attacks and tests."""

from typing import ClassVar

from affray.engine.core.state import Pending
from affray.engine.kit.rulings import verdicts
from affray.engine.rulesets.verdigris.config import Table
from affray.events import Clause

ATTACKS = ("attack", "called_shot", "free_attack", "mount_attack")
OPPOSED = ("grapple", "struggle")


class Verdict(verdicts.Verdict, frozen=True, kw_only=True):
    """Decide the outcome of an attack or a test: this one, or the next of this round."""

    rule: ClassVar[Clause] = "VER-T80"

    def stage(self, table: Table, item: Pending) -> verdicts.Stage:
        """Return the stage of an attack or a test (VER-T80).

        Most tests have their consequences at once.
        """
        if item.actor != self.who or item.kind not in (OPPOSED if self.is_on_test else ATTACKS):
            return "open"
        phase = table.draft.phases[item.id]
        if phase == "withstand":
            return "harm"
        return "over" if phase in ("consequences", "injury", "ruling") else "open"
