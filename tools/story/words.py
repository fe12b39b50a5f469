"""Words for ids, numbers and actions, shared by everything that tells people about a fight."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from affray.events import (
    KEPT,
    Event,
    Faces,
    Id,
    ItemAdded,
    Joined,
    Modifier,
    Recorded,
    RelationSet,
    Rolled,
)

Names = Mapping[Id, str]
"""What people call whatever has an id: combatants, items, groups."""

Sentence = Callable[[Any, Names], str]


class Sentences(dict[type[Event], Sentence]):
    """Per type of event the function that tells it."""

    def tells(self, type_: type[Event]) -> Callable[[Sentence], Sentence]:
        """Put the decorated function in."""

        def put(sentence: Sentence) -> Sentence:
            self[type_] = sentence
            return sentence

        return put


TITLES = frozenset(
    [
        "abbot",
        "baron",
        "boss",
        "captain",
        "chief",
        "commander",
        "count",
        "duke",
        "guard",
        "innkeeper",
        "king",
        "knight",
        "leader",
        "master",
        "mayor",
        "prince",
        "princess",
        "queen",
        "ringleader",
        "sergeant",
        "sheriff",
        "warden",
        "witch",
        "wizard",
    ]
)
"""What somebody is rather than is called: it takes an article, as in "attacks the Captain"."""

WORDS = {
    "arm_out": "without the use of an arm",
    "brink": "at the brink",
    "deaths_door": "at death's door",
    "denied_main": "denied the Main Action",
    "denied_move": "denied the Move Action",
    "hand_out": "without the use of a hand",
    "hp": "HP",
    "leg_out": "without the use of a leg",
}
"""How a condition or the purpose of a roll is said where its own name does not read well."""


def names_of(recorded: Iterable[Recorded]) -> dict[Id, str]:
    """Return the names of everybody and everything that was ever in a fight."""
    names: dict[Id, str] = {"gm": "the game master"}
    for one in recorded:
        _name(names, one.event)
    return names


def _name(names: dict[Id, str], event: Event) -> None:
    if isinstance(event, Joined):
        names[event.who] = f"the {event.name}" if event.name.lower() in TITLES else event.name
    elif isinstance(event, ItemAdded):
        names[event.item] = event.name
    elif isinstance(event, RelationSet) and event.kind == "group":
        several = Several if event.relation.endswith("s") else str
        names[event.relation] = several(f"the {event.relation}")


class Several(str):
    """What people call several at once: verbs behind it are in the plural."""

    __slots__ = ()


def called(names: Names, id: Id) -> str:
    """Return what people call somebody or something."""
    return names.get(id, id)


def capital(text: str) -> str:
    """Return a text with its first letter as at the beginning of a sentence."""
    return text[:1].upper() + text[1:]


def series(parts: Iterable[str], last: str = "and") -> str:
    """Join as in ``a, b and c``; nothing is ``nobody``."""
    *front, end = list(parts) or ["nobody"]
    return f"{', '.join(front)} {last} {end}" if front else end


def owns(name: str) -> str:
    """Return a name in the genitive."""
    return f"{name}'" if name.endswith("s") and name.startswith("the ") else f"{name}'s"


def signed(number: int) -> str:
    """Return a number with its sign, as it is written behind another."""
    return f"+{number}" if number >= 0 else f"−{-number}"


def plain(number: int) -> str:
    """Return a number with a real minus where it is below zero."""
    return str(number) if number >= 0 else f"−{-number}"


def change(before: object, after: object) -> str:
    """Return ``before → after``."""
    return f"{before} → {after}"


def said(name: str) -> str:
    """Return a name from the rules as people say it."""
    return WORDS.get(name, name.replace("_", " "))


def terms(modifiers: Iterable[Modifier], *, first: str = "") -> str:
    """Return what is added up, such as ``10 +2 accuracy +1 (1 ep)``; what adds nothing is left out."""
    parts = [first] if first else []
    for one in modifiers:
        if one.value:
            label = f"({one.label})" if one.label[:1].isdigit() else said(one.label)
            parts.append(f"{signed(one.value) if parts else plain(one.value)} {label}")
    return " ".join(parts)


ONE_IS_ITSELF = frozenset({"sum", "highest", "lowest"})
"""The readings that come to what a single die shows."""


def dice_said(roll: Rolled) -> str:
    """Return what a roll showed and came to: ``10 +2 accuracy = 12 against 13``."""
    several = "+" if roll.reading == "sum" else ", "
    named = len({group.kind for group in roll.dice}) > 1
    shown = (", " if named else several).join(_faces(group, several, named=named) for group in roll.dice)
    alone = roll.reading in ONE_IS_ITSELF and shown == str(roll.total)
    if roll.reading != "sum" and not alone:
        shown = f"{roll.reading} of {shown or 'no dice'}"
    if roll.pool:
        shown += f" ({terms(roll.pool)})"
    if roll.source == "entered":
        shown += " (entered)"
    text = terms(roll.modifiers, first=shown)
    if not alone or text != shown:
        text += f" = {plain(roll.total)}"
    return text if roll.against is None else f"{text} against {roll.against}"


def _faces(group: Faces, several: str, *, named: bool) -> str:
    """Return what a group of dice shows; behind what it stands for where there are several kinds."""
    fates = group.fates or (KEPT,) * len(group.faces)
    shown = [str(face) if fate == KEPT else f"{face} ({fate})" for face, fate in zip(group.faces, fates, strict=True)]
    return f"{said(group.kind)} {' '.join(shown)}" if named else several.join(shown)


def third_person(text: str, who: str = "") -> str:
    """Turn ``attack the Captain`` into ``attacks the Captain``, unless several do it."""
    if isinstance(who, Several):
        return text
    verb, space, rest = text.partition(" ")
    mark = verb[-1:] if verb.endswith((",", ":")) else ""
    verb = verb.removesuffix(mark)
    if verb.endswith("y") and verb[-2:-1] not in "aeou":
        verb = f"{verb[:-1]}ies"
    else:
        verb += "es" if verb.endswith(("s", "sh", "ch", "x", "z", "o")) else "s"
    return f"{verb}{mark}{space}{rest}"


AMOUNTS = frozenset({"count", "left"})
"""The counters of a thing that say how many of it there are."""

STATES = {"lit": "is lit", "needs_professional": "needs a professional"}
"""The counters that say how a thing is, where their name is no participle."""


def state_of_thing(counter: str, before: int, after: int) -> str:
    """Return how a thing is now, such as ``is no longer loaded``; nothing where its counter is a number."""
    how = STATES.get(counter) or (f"is {said(counter)}" if counter.endswith(("ed", "en")) else "")
    if not how or {before, after} != {0, 1}:
        return ""
    verb, _, rest = how.partition(" ")
    return how if after else f"{verb} no longer {rest}" if verb == "is" else f"no longer {how}"


def counted(counter: str, before: int, after: int) -> str:
    """Return how a counter of a thing moved, as it follows the thing's name: ``rating 1 → 0``."""
    moved = change(before, after)
    return state_of_thing(counter, before, after) or (moved if counter in AMOUNTS else f"{said(counter)} {moved}")


LYING = frozenset({"dropped", "readied", "thrown", "worn"})
"""Where a thing can be that says what became of it."""


def stowed(where: str) -> str:
    """Return where a thing is, as it follows its name: ``in belt``, ``thrown``, ``at 1,0``."""
    if where in LYING:
        return where
    return f"{'at' if where[:1].isdigit() or where[:1] == '-' else 'in'} {where}" if where else "away"


def borne(condition: str, count: int) -> str:
    """Return a condition with its count, such as ``bleeding 2``."""
    return said(condition) if count == 1 else f"{said(condition)} {count}"
