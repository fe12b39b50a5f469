"""The cost of a fight: what is used up, worn, lost or suffered at its end.

The vocabulary of a rule system declares which pools, conditions and counters outlast a fight (``lasts``). Usage
dice and items always do.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from affray.engine.core.draft import Draft
from affray.engine.core.state import Combatant, State
from affray.engine.core.vocabulary import Vocabulary
from affray.events import Id


class LastingNumber(NamedTuple):
    """A number that outlasts a fight.

    Attributes:
        kind: The count of a condition, a counter of an item, the size of its usage die, or its loss (0 or 1).
        of: The combatant or the item.
        name: The condition or the counter; empty for a die and for a loss.
    """

    kind: Literal["condition", "counter", "die", "gone"]
    of: Id
    name: str = ""


def read_lasting_number(state: State, cost: LastingNumber) -> int:
    """Return such a number in a state; 0 where it does not exist."""
    if cost.kind == "condition":
        one = state.combatants.get(cost.of)
        return _count_condition(one, cost.name) if one is not None else 0
    item = state.items.get(cost.of)
    if cost.kind == "gone" or item is None:
        return int(item is None)
    return item.die if cost.kind == "die" else item.counters.get(cost.name, 0)


def find_changed_numbers(before: State, after: Draft, words: Vocabulary) -> dict[LastingNumber, int]:
    """Return the numbers that a fight has changed, with their present values.

    Gains of new items cost nothing.
    """
    found: dict[LastingNumber, int] = {}
    conditions, counters = words.lasting("conditions"), words.lasting("counters")
    for who, one in before.combatants.items():
        now = after.combatants.get(who)
        if now is None or now.conditions is one.conditions:
            continue
        for name in conditions.intersection({*one.conditions, *now.conditions}):
            if (many := _count_condition(now, name)) != _count_condition(one, name):
                found[LastingNumber("condition", who, name)] = many
    for id, item in before.items.items():
        thing = after.items.get(id)
        if thing is item:
            continue
        if thing is None:
            found[LastingNumber("gone", id)] = 1
            continue
        if thing.die != item.die:
            found[LastingNumber("die", id)] = thing.die
        for name in counters.intersection(thing.counters):
            if thing.counters[name] != item.counters.get(name, 0):
                found[LastingNumber("counter", id, name)] = thing.counters[name]
    return found


def _count_condition(one: Combatant, condition: str) -> int:
    return sum(one.conditions.get(condition, {}).values())
