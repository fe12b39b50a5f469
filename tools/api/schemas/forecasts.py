"""The request for a forecast, and what its process answers."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from affray.engine.commands import MANY
from affray.engine.errors import Unusable
from affray.tools.present.luck import Luck

from .odds import Odds

CPU_SECONDS = 900
"""The most seconds of processor time for one forecast."""


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


PARAMETERS = {"odds": ("at", "within"), "luck": ("side", "trials")}
"""The parameters that each kind of forecast takes."""


def check_wish(wish: Wish) -> None:
    """Refuse a wish that has parameters of the other kind of forecast.

    Raises:
        Unusable: it has one.
    """
    plain, own = Wish(what=wish.what), PARAMETERS[wish.what]
    for name in ("at", "within", "side", "trials"):
        if name not in own and getattr(wish, name) != getattr(plain, name):
            raise Unusable(f"{wish.what} has no {name}; it has {' and '.join(own)}", name)


class ForecastResult(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Intermediate or final result of a forecast.

    Attributes:
        done, of: Trials that are done, and the most there can be.
        odds, luck: The result; luck comes only with the last trial.
        complete: Whether this is the last result.
        wrong: The reason why there can be no result.
    """

    done: int = 0
    of: int = 0
    odds: Odds | None = None
    luck: Luck | None = None
    complete: bool = False
    wrong: str = ""
