"""Words for ids, numbers and actions, shared by everything that tells people about a fight."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Raw

from affray.events import (
    KEPT,
    UNREADABLE,
    Event,
    Faces,
    Id,
    ItemAdded,
    Joined,
    Modifier,
    Recorded,
    RelationSet,
    Rolled,
)

Names = Mapping[Id, str]
"""What people call whatever has an id: combatants, items, groups."""

Sentence = Callable[[Any, Names], str]


class Sentences(dict[type[Event], Sentence]):
    """Per type of event the function that tells it."""

    def tells(self, type_: type[Event]) -> Callable[[Sentence], Sentence]:
        """Put the decorated function in."""

        def put(sentence: Sentence) -> Sentence:
            self[type_] = sentence
            return sentence

        return put


TITLES = frozenset(
    [
        "abbot",
        "baron",
        "boss",
        "captain",
        "chief",
        "commander",
        "count",
        "duke",
        "guard",
        "innkeeper",
        "king",
        "knight",
        "leader",
        "master",
        "mayor",
        "prince",
        "princess",
        "queen",
        "ringleader",
        "sergeant",
        "sheriff",
        "warden",
        "witch",
        "wizard",
    ]
)
"""What somebody is rather than is called: it takes an article, as in "attacks the Captain"."""

WORDS = {"brink": "at the brink", "hp": "HP"}
"""How a condition or the purpose of a roll is said where its own name does not read well."""

VERBS = {
    "begin": "begin the fight",
    "begin_turn": "take the turn",
    "break_free": "break free of",
    "break_grapple": "let go",
    "called_shot": "aim at",
    "calm": "calm the nerves of",
    "delay": "delay the turn",
    "douse": "put out the fire on",
    "end_turn": "end the turn",
    "enter_melee": "go into melee with",
    "fire": "fire at",
    "forfeit": "give up the fight",
    "grapple": "grapple with",
    "knock_prone": "try to knock down",
    "leave_melee": "leave the melee",
    "light_match": "light the match",
    "maneuver": "try something against",
    "mount_attack": "let the mount strike",
    "prone": "drop to the ground",
    "ready": "ready an action",
    "recover_ammo": "look for missiles",
    "reinsert": "take the delayed turn",
    "roll_initiative": "roll for initiative",
    "shoot": "shoot at",
    "skill": "use",
    "spend_inspiration": "spend inspiration",
    "spell": "cast",
    "stand": "stand up",
    "struggle": "struggle to get free",
    "stunt": "try a stunt on",
    "swap": "change to",
    "take_pack_item": "take out of the pack",
    "tick_minute": "let a minute pass",
    "withdraw": "withdraw fighting",
}
"""How an action is said whose kind is not a verb that can stand before its object."""

WHOLE = frozenset({"begin", "delay", "end_turn", "forfeit", "reinsert"})
"""Actions whose verb says everything; what else they name follows behind a colon."""

PARTS = {
    "skill": " {}",
    "target": " {}",
    "weapon": " {}",
    "item": " {}",
    "to": " to {}",
    "metres": " {} m",
    "pay": " (paid with {})",
    "what": ": {}",
}
"""How the common parameters of actions are said behind the verb."""

THROUGH = frozenset({"cast", "skill", "spell", "use"})
"""Actions whose verb takes the thing that is used, and only then whom it is used on."""

THINGS = ("skill", "spell", "item")
"""The parameters that name such a thing."""

SILENT = frozenset({"ep", "path", "difficult"})
"""Parameters that are told by what they cost or come to."""


def names_of(recorded: Iterable[Recorded]) -> dict[Id, str]:
    """Return the names of everybody and everything that was ever in a fight."""
    names: dict[Id, str] = {"gm": "the game master"}
    for one in recorded:
        _name(names, one.event)
    return names


def _name(names: dict[Id, str], event: Event) -> None:
    if isinstance(event, Joined):
        names[event.who] = f"the {event.name}" if event.name.lower() in TITLES else event.name
    elif isinstance(event, ItemAdded):
        names[event.item] = event.name
    elif isinstance(event, RelationSet) and event.kind == "group":
        names[event.relation] = f"the {event.relation}"


def called(names: Names, id: Id) -> str:
    """Return what people call somebody or something."""
    return names.get(id, id)


def capital(text: str) -> str:
    """Return a text with its first letter as at the beginning of a sentence."""
    return text[:1].upper() + text[1:]


def series(parts: Iterable[str], last: str = "and") -> str:
    """Join as in ``a, b and c``; nothing is ``nobody``."""
    *front, end = list(parts) or ["nobody"]
    return f"{', '.join(front)} {last} {end}" if front else end


def owns(name: str) -> str:
    """Return a name in the genitive."""
    return f"{name}'" if name.endswith("s") and name.startswith("the ") else f"{name}'s"


def signed(number: int) -> str:
    """Return a number with its sign, as it is written behind another."""
    return f"+{number}" if number >= 0 else f"−{-number}"


def plain(number: int) -> str:
    """Return a number with a real minus where it is below zero."""
    return str(number) if number >= 0 else f"−{-number}"


def change(before: object, after: object) -> str:
    """Return ``before → after``."""
    return f"{before} → {after}"


def said(name: str) -> str:
    """Return a name from the rules as people say it."""
    return WORDS.get(name, name.replace("_", " "))


def terms(modifiers: Iterable[Modifier], *, first: str = "") -> str:
    """Return what is added up, such as ``10 +2 accuracy +1 (1 ep)``; what adds nothing is left out."""
    parts = [first] if first else []
    for one in modifiers:
        if one.value:
            label = f"({one.label})" if one.label[:1].isdigit() else one.label
            parts.append(f"{signed(one.value) if parts else plain(one.value)} {label}")
    return " ".join(parts)


def dice_said(roll: Rolled) -> str:
    """Return what a roll showed and came to: ``10 +2 accuracy = 12 against 13``."""
    several = "+" if roll.reading == "sum" else ", "
    named = len({group.kind for group in roll.dice}) > 1
    shown = (", " if named else several).join(_faces(group, several, named=named) for group in roll.dice)
    if roll.reading != "sum":
        shown = f"{roll.reading} of {shown or 'no dice'}"
    if roll.pool:
        shown += f" ({terms(roll.pool)})"
    if roll.source == "entered":
        shown += " (entered)"
    text = terms(roll.modifiers, first=shown)
    if roll.modifiers or roll.reading != "sum" or sum(len(group.counted) for group in roll.dice) > 1:
        text += f" = {plain(roll.total)}"
    return text if roll.against is None else f"{text} against {roll.against}"


def _faces(group: Faces, several: str, *, named: bool) -> str:
    """Return what a group of dice shows; behind what it stands for where there are several kinds."""
    fates = group.fates or (KEPT,) * len(group.faces)
    shown = [str(face) if fate == KEPT else f"{face} ({fate})" for face, fate in zip(group.faces, fates, strict=True)]
    return f"{said(group.kind)} {' '.join(shown)}" if named else several.join(shown)


def _parameters(params: Raw) -> dict[str, Any]:
    """Return parameters by name; what somebody forged into anything else stands under no name."""
    try:
        values = msgspec.json.decode(params)
    except UNREADABLE:
        values = bytes(params).decode(errors="replace")
    return values if isinstance(values, dict) else {"": values}


def phrase(kind: str, params: Raw, names: Names, actor: Id = "") -> str:
    """Return what is done in the infinitive, such as ``attack the Captain``."""
    values = _parameters(params)
    path = values.get("path")
    if path and isinstance(path, list) and not values.get("to"):
        values["to"] = path[-1]
    verb = VERBS.get(kind, said(kind))
    if kind in THROUGH and values.get("target"):
        values["target"] = f"on {_value(values['target'], names, '')}"
    elif kind != "swap" and values.get("weapon"):
        values["weapon"] = f"with {_value(values['weapon'], names, actor)}"
    known = {} if kind in WHOLE else PARTS if kind not in THROUGH else {**dict.fromkeys(THINGS, " {}"), **PARTS}
    said_first = [how.format(_value(values.pop(name), names, actor)) for name, how in known.items() if values.get(name)]
    rest = [f"{said(name)} {_value(value, names, actor)}" for name, value in values.items() if name not in SILENT]
    return "".join((verb, *said_first)) + (f": {', '.join(rest)}" if rest else "")


def ruling_said(kind: str, params: Raw, names: Names) -> str:
    """Return a ruling much as it was typed: ``pool Ilse health by −2``."""
    values = _parameters(params)
    parts = [
        _value(value, names, "") if isinstance(value, str | list) else f"{said(name)} {_value(value, names, '')}"
        for name, value in values.items()
    ]
    return " ".join((said(kind), *parts))


def _value(value: object, names: Names, actor: Id) -> str:
    if isinstance(value, list) and not any(isinstance(one, list) for one in value):
        return series(_value(one, names, actor) for one in value)
    if isinstance(value, bool) or not isinstance(value, int | str):
        return msgspec.json.encode(value).decode()
    if isinstance(value, int):
        return plain(value)
    return names.get(f"{actor}.{value}") or called(names, value)


def third_person(text: str) -> str:
    """Turn ``attack the Captain`` into ``attacks the Captain``."""
    verb, space, rest = text.partition(" ")
    mark = verb[-1:] if verb.endswith((",", ":")) else ""
    verb = verb.removesuffix(mark)
    if verb.endswith("y") and verb[-2:-1] not in "aeou":
        verb = f"{verb[:-1]}ies"
    else:
        verb += "es" if verb.endswith(("s", "sh", "ch", "x", "z", "o")) else "s"
    return f"{verb}{mark}{space}{rest}"


def counted(counter: str, before: int, after: int) -> str:
    """Return how a counter of a thing moved; one that says how the thing is, such as ``loaded``, as a word."""
    if counter.endswith(("ed", "en")) and {before, after} == {0, 1}:
        return f"is {counter}" if after else f"is no longer {counter}"
    return f"has {counter} {change(before, after)}"


def borne(condition: str, count: int) -> str:
    """Return a condition with its count, such as ``bleeding 2``."""
    return said(condition) if count == 1 else f"{said(condition)} {count}"
