"""Odds and luck over HTTP: polled, shared, cancelled, bounded, and only for viewers who see everything."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import msgspec
import pytest

from affray.engine.analysis.luck import compute_curve
from affray.engine.opening import open_fight
from affray.tools.api.schemas.forecasts import Wish
from affray.tools.lab import forecast_process
from affray.tools.lab.luck.luck_answer import TURNING, make_luck
from affray.tools.present.story.words import names_of
from affray.tools.server import forecasts, worker_processes
from affray.tools.server.forecasts import ForecastJobs
from affray.tools.server.open_fights import LimitReached
from affray.tools.server.routes import forecasts as routes
from tests.serve.server import Server, Somebody

LONG = Path("replays/verdigris/the-gatehouse.jsonl").resolve()
BEGUN = ("gm begin", "roll 15", "roll 3")


def ask_for_forecast(who: Somebody, **wish: Any) -> Any:
    """Request a forecast as a client, and return the answer."""
    answer = who.asks("POST", f"/api/fights/{who.fight}/forecasts", wish)
    assert answer.status_code == 201, answer.text
    return answer.json()


def ask_until(who: Somebody, id: str, fit: Callable[[Any], bool]) -> Any:
    """Ask for a forecast until it is so."""
    end, told = monotonic() + 300, None
    while monotonic() < end:
        told = who.looks(f"/forecasts/{id}").json()
        if fit(told):
            return told
        sleep(0.05)
    raise AssertionError(told)


def is_done(told: Any) -> bool:
    return bool(told["stage"] in ("done", "failed"))


def drops(who: Somebody, id: str) -> Any:
    answer = who.asks("DELETE", f"/api/fights/{who.fight}/forecasts/{id}")
    assert answer.status_code == 200, answer.text
    return answer.json()["forecasts"]


def computing() -> list[int]:
    """Return the processes that foresee for this one."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended by now
            parent = folder.joinpath("stat").read_text().rpartition(")")[2].split()[1]
            if (
                parent == str(os.getpid())
                and b"affray.tools.lab.forecast_process" in folder.joinpath("cmdline").read_bytes()
            ):
                found.append(int(folder.name))
    return found


def test_odds_are_told_as_the_command_line_tells_them(server: Server, tmp_path: Path) -> None:
    server.gm.does(*BEGUN)
    told = ask_for_forecast(server.gm, what="odds", within=10)
    done = ask_until(server.gm, told["id"], is_done)
    assert (done["stage"], done["done"]) == ("done", done["odds"]["trials"])
    wins = done["odds"]["wins"]
    assert wins["red"]["count"] + wins["blue"]["count"] == done["done"]
    assert max(one["high"] - one["low"] for one in wins.values()) <= 0.2
    assert server.gm.looks().json()["head"] == done["position"]  # nothing was written
    assert server.spectator.looks("/forecasts").json()["forecasts"] == [done]
    fight = open_fight("duel", server.app.state.server.fights.store)
    wish = Wish(what="odds", within=10)
    *_, known = forecast_process.compute_forecast(fight, wish)
    assert msgspec.to_builtins(known.odds) == done["odds"]


def test_luck_sums_to_the_result(server: Server) -> None:
    server.gm.does(*BEGUN, "ilse attack bram", "roll 19")
    told = ask_for_forecast(server.ilse, what="luck", trials=20, side="red")
    done = ask_until(server.bram, told["id"], is_done)
    luck = done["luck"]
    moved = sum(luck[name] for name in ("luck", "decisions", "rulings", "unclear"))
    assert luck["opening"] + moved == luck["result"]
    fight = open_fight("duel", server.app.state.server.fights.store)
    expected = make_luck(fight, compute_curve(fight, "red", 20), names_of(fight.history.recorded), TURNING)
    assert msgspec.json.decode(msgspec.json.encode(expected)) == luck


@pytest.mark.parametrize("name", ["export.md", "export.html"])
def test_a_report_carries_the_luck_that_is_known(server: Server, name: str) -> None:
    server.gm.does(*BEGUN, "ilse attack bram", "roll 19")
    assert "Was it the dice?" not in server.spectator.looks(f"/{name}").text
    told = ask_for_forecast(server.ilse, what="luck", trials=20)
    luck = ask_until(server.ilse, told["id"], is_done)["luck"]
    report = server.spectator.looks(f"/{name}").text
    assert "Was it the dice?" in report
    assert f"{luck['opening'] * 5} % at the beginning" in report
    server.gm.sends({"type": "Undo"})
    assert "Was it the dice?" not in server.spectator.looks(f"/{name}").text


