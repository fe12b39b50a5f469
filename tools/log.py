"""The command ``log``: the fight told in sentences."""

from __future__ import annotations

import click
import msgspec
from rich.console import Console
from rich.text import Text

from affray.engine.fight import Fight
from affray.engine.history import History
from affray.events import Recorded

from .options import fight_argument, json_option
from .picture import console, waiting_line
from .places import open_said
from .story.story import ACT, ROUND, Line
from .story.telling import detail, story
from .story.words import names_of

STYLES = {ROUND: "bold cyan", ACT: ""}
"""How the depths of a story look on a terminal; turns are bold."""


@click.command()
@fight_argument
@click.option("--verbose", is_flag=True, help="Every event by itself, with its position and clauses.")
@click.option("--undone", is_flag=True, help="Tell what was taken back too, struck through.")
@json_option
def log(said: str, verbose: bool, undone: bool, as_json: bool) -> None:
    """Tell a fight in sentences, by rounds and turns."""
    fight = open_said(said)
    recorded = fight.history.recorded if undone else list(fight.history.effective())
    if as_json:
        told = _for_machines(fight, recorded, verbose=verbose)
        click.echo(msgspec.json.encode({"fight": said, "head": fight.head, "told": told}))
        return
    screen = console()
    if verbose:
        names = names_of(fight.history.recorded)
        for one in recorded:
            _print(screen, detail(one, names), "", undone=_taken_back(fight.history, one.position))
    else:
        for line in story(recorded, names_of(fight.history.recorded)):
            print_line(screen, line, undone=_taken_back(fight.history, line.positions[0]))
    screen.print(Text(waiting_line(fight), style="bold yellow"))


def print_line(screen: Console, line: Line, *, undone: bool = False) -> None:
    """Print a line of a story, with colour where there is a terminal."""
    _print(screen, str(line), STYLES.get(line.depth, "bold"), undone=undone)


def _print(screen: Console, text: str, style: str, *, undone: bool) -> None:
    if undone and screen.is_terminal:
        style = "strike dim"
    elif undone:
        told = text.lstrip()
        text = f"{text[: -len(told)]}undone: {told}"
    screen.print(Text(text, style=style), soft_wrap=True)


def _taken_back(history: History, position: int) -> bool:
    """Tell whether an event no longer counts; taking back and bringing again are no part of the fight itself."""
    kind = type(history.at(position).event).__name__
    return not history.is_effective(position) and kind not in ("Rewound", "Restored")


def _for_machines(fight: Fight, recorded: list[Recorded], *, verbose: bool) -> list[dict[str, object]]:
    names = names_of(fight.history.recorded)
    if verbose:
        return [
            {"position": one.position, "text": detail(one, names), "undone": _taken_back(fight.history, one.position)}
            for one in recorded
        ]
    return [
        {
            "position": line.positions[0],
            "to": line.positions[1],
            "depth": line.depth,
            "text": str(line).strip(),
            "undone": _taken_back(fight.history, line.positions[0]),
        }
        for line in story(recorded, names)
    ]


__all__ = ["log", "print_line"]
