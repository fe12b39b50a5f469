"""How much may be said at once, in a command or an encounter, whatever the rule system; and how many dice may fall."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from affray.events import Answered, Declared, Ruled

from .commands import MANY, Amend, Command
from .errors import Unusable

MOST = 1_000_000
"""No number that anybody sends may be further from 0."""

LONGEST = 2_000
"""The longest text, in characters."""

MOST_DICE = 1_000
"""How many dice one roll may throw."""

MOST_SIDES = 1_000
"""How many sides a die may have; a table has none of more, and statistics count every face."""

MOST_COMBATANTS = 1_000
"""How many an encounter may bring into a fight."""

MOST_EVENTS = 100_000
"""How many events one command may decide; rules that go on after that are taken for rules that never end.

That is a hundred times the most that was ever seen: 1,008, the initiative of as many combatants as there may be.
"""


WITH_PARAMS = (Declared, Ruled)
"""Inputs with parameters of their rule system's own."""


def check_command(command: Command) -> None:
    """Refuse what cannot be written down, and what is too long or too big to be meant.

    Raises:
        Unusable: says which part of the command, and what the limit is.
    """
    for field, word in (("id", command.id), ("who", command.who)):
        if not word or len(word) > MANY or not word.isprintable():
            raise Unusable(f"must have 1 to {MANY} printable characters", field)
    meant = command.intent
    if len(getattr(meant, "reason", "")) > LONGEST:
        raise Unusable(f"must have at most {LONGEST} characters", "reason")
    for intent in (*meant.instead, *meant.answers) if isinstance(meant, Amend) else (meant,):
        if isinstance(intent, WITH_PARAMS):
            _check_params(bytes(intent.params))
        elif isinstance(intent, Answered):
            bounded(intent.fields, "fields")


def check_encounter(content: object) -> None:
    """Refuse an encounter with too long a text, too big a number, or too many combatants.

    Raises:
        Unusable: says which field, and what the limit is.
    """
    bounded(content)
    entries = content.get("combatant") if isinstance(content, Mapping) else None
    counts = [one.get("count", 1) for one in entries if isinstance(one, Mapping)] if isinstance(entries, list) else []
    if sum(count for count in counts if isinstance(count, int)) > MOST_COMBATANTS:
        raise Unusable(f"there may be at most {MOST_COMBATANTS} combatants", "combatant")


def bounded(said: object, field: str = "") -> None:
    """Refuse a text or a number, or anything made of them, that goes too far.

    Raises:
        Unusable: says where, and what the limit is.
    """
    found = _too_much(said)
    if found is not None:
        raise Unusable(found[1], (field + found[0]).lstrip("."))


def _too_much(said: object) -> tuple[str, str] | None:
    """Return the path to what goes too far, and the limit."""
    if isinstance(said, str):
        return ("", f"must have at most {LONGEST} characters") if len(said) > LONGEST else None
    if isinstance(said, int | float):
        return None if -MOST <= said <= MOST else ("", f"must be a number from {-MOST} to {MOST}")
    parts: list[tuple[str, Any]] = []
    if isinstance(said, Mapping):
        parts = [(f".{str(name)[:MANY]}", part) for name, part in said.items()]
        if any(len(str(name)) > LONGEST for name in said):
            return "", f"a name must have at most {LONGEST} characters"
    elif isinstance(said, list | tuple):
        parts = [(f"[{nth}]", part) for nth, part in enumerate(said)]
    for path, part in parts:
        found = _too_much(part)
        if found is not None:
            return path + found[0], found[1]
    return None


def _check_params(params: bytes) -> None:
    if b"\n" in params:  # it is written down as it is
        raise Unusable("must be JSON on one line", "params")
    if len(params) > LONGEST or _PERHAPS_BIG.search(params):
        try:
            read = msgspec.json.decode(params)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return  # whoever wants to know them refuses them
        bounded(read, "params")


_PERHAPS_BIG = re.compile(rb"\d{7}|\d[eE]")
"""What the digits of a number that is too big look like."""


__all__ = ["MOST_DICE", "MOST_EVENTS", "bounded", "check_command", "check_encounter"]
