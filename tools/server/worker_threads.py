"""Threads for what belongs to no fight in use: few over all links, since Python computes in one thread at a time.

What is done with a fight that is in use has a thread of its own, one for each fight; see ``Fights.doing``.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from .rate_limits import Allowance

T = TypeVar("T")

COMPUTING = ThreadPoolExecutor(2, "computing")
"""The threads for what computes, such as codes, checks and books."""

READING = ThreadPoolExecutor(4, "reading")
"""The threads for documents that are files, or in a database file."""

CODING = Allowance(at_once=1, queued=10_000, a_second=100_000, burst=100_000)
"""For the QR codes of one fight, however many links it has: another fight waits for one of them at most."""


async def compute(work: Callable[..., T], *about: object) -> T:
    """Compute something in one of few threads; more wait for one of them."""
    return await asyncio.get_running_loop().run_in_executor(COMPUTING, work, *about)


async def read_in_thread(work: Callable[..., T], *about: object) -> T:
    """Read or write files in one of few threads; more wait for one of them."""
    return await asyncio.get_running_loop().run_in_executor(READING, work, *about)
