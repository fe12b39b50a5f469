"""Processes of a server's own that compute with a bound, and do not outlive whoever asked for them."""

from __future__ import annotations

import asyncio
import os
import resource
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from signal import SIGKILL, SIGXCPU

CALM = 10
"""By how much such a process stands back behind the server for a core (``nice``)."""

MEMORY_BYTES = 1 << 30
"""How much it may hold."""

OUT_OF_MEMORY = 12
"""The exit code of a process that would hold more."""

TOO_MUCH = (-SIGKILL, -SIGXCPU, OUT_OF_MEMORY)
"""How a process ends that takes more time or memory than there is for it."""


def bound(cpu_seconds: int) -> None:
    """Let this process stand back, and end if it computes or holds more than it may."""
    os.nice(CALM)
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


async def started(module: str, longest_line: int) -> Process:
    """Return a new process; if this is cancelled before there is one, it ends as soon as there is.

    Args:
        module: The module that it runs.
        longest_line: How many bytes it may say in one line.
    """
    start = asyncio.create_subprocess_exec(sys.executable, "-m", module, stdin=PIPE, stdout=PIPE, limit=longest_line)
    starting = asyncio.ensure_future(start)
    try:
        return await asyncio.shield(starting)
    except asyncio.CancelledError:
        await ended(await starting)
        raise


async def tell(process: Process, said: bytes) -> None:
    """Write to a process all that it is to know; what one says that has ended already tells why."""
    assert process.stdin is not None
    with suppress(BrokenPipeError, ConnectionResetError):
        process.stdin.write(said)
        await process.stdin.drain()
        process.stdin.close()


async def ended(process: Process) -> None:
    """End a process, and wait until it has."""
    with suppress(ProcessLookupError):
        process.kill()
    await process.communicate()
