"""The command ``fork``, which begins a fight as a copy of another fight's record."""

import click

from affray.engine.forking import ForkRequest
from affray.engine.forking import fork_fight as forked_from
from affray.engine.runtime.dice import draw_seed
from affray.events import Forked, LogError
from affray.tools.api.dice_choice import name_dice_of_fork
from affray.tools.api.store_url import place_of, resolve_new_place
from affray.tools.cli.options import fight_argument, json_option, reason_option, who_option
from affray.tools.cli.printing import say, say_json
from affray.tools.parse.faults import Faulty, fault_of
from affray.tools.present.awaited import awaited_in
from affray.tools.present.waiting_text import waiting_line


@click.command()
@fight_argument
@click.option("-o", "target", metavar="FIGHT", required=True, help="Where to keep it.")
@click.option("--at", type=int, metavar="N", help="Leave the fight at this position, the end of a command.")
@reason_option
@who_option
@json_option
def fork(said: str, target: str, at: int | None, reason: str, who: str, as_json: bool) -> None:
    """Begin a what-if from any point of a fight; both fights go on independently.

    The fork gets a seed of its own, so that it does not reveal the original fight's future dice. Only the fork of a
    closed fight, whose seed is public, meets the same dice.
    """
    parent, place = place_of(said), resolve_new_place(target)
    wanted = ForkRequest(parent=parent.name, name=place.name, at=at, who=who, reason=reason)
    try:
        fight = forked_from(wanted, parent.store, place.store, fresh=draw_seed())
    except LogError as error:
        raise Faulty(fault_of(error, parent.said)) from None
    event = fight.history.recorded[-1].event
    assert isinstance(event, Forked)
    whose = name_dice_of_fork(event, fight.history)
    if as_json:
        reply = {"fight": place.said, "parent": parent.said, "position": event.position, "dice": whose}
        reply |= {"head": fight.head, "hash": fight.history.head_hash, "waiting": awaited_in(fight)}
        say_json(reply)
        return
    say(f"forked {place.said} from {parent.said} at position {event.position}")
    say(DICE[whose])
    say(waiting_line(fight))


DICE = {
    "entered": "all dice are entered, as there",
    "parent": "the seed of the fight it leaves is public: the same declarations meet the same dice",
    "own": "it has another dice seed, so the same declarations meet other dice",
}
"""Sentence for each kind of dice that a fork can have."""
