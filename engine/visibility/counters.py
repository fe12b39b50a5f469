"""Which numbers of a sheet tell of a counter: until rule systems declare it, those that are named after it."""

import re

from affray.engine.core.state import Combatant

_WITHIN = re.compile(r"[\s_/:-]+")


def whole(combatant: Combatant, pool: str) -> int:
    """Return what counts as unhurt: the sheet's maximum of a counter, or what is in it now."""
    maxima = (combatant.stats.get(name) for name in (f"{pool}_max", f"max_{pool}"))
    return next((one for one in maxima if one is not None), combatant.pools.get(pool, 0))


def tells_of(word: str, pool: str) -> bool:
    """Tell whether a word of the rules, such as a stat, is a counter's name or made of it like ``hp_max``."""
    return word == pool or f"-{_WITHIN.sub('-', pool)}-" in f"-{_WITHIN.sub('-', word)}-"
