"""Words for what people do and what the game master rules: verbs, and the parameters behind them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec import Raw

from affray.events import UNREADABLE, Id, Scalar

from .words import Names, called, plain, said, series

VERBS = {
    "begin": "begin the fight",
    "begin_turn": "take the turn",
    "bolt": "run away in fear",
    "break_free": "break free of",
    "break_grapple": "let go",
    "called_shot": "aim at",
    "calm": "calm the nerves of",
    "control_mount": "control the mount",
    "delay": "delay the turn",
    "douse": "put out the fire on",
    "end_turn": "end the turn",
    "enter_melee": "go into melee with",
    "fire": "fire at",
    "forfeit": "give up the fight",
    "free_attack": "make a free attack on",
    "grapple": "grapple with",
    "improvise": "improvise against",
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
    "spell": "cast",
    "spend_inspiration": "spend inspiration",
    "stand": "stand up",
    "struggle": "struggle to get free",
    "stunt": "try a stunt on",
    "surprise_check": "test for surprise",
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
    "patient": " {}",
    "weapon": " {}",
    "item": " {}",
    "to": " to {}",
    "metres": " {} m",
    "feet": " {} feet",
    "off": " and {}",
    "mode": " ({})",
    "ability": " by {}",
    "pay": " (paid with {})",
    "what": ": {}",
}
"""How the common parameters of actions are said behind the verb."""

THROUGH = frozenset({"cast", "skill", "spell", "use"})
"""Actions whose verb takes the thing that is used, and only then whom it is used on."""

THINGS = ("skill", "spell", "item")
"""The parameters that name such a thing."""

SILENT = frozenset({"difficult", "ep", "grapple", "path"})
"""Parameters that are told by what they cost or come to."""

ALONE = frozenset(
    [
        "aim",
        "attacker",
        "cause",
        "condition",
        "effect",
        "item",
        "outcome",
        "piece",
        "purpose",
        "text",
        "what",
        "who",
        "why",
    ]
)
"""Parameters whose value says what it is without their name."""

_WITHOUT = re.compile(" (of|on|against)$")
"""What is left out at the end of a verb where nobody is named behind it."""


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
    if not (values.get("target") or values.get("patient")):
        verb = _WITHOUT.sub("", verb)
    if kind in THROUGH and values.get("target"):
        values["target"] = f"on {_value(values['target'], names, '')}"
    elif kind != "swap" and values.get("weapon"):
        values["weapon"] = f"with {_value(values['weapon'], names, actor)}"
    known = {} if kind in WHOLE else PARTS if kind not in THROUGH else {**dict.fromkeys(THINGS, " {}"), **PARTS}
    first = [name for name in known if values.get(name) and values[name] is not True]
    said_first = [known[name].format(_value(values.pop(name), names, actor)) for name in first]
    rest = [_named(name, value, names, actor) for name, value in values.items() if name not in SILENT]
    return "".join((verb, *said_first)) + (f": {', '.join(rest)}" if rest else "")


def ruling_said(kind: str, params: Raw, names: Names) -> str:
    """Return a ruling: as a sentence where it has one, else much as it was typed: ``pool Ilse health by −2``."""
    values = _parameters(params)
    if kind in RULED:
        return RULED[kind](values, names)
    parts = [
        _value(value, names, "") if isinstance(value, str | list) else _named(name, value, names)
        for name, value in values.items()
    ]
    return " ".join((said(kind), *parts))


def _joining(values: Mapping[str, Any], names: Names) -> str:
    spec = values.get("combatant")
    if not isinstance(spec, dict) or not {"name", "side"} <= set(spec):
        return f"join {_value(spec, names, '')}"
    several = f"{spec['count']} × " if isinstance(spec.get("count"), int) and spec["count"] > 1 else ""
    return f"{several}{spec['name']} {'join' if several else 'joins'} the {spec['side']}"


RULED: dict[str, Callable[[Mapping[str, Any], Names], str]] = {"join": _joining}
"""The rulings that are said as a sentence: those whose parameters are more than words and numbers."""


def fields_said(fields: Mapping[str, Scalar], names: Names, by: Id = "") -> str:
    """Return what was filled in with an answer: ``Bandit, shaken, rounds 1``."""
    return ", ".join(_named(name, value, names, by) for name, value in fields.items() if value not in (None, ""))


def _named(name: str, value: object, names: Names, actor: Id = "") -> str:
    """Return a parameter with its name, where it does not say enough without; what is yes or no as its name alone."""
    topic, _, whom = name.partition(":")
    title = f"{said(topic)} of {called(names, whom)}" if whom else called(names, name)
    title = title if whom or name in names else said(name)
    if isinstance(value, bool):
        return title if value else f"not {title}"
    shown = _value(value, names, actor)
    return shown if name in ALONE or isinstance(value, dict) else f"{title} {shown}"


def _value(value: object, names: Names, actor: Id) -> str:
    if isinstance(value, list) and not any(isinstance(one, list) for one in value):
        return series(_value(one, names, actor) for one in value)
    if isinstance(value, dict):
        return ", ".join(_named(name, one, names, actor) for name, one in value.items() if one not in _UNSAID)
    if isinstance(value, int) and not isinstance(value, bool):
        return plain(value)
    if not isinstance(value, str):
        return msgspec.json.encode(value).decode()
    return names.get(f"{actor}.{value}") or names.get(value) or said(value)


_UNSAID: tuple[object, ...] = (None, "", 0, [], {})
"""What is left out of a parameter that has parts: whatever stands as it does by itself."""
