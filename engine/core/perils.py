"""Dangers to combatants, found in a state as the vocabulary of its rule system declares them."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Literal

from msgspec import Struct, structs

from affray.engine.errors import RULE_ERRORS, NotInFight
from affray.events import refs

from .ruleset import Ruleset
from .sentences import part_names
from .state import Combatant, Item
from .table import Table
from .vocabulary import Vocabulary
from .words import PerilWord

PARTS = frozenset({"who", "count", "most", "about", "item"})
"""The parts of a peril's sentence besides the numbers of the configuration."""

GRADES = ("mortal", "close", "worn")


class Helper(Struct, frozen=True):
    """A combatant that can end another's danger.

    Attributes:
        moves: The number of moves it needs to get there: 0 or 1.
    """

    who: refs.CombatantId
    moves: int


class Peril(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A danger to a combatant.

    Attributes:
        who: The combatant in danger.
        peril: The word of the vocabulary that declares it.
        grade: Whether it threatens a life, brings such a threat close, or wears a thing down.
        pc: Whether a player character is in danger.
        rule: The clause.
        count, most: The number that counts, and the number at which it ends; ``None`` if the rules do not count, or if
            the viewer does not know.
        left: What is left of the count-down; ``None`` without one.
        about: The subject of its clock, such as an injury.
        item: The worn thing.
        help: The action with which another combatant ends it; empty if there is none.
        helpers: The combatants that can get there with one move at most, the nearest first.
    """

    who: refs.CombatantId
    peril: str
    grade: Literal["mortal", "close", "worn"]
    pc: bool = False
    rule: str = ""
    count: int | None = None
    most: int | None = None
    left: int | None = None
    about: str = ""
    item: refs.ItemId = ""
    help: refs.ActionName = ""
    helpers: tuple[Helper, ...] = ()


def list_perils(ruleset: Ruleset, table: Table) -> list[Peril]:
    """List the dangers to all combatants, the gravest first, player characters before others.

    It reads the table alone, so that it tells nothing that is not in it.
    """
    declared = ruleset.vocabulary.perils
    found = [
        _add_helpers(ruleset, table, peril)
        for one in table.draft.combatants.values()
        for name, word in declared.items()
        if _bears(one, word)
        for peril in _find(ruleset, table, one, name, word)
    ]
    return sorted(found, key=lambda one: (GRADES.index(one.grade), not one.pc))


def _bears(one: Combatant, word: PerilWord) -> bool:
    """Tell whether a combatant's trait, conditions and counters are those of a peril."""
    if not all(condition in one.conditions for condition in word.conditions):
        return False
    if any(condition in one.conditions for condition in word.unless):
        return False
    if word.trait and word.trait not in one.traits:
        return False
    return not word.pool or one.pools.get(word.pool, word.at_most + 1) <= word.at_most


def _find(ruleset: Ruleset, table: Table, one: Combatant, name: str, word: PerilWord) -> Iterator[Peril]:
    """Yield a peril of a combatant: one for each thing or running clock that it is about."""
    most = getattr(table.config, word.most) if word.most else None
    count = _count(ruleset.vocabulary, one, word)
    base = Peril(
        who=one.id,
        peril=name,
        grade=word.grade,
        pc="pc" in one.traits,
        rule=word.rule,
        count=count,
        most=most,
        left=None if most is None or count is None else max(0, most - count),
        help="" if table.draft.ended else word.help,
    )
    if word.clock:
        running = table.draft.clocks.get(one.id, {}).get(word.clock, {})
        for about, left in running.items():
            if left and about in (word.about or running):
                yield structs.replace(base, count=left, left=left, about=about)
    elif word.die or word.counter:
        for item in table.items_of(one.id):
            if _is_worn(item, word, ruleset.vocabulary):
                yield structs.replace(base, item=item.id)
    else:
        yield base


def _count(words: Vocabulary, one: Combatant, word: PerilWord) -> int | None:
    """Return the number that counts; ``None`` if the rules do not count or the viewer does not know it."""
    if word.count:
        return one.pools.get(word.count)
    counted = [name for name in word.conditions if words.conditions[name].role == "counted"]
    return sum(one.conditions[counted[0]].values()) if counted else None


def _is_worn(item: Item, word: PerilWord, words: Vocabulary) -> bool:
    """Tell whether a thing is worn down as a peril says; one that lies in a pack counts for nothing."""
    if word.item and not item.id.endswith(f".{word.item}"):
        return False
    if word.kinds and item.kind not in word.kinds:
        return False
    if item.where and words.positions[item.where].role == "elsewhere":
        return False
    if (word.counter and not item.counters.get(word.counter)) or item.counters.get(word.no_counter):
        return False
    return not word.die or 0 < item.die <= word.die < item.base


def _add_helpers(ruleset: Ruleset, table: Table, peril: Peril) -> Peril:
    """Add the combatants that can get to the one in danger."""
    if not peril.help:
        return peril
    found = []
    for who in table.draft.combatants:
        if who != peril.who:
            with suppress(*RULE_ERRORS, NotInFight):  # the way may depend on facts that the viewer does not know
                moves = ruleset.presentation.moves_to_help(table, who, peril.who)
                if moves is not None:
                    found.append(Helper(who, moves))
    return structs.replace(peril, helpers=tuple(sorted(found, key=lambda one: one.moves)))


def list_peril_faults(ruleset: Ruleset) -> Iterator[str]:
    """Yield the faults of the perils that a system declares: undeclared words, and names of unknown things."""
    words, options = ruleset.vocabulary, frozenset(one.name for one in structs.fields(ruleset.config))
    for name, one in words.perils.items():
        named: tuple[tuple[str, Iterable[str], Iterable[str] | Mapping[str, object]], ...] = (
            ("condition", (*one.conditions, *one.unless), words.conditions),
            ("pool", (one.pool, one.count), words.pools),
            ("counter", (one.counter, one.no_counter), words.counters),
            ("kind of item", one.kinds, words.items),
            ("option", sorted((part_names(one.says) | {one.most}) - PARTS), options),
            ("action", (one.help,), ruleset.actions),
            ("clause", (one.rule,), ruleset.clauses),
        )
        for what, those, known in named:
            yield from (f"perils.{name}: there is no {what} {that}" for that in those if that and that not in known)
        if one.help in ruleset.actions:
            fields = ruleset.actions[one.help].__struct_fields__
            yield from (f"perils.{name}.how: {one.help} has no {field}" for field in one.how if field not in fields)
        if not (one.conditions or one.pool or one.clock or one.die or one.counter):
            yield f"perils.{name}: it needs a condition, a pool, a clock, a die or a counter"
