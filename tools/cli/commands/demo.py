"""The command ``demo``: a fight played and replayed, and sample fights to copy."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import click
from rich.console import Console

import affray
from affray.engine import Command, Fight, FileStore, begin_fight, digest
from affray.engine.analysis.policies import choose_sensibly
from affray.engine.errors import StoreFailed, Unusable
from affray.engine.history.past_states import state_after
from affray.engine.runtime.dice import NamedDice
from affray.tools.cli.exit_codes import REFUSED
from affray.tools.cli.printing import say
from affray.tools.cli.render_state import picture
from affray.tools.cli.terminal import console, join_pieces
from affray.tools.parse.encounter_file import read_encounter
from affray.tools.parse.values import count_of
from affray.tools.present.story.narration import tell_story
from affray.tools.present.story.story import ROUND, Line
from affray.tools.present.story.words import names_of

from .log import print_line
from .replay import read_back

PACKAGE = Path(affray.__file__).parent
"""Folder of the installed package, which holds the encounters and the recorded fights."""

ENCOUNTER = Path("encounters", "vestige", "bridge.toml")
RECORDED = Path("replays", "vestige", "nested-interrupts.jsonl")

COPIED = ("encounters/*/*.toml", "replays/*/closed-*.jsonl", f"{RECORDED.with_suffix('')}.*")
"""Patterns of the files that ``--copy`` copies: encounters, closed fights, and one fight of many answers."""

SEED = bytes([5]) * 32
"""A fixed seed, so that the demonstration is the same every time."""

FULLY = 1
"""Number of rounds told in full. Of later rounds only life and death are told."""

NEXT = {
    f"affray replay {RECORDED}": "each answers the one before, so the last is settled first",
    f"affray explain {RECORDED} 114": "why event 114 is what it is, with its dice and clauses",
    "affray audit replays/wwn/closed-cellar.jsonl": "nobody changed it, the dice were fair, the rules were followed",
    f"affray new {ENCOUNTER}": "opens the fight you have just seen, as bridge.jsonl",
    "affray play bridge.jsonl": "runs it yourself",
}
"""Commands to try in the folder that ``--copy`` made, with what each shows."""


@click.command()
@click.option(
    "--copy",
    "folder",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Instead, leave encounters and recorded fights in a new folder, to try things with.",
)
def demo(folder: Path | None) -> None:
    """Let the engine play an encounter, and replay its record to the same state.

    It leaves no file behind. With --copy it plays nothing, but copies the program's encounters and recorded fights to a
    new folder.
    """
    if folder is not None:
        _copy(folder)
        return
    with TemporaryDirectory() as place:
        same = play_and_replay(console(), Path(place))
    say()
    say("Try it yourself:", bold=True)
    _advise({"affray demo --copy affray-demo": "leaves encounters and recorded fights in a folder"})
    if not same:
        raise click.exceptions.Exit(REFUSED)


def play_and_replay(screen: Console, folder: Path) -> bool:
    """Play the encounter in a folder, replay it, and tell whether the states agree."""
    _, encounter = read_encounter(PACKAGE / ENCOUNTER)
    store, dice = FileStore(folder), NamedDice(SEED)  # derived from the seed alone, not from the opening
    fight = begin_fight("bridge", encounter, who="demo", seed=SEED, store=store, dice=dice)
    _title(screen, f"affray new {ENCOUNTER} -o bridge.jsonl", "")
    screen.print(picture(fight, fight.ruleset, waiting=False))
    _title(screen, "affray play bridge.jsonl", "both sides by policy; after round 1 only deaths and wounds")
    opening = fight.head
    play_out(fight)
    for line in tell_demo(fight, opening):
        print_line(screen, line)
    _title(screen, "affray replay bridge.jsonl", "no rule, no die: the record alone")
    recorded = read_back(str(folder / "bridge.jsonl"))
    replayed = digest(state_after(recorded, len(recorded)))
    live = digest(fight.state)
    screen.print(join_pieces(f"{count_of(len(recorded), 'event')}, hash chain verified to {recorded[-1].hash[:16]}…"))
    screen.print(join_pieces(f"played    {live}"))
    screen.print(join_pieces(f"replayed  {replayed}"))
    same = live == replayed
    verdict = ("the digests agree", "bold green") if same else ("THE DIGESTS DIFFER", "bold red")
    screen.print(join_pieces(verdict))
    return same


def play_out(fight: Fight) -> None:
    """Let the engine play both sides until the end."""
    dice = Random(1)
    nth = 0
    while (intent := choose_sensibly(fight, dice)) is not None:
        nth += 1
        fight.submit(Command(id=f"demo-{nth}", who="demo", intent=intent))


def tell_demo(fight: Fight, opening: int) -> Iterator[Line]:
    """Yield the story behind the opening. Of later rounds yield life and death only.

    Later rounds without such lines are left out.
    """
    known = fight.history.recorded
    rounds, heading = 0, None
    for line in tell_story(known[opening:], names_of(known), known[:opening]):
        begins = line.about == ("round",)
        rounds += begins
        if begins and rounds > FULLY:
            heading = line
        elif rounds <= FULLY or line.depth == ROUND or is_grave(line):
            if heading is not None and line.depth > ROUND:
                yield heading
            heading = None
            yield line


def is_grave(line: Line) -> bool:
    """Tell whether a line is about life and death.

    These are changes that damage caused, and the rolls to bear them.
    """
    kind, about = (*line.about, "", "")[:2]
    return kind == "changed" or (kind == "roll" and ":" in str(about))


def _copy(folder: Path) -> None:
    """Copy encounters and recorded fights to a new folder, and print what to try.

    Raises:
        Unusable: the parent folder does not exist.
        StoreFailed: a file or folder of that name exists already.
    """
    files = [file for pattern in COPIED for file in sorted(PACKAGE.glob(pattern))]
    try:
        folder.mkdir()
    except FileExistsError:
        raise StoreFailed(f"{folder} exists already; name a new folder") from None
    except FileNotFoundError:
        raise Unusable(f"there is no folder {folder.parent}", "--copy") from None
    for file in files:
        target = folder / file.relative_to(PACKAGE)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, target)
    encounters = sum(file.suffix == ".toml" for file in files)
    fights = sum(file.suffix == ".jsonl" for file in files)
    say(f"copied {count_of(encounters, 'encounter')} and {count_of(fights, 'recorded fight')} to {folder}")
    say()
    say("Try there:", bold=True)
    _advise({f"cd {folder}": "", **NEXT})


def _advise(lines: dict[str, str]) -> None:
    """Print commands, with what each shows below it."""
    for command, what in lines.items():
        say(f"  {command}")
        if what:
            console().print(join_pieces(f"      {what}", style="dim"), soft_wrap=True)


def _title(screen: Console, command: str, what: str) -> None:
    """Print a command as a heading."""
    screen.print()
    screen.print(join_pieces((f"$ {command}", "bold"), f"   {what}" if what else ""), soft_wrap=True)
