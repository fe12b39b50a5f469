"""The client of a server: read a fight, act in it, and follow it, synchronously or asynchronously.

It needs httpx, which the extra ``client`` brings. ``docs/clients.md`` is its guide.
"""

from typing import TYPE_CHECKING

from affray.tools.api.problem_details import Problem
from affray.tools.api.schemas.feed import Halted, HeadlineChanged, Settled
from affray.engine.visibility import WireLine
from affray.tools.api.schemas.fights import About, Carried, Lines, Moment, RulingForm, Story
from affray.tools.api.schemas.legal_actions import (
    HowMay, Likely, MayAnswer, MayDeclare, MayEnter, MayPass, WhatMay, WhatMayTo, WhereMay, WhoMay,
)  # fmt: skip
from affray.tools.api.schemas.receipts import Explanation

try:
    from .asynchronous import AsyncClient
    from .blocking import Client
except ModuleNotFoundError as missing:
    if missing.name != "httpx":
        raise
    raise ImportError("affray.client needs httpx, which is not installed: pip install 'affray[client]'") from None
from .errors import (
    AccessDenied, BadLink, ClientError, FightMovedOn, RecordAltered, RequestRefused, Unreachable, UnreadableAnswer,
)  # fmt: skip
from .feed import START, ConnectionLost, LineOpened, LineRecorded, Update, read_event

__all__ = [
    "About", "AccessDenied", "AsyncClient", "BadLink", "Carried", "Client", "ClientError", "ConnectionLost",
    "Explanation", "FightMovedOn", "Halted", "HeadlineChanged", "HowMay", "Likely", "LineOpened", "LineRecorded",
    "Lines", "MayAnswer", "MayDeclare", "MayEnter", "MayPass", "Moment", "Problem", "RecordAltered", "RequestRefused",
    "RulingForm", "START", "Settled", "Story", "Unreachable", "UnreadableAnswer", "Update", "WhatMay", "WhatMayTo",
    "WhereMay", "WhoMay", "WireLine", "read_event",
]  # fmt: skip

if not TYPE_CHECKING:  # to a type checker, a module with this function would hold every name

    def __getattr__(name: str) -> object:
        """Find a name that has another name now."""
        from affray._surface import find_old_name  # noqa: PLC0415 - only old names need it

        return find_old_name(__name__, name)
