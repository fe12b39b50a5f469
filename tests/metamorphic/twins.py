"""The same fight under other names, on a turned map, or with a former member: the events are the same.

``python -m tests.metamorphic.twins CHANGE SYSTEM [FIRST LAST]`` plays fights and prints the first difference of each.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from affray.engine import Command, Fight, begin_fight
from affray.engine.commands import Intent
from affray.engine.core.ids import id_of, suffix
from affray.engine.errors import Refused, Unusable
from affray.engine.runtime.dice import Faces, NamedDice
from affray.events import INPUTS, Dice, Event, Id
from tests.engine.choices import Choices
from tests.engine.encounters import load_shipped_encounters
from tests.engine.fights import NAME, SEED, noon
from tests.engine.moves import act
from tests.engine.ruled import make_ruling

Words = Callable[[str], str]
"""Turns a word, or a text, of one fight into that of its twin, or back."""


class Change(NamedTuple):
    """The difference of a twin.

    Attributes:
        encounter: What its encounter file says instead.
        there: What is asked of it instead, word by word.
        back: What its events would say in the first fight, text by text.
    """

    encounter: Callable[[dict[str, Any]], dict[str, Any]]
    there: Words
    back: Words


def map_texts(value: Any, words: Words) -> Any:
    """Return plain data with every text in it turned, keys too."""
    if isinstance(value, str):
        return words(value)
    if isinstance(value, dict):
        return {words(key): map_texts(one, words) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [map_texts(one, words) for one in value]
    return value


# --- other names ---

MARK = "zq"
"""Begins every new name. It keeps their order, and no other word has it in it."""


NEWCOMERS = ("New", "new")
"""How those are called who join by a ruling: the name, and the id that it gives."""


def renamed(encounter: dict[str, Any]) -> Change | None:
    """Give each combatant another name, in the same alphabetical order."""
    if _ambiguous(encounter):
        return None
    names = {one["name"] for one in encounter["combatant"]}
    known = names | {id_of(name) for name in names}
    known |= {f"{id_of(name)}-{suffix(nth)}" for name in names for nth in range(26)}
    among = "|".join(sorted(map(re.escape, {*map(id_of, names), *NEWCOMERS}), key=len, reverse=True))
    sides = {one["side"] for one in encounter["combatant"]}
    groups = "" if any(f"{id_of(name)}s" in sides for name in names) else "s?"
    token = re.compile(rf"(?:(?<![\w-])|(?<=\bseat-))(?=({among})(-[a-z]+)*{groups}(?![\w-]))")

    def file(told: dict[str, Any]) -> dict[str, Any]:
        return {key: _marked(value, known) if key != "config" else value for key, value in told.items()}

    def there(word: str) -> str:
        return token.sub(MARK, word)

    return Change(file, there, lambda text: re.sub(MARK, "", text, flags=re.IGNORECASE))


def _ambiguous(encounter: dict[str, Any]) -> bool:
    """Tell whether a side has a group's name, or a thing its owner's, which would be ambiguous."""
    names = {id_of(one["name"]) for one in encounter["combatant"]}
    sides = {one["side"] for one in encounter["combatant"]}
    things = {thing for one in encounter["combatant"] for thing in one.get("weapons", ()) if isinstance(thing, str)}
    return (any(f"{name}s" in sides for name in names) and encounter["system"] == "vestige") or bool(things & names)


THINGS = ("block", "weapons")
"""What may be called as somebody is, and is no name of theirs."""


def _marked(value: Any, ids: set[str]) -> Any:
    if isinstance(value, str):
        return (MARK.capitalize() if value[:1].isupper() else MARK) + value if value in ids else value
    if isinstance(value, dict):
        return {key: one if key in THINGS else _marked(one, ids) for key, one in value.items()}
    return [_marked(one, ids) for one in value] if isinstance(value, list) else value


def other_sides(encounter: dict[str, Any]) -> Change | None:
    """Give each side another name, in another alphabetical order; Verdigris has fixed names for its two."""
    if encounter["system"] == "verdigris" or _ambiguous(encounter):
        return None
    sides = sorted({one["side"] for one in encounter["combatant"]})
    other = {side: f"{MARK}{chr(122 - nth)}" for nth, side in enumerate(sides)}
    names = {new: old for old, new in other.items()}
    token = re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, sides))})(?![\w-])")

    def file(told: dict[str, Any]) -> dict[str, Any]:
        people = [{**one, "side": other[one["side"]]} for one in told["combatant"]]
        return {**told, "combatant": people}

    return Change(
        file,
        lambda word: token.sub(lambda found: other[found[0]], word),
        lambda text: re.sub(rf"{MARK}[a-z]", lambda found: names[found[0]], text),
    )


# --- other places ---

CELL = re.compile(r"(?<![\w,.-])(-?\d+),(-?\d+)(?![\w,.])")
CORNERS = {"n": "w", "w": "n", "e": "s", "s": "e", "ne": "sw", "sw": "ne"}
"""The ways of a square map, in the mirror."""

EDGES = {"q", "r"}
NAMED = {*EDGES, "side"}
"""What of a board of hexes has numbers that are no coordinates."""


def mirrored(encounter: dict[str, Any]) -> Change | None:
    """Mirror the map in its diagonal; on hexes too that is a mirror.

    Who falls from a mount lands on the first free square in an order that is no rule's, so where somebody rides the
    map is shifted instead.
    """
    if any("rides" in one or "mount" in one for one in encounter["combatant"]):
        return shifted(encounter)
    if set(encounter.get("board", {})) & NAMED:
        return None
    words = _over(r"\2,\1", CORNERS)
    return Change(lambda told: map_texts(told, words), words, words)


def shifted(encounter: dict[str, Any]) -> Change | None:
    """Put the map elsewhere, if it has no edges."""
    if set(encounter.get("board", {})) & EDGES:
        return None
    there = _over(lambda at: f"{int(at[1]) + 7},{int(at[2]) - 4}", {})
    back = _over(lambda at: f"{int(at[1]) - 7},{int(at[2]) + 4}", {})
    return Change(lambda told: map_texts(told, there), there, back)


def turned(encounter: dict[str, Any]) -> Change | None:
    """Turn a map of hexes by a sixth, if it has no edges."""
    if encounter["system"] != "hexblade" or set(encounter.get("board", {})) & NAMED:
        return None
    there = _over(lambda at: f"{-int(at[2])},{int(at[1]) + int(at[2])}", {})
    back = _over(lambda at: f"{int(at[1]) + int(at[2])},{-int(at[1])}", {})
    return Change(lambda told: map_texts(told, there), there, back)


def _over(cell: str | Callable[[re.Match[str]], str], ways: dict[str, str]) -> Words:
    return lambda text: ways.get(text) or CELL.sub(cell, text)


# --- the twins ---


class Turned:
    """The dice of the first fight, for its twin."""

    def __init__(self, back: Words) -> None:
        self.dice = NamedDice(SEED)
        self.back = back

    def faces(self, roll: Id, dice: tuple[Dice, ...]) -> Faces:
        return self.dice.faces(self.back(roll), tuple(replace(one, item=self.back(one.item)) for one in dice))


def differences(
    change: Callable[[dict[str, Any]], Change | None], told: dict[str, Any], seed: int, most: int
) -> Iterator[str]:
    """Play a fight and its twin; yield the first difference, if any."""
    turn = change(told)
    if turn is None:
        return
    one = begin_fight(NAME, told, who="gm", seed=None, clock=noon, dice=NamedDice(SEED))
    other = begin_fight(NAME, turn.encounter(told), who="gm", seed=None, clock=noon, dice=Turned(turn.back))
    ours, theirs = describe_events(one, 0), _back(describe_events(other, 0), turn)
    if ours != theirs:
        yield f"the opening: {parting(ours, theirs)}"
        return
    dice = Random(f"twins/{seed}")
    for nth in range(most):
        choices = Choices(dice.randbytes(8))
        intent: Intent | None = make_ruling(one, choices) if dice.random() < 0.1 else act(one, choices)
        if not isinstance(intent, INPUTS):
            return
        came, theirs = ask_and_record(one, intent, nth), ask_and_record(other, _there(intent, turn.there), nth)
        if change in (mirrored, turned) and any(roll in line for roll in DIRECTED for line in came):
            return
        theirs = _back(theirs, turn)
        if came != theirs:
            yield f"command {nth}, {json(intent)[:300]}: {parting(came, theirs)}"
            return


def _back(said: list[str], turn: Change) -> list[str]:
    """Return what the twin says as the first fight would say it."""
    return [json(map_texts(msgspec.json.decode(one), turn.back)) if one[:1] == "{" else one for one in said]


def json(value: object) -> str:
    """Return plain data or an event in one line."""
    return msgspec.json.encode(value).decode()


def _there(intent: Event, there: Words) -> Event:
    plain = msgspec.json.decode(msgspec.json.encode(intent))
    meant = map_texts(plain, there)
    if "params" in plain and "combatant" in plain["params"]:
        who = plain["params"]["combatant"]
        meant["params"]["combatant"] |= {key: who[key] for key in THINGS if key in who}
    kept = {key: plain[key] for key in ("type", "kind", "reason") if key in plain}
    return msgspec.json.decode(msgspec.json.encode({**meant, **kept}), type=type(intent))


def ask_and_record(fight: Fight, intent: Event, nth: int) -> list[str]:
    """Ask a fight for something; return what is recorded of it, or how it is refused."""
    head = fight.head
    try:
        fight.submit(Command(id=f"c{nth}", who="gm", intent=intent))
    except Refused as no:
        return [f"{no.code} {no.rule}"]
    except Unusable as no:
        return [f"unusable {no.field}"]
    return describe_events(fight, head)


def describe_events(fight: Fight, after: int) -> list[str]:
    """Return the events behind a position, in one line each."""
    return [json(one.event) for one in fight.history.recorded[after:]]


def parting(ours: list[str], theirs: list[str]) -> str:
    """Return where two lists part."""
    nth = next((n for n, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), min(len(ours), len(theirs)))
    return f"\n  one    {ours[nth : nth + 1]}\n  other  {theirs[nth : nth + 1]}"


DIRECTED = ('"purpose":"drop"', '"purpose":"whom"')
"""Dice whose faces are directions of the map, or count them: another map makes something else of the same face."""

CHANGES = {"renamed": renamed, "sides": other_sides, "mirrored": mirrored, "shifted": shifted, "turned": turned}


def main(change: str, system: str, first: str = "0", last: str = "5") -> None:
    """Play fights of all encounters of a system, and print what differs."""
    for name, told in sorted(load_shipped_encounters().items()):
        if name.startswith(f"{system}/"):
            for seed in range(int(first), int(last)):
                for found in differences(CHANGES[change], told, seed, 80):
                    print(f"{name}, {seed}: {found}")
    print("done")


if __name__ == "__main__":
    main(*sys.argv[1:])
