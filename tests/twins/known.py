"""Known differences between twins, until they are fixed: this list only gets shorter."""

from __future__ import annotations

KNOWN: dict[tuple[str, str], int] = {}
"""Per system and kind of answer or event, the seed of a pair of fights that shows it.

A run plays these pairs first, and fails where one of them does not differ any more.
"""


def known_of(system: str) -> dict[str, int]:
    """Return what is known of a system: per kind the seed of a pair of fights that shows it."""
    return {label: seed for (one, label), seed in KNOWN.items() if one == system}
