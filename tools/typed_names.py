"""Names as people type them: the words of a line, and the combatants, items and places that they name.

A name may be typed in full, quoted or not, by id or as it is called, whatever its case and its apostrophes. Where one
name begins another, the longest that fits is meant.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from affray.engine.core.coordinates import place_meant
from affray.engine.core.state import Combatant
from affray.engine.errors import Unusable
from affray.engine.fight import Fight
from affray.engine.texts import comparison_key
from affray.events import Id

from .faults import nearest

MOST_WORDS = 40
"""Of how many words a name may consist."""

_WORD = re.compile(
    r"""
    (?P<space>\s+)
    | \\(?P<escaped>.)
    | "(?P<double>(?:\\.|[^"\\])*)"
    | “(?P<curly>[^”]*)”
    | (?<![^\s=;])'(?P<single>.*?)'(?=[\s;]|$)
    | (?P<fault>["\\])
    | (?P<plain>.)
    """,
    re.VERBOSE | re.DOTALL,
)


def words_of(line: str) -> list[str]:
    """Split a line into words; quotes keep several together. An apostrophe within a word is no quote.

    Raises:
        Unusable: a quote is not closed.
    """
    words: list[str] = []
    begun = False
    for found in _WORD.finditer(line):
        if found.lastgroup == "fault":
            raise Unusable(f"a quote is not closed, or nothing follows a backslash: {line}")
        if found.lastgroup == "space":
            begun = False
            continue
        part = found[found.lastgroup or "plain"]
        part = re.sub(r'\\(["\\])', r"\1", part) if found.lastgroup == "double" else part
        if begun:
            words[-1] += part
        else:
            words.append(part)
        begun = True
    return words


def as_word(text: str) -> str:
    """Return a text as one types it: in quotes where ``words_of`` would read it otherwise."""
    try:
        if words_of(text) == [text]:
            return text
    except Unusable:
        pass
    if "'" not in text and words_of(f"'{text}'") == [text]:
        return f"'{text}'"
    return '"' + re.sub(r'(["\\])', r"\\\1", text) + '"'


class Named(NamedTuple):
    """An id, and how many words name it."""

    id: Id
    words: int


Called = Mapping[str, Sequence[Id]]
"""Ids by how they are called, as ``comparison_key``."""


def called_so(ids: Iterable[tuple[Id, str]]) -> Called:
    """Return ids by what they are called; where an id is another's name, the id is meant."""
    known = list(ids)
    found: dict[str, Sequence[Id]] = {}
    for id, name in known:
        found[comparison_key(name)] = (*found.get(comparison_key(name), ()), id)
    return found | {comparison_key(id): (id,) for id, _ in known}


def people_called(people: Mapping[Id, Combatant]) -> Called:
    """Return combatants by what they are called."""
    return called_so((who, one.name) for who, one in people.items())


def longest_first(called: Called, words: Sequence[str]) -> Iterable[Named]:
    """Yield what the first words of a line name, the longest name first."""
    for count in range(min(len(words), MOST_WORDS), 0, -1):
        ids = called.get(comparison_key(" ".join(words[:count])), ())
        if len(ids) == 1:
            yield Named(ids[0], count)


def person(fight: Fight, word: str) -> Id:
    """Return the combatant that a word means: an id, a name, or the only one that begins so.

    Raises:
        Unusable: nobody, or more than one, is meant.
    """
    people = fight.table.draft.combatants
    if word in people:
        return word
    so = comparison_key(word)
    meant = people_called(people).get(so, ()) or [
        who for who, one in people.items() if who.startswith(so) or comparison_key(one.name).startswith(so)
    ]
    if len(meant) != 1:
        fault = f"{word} could be {', '.join(meant)}" if meant else f"there is no {word} in this fight"
        raise Unusable(f"{fault}; there are {', '.join(people)}{'' if meant else nearest(so, people)}", "who")
    return meant[0]


def thing(fight: Fight, word: str, owner: Id) -> str:
    """Return the item that a word means: the owner's own go first; what is no item is returned as it is."""
    items = fight.table.draft.items
    own = f"{owner}."
    if f"{own}{word}" in items or word in items:
        return f"{own}{word}" if f"{own}{word}" in items else word
    for mine in (True, False):
        known = [(id, item) for id, item in items.items() if (item.owner == owner or id.startswith(own)) is mine]
        meant = called_so((id, item.name) for id, item in known).get(comparison_key(word), ())
        short = [id for id, _ in known if mine and comparison_key(id.removeprefix(own)) == comparison_key(word)]
        if len(meant or short) == 1:
            return (meant or short)[0]
    return word


def place(fight: Fight, word: str) -> Id:
    """Return the place that a word means: a cell as people say it, a zone by its name."""
    meant = place_meant(word, fight.ruleset.map)
    zones = places_called(fight) if fight.ruleset.map == "zones" else {}
    return next(iter(zones.get(comparison_key(meant), (meant,)))) if meant not in fight.table.draft.places else meant


def places_called(fight: Fight) -> Called:
    """Return the zones of a fight by their names."""
    draft = fight.table.draft
    return called_so((one, one) for one in dict.fromkeys((*draft.places, *draft.occupants)))


def called_in(fight: Fight, named: str) -> Called:
    """Return all that a parameter can name, by what it is called.

    Args:
        named: What kind of things the parameter names, such as ``combatant``.
    """
    draft = fight.table.draft
    if named in ("combatant", "slot"):
        return people_called(draft.combatants)
    if named in ("item", "thing"):
        short = ((id, id.partition(".")[2]) for id in draft.items)
        return {**called_so((id, one.name) for id, one in draft.items.items()), **called_so(short)}
    if named in ("place", "position"):
        return places_called(fight)
    if named == "side":
        return called_so((one, one) for one in {one.side for one in draft.combatants.values()})
    return {}


def gone_on(called: Called, value: str, rest: Sequence[str]) -> int:
    """Return how many of the words behind a value belong to the names in it, the most that fit.

    Args:
        value: The word in which the value begins; several names in it are parted by ``;``.
        rest: The words behind it.
    """
    taken = 0
    while any(" " in name for name in called):
        front = value.rpartition(";")[2]
        for count in range(min(len(rest) - taken, MOST_WORDS), 0, -1):
            more = " ".join(rest[taken : taken + count])
            if comparison_key(f"{front} {more}".partition(";")[0]) in called:
                value, taken = f"{value} {more}", taken + count
                break
        else:
            return taken
    return taken
