"""Whether an encounter can be fought, without anything being opened."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from affray.engine.opening import begin_fight
from affray.tools.encounters import located
from affray.tools.faults import Fault, Faulty


def fault_in(content: Mapping[str, Any], text: str = "") -> Fault | None:
    """Return what keeps an encounter from being opened, and at which field; nothing if it can be.

    Args:
        content: Of the encounter file.
        text: Of the same, where there is one, to find the line.
    """
    try:
        with located(Path(), text, dict(content)):
            begin_fight("encounter", content, who="gm", seed=None)
    except Faulty as faulty:
        return faulty.fault
    return None
