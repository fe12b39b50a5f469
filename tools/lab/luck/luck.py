"""The command ``luck``: the effect of dice and decisions on a recorded fight."""

from __future__ import annotations

from pathlib import Path

import click

from affray.tools.api.store_url import looking_at
from affray.tools.cli.completion import values
from affray.tools.cli.options import fight_argument, force_option, jobs_option, json_option
from affray.tools.cli.printing import say, say_json
from affray.tools.lab.trials import compute_luck_curve
from affray.tools.parse.sides import side_of
from affray.tools.present.charts.luck import draw_luck
from affray.tools.present.story.words import names_of
from affray.tools.text.output_files import check_output, write_output

from .luck_answer import make_luck
from .luck_text import tell_luck


@click.command()
@fight_argument
@click.option(
    "--side", metavar="SIDE", shell_complete=values.sides, help="Side of the win chance; by default the first to join."
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
    """Show how the chance to win changed during a recorded fight, and why.

    From every moment the engine fights the fight on many times. The effect of a roll or a decision is the difference
    between the chances before and after it. All effects sum to the result.
    """
    if picture is not None:
        check_output(picture, force=force)
    with looking_at(said, whole=as_json) as fight:
        whose = side_of(fight, side)
        found = compute_luck_curve(fight, whose, trials, seed, jobs, cluster)
        names = names_of(fight.history.recorded)
        worth = make_luck(fight, found, names, turning)
        if picture is not None:
            write_output(picture, draw_luck(worth), force=force)
        if as_json:
            say_json(worth)
            return
        for line in tell_luck(fight, found, names, turning):
            say(line)
