"""A party as people see it: its members, their belongings, and the fights it has borne."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from affray.events import Clause, Id


class CostLine(Struct, frozen=True, omit_defaults=True):
    """A line of what became of a party.

    Attributes:
        kind: What the fight cost, what recovers, or what else is to be known.
        who: Whose it is.
        text: The line.
        rules: The clauses behind it.
    """

    kind: Literal["cost", "recovers", "note"]
    who: Id
    text: str
    rules: tuple[Clause, ...] = ()


class FieldTold(Struct, frozen=True, omit_defaults=True):
    """A number of a member that lasts from fight to fight.

    Attributes:
        field: By which it is corrected.
        says: What people call it.
        now, whole: What it is, and what it is when whole.
        most: The most it can be, where that is known.
        rises: Whether more of it is worse.
        flag: Whether it is 0 or 1: whether something is so.
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
        name: What it is called.
        lost: By which field it is said to be lost; empty for what no entry gives, and what nobody can lose.
        gone: Whether it is lost.
        told: How it is, as far as that is otherwise than when whole; empty if it is as ever.
        fields: What about it lasts, such as its usage die.
    """

    name: str
    lost: str = ""
    gone: bool = False
    told: str = ""
    fields: tuple[FieldTold, ...] = ()


class MemberTold(Struct, frozen=True, omit_defaults=True):
    """A member of a party.

    Attributes:
        out: Whether they bear something with which nobody fights.
        pools: Counters that last.
        conditions: Conditions they bear.
        things: What they have, and what they no longer have.
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


class Choice(Struct, frozen=True):
    """Something that can be chosen: its name, and what people call it."""

    name: str
    says: str


class PartyTold(Struct, frozen=True):
    """A party as people see it.

    Attributes:
        title: What it calls itself.
        system: Its rules, as people call them.
        fights: Those whose cost it bears, the latest first.
        conditions: All that somebody can bear and that lasts.
        rests: How they may rest.
        back: What can be taken back; empty if nothing can.
    """

    title: str
    system: str
    members: list[MemberTold]
    fights: list[FightTaken]
    conditions: list[Choice]
    rests: list[Choice]
    back: str
