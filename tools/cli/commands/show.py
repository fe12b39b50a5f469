"""The commands ``show``, ``apart`` and ``legal``, which look at a fight."""

import click
from msgspec.structs import asdict

from affray.engine.core.state import digest
from affray.engine.history.past_states import state_after
from affray.tools.api.distances import list_distances
from affray.tools.api.legal_actions import everything
from affray.tools.api.store_url import looking_at
from affray.tools.cli.completion import values
from affray.tools.cli.options import fight_argument, json_option
from affray.tools.cli.play.steps import list_next, tell_next
from affray.tools.cli.printing import say, say_json
from affray.tools.cli.render_distances import lines_apart
from affray.tools.cli.render_state import picture
from affray.tools.cli.terminal import console
from affray.tools.parse.typed_names import find_combatant
from affray.tools.present.awaited import find_awaited
from affray.tools.present.clock_ahead import ahead_of_clock
from affray.tools.present.typed_choices import list_choices
from affray.tools.present.waiting_text import waiting_line


@click.command()
@fight_argument
@click.option("--at", type=int, metavar="N", help="As it was at position N.")
@json_option
def show(said: str, at: int | None, as_json: bool) -> None:
    """Show a fight: turn order, combatants, board, and what the fight waits for."""
    with looking_at(said, whole=as_json) as fight:
        state = fight.state if at is None else state_after(fight.history.recorded, at)
        if as_json:
            moment = {"at": at or fight.head, "digest": digest(state), "waiting": find_awaited(state)}
            reply = {"fight": said, **moment, "state": state}
            say_json(reply)
        else:
            console().print(picture(state, fight.ruleset))
            if fight.history.closed and at is None:
                say(waiting_line(fight))
            if ahead := ahead_of_clock(fight.history):
                say(ahead)


@click.command()
@fight_argument
@click.argument("words", nargs=-1, required=True, metavar="WHO", shell_complete=values.people)
@json_option
def apart(said: str, words: tuple[str, ...], as_json: bool) -> None:
    """Show how far a combatant is from all others, nearest first."""
    with looking_at(said, whole=as_json) as fight:
        who = find_combatant(fight, " ".join(words))
        if as_json:
            say_json({"fight": said, "who": who, "apart": list_distances(fight, fight.ruleset, who)})
            return
        for line in lines_apart(fight, who):
            say(line)


@click.command()
@fight_argument
@click.argument("words", nargs=-1, metavar="[WHO [ACTION [PARAMETER …]]]", shell_complete=values.declared)
@click.option(
    "--all", "whole", is_flag=True, help="List everything that may be done, each declaration as one types it."
)
@json_option
def legal(said: str, words: tuple[str, ...], whole: bool, as_json: bool) -> None:
    """List who may do what, or how an action may go on, and why the rest is refused."""
    if whole and words:
        raise click.UsageError("--all lists everything; leave WHO and ACTION out")
    with looking_at(said, whole=as_json) as fight:
        if as_json:
            found = {"head": fight.head, "legal": [*everything(fight)]} if whole else asdict(list_next(fight, words))
            say_json({"fight": said, **found})
            return
        if not words:
            say(waiting_line(fight))
        for line in tell_next(fight, words) if not whole else () if fight.history.closed else list_choices(fight):
            say(f"  {line}")
