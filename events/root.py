"""The base class of all events."""

from collections.abc import Mapping

from msgspec import Struct

from .refs import Clause

type_tag = "type"

Scalar = int | str | bool | None

MarkPart = Scalar | tuple[str | Mapping[str, Scalar | tuple[str, ...]], ...]
"""The value of a field of a struct that a mark stores: a list may hold structs in turn."""


class Event(Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True, tag=True, tag_field=type_tag):
    """A fact of the fight, in the past tense.

    Attributes:
        rules: The clauses that caused it; empty where the engine's own book-keeping did.
    """

    rules: tuple[Clause, ...] = ()
