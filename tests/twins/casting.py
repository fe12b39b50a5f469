"""Pairs of encounters that differ in nothing but a secret."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import Any, NamedTuple

from affray.engine.core.ids import id_of
from tests.engine.encounters import load_shipped_encounters

Content = dict[str, Any]

HIDDEN, ELSE = "Lurker", "Shadow"
"""Who is hidden, and how they are called in the other twin where it is the name that differs."""

ALONE = ("count", "mount", "rides", "player", "group", "in_hand", "dual_wields", "current")
"""What of an entry is not copied for somebody hidden."""

SOMETIMES = ("group", "mount")
"""What of that is copied nevertheless for some of them."""

DELAYED = "delayed"
"""The secret that somebody hidden delays in the other twin, where the rules let it."""

NEAR = 3
"""How far from somebody whom everybody sees those who are hidden stand at most, in cells."""

FAR = 30
"""How much farther they stand in some twins, where nothing is in their reach."""

MORE: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "hexblade": ({"hp": 400}, {"hp": 403}),
    "verdigris": ({"hp": 60}, {"hp": 61}),
    "vestige": ({"health": 400}, {"health": 403}),
    "wwn": ({"hp": 400}, {"hp": 403}),
    "wyrd": ({"fatigue": 1}, {"fatigue": 0}),
}
"""A counter in each twin: of somebody hidden, and where it is veiled of somebody whom everybody sees."""


MORE_OF_FOES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {"wyrd": ({"fatigue": 2}, {"fatigue": 1})}
"""A counter of a foe in each twin, where it is another one: neither is unhurt."""


FRAIL = {"hexblade": "hp", "vestige": "health", "wwn": "hp"}
"""The counter of those who die at a blow in some pairs, so that many an answer is worth it."""


KEEN: dict[str, dict[str, Any]] = {"vestige": {"accuracy": 9, "might": 9}, "wwn": {"attack": 20}}
"""What lets somebody hidden strike hard, where one twin has them in reach and the other has not."""


class Pair(NamedTuple):
    """Two encounters that differ in a secret.

    Attributes:
        secret: What differs.
        name: Of the encounter that they are made from.
        one, other: Their contents.
    """

    secret: str
    name: str
    one: Content
    other: Content


def iterate_pairs(system: str, chance: Random) -> Iterator[Pair]:
    """Yield pairs of a system's encounters without end; not all of them can be opened."""
    files = {name: told for name, told in load_shipped_encounters().items() if name.startswith(f"{system}/")}
    while True:
        name = chance.choice(sorted(files))
        secret = chance.choice(sorted(SECRETS))
        told = deepcopy(files[name])
        if system in FRAIL and chance.random() < 0.5:
            told["combatant"] = [
                one | ({FRAIL[system]: 2} if FRAIL[system] in one else {}) for one in told["combatant"]
            ]
        one, other = told, deepcopy(told)
        if SECRETS[secret](one, other, chance):
            yield Pair(secret, name, one, other)


def _absent(one: Content, other: Content, chance: Random) -> bool:
    """A hidden combatant has another one beside it, or not."""
    state = chance.getstate()
    found = _lurk(one, chance, ELSE)
    chance.setstate(state)
    return found and _lurk(other, chance, ELSE) and _lurk(one, chance, HIDDEN)


def _elsewhere(one: Content, other: Content, chance: Random) -> bool:
    """A hidden combatant is at one place or another."""
    entry, after = chance.choice(one["combatant"]), chance.random()
    farther = chance.choice((0, FAR))
    near = 1 if farther else NEAR
    here = _lurk(one, Random(after), HIDDEN, entry, near=near)
    there = _lurk(other, Random(after if farther else after + 1), HIDDEN, entry, farther, near)
    for content in (one, other) if farther and here and there else ():
        next(one for one in content["combatant"] if one["name"] == HIDDEN).update(KEEN.get(content["system"], {}))
    return here and there and one != other


def _sheet(one: Content, other: Content, chance: Random) -> bool:
    """A hidden combatant has another name and more endurance."""
    state = chance.getstate()
    if not _lurk(one, chance, HIDDEN):
        return False
    chance.setstate(state)
    _lurk(other, chance, ELSE)
    for content, more in zip((one, other), MORE[one["system"]], strict=True):
        next(entry for entry in content["combatant"] if entry["name"] in (HIDDEN, ELSE)).update(more)
    return True


