"""Events about the record itself: opening, undo, redo, amendments, forks, the end."""

from collections.abc import Mapping
from typing import Literal

from .refs import CombatantId, Hash, NoteKind, RollId, SideName, Text, Words
from .rolls import ShownDice
from .root import Event, Scalar

DICE_SCHEME = 2
"""The dice scheme of new fights."""

DICE_BOUND = 5
"""The first format that names and derives dice by scheme 2."""


def dice_scheme_of(format: int) -> int:
    """Return the dice scheme of fights that are opened in a format."""
    return DICE_SCHEME if format >= DICE_BOUND else 1


class FightOpened(Event, frozen=True, kw_only=True):
    """The stream begins; always its first event.

    Attributes:
        format: Version of the log format the whole stream is written in.
        fight: Name of the fight, for people.
        system, version: The ruleset and its version.
        digest: The SHA-256 of the ruleset's code and data, as hex.
        config: Every configuration key with the value this fight uses.
        commitment: The commitment to the dice seed, as hex; empty where only entered dice are used. From format 6 on an
            HMAC-SHA-256 under the seed, which covers all lines of the opening; before its SHA-256.
        dice_scheme: The scheme that names and derives dice, for the whole record. 1: a declaration is numbered among
            all of its actor's, and the seed is the key. 2: it is numbered among those of its kind, and the key is bound
            to the commitment, or in format 5 to the opening.
    """

    format: int
    fight: Words
    system: Text
    version: Text
    digest: Hash
    config: dict[str, Scalar | tuple[str, ...]]
    commitment: Hash = ""
    dice_scheme: int = 1


class FormatRaised(Event, frozen=True, kw_only=True):
    """A later log format applies from here on.

    Attributes:
        format: The format of every line behind this one.
    """

    format: int


class RulesetAdopted(Event, frozen=True, kw_only=True):
    """Another version of the rules applies from here on; no action was half resolved.

    Attributes:
        version: The ruleset's version.
        digest: SHA-256 over its code and data, as hex.
    """

    version: Text
    digest: Hash


class Rewound(Event, frozen=True, kw_only=True):
    """The effective head moved back; the events after it stay as a lane.

    Attributes:
        to: Position of the last event that still counts.
        lane: Position of the last event that was taken back; ``Restored`` names it to restore the lane.
        commands: The number of commands that were taken back.
        fresh: Whether fresh dice were asked for; ``DiceRenewed`` then follows.
        reason: The reason, in the sender's words.
        request: Position of the player's request that this grants; 0 without one.
    """

    to: int
    lane: int
    commands: int
    fresh: bool = False
    reason: Words = ""
    request: int = 0


class UndoRequested(Event, frozen=True, kw_only=True):
    """A player's request to take back fallen dice; the game master decides.

    Attributes:
        to: Position of the last event that would still count.
        lane: Position of the last event that would be taken back: the head at the time of the request.
        commands: The number of commands that would be taken back.
        reason: The reason, in the player's words.
    """

    to: int
    lane: int
    commands: int
    reason: Words = ""


class UndoDeclined(Event, frozen=True, kw_only=True):
    """The game master declined an undo request; the commands keep counting.

    Attributes:
        request: Position of the request.
        reason: The reason, in the game master's words.
    """

    request: int
    reason: Words = ""


class Restored(Event, frozen=True, kw_only=True):
    """The effective head moved to the end of a lane that had been taken back.

    Attributes:
        lane: Position of the lane's last event, now the head.
        left: Position of the head that was left for it.
        commands: The number of commands that this took back, if an amendment is among them; 0 if a lane was restored.
        fresh: Whether fresh dice were asked for; ``DiceRenewed`` then follows.
        reason: The reason, in the sender's words.
    """

    lane: int
    left: int
    commands: int = 0
    fresh: bool = False
    reason: Words = ""


class Amended(Event, frozen=True, kw_only=True):
    """An earlier command was corrected; the fight is decided again from there.

    The rest of this command records it.

    Attributes:
        position: Position of the input event that was corrected.
        to: Position of the last event before it, where the new lane starts.
        lane: Position of the last event of the lane that was left; ``Restored`` names it to restore the lane.
        retracted: Whether the input was removed and not replaced.
        dropped: Positions of the later inputs that were no longer possible, or no longer asked for.
        reason: The reason, in the sender's words.
    """

    position: int
    to: int
    lane: int
    retracted: bool = False
    dropped: tuple[int, ...] = ()
    reason: Words = ""


class Previewed(Event, frozen=True, kw_only=True):
    """An amendment drew unseen dice and was not carried out: a preview, or a refusal.

    Attributes:
        position: Position of the input event it would have corrected.
        rolls: Ids of the rolls that drew dice for the first time under the present dice key.
        dice: These dice, by roll and group. Earlier releases did not record them.
    """

    position: int
    rolls: tuple[RollId, ...]
    dice: tuple[ShownDice, ...] = ()


class EntropyAdded(Event, frozen=True, kw_only=True):
    """A player added words to the dice key, before the first roll.

    From format 5 on they are accepted only while no die has been previewed either (``Previewed``).

    Attributes:
        words: Free text; all such texts join the seed, in this order.
    """

    words: Words


class Closed(Event, frozen=True, kw_only=True):
    """The record ends; no event follows.

    Attributes:
        seed: The dice seed that the opening committed to, as hex; empty if all dice were entered.
        reason: The reason, in the sender's words.
    """

    seed: Hash = ""
    reason: Words = ""


class Forked(Event, frozen=True, kw_only=True):
    """The stream became a separate what-if; everything before is a parent's copy.

    Attributes:
        fight: The name of this stream.
        parent: The name of the parent stream.
        position: The last position that both streams share. This event follows it directly, or after a ``FormatRaised``
            if the parent has an older format.
        commitment: The commitment to the seed of all later dice, as in ``FightOpened``; the parent's commitment if its
            seed was public. From format 6 on a new one covers this line and all lines before it.
        reason: The reason, in the sender's words.
    """

    fight: Words
    parent: Words
    position: int
    commitment: Hash = ""
    reason: Words = ""


class DiceRenewed(Event, frozen=True, kw_only=True):
    """The engine's dice have new names from here on, so that repeats meet fresh dice.

    Attributes:
        generation: A number, unique in the whole record, that becomes part of every later dice name.
    """

    generation: int


class DiceSourceSet(Event, frozen=True, kw_only=True):
    """The source of a combatant's or side's dice: entered faces, or the engine.

    Attributes:
        owner: Combatant id, or ``*`` for all combatants without another setting; empty if a side is named.
        source: ``engine`` or ``entered``.
        side: A side in place of a combatant: all its combatants without a setting for themselves.
    """

    owner: CombatantId
    source: Text
    side: SideName = ""


PlayerUndo = Literal["consent", "free"]
"""The rule for a player's undo of fallen dice: it needs the game master's consent, or it is free."""


class PlayerUndoSet(Event, frozen=True, kw_only=True):
    """The game master's rule for players' undo of fallen dice, from here on.

    Attributes:
        rule: ``consent`` if the undo waits for the game master (the default), ``free`` if it does not.
    """

    rule: PlayerUndo


class Noted(Event, frozen=True, kw_only=True):
    """A remark without effect: words of a game master, or a note of the rules.

    Attributes:
        text: The words of a game master. Up to format 5 a note of the rules is a text, too; it cites clauses.
        kind: The kind of a note of the rules, which names the meaning of its parts; empty for words.
        parts: The parts of a note of the rules, by name.
    """

    text: Words = ""
    kind: NoteKind = ""
    parts: Mapping[str, Scalar | tuple[str, ...]] = {}
