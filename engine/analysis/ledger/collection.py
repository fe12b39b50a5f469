"""Collect the chances of a fight, and count them by combatant and outcome."""

from collections.abc import Iterable

from msgspec.structs import replace

from affray.engine.history.timeline import History, head_left
from affray.events import Id

from .chance import FATES, Chance, Fate
from .scan import ChanceScan


def collect_chances(history: History, *, undone: bool = False) -> list[Chance]:
    """Return every effective chance, in order.

    Args:
        undone: Whether to include chances and replies that were taken back.
    """
    lines = [history.path]
    if undone:
        left = [tip for one in history.recorded if (tip := head_left(one.event))]
        lines = [*map(history.list_ancestors, left), history.path]
    found: dict[int, Chance] = {}
    for line in lines:
        for chance in ChanceScan(history).scan(line):
            earlier = found.get(chance.position)
            found[chance.position] = _merge(earlier, chance) if earlier else chance
    return [found[position] for position in sorted(found)]


def tally_chances(chances: Iterable[Chance]) -> dict[Id, dict[Fate, int]]:
    """Count the outcomes of effective chances by combatant, in order of first chance."""
    counted: dict[Id, dict[Fate, int]] = {}
    for chance in chances:
        for reply in chance.replies:
            if not reply.undone:
                counted.setdefault(reply.who, dict.fromkeys(FATES, 0))[reply.fate] += 1
    return counted


def _merge(one: Chance, other: Chance) -> Chance:
    """Merge two lanes' accounts of one chance; the second is the effective one."""
    past = tuple(reply for reply in one.replies if reply.fate != "open" and reply not in other.replies)
    said = {reply.who for reply in past}
    rest = tuple(reply for reply in other.replies if not (reply.undone and reply.fate == "open" and reply.who in said))
    return replace(other, replies=tuple(sorted(past + rest, key=lambda reply: reply.position or float("inf"))))
