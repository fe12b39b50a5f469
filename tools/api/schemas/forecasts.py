"""The request for a forecast."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from affray.engine.commands import MANY


class Wish(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A request for a forecast.

    Attributes:
        what: The kind of forecast: the odds from a log position on, or the luck of the whole fight.
        at: The log position for the odds; the head by default.
        side: The side whose luck is measured; by default the side that joined first.
        within: The wanted precision of the odds, in percentage points either way.
        trials: The number of simulated fights from each decision, for luck.
    """

    what: Literal["odds", "luck"]
    at: Annotated[int, Meta(ge=1, le=2**53)] | None = None
    side: Annotated[str, Meta(max_length=MANY)] = ""
    within: Annotated[float, Meta(ge=1, le=50)] = 3.0
    trials: Annotated[int, Meta(ge=10, le=500)] = 100
