"""The base class of all events."""

from msgspec import Struct

from .refs import Clause

type_tag = "type"

Scalar = int | str | bool | None


class Event(Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True, tag=True, tag_field=type_tag):
    """A fact of the fight, in the past tense.

    Attributes:
        rules: The clauses that caused it; empty where the engine's own book-keeping did.
    """

    rules: tuple[Clause, ...] = ()
