"""The request for a forecast."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from affray.engine.commands import MANY


class Wish(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A request for a forecast.

    Attributes:
        what: The odds from a position on, or what dice and decisions were worth in the whole fight.
        at: That position; the head if not given.
        side: Whose luck; that of the side that joined first if not given.
        within: How certain the odds shall be: points on either side.
        trials: How many fights luck is counted from at each moment.
    """

    what: Literal["odds", "luck"]
    at: Annotated[int, Meta(ge=1, le=2**53)] | None = None
    side: Annotated[str, Meta(max_length=MANY)] = ""
    within: Annotated[float, Meta(ge=1, le=50)] = 3.0
    trials: Annotated[int, Meta(ge=10, le=500)] = 100
