"""The command ``replay``, which plays a recorded fight from its record alone."""

import sys
from collections.abc import Iterable, Sequence
from itertools import groupby

import click
from rich.console import Console

from affray.engine.core.loading import load
from affray.engine.core.state import State, digest
from affray.engine.errors import Unusable
from affray.engine.history.log import read_log
from affray.engine.history.log_validation import follow_valid_part, must_be_possible
from affray.engine.history.past_states import state_after
from affray.engine.history.timeline import History
from affray.events import ABOUT_THE_RECORD, LogError, Recorded
from affray.events.vocabulary import split_before
from affray.tools.api.store_url import place_of, said_of
from affray.tools.cli.options import fight_argument, json_option
from affray.tools.cli.printing import say_json
from affray.tools.cli.progress import bar
from affray.tools.cli.render_state import picture
from affray.tools.cli.terminal import console, join_pieces
from affray.tools.parse.faults import Faulty, fault_of
from affray.tools.parse.values import count_of
from affray.tools.present.awaited import find_awaited
from affray.tools.present.story.narration import tell_story
from affray.tools.present.story.story import ROUND
from affray.tools.present.story.words import names_of

from .log import print_line


@click.command()
@fight_argument
@click.option("--to", type=int, metavar="N", help="Only up to position N.")
@click.option("--undone", is_flag=True, help="Also tell what was undone, struck through.")
@click.option("--step", is_flag=True, help="Wait for Enter at each command.")
@click.option("--unverified", is_flag=True, help="Do not check the hash chain.")
@json_option
def replay(said: str, to: int | None, undone: bool, step: bool, unverified: bool, as_json: bool) -> None:
    """Play a recorded fight again, and end with its state and digest.

    No rule decides and no die is thrown: the recorded events are folded.
    """
    whole = read_back(said, verified=not unverified, to=to)
    with said_of(said):
        (recorded, state), fault = follow_valid_part(whole, _fold_record)
        if fault is not None and as_json:
            raise fault
        if as_json:
            reply = {"fight": said, "verified": not unverified, "chain": recorded[-1].hash, **summary(recorded, state)}
            say_json(reply)
            return
        screen = console()
        happen(screen, recorded, step=step, undone=undone)
        screen.print()
        conclude(screen, recorded, state, verified=not unverified)
        if fault is not None:
            raise fault


def _fold_record(recorded: Sequence[Recorded]) -> tuple[Sequence[Recorded], State]:
    """Fold a record to its state, and check that the record is possible."""
    must_be_possible(recorded)
    return recorded, state_after(recorded, len(recorded))


def read_back(said: str, *, verified: bool = True, to: int | None = None) -> list[Recorded]:
    """Read a recorded fight up to a position.

    Raises:
        Faulty: the log is damaged, altered or of an unknown format; names file and line.
        Unusable: the fight or the position does not exist.
    """
    place = place_of(said)
    try:
        recorded = read_log(place.store.read(place.name), verified=verified)
    except LogError as error:
        raise Faulty(fault_of(error, place.said)) from None
    if to is not None and not 1 <= to <= len(recorded):
        raise Unusable(f"must be from 1 to {len(recorded)}", "to")
    return recorded[:to]


def commands(recorded: Iterable[Recorded]) -> list[list[Recorded]]:
    """Return the events of each command."""
    return [list(command) for _, command in groupby(recorded, lambda one: one.cause)]


def happen(screen: Console, recorded: Sequence[Recorded], *, step: bool = False, undone: bool = False) -> None:
    """Print the story turn by turn; in steps, wait for Enter between commands.

    Args:
        undone: Whether to print undone events too, struck through, in recorded order.
    """
    history = History(recorded)
    names = names_of(recorded)
    told = recorded if undone else list(history.effective())
    parts = commands(told) if step else list(split_before(told, lambda one: type(one.event) in ABOUT_THE_RECORD))
    with bar(len(recorded), "events told", printing=True) as shows:
        for part in parts:
            for line in tell_story(part, names, recorded[: part[0].position - 1]):
                if line.depth == ROUND and line.positions[0] > 1:
                    screen.print()
                at = line.positions[0]
                struck = not history.is_effective(at) and type(history.at(at).event) not in ABOUT_THE_RECORD
                print_line(screen, line, undone=struck)
                shows(at, "")
            if step and part is not parts[-1]:
                sys.stdin.readline()


def conclude(screen: Console, recorded: Sequence[Recorded], state: State, *, verified: bool) -> None:
    """Print the final state, the number of events, the chain and the digest."""
    screen.print(picture(state, load(state.system)))
    screen.print()
    screen.print(
        join_pieces(f"replayed   {count_of(len(commands(recorded)), 'command')}, {count_of(len(recorded), 'event')}")
    )
    screen.print(
        join_pieces(f"chain      {f'verified to {recorded[-1].hash}' if verified else 'not verified'}"), soft_wrap=True
    )
    screen.print(join_pieces(f"digest     {digest(state)}"), soft_wrap=True)


def summary(recorded: Sequence[Recorded], state: State) -> dict[str, object]:
    """Build the JSON form of the final state and its digest."""
    return {
        "commands": len(commands(recorded)),
        "events": len(recorded),
        "digest": digest(state),
        "waiting": find_awaited(state),
        "state": state,
    }
