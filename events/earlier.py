"""The texts of formats up to 5 that are structs since: parsing and writing.

No other module parses such a text. They are written for the digests of fights that were opened in such a format.
"""

import re
from collections.abc import Iterable, Mapping

from msgspec import json

from .consequences import Feature, SideTrait
from .refs import TraitName
from .rolls import AnySource, Source
from .root import MarkPart

STRUCTURED = 6
"""The first format that holds features as structs."""

_FEATURES = frozenset(
    {"adds", "attribute", "damage_skill", "gives", "list", "needs", "shoots", "skill", "taught", "throws_in_melee"}
    | {"uses"}
)
"""The kinds of features, each the prefix before a colon in a trait."""

_BONUS = ("value", "skill", "modes", "tags", "label")
"""The parts of a bonus, after its target, as they were joined by ``|``."""


def split_traits(traits: Iterable[str]) -> tuple[tuple[str, ...], tuple[Feature, ...]]:
    """Split the traits of a thing, as earlier formats held them, into words and features."""
    words, features = [], []
    for trait in traits:
        kind, colon, of = trait.partition(":")
        if colon and kind in _FEATURES:
            features.append(_read_bonus(of) if kind == "adds" else Feature(kind=kind, of=of))
        else:
            words.append(trait)
    return tuple(words), tuple(features)


_OF_SHEETS = frozenset({"background", "class", "tenacious"})
"""The kinds of features of combatants, each the prefix before a colon in a trait."""


def read_trait(trait: TraitName | Feature) -> TraitName | Feature:
    """Return a trait of a combatant, as earlier formats held it, as a word or a feature."""
    if isinstance(trait, Feature):
        return trait
    kind, colon, of = trait.partition(":")
    return Feature(kind=kind, of=of) if colon and kind in _OF_SHEETS else trait


def write_trait(trait: TraitName | Feature) -> str:
    """Return a trait of a combatant as earlier formats held it."""
    return write_feature(trait) if isinstance(trait, Feature) else trait


def split_sides(traits: Iterable[str]) -> tuple[tuple[str, ...], tuple[SideTrait, ...]]:
    """Split the traits of a hex, as earlier formats held them, into its own and those of its sides."""
    found = [(trait, *trait.rpartition(":")) for trait in traits]
    words = tuple([trait for trait, _, _, side in found if not side.isdecimal()])
    return words, tuple([SideTrait(side=int(side), trait=name) for _, name, _, side in found if side.isdecimal()])


def write_side(one: SideTrait) -> str:
    """Return a trait of a side as a trait of earlier formats."""
    return f"{one.trait}:{one.side}"


def write_feature(feature: Feature) -> str:
    """Return a feature as a trait of earlier formats."""
    written = f"{feature.kind}:{feature.of}"
    if feature.kind != "adds":
        return written
    parts = {"value": 0, **dict.fromkeys(_BONUS[1:], ""), **feature.parts}
    return "|".join((written, *(",".join(one) if isinstance(one, tuple) else str(one) for one in parts.values())))


def _read_list(text: str) -> tuple[str, ...]:
    return tuple(text.split(",")) if text else ()


def _read_bonus(text: str) -> Feature:
    of, *rest = text.split("|", len(_BONUS))
    if len(rest) < len(_BONUS):
        return Feature(kind="adds", of=text)
    value, skill, modes, tags, label = rest
    parts: dict[str, bool | int | str | tuple[str, ...]]
    parts = {"value": int(value), "skill": skill, "modes": _read_list(modes), "tags": _read_list(tags), "label": label}
    return Feature(kind="adds", of=of, parts={name: part for name, part in parts.items() if part})


_ABOUT = {"distances": "distance", "divide": "stress"}
"""The questions with a field for each combatant, and the field that had the combatant's id as its name."""


def split_field(topic: str, name: str) -> tuple[str, str]:
    """Return the combatant or side that a field of an answer was about, and the field's name.

    Args:
        topic: The topic of the question.
        name: Its name in an earlier format: an id alone, or behind a word and a colon.
    """
    if topic not in _ABOUT or name == "rest":
        return "", name
    word, colon, who = name.partition(":")
    return (who, word) if colon else (name, _ABOUT[topic])


def write_field(about: str, name: str) -> str:
    """Return the name that a field had in earlier formats."""
    if not about:
        return name
    return about if name in _ABOUT.values() else f"{name}:{about}"


_LISTS = frozenset({"beaten", "failed", "next_turn", "seekers", "stray"})
"""The marks that list combatants, joined by ``;``."""

