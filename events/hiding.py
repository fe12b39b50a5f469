"""What is hidden from some viewers. Who may read an event stands in its envelope."""

from .refs import CombatantId, PoolName
from .root import Event


class Concealed(Event, frozen=True, kw_only=True):
    """Nobody but whoever plays a combatant and the game master may know that it is there; or now everybody may.

    Attributes:
        who: Combatant id; it may join later.
        concealed: Whether it is hidden from here on.
    """

    who: CombatantId
    concealed: bool


class Veiled(Event, frozen=True, kw_only=True):
    """Only whoever plays a combatant and the game master may read some of its counters; others see how they stand.

    Attributes:
        who: Combatant id.
        pools: The counters that are hidden from here on, each with what counts as unhurt; empty if none is any more.
    """

    who: CombatantId
    pools: dict[PoolName, int]


class Released(Event, frozen=True, kw_only=True):
    """Words that were only for those who know of somebody concealed are for everybody from here on.

    Attributes:
        positions: In which commands they are, by any of their positions; empty for all that were written so far.
    """

    positions: tuple[int, ...] = ()
