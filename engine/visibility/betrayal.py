"""What would betray a hidden thing: the words that name it, and whether they stand in something.

Nothing here knows a rule system. An event betrays a concealed combatant if any text in it names the combatant, one of
its things, or what it alone makes up: a relation, a slot of the turn order, a side.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple
from unicodedata import normalize

import msgspec
from msgspec import Raw, Struct

from affray.engine.core.draft import Draft
from affray.engine.core.state import Item, State
from affray.events import Damaged, Id, Joined, MarkSet, Noted, Ruled, StatChanged, Veiled

_WITHIN = re.compile(r"[\s_'’-]+")
_BETWEEN = re.compile(r"[^\w-]+")

WRITTEN = (Ruled, Noted, MarkSet)
"""Events with words of people's own, who may name a thing without saying whose it is."""

ABOUT_NUMBERS = (Joined, Damaged, StatChanged, Veiled)
"""Events that tell of a combatant's counters without always naming them."""

BEGINS, ENDS = "\u2068\u2060", "\u2060\u2069"
"""Around words that are only a guess (see ``guesses``): Unicode's marks for text of another origin, with a joiner each.

Nobody sees them, and nobody can enter them.
"""

_GUESS = re.compile(f"{BEGINS}.*?{ENDS}", re.DOTALL)
_WHOLE = re.compile(f"{BEGINS}([^{BEGINS}{ENDS}]*){ENDS}")

SHORT = 3
"""A name of so many letters counts only as it is; a longer one also in the plural, where people write."""


class Words:
    """Words to look for, each with the combatants it is about; of several that fit, the longest is meant.

    Args:
        about: Per word, made plain, whom it is about; nobody where it is only there to be told from a shorter one.
        alone: Whether a word counts only where it stands alone, or between what parts ids in a path.
    """

    __slots__ = ("_about", "_pattern")

    def __init__(self, about: Mapping[str, Collection[Id]], *, alone: bool = False) -> None:
        self._about = about
        self._pattern = _bounded(about, "/" if alone else "/-") if about else None

    def found_in(self, text: str) -> set[Id]:
        """Return whom the words in a plain text are about."""
        if self._pattern is None:
            return set()
        return {who for word in self._pattern.findall(text) for who in self._about[word]}


class Secrets(NamedTuple):
    """What is hidden from somebody.

    Attributes:
        concealed: What names concealed combatants and what is theirs.
        plurals: What names several of them at once.
        company: What names something that is made up of them alone.
        things: Names that only things of theirs have.
        veiled: What names combatants with hidden counters.
        pools: Per such combatant its hidden counters.
        literal: As ids and names are written, for a quick look.
    """

    concealed: Words
    plurals: Words
    company: Words
    things: Words
    veiled: Words
    pools: Mapping[Id, Collection[str]]
    literal: Collection[str]

    def may_be_in(self, value: object) -> bool:
        """Tell whether a part of a state may name what is concealed; quick, and never wrong with a no."""
        text = folded(msgspec.json.encode(value).decode())
        return any(word in text for word in self.literal)

    def found_in(self, said: object, *, written: bool = True) -> set[Id]:
        """Return the combatants about whom something says what is hidden.

        Args:
            said: A text, an event, or anything made of texts.
            written: Whether people wrote it, who may name a thing without saying whose it is, or speak of several.
        """
        text = plain("\0".join(texts(said)))
        found = self.concealed.found_in(text) | self.company.found_in(text)
        if written or isinstance(said, WRITTEN):
            found |= self.things.found_in(text) | self.plurals.found_in(text)
        return found | self.numbers_in(said, text)

    def numbers_in(self, said: object, text: str = "") -> set[Id]:
        """Return the combatants of whose hidden counters something tells."""
        text = text or plain("\0".join(texts(said)))
        all_of_it = isinstance(said, ABOUT_NUMBERS)
        return {who for who in self.veiled.found_in(text) if all_of_it or tells_of(text, self.pools[who])}


def secrets(of: State | Draft, known: Collection[Id] = ()) -> Secrets | None:
    """Return what is hidden in a state from whoever plays just these combatants; nothing if nothing is."""
    concealed = [who for who in of.concealed if who not in known]
    pools = {who: tuple(plain(pool) for pool in pools) for who, pools in of.veiled.items() if who not in known}
    if not concealed and not pools:
        return None
    named = _named(of, concealed)
    plurals = _told_apart(of, concealed, _plurals(named))
    company: dict[str, Collection[Id]] = {}
    owned: dict[str, Collection[Id]] = {}
    if concealed:
        hidden = frozenset(concealed)
        company = _company(of, hidden)
        named = {**{name(one.id): (one.owner,) for one in _things(of, hidden)}, **named}
        called = Counter(name for name, _ in {(one.name.casefold(), one.owner) for one in of.items.values()})
        owned = {name(one.name): (one.owner,) for one in _things(of, hidden) if called[one.name.casefold()] == 1}
    literal = {word.replace("-", " ") for word in (*named, *plurals, *company, *owned)}
    literal |= {*named, *plurals, *company, *owned}
    literal |= {folded(one.name) for who in concealed if (one := of.combatants.get(who)) is not None}
    literal |= {folded(who) for who in concealed}
    literal |= {folded(text) for one in _things(of, frozenset(concealed)) for text in (one.id, one.name)}
    veiled = Words(_named(of, pools))
    return Secrets(
        Words(named), Words(plurals), Words(company, alone=True), Words(owned), veiled, pools, _shortest(literal)
    )


