"""Rulings of every kind with parameters a game master might say, sensible or not."""

from __future__ import annotations

import msgspec
from msgspec import Raw

from affray.engine.fight import Fight
from affray.events import Ruled
from tests.engine.choices import Choices
from tests.engine.encounters import RULED


def ruled(fight: Fight, choices: Choices, kind: str | None = None) -> Ruled:
    """Return a ruling of a chosen kind."""
    say = RULED[fight.ruleset.name]
    kind = kind or choices.of(sorted(say))
    params = say[kind](fight.table.draft, choices)
    return Ruled(kind=kind, params=Raw(msgspec.json.encode(params)), reason="so it is ruled")
