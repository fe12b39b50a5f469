"""What a declaration promises that would be accepted: what the system says of it, and what it costs."""

from msgspec.structs import replace

from affray.engine.core.actions import Action
from affray.engine.core.effects import Ask, Go, Interrupted, Roll, Rule
from affray.engine.core.prospect import Cost, Prospect
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
        costs = _taken(action.pay(table, offers.actor, offers.manner), offers.actor)
    return replace(found, costs=(*costs, *found.costs)) if costs else found


def _taken(paying: Rule[object], actor: Id) -> tuple[Cost, ...]:
    """Return what a rule takes from somebody's counters, as far as that follows from the table alone."""
    taken: dict[str, int] = {}
    for one in paying:
        if isinstance(one, STOPS):
            paying.close()
            break
        if isinstance(one, PoolChanged) and one.who == actor:
            taken[one.pool] = taken.get(one.pool, 0) + one.before - one.after
    return tuple([Cost(pool, amount) for pool, amount in taken.items() if amount])
