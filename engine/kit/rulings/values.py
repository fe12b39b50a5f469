"""Types of values and checks that rulings share."""

import re
from collections.abc import Container
from difflib import get_close_matches
from typing import Annotated

from msgspec import Meta

from affray.engine.core.loading import load
from affray.engine.core.table import Table
from affray.engine.errors import Unusable
from affray.events import Id, Words

Count = Annotated[int, Meta(ge=0, le=9_999)]
"""A whole number from 0."""

Change = Annotated[int, Meta(ge=-9_999, le=9_999)]
"""The change of a number; below 0 it goes down."""

Bonus = Annotated[int, Meta(ge=-99, le=99)]
"""A modifier of a roll. In systems that count dice, it is a number of dice."""

Many = Annotated[int, Meta(ge=0, le=500)]
"""A number of items. In systems that count dice, it is a number of dice."""

BRIEF = Meta(min_length=1, max_length=200)
"""The length of a name or a short text."""

Word = Annotated[Words, BRIEF]
"""A name or a short text that the game master writes."""


UNSAID = "ruling"
"""The placeholder for a cause of harm that is not stated, and for a cause or source that viewers must not read."""


def must_be_a_condition(table: Table, name: str, *, own: bool) -> None:
    """Refuse a condition that the rules do not know, unless it is the table's own."""
    known = load(table.draft.system).vocabulary.conditions
    if own or name in known:
        return
    near = get_close_matches(name.casefold(), known, n=1, cutoff=0.75)
    hint = f"; did you mean {near[0]}?" if near else ""
    others = [one for one in sorted(known) if one not in near]
    message = f"the rules know no condition {name}{hint}; own=true gives one of the table's own"
    raise Unusable(message, "condition", known=(*near, *others))


def hide_cause(table: Table, said: str) -> str:
    """Return a cause of harm for events that every viewer reads.

    While a combatant is concealed, it contains no free text. The ruling keeps the game master's own words. It is sealed
    then,
    and every event that repeated the words would be sealed as well.
    """
    return UNSAID if table.draft.concealed else said


_OPEN_SOURCE = re.compile(rf"{UNSAID}( \d{{1,3}})?")


def hide_source(table: Table, said: Id, held: Container[Id]) -> Id:
    """Return the source of a condition for events that every viewer reads.

    While a combatant is concealed, it contains no free text. The name of a combatant, an item or a relation stays, and
    so does ``ruling 2``.

    Args:
        held: The present sources of the condition. One of them stays, since the state shows it.
    """
    draft = table.draft
    if not said or not draft.concealed or said in held or _OPEN_SOURCE.fullmatch(said):
        return said
    known = said in draft.combatants or said in draft.items or said in draft.relations
    return said if known or said in load(draft.system).plain_sources else UNSAID


def quote_value(text: str) -> str:
    """Return a value as it is typed: in quotes if it has several words."""
    return f'"{text}"' if " " in text else text
