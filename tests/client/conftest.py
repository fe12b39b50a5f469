"""Fixtures of the Python client's tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.client.table import Driver, Server, serving_below

OpenClient = Callable[..., Driver]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server behind a path prefix."""
    with serving_below(tmp_path_factory.mktemp("fights")) as running:
        yield running


@pytest.fixture(params=[False, True], ids=["synchronous", "asynchronous"])
def enter(request: pytest.FixtureRequest) -> Iterator[OpenClient]:
    """Opens a client by a link: the synchronous one, then the asynchronous one."""
    with ExitStack() as opened:

        def open_by(link: str, fight: str = "") -> Driver:
            client = Driver(link, fight, asynchronous=request.param)
            opened.callback(client.leave)
            return client

        yield open_by
