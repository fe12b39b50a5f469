"""What a declaration promises that would be accepted: what the system says of it, and what it costs."""

from contextlib import closing

from msgspec.structs import replace

from affray.engine.core.actions import Action
from affray.engine.core.effects import Ask, Go, Interrupted, Roll
from affray.engine.core.prospect import Cost, Prospect
from affray.engine.core.table import Table
from affray.engine.errors import followed_by
from affray.events import Id, PoolChanged

from .tree import Offers

STOPS = Roll | Ask | Go | Interrupted
"""What ends a look at what is paid: from there on it depends on more than the table."""


def prospect_of(offers: Offers, action: Action) -> Prospect:
    """Return what an action promises that would be accepted.

    What it costs is what declaring it takes at once, and what the system says besides.

    Raises:
        Senseless: the rules stumble over what the record led to, or over what is hidden.
    """
    ruleset, table = offers.ruleset, offers.table
    with followed_by(ruleset.name):
        found = ruleset.prospect(table, offers.actor, action, offers.manner)
        costs = _costs(table, offers.actor, action, offers.manner)
    return replace(found, costs=(*costs, *found.costs)) if costs else found


def _costs(table: Table, actor: Id, action: Action, manner: str) -> tuple[Cost, ...]:
    """Return what declaring takes from the actor's counters, as far as that follows from the table alone."""
    taken: dict[str, int] = {}
    with closing(action.pay(table, actor, manner)) as paid:
        for one in paid:
            if isinstance(one, STOPS):
                break
            if isinstance(one, PoolChanged) and one.who == actor:
                taken[one.pool] = taken.get(one.pool, 0) + one.before - one.after
    return tuple([Cost(pool, amount) for pool, amount in taken.items() if amount])
