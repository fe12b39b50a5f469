"""The vocabulary of a rule system: labels, sentences and roles of its words.

It is declared as data and checked at load. Each text of an event that names a word of the rules has a type for the kind
of word (``events/refs.py``). The word is looked up here: in ``vocabulary.toml`` of the system's folder, then among the
words that all systems share.
"""

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import msgspec
from msgspec import Struct

from affray.engine.errors import Unusable
from affray.engine.texts import word_said
from affray.events import Ending, topic_of

from .sentences import part_names
from .words import (
    ClockWord,
    ConditionWord,
    CounterWord,
    Deed,
    EndingWord,
    FieldWord,
    ItemWord,
    MannerWord,
    NoteWord,
    NumberWord,
    OutcomeWord,
    PerilWord,
    Places,
    PoolWord,
    PositionWord,
    PurposeWord,
    QuestionWord,
    RelationWord,
    RoleWord,
    SourceWord,
    StatWord,
    TraitWord,
    Word,
)

BONDS = frozenset({"foes", "others"})
"""The parts of a ``stands`` sentence: members of other sides in the relation, and members of another role."""


class Vocabulary(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The words of a rule system, by kind and name."""

    pools: Mapping[str, PoolWord] = {}
    stats: Mapping[str, StatWord] = {}
    traits: Mapping[str, TraitWord] = {}
    conditions: Mapping[str, ConditionWord] = {}
    perils: Mapping[str, PerilWord] = {}
    counters: Mapping[str, CounterWord] = {}
    marks: Mapping[str, Word] = {}
    purposes: Mapping[str, PurposeWord] = {}
    outcomes: Mapping[str, OutcomeWord] = {}
    dice: Mapping[str, Word] = {}
    fates: Mapping[str, Word] = {}
    actions: Mapping[str, Deed] = {}
    rulings: Mapping[str, Deed] = {}
    manners: Mapping[str, MannerWord] = {}
    questions: Mapping[str, QuestionWord] = {}
    fields: Mapping[str, FieldWord] = {}
    options: Mapping[str, Word] = {}
    items: Mapping[str, ItemWord] = {}
    positions: Mapping[str, PositionWord] = {}
    relations: Mapping[str, RelationWord] = {}
    roles: Mapping[str, RoleWord] = {}
    phases: Mapping[str, Word] = {}
    triggers: Mapping[str, Word] = {}
    views: Mapping[str, Word] = {}
    clocks: Mapping[str, ClockWord] = {}
    refusals: Mapping[str, Word] = {}
    endings: Mapping[str, EndingWord] = {}
    moments: Mapping[str, Word] = {}
    notes: Mapping[str, NoteWord] = {}
    sources: Mapping[str, SourceWord] = {}
    numbers: Mapping[str, NumberWord] = {}
    places: Places = Places()

    def label(self, kind: str, word: str) -> str:
        """Return the label of a word; see ``word_said`` for an undeclared one.

        Args:
            kind: The name of the word's table.
            word: The word as the log has it.
        """
        found: Word | None = getattr(self, kind).get(word)
        return word_said(word) if found is None else found.label or word.replace("_", " ")

    def chosen_kind(self, field: str) -> str:
        """Return the kind that the ids in a field of an answer name: ``combatant``, ``item``, or none."""
        known = self.fields.get(field)
        return known.names if known is not None else ""

    def amount(self, pool: str, count: int) -> str:
        """Return the text for an amount of a counter: ``2 actions``, ``one action``."""
        found = self.pools.get(pool, PoolWord())
        if count == 1 and found.one:
            return found.one
        return (found.says or f"{{}} {self.label('pools', pool)}").replace("{}", str(count))

    def ending(self, why: str, victors: str) -> str:
        """Return the text for why a fight is over, with or without a winner."""
        known = self.endings.get(why, EndingWord())
        return ("" if victors else known.undecided) or self.label("endings", why)

    def source(self, source: str) -> str:
        """Return the text for a condition's source; empty for an undeclared word."""
        if source in self.sources:
            return self.sources[source].label or source
        word, _, number = source.partition(" ")
        known = self.sources.get(word, SourceWord())
        return known.says.replace("{}", number) if number.isdecimal() else ""

    def until(self, ending: Ending) -> str:
        """Return the text for a condition's end: ``until the end of round 3``."""
        return self.label("moments", ending.moment).replace("{}", str(ending.round))

    def ground(self, trait: str) -> str:
        """Return how the map draws a place with a trait."""
        found = self.traits.get(trait)
        return found.ground if found is not None else ""

    def purpose_role(self, purpose: str) -> str:
        """Return the role of a roll's total by its purpose.

        The colon and the subject behind a purpose do not count here.
        """
        return self.purposes.get(topic_of(purpose), PurposeWord()).role

    def with_role(self, role: str) -> frozenset[str]:
        """List the pools, conditions and counters that have a role."""
        found: list[tuple[str, PoolWord | ConditionWord | CounterWord]] = [
            *self.pools.items(),
            *self.conditions.items(),
            *self.counters.items(),
        ]
        return frozenset(name for name, one in found if one.role == role)

    @property
    def rising(self) -> frozenset[str]:
        """Pools that rise as a combatant gets worse."""
        return frozenset(name for name, one in self.pools.items() if one.rises)

    def lasting(self, kind: Literal["pools", "conditions", "counters"]) -> frozenset[str]:
        """List the words of a table that outlast the fight."""
        table: Mapping[str, PoolWord | ConditionWord | CounterWord] = getattr(self, kind)
        return frozenset(name for name, one in table.items() if one.lasts)


TABLES: Mapping[str, str] = {
    "pool": "pools",
    "stat": "stats",
    "trait": "traits",
    "condition": "conditions",
    "counter": "counters",
    "mark": "marks",
    "purpose": "purposes",
    "outcome": "outcomes",
    "die": "dice",
    "fate": "fates",
    "action": "actions",
    "ruling": "rulings",
    "manner": "manners",
    "topic": "questions",
    "option": "options",
    "item kind": "items",
    "position": "positions",
    "relation kind": "relations",
    "role": "roles",
    "phase": "phases",
    "trigger": "triggers",
    "view": "views",
    "clock": "clocks",
    "note": "notes",
    "ending": "endings",
}
"""The table of words for each kind of name (``x-names``)."""

COMMON = "affray.engine.core"
"""The package whose words all systems share."""


@cache
def vocabulary_of(package: str) -> Vocabulary:
    """Load the vocabulary of a rule system, merged with the shared words.

    Args:
        package: The import name of its folder.

    Raises:
        Unusable: its ``vocabulary.toml`` is not of the form.
    """
    try:
        shared, own = _load_words(COMMON), _load_words(package)
    except tomllib.TOMLDecodeError as error:
        raise Unusable(f"vocabulary.toml of {package}: {error}", "vocabulary.toml") from None
    try:
        whole = {name: {**shared.get(name, {}), **own.get(name, {})} for name in {*shared, *own}}
        return msgspec.convert(whole, Vocabulary)
    except (TypeError, msgspec.ValidationError) as error:
        raise Unusable(f"vocabulary.toml of {package}: {_locate(own) or error}", "vocabulary.toml") from None


def _locate(own: Mapping[str, Any]) -> str:
    """Describe the first entry of a vocabulary that is not of the form, by table and word."""
    for table, entries in own.items():
        for word, entry in entries.items() if isinstance(entries, dict) else [("", entries)]:
            try:
                msgspec.convert({table: {word: entry} if word else entry}, Vocabulary)
            except msgspec.ValidationError as error:
                said = str(error).replace("$.", "").replace(f"{table}[...]", "").replace(" - at `.", " - at `")
                return f"{table}{f'.{word}' if word else ''}: {said.removesuffix(' - at ``')}"
    return ""


def _load_words(package: str) -> dict[str, Any]:
    file = files(package) / "vocabulary.toml"
    return tomllib.loads(file.read_text("utf-8")) if file.is_file() else {}


def faults(
    words: Vocabulary, actions: Mapping[str, type[Struct]], rulings: Mapping[str, type[Struct]]
) -> Iterator[str]:
    """Yield the faults of a vocabulary: undeclared words, and names of unknown things.

    Args:
        actions, rulings: The structs of its actions and rulings, by kind.
    """
    yield from _pool_faults(words)
    for stat, one in words.stats.items():
        if strange := part_names(one.says) - words.stats.keys():
            yield f"stats.{stat}.says: there is no stat {', '.join(sorted(strange))}"
    for table, name, stands in (
        *(("relations", name, one.stands) for name, one in words.relations.items()),
        *(("roles", name, one.stands) for name, one in words.roles.items()),
    ):
        if unknown := part_names(stands) - BONDS:
            yield f"{table}.{name}.stands: {', '.join(sorted(unknown))} is neither foes nor others"
    for name, note in words.notes.items():
        for said in (note.says, note.written):
            if unknown := part_names(said) - note.parts.keys():
                yield f"notes.{name}: {', '.join(sorted(unknown))} is no part of it"
    for table, deeds, forms in (("actions", words.actions, actions), ("rulings", words.rulings, rulings)):
        yield from (f"{table}: {kind} is not declared" for kind in forms if kind not in deeds)
        if table == "actions":
            yield from (f"actions.{kind}: there is no such action" for kind in deeds if kind not in forms)
        for kind, form in forms.items():
            if kind in deeds:
                yield from (f"{table}.{kind}: {fault}" for fault in _deed_faults(deeds[kind], form))


def _pool_faults(words: Vocabulary) -> Iterator[str]:
    for name, pool in words.pools.items():
        if pool.most and pool.most not in words.stats:
            yield f"pools.{name}.most: there is no stat {pool.most}"
        if pool.lasts and pool.role == "budget":
            yield f"pools.{name}.lasts: a budget is full again with every turn, so that it does not outlast a fight"
        for word in pool.told_by:
            if not any(word in table for table in (words.stats, words.purposes, words.actions)):
                yield f"pools.{name}.told_by: there is no stat, purpose or action {word}"


def _deed_faults(deed: Deed, form: type[Struct]) -> Iterator[str]:
    known = {one.encode_name for one in msgspec.structs.fields(form)}
    said = {*part_names(deed.says), *deed.quiet}
    yield from (f"asks for {name}, which is no parameter" for name in sorted(deed.asks.keys() - known))
    yield from (f"there is no parameter {name}" for name in sorted(said - known))
    yield from (f"the parameter {name} is neither said nor quiet" for name in sorted(known - said))
