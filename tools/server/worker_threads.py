"""Thread pools for work without an open fight: few threads, since Python computes in one at a time.

Work on an open fight has a thread of its own, one for each fight; see ``OpenFights.run_on``.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from .rate_limits import Allowance

T = TypeVar("T")

COMPUTING = ThreadPoolExecutor(2, "computing")
"""The pool for computations, such as QR codes, checks and rule books."""

READING = ThreadPoolExecutor(4, "reading")
"""The pool for documents in files or in a database file."""

CODING = Allowance(at_once=1, queued=10_000, a_second=100_000, burst=100_000)
"""The rate limit for the QR codes of one fight: another fight waits for one code at most."""


async def compute(work: Callable[..., T], *about: object) -> T:
    """Run a computation in the computing pool."""
    return await asyncio.get_running_loop().run_in_executor(COMPUTING, work, *about)


async def read_in_thread(work: Callable[..., T], *about: object) -> T:
    """Read or write files in the reading pool."""
    return await asyncio.get_running_loop().run_in_executor(READING, work, *about)
