"""What a table may set otherwise."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct


class Config(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of Pebbles: how many sides the die has (PEB-4)."""

    sides: Annotated[int, Meta(ge=2, le=100)] = 6
