"""The command ``luck``: what the dice and the decisions of a recorded fight were worth."""

from __future__ import annotations

from pathlib import Path

import click

from affray.engine.analysis.luck import Curve, compute_curves
from affray.engine.fight import Fight
from affray.engine.texts import name_said
from affray.tools.completion import values
from affray.tools.odds.asking import bar, fighters
from affray.tools.odds.sides import side_of
from affray.tools.options import fight_argument, force_option, jobs_option, json_option
from affray.tools.outputs import check_output, write_output
from affray.tools.places import looking_at
from affray.tools.printing import say, say_json
from affray.tools.story.words import names_of

from .drawing import svg
from .machines import for_machines
from .telling import percent, told


@click.command()
@fight_argument
@click.option(
    "--side",
    metavar="SIDE",
    shell_complete=values.sides,
    help="Whose chance to win; the side that joined first if not given.",
)
@click.option(
    "--trials", default=200, show_default=True, type=click.IntRange(10, 100_000), help="Fights from each moment."
)
@click.option(
    "--turning", default=5, show_default=True, type=click.IntRange(0, 100), help="How many turning points to tell."
)
@click.option("--seed", default="luck", show_default=True, metavar="WORD", help="Another word, other dice.")
@jobs_option()
@click.option("--cluster", default="", metavar="ADDRESS", help="Let a cluster of dask.distributed fight them.")
@click.option("--svg", "picture", type=click.Path(path_type=Path), metavar="FILE", help="Draw the curve as a picture.")
@force_option
@json_option
def luck(
    said: str,
    side: str | None,
    trials: int,
    turning: int,
    seed: str,
    jobs: int,
    cluster: str,
    picture: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Say how the chance to win went up and down in a recorded fight, and what moved it.

    From every moment the fight is fought on by sensible fighters, again and again. What a roll or a decision moved is
    the difference between the moments before and after it; all of them sum to the result.
    """
    if picture is not None:
        check_output(picture, force=force)
    with looking_at(said, whole=as_json) as fight:
        whose = side_of(fight, side)
        found = counted(fight, whose, trials, seed, jobs, cluster)
        names = names_of(fight.history.recorded)
        worth = for_machines(fight, found, names, turning)
        if picture is not None:
            write_output(picture, svg(worth), force=force)
        if as_json:
            say_json(worth)
            return
        for line in told(fight, found, names, turning):
            say(line)


def counted(fight: Fight, side: str, trials: int, seed: str, jobs: int, cluster: str) -> Curve:
    """Return the curve; an interrupted one is of fewer trials, and sums as well."""
    found: Curve | None = None
    with fighters(jobs, cluster) as work, bar(trials) as shown:
        try:
            for found in compute_curves(fight, side, trials, seed, work):
                shown(found.trials, f"{name_said(side)} {percent(found.opening, found.trials)} at the beginning")
        except KeyboardInterrupt:
            pass  # what is known by now is told
    if found is None:
        raise KeyboardInterrupt
    return found
