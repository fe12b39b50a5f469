"""The command ``stats``: how the dice of some fights fell, and whether fair dice fall like that."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from textwrap import wrap

import click

from affray.engine.analysis.stats import Cut, Streak, Summary, ThrownDice, collect_dice, summarise_dice
from affray.engine.history.timeline import History

from .completion import values
from .options import force_option, json_option
from .outputs import write_output
from .places import looking_at
from .printing import say_json
from .progress import each
from .screen import console, shown
from .stats_picture import svg
from .stats_plot import bars, chance, thrown_said
from .story.words import Names, called, capital, names_of

WIDE = 80
"""How wide a paragraph is."""

NO_DIE = "No die has been thrown yet."

BARS = 1
"""With fewer expected on a face a plot says nothing that the counts do not."""

UNUSUAL = 0.05
"""Below this adjusted p it is said that something is unusual."""

MEANING = (
    "p is how often fair dice would fall at least as unevenly as these: a small p is a reason to look closer and no"
    " proof of anything, and a large one does not prove a die fair."
)

MANY = (
    "{many} groups were tested: of fair dice one group in twenty falls below 0.05 by chance alone, and the adjusted p"
    " (after Holm) allows for that."
)

METHOD = (
    "The test is exact where fewer than 5 of each face are expected, and chi-square otherwise. The interval is that of"
    " the mean, by the normal distribution and the variance of a fair die."
)


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
    """Count the dice of fights by who threw them, and test whether they go with fair dice.

    Every die counts once, also one that was thrown in what was taken back.
    """
    with ExitStack() as looking:
        histories = [
            looking.enter_context(looking_at(fight, whole=as_json)).history for fight in each(fights, "fights read")
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
    dice = collect_dice(histories)
    groups = summarise_dice(dice.dice, by)
    names = names_of(one for history in histories for one in history.recorded)
    plotted = [group for group in groups if every or group.expected >= BARS]
    if picture is not None:
        titled = [(title(group, names), group) for group in plotted or groups]
        drawn = svg(f"Dice of {fights[0] if len(fights) == 1 else f'{len(fights)} fights'}", titled)
        write_output(picture, drawn, force=force)
    if as_json:
        found = {"again": dice.again, "corrected": dice.corrected, "groups": groups}
        says = first_said(groups, names) if groups else NO_DIE
        say_json({"fights": fights, "dice": len(dice.dice), "says": says, **found})
        return
    screen = console()
    for line in _lines(dice, groups, plotted, names):
        screen.print(shown(line), soft_wrap=True)
    if picture is not None:
        screen.print()
        screen.print(shown(f"The picture is in {picture}."), soft_wrap=True)


def _lines(dice: ThrownDice, groups: Sequence[Summary], plotted: Sequence[Summary], names: Names) -> Iterator[str]:
    """Yield the whole answer to people."""
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


def first_said(groups: Sequence[Summary], names: Names) -> str:
    """Return in a sentence or two whether anything is unusual, by the p that allows for all the groups."""
    few = " Few dice were thrown: only a very uneven die could show." * all(one.expected < BARS for one in groups)
    strange = sorted((one for one in groups if one.adjusted < UNUSUAL), key=lambda one: one.adjusted)
    if not strange:
        which = f"the {len(groups)} groups of dice" if len(groups) > 1 else "these dice"
        return f"Nothing is unusual: {which} fell as fair dice often do.{few}"
    said = "; ".join(f"{title(one, names)} (adjusted p {chance(one.adjusted)})" for one in strange)
    return f"Look closer: fair dice rarely fall as these did: {said}. By chance alone it happens too.{few}"


def title(group: Summary, names: Names) -> str:
    """Return what a group of dice is called: ``Ilse, d20, engine``."""
    parts = [
        called(names, group.roller) if group.roller else "",
        names.label("dice", group.kind),
        f"d{group.sides}",
        group.source,
    ]
    if group.kind == f"d{group.sides}":
        del parts[1]
    return capital(", ".join(part for part in parts if part))


def table(groups: Sequence[Summary], names: Names) -> Iterator[str]:
    """Yield one line a group, under headings."""
    titles = [title(group, names) for group in groups]
    width = max(map(len, titles))
    yield f"{'':{width}}  dice   mean  fair    95 % interval       p  adjusted"
    for name, one in zip(titles, groups, strict=True):
        between = f"{one.low:.2f} – {one.high:.2f}"
        yield (
            f"{name:{width}}  {one.throws:>4}  {one.mean:>5.2f}  {one.fair_mean:>4}  {between:>14}"
            f"  {chance(one.fairness.p):>6}  {chance(one.adjusted):>8}"
        )


def meaning_of(dice: ThrownDice, groups: Sequence[Summary]) -> Iterator[str]:
    """Yield what the numbers mean and do not mean, and which dice were counted."""
    yield MEANING + (" " + MANY.format(many=len(groups)) if len(groups) > 1 else "")
    banded = any(group.fairness.test == "chi-square in bands" for group in groups)
    yield METHOD + (" Where an exact test would take too long, neighbouring faces are counted together." * banded)
    undone = sum(group.undone for group in groups)
    counted = [
        f"Of the dice, {undone} lie in what was taken back; they were thrown all the same." * bool(undone),
        f"Dice met again under the same name, and counted once: {dice.again}." * bool(dice.again),
        f"Entered dice that an amendment corrected, and not counted: {dice.corrected}." * bool(dice.corrected),
    ]
    if any(counted):
        yield " ".join(filter(None, counted))


def streaks_said(streaks: Sequence[Streak]) -> Iterator[str]:
    """Yield the longest runs and how often fair dice show any as long."""
    for one in streaks:
        if one.length > 1:
            what = f"{one.face}" if one.of == "same" else f"the {one.of} half"
            yield f"  longest run of {what}: {one.length}; as long or longer in {share(one.chance)} of fair runs"


def share(p: float) -> str:
    """Return a chance as a percentage."""
    return f"{100 * p:.0f} %" if 0.01 <= p <= 0.99 else "over 99 %" if p > 0.99 else "under 1 %"
