"""Translation of printed stat-block values to the notation of encounter files."""

import re
import tomllib
from collections.abc import Collection, Mapping, Sequence
from importlib.resources import files
from typing import Any

from msgspec import inspect

_DICE = re.compile(r"(\d{0,3})\s*[dDwW](\d{1,3})(?!\d)\s*(?:([+\-–−])\s*(\d{1,3})(?!\d))?")
_NUMBER = re.compile(r"[+]?([\-–−]?\d{1,6})(?!\d)")
_MANY_ATTACKS = re.compile(r"(multi_?|number_of_|num_)?attacks?(_per_round|_a_round)?", re.IGNORECASE)


def advise(field: str, value: object, kinds: Sequence[inspect.Type]) -> str:
    """Return advice on writing a value that was refused; empty without any.

    Args:
        field: The field, such as ``combatant[0].ac``.
        value: The value that was refused.
        kinds: The types that the field accepts.
    """
    key = field.rpartition(".")[2]
    dice = _DICE.match(value.strip()) if isinstance(value, str) else None
    number = _NUMBER.match(value.strip()) if isinstance(value, str) else None
    sides = [one for kind in kinds if isinstance(kind, inspect.LiteralType) for one in kind.values]
    if dice and int(dice[2]) in sides:
        return f"write {key} = {int(dice[2])}"
    if any(isinstance(kind, inspect.IntType) for kind in kinds):
        if dice:
            return f"write {key} = {_mean(dice)}, the mean of {dice[0].strip()}"
        return f"write {key} = {_plain(number[1])}" if number else ""
    if dice and _spelt(dice) != value and any(isinstance(kind, inspect.StrType) for kind in kinds):
        return f'write {key} = "{_spelt(dice)}"'
    return ""


def advise_field(name: str, known: Collection[str]) -> str:
    """Return advice for a field by the name that books use; empty without any.

    Args:
        known: The fields of the table.
    """
    if _MANY_ATTACKS.fullmatch(name):
        return "; leave it out, and let the game master rule each further attack in the fight: rule FIGHT grant WHO"
    meant = next((one for one in _BOOKS.get(name.casefold().replace(" ", "_"), ()) if one in known), "")
    return f"; did you mean {meant}?" if meant else ""


_BOOKS: Mapping[str, Sequence[str]] = tomllib.loads(
    (files("affray.tools.parse") / "stat_block_names.toml").read_text(encoding="utf-8")
)
"""The names of stat block fields in books, and the fields of the systems here."""


def resolve_field(content: object, field: str, kinds: Sequence[inspect.Type]) -> tuple[str, object]:
    """Return the field of a faulty value, and the value.

    A key that the field leaves open (``[...]``) is the first key whose value needs advice.

    Args:
        field: A field such as ``combatant[1].ac`` or ``weapon[...].damage``.
        kinds: The types that the field accepts.
    """
    before, open_key, after = field.partition("[...]")
    table = _inside(content, before) if open_key else None
    for key, one in table.items() if isinstance(table, Mapping) else ():
        value = _inside(one, after)
        if advise(field, value, kinds):
            return f"{before}.{key}{after}", value
    return field, _inside(content, field)


def _inside(content: Any, field: str) -> object:
    for step in re.findall(r"[^.\[\]]+", field):
        if isinstance(content, Mapping):
            content = content.get(step)
        elif isinstance(content, list) and step.isdigit() and int(step) < len(content):
            content = content[int(step)]
        else:
            return None
    return content


def _mean(dice: re.Match[str]) -> int:
    """Return the mean of dice, rounded down, and at least 1."""
    count, sides = int(dice[1] or 1), int(dice[2])
    return max(1, count * (sides + 1) // 2 + _bonus_of(dice))


def _bonus_of(dice: re.Match[str]) -> int:
    return int(_plain(f"{dice[3]}{dice[4]}")) if dice[4] else 0


def _spelt(dice: re.Match[str]) -> str:
    return f"{int(dice[1] or 1)}d{int(dice[2])}" + (f"{_bonus_of(dice):+d}" if dice[4] else "")


def _plain(number: str) -> str:
    return number.replace("–", "-").replace("−", "-").removeprefix("+")
