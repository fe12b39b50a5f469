"""What an entry says of what somebody carries over: how they are now, where that is otherwise than when whole."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from affray.engine.errors import Unusable, misread

KEY = "carries"

Number = Annotated[int, Meta(ge=0, le=9_999)]
Many = Annotated[int, Meta(ge=1, le=9_999)]
Signed = Annotated[int, Meta(ge=-9_999, le=9_999)]
Text = Annotated[str, Meta(max_length=100)]


class Thing(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """How a thing of somebody's is now; one that the entry does not give is told with its name and kind.

    Attributes:
        lost: Whether it is gone.
        counters: Those that are otherwise than when whole.
        die: The present size of its usage die.
        name, kind, where, stats, traits, base: Of a thing that the entry does not give.
    """

    lost: bool = False
    counters: dict[Text, Number] = {}
    die: Number | None = None
    name: Text = ""
    kind: Text = ""
    where: Text = ""
    stats: dict[Text, Signed] = {}
    traits: tuple[Text, ...] = ()
    base: Number = 0


class Carries(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """How somebody is now, as far as that is otherwise than when whole.

    Attributes:
        stats: Numbers of the sheet that a game master corrected.
        pools: Counters, such as hit points.
        conditions: How many of each, or how many by what each comes from.
        things: By the name that each has among its owner's.
        marks, clocks: What the rules note for themselves.
        company: The same of whoever comes along without an entry, such as a mount.
    """

    stats: dict[Text, Signed] = {}
    pools: dict[Text, Signed] = {}
    conditions: dict[Text, Many | dict[Text, Many]] = {}
    things: dict[Text, Thing] = {}
    marks: dict[Text, bool | int | str] = {}
    clocks: dict[Text, Number] = {}
    company: dict[Text, Carries] = {}


def carries_said(value: object, field: str) -> Carries:
    """Return what an entry says of what is carried over.

    Raises:
        Unusable: it is not of the form; says where.
    """
    try:
        return msgspec.convert(value, Carries)
    except msgspec.ValidationError as error:
        message, path = misread(str(error))
        raise Unusable(message, field + path) from None
