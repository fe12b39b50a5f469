"""Rulings of every kind with parameters a game master might say, sensible or not."""

from __future__ import annotations

import msgspec
from msgspec import Raw

from affray.engine.fight import Fight
from affray.events import Ruled
from tests.engine.choices import Choices
from tests.engine.drawing import Say
from tests.engine.encounters import RULED


def make_ruling(fight: Fight, choices: Choices, kind: str | None = None, say: Say | None = None) -> Ruled:
    """Return a ruling of a chosen kind with typical parameters."""
    usual = RULED[fight.ruleset.name]
    kind = kind or choices.of(sorted(usual))
    params = (say or usual[kind])(fight.table.draft, choices)
    return Ruled(kind=kind, params=Raw(msgspec.json.encode(params)), reason="so it is ruled")
