"""Views are computed once for all viewers with the same rights, and in a thread if that takes long."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from httpx import Response

from affray.engine.fight import Fight
from affray.engine.visibility import Viewer, project_state
from affray.tools.server import fight_size
from affray.tools.server.sessions import FightSession
from affray.tools.server.subscription import FeedOptions
from affray.tools.server.view_cache import View
from tests.serve.followed import GM, NAME, RED, SPECTATOR, Process
from tests.serve.server import Server

T = TypeVar("T")

BLUE = Viewer(role="player", name="bo", owns=("blue-1",))


def test_what_a_viewer_sees_of_a_state_is_worked_out_once(tmp_path: Path) -> None:
    async def looked() -> None:
        process = Process(tmp_path)
        state = (await process.fight(NAME)).state
        assert project_state(BLUE, state) is state
        await process.rule("conceal", who="red-0")
        state = (await process.fight(NAME)).state
        seen = project_state(BLUE, state)
        assert project_state(Viewer(role="player", name="other", owns=BLUE.owns), state) is seen
        assert project_state(GM, state) is state
        assert "red-0" not in seen.combatants
        assert "red-0" in project_state(RED, state).combatants
        await process.rule("note", text="x")
        assert project_state(BLUE, (await process.fight(NAME)).state) is not seen

    asyncio.run(looked())


@pytest.mark.parametrize("ruling", [("conceal", {"who": "red-0"}), ("veil", {"who": "blue-3", "pools": ["health"]})])
def test_a_view_that_is_worked_out_ahead_is_the_same(tmp_path: Path, ruling: tuple[str, dict[str, Any]]) -> None:
    """Before and after a combatant is hidden, for every viewer."""

    async def compared() -> None:
        process = Process(tmp_path)
        fight = await process.fight(NAME)
        views = [[View(viewer, fight.history.recorded, fight.state) for viewer in (GM, RED, BLUE)] for _ in range(2)]
        for more in (("note", {"text": "x"}), ruling, ("note", {"text": "y"})):
            head = fight.head
            await process.rule(more[0], **more[1])
            fight = await process.fight(NAME)
            new = fight.history.recorded[head:]
            for ahead, plain in zip(*views, strict=True):
                ahead.prepare(new, fight, headline=True)
                ahead.update(new, fight.state)
                plain.update(new, fight.state)
                ahead.update_headline(fight)
                plain.update_headline(fight)
                told = [(one.snapshot(), one.broken, one.head, one.headline) for one in (ahead, plain)]
                assert told[0] == told[1]

    asyncio.run(compared())


def test_many_views_are_worked_out_one_by_one_and_others_go_on_in_between(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One view for all with the same rights; followers are then told in order."""
    monkeypatch.setattr(fight_size, "AT_ONCE", 0)
    works, turns = [], [0]

    async def doing(_: Process, fight: Fight, work: Callable[..., T], *about: Any) -> T:
        works.append(turns[0])
        await asyncio.sleep(0)
        return work(*about)

    monkeypatch.setattr(Process, "run_on", doing)

    async def ticks() -> None:
        while True:
            turns[0] += 1
            await asyncio.sleep(0)

    async def followed() -> None:
        process = Process(tmp_path)
        ticking = asyncio.create_task(ticks())
        heard = FeedOptions(headline=True)
        streams = [(await process.hub.follow(NAME, who, hears=heard)) for who in (GM, RED, SPECTATOR, SPECTATOR)]
        assert len(works) == 3
        works.clear()
        await process.rule("note", text="x")
        await process.rule("note", text="y")
        head = (await process.fight(NAME)).head
        while any(one.feed.head < head for one in streams):
            await asyncio.sleep(0)
        assert len(works) == 3
        assert works == sorted({*works})
        ticking.cancel()

    asyncio.run(followed())


def test_a_large_fight_is_asked_in_a_thread(begun: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its state, how it stands, and a command: what one link asks there does not hold the others up."""
    aside: list[str] = []
    in_thread = FightSession.run_in_thread

    def noted(seat: FightSession, work: Callable[..., Any], *about: Any) -> Any:
        aside.append(getattr(work, "__name__", ""))
        return in_thread(seat, work, *about)

    monkeypatch.setattr(FightSession, "run_in_thread", noted)
    asked: list[Callable[[], Response]] = [
        lambda: begun.ilse.looks("/state"),
        begun.ilse.looks,
        lambda: begun.bram.sends({"type": "Stir", "words": "x"}),
    ]
    before = [ask().status_code for ask in asked]
    assert aside == []
    monkeypatch.setattr(fight_size, "LARGE", 1)
    assert [ask().status_code for ask in asked] == before
    assert len(aside) == len(asked)
