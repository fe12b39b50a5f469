"""What somebody may do now, as it goes over the wire."""

from __future__ import annotations

from msgspec import Struct

from affray.events import Declared, Dice, Option, Passed


class MayDeclare(Struct, frozen=True, tag_field="kind", tag="declaration"):
    """An action that would be accepted as it stands: ready to be sent, and in the words one types."""

    intent: Declared
    says: str
    line: str


class MayAnswer(Struct, frozen=True, tag_field="kind", tag="answer"):
    """A question that waits, with the ways to answer it."""

    question: str
    of: tuple[str, ...]
    about: str
    options: tuple[Option, ...]
    says: str


class MayPass(Struct, frozen=True, tag_field="kind", tag="pass"):
    """A window that may be let go by: ready to be sent, and in the words one types."""

    intent: Passed
    says: str
    line: str


class MayEnter(Struct, frozen=True, tag_field="kind", tag="faces"):
    """Real dice that wait to be entered."""

    roll: str
    by: str
    purpose: str
    dice: tuple[Dice, ...]
    says: str


May = MayDeclare | MayAnswer | MayPass | MayEnter

__all__ = ["May", "MayAnswer", "MayDeclare", "MayEnter", "MayPass"]
