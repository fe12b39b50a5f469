"""One attack of one kind: ``python -m tests.crowding.attacking KIND PORT TOKENS SECONDS``."""

import asyncio
import gc
import json
import sys
from contextlib import suppress
from time import monotonic

from .hostile import Target
from .kinds import KINDS


def main() -> None:
    """Attack, and end in time."""
    kind, port, tokens, seconds = sys.argv[1:]
    gc.disable()
    target = Target(int(port), "brawl", json.loads(tokens), monotonic() + float(seconds))

    async def attacked() -> None:
        with suppress(TimeoutError, OSError, EOFError):
            await asyncio.wait_for(KINDS[kind](target), float(seconds) + 1)

    asyncio.run(attacked())


if __name__ == "__main__":
    main()
