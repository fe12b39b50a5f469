"""Typed names: the words of a line, and the combatants, items and places they name.

A name may be typed in full, quoted or not, as an id or as a name, in any case and with any apostrophes. If several
names begin alike, the longest that fits is taken.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from affray.engine.core.candidates import list_sides
from affray.engine.core.coordinates import parse_place
from affray.engine.core.ids import id_of, ids_of_scheme
from affray.engine.core.state import Combatant
from affray.engine.errors import Unusable
from affray.engine.fight import Fight
from affray.engine.limits import MOST_DECLARED
from affray.engine.texts import comparison_key, normalize
from affray.events import Field, Id, Option
from affray.tools.text.isolates import remove_isolates
from affray.tools.text.spelling_hints import nearest

MOST_WORDS = 40
"""The most words of a name."""

BECAUSE = "because"
"""The word before a reason."""

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


_QUOTES = re.compile(r"""["“”„«»]|(?<!\S)['‘’]|['‘’](?!\S)""")
"""Quotes around words; an apostrophe within a word is no quote."""


def words_of(line: str) -> list[str]:
    """Split a line into words; quotes group several, apostrophes in words do not.

    Raises:
        Unusable: a quote is not closed.
    """
    words: list[str] = []
    begun = False
    if len(line) > MOST_DECLARED:
        raise Unusable(f"a line has at most {MOST_DECLARED} characters")
    for found in _WORD.finditer(remove_isolates(line)):
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
    """Return a text as a user types it, in quotes where needed."""
    try:
        if text != BECAUSE and words_of(text) == [text]:
            return text
    except Unusable:
        pass
    if "'" not in text and f" {BECAUSE} " not in text and words_of(f"'{text}'") == [text]:
        return f"'{text}'"
    return '"' + re.sub(r'(["\\])', r"\\\1", text) + '"'


class Named(NamedTuple):
    """An id, and how many words name it."""

    id: Id
    words: int


class Called:
    """Ids by id and by name.

    An id and a name exactly as written come before any comparison that ignores case, joiners and apostrophes. Last
    comes a comparison that ignores quotes: in ``Johnny "Ace" Smith`` the quotes only keep words together.

    Args:
        pairs: The ids, each with a name. An id may come several times, each with another name.
    """

    def __init__(self, pairs: Iterable[tuple[Id, str]] = ()) -> None:
        self._ids: dict[str, dict[Id, None]] = {}
        self._names: dict[str, dict[Id, None]] = {}
        self._alike: dict[str, dict[Id, None]] = {}
        self._unquoted: dict[str, dict[Id, None]] = {}
        for id, name in pairs:
            self._ids[id] = {id: None}
            self._names.setdefault(_as_written(name), {})[id] = None
            for text in (id, name):
                self._alike.setdefault(comparison_key(text), {})[id] = None
            self._unquoted.setdefault(_without_quotes(name), {})[id] = None
        self.has_spaces = any(" " in name for name in self._alike)

    def find(self, text: str) -> tuple[Id, ...]:
        """Return the ids that a text names: several if it fits more than one of them equally well."""
        written = _as_written(text)
        found = self._ids.get(text) or self._names.get(written) or self._alike.get(comparison_key(text))
        return tuple(found or self._unquoted.get(_without_quotes(text)) or ())

    def find_one(self, text: str, field: str) -> Id | None:
        """Return the id that a text names, if any.

        Args:
            field: The field of the text, for the error.

        Raises:
            Unusable: the text fits several equally well.
        """
        ids = self.find(text)
        if len(ids) > 1:
            raise Unusable(f"{text} could be {', '.join(ids)}; say which by its id", field)
        return ids[0] if ids else None

    def __contains__(self, text: str) -> bool:
        return bool(self.find(text))


def _without_quotes(name: str) -> str:
    return comparison_key(_QUOTES.sub("", name))


def _as_written(name: str) -> str:
    return " ".join(normalize(name).split())


def people_called(people: Mapping[Id, Combatant]) -> Called:
    """Return combatants by what they are called."""
    return _index_names(tuple((who, one.name) for who, one in people.items()))


@lru_cache(maxsize=64)
def _index_names(pairs: tuple[tuple[Id, str], ...]) -> Called:
    """Index names once, as long as a fight has the same: each line asks for them several times."""
    return Called(pairs)


def longest_first(called: Called, words: Sequence[str]) -> Iterator[Named]:
    """Yield the things that the first words of a line name, longest name first.

    Raises:
        Unusable: the longest name fits several equally well.
    """
    longer = False
    for count in range(min(len(words), MOST_WORDS), 0, -1):
        text = " ".join(words[:count])
        ids = called.find(text)
        if len(ids) == 1:
            longer = True
            yield Named(ids[0], count)
        elif not longer:
            called.find_one(text, "who")


