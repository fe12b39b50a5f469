"""Keeping the record itself: opening it, taking back, restoring."""

from __future__ import annotations

from .root import Event, Id, Scalar


class FightOpened(Event, frozen=True, kw_only=True):
    """The stream begins; always its first event.

    Attributes:
        format: Version of the log format the whole stream is written in.
        fight: Name of the fight, for people.
        system, version: The ruleset and its version.
        digest: SHA-256 over the ruleset's code and data, as hex.
        config: Every configuration key with the value this fight uses.
        commitment: SHA-256 of the dice seed, as hex; empty where only entered dice are used.
    """

    format: int
    fight: str
    system: str
    version: str
    digest: str
    config: dict[str, Scalar | tuple[str, ...]]
    commitment: str = ""


class FormatRaised(Event, frozen=True, kw_only=True):
    """From here on the log is written in a later format; a later version goes on with an older log.

    Attributes:
        format: The format of every line behind this one.
    """

    format: int


class Rewound(Event, frozen=True, kw_only=True):
    """The effective head moved back to an earlier position; what lay above stays as a lane of its own.

    Attributes:
        to: Position of the last event that still counts.
        lane: Position of the last event that was taken back; ``Restored`` names it to bring the lane again.
        commands: How many commands were taken back.
        fresh: Whether fresh dice were asked for; ``DiceRenewed`` then follows.
        reason: Why, in the words of whoever asked.
    """

    to: int
    lane: int
    commands: int
    fresh: bool = False
    reason: str = ""


class Restored(Event, frozen=True, kw_only=True):
    """The effective head moved to the end of a lane that had been taken back.

    Attributes:
        lane: Position of the lane's last event, now the head.
        left: Position of the head that was left for it.
        reason: Why, in the words of whoever asked.
    """

    lane: int
    left: int
    reason: str = ""


class DiceRenewed(Event, frozen=True, kw_only=True):
    """From here on the engine's dice have new names, so what is declared again meets fresh dice.

    Attributes:
        generation: Number that joins every name of a die from now on; unique in the whole record.
    """

    generation: int


class DiceSourceSet(Event, frozen=True, kw_only=True):
    """Whose dice are real ones, entered as faces, and whose are the engine's.

    Attributes:
        owner: Combatant id, or ``*`` for everyone not named.
        source: ``engine`` or ``entered``.
    """

    owner: Id
    source: str


class Noted(Event, frozen=True, kw_only=True):
    """A remark for the record, without effect."""

    text: str
