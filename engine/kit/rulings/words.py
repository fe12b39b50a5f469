"""The words and checks that rulings share."""

from typing import Annotated

from msgspec import Meta

from affray.engine.core.table import Table
from affray.events import Words

Count = Annotated[int, Meta(ge=0, le=9_999)]
"""A whole number from 0."""

Change = Annotated[int, Meta(ge=-9_999, le=9_999)]
"""By how much a number goes up, or below 0 down."""

Bonus = Annotated[int, Meta(ge=-99, le=99)]
"""What is added to a roll; where dice are counted it is dice."""

Many = Annotated[int, Meta(ge=0, le=500)]
"""How many of something there are; where dice are counted it is dice."""

BRIEF = Meta(min_length=1, max_length=200)
"""How long a name or a short text is."""

Word = Annotated[Words, BRIEF]
"""A name or a short text of the game master's own."""


UNSAID = "ruling"
"""What stands for the cause of harm where the game master names none, or where every viewer would read it."""


def open_cause(table: Table, said: str) -> str:
    """Return a cause of harm for events that every viewer reads: no words while a combatant is concealed.

    The ruling keeps the game master's own words. It is sealed then, and so would be all that repeats them.
    """
    return UNSAID if table.draft.concealed else said


def in_quotes(text: str) -> str:
    """Return a text as a value is typed: in quotes where it consists of several words."""
    return f'"{text}"' if " " in text else text
