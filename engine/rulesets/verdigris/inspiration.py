"""Inspiration: one more die on a test (VER-S15)."""

from __future__ import annotations

from typing import ClassVar

from affray.engine.core.actions import Action
from affray.engine.core.changes import marked, pool_moved
from affray.engine.core.effects import Rule
from affray.engine.core.table import Table
from affray.events import Id

from .push import INSPIRED
from .refusing import no
from .sheet import is_pc
from .turns import playable, unforbidden


class SpendInspiration(Action, frozen=True, kw_only=True):
    """Spend inspiration on the next test, before it is rolled (VER-S15)."""

    kind: ClassVar[str] = "spend_inspiration"
    says: ClassVar[str] = "spend inspiration on the next test"
    own_trigger: ClassVar[str] = "manage"
    stacks: ClassVar[bool] = False

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse somebody without any, and spending it twice on one test."""
        playable(table, actor, manner, "free", self.kind)
        if not is_pc(table, actor) or not table.pool(actor, "inspiration"):
            raise no("VER-S15", f"{actor} has no inspiration", f"{actor}.inspiration")
        if table.mark(actor, INSPIRED) is not None:
            raise no("VER-S15", f"{actor} has spent inspiration on the next test", f"{actor}/{INSPIRED}")
        unforbidden(table, actor, manner, self.kind, "VER-S15")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Spend it."""
        yield pool_moved(table, actor, "inspiration", -1, "VER-S15", "VER-T16")
        yield marked(actor, INSPIRED, True, "VER-S15", until="the next test")