def test_the_same_of_the_same_record_is_one_forecast(server: Server) -> None:
    server.gm.does(*BEGUN)
    first, second = ask_for_forecast(server.ilse, what="odds"), ask_for_forecast(server.bram, what="odds")
    assert first["id"] == second["id"]
    server.gm.does("ilse attack bram")
    assert ask_for_forecast(server.bram, what="odds")["id"] != first["id"]


def test_a_log_is_read_only_for_what_is_begun(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither for a known forecast nor for a refused one."""
    server.gm.does(*BEGUN)
    first = ask_for_forecast(server.ilse, what="odds", within=20)

    def unread(*_: object) -> list[bytes]:
        raise AssertionError("the log was read")

    monkeypatch.setattr(routes, "_lines", unread)
    assert ask_for_forecast(server.bram, what="odds", within=20)["id"] == first["id"]
    monkeypatch.setattr(forecasts, "MOST_EVENTS", 3)
    assert server.bram.asks("POST", "/api/fights/duel/forecasts", {"what": "luck"}).status_code == 429


def test_it_goes_on_until_nobody_wants_it(server: Server) -> None:
    server.gm.does(*BEGUN)
    told = ask_for_forecast(server.ilse, what="luck", trials=500)
    ask_for_forecast(server.bram, what="luck", trials=500)
    ask_until(server.ilse, told["id"], lambda now: now["stage"] == "working" and now.get("done", 0) > 0)
    assert len(computing()) == 1
    assert [one["id"] for one in drops(server.ilse, told["id"])] == [told["id"]]
    assert drops(server.bram, told["id"]) == []
    assert server.ilse.looks(f"/forecasts/{told['id']}").status_code == 404
    gone = monotonic() + 10
    while computing() and monotonic() < gone:
        sleep(0.02)
    assert not computing()


def test_a_game_master_drops_it_for_everybody(server: Server) -> None:
    told = ask_for_forecast(server.ilse, what="luck", trials=500)
    assert drops(server.gm, told["id"]) == []
    assert drops(server.gm, ask_for_forecast(server.gm, what="odds")["id"]) == []


def test_what_cannot_be_foreseen_says_why(server: Server) -> None:
    told = ask_for_forecast(server.gm, what="odds", at=9_999)
    failed = ask_until(server.gm, told["id"], is_done)
    assert (failed["stage"], failed["wrong"]) == (
        "failed",
        f"at: position 9999 is no event that counts in this record, which has 1 to {told['position']}",
    )
    told = ask_for_forecast(server.gm, what="luck", side="greens")
    assert "greens" in ask_until(server.gm, told["id"], is_done)["wrong"]


@pytest.mark.parametrize(
    ("wish", "field"),
    [({"what": "fate"}, "what"), ({"what": "odds", "within": 0.1}, "within"), ({"what": "odds", "by": 3}, "by"),
     ({"what": "luck", "trials": 5_000}, "trials"), ({}, "what"), ({"what": "odds", "side": "red"}, "side"),
     ({"what": "luck", "at": 20}, "at")],
)  # fmt: skip
def test_a_wish_that_makes_no_sense_is_refused(server: Server, wish: dict[str, Any], field: str) -> None:
    answer = server.gm.asks("POST", "/api/fights/duel/forecasts", wish)
    assert (answer.status_code, answer.json()["field"]) == (400, field)


def test_spectators_watch_and_ask_for_nothing(server: Server) -> None:
    assert server.spectator.asks("POST", "/api/fights/duel/forecasts", {"what": "odds"}).status_code == 403
    assert server.spectator.looks("/forecasts").json() == {"forecasts": []}
    assert server.spectator.asks("DELETE", "/api/fights/duel/forecasts/none").status_code == 403
    assert server.gm.asks("DELETE", "/api/fights/duel/forecasts/none").status_code == 404


def test_who_does_not_see_everything_foresees_nothing(hiding: Server) -> None:
    """Neither by asking, nor by watching what the game master asked for, nor by trying to end it."""
    told = ask_for_forecast(hiding.gm, what="odds", within=20)
    done = ask_until(hiding.gm, told["id"], is_done)
    assert "lurker" in done["odds"]["falls"]
    for who in (hiding.ilse, hiding.spectator):
        for path in ("/forecasts", f"/forecasts/{told['id']}", "/forecasts/none"):
            answer = who.looks(path)
            assert (answer.status_code, "lurker" in answer.text.casefold()) == (403, False)
    for method, path in (("POST", ""), ("DELETE", f"/{told['id']}"), ("DELETE", "/none")):
        wish = {"what": "odds"} if method == "POST" else None
        assert hiding.ilse.asks(method, f"/api/fights/duel/forecasts{path}", wish).status_code == 403
    assert hiding.gm.looks(f"/forecasts/{told['id']}").json() == done


def test_only_so_many_are_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """For one token, for all, of a long record; and only so many are kept."""

    async def forever(*_: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(forecasts, "_compute", forever)

    async def scene() -> None:
        found = ForecastJobs()

        def begin(nth: int, key: str, events: int = 3, fight: str = "duel") -> None:
            found.begin(fight, nth, "hash", Wish(what="odds", at=nth), [b"{}"] * events, key)

        for nth in range(1, forecasts.MOST_OF_ONE + 1):
            begin(nth, "eve")
        with pytest.raises(LimitReached, match="under way"):
            begin(99, "eve")
        with pytest.raises(LimitReached, match="10,001 events"):
            begin(99, "adam", 10_001)
        for nth in range(forecasts.MOST_OF_ONE + 1, forecasts.MOST_OF_FIGHT + 1):
            begin(nth, str(nth))
        with pytest.raises(LimitReached, match="of this fight"):
            begin(99, "adam")
        for nth in range(forecasts.MOST_OF_FIGHT + 1, forecasts.MOST_WAITING + 1):
            begin(nth, str(nth), fight="bridge")
        with pytest.raises(LimitReached, match="for all"):
            begin(99, "adam", fight="alley")
        await asyncio.sleep(0)
        stages = [one.stage for fight in ("duel", "bridge") for one in found.list_of_fight(fight)]
        assert stages.count("working") == forecasts.AT_ONCE
        assert stages.count("waiting") == forecasts.MOST_WAITING - forecasts.AT_ONCE
        await found.stop()
        assert found.list_of_fight("duel") == []

    asyncio.run(scene())


def test_only_so_many_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forecasts, "MOST_KEPT", 2)

    async def at_once(job: forecasts.ForecastJob, _: bytes) -> None:
        job.forecast = msgspec.structs.replace(job.forecast, stage="done")

    monkeypatch.setattr(forecasts, "_compute", at_once)

    async def scene() -> None:
        found = ForecastJobs()
        for nth in range(1, 6):
            found.begin("duel", nth, "hash", Wish(what="odds", at=nth), [], "eve")
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        assert [one.position for one in found.list_of_fight("duel")] == [3, 4, 5]

    asyncio.run(scene())


@pytest.mark.parametrize(
    ("bound", "value"), [("worker_processes.MEMORY_BYTES", 1 << 20), ("forecast_process.CPU_SECONDS", 2)]
)
def test_a_process_that_takes_too_much_ends(tmp_path: Path, bound: str, value: int) -> None:
    forecaster = tmp_path / "forecaster.py"
    forecaster.write_text(
        "from affray.tools.lab import forecast_process\nfrom affray.tools.server import worker_processes\n"
        f"{bound} = {value}\nforecast_process.run_forecast()\n"
    )
    said = b'{"what": "luck", "trials": 500}\nnull\n' + LONG.read_bytes()
    found = subprocess.run([sys.executable, forecaster], input=said, capture_output=True, timeout=60, check=False)
    assert found.returncode in worker_processes.TOO_MUCH
    assert b'"complete":true' not in found.stdout


def test_a_process_loads_nothing_that_draws_on_a_terminal() -> None:
    program = "import sys, affray.tools.lab.forecast_process; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert not {"click", "rich.progress", "litestar"} & set(loaded)


def test_what_a_process_leaves_unsaid_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    """It was ended for taking too much, or broke; which of both is said."""

    async def half(job: forecasts.ForecastJob, _: bytes) -> int:
        job.forecast = msgspec.structs.replace(job.forecast, done=5)
        return worker_processes.OUT_OF_MEMORY

    async def broken(*_: object) -> int:
        return 1

    async def nonsense(*_: object) -> None:
        raise ValueError("the line is too long")

    async def scene() -> None:
        found = ForecastJobs()
        for work, wrong in ((half, "more time or memory"), (broken, "log says why"), (nonsense, "log says why")):
            monkeypatch.setattr(forecasts, "_compute", work)
            told = found.begin("duel", 1, f"{work} {wrong}", Wish(what="odds"), [], "eve")
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            now = found.get_forecast("duel", told.id)
            assert (now.stage, wrong in now.wrong) == ("failed", True)
            again = found.begin("duel", 1, f"{work} {wrong}", Wish(what="odds"), [], "eve")
            assert again.stage == "waiting"
        await found.stop()

    asyncio.run(scene())
