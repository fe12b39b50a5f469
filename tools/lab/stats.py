"""The command ``stats``, which counts the dice of fights and tests their fairness."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from textwrap import wrap

import click

from affray.engine.analysis.stats import Cut, Summary, ThrownDice, collect_dice, summarise_dice
from affray.engine.history.timeline import History
from affray.tools.api.store_url import looking_at
from affray.tools.cli.completion import values
from affray.tools.cli.options import force_option, json_option
from affray.tools.cli.printing import say_json
from affray.tools.cli.progress import each_with_bar
from affray.tools.cli.terminal import console, join_pieces
from affray.tools.present.charts.dice import draw_dice
from affray.tools.present.charts.dice_bars import bars, thrown_said
from affray.tools.present.statistics_text import BARS, first_said, meaning_of, streaks_said, table, title
from affray.tools.present.story.words import Names, names_of
from affray.tools.text.output_files import write_output

WIDE = 80
"""Width of a paragraph, in characters."""

NO_DIE = "No die has been thrown yet."


@click.command()
@click.argument("fights", metavar="FIGHT...", nargs=-1, required=True, shell_complete=values.fights)
@click.option("--by", type=click.Choice(["roller", "die", "source"]), help="Group dice by this and by their sides.")
@click.option("--all", "every", is_flag=True, help="Plot every group, also those with few dice.")
@click.option("--svg", "picture", type=click.Path(path_type=Path), metavar="FILE", help="Write the plot as a picture.")
@force_option
@json_option
def stats(
    fights: tuple[str, ...], by: Cut | None, every: bool, picture: Path | None, force: bool, as_json: bool
) -> None:
    """Count the dice of fights by who threw them, and test whether the dice are fair.

    Every die counts once, also one that was thrown in an undone command.
    """
    with ExitStack() as looking:
        histories = [
            looking.enter_context(looking_at(fight, whole=as_json)).history
            for fight in each_with_bar(fights, "fights read")
        ]
        _count(histories, fights, by, picture, every=every, force=force, as_json=as_json)


def _count(
    histories: Sequence[History],
    fights: Sequence[str],
    by: Cut | None,
    picture: Path | None,
    *,
    every: bool,
    force: bool,
    as_json: bool,
) -> None:
    """Count dice, and print or write the result."""
    dice = collect_dice(histories)
    groups = summarise_dice(dice.dice, by)
    names = names_of(one for history in histories for one in history.recorded)
    plotted = [group for group in groups if every or group.expected >= BARS]
    if picture is not None:
        titled = [(title(group, names), group) for group in plotted or groups]
        drawn = draw_dice(f"Dice of {fights[0] if len(fights) == 1 else f'{len(fights)} fights'}", titled)
        write_output(picture, drawn, force=force)
    if as_json:
        found = {"again": dice.again, "corrected": dice.corrected, "groups": groups}
        says = first_said(groups, names) if groups else NO_DIE
        say_json({"fights": fights, "dice": len(dice.dice), "says": says, **found})
        return
    screen = console()
    for line in _lines(dice, groups, plotted, names):
        screen.print(join_pieces(line), soft_wrap=True)
    if picture is not None:
        screen.print()
        screen.print(join_pieces(f"The picture is in {picture}."), soft_wrap=True)


def _lines(dice: ThrownDice, groups: Sequence[Summary], plotted: Sequence[Summary], names: Names) -> Iterator[str]:
    """Yield the lines of the answer for people."""
    if not groups:
        yield NO_DIE
        return
    yield from wrap(first_said(groups, names), WIDE)
    yield ""
    yield from table(groups, names)
    for paragraph in meaning_of(dice, groups):
        yield from ("", *wrap(paragraph, WIDE))
    for group in plotted:
        yield from ("", f"{title(group, names)}: {thrown_said(group)}")
        yield from bars(group)
        yield from streaks_said(group.streaks)
    few = len(groups) - len(plotted)
    if few:
        verb = "group has fewer dice than faces and is" if few == 1 else "groups have fewer dice than faces and are"
        yield from ("", f"{few} {verb} not plotted; --all plots {'it' if few == 1 else 'them'}.")
