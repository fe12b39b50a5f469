"""A fight for each waiting phase, reached by typed commands."""

from __future__ import annotations

from collections.abc import Callable

from affray.engine import Fight, begin_fight
from affray.tools.parse.intent_parser import intent
from tests.engine.conftest import two
from tests.engine.fights import SEED, noon, submit_accepted

HITTING = bytes([1]) * 32
"""A seed under which Ilse's blow hits."""


def submit_lines(fight: Fight, *lines: str) -> Fight:
    """Let people say something, line by line."""
    for line in lines:
        submit_accepted(fight, intent(fight, line))
    return fight


def open_ilse_and_brand() -> Fight:
    """Open a fight of Ilse, who is first, and Brand, with swords; Nell is apart on Brand's side."""
    duel = two()
    ilse, brand = duel["combatant"]
    people = [{**ilse, "weapons": ["sword", "bow"]}, brand, {**brand, "name": "Nell"}]
    return begin_fight("moment", {**duel, "combatant": people}, who="gm", seed=HITTING, clock=noon)


def on_a_board() -> Fight:
    """Put a pair of raiders, who act together, and a hero on a board."""
    raiders = {"name": "Raider", "side": "a", "block": "minion", "count": 2, "group": True, "at": ["0,0", "0,1"]}
    hero = {"name": "Ilse", "side": "b", "block": "hero", "at": "1,1"}
    told = {"system": "vestige", "board": {}, "combatant": [raiders, hero]}
    return begin_fight("moment", told, who="gm", seed=SEED, clock=noon)


def in_turn() -> Fight:
    """Ilse is up and at the brink, having done nothing yet; Brand holds a token."""
    fight = submit_lines(open_ilse_and_brand(), "begin", "rule reorder brand;ilse;nell")
    while fight.state.round < 2 or fight.state.up != "brand":
        submit_lines(fight, f"{fight.state.acting[0]} end_turn")
    return submit_lines(fight, "brand ready", "pass brand", "rule pool ilse health to=0")


def at_the_window() -> Fight:
    """Ilse has declared an attack; Brand may answer."""
    return submit_lines(in_turn(), "ilse attack brand")


def in_the_gap() -> Fight:
    """Ilse's turn has ended; Brand may answer before the next one."""
    return submit_lines(in_turn(), "ilse end_turn")


def in_the_lull() -> Fight:
    """Ilse has delayed; Brand may answer before the next turn."""
    return submit_lines(in_turn(), "ilse delay")


def at_reinsertion() -> Fight:
    """Ilse has delayed, Nell's turn has ended, and Brand, who could answer it, has passed."""
    return submit_lines(in_the_lull(), "pass brand", "rule pool brand health to=0", "nell end_turn", "pass brand")


def in_the_free_round() -> Fight:
    """Ilse surprises the others, though she is at the brink."""
    return submit_lines(open_ilse_and_brand(), "rule pool ilse health to=0", "begin surprising=a")


def at_initiative() -> Fight:
    """The first die for the order is a real one and has not been thrown."""
    return submit_lines(open_ilse_and_brand(), "rule dice * entered", "begin")


def at_the_brink() -> Fight:
    """Brand was felled and is asked whether he gives up."""
    return submit_lines(at_the_window(), "rule sheet brand agility to=1", "rule pool brand health to=1", "pass brand")


def leaving_melee() -> Fight:
    """Ilse means to walk away; Brand is asked whether he strikes."""
    return submit_lines(in_turn(), "ilse move metres=3", "pass brand")


def on_the_way() -> Fight:
    """Ilse has walked away; the game master is asked for all distances."""
    return submit_lines(leaving_melee(), "answer decline")


def rolling() -> Fight:
    """Ilse's attack is under way; its die is a real one and has not been thrown."""
    return submit_lines(in_turn(), "rule dice ilse entered", "ilse attack brand", "pass brand")


def over() -> Fight:
    """The game master has ended it."""
    return submit_lines(in_turn(), "rule end")


MOMENTS: dict[str, Callable[[], Fight]] = {
    "setup": open_ilse_and_brand,
    "surprise": in_the_free_round,
    "initiative": at_initiative,
    "turn": in_turn,
    "window": at_the_window,
    "melee_exit": leaving_melee,
    "arrival": on_the_way,
    "brink": at_the_brink,
    "resolution": rolling,
    "gap": in_the_gap,
    "lull": in_the_lull,
    "reinsertion": at_reinsertion,
    "fight_over": over,
}
"""Per phase in which a fight can wait, how to get there."""
