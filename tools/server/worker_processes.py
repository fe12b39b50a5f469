"""Worker processes of a server, with bounded time and memory, which end with the task that started them."""

from __future__ import annotations

import asyncio
import os
import resource
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from signal import SIGKILL, SIGXCPU

CALM = 10
"""The ``nice`` value of a worker, so that the server gets a core first."""

MEMORY_BYTES = 1 << 30
"""The most memory of a worker, in bytes."""

OUT_OF_MEMORY = 12
"""The exit code of a worker that needs more memory."""

TOO_MUCH = (-SIGKILL, -SIGXCPU, OUT_OF_MEMORY)
"""The exit codes of a worker that needs more time or memory than it may have."""


def limit_process(cpu_seconds: int) -> None:
    """Limit the processor time and memory of this process, and lower its priority."""
    os.nice(CALM)
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


async def start_process(module: str, longest_line: int) -> Process:
    """Start a worker process; if this task is cancelled meanwhile, end the process too.

    Args:
        module: The module that it runs.
        longest_line: The longest line of its output, in bytes.
    """
    start = asyncio.create_subprocess_exec(sys.executable, "-m", module, stdin=PIPE, stdout=PIPE, limit=longest_line)
    starting = asyncio.ensure_future(start)
    try:
        return await asyncio.shield(starting)
    except asyncio.CancelledError:
        await end_process(await starting)
        raise


async def write_input(process: Process, said: bytes) -> None:
    """Write the whole input of a process; ignore that it has ended, since its exit code tells why."""
    assert process.stdin is not None
    with suppress(BrokenPipeError, ConnectionResetError):
        process.stdin.write(said)
        await process.stdin.drain()
        process.stdin.close()


async def end_process(process: Process) -> None:
    """Kill a process, and wait until it has ended."""
    with suppress(ProcessLookupError):
        process.kill()
    await process.communicate()
