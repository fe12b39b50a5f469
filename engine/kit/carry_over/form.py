"""The form of carried-over state: a combatant's differences from its full state."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from affray.engine.errors import Unusable, split_decoder_message

KEY = "carries"

Number = Annotated[int, Meta(ge=0, le=9_999)]
Many = Annotated[int, Meta(ge=1, le=9_999)]
Signed = Annotated[int, Meta(ge=-9_999, le=9_999)]
Text = Annotated[str, Meta(max_length=100)]


class CarriedFeature(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A feature of an item; see ``Feature``."""

    kind: Text
    of: Text = ""
    parts: dict[Text, bool | Signed | Text | tuple[Text, ...]] = {}


class CarriedItem(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The present state of an item.

    An item that the entry does not give is described in full, by name and kind.

    Attributes:
        lost: Whether the owner no longer has it.
        counters: The counters that differ from the item's full state.
        die: The present size of its usage die.
        name, kind, where, stats, traits, features, base: The description of an item that the entry does not give.
    """

    lost: bool = False
    counters: dict[Text, Number] = {}
    die: Number | None = None
    name: Text = ""
    kind: Text = ""
    where: Text = ""
    stats: dict[Text, Signed] = {}
    traits: tuple[Text, ...] = ()
    features: tuple[CarriedFeature, ...] = ()
    base: Number = 0


class CarriedState(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A combatant's present state, as far as it differs from its full state.

    Attributes:
        stats: Numbers of the sheet that a game master corrected.
        pools: Counters, such as hit points.
        conditions: The count of each, in total or by source.
        things: Items, by the part of their id after the owner's.
        marks, clocks: Internal memory of the rules. A clock shows a number for each thing that it is about; in a party
            of an earlier version its key holds both.
        company: The carried-over state of combatants that come along without an entry, such as a mount, by id.
    """

    stats: dict[Text, Signed] = {}
    pools: dict[Text, Signed] = {}
    conditions: dict[Text, Many | dict[Text, Many]] = {}
    things: dict[Text, CarriedItem] = {}
    marks: dict[Text, bool | int | str] = {}
    clocks: dict[Text, Number | dict[Text, Number]] = {}
    company: dict[Text, CarriedState] = {}


def read_carried_state(value: object, field: str) -> CarriedState:
    """Decode the carried-over state of an entry.

    Raises:
        Unusable: it is malformed; names the field.
    """
    try:
        return msgspec.convert(value, CarriedState)
    except msgspec.ValidationError as error:
        message, path = split_decoder_message(str(error))
        raise Unusable(message, field + path) from None
