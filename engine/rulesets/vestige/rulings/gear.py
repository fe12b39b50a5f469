"""What is in whose hands (VES-036)."""

from __future__ import annotations

from affray.engine.core.changes import item_moved
from affray.engine.core.effects import Rule
from affray.engine.kit import rulings
from affray.engine.rulesets.vestige.config import Table


class Give(rulings.Give, frozen=True, kw_only=True):
    """Put an item into other hands, or elsewhere on the body; a hand holds one weapon, so another one is put away."""

    def decide(self, table: Table) -> Rule[str]:
        """Hand it over, and put away what it takes the place of (VES-036)."""
        if self.where == "hand" and table.item(self.item).kind == "weapon":
            for held in table.items_of(self.to):
                if held.kind == "weapon" and held.where == "hand" and held.id != self.item:
                    yield item_moved(table, held.id, "", "VES-036")
        yield item_moved(table, self.item, self.where, owner=self.to)
        return ""
