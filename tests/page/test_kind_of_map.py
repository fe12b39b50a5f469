"""What the page knows of a log by itself: the kind of its map. How a fight is told it asks its server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from affray.engine.core.ruleset import load
from tests.clients.node import said
from tests.tools.program import reopened

ROOT = Path(__file__).parents[2]
LOGS = sorted((ROOT / "replays").glob("*/*.jsonl"))


@pytest.fixture(scope="module")
def maps() -> Any:
    """What the page's own modules find in every recorded fight."""
    return said("../page/maps.mjs", list(map(str, LOGS)))


@pytest.mark.parametrize("file", LOGS, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_it_knows_the_kind_of_map_from_the_log_alone(maps: Any, file: Path) -> None:
    fight = reopened(file)
    placed = [one.place for one in fight.state.combatants.values() if one.place] or list(fight.state.places)
    assert maps[str(file)] == (load(fight.state.system).map if placed else "")
