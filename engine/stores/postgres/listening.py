"""Notifications of every append, from any process."""

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
"""The pattern of a head that fits the database's numbers; other programs may send anything on a channel."""

_SOON, _LATER = 0.1, 5.0
"""The first and the longest wait in seconds before a lost connection is tried again."""


class HeadMoved(Struct, frozen=True):
    """A fight has moved on.

    Attributes:
        fight: Its name; empty if a notification may have been missed: check the head of every fight that you follow.
        head: A lower bound of its head.
    """

    fight: str = ""
    head: int = 0


async def listen(address: Address) -> AsyncGenerator[HeadMoved, None]:
    """See ``PostgresStore.listen``."""
    wait = _SOON
    while True:
        try:
            connection = await psycopg.AsyncConnection.connect(autocommit=True, **address.settings)  # type: ignore[arg-type]
            try:
                await connection.execute(f"LISTEN {CHANNEL}")
                wait = _SOON
                yield HeadMoved()
                async for notice in connection.notifies():
                    yield _parse_notification(notice.payload)
            finally:
                await connection.close()  # never suspends, unlike `async with`: a second cancellation cannot skip it
        except psycopg.Error as error:
            _log.warning("lost_notifications", store=address.name, reason=address.describe_error(error))
        await asyncio.sleep(wait)
        wait = min(2 * wait, _LATER)


def _parse_notification(payload: str) -> HeadMoved:
    """Parse a notification; for another form report that some may have been missed."""
    head, _, fight = payload.partition(" ")
    return HeadMoved(fight, int(head)) if _HEAD.fullmatch(head) and fight else HeadMoved()
