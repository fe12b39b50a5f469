"""The demo of ``make demo``: open a fight, play and tell it, and replay its record to the same state."""

import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from rich.console import Console

from affray.engine import Command, Fight, FileStore, begin_fight, digest
from affray.engine.analysis.policies import sensible

from .encounters import read_encounter
from .log import print_line
from .picture import picture
from .printing import complain
from .replay import read_back
from .screen import console, shown
from .show import state_after
from .story.story import ROUND, Line
from .story.telling import story
from .story.words import names_of

ENCOUNTER = Path("encounters", "vestige", "bridge.toml")
SEED = bytes([2]) * 32
"""Not secret here, so that the demonstration is the same every time."""

FULLY = 1
"""How many rounds are told line by line; of the later ones only life and death, to be short."""


def main() -> int:
    """Play the encounter, replay the record, and return 0 if both come to the same state."""
    file = Path(__file__).resolve().parents[1] / ENCOUNTER
    if not file.is_file():
        complain(f"the demonstration needs a checkout: there is no {ENCOUNTER}")
        return 2
    screen = console()
    with TemporaryDirectory() as folder:
        return 0 if played_and_replayed(screen, file, Path(folder)) else 1


def played_and_replayed(screen: Console, file: Path, folder: Path) -> bool:
    """Play an encounter out in a folder; tell whether the replay of its record came to the same state."""
    _, encounter = read_encounter(file)
    fight = begin_fight("bridge", encounter, who="demo", seed=SEED, store=FileStore(folder))
    _title(screen, f"affray new {ENCOUNTER} -o bridge.jsonl", "")
    screen.print(picture(fight, fight.ruleset, waiting=False))
    _title(screen, "affray play bridge.jsonl", "both sides by themselves; after round 1 only life and death")
    opening = fight.head
    play_out(fight)
    tell(screen, fight, opening)
    _title(screen, "affray replay bridge.jsonl", "no rule, no die: the record alone")
    recorded = read_back(str(folder / "bridge.jsonl"))
    replayed = digest(state_after(recorded, len(recorded)))
    live = digest(fight.state)
    screen.print(shown(f"{len(recorded)} events, hash chain verified to {recorded[-1].hash[:16]}…"))
    screen.print(shown(f"played    {live}"))
    screen.print(shown(f"replayed  {replayed}"))
    same = live == replayed
    verdict = ("the digests agree", "bold green") if same else ("THE DIGESTS DIFFER", "bold red")
    screen.print(shown(verdict))
    return same


def play_out(fight: Fight) -> None:
    """Let both sides fight sensibly until the end."""
    dice = Random(1)
    nth = 0
    while (intent := sensible(fight, dice)) is not None:
        nth += 1
        fight.submit(Command(id=f"demo-{nth}", who="demo", intent=intent))


def tell(screen: Console, fight: Fight, opening: int) -> None:
    """Tell everything behind the opening; of the later rounds only life and death."""
    known = fight.history.recorded
    rounds = 0
    for line in story(known[opening:], names_of(known), known[:opening]):
        rounds += line.about == ("round",)
        if rounds <= FULLY or line.depth == ROUND or grave(line):
            print_line(screen, line)


def grave(line: Line) -> bool:
    """Tell whether a line of a story is about life and death: what damage did to somebody, and how they bore it."""
    kind, about = (*line.about, "", "")[:2]
    return kind == "changed" or (kind == "roll" and ":" in str(about))


def _title(screen: Console, command: str, what: str) -> None:
    screen.print()
    screen.print(shown((f"$ {command}", "bold"), f"   {what}" if what else ""), soft_wrap=True)


if __name__ == "__main__":
    sys.exit(main())
