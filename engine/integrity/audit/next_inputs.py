"""Legal inputs of the present, of each kind a few."""

from collections.abc import Iterator
from itertools import islice

from affray.engine.core.ruleset import Ruleset
from affray.engine.core.table import Table
from affray.engine.runtime.offers import AwaitedDice, OpenPass, build_offer_trees, list_awaited
from affray.events import Event

MOST_TRIED = 60
"""The maximum number of inputs that an audit tries."""

MOST_OF_KIND = 3
"""The maximum number of declarations of one kind by one combatant."""


def list_next_inputs(ruleset: Ruleset, table: Table) -> Iterator[Event]:
    """Yield legal declarations, answers, passes and entries of dice.

    Raises:
        RulesFailed: the rules fail on the state that the record led to.
    """
    for way in list_awaited(table):
        if isinstance(way, OpenPass):
            yield way.intent
        elif isinstance(way, AwaitedDice):
            yield way.intent(*[1 for dice in way.dice for _ in range(dice.count)])
        else:
            for option in way.options:
                yield way.intent(option)
    for offers in build_offer_trees(ruleset, table):
        for form in offers.forms:
            for action in islice(offers.leaves_of(form.kind), MOST_OF_KIND):
                yield offers.intent(action)
