"""Sections printed at the end of a run, from all its processes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Words = Callable[[], str]
ASKED: pytest.StashKey[dict[str, Words]] = pytest.StashKey()
FOUND: pytest.StashKey[dict[str, str]] = pytest.StashKey()


def summary_section(config: pytest.Config, title: str, words: Words) -> None:
    """Let a section be printed at the end of the run; nothing is, where its words come to none.

    They are asked for in every process that ran tests, when these are done.
    """
    config.stash.setdefault(ASKED, {})[title] = words


def found(config: pytest.Config) -> dict[str, str]:
    """Return what the sections say that this process knows of, or was handed."""
    known = config.stash.setdefault(FOUND, {})
    told = {title: words() for title, words in config.stash.get(ASKED, {}).items()}
    known.update({title: text for title, text in told.items() if text})
    return known
