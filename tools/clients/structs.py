"""Structs that a client meets, and the descriptions of their fields."""

from typing import Any

import msgspec
from msgspec import Struct
from msgspec.inspect import DictType, ListType, StructType, Type, UnionType, VarTupleType

from affray.engine.commands import Amend, AnswerUndo, Close, Redo, Stir, Undo
from affray.engine.core.state import State
from affray.engine.core.vocabulary import Vocabulary
from affray.engine.visibility import WireLine
from affray.events import EVENTS, Answered, AskingSet, Declared, DiceEntered, Passed, Recorded, Ruled
from affray.tools.api.amendment_preview import Preview
from affray.tools.api.problem_details import Problem
from affray.tools.api.schemas import documents, fights, home
from affray.tools.api.schemas.legal_actions import HowMay, WhatMay, WhoMay
from affray.tools.api.schemas.receipts import Explanation
from affray.tools.text.docstrings import split_docstring

INTENTS: tuple[type[Struct], ...] = (
    *(Declared, Answered, Passed, AskingSet, DiceEntered, Ruled),
    *(Undo, AnswerUndo, Redo, Amend, Stir, Close),
)
"""Intents of a command."""

ANSWERS: tuple[type[Struct], ...] = (
    *(
        fights.About,
        fights.Audited,
        fights.Carried,
        fights.Clause,
        Explanation,
        fights.Fights,
        fights.Granted,
        fights.Health,
    ),
    *(HowMay, WhatMay, WhoMay, fights.Lines, fights.Moment, fights.Opened, Preview, fights.RulingForm, Problem),
    *(fights.Story, fights.Told, Vocabulary, fights.Forecasts),
    *(documents.AllSaved, documents.AllShipped, documents.Checked, documents.Library, documents.PartyChanged),
    *(documents.Saved, documents.SavedWhole, documents.Scene, documents.Systems, documents.Uploaded),
    *(home.Home, home.WhoIsThere),
)
"""Answers of a server."""

ROOTS: tuple[type[Struct], ...] = (Recorded, WireLine, State, *INTENTS, *ANSWERS)
"""With the events, the structs from which all others are reached."""


def structs(*roots: type[Struct]) -> dict[str, StructType]:
    """Return every event, and every struct that is reached from the roots, by name."""
    found: dict[str, StructType] = {}
    for root in (*EVENTS, *roots):
        _find(msgspec.inspect.type_info(root), found)
    return found


def _find(kind: Type, found: dict[str, StructType]) -> None:
    """Collect the structs that a type is made of."""
    match kind:
        case StructType(cls=cls):
            known = found.get(cls.__name__)
            assert known is None or known.cls is cls, f"two structs are called {cls.__name__}"
            if known is None:
                found[cls.__name__] = kind
                for field in kind.fields:
                    _find(field.type, found)
        case VarTupleType() | ListType():
            _find(kind.item_type, found)
        case DictType():
            _find(kind.value_type, found)
        case UnionType():
            for one in kind.types:
                _find(one, found)
        case _:
            pass


def docstring_of(cls: type) -> tuple[str, dict[str, str]]:
    """Parse a docstring to its text and the text of each field.

    A text for several fields goes to the first of them.
    """
    whole, entries = split_docstring(cls)
    return _plain(" ".join(whole.split())), {names[0]: _plain(words) for names, words in entries}


def _plain(words: str) -> str:
    """Convert the markup of docstrings to that of comments."""
    return words.replace("``None``", "``null``").replace("``", "`")


def fallback(field: msgspec.inspect.Field) -> Any:
    """Return the default of a field."""
    return field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
