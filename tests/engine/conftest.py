"""Fights that several tests begin with, and the stores that each of several tests goes through."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from affray.engine import Fight, begin_fight
from tests.engine.fights import SEED, noon
from tests.engine.writers import KINDS, place


def two(**config: Any) -> dict[str, Any]:
    """Return an encounter of two swords at arm's length."""
    fighter = {"agility": 10, "might": 3, "accuracy": 2, "health": 6, "ep": 3, "ep_max": 5, "weapons": ["sword"]}
    return {
        "system": "vestige",
        "name": "a duel",
        "config": config,
        "combatant": [{"name": "Ilse", "side": "a", **fighter}, {"name": "Brand", "side": "b", **fighter}],
        "distance": [{"between": ["ilse", "brand"], "metres": 1}],
    }


@pytest.fixture
def duel() -> Fight:
    """Two swords at arm's length, before the first word is spoken; kept nowhere."""
    return begin_fight("duel", two(), who="gm", seed=SEED, clock=noon)


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    """Each kind of store that processes can share."""
    return str(request.param)


@pytest.fixture
def at(kind: str, tmp_path: Path) -> str:
    """The address of an empty store of that kind."""
    return place(kind, tmp_path)
