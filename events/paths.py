"""The syntax of ids and names that are paths, with functions that take them apart.

An item's id is its first owner, a dot, and its own name. The name of a roll or a question may end in a colon and the
combatant it is about. The id of a roll, question or window begins with the three parts of its pending action. Where
several turns of a round may roll under the same name, the name ends in ``@`` and the active slot.

A pending action is round, actor, and its kind and number with a dot between: ``1/ilse/attack.2``. In dice scheme 1 the
number stands alone: ``1/ilse/2``.
"""

from .refs import Id


def owner_of(item: str) -> Id:
    """Return the first owner in an item's id, or the id before the dot in a source."""
    return item.partition(".")[0]


def topic_of(name: str) -> str:
    """Return the topic in the name of a roll or question, without its subject."""
    return name.partition(":")[0]


def about_of(name: str) -> Id:
    """Return the subject in the name of a roll or question; empty if it has none."""
    return name.partition(":")[2]


APART = ".apart"
"""The suffix of a ruling's kind that is numbered apart from the others of its kind: ``1/gm/harm.apart.2``."""


def is_declaration(part: str) -> bool:
    """Tell whether a path's part numbers a declaration: ``attack.2``, or ``2``."""
    kind, _, number = part.partition("#")[0].rpartition(".")
    return number.isdigit() and ":" not in kind


def pending_of(path: str) -> Id:
    """Return the path of the pending action that a roll or question belongs to.

    The prefix of renewed dice (``g1:``) is dropped. A procedure has its own three parts in the action's place.
    """
    first, *rest = path.split("/", 3)[:3]
    return "/".join((first.rpartition(":")[2], *rest))


def name_of_path(path: str) -> str:
    """Return the last part of a path, without repeat count and slot.

    Of ``1/ilse/attack.2/dodge:bram#2`` it is ``dodge:bram``; ``@`` and what follows it is dropped too.
    """
    return path.rpartition("/")[2].partition("#")[0].partition("@")[0]


def question_topic(path: str) -> str:
    """Return the topic in a question's id."""
    return topic_of(name_of_path(path))
