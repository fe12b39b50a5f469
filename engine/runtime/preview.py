"""The preview of a legal action: the system's preview, and the action's costs."""

from msgspec.structs import replace

from affray.engine.core.actions import Action
from affray.engine.core.effects import Ask, Go, Interrupted, Roll, Rule
from affray.engine.core.preview import Cost, Prospect
from affray.engine.core.rule_faults import convert_rule_errors
from affray.events import Id, PoolChanged

from .offer_tree import Offers

STOPS = Roll | Ask | Go | Interrupted
"""The effects that end the preview of a payment: its rest depends on more than the table."""


def preview_action(offers: Offers, action: Action) -> Prospect:
    """Preview a legal action.

    Its costs are those of the declaration, and those that the system adds.

    Raises:
        Senseless: the rules fail on the state that the record led to, or on hidden facts.
    """
    ruleset, table = offers.ruleset, offers.table
    with convert_rule_errors(ruleset, table.draft):
        found = ruleset.presentation.preview(table, offers.actor, action, offers.manner)
        costs = _list_costs(action.pay(table, offers.actor, offers.manner), offers.actor)
    return replace(found, costs=(*costs, *found.costs)) if costs else found


def _list_costs(paying: Rule[object], actor: Id) -> tuple[Cost, ...]:
    """Return what a payment takes from the actor's counters.

    It ends at the first effect that depends on more than the table.
    """
    taken: dict[str, int] = {}
    for one in paying:
        if isinstance(one, STOPS):
            paying.close()
            break
        if isinstance(one, PoolChanged) and one.who == actor:
            taken[one.pool] = taken.get(one.pool, 0) + one.before - one.after
    return tuple([Cost(pool, amount) for pool, amount in taken.items() if amount])
