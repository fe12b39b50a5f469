"""Size limits above which work on a fight runs in a thread instead of on the event loop."""

from itertools import chain

from affray.engine.core.state import State
from affray.engine.fight import Fight

LARGE = 100
"""With more combatants than this, every query of a fight takes milliseconds and runs in a thread."""

HEAVY = 1_000
"""The same limit for the entries of its state: things, marks, conditions, relations and so on."""

LONG = 5_000
"""The same limit for its events, for work that goes through all of them."""

AT_ONCE = 500
"""The most combatants times views that are updated on the event loop; more are updated in threads, view by view."""

ENTRIES_AT_ONCE = 5 * AT_ONCE
"""The same limit for entries and new lines, times views."""


def count_entries(state: State) -> int:
    """Count the entries of a state: combatants and all that is stored of them, things, places, relations, marks."""
    people = [*state.combatants.values(), *state.departed.values()]
    flat = (
        *(state.items, state.places, state.counts, state.slots, state.postponed),
        *(*state.distances.values(), *state.views.values()),
        *(by for held in (*state.marks.values(), *state.mark_parts.values()) for by in held.values()),
        *(relation.members for relation in state.relations.values()),
        *chain.from_iterable((one.stats, one.traits, one.pools, *one.conditions.values()) for one in people),
    )
    return len(people) + sum(map(len, flat))


def is_large(fight: Fight) -> bool:
    """Tell whether a fight is so large that its queries run in threads."""
    state = fight.state
    return len(state.combatants) > LARGE or count_entries(state) > HEAVY


def is_slow_update(views: int, lines: int, state: State) -> bool:
    """Tell whether updating so many views by so many new lines takes long."""
    return len(state.combatants) * views > AT_ONCE or (count_entries(state) + lines) * views > ENTRIES_AT_ONCE
