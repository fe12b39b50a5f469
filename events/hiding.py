"""Events that hide facts from some viewers; envelopes hold the audiences."""

from typing import Literal

from .refs import CombatantId, PoolName, SideName
from .root import Event


class Concealed(Event, frozen=True, kw_only=True):
    """A combatant was concealed or revealed.

    While it is concealed, only its player and the game master may know that it is there.

    Attributes:
        who: Combatant id; it may join later.
        concealed: Whether it is hidden from here on.
    """

    who: CombatantId
    concealed: bool


class Veiled(Event, frozen=True, kw_only=True):
    """Counters of a combatant were hidden or shown.

    While they are hidden, only its player and the game master may read them. Others see an estimate.

    Attributes:
        who: Combatant id.
        pools: The counters that are hidden from here on, each with the value that counts as unhurt; empty for none.
    """

    who: CombatantId
    pools: dict[PoolName, int]


FoeDetail = Literal["open", "rough", "hidden"]
"""What players read of a foe: its numbers, a word for what it has left, or neither."""


class FoesSet(Event, frozen=True, kw_only=True):
    """The setting of a fight was changed that says what players read of their foes.

    ``Veiled`` events follow, one for each foe. Unless the setting is ``open``, sheets and numbers of things of foes are
    hidden too.

    Attributes:
        show: What they read.
        heroes: The sides of the players. The combatants of all other sides are foes.
    """

    show: FoeDetail
    heroes: tuple[SideName, ...] = ()


class Released(Event, frozen=True, kw_only=True):
    """Sealed words about concealed combatants became readable by all viewers.

    Attributes:
        positions: The log positions of the commands that hold them; empty for all words so far.
    """

    positions: tuple[int, ...] = ()
