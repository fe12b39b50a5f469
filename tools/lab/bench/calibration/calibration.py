"""The command ``bench odds``: whether forecasts of 30 % come true."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from affray.engine.core.loading import available
from affray.tools.cli.options import force_option, jobs_option, json_option
from affray.tools.cli.printing import say, say_json
from affray.tools.cli.progress import bar, count_done
from affray.tools.text.output_files import check_output, write_output

from .drawing import draw_calibration
from .measurement import Position, bins, brier, positions


@click.command(short_help="Measure whether odds come true.")
@click.argument("systems", nargs=-1, type=click.Choice(available()), metavar="[SYSTEM]…")
@click.option("--fights", default=1000, show_default=True, type=click.IntRange(1), help="Fresh fights a system.")
@click.option("--trials", default=64, show_default=True, type=click.IntRange(1), help="Trials at a moment of each.")
@jobs_option()
@click.option("--svg", "picture", type=click.Path(path_type=Path), metavar="FILE", help="Draw what was found.")
@force_option
@json_option
def odds(
    systems: tuple[str, ...], fights: int, trials: int, jobs: int, picture: Path | None, force: bool, as_json: bool
) -> None:
    """Fight fresh fights, compute the odds at a moment of each, and compare.

    The fights are the systems' template encounters with 3 to 7 foes. The moment is random.
    """
    if picture is not None:
        check_output(picture, force=force)
    found: dict[str, list[Position]] = {}
    chosen = systems or tuple(available())
    with bar(len(chosen) * fights) as shows:
        for nth, system in enumerate(chosen):
            found[system] = list(count_done(positions(system, fights, trials, jobs), shows, nth * fights))
            if as_json:
                say_json(_for_machines(system, found[system]))
            else:
                for line in _tell_ranges(system, found[system]):
                    say(line)
    if picture is not None:
        write_output(picture, draw_calibration(found, trials), force=force)


def _tell_ranges(system: str, found: list[Position]) -> Iterator[str]:
    """Yield a line for each range of forecasts."""
    yield f"{system}: {len(found):,} positions, Brier score {brier(found):.3f}"
    for part in bins(found):
        given = f"given {part.low * 100:.0f} to {part.high * 100:.0f} %, {part.given * 100:.1f} % on average"
        won = (
            f"{part.won.value * 100:.1f} % of {part.won.of} won ({part.won.low * 100:.1f} to {part.won.high * 100:.1f})"
        )
        yield f"  {given:<44} {won}{'' if part.true else ' *'}"
    yield ""


def _for_machines(system: str, found: list[Position]) -> dict[str, object]:
    """Build the JSON answer; chances are from 0 to 1."""
    parts = [
        {
            "given": part.given,
            "won": {"share": part.won.value, "low": part.won.low, "high": part.won.high, "count": part.won.count},
            "positions": part.won.of,
        }
        for part in bins(found)
    ]
    return {"system": system, "positions": len(found), "brier": brier(found), "bins": parts}