_PEOPLE = frozenset({"consequence", "setback", "wear"})
"""The kinds of prompts that name combatants, joined by ``>``."""

_PROMPTS = _PEOPLE | {"outcome", "paradox"}
"""The kinds of prompts that cite a clause behind ``|``; another one, of morale, is words."""

_LINES = frozenset({"gear", "own_armor", "own_focus", "own_skill", "own_weapon", "spell", "weapon"})
"""The marks that hold a line of an encounter file's tables, as JSON in a text; it is about the line's key."""

_GRANTED = "modifier"
"""The mark of a modifier that a game master added; it is about its label, and from the second on a number."""

_NTH = re.compile(r"#\d+$")

_Value = bool | int | str | tuple[str, ...] | None
_Parts = dict[str, MarkPart]


def upcast_mark(key: str, value: _Value) -> tuple[str, str, _Value, _Parts]:
    """Return a mark as it is held since: its key, what it is about, its value, and the fields of its struct.

    Args:
        key, value: As earlier formats held it.
    """
    name, _, about = key.partition("/")
    if name == "prompt":
        kind, _, cause = about.partition(":")
        return f"{kind} prompt", cause, *_read_prompt(kind, value)
    if about and name in _LINES:
        return name, about, *_read_table_line(value)
    if name == _GRANTED and type(value) is int:
        return name, about, None, {"value": value, "label": _NTH.sub("", about)}
    return name, about, *(_read_text(key, value) if isinstance(value, str) else (value, {}))


def _read_text(key: str, value: str) -> tuple[_Value, _Parts]:
    if key in _LISTS:
        return tuple([one for one in value.split(";") if one]), {}
    if key == "blow":
        return tuple(value.split("+")), {}
    first, slash, who = value.partition("/")
    if key == "turn" and slash and first.isdecimal():
        return None, {"round": int(first), "who": who}
    return value, {}


def _read_prompt(kind: str, value: _Value) -> tuple[_Value, _Parts]:
    if kind not in _PROMPTS or not isinstance(value, str):
        return value, {}
    what, _, rule = value.rpartition("|")
    about: _Parts = {"who": tuple(what.split(">"))} if kind in _PEOPLE else {"what": what}
    return None, {**about, "rule": rule}


def _read_table_line(value: _Value) -> tuple[_Value, _Parts]:
    """Return the fields of a line of a table; keep a text that no rules wrote."""
    try:
        parts = json.decode(value, type=_Parts) if isinstance(value, str) else {}
    except ValueError:
        return value, {}
    return (None, parts) if json.encode(parts).decode() == value else (value, {})


def write_mark(key: str, about: str, held: object) -> tuple[str, object]:
    """Return a mark with its value, or with the fields of its struct, as earlier formats held it."""
    name, kind = key, key.removesuffix(" prompt")
    key = f"prompt/{kind}:{about}" if kind != name else f"{name}/{about}" if about else name
    if isinstance(held, tuple):
        return key, ("+" if key == "blow" else ";").join(held)
    if not isinstance(held, Mapping):
        return key, held
    if key == "turn":
        return key, f"{held.get('round')}/{held.get('who')}"
    if name == _GRANTED:
        return key, held.get("value")
    if kind == name:
        return key, json.encode(held).decode()
    return key, f"{'>'.join(held['who']) if 'who' in held else held.get('what', '')}|{held.get('rule', '')}"


def split_clock(clock: str) -> tuple[str, str, str]:
    """Split the id of a clock, as earlier formats held it, into its owner, its kind, and what it is about."""
    *owner, kind = clock.split("/")
    return owner[0] if owner else "", kind, "/".join(owner[1:])


def write_clock(owner: str, clock: str, about: str) -> str:
    """Return the id of a clock as earlier formats held it."""
    return "/".join([one for one in (owner, about, clock) if one])


def read_source(source: AnySource) -> AnySource:
    """Return the source of a number, as earlier formats held it, as an id or a struct."""
    if not isinstance(source, str):
        return source
    of, found, about = source.partition(f"/{_GRANTED}/")
    if found:
        return Source(of=of, name=_GRANTED, about=about)
    of, found, name = source.partition("/")
    if found:
        return Source(of=of, name=name)
    of, found, to = source.partition("|" if "|" in source else ">")
    return Source(of=of, to=to) if found else source


def write_source(source: AnySource) -> str:
    """Return the source of a number as earlier formats held it."""
    if isinstance(source, str):
        return source
    if source.to:
        return f"{source.of}{'|' if ',' in source.of else '>'}{source.to}"
    return "/".join([one for one in (source.of, source.name, source.about) if one])
