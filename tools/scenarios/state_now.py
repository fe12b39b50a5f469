"""The state of a fight in the words of a scenario."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

import msgspec

from affray.engine.core.digest import find_data, find_modules, list_files
from affray.engine.core.ruleset import Ruleset
from affray.engine.fight import Fight
from affray.events import ConditionChanged, Event, ItemAdded, Joined, RelationSet
from affray.tools.text.spelling_hints import nearest

_QUOTED = re.compile(r'(?<!")"([^"\n]+)"(?!")')
"""The code without docstrings."""

_NAMES: Mapping[type[Event], str] = {
    ConditionChanged: "condition",
    RelationSet: "kind",
    Joined: "who",
    ItemAdded: "item",
}
"""The field of each event that introduces a name for scenarios."""

_WORD = re.compile(r"(?<![\w-])[^\W\d_][\w-]*?(?=-\d+(?![\w-])|(?![\w-]))")
"""A word; of ``wolf-2`` only ``wolf``."""

_DIE = re.compile(r"d\d+")


class Unknown(Exception):
    """A scenario names something that does not exist."""


Part = tuple[str, Any, Any]
"""A path, the expected value, and the actual value or the reason why it has none."""


class Now:
    """The present of a fight in the words of a scenario.

    Attributes:
        state: Its state.
    """

    def __init__(self, fight: Fight) -> None:
        self._fight = fight
        self.state = fight.state

    @cached_property
    def heard_of(self) -> set[str]:
        """All conditions, relations, combatants and things that were ever in a fight."""
        return {name for heard in self.heard.values() for name in heard}

    @cached_property
    def heard(self) -> Mapping[type[Event], set[str]]:
        """The names of these by the kind of event that brought them."""
        heard: dict[type[Event], set[str]] = {kind: set() for kind in _NAMES}
        for one in self._fight.history.recorded:
            kind = type(one.event)
            if kind in _NAMES:
                heard[kind].add(getattr(one.event, _NAMES[kind]))
        return heard

    @cached_property
    def words(self) -> frozenset[str]:
        """All words that a line of this fight may have: of its record, and of the rules."""
        recorded = (msgspec.json.encode(one.event).decode() for one in self._fight.history.recorded)
        return _words(self._fight.ruleset).union(("True", "False"), *map(words_of_state, recorded))

    def must_be_known(self, name: str, word: str, known: Collection[str], instead: str = "") -> None:
        """Refuse to expect absence, or 0, of an unknown thing: it may be misspelt.

        Args:
            name: The id or key that is looked up.
            word: The word for it in the scenario.
            known: The known names of the same kind.
            instead: The hint if no known name is similar.
        """
        if name not in self.heard_of:
            hint = nearest(word, known) or instead
            raise Unknown(f"nothing has been called {word} in this fight so far{hint}")


def words_of_state(text: str) -> list[str]:
    """Return the words of a text, without numbers and dice."""
    return [word for word in _WORD.findall(text) if not _DIE.fullmatch(word)]


@cache
def _words(ruleset: Ruleset) -> frozenset[str]:
    """Return every word that a system's rules, rulings and lines have: what its code says in quotes, and its tables."""
    every = (*find_modules(ruleset), *find_data(ruleset), *list_files(files("affray.tools.scenarios"), ""))
    said = (text if name.endswith(".toml") else " ".join(_QUOTED.findall(text)) for name, text in every)
    return frozenset(word for text in said for word in words_of_state(text))


def evaluate_part(path: str, said: Any, so: Callable[..., Any], *of: Any) -> Part:
    """Return the value that a function gives, or why it has none."""
    try:
        return path, said, so(*of)
    except Unknown as fault:
        return path, said, fault


def each_of(path: str, said: Any, so: Callable[..., Any], *of: Any) -> Iterator[Part]:
    """Yield every entry of a table that a scenario holds; the function is given its key last."""
    if isinstance(said, dict):
        for key, value in said.items():
            yield evaluate_part(f"{path}.{key}", value, so, *of, key)
    else:
        yield path, said, Unknown(f"is said as {path}.… = …")