def texts(said: object) -> Iterator[str]:
    """Yield every text that something holds, keys of its tables included; what is marked as a guess is left out."""
    if isinstance(said, str):
        yield _GUESS.sub("\0", said) if BEGINS in said else said
    elif isinstance(said, Raw):
        yield from texts(msgspec.json.decode(said))
    elif isinstance(said, Struct):
        for name in said.__struct_fields__:
            yield from texts(getattr(said, name))
    elif isinstance(said, Mapping):
        for key, value in said.items():
            yield from texts(key)
            yield from texts(value)
    elif isinstance(said, Collection) and not isinstance(said, bytes):
        for value in said:
            yield from texts(value)


def folded(text: str) -> str:
    """Return a text so that what is written alike is alike: in any case, composed or not, of any width."""
    if text.isascii():
        return text.lower()
    return normalize("NFKC", normalize("NFKC", text).casefold())


def plain(text: str) -> str:
    """Return a text so that an id and the name it was made of look alike; what parts ids in a path becomes ``/``."""
    return _BETWEEN.sub("/", _WITHIN.sub("-", folded(text)))


def unmarked(text: str) -> str:
    """Return a text without the marks of a guess."""
    return text.replace(BEGINS, "").replace(ENDS, "")


def without_guesses(text: str) -> str:
    """Return a text with what is only a guess bare; marks that are not around anything stay where they are."""
    return _WHOLE.sub(r"\1", text) if BEGINS in text else text


@lru_cache(maxsize=4096)
def name(text: str) -> str:
    """Return the same of a name, which is asked for again and again."""
    return plain(text)


def tells_of(text: str, pools: Collection[str]) -> bool:
    """Tell whether a plain text names a counter, or what is named after one, such as ``hp_max``."""
    return any(re.search(rf"(?<![^/-]){re.escape(pool)}(?![^/-])", text) for pool in pools)


def _named(of: State | Draft, hidden: Collection[Id]) -> dict[str, Collection[Id]]:
    """Return what names these combatants, and what only looks like it."""
    words: dict[str, Collection[Id]] = {}
    for who in hidden:
        for word in _names(of, who):
            words[word] = (*words.get(word, ()), who)
    return _told_apart(of, hidden, words)


def _told_apart(
    of: State | Draft, hidden: Collection[Id], words: dict[str, Collection[Id]]
) -> dict[str, Collection[Id]]:
    """Return such words with the longer names of others that only contain one.

    One who is called after somebody hidden, such as ``Pell's courser``, is hidden like them.
    """
    if not words:
        return words
    contains = _bounded(words)
    after = _bounded([f"{word}-s" for word in words])
    found = dict(words)
    for who in of.combatants:
        if who not in hidden:
            names = _names(of, who)
            whose = {one for name in names for of_it in after.findall(name) for one in words[of_it[:-2]]}
            found.update({name: whose for name in names if name not in words and (whose or contains.search(name))})
    return found


def _plurals(named: Mapping[str, Collection[Id]]) -> dict[str, Collection[Id]]:
    """Return what names several who are called like one of these."""
    found: dict[str, Collection[Id]] = {}
    for word, about in named.items():
        if about and len(word) > SHORT:
            found |= dict.fromkeys((f"{word}s", f"{word}es"), about)
            if word.endswith("y"):
                found[f"{word[:-1]}ies"] = about
            elif word.endswith(("f", "fe")):
                found[f"{word.removesuffix('e')[:-1]}ves"] = about
    return found


def _names(of: State | Draft, who: Id) -> set[str]:
    combatant = of.combatants.get(who)
    return {name(who), name(combatant.name) if combatant is not None else ""} - {""}


def _things(of: State | Draft, hidden: Collection[Id]) -> list[Item]:
    return [one for one in of.items.values() if one.owner in hidden and one.name]


def _company(of: State | Draft, hidden: frozenset[Id]) -> dict[str, Collection[Id]]:
    """Return the names of relations, slots and sides that are made up of these combatants alone."""
    groups = [(one.id, [member.who for member in one.members]) for one in of.relations.values()]
    groups += [(one.id, list(one.members)) for one in of.slots]
    open_sides = {one.side for one in of.combatants.values() if one.id not in hidden}
    groups += [(one.side, [one.id]) for one in of.combatants.values() if one.id in hidden]
    alone = ((of_all, members) for of_all, members in groups if hidden.issuperset(members))
    return {name(of_all): members for of_all, members in alone if of_all and of_all not in open_sides}


def _shortest(words: Collection[str]) -> tuple[str, ...]:
    """Return the words without those that hold another one, and so are found with it."""
    kept: list[str] = []
    for word in sorted(words, key=len):
        if word and not any(other in word for other in kept):
            kept.append(word)
    return tuple(kept)


def _bounded(words: Collection[str], bounds: str = "/-") -> re.Pattern[str]:
    longest_first = sorted(words, key=lambda word: (-len(word), word))
    return re.compile(rf"(?<![^{bounds}])(?:{'|'.join(map(re.escape, longest_first))})(?![^{bounds}])")
