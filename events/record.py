"""Events about the record itself: opening, undo, redo, amendments, forks, the end."""

from typing import Literal

from .refs import CombatantId, Hash, RollId, SideName, Text, Words
from .rolls import ShownDice
from .root import Event, Scalar

DICE_SCHEME = 2
"""The dice scheme of new fights."""

DICE_BOUND = 5
"""The first format whose fights name and derive their dice by scheme 2."""


def dice_scheme_of(format: int) -> int:
    """Return the dice scheme of a fight that was opened in a format."""
    return DICE_SCHEME if format >= DICE_BOUND else 1


class FightOpened(Event, frozen=True, kw_only=True):
    """The stream begins; always its first event.

    Attributes:
        format: Version of the log format the whole stream is written in.
        fight: Name of the fight, for people.
        system, version: The ruleset and its version.
        digest: SHA-256 over the ruleset's code and data, as hex.
        config: Every configuration key with the value this fight uses.
        commitment: SHA-256 of the dice seed, as hex; empty where only entered dice are used.
        dice_scheme: How dice are named and derived from the seed, for the whole record. 1: a declaration is numbered
            among all of its actor, and the seed is the key. 2: it is numbered among those of its kind, and the key is
            bound to the opening.
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
    """From here on the log is written in a later format; a later version goes on with an older log.

    Attributes:
        format: The format of every line behind this one.
    """

    format: int


class RulesetAdopted(Event, frozen=True, kw_only=True):
    """From here on the fight goes by another version of its rules; recorded while nothing was half resolved.

    Attributes:
        version: The ruleset's version.
        digest: SHA-256 over its code and data, as hex.
    """

    version: Text
    digest: Hash


class Rewound(Event, frozen=True, kw_only=True):
    """The effective head moved back to an earlier position; what lay above stays as a lane of its own.

    Attributes:
        to: Position of the last event that still counts.
        lane: Position of the last event that was taken back; ``Restored`` names it to bring the lane again.
        commands: How many commands were taken back.
        fresh: Whether fresh dice were asked for; ``DiceRenewed`` then follows.
        reason: Why, in the words of whoever asked.
        request: Position of the player's request that this grants; 0 where nobody had to ask.
    """

    to: int
    lane: int
    commands: int
    fresh: bool = False
    reason: Words = ""
    request: int = 0


class UndoRequested(Event, frozen=True, kw_only=True):
    """A player's request to take back commands with fallen dice; the game master decides.

    Attributes:
        to: Position of the last event that would still count.
        lane: Position of the last event that would be taken back: the head when the player asked.
        commands: How many commands that are.
        reason: Why, in the player's words.
    """

    to: int
    lane: int
    commands: int
    reason: Words = ""


class UndoDeclined(Event, frozen=True, kw_only=True):
    """The game master declines a request; what was to be taken back counts.

    Attributes:
        request: Position of the request.
        reason: Why, in the game master's words.
    """

    request: int
    reason: Words = ""


class Restored(Event, frozen=True, kw_only=True):
    """The effective head moved to the end of a lane that had been taken back.

    Attributes:
        lane: Position of the lane's last event, now the head.
        left: Position of the head that was left for it.
        commands: How many commands this took back, where an amendment is among them; 0 where a lane was brought again.
        fresh: Whether fresh dice were asked for; ``DiceRenewed`` then follows.
        reason: Why, in the words of whoever asked.
    """

    lane: int
    left: int
    commands: int = 0
    fresh: bool = False
    reason: Words = ""


class Amended(Event, frozen=True, kw_only=True):
    """One earlier command was corrected; what follows in this command is the fight decided again from there.

    Attributes:
        position: Of the input event that was corrected.
        to: Position of the last event before it, from which the new lane goes on.
        lane: Position of the last event of the lane that was left; ``Restored`` names it to bring that again.
        retracted: Whether nothing was put in its place.
        dropped: Positions of the later inputs that were no longer possible, or no longer asked for.
        reason: Why, in the words of whoever asked.
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
        position: Of the input event it would have corrected.
        rolls: Ids of the rolls in which dice were drawn for the first time under the present key of the dice.
        dice: These dice, by roll and group. Earlier releases did not record them.
    """

    position: int
    rolls: tuple[RollId, ...]
    dice: tuple[ShownDice, ...] = ()


class EntropyAdded(Event, frozen=True, kw_only=True):
    """Somebody stirred words of their own into the dice, after the commitment and before the first roll.

    From format 5 on no die was looked at by then either (``Previewed``).

    Attributes:
        words: Anything; together with all others and in this order they join the seed.
    """

    words: Words


class Closed(Event, frozen=True, kw_only=True):
    """The record ends; nothing follows.

    Attributes:
        seed: The dice seed the opening committed to, as hex; empty where all dice were entered.
        reason: Why, in the words of whoever closed it.
    """

    seed: Hash = ""
    reason: Words = ""


class Forked(Event, frozen=True, kw_only=True):
    """The stream so far is another fight's, line by line; from here on it is a what-if of its own.

    Attributes:
        fight: What this stream is called.
        parent: What the other one is called.
        position: The position up to which both are the same. What lies behind it is this stream's own: this event,
            and before it that the format is raised, where the other one's is an older one.
        commitment: SHA-256 of the seed of every die from here on, as hex; the parent's where that seed was public. In
            dice scheme 2 another seed than the parent's is bound to the hash of this line, and so to all before it.
        reason: Why, in the words of whoever forked it.
    """

    fight: Words
    parent: Words
    position: int
    commitment: Hash = ""
    reason: Words = ""


class DiceRenewed(Event, frozen=True, kw_only=True):
    """From here on the engine's dice have new names, so what is declared again meets fresh dice.

    Attributes:
        generation: Number that joins every name of a die from now on; unique in the whole record.
    """

    generation: int


class DiceSourceSet(Event, frozen=True, kw_only=True):
    """Whose dice are real ones, entered as faces, and whose are the engine's.

    Attributes:
        owner: Combatant id, or ``*`` for everyone not named; empty where it is a side.
        source: ``engine`` or ``entered``.
        side: Instead of a combatant a side: all who fight for it and are not named themselves.
    """

    owner: CombatantId
    source: Text
    side: SideName = ""


PlayerUndo = Literal["consent", "free"]
"""Whether a player's undo of fallen dice waits for the game master's consent."""


class PlayerUndoSet(Event, frozen=True, kw_only=True):
    """The game master's rule for players' undo of fallen dice, from here on.

    Attributes:
        rule: ``consent`` if the undo waits for the game master (the default), ``free`` if it does not.
    """

    rule: PlayerUndo


class Noted(Event, frozen=True, kw_only=True):
    """A remark for the record, without effect."""

    text: Words
