"""Limits on commands, encounters and dice, the same for every rule system."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Raw, Struct

from affray.events import Answered, Attempted, Declared

from .commands import MANY, Amend, Command
from .errors import Unusable
from .texts import check_word, unseen

MOST = 1_000_000
"""No number that anybody sends may be further from 0."""

LONGEST = 2_000
"""The longest text, in characters."""

DEEPEST = 32
"""How many lists and tables may lie in each other."""

MOST_DECLARED = 16 * 1024
"""How long the parameters of a declaration may be, in bytes. They are read while others wait."""

MOST_FIELDS = 1_000
"""How many fields an answer may have: one for each combatant at the most."""

MOST_DICE = 1_000
"""How many dice one roll may throw."""

MOST_SIDES = 1_000
"""How many sides a die may have; a table has none of more, and statistics count every face."""

MOST_COMBATANTS = 1_000
"""How many may take part in a fight."""

MOST_WAYS = 2_500
"""How many ways one question about moves looks at, the nearest first: on squares all that are up to 24 steps long.

Places behind them are reached by a path, or by their name where a straight way leads there.
"""

MOST_EVENTS = 100_000
"""How many events one command may decide; rules that go on after that are taken for rules that never end.

That is a hundred times the most that was ever seen: 1,008, the initiative of as many combatants as there may be.
"""


def check_command(command: Command) -> None:
    """Refuse a command that cannot be recorded, or that is beyond the limits.

    Raises:
        Unusable: says which part of the command, and what the limit is.
    """
    check_word(command.id, "id", most=MANY)
    check_word(command.who, "who", most=MANY)
    check_intent(command.intent)


def check_intent(intent: Struct) -> None:
    """Refuse an intent beyond the limits, also in the parameters of a system's own actions and rulings.

    Raises:
        Unusable: says which part of it, and what the limit is.
    """
    if isinstance(intent, Declared | Attempted) and len(bytes(intent.params)) > MOST_DECLARED:
        raise Unusable(f"must have at most {MOST_DECLARED} bytes", "params")
    if isinstance(intent, Answered) and len(intent.fields) > MOST_FIELDS:
        raise Unusable(f"must have at most {MOST_FIELDS} entries", "fields")
    for field in intent.__struct_fields__:
        said = getattr(intent, field)
        if isinstance(said, Raw):
            _check_params(bytes(said), field)
        elif isinstance(said, str | Mapping):
            bounded(said, field)
    if isinstance(intent, Amend):
        for one in (*intent.instead, *intent.answers):
            check_intent(one)


def check_encounter(content: object) -> None:
    """Refuse an encounter with too long a text, too big a number, or too many combatants.

    Raises:
        Unusable: says which field, and what the limit is.
    """
    bounded(content)
    entries = content.get("combatant") if isinstance(content, Mapping) else None
    counts = [one.get("count", 1) for one in entries if isinstance(one, Mapping)] if isinstance(entries, list) else []
    check_many(0, [count for count in counts if isinstance(count, int)])


def check_many(present: int, counts: Iterable[int]) -> None:
    """Refuse entries that bring too many combatants into a fight.

    Args:
        present: How many take part already.
        counts: How many each entry brings.
    """
    if present + sum(counts) > MOST_COMBATANTS:
        raise Unusable(f"there may be at most {MOST_COMBATANTS} combatants", "combatant")


def bounded(said: object, field: str = "") -> None:
    """Refuse texts and numbers beyond the limits, and unseen characters, wherever they are nested.

    Raises:
        Unusable: says where, and what the limit is.
    """
    found = _too_much(said, DEEPEST)
    if found is not None:
        raise Unusable(found[1], (field + found[0]).lstrip("."))


def _too_much(said: object, depth: int) -> tuple[str, str] | None:
    """Return the path to the first value beyond a limit, and the limit."""
    if isinstance(said, str):
        fault = f"must have at most {LONGEST} characters" if len(said) > LONGEST else unseen(said)
        return ("", fault) if fault else None
    if isinstance(said, int | float):
        return None if -MOST <= said <= MOST else ("", f"must be a number from {-MOST} to {MOST}")
    parts: list[tuple[str, Any]] = []
    if isinstance(said, Mapping):
        for name in said:
            wrong = _too_much(str(name), depth)
            if wrong is not None:
                return "", f"a name {wrong[1]}"
        parts = [(f".{str(name)[:MANY]}", part) for name, part in said.items()]
    elif isinstance(said, list | tuple):
        parts = [(f"[{nth}]", part) for nth, part in enumerate(said)]
    if parts and not depth:
        return "", _TOO_DEEP
    for path, part in parts:
        found = _too_much(part, depth - 1)
        if found is not None:
            return path + found[0], found[1]
    return None


def _check_params(params: bytes, field: str) -> None:
    if b"\n" in params:  # it is written down as it is
        raise Unusable("must be JSON on one line", field)
    if len(params) > LONGEST or _WORTH_A_LOOK.search(params) or params.count(b"[") + params.count(b"{") > DEEPEST:
        try:
            read = msgspec.json.decode(params)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            raise Unusable("must be JSON", field) from None
        except RecursionError:
            raise Unusable(_TOO_DEEP, field) from None
        bounded(read, field)


_TOO_DEEP = f"must have at most {DEEPEST} lists and tables within each other"

_WORTH_A_LOOK = re.compile(rb"\d{7}|\d[eE]|[^ -~]|\\")
"""Finds what may be a number that is too big, or an unseen character."""
