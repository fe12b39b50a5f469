"""The number of examples for a property that costs more or needs fewer; and for all in a long run."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from hypothesis import settings

THOROUGH = os.environ.get("AFFRAY_PROFILE") == "thorough"
"""Whether the tests may take hours."""


def of_this_version(recorded: Iterable[Path]) -> list[Path]:
    """Leave out fights recorded by earlier versions of the rules, unless the tests may take hours."""
    return [path for path in recorded if THOROUGH or not path.stem.startswith("version-")]


def example_count() -> int:
    """Return how many examples the profile gives a property."""
    assert settings.default is not None
    return settings.default.max_examples


def a_share(of: int) -> settings:
    """Return settings for a part of the profile's examples, 5 at least."""
    return settings(max_examples=max(5, example_count() // of))
