"""A sample of what ``make thorough`` does a million times: a fight survives any request and answers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from affray.engine import Store
from tests.fuzz_commands.driving import Driven, driven
from tests.fuzz_commands.requests import send_requests, server
from tests.rulesets.systems import PRESENT

FIGHTS = 4
COMMANDS = 150
REQUESTS = 60


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[object, Store]]:
    """A server without fights."""
    with server() as at:
        yield at


@pytest.mark.parametrize("system", PRESENT)
def test_whatever_is_sent_the_fight_answers_everything_that_can_be_asked(system: str) -> None:
    """No traceback, no state that cannot be shown, an honest record; what is offered is accepted."""
    came = Driven()
    for seed in range(FIGHTS):
        driven(system, seed, COMMANDS, came)
    assert came.failures == []
    assert min(came.of("accepted"), came.of("Refused"), came.of("Unusable")) > COMMANDS // 5


@pytest.mark.parametrize("system", PRESENT)
def test_whatever_is_sent_a_server_answers_as_it_says_it_does(system: str, served: tuple[object, Store]) -> None:
    """No 500, and no answer that is documented nowhere."""
    came = Driven()
    send_requests(served, system, 0, REQUESTS, came)  # type: ignore[arg-type]
    assert came.failures == []
    assert came.of("accepted") > REQUESTS // 12
