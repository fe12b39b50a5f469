"""The links of one fight begin by turns."""

from __future__ import annotations

import asyncio

from affray.tools.server.rate_limits import RateLimits
from affray.tools.server.server_state import ALLOWED
from tests.serve.test_fairness import MANY, SOON


def test_however_many_links_a_fight_has_others_come_in_between() -> None:
    """The requests of one fight begin one by one, and one of another fight waits for few of them."""

    async def begin() -> int:
        limits, begun = RateLimits(), 0

        async def ask(nth: int) -> None:
            nonlocal begun
            await limits.acquire(f"link {nth}", ALLOWED["player"], fight="crowded")
            begun += 1

        waiting = [asyncio.create_task(ask(nth)) for nth in range(MANY)]
        await asyncio.sleep(0)
        await limits.acquire("alone", ALLOWED["player"], fight="quiet")
        before = begun
        waiting[-1].cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        assert begun == MANY - 1
        return before

    assert asyncio.run(begin()) < SOON
