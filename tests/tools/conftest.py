"""A folder with a duel in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools import program


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """The log of a duel with real dice, on Ilse's first turn; ``duel.toml`` lies beside it."""
    return program.duel(tmp_path)
