"""The legal actions as programs get them: actors, actions, then field by field, with refusals."""

from msgspec import UNSET, Struct, UnsetType

from affray.engine.core.preview import Prospect
from affray.events import ActionName, AnySource, Clause, CombatantId, Declared, Dice, Option, Passed, PlaceId
from affray.tools.present.perils import ShownPeril


class Refusal(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The reason why an action may not be declared.

    Attributes:
        code: The reason as a code; ``unusable`` for a request that cannot be parsed.
        message: The reason as a sentence.
        rule: The clause that forbids the action.
        source: The cause of the refusal: the id or name of a thing, or a struct, such as for a view.
        field: The field whose value cannot be parsed.
    """

    code: str
    message: str
    rule: Clause = ""
    source: AnySource = ""
    field: str = ""


class Mover(Struct, frozen=True):
    """A combatant that may declare an action now, and the manner of declaring it."""

    who: CombatantId
    manner: str


class MayAnswer(Struct, frozen=True, tag_field="kind", tag="answer"):
    """A pending question, with its options.

    Attributes:
        says: The question as a sentence, with its recipients and the roll it is about.
        asks: The same sentence without the roll, for a client that shows the roll separately.
        meant: The declaration that is unresolved meanwhile, as a sentence; empty without one.
        rolled: The roll that the question is about, with its dice and the result so far; empty without one.
        stakes: The stakes of each option, by option.
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
    """A pass in an open window, as an intent to send and as a typed command."""

    intent: Passed
    says: str
    line: str


class MayEnter(Struct, frozen=True, tag_field="kind", tag="faces"):
    """Real dice that must be entered."""

    roll: str
    by: str
    purpose: str
    dice: tuple[Dice, ...]
    says: str


class MayDeclare(Struct, frozen=True, tag_field="kind", tag="declaration"):
    """A complete legal action, as an intent to send and as a typed command."""

    intent: Declared
    says: str
    line: str


Awaits = MayAnswer | MayPass | MayEnter


class WhoMay(Struct, frozen=True):
    """The combatants that may act now, and the awaited inputs.

    Attributes:
        head: The log position that the answer is for.
        actors: The combatants that may declare an action, once for each manner.
        waits: The awaited answers, dice and passes.
        meant: The latest unresolved declaration, as a sentence; empty without one.
        headline: The combatant whose turn it is, or the input that the table waits for, as a sentence for the viewer.
        perils: The dangers to the combatants that the viewer sees, the gravest first.
    """

    head: int
    actors: list[Mover]
    waits: list[Awaits]
    meant: str
    headline: str = ""
    perils: list[ShownPeril] = []


class Kind(Struct, frozen=True, omit_defaults=True):
    """An action that a combatant has.

    Attributes:
        kind: The action's name.
        says: The action's effect, in a few words.
        fields: The action's fields, in the order in which they are chosen.
        refused: The reason why no choice of fields makes the action legal now; ``None`` if it is legal.
    """

    kind: ActionName
    says: str
    fields: tuple[str, ...] = ()
    refused: Refusal | None = None


class WhatMay(Struct, frozen=True):
    """The actions of a combatant in one manner. Illegal ones carry their refusal.

    Attributes:
        head: The log position that the answer is for.
        who: The combatant.
        manner: The manner of declaring.
        kinds: Every action that the combatant has.
    """

    head: int
    who: CombatantId
    manner: str
    kinds: list[Kind]


FieldValue = str | int | bool | tuple[str, ...] | None
"""A value of an action's field."""


class Value(Struct, frozen=True, omit_defaults=True):
    """A candidate for a field.

    Attributes:
        value: The value as it is recorded.
        refused: The reason why no completion of the action with this value is legal; ``None`` if one is.
    """

    value: FieldValue
    refused: Refusal | None = None


class ToChoose(Struct, frozen=True, omit_defaults=True):
    """A field of an action that is still open to choose.

    Attributes:
        field: The field's name as it is recorded.
        names: The kind of thing that its texts name, such as ``combatant``; empty for numbers and booleans.
        choices: The candidate values; empty if the field is open.
        open: Whether any value is possible: free text, or a number without bounds.
        usual: The default value; absent if the field is required or its default is not legal.
        chosen: The value that was filled in; absent if the client must still choose.
    """

    field: str
    names: str
    choices: list[Value]
    open: bool = False
    usual: FieldValue | UnsetType = UNSET
    chosen: FieldValue | UnsetType = UNSET


class HowMay(Struct, frozen=True):
    """The fields of an action that are open to choose, or the whole declaration.

    Attributes:
        head: The log position that the answer is for.
        fields: The fields that leave a choice beyond those given. The last one is still to be chosen, unless ``whole``
            is there.
        whole: The complete action, if every field is chosen.
        refused: The reason why no completion of the action is legal.
        prospect: The preview of the complete action.
        promises: The preview as one line of text.
        farther: Whether the rules list more values than were tried; values for near places are tried first.
    """

    head: int
    fields: list[ToChoose]
    whole: MayDeclare | None = None
    refused: Refusal | None = None
    prospect: Prospect | None = None
    promises: str = ""
    farther: bool = False


class MayDoTo(Struct, frozen=True, omit_defaults=True):
    """An action against a target, with the fields that are chosen so far.

    Attributes:
        kind: The action's name.
        says: The action's effect, in a few words.
        aims: The field that holds the target.
        fields, whole, refused, prospect, promises: As in ``HowMay``, with defaults for all fields that are not chosen.
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
    """The actions of a combatant against or for a target, in one manner.

    Attributes:
        head: The log position that the answer is for.
        who, whom: The acting combatant, and the target.
        manner: The manner of declaring.
        kinds: Every action that takes a combatant as its target, legal ones first.
    """

    head: int
    who: CombatantId
    whom: CombatantId
    manner: str
    kinds: list[MayDoTo]


class WayTo(Struct, frozen=True, omit_defaults=True):
    """A way to move to a place.

    Attributes:
        to: The place.
        intent: The intent to send.
        prospect: The preview of the move: its cost, and the opponents it provokes.
    """

    to: PlaceId
    intent: Declared
    prospect: Prospect


class WhereMay(Struct, frozen=True):
    """The places that a combatant can reach in one manner.

    Attributes:
        head: The log position that the answer is for.
        who: The combatant.
        manner: The manner of declaring.
        ways: The ways to every place in reach. Ways to one place are listed once for each set of provoked opponents.
        farther: Whether more places may be in reach; only the nearest were tried.
    """

    head: int
    who: CombatantId
    manner: str
    ways: list[WayTo]
    farther: bool = False


class Likely(Struct, frozen=True):
    """The likely declaration of a combatant in one manner.

    Attributes:
        head: The log position that the answer is for.
        who: The combatant.
        manner: The manner of declaring.
        whole: The action that the rule system's policy prefers; ``None`` if it prefers none.
        prospect, promises: As in ``HowMay``.
    """

    head: int
    who: CombatantId
    manner: str
    whole: MayDeclare | None
    prospect: Prospect | None = None
    promises: str = ""