def cast_hidden_bearer(one: Content, other: Content, chance: Random) -> bool:
    """A combatant has more veiled endurance; another one is hidden."""
    nth = chance.randrange(len(one["combatant"]))
    entry = one["combatant"][nth]
    if "rides" in entry or ("block" not in entry and one["system"] == "verdigris"):
        return False
    state = chance.getstate()
    for content, more in zip((one, other), MORE[one["system"]], strict=True):
        content["combatant"][nth].update(more, veiled=[*more])
        chance.setstate(state)
        if not _lurk(content, chance, HIDDEN):
            return False
    return True


def _cast_foe(show: str) -> Callable[[Content, Content, Random], bool]:
    """Return the secret that a foe has more endurance, in fights that are set to show foes so."""

    def cast(one: Content, other: Content, chance: Random) -> bool:
        """A foe has more endurance than its twin; another combatant is hidden."""
        entries = one["combatant"]
        played = {entry["side"] for entry in entries if entry.get("player") or entry.get("pc")} or {entries[0]["side"]}
        foes = [nth for nth, entry in enumerate(entries) if entry["side"] not in played and "rides" not in entry]
        if one["system"] == "verdigris":
            foes = [nth for nth in foes if "block" in entries[nth]]
        nth, state = chance.choice(foes), chance.getstate()
        for content, more in zip((one, other), MORE_OF_FOES.get(one["system"], MORE[one["system"]]), strict=True):
            content["foes"] = show
            content["combatant"][nth].update(more)
            chance.setstate(state)
            if not _lurk(content, chance, HIDDEN):
                return False
        return True

    return cast


def cast_said(one: Content, other: Content, chance: Random) -> bool:
    """Only the game master's words and secret dice differ."""
    state = chance.getstate()
    found = _lurk(one, chance, HIDDEN)
    chance.setstate(state)
    return found and _lurk(other, chance, HIDDEN)


SECRETS: dict[str, Callable[[Content, Content, Random], bool]] = {
    "absent": _absent,
    DELAYED: cast_said,
    "elsewhere": _elsewhere,
    "hidden foe": _cast_foe("hidden"),
    "rough foe": _cast_foe("rough"),
    "said": cast_said,
    "sheet": _sheet,
    "veiled": cast_hidden_bearer,
}


def _lurk(
    content: Content, chance: Random, name: str, entry: Content | None = None, farther: int = 0, near: int = NEAR
) -> bool:
    """Add a hidden combatant to an encounter, like one of its own; tell whether that was possible.

    Args:
        farther, near: How many cells away from somebody's place they stand, and how far from there at most.
    """
    people = content["combatant"]
    like = deepcopy(entry or chance.choice(people))
    if "rides" in like or any(one.get("rides") == id_of(like["name"]) for one in people):
        return False
    alone = {*ALONE} - {key for key in SOMETIMES if chance.random() < 0.5}
    new = {key: value for key, value in like.items() if key not in alone} | {"name": name, "concealed": True}
    if chance.random() < 0.3:
        new["side"] = chance.choice(people)["side"]
    places = _places(content)
    if "at" in like:
        new["at"] = _beside(chance.choice(places), chance, farther, near) if places else like["at"]
    if content.get("distance"):
        ids = [id_of(one["name"]) for one in people if one.get("count", 1) == 1]
        content["distance"] += [{"between": [one, id_of(name)], "metres": chance.randint(1, 6)} for one in ids]
    at = chance.randrange(len(people) + 1)
    people.insert(at if "block" in new else len(people), new)  # heroes roll and act in the order of the file
    return True


def _places(content: Content) -> list[str]:
    found = [one["at"] for one in content["combatant"] if "at" in one]
    return [place for at in found for place in ([at] if isinstance(at, str) else at)]


def _beside(place: str, chance: Random, farther: int, near: int) -> str:
    if "," not in place:
        return place
    return ",".join(str(int(one) + farther + chance.randint(-near, near)) for one in place.split(","))
