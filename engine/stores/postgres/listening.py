"""Hear of every append at once, whichever process made it."""

import asyncio
import re
from collections.abc import AsyncGenerator

import psycopg
from msgspec import Struct

from affray.engine.logger import Logger

from .connecting import Address

_log = Logger(__name__)

CHANNEL = "affray"
"""The channel of notifications; every append sends ``HEAD FIGHT``."""

_HEAD = re.compile("[0-9]{1,18}")
"""How a head is written, as far as it fits into the database's own numbers; anybody may say anything on a channel."""

_SOON, _LATER = 0.1, 5.0
"""After how many seconds a lost connection is tried again: first, and at most."""


class Moved(Struct, frozen=True):
    """A fight has moved on.

    Attributes:
        fight: Which one; empty if something may have been missed: look at the head of every fight you follow.
        head: At least how far.
    """

    fight: str = ""
    head: int = 0


async def listen(address: Address) -> AsyncGenerator[Moved, None]:
    """See ``PostgresStore.listen``."""
    wait = _SOON
    while True:
        try:
            connection = await psycopg.AsyncConnection.connect(autocommit=True, **address.settings)  # type: ignore[arg-type]
            try:
                await connection.execute(f"LISTEN {CHANNEL}")
                wait = _SOON
                yield Moved()
                async for notice in connection.notifies():
                    yield _moved(notice.payload)
            finally:
                await connection.close()  # never suspends, unlike `async with`: a second cancellation cannot skip it
        except psycopg.Error as error:
            _log.warning("lost_notifications", store=address.name, reason=address.words(error))
        await asyncio.sleep(wait)
        wait = min(2 * wait, _LATER)


def _moved(payload: str) -> Moved:
    """Parse a notification; one of any other form means that something may have been missed."""
    head, _, fight = payload.partition(" ")
    return Moved(fight, int(head)) if _HEAD.fullmatch(head) and fight else Moved()
