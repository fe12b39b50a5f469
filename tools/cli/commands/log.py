"""The command ``log``, which tells a fight in sentences."""

import click
from rich.console import Console

from affray.engine.analysis.ledger import collect_chances, tally_chances
from affray.engine.errors import Unusable
from affray.engine.fight import Fight
from affray.engine.history.timeline import History
from affray.events import ABOUT_THE_RECORD, Amended, Previewed, Recorded, Restored, Rewound
from affray.tools.api.store_url import looking_at
from affray.tools.cli.options import fight_argument, json_option
from affray.tools.cli.printing import say_json
from affray.tools.cli.progress import bar
from affray.tools.cli.terminal import console, join_pieces
from affray.tools.present.clock_ahead import ahead_of_clock
from affray.tools.present.ledger import list_ledger, somebody, tally_table
from affray.tools.present.story.narration import detail, tell_story
from affray.tools.present.story.story import ACT, ROUND, Line
from affray.tools.present.story.words import capital, name_of, names_of
from affray.tools.present.waiting_text import waiting_line

KEEPING = ABOUT_THE_RECORD - {Amended, Previewed, Restored, Rewound}
"""Events about the record that are told although they are no part of the fight."""

STYLES = {ROUND: "bold cyan", ACT: ""}
"""Styles of the depths of a story on a terminal. Turns are bold."""


@click.command()
@fight_argument
@click.option("--verbose", is_flag=True, help="Each event on a line, with its position and clauses.")
@click.option("--undone", is_flag=True, help="Also tell what was undone, struck through.")
@click.option("--chances", is_flag=True, help="Every offer and question, with the reply.")
@click.option("--who", default="", metavar="COMBATANT", help="With --chances: only those of this combatant.")
@json_option
def log(said: str, verbose: bool, undone: bool, chances: bool, who: str, as_json: bool) -> None:
    """Tell a fight in sentences, by rounds and turns."""
    if verbose and chances:
        raise Unusable("goes without --chances", "--verbose")
    if who and not chances:
        raise Unusable("goes with --chances only", "--who")
    with looking_at(said, whole=as_json) as fight:
        if chances:
            _chances(fight, said, somebody(fight, who) if who else "", undone=undone, as_json=as_json)
        else:
            _log(fight, said, verbose=verbose, undone=undone, as_json=as_json)


def _log(fight: Fight, said: str, *, verbose: bool, undone: bool, as_json: bool) -> None:
    """Print the story of a fight, or its events one by one."""
    recorded = [one for one in fight.history.recorded if undone or _counts(fight.history, one)]
    if as_json:
        told = _for_machines(fight, recorded, verbose=verbose)
        say_json({"fight": said, "head": fight.head, "told": told})
        return
    screen = console()
    if verbose:
        names = names_of(fight.history.recorded)
        for one in recorded:
            _print(screen, detail(one, names), "", undone=_taken_back(fight.history, one.position))
    else:
        with bar(fight.head, "events told", printing=True) as shows:
            for line in tell_story(recorded, names_of(fight.history.recorded)):
                print_line(screen, line, undone=_taken_back(fight.history, line.positions[0]))
                shows(line.positions[0], "")
    screen.print(join_pieces(waiting_line(fight), style="bold yellow"))
    if ahead := ahead_of_clock(fight.history):
        screen.print(join_pieces(ahead), soft_wrap=True)


def _chances(fight: Fight, said: str, who: str, *, undone: bool, as_json: bool) -> None:
    """Print the ledger of offers and questions, and the tally of replies."""
    found = [chance for chance in collect_chances(fight.history, undone=undone) if who in ("", *chance.to)]
    counts = {one: fates for one, fates in tally_chances(found).items() if who in ("", one)}
    if as_json:
        told = {"fight": said, "head": fight.head, "who": who, "chances": found, "tallies": counts}
        say_json(told)
        return
    screen, names = console(), names_of(fight.history.recorded)
    for entry in list_ledger(fight.history, found, names, who):
        _print(screen, entry.text, "" if entry.text.startswith(" ") else STYLES[ROUND], undone=entry.undone)
    if who and who not in counts:
        name = name_of(names, who)
        screen.print(f"{capital(name)} was asked 0 times: the log has no window and no question for {name}.")
    elif not counts:
        screen.print("There were no offers and no questions.")
    else:
        for line in ("", *tally_table(counts, names)):
            screen.print(join_pieces(line), soft_wrap=True)


def print_line(screen: Console, line: Line, *, undone: bool = False) -> None:
    """Print a line of a story, on a terminal in colour."""
    _print(screen, str(line), STYLES.get(line.depth, "bold"), undone=undone)


def _print(screen: Console, text: str, style: str, *, undone: bool) -> None:
    """Print a text; mark it if it was undone."""
    if undone and screen.is_terminal:
        style = "strike dim"
    elif undone:
        told = text.lstrip()
        text = f"{text[: -len(told)]}undone: {told}"
    screen.print(join_pieces(text, style=style), soft_wrap=True)


def _counts(history: History, one: Recorded) -> bool:
    """Tell whether an event counts, or is about the record itself."""
    return history.is_effective(one.position) or type(one.event) in KEEPING


def _taken_back(history: History, position: int) -> bool:
    """Tell whether an event was undone. Events about the record never are."""
    return not history.is_effective(position) and type(history.at(position).event) not in ABOUT_THE_RECORD


def _for_machines(fight: Fight, recorded: list[Recorded], *, verbose: bool) -> list[dict[str, object]]:
    """Build the JSON form of a story, or of the events."""
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
        for line in tell_story(recorded, names)
    ]
