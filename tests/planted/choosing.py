"""Which tests could see a fault: those that run the code in their own process, where it holds the fault."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.planted.faults import ROOT, Where

RULES = ("tests/rulesets/test_scenarios.py", "tests/test_replays.py")
"""What drives everything: the scenarios and the recorded fights of every system."""

BELOW = ("tests/events", "tests/engine", "tests/tampering", "tests/rulesets/test_odds_enumerated.py")
"""What asks the engine below the rulesets."""

STARTING = re.compile(r"\b(affray|started|Popen|uvicorn\.\w+|subprocess\.\w+)\(")
"""How tests start the program or a server: what they start has no faults in it."""


def could_see(where: Where) -> list[str]:
    """Return what pytest is told to run: for a part of one ruleset its own, for all else what asks the engine."""
    parts = [room.relative_to(ROOT).parts for room in where.rooms]
    systems = {one[2] for one in parts if one[:2] == ("engine", "rulesets") and len(one) > 2}
    if len(systems) == 1 and all(one[:2] == ("engine", "rulesets") for one in parts):
        (system,) = systems
        return [*RULES, f"tests/rulesets/{system}", "tests/engine/test_policies.py", "-k", system]
    return [*RULES, *BELOW, *_in_process("tests/tools"), *_in_process("tests/serve")]


def _in_process(room: str) -> Iterator[str]:
    for file in sorted((ROOT / room).glob("test_*.py")):
        if not STARTING.search(file.read_text("utf-8")):
            yield str(file.relative_to(ROOT))