def find_combatant(fight: Fight, word: str) -> Id:
    """Return the combatant that a word names by id, by name, or by a unique beginning.

    Raises:
        Unusable: no combatant fits, or several do.
    """
    people = fight.table.draft.combatants
    if word in people:
        return word
    so = comparison_key(word)
    meant = people_called(people).find(word) or [
        who for who, one in people.items() if any(comparison_key(text).startswith(so) for text in (who, one.name))
    ]
    if len(meant) != 1:
        fault = f"{word} could be {', '.join(meant)}" if meant else f"there is no {word} in this fight"
        raise Unusable(f"{fault}; there are {', '.join(people)}{'' if meant else nearest(so, people)}", "who")
    return meant[0]


def find_item(fight: Fight, word: str, owner: Id, *, in_part: bool = False) -> str:
    """Return the item that a word names, the owner's first; or else the word itself.

    Args:
        in_part: Whether a part of a name will do last for one of the owner's, such as ``sword`` for a long sword.

    Raises:
        Unusable: the word fits several of the owner's items equally well.
    """
    items = fight.table.draft.items
    own = f"{owner}."
    if f"{own}{word}" in items or word in items:
        return f"{own}{word}" if f"{own}{word}" in items else word
    mine = {id: item.name for id, item in items.items() if item.owner == owner or id.startswith(own)}
    short = Called((id, id.removeprefix(own)) for id in mine)
    meant = Called(mine.items()).find_one(word, "item") or short.find_one(word, "item")
    others = Called((id, item.name) for id, item in items.items() if id not in mine).find(word)
    if meant or len(others) == 1 or not in_part:
        return meant or (others[0] if len(others) == 1 else word)
    part = _words_in(word)
    parts = Called((id, word) for id, name in mine.items() if part and part <= _words_in(name))
    return parts.find_one(word, "item") or word


def _words_in(name: str) -> set[str]:
    """Return the single words of a name, as far as names are compared."""
    return {*re.split(r"[\s_-]+", comparison_key(name))} - {""}


def place(fight: Fight, word: str) -> Id:
    """Return the place that a word means: a cell as people say it, a zone by its name.

    A zone keeps no name but its id, so a word is first read as an encounter reads the name of a zone.

    Raises:
        Unusable: the word fits several zones equally well.
    """
    meant = parse_place(word, fight.ruleset.board.kind)
    places = fight.table.draft.places
    if meant in places or fight.ruleset.board.kind != "zones":
        return meant
    with ids_of_scheme(fight.table.draft.dice_scheme):
        named = id_of(normalize(word))
    return named if named in places else places_called(fight).find_one(meant, "place") or meant


def places_called(fight: Fight) -> Called:
    """Return the zones of a fight by their names."""
    draft = fight.table.draft
    return _index_names(tuple((one, one.replace("-", " ")) for one in dict.fromkeys((*draft.places, *draft.occupants))))


def called_in(fight: Fight, named: str) -> Called:
    """Return everything that a parameter can name, by name.

    Args:
        named: The kind of thing that the parameter names, such as ``combatant``.
    """
    draft = fight.table.draft
    if named in ("combatant", "slot"):
        return people_called(draft.combatants)
    if named in ("item", "thing"):
        items = draft.items.items()
        return _index_names(tuple((id, text) for id, one in items for text in (one.name, id.partition(".")[2])))
    if named in ("place", "position"):
        return places_called(fight)
    if named in ("side", "several"):
        sides = [(one, one) for one in list_sides(fight.table)]
        people = [(who, one.name) for who, one in draft.combatants.items()] if named == "several" else []
        return _index_names((*people, *sides))
    return Called()


def gone_on(called: Called, value: str, rest: Sequence[str]) -> int:
    """Count the words after a value that continue a name in it; take as many as fit.

    Args:
        value: The word in which the value begins; several names in it are separated by ``;``.
        rest: The words after it.
    """
    taken = 0
    while called.has_spaces:
        front = value.rpartition(";")[2]
        for count in range(min(len(rest) - taken, MOST_WORDS), 0, -1):
            more = " ".join(rest[taken : taken + count])
            if f"{front} {more}".partition(";")[0] in called:
                value, taken = f"{value} {more}", taken + count
                break
        else:
            return taken
    return taken


def name_fields(option: Option) -> dict[str, Field]:
    """Return the fields of an option by the names that a person types.

    The first field about a combatant or a side has the name of that; another one has its own name before it.
    """
    found: dict[str, Field] = {}
    for one in option.fields:
        typed = one.about if one.about not in found else f"{one.name}:{one.about}"
        found[typed if one.about else one.name] = one
    return found
