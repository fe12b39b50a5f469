"""What may be done now, by whom, with which parameters."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Raw, Struct
from msgspec.json import Encoder

from affray.engine.core.ruleset import Ruleset
from affray.engine.core.table import Table
from affray.engine.errors import followed_by
from affray.events import Answered, Declared, Dice, Id, Option, Passed, Scalar

from .tree import Offers

_encode = Encoder().encode


class Declaration(Struct, frozen=True, kw_only=True):
    """An action that would be accepted as it stands."""

    intent: Declared
    says: str


class Answer(Struct, frozen=True, kw_only=True):
    """A question that waits, with the ways to answer it."""

    question: Id
    of: tuple[Id, ...]
    about: str
    options: tuple[Option, ...]

    def intent(self, option: Option, by: Id | None = None, **fields: int | str) -> Answered:
        """Return the input event for one of the options; numbers not given take their lowest value."""
        filled: dict[str, Scalar] = {}
        for field in option.fields:
            if not field.optional:
                filled[field.name] = field.low if field.kind == "int" else (*field.among, "")[0]
        return Answered(question=self.question, by=by or self.of[0], choice=option.choice, fields={**filled, **fields})


class Pass(Struct, frozen=True, kw_only=True):
    """An open window that somebody may let go by."""

    intent: Passed


class Faces(Struct, frozen=True, kw_only=True):
    """Real dice that wait to be entered."""

    roll: Id
    by: Id
    purpose: str
    dice: tuple[Dice, ...]


Legal = Declaration | Answer | Pass | Faces
"""One thing that may be done now."""


def legal(ruleset: Ruleset, table: Table) -> Iterator[Legal]:
    """Yield everything that may be done now, rulings aside, which are always open to the game master.

    Raises:
        Senseless: the rules stumble over what the record led to.
    """
    with followed_by(ruleset.name):
        yield from _legal(ruleset, table)


def _legal(ruleset: Ruleset, table: Table) -> Iterator[Legal]:
    draft = table.draft
    if draft.question is not None:
        asked = draft.question
        yield Answer(question=asked.id, of=asked.of, about=asked.about, options=asked.options)
    elif draft.awaited is not None:
        wanted = draft.awaited
        yield Faces(roll=wanted.roll, by=wanted.by, purpose=wanted.purpose, dice=wanted.dice)
    else:
        yield from declarations(ruleset, table)
        if draft.window is not None:
            for who in draft.window.to:
                yield Pass(intent=Passed(window=draft.window.id, who=who))


def movers(ruleset: Ruleset, table: Table) -> list[tuple[Id, str]]:
    """Return who may declare something now, and in which manner.

    Raises:
        Senseless: the rules stumble over what the record led to.
    """
    with followed_by(ruleset.name):
        return list(ruleset.movers(table))


def declarations(ruleset: Ruleset, table: Table) -> Iterator[Declaration]:
    """Yield every action that would be accepted now."""
    for actor, manner in ruleset.movers(table):
        for action in Offers(ruleset, table, actor, manner).leaves():
            intent = Declared(actor=actor, kind=action.kind, params=Raw(_encode(action)), manner=manner)
            yield Declaration(intent=intent, says=action.says)
