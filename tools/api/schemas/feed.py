"""Structs of the feed besides snapshots and lines, each with the head's position."""

from msgspec import Struct


class _AtHead(Struct, frozen=True):
    head: int


class Ready(_AtHead, frozen=True, tag="ready"):
    """Message that everything up to the head has been sent."""


class Settled(_AtHead, frozen=True, tag="settled"):
    """Message that all recorded lines were sent: a command sent now may expect this head."""


class Lagging(_AtHead, frozen=True, tag="lagging"):
    """Message that the client is too slow and its stream ends; it may come again and go on where it stood."""


class Halted(_AtHead, frozen=True, tag="halted"):
    """Message that the log was changed or removed: the fight stops, and its streams end."""


class PresenceChanged(_AtHead, frozen=True, tag="present"):
    """Message that a player has come or gone, so that the client can ask again who is there."""


class SceneChanged(_AtHead, frozen=True, tag="scene"):
    """Message that the scene has changed as far as the viewer sees it, so that the client can ask for it again."""


class HeadlineChanged(_AtHead, frozen=True, tag="headline"):
    """Message with the headline at the head of the fight."""

    says: str


class Heartbeat(Struct, frozen=True, tag="beat"):
    """Heartbeat: the connection is alive, though nothing happens."""


Beside = Ready | Settled | Lagging | Halted | PresenceChanged | SceneChanged | HeadlineChanged | Heartbeat
"""Every message that carries no part of the record."""
