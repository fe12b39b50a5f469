"""A party for display: its members, their items, and the fights it paid for."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from affray.events import Clause, Id


class CostLine(Struct, frozen=True, omit_defaults=True):
    """A line of the changes to a party.

    Attributes:
        kind: The subject: a cost of the fight, a recovery, or a note.
        who: The combatant that the line is about.
        text: The line.
        rules: The clauses that the change follows from.
    """

    kind: Literal["cost", "recovers", "note"]
    who: Id
    text: str
    rules: tuple[Clause, ...] = ()


class FieldTold(Struct, frozen=True, omit_defaults=True):
    """A number of a member that lasts from fight to fight.

    Attributes:
        field: The field name for a correction.
        says: The label for people.
        now, whole: The present value, and the value at full strength.
        most: The maximum; ``None`` if there is none.
        rises: Whether a higher value is worse.
        flag: Whether the value is only 0 or 1.
    """

    field: str
    says: str
    now: int
    whole: int
    most: int | None = None
    rises: bool = False
    flag: bool = False


class ThingTold(Struct, frozen=True, omit_defaults=True):
    """An item of a member.

    Attributes:
        name: The item's name.
        lost: The correction field that marks it as lost; empty if it cannot be lost or is no part of the entry.
        gone: Whether it is lost.
        told: Its differences from its full state, as text; empty without any.
        fields: Its lasting numbers, such as its usage die.
    """

    name: str
    lost: str = ""
    gone: bool = False
    told: str = ""
    fields: tuple[FieldTold, ...] = ()


class MemberTold(Struct, frozen=True, omit_defaults=True):
    """A member of a party.

    Attributes:
        out: Whether a lasting condition keeps the member out of fights.
        pools: The lasting counters.
        conditions: The present conditions.
        things: The items, including lost ones.
    """

    id: Id
    name: str
    side: str
    out: bool
    pools: list[FieldTold]
    conditions: list[FieldTold]
    things: list[ThingTold]


class FightTaken(Struct, frozen=True, omit_defaults=True):
    """A fight that was charged to a party."""

    fight: str
    when: str = ""
    cost: tuple[str, ...] = ()


class LabelledOption(Struct, frozen=True):
    """An option: its name, and its label for people."""

    name: str
    says: str


class PartyTold(Struct, frozen=True):
    """A party for display.

    Attributes:
        title: The title in its file.
        system: The title of its rule system.
        fights: The fights that it was charged for, latest first.
        conditions: All lasting conditions of the rules.
        rests: The kinds of rest that the rules know.
        back: The latest change, which can be undone; empty without one.
    """

    title: str
    system: str
    members: list[MemberTold]
    fights: list[FightTaken]
    conditions: list[LabelledOption]
    rests: list[LabelledOption]
    back: str
