"""Process that computes one forecast: ``python -m affray.tools.server.forecast_process``.

The server writes the wish and the lines of a log to its input, and reads one result a line from its output. The process
has bounded time and memory. The server kills it once no client wants the forecast.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from msgspec import Struct

from affray.engine.analysis.luck import compute_curves
from affray.engine.analysis.odds import Plan, Precision, find_rollout_start, sample_trials
from affray.engine.errors import EngineError, Unusable
from affray.engine.fight import Fight
from affray.engine.opening import open_fight
from affray.engine.stores import FileStore
from affray.events import LogError
from affray.tools.api.schemas.forecasts import Wish
from affray.tools.api.schemas.odds import Odds, tally_for_machines
from affray.tools.parse.decoding import reword_decoder_text
from affray.tools.parse.sides import side_of
from affray.tools.present.luck import TURNING, Luck
from affray.tools.present.luck import make_luck as luck_told
from affray.tools.present.story.words import names_of

from .worker_processes import OUT_OF_MEMORY, limit_process

CPU_SECONDS = 900
"""The most seconds of processor time for one forecast."""


PARAMETERS = {"odds": ("at", "within"), "luck": ("side", "trials")}
"""The parameters that each kind of forecast takes."""


def check_wish(wish: Wish) -> None:
    """Refuse a wish that has parameters of the other kind of forecast.

    Raises:
        Unusable: it has one.
    """
    plain, own = Wish(what=wish.what), PARAMETERS[wish.what]
    for name in ("at", "within", "side", "trials"):
        if name not in own and getattr(wish, name) != getattr(plain, name):
            raise Unusable(f"{wish.what} has no {name}; it has {' and '.join(own)}", name)


class ForecastResult(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Intermediate or final result of a forecast.

    Attributes:
        done, of: Trials that are done, and the most there can be.
        odds, luck: The result; luck comes only with the last trial.
        complete: Whether this is the last result.
        wrong: The reason why there can be no result.
    """

    done: int = 0
    of: int = 0
    odds: Odds | None = None
    luck: Luck | None = None
    complete: bool = False
    wrong: str = ""


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
        told = luck_told(fight, curve, names, TURNING) if complete else None
        yield ForecastResult(done=curve.trials, of=wish.trials, luck=told, complete=complete)


def run_forecast() -> None:
    """Read a wish and a log, and write results until the forecast is complete."""
    limit_process(CPU_SECONDS)
    try:
        _answer()
    except MemoryError:
        os._exit(OUT_OF_MEMORY)


def _answer() -> None:
    wish, *lines = sys.stdin.buffer.read().splitlines()
    with suppress(BrokenPipeError), TemporaryDirectory() as folder:
        try:
            for known in compute_forecast(_fight(Path(folder), lines), msgspec.json.decode(wish, type=Wish)):
                _say(known)
        except (EngineError, LogError) as error:
            _say(ForecastResult(wrong=reword_decoder_text(str(error))))


def _fight(folder: Path, lines: Sequence[bytes]) -> Fight:
    store = FileStore(folder, durable=False)
    store.begin("fight", lines, None)
    return open_fight("fight", store)


def _say(known: ForecastResult) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(known) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    run_forecast()
