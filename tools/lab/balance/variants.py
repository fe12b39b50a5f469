"""Variants of an encounter: other numbers of foes, other configuration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from itertools import cycle, islice, product
from typing import Any, NamedTuple

from affray.engine.core.coordinates import CELLS
from affray.engine.core.ids import id_of
from affray.engine.core.ruleset import Ruleset
from affray.engine.errors import Unusable
from affray.tools.encounters.placing import around, places_of, places_taken
from affray.tools.parse.faults import known_instead

MOST = 200
"""The most variants of one run."""


class Varied(NamedTuple):
    """A field that is varied: its path as typed, its place, and its values."""

    path: str
    entry: int | None
    key: str
    values: tuple[Any, ...]


class Variant(NamedTuple):
    """An encounter with other values: its changes and its content."""

    changed: tuple[tuple[str, Any], ...]
    content: dict[str, Any]


def variants(content: Mapping[str, Any], ruleset: Ruleset, varied: Sequence[Varied]) -> list[Variant]:
    """Return the variants for all combinations of the values.

    Raises:
        Unusable: there are too many, or a field is varied twice.
    """
    places = [(one.entry, one.key) for one in varied]
    for nth, one in enumerate(varied):
        if places[nth] in places[:nth]:
            raise Unusable(f"{one.path} is varied twice; join its values by commas", "--vary")
    many = 1
    for one in varied:
        many *= len(one.values)
    if many > MOST:
        raise Unusable(f"these are too many variants; at most {MOST} are tried in one go", "--vary")
    return [_with_values(content, ruleset, varied, values) for values in product(*(one.values for one in varied))]


def read_vary(said: str, content: Mapping[str, Any], config: Mapping[str, Any]) -> Varied:
    """Parse ``WHO.FIELD=VALUES`` or ``config.KEY=VALUES``.

    WHO is the name or id of an entry, or a side with only one entry that has the field. VALUES are ``1..8``, or several
    joined by commas.

    Args:
        config: All configuration keys with their values.

    Raises:
        Unusable: the text has another form, or the entry or key does not exist.
    """
    path, equals, values = said.partition("=")
    who, dot, key = path.strip().partition(".")
    if not (equals and dot and key and values.strip()):
        raise Unusable(f"say WHO.FIELD=VALUES, such as bandits.count=1..8, or config.KEY=VALUES, not {said}", "--vary")
    if who == "config":
        if key not in config:
            raise Unusable(f"there is no such key{known_instead(key, config)}", f"--vary config.{key}")
        return Varied(path, None, key, _values(values))
    return Varied(path, _entry(who, key, content), key, _values(values))


def _values(said: str) -> tuple[Any, ...]:
    """Parse values: a range of whole numbers, or words and numbers joined by commas."""
    low, dots, high = said.strip().partition("..")
    if dots:
        try:
            found = range(int(low), int(high) + 1)
        except ValueError:
            found = range(0)
        if not found:
            raise Unusable(f"a range is written 1..8, the smaller number first, not {said}", "--vary")
        return tuple(found[: MOST + 1])  # one more than allowed, so that it is refused later
    return tuple(dict.fromkeys([_value(one.strip()) for one in said.split(",")]))


def _value(word: str) -> Any:
    """Parse one value: a boolean, a whole number, or a word."""
    if word in ("true", "false"):
        return word == "true"
    return int(word) if word.removeprefix("-").isdecimal() else word


def _entry(who: str, key: str, content: Mapping[str, Any]) -> int:
    """Find the entry that is meant; return its index."""
    entries = content.get("combatant", [])
    named = [nth for nth, one in enumerate(entries) if who.casefold() in (one["name"].casefold(), id_of(one["name"]))]
    of_side = [nth for nth, one in enumerate(entries) if one["side"].casefold() == who.casefold()]
    having = [nth for nth in of_side if key in entries[nth]]
    if len(named) == 1:
        return named[0]
    if len(having) == 1:
        return having[0]
    if of_side:
        names = " or ".join(entries[nth]["name"] for nth in of_side)
        raise Unusable(f"several are on the side {who}; name one of them: {names}", f"--vary {who}.{key}")
    known = [one["name"] for one in entries] + list(dict.fromkeys(one["side"] for one in entries))
    raise Unusable(f"there is no {who}{known_instead(who, known)}", "--vary")


def _with_values(
    content: Mapping[str, Any], ruleset: Ruleset, varied: Sequence[Varied], values: Sequence[Any]
) -> Variant:
    """Build the encounter with the given values; leave out entries with count 0."""
    found = deepcopy(dict(content))
    for one, value in zip(varied, values, strict=True):
        if one.entry is None:
            found.setdefault("config", {})[one.key] = value
            continue
        entry = found["combatant"][one.entry]
        entry[one.key] = value
        if one.key == "count" and isinstance(value, int):
            _place(entry, value, found, ruleset)
    if isinstance(found.get("combatant"), list):
        found["combatant"] = [entry for entry in found["combatant"] if entry.get("count") != 0]
    return Variant(tuple((one.path, value) for one, value in zip(varied, values, strict=True)), found)


def _place(entry: dict[str, Any], many: int, content: Mapping[str, Any], ruleset: Ruleset) -> None:
    """Give each combatant of an entry a place: stated ones first, then free ones."""
    places = places_of(entry, ruleset)
    if not places:
        return
    if ruleset.board.kind not in CELLS:
        entry["at"] = list(islice(cycle(places), many))
        return
    taken = places_taken(content, (one for one in content["combatant"] if one is not entry), ruleset)
    entry["at"] = [*places[:many], *islice(around(places, taken, ruleset), max(0, many - len(places)))]
