"""Sizes of fights: what is asked of a large one is worked out in a thread."""

from itertools import chain

from affray.engine.core.state import State
from affray.engine.fight import Fight

LARGE = 100
"""With more combatants than that in a fight, whatever it is asked is worked out in a thread: it takes milliseconds."""

HEAVY = 1_000
"""The same of all entries of its state: things, marks, conditions, relations and so on, each of which is a command."""

LONG = 5_000
"""The same of its events, where all of them are gone through."""

AT_ONCE = 500
"""How many combatants times views are looked at at once when something is new; more are in a thread, view by view."""

ENTRIES_AT_ONCE = 5 * AT_ONCE
"""The same of entries and new lines times views."""


def entries_in(state: State) -> int:
    """Count the entries of a state: combatants and all that is kept of them, things, places, relations, marks."""
    people = [*state.combatants.values(), *state.departed.values()]
    flat = (
        *(state.items, state.places, state.distances, state.views, state.counts, state.slots, state.postponed),
        *state.marks.values(),
        *(relation.members for relation in state.relations.values()),
        *chain.from_iterable((one.stats, one.traits, one.pools, *one.conditions.values()) for one in people),
    )
    return len(people) + sum(map(len, flat))


def is_large(fight: Fight) -> bool:
    """Tell whether a fight holds so much that its answers are computed in threads."""
    state = fight.state
    return len(state.combatants) > LARGE or entries_in(state) > HEAVY


def are_many(views: int, lines: int, state: State) -> bool:
    """Tell whether so many views of a state take long, behind so many new lines."""
    return len(state.combatants) * views > AT_ONCE or (entries_in(state) + lines) * views > ENTRIES_AT_ONCE
