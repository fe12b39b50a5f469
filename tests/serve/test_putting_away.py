"""Fights that are open in memory are bounded by the events they hold; the idlest is put away first."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import msgspec
import pytest

from affray.engine.errors import Altered
from affray.engine.forking import ForkRequest
from affray.engine.opening import begin_fight
from affray.engine.stores import FileStore
from affray.tools.server import open_fights as module
from affray.tools.server.open_fights import OpenFights
from tests.tools.program import ENCOUNTER

NAMES = ("one", "two", "three")


@pytest.fixture
def with_three(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Run a function with a store of three fights, two of them open."""
    store = FileStore(tmp_path)
    made = [begin_fight(name, msgspec.toml.decode(ENCOUNTER), who="gm", seed=None, store=store) for name in NAMES]
    monkeypatch.setattr(module, "MOST_HELD", made[0].head * 2 + 1)

    def does(work: Callable[[OpenFights], Coroutine[Any, Any, None]]) -> None:
        asyncio.run(work(OpenFights(store)))

    return does


def list_fights_in_memory(fights: OpenFights) -> list[str]:
    """Return which fights are held in memory."""
    names = [name for name in (*NAMES, "one-a", "one-b", "one-c") if fights.find_snapshot(name) is not None]
    standing = [one for name in names if (one := fights.find_snapshot(name)) is not None]
    assert fights.held == sum(one.history.head for one in standing)
    return names


def test_the_idlest_is_put_away_when_too_many_events_are_held(with_three: Callable[..., None]) -> None:
    async def work(fights: OpenFights) -> None:
        for name in ("one", "two", "one", "three"):
            await fights.fight(name)
        assert list_fights_in_memory(fights) == ["one", "three"]
        async with fights.lock("one"):  # whoever is used stays
            await fights.fight("two")
            assert list_fights_in_memory(fights) == ["one", "two"]
        fights.followed = lambda: ["two"]
        await fights.fight("one")
        await fights.fight("three")
        assert list_fights_in_memory(fights) == ["two", "three"]

    with_three(work)


def test_the_one_that_is_used_last_stays_however_long_it_is(
    with_three: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or each request would read it again."""
    monkeypatch.setattr(module, "MOST_HELD", 1)

    async def work(fights: OpenFights) -> None:
        first = await fights.fight("one")
        assert await fights.fight("one") is first
        await fights.fight("two")
        assert list_fights_in_memory(fights) == ["two"]

    with_three(work)


def test_a_long_fight_is_put_away_before_short_ones(
    with_three: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Players of long fights do not drive out the others."""

    async def work(fights: OpenFights) -> None:
        await fights.fight("one")
        await fights.fork(ForkRequest(parent="two", name="two-a", who="gm"))
        monkeypatch.setattr(module, "MANY", (await fights.fight("two-a")).head)  # a fork has an event more
        await fights.fight("three")
        assert list_fights_in_memory(fights) == ["one", "three"]

    with_three(work)


def test_forks_do_not_pile_up(with_three: Callable[..., None]) -> None:
    async def work(fights: OpenFights) -> None:
        for letter in "abc":
            await fights.fork(ForkRequest(parent="one", name=f"one-{letter}", who="gm"))
        assert list_fights_in_memory(fights) == ["one-c"]

    with_three(work)


def test_what_was_put_away_must_be_as_it_was(with_three: Callable[..., None], tmp_path: Path) -> None:
    """A log that was cut meanwhile is no other fight."""

    async def work(fights: OpenFights) -> None:
        await fights.fork(ForkRequest(parent="one", name="one-a", who="gm"))
        for name in NAMES:
            await fights.fight(name)
        assert list_fights_in_memory(fights) == ["two", "three"]
        file = tmp_path / "one-a.jsonl"
        file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:-1]))
        with pytest.raises(Altered):
            await fights.fight("one-a")

    with_three(work)
