"""As much of a fight as words are understood, offers are made and sentences are said by."""

from msgspec import Struct

from affray.engine.core.ruleset import Ruleset
from affray.engine.core.table import Table
from affray.engine.history.timeline import History


class Glimpse(Struct, frozen=True):
    """A moment of a fight as somebody sees it."""

    ruleset: Ruleset
    table: Table
    history: History

    @property
    def head(self) -> int:
        """The position up to which it is seen."""
        return self.history.head
