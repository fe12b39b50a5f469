"""The legal actions as programs get them: actors, actions, then field by field, with refusals."""

from msgspec import UNSET, Struct, UnsetType

from affray.engine.core.preview import Prospect
from affray.events import ActionName, Clause, CombatantId, Declared, Dice, Option, Passed, PlaceId


class Refusal(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Why something may not be declared.

    Attributes:
        code: The reason in one word; ``unusable`` where it cannot be understood.
        message: The reason in a sentence.
        rule: The clause that forbids it.
        source: What made it so.
        field: Which field cannot be understood.
    """

    code: str
    message: str
    rule: Clause = ""
    source: str = ""
    field: str = ""


class Mover(Struct, frozen=True):
    """A combatant that may declare an action now, with the manner."""

    who: CombatantId
    manner: str


class MayAnswer(Struct, frozen=True, tag_field="kind", tag="answer"):
    """A question that waits, with the ways to answer it.

    Attributes:
        says: Who is asked what, about which roll, as a sentence.
        asks: The same without the roll, for whoever shows that by itself.
        meant: What is declared and unresolved while it is asked, as a sentence; empty if nothing is.
        rolled: The roll it is about, with its dice and what they come to so far; empty if it is about none.
        stakes: Per option what is at stake with it.
    """

    question: str
    of: tuple[str, ...]
    about: str
    options: tuple[Option, ...]
    says: str
    meant: str = ""
    rolled: str = ""
    stakes: dict[str, str] = {}
    asks: str = ""


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


class MayDeclare(Struct, frozen=True, tag_field="kind", tag="declaration"):
    """An action that would be accepted as it stands: ready to be sent, and in the words one types."""

    intent: Declared
    says: str
    line: str


Awaits = MayAnswer | MayPass | MayEnter


class WhoMay(Struct, frozen=True):
    """The actors of this moment, and the inputs that are awaited.

    Attributes:
        head: The position at which this is so.
        actors: Everybody who may declare something, in each manner.
        waits: The question, the dice or the passes that are waited for.
        meant: What is declared last and unresolved, as a sentence; empty if nothing is.
        headline: Whose turn it is, or whom the table waits for and why, as whoever asks may hear it.
    """

    head: int
    actors: list[Mover]
    waits: list[Awaits]
    meant: str
    headline: str = ""


class Kind(Struct, frozen=True, omit_defaults=True):
    """An action that a combatant has.

    Attributes:
        kind: Its name.
        says: What it does, in a few words.
        fields: Those it has, in the order in which they are chosen.
        refused: Why it may not be declared now, whatever is chosen; ``None`` if it may.
    """

    kind: ActionName
    says: str
    fields: tuple[str, ...] = ()
    refused: Refusal | None = None


class WhatMay(Struct, frozen=True):
    """The actions of a combatant in one manner, illegal ones with their refusal.

    Attributes:
        head: The position at which this is so.
        who: Who.
        manner: How it is declared.
        kinds: Every action there is for them.
    """

    head: int
    who: CombatantId
    manner: str
    kinds: list[Kind]


FieldValue = str | int | bool | tuple[str, ...] | None
"""What a field of an action can be."""


class Value(Struct, frozen=True, omit_defaults=True):
    """A candidate for a field.

    Attributes:
        value: As it is recorded.
        refused: Why nothing that could follow would be accepted; ``None`` if something would.
    """

    value: FieldValue
    refused: Refusal | None = None


class ToChoose(Struct, frozen=True, omit_defaults=True):
    """A field that leaves a choice.

    Attributes:
        field: Its name as it is recorded.
        names: What its texts name, such as ``combatant``; empty where it holds numbers, or yes and no.
        choices: What it might be; nothing where it can be anything.
        open: Whether it can be anything: free words, or a number that the rules do not bound.
        usual: What it is where it is left out, if that is a choice; not there if it must be said.
        chosen: What it was taken to be; not there if that is still to be said.
    """

    field: str
    names: str
    choices: list[Value]
    open: bool = False
    usual: FieldValue | UnsetType = UNSET
    chosen: FieldValue | UnsetType = UNSET


class HowMay(Struct, frozen=True):
    """The open fields of an action, or the whole declaration.

    Attributes:
        head: The position at which this is so.
        fields: Those that leave a choice beyond what was chosen; of the last one it is still to be said what it is,
            unless the whole is there.
        whole: The action with everything chosen.
        refused: Why nothing that could follow would be accepted.
        prospect: What the whole promises.
        promises: The same in a line.
        farther: Whether more ways may lead somewhere than were looked at, which are those to the nearest places.
    """

    head: int
    fields: list[ToChoose]
    whole: MayDeclare | None = None
    refused: Refusal | None = None
    prospect: Prospect | None = None
    promises: str = ""
    farther: bool = False


class MayDoTo(Struct, frozen=True, omit_defaults=True):
    """An action against a target, as far as it is chosen.

    Attributes:
        kind: Its name.
        says: What it does, in a few words.
        aims: Which of its fields says at whom.
        fields, whole, refused, prospect, promises: As in ``HowMay``, with what nobody chose as usual.
    """

    kind: ActionName
    says: str
    aims: str
    fields: list[ToChoose]
    whole: MayDeclare | None = None
    refused: Refusal | None = None
    prospect: Prospect | None = None
    promises: str = ""


class WhatMayTo(Struct, frozen=True):
    """The actions of a combatant against or for another, in one manner.

    Attributes:
        head: The position at which this is so.
        who, whom: Who, and to whom.
        manner: How it is declared.
        kinds: Every action that can be aimed at somebody, those that are possible first.
    """

    head: int
    who: CombatantId
    whom: CombatantId
    manner: str
    kinds: list[MayDoTo]


class WayTo(Struct, frozen=True, omit_defaults=True):
    """A way to a place.

    Attributes:
        to: The place.
        intent: Ready to be sent.
        prospect: What the way costs, and what it provokes.
    """

    to: PlaceId
    intent: Declared
    prospect: Prospect


class WhereMay(Struct, frozen=True):
    """The places that a combatant can reach in one manner.

    Attributes:
        head: The position at which this is so.
        who: Who.
        manner: How it is declared.
        ways: The ways to every place in reach; of several to one place that provoke the same, the usual one.
        farther: Whether more places may be in reach than were looked at, which are the nearest.
    """

    head: int
    who: CombatantId
    manner: str
    ways: list[WayTo]
    farther: bool = False


class Likely(Struct, frozen=True):
    """The likely declarations of a combatant in one manner.

    Attributes:
        head: The position at which this is so.
        who: Who.
        manner: How it is declared.
        whole: The first thing that a sensible fighter would declare; nothing where the rules have no word on that.
        prospect, promises: As in ``HowMay``.
    """

    head: int
    who: CombatantId
    manner: str
    whole: MayDeclare | None
    prospect: Prospect | None = None
    promises: str = ""
