"""Fixtures of the server's tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.serve.server import LURKER, Server, serve_duel
from tests.tools.program import ENCOUNTER


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server with a duel that has not begun."""
    with serve_duel(tmp_path) as running:
        yield running


@pytest.fixture
def begun(server: Server) -> Server:
    """The same server, on Ilse's first turn."""
    server.gm.does("gm begin", "roll 15", "roll 3")
    return server


@pytest.fixture
def hiding(tmp_path: Path) -> Iterator[Server]:
    """A server with a duel that a lurker watches, on Ilse's first turn."""
    with serve_duel(tmp_path, ENCOUNTER + LURKER) as server:
        server.gm.does("gm begin", "roll 15", "roll 3", "roll 2")
        yield server
