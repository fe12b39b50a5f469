"""How ids and names are put together, taken apart in one place.

A thing is called after its first owner, with a dot between; what a roll or a question is about may be followed by a
colon and whom it is about; a roll, a question and a window of a pending action have its three parts before their own.
Where several turns of a round may ask one for the same roll, the slot whose turn it is stands behind an ``@``.

A pending action is round, actor, and its kind and number with a dot between: ``1/ilse/attack.2``. In dice scheme 1 the
number stands alone: ``1/ilse/2``.
"""

from .refs import Id


def owner_of(item: str) -> Id:
    """Return the first owner of an item, or whose a part of a source is."""
    return item.partition(".")[0]


def topic_of(name: str) -> str:
    """Return what a roll or question is about, without whom it is about."""
    return name.partition(":")[0]


def about_of(name: str) -> Id:
    """Return whom a roll or question is about; empty if it does not say."""
    return name.partition(":")[2]


APART = ".apart"
"""Behind the kind of a ruling that is numbered apart from the others of its kind, as in ``1/gm/harm.apart.2``."""


def is_declaration(part: str) -> bool:
    """Tell whether a part of a path numbers a declaration: ``attack.2``, or ``2`` in dice scheme 1."""
    kind, _, number = part.partition("#")[0].rpartition(".")
    return number.isdigit() and ":" not in kind


def pending_of(path: str) -> Id:
    """Return the pending action that a roll or question belongs to, whichever its dice, or what stands in its place."""
    first, *rest = path.split("/", 3)[:3]
    return "/".join((first.rpartition(":")[2], *rest))


def name_in(path: str) -> str:
    """Return what a roll or question is about and whom, by its id: without the count of what comes again, or a turn."""
    return path.rpartition("/")[2].partition("#")[0].partition("@")[0]


def asked_in(path: str) -> str:
    """Return what a question is about, by its id."""
    return topic_of(name_in(path))
