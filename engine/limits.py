"""Limits on commands, encounters and dice, the same for every rule system."""

import re
from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec import Raw, Struct

from affray.events import Answered, Attempted, Declared, Ruled

from .commands import MANY, Amend, Command
from .errors import Unusable
from .texts import check_word, find_invisible_fault

MOST = 1_000_000
"""The maximum absolute value of a number that a client sends."""

LONGEST = 2_000
"""The maximum length of a text, in characters."""

DEEPEST = 32
"""The maximum nesting of lists and tables."""

MOST_DECLARED = 16 * 1024
"""The maximum size of a declaration's parameters, in bytes. They are decoded while others wait."""

MOST_RULED = 64 * 1024
"""The maximum size of a ruling's parameters, in bytes. A record keeps each ruling for ever."""

MOST_ENTRIES = 4_000
"""The maximum number of commas in the parameters of an intent, and so of entries of its lists and tables."""

MOST_FIELDS = 1_000
"""The maximum number of fields of an answer: one for each combatant."""

MOST_DICE = 1_000
"""The maximum number of dice of a roll."""

MOST_SIDES = 1_000
"""The maximum number of sides of a die; statistics count every face."""

MOST_COMBATANTS = 1_000
"""The maximum number of combatants in a fight."""

MOST_ENTERED = 4 * 2**20
"""The maximum size of the entries of the combatants that come at once, in bytes, counted for each combatant."""

MOST_WAYS = 2_500
"""The maximum number of ways that a search of moves tries, the nearest first: on squares all of up to 24 steps.

Farther places are reached by a path, or by their name where a straight way leads there.
"""

MOST_EVENTS = 100_000
"""The maximum number of events of a command; rules that yield more are taken to be endless.

It is a hundred times the highest known number: 1,008, for the initiative of the maximum number of combatants.
"""


def check_command(command: Command) -> None:
    """Refuse a command that cannot be recorded, or that is beyond the limits.

    Raises:
        Unusable: says which part of the command, and the limit.
    """
    check_word(command.id, "id", most=MANY)
    check_word(command.who, "who", most=MANY)
    check_intent(command.intent)


def check_intent(intent: Struct) -> None:
    """Refuse an intent beyond the limits, including the parameters in it.

    Raises:
        Unusable: says which part of it, and the limit.
    """
    if isinstance(intent, Declared | Attempted | Ruled):
        most = MOST_RULED if isinstance(intent, Ruled) else MOST_DECLARED
        if len(bytes(intent.params)) > most:
            raise Unusable(f"must have at most {most} bytes", "params")
    if isinstance(intent, Answered) and len(intent.fields) + sum(map(len, intent.about.values())) > MOST_FIELDS:
        raise Unusable(f"must have at most {MOST_FIELDS} entries", "fields")
    for field in intent.__struct_fields__:
        said = getattr(intent, field)
        if isinstance(said, Raw):
            _check_params(bytes(said), field)
        elif isinstance(said, str | Mapping):
            check_bounds(said, field)
    if isinstance(intent, Amend):
        for one in (*intent.instead, *intent.answers):
            check_intent(one)


def check_encounter_size(content: object) -> None:
    """Refuse an encounter with too long texts, too big numbers or too many combatants.

    Raises:
        Unusable: says which field, and the limit.
    """
    check_bounds(content)
    entries = content.get("combatant") if isinstance(content, Mapping) else None
    said = [one for one in entries if isinstance(one, Mapping)] if isinstance(entries, list) else []
    check_combatants(0, [(one, count) for one in said if isinstance(count := one.get("count", 1), int)])


def check_combatants(present: int, entries: Iterable[tuple[object, int]]) -> None:
    """Refuse entries that bring too many combatants into a fight, or too long ones.

    Args:
        present: The number of combatants already in it.
        entries: Each entry, with the number of combatants that it brings.
    """
    size = 0
    for entry, count in entries:
        present += count
        size += count * len(msgspec.json.encode(entry))
    if present > MOST_COMBATANTS:
        raise Unusable(f"there may be at most {MOST_COMBATANTS} combatants", "combatant")
    if size > MOST_ENTERED:
        raise Unusable(f"the entries of all combatants may have at most {MOST_ENTERED:,} bytes together", "combatant")


def check_bounds(said: object, field: str = "") -> None:
    """Refuse texts and numbers beyond the limits, and invisible characters.

    Nested values are checked too.

    Raises:
        Unusable: says where, and the limit.
    """
    found = _too_much(said, DEEPEST)
    if found is not None:
        raise Unusable(found[1], (field + found[0]).lstrip("."))


def _too_much(said: object, depth: int) -> tuple[str, str] | None:
    """Return the path to the first value beyond a limit, and the limit."""
    if isinstance(said, str):
        fault = f"must have at most {LONGEST} characters" if len(said) > LONGEST else find_invisible_fault(said)
        return ("", fault) if fault else None
    if isinstance(said, int | float):
        return None if -MOST <= said <= MOST else ("", f"must be a number from {-MOST} to {MOST}")
    if not isinstance(said, Mapping | list | tuple) or not said:
        return None
    return _find_in_parts(said, depth) if depth else ("", _TOO_DEEP)


def _find_in_parts(said: Mapping[object, object] | Sequence[object], depth: int) -> tuple[str, str] | None:
    for name in said if isinstance(said, Mapping) else ():
        wrong = _too_much(str(name), depth)
        if wrong is not None:
            return "", f"a name {wrong[1]}"
    for key, part in said.items() if isinstance(said, Mapping) else enumerate(said):
        found = _too_much(part, depth - 1)
        if found is not None:
            path = f".{str(key)[:MANY]}" if isinstance(said, Mapping) else f"[{key}]"
            return path + found[0], found[1]
    return None


def _check_params(params: bytes, field: str) -> None:
    if b"\n" in params:  # it is recorded unchanged
        raise Unusable("must be JSON on one line", field)
    if params.count(b",") > MOST_ENTRIES:
        raise Unusable(f"must have at most {MOST_ENTRIES} entries", field)
    if len(params) > LONGEST or _WORTH_A_LOOK.search(params) or params.count(b"[") + params.count(b"{") > DEEPEST:
        try:
            read = msgspec.json.decode(params)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            raise Unusable("must be JSON", field) from None
        except RecursionError:
            raise Unusable(_TOO_DEEP, field) from None
        check_bounds(read, field)


_TOO_DEEP = f"must have at most {DEEPEST} lists and tables within each other"

_WORTH_A_LOOK = re.compile(rb"\d{7}|\d[eE]|[^ -~]|\\")
"""The pattern of a possibly too big number, or a possibly invisible character."""
