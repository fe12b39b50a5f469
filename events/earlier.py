"""The texts of formats up to 5 that are structs since: parsing and writing.

No other module parses such a text. They are written for the digests of fights that were opened in such a format.
"""

from collections.abc import Iterable

from .consequences import Feature

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
