"""What the game master begins a fight with, and somebody ends a turn with; systems add what comes of it."""

from __future__ import annotations

from typing import ClassVar

from affray.engine.core.actions import Action


class Begin(Action, frozen=True, kw_only=True):
    """Begin the fight; the game master's to declare."""

    kind: ClassVar[str] = "begin"
    says: ClassVar[str] = "begin the fight"
    by_gm: ClassVar[bool] = True
    stacks: ClassVar[bool] = False
    own_trigger: ClassVar[str] = "begin"


class EndTurn(Action, frozen=True, kw_only=True):
    """End one's own turn."""

    kind: ClassVar[str] = "end_turn"
    says: ClassVar[str] = "end the turn"
    stacks: ClassVar[bool] = False
    own_trigger: ClassVar[str] = "end_turn"
