"""Process that computes one forecast: ``python -m affray.tools.lab.forecast_process``.

The server writes the wish, an encounter or ``null``, and the lines of a log to its input. It reads one result a line
from its output. The process has bounded time and memory. The server kills it once no client wants the forecast.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from affray.engine.analysis.luck import compute_curves
from affray.engine.analysis.odds import Plan, Precision, find_rollout_start, sample_trials
from affray.engine.errors import EngineError
from affray.engine.fight import Fight
from affray.engine.opening import begin_fight, open_fight
from affray.engine.stores import FileStore
from affray.events import LogError
from affray.tools.api.schemas.forecasts import CPU_SECONDS, ForecastResult, Wish
from affray.tools.lab.luck.luck_answer import TURNING, make_luck
from affray.tools.lab.odds.odds_answer import tally_for_machines
from affray.tools.parse.decoding import reword_decoder_text
from affray.tools.parse.sides import side_of
from affray.tools.present.story.words import names_of
from affray.tools.server.worker_processes import OUT_OF_MEMORY, limit_process


def compute_forecast(fight: Fight, wish: Wish) -> Iterator[ForecastResult]:
    """Yield a result after every few trials.

    Raises:
        EngineError: there is no such position or side, or no moment before it at which no question is open.
    """
    if wish.what == "odds":
        plan, wanted = Plan(moment=find_rollout_start(fight, wish.at)), Precision(within=wish.within / 100)
        for found in sample_trials(plan, wanted):
            many, odds = found.tally.trials, tally_for_machines(fight, plan, found)
            yield ForecastResult(done=many, of=wanted.most, odds=odds, complete=found.enough or many == wanted.most)
        return
    side, names = side_of(fight, wish.side or None, "side"), names_of(fight.history.recorded)
    for curve in compute_curves(fight, side, wish.trials):
        complete = curve.trials == wish.trials
        told = make_luck(fight, curve, names, TURNING) if complete else None
        yield ForecastResult(done=curve.trials, of=wish.trials, luck=told, complete=complete)


def run_forecast() -> None:
    """Read a wish and a log, and write results until the forecast is complete."""
    limit_process(CPU_SECONDS)
    try:
        _answer()
    except MemoryError:
        os._exit(OUT_OF_MEMORY)


def _answer() -> None:
    wish, encounter, *lines = sys.stdin.buffer.read().splitlines()
    with suppress(BrokenPipeError), TemporaryDirectory() as folder:
        try:
            content = msgspec.json.decode(encounter)
            fight = _open_log(Path(folder), lines) if content is None else _open_encounter(content)
            for known in compute_forecast(fight, msgspec.json.decode(wish, type=Wish)):
                _say(known)
        except (EngineError, LogError) as error:
            _say(ForecastResult(wrong=reword_decoder_text(str(error))))


def _open_encounter(content: dict[str, Any]) -> Fight:
    return begin_fight("forecast", content, who="gm", seed=bytes(32))


def _open_log(folder: Path, lines: Sequence[bytes]) -> Fight:
    store = FileStore(folder, durable=False)
    store.begin("fight", lines, None)
    return open_fight("fight", store)


def _say(known: ForecastResult) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(known) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    run_forecast()
