"""Names with marks of a sentence stand in quotes in what the rules refuse, as they do in the story."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

import pytest
from msgspec.structs import replace

from affray.engine.core.awaiting import describe_awaited
from affray.engine.core.draft import Draft
from affray.engine.core.state import State
from affray.engine.core.table import Table
from affray.engine.runtime.offer_tree import Offers
from tests.engine.waiting import moments
from tests.rulesets.offered import Unchecked
from tests.rulesets.systems import SYSTEMS

TAIL = ": dead"
"""What is added to every name of a combatant, a thing and a side."""

MOST = 6
"""How many ways of each action are tried."""

MOMENTS = 40


def named_oddly(state: State) -> State:
    """Return a state in which every combatant, thing and side has a name with a colon."""
    people = {id: replace(one, name=one.name + TAIL, side=one.side + TAIL) for id, one in state.combatants.items()}
    things = {id: replace(one, name=one.name + TAIL) for id, one in state.items.items()}
    return replace(state, combatants=people, items=things)


def list_refusals(system: str) -> Iterator[str]:
    """List the refusals of actions to combatants, at any awaited input."""
    for moment in moments(system)[:MOMENTS]:
        fight = moment.fight()
        table = Table(Draft(named_oddly(fight.state)), fight.table.config)
        yield describe_awaited(table.draft, fight.ruleset.vocabulary)
        for who in table.draft.combatants:
            offers = Offers(fight.ruleset, table, who, "standard")
            for form in fight.ruleset.actions.values():
                for action in islice(Unchecked(offers, form).leaves(), MOST):
                    refused = offers.refusal_of(action)
                    if refused is not None:
                        yield refused.message


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_refusal_quotes_names_with_marks_of_a_sentence(system: str) -> None:
    """Names of combatants, things and sides; the words outside of quotes are the engine's."""
    said = set(list_refusals(system))
    assert sum(TAIL in one for one in said) > MOST
    assert not [one for one in said if TAIL in re.sub("“[^“”]*”", "", one)]
