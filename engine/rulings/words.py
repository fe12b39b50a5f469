"""What rulings are made of."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

Count = Annotated[int, Meta(ge=0)]
"""A whole number from 0."""

Word = Annotated[str, Meta(min_length=1, max_length=200)]
"""A name or a short text."""
