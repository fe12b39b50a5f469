"""The combatants of a generated fight: a shipped encounter or a drawn one, with fewer combatants."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any, NamedTuple

from affray.engine import Unusable, load
from affray.engine.analysis.policies import choose_random_legal
from affray.engine.fight import Fight
from affray.engine.opening import begin_fight
from tests.engine.drawing import ids_of
from tests.engine.fights import NAME, noon, salt
from tests.engine.memory import MemoryStore
from tests.fuzz_commands.driving import encounters_of, setting
from tests.fuzz_commands.wild import list_fields

from .drawn import MANY, drawn

PEOPLE = (*[2] * 26, *[3] * 6, 4, 4, 5, 8)
"""How many people meet; few most often, for their fights are short, and there is time for more of them."""

UNSEEN = 0.04
"""How likely each of them is hidden."""

ENTERED = 0.03
"""How likely all dice are entered, since there is no seed."""


UNABLE = 0.1
"""How likely a fight is kept that nobody can begin, since one side is mounts alone."""


class Begun(NamedTuple):
    """A fight at its beginning, where it is kept, and the seed of its dice."""

    fight: Fight
    store: MemoryStore
    seed: bytes | None


def begin_generated(system: str, dice: Random) -> Begun:
    """Open a fight of a system; draw again for an invalid encounter, and usually for an unplayable one."""
    while True:
        seed = None if dice.random() < ENTERED else dice.randbytes(32)
        store = MemoryStore()
        try:
            fight = begin_fight(
                NAME, draw_encounter(system, dice), who="gm", seed=seed, store=store, clock=noon, salts=salt
            )
        except Unusable:
            continue
        if choose_random_legal(fight, dice) is not None or dice.random() < UNABLE:
            return Begun(fight, store, seed)


def draw_encounter(system: str, dice: Random) -> dict[str, Any]:
    """Draw who meets, where, and by which settings."""
    at_hand = encounters_of(system)
    chosen = dice.choice(at_hand) if dice.random() < 0.5 else drawn(system, dice.randrange(MANY))
    fewer = smaller(chosen, dice.choice(PEOPLE), dice)
    people = [{**one, "concealed": True} if dice.random() < UNSEEN else one for one in fewer["combatant"]]
    return {**fewer, "combatant": people, "config": {**chosen.get("config", {}), **settings(system, dice)}}


def settings(system: str, dice: Random) -> dict[str, Any]:
    """Draw other values for some keys of the configuration; for none in every second fight."""
    keys = keys_of(system)
    some = dice.sample(keys, min(len(keys), dice.choice((0, 0, 0, 1, 2, 4))))
    return {name: setting(type_, dice) for name, type_ in some}


@cache
def keys_of(system: str) -> list[tuple[str, Any]]:
    """Return the keys of a system's configuration with what each may be."""
    return [(field.encode_name, field.type) for field in list_fields(load(system).config)]


def smaller(whole: dict[str, Any], most: int, dice: Random) -> dict[str, Any]:
    """Return an encounter with so many people at most, yet one on each of two sides; what names others goes too."""
    entries = list(whole["combatant"])
    before = {id for one in entries for id in ids_of(one)}
    dice.shuffle(entries)
    kept = [next(one for one in entries if one["side"] == side) for side in sides_of(entries)[:2]]
    kept += [one for one in entries if one not in kept]
    room, counts = most, dict[str, int]()
    for nth, one in enumerate(kept):
        least = 1 if nth < 2 else 0
        counts[one["name"]] = taken = max(least, min(one.get("count", 1), room - (1 if nth == 0 else 0)))
        room -= taken
    people = [fewer(one, counts[one["name"]]) for one in whole["combatant"] if counts[one["name"]]]
    gone = before - {id for one in people for id in ids_of(one)}
    rest = {key: named_still(value, gone) for key, value in whole.items() if key != "combatant"}
    return {**rest, "combatant": [detach_entry(one, gone) for one in people]}


def sides_of(entries: list[dict[str, Any]]) -> list[str]:
    """Return the sides in the order of their first combatants."""
    return list(dict.fromkeys(one["side"] for one in entries))


def fewer(one: dict[str, Any], count: int) -> dict[str, Any]:
    """Return an entry for so many people; of places that are listed for each, the first ones."""
    if one.get("count", 1) == count:
        return one
    places = one.get("at")
    listed = {"at": places[:count] if count > 1 else places[0]} if isinstance(places, list) else {}
    return {**one, **listed, "count": count}


def detach_entry(one: dict[str, Any], gone: set[str]) -> dict[str, Any]:
    """Return an entry without references to removed combatants; a block of the same name is none."""
    return {
        key: value for key, value in one.items() if key == "block" or not isinstance(value, str) or value not in gone
    }


def named_still(value: Any, gone: set[str]) -> Any:
    """Return a key's content without the tables that name a removed combatant."""
    if not isinstance(value, list):
        return value
    return [one for one in value if not isinstance(one, dict) or gone.isdisjoint(iterate_table_words(one))]


def iterate_table_words(table: dict[str, Any]) -> Iterator[str]:
    """Yield the words of a table, and of the lists in it."""
    for value in table.values():
        yield from value if isinstance(value, list | tuple) else [value]
