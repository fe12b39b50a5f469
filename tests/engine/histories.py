"""Records written by hand, command by command."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec import Raw

from affray.engine.history.timeline import History
from affray.events import Event, Faces, FightOpened, Noted, Rolled, Ruled, seal

OPENED = FightOpened(
    format=2, fight="by hand", system="vestige", version="1", digest="", config={}, commitment="a seed"
)


def history(*commands: Event | Iterable[Event], who: str = "gm", opened: FightOpened = OPENED) -> History:
    """Return a record of these commands, each one event or several, behind the opening of a fight."""
    made = History()
    for command in (opened, *commands):
        also(made, command, who=who)
    return made


def also(made: History, command: Event | Iterable[Event], *, who: str) -> None:
    """Add a command of a sender."""
    events = [command] if isinstance(command, Event) else list(command)
    recorded, _ = seal(events, after=made.head, previous=made.head_hash, time="", who=who, cause=f"c{made.head}")
    made.add(recorded)


def make_note_ruling(text: str) -> Ruled:
    """Return the ruling that something is noted."""
    return Ruled(kind="note", params=Raw(msgspec.json.encode({"text": text})), reason="so")


A, B, C, D = ((make_note_ruling(one), Noted(text=one)) for one in "abcd")
"""Commands of two events each: the first is at positions 2 and 3, the second at 4 and 5 …"""


def make_roll(roll: str, *faces: int, sides: int = 6, by: str = "ilse", source: str = "engine") -> Rolled:
    """Return a roll of one group of dice."""
    return Rolled(
        roll=roll,
        by=by,
        purpose="attack",
        dice=(Faces(sides=sides, faces=faces, kind="attack"),),
        total=sum(faces),
        source=source,
    )
