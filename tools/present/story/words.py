"""Words for ids, numbers and actions, shared by all texts about a fight."""

from collections.abc import Callable, Collection, Iterable
from typing import Any, Generic, TypeVar

from affray.engine.core.coordinates import place_label
from affray.engine.core.ids import id_of
from affray.engine.core.loading import available, load
from affray.engine.core.marks import NO_MARKS
from affray.engine.core.vocabulary import COMMON, vocabulary_of
from affray.engine.core.words import ConditionWord, CounterWord
from affray.engine.kit.modifiers import GRANTED
from affray.engine.texts import id_said, name_said, quote, word_said
from affray.events import (
    KEPT,
    AnySource,
    Event,
    Faces,
    FightOpened,
    Id,
    ItemAdded,
    Joined,
    Member,
    Modifier,
    Previewed,
    Recorded,
    RelationSet,
    Rolled,
    SideChanged,
    Source,
)


class Names(dict[Id, str]):
    """The names of all ids, and the vocabulary of the rule system.

    Args:
        system: The rule system's name. For a system that is not installed, only the shared words are known.

    Attributes:
        words: The system's vocabulary.
        map, title: The kind of place on its maps, and its title; see ``Ruleset``.
        actions, rulings: Its structs of actions and rulings, by kind.
        marks: The kinds of marks that it declares.
        sides: All sides so far, by which turns and rolls of sides are named.
    """

    __slots__ = ("actions", "map", "marks", "rulings", "sides", "title", "words")

    def __init__(self, system: str = "") -> None:
        super().__init__(gm="the game master")
        self.sides = set[str]()
        self.speak(system)

    def speak(self, system: str) -> None:
        """Take the words of a rule system."""
        ruleset = load(system) if system in available() else None
        self.words = ruleset.vocabulary if ruleset else vocabulary_of(COMMON)
        self.actions = ruleset.actions if ruleset else {}
        self.rulings = ruleset.rulings if ruleset else {}
        self.marks = ruleset.marks if ruleset else NO_MARKS
        self.map: str = ruleset.board.kind if ruleset else ""
        self.title = ruleset.title if ruleset else id_said(system)

    def label(self, kind: str, word: str) -> str:
        """Return the label of a word of the rules; quote a word that is not declared."""
        made_up = word and kind in MADE_UP and word not in getattr(self.words, kind)
        return quote(as_people_say(word)) if made_up else self.words.label(kind, word)

    def place(self, place: Id) -> str:
        """Return a place's text for people."""
        said = place_label(place, self.map)
        return name_said(place.replace("-", " ")) if self.map == "zones" else said if said != place else id_said(place)

    def at(self, place: Id) -> str:
        """Return a place as a sentence says it: a zone with its article, unless its name is a proper one."""
        said = self.place(place)
        return f"the {said}" if self.map == "zones" and said[:1].islower() else said


MADE_UP = frozenset({"conditions", "purposes", "stats", "traits", "views"})
"""The vocabulary tables to which a game master's rulings can add words."""

Given = TypeVar("Given")
Kind = TypeVar("Kind", bound=Event)


class ByEvent(dict[type[Event], Callable[[Any, Given], str]], Generic[Given]):
    """The functions that put an event into words with a further argument, by event type."""

    def tell(self, type_: type[Kind], says: Callable[[Kind, Given], str]) -> None:
        """Say events of a type by a function."""
        self[type_] = says

    def tells(self, type_: type[Kind]) -> Callable[[Callable[[Kind, Given], str]], None]:
        """Say them by the decorated function."""
        return lambda says: self.tell(type_, says)


Sentences = ByEvent[Names]


def names_of(recorded: Iterable[Recorded], named: Iterable[Event] = ()) -> Names:
    """Return the names of all combatants and things of a fight, and its vocabulary; first those of further events."""
    names = Names()
    for event in (*named, *[one.event for one in recorded]):
        learn(names, event)
    return names


CALLING = frozenset({FightOpened, Joined, SideChanged, ItemAdded, RelationSet})
"""The event types that introduce a name."""


def learn(names: Names, event: Event) -> None:
    """Learn the names that an event gives."""
    if isinstance(event, FightOpened):
        names.speak(event.system)
    elif isinstance(event, Joined):
        names[event.who] = name_said(event.name)
        names.sides.add(event.side)
    elif isinstance(event, SideChanged):
        names.sides.add(event.after)
    elif isinstance(event, ItemAdded):
        names[event.item] = name_said(event.name)
    elif isinstance(event, RelationSet):
        name_relation(names, event.relation, event.kind, event.members)


def name_relation(names: Names, relation: Id, kind: str, members: Iterable[Member]) -> None:
    """Take in what people call a relation: a group by its name, another as its rule system declares it."""
    known = names.words.relations.get(kind)
    if kind == "group":
        names[relation] = Several(group_said(relation, names))
    elif known is not None and known.called and members:
        names[relation] = known.called.replace("{members}", series(name_of(names, one.who) for one in members))


def group_said(group: Id, names: Names) -> str:
    """Return a group's name: that of its side, of the combatant it is named after, or the words of its id."""
    side = next((one for one in sorted(names.sides) if id_of(one) == group), "")
    of = group.removesuffix("-group")
    if side or of == group or of not in names:
        return side_said(side or group.replace("-", " "))
    return f"{possessive(names[of])} group"


def author_said(who: str, names: Names) -> str:
    """Return who sent a command: the game master, a combatant, or else a person's own name, which is quoted."""
    return who if who in names else quote(who)


class Several(str):
    """A name for several combatants, which takes a verb in the plural."""

    __slots__ = ()


def name_of(names: Names, id: Id) -> str:
    """Return what people call a combatant, an item or a relation; an unknown id that is no id is quoted."""
    return names.get(id) or id_said(id)


def describe_shown_dice(look: Previewed) -> str:
    """Return the dice that a look showed, by roll; the rolls alone where a look does not say which dice."""
    groups: dict[Id, list[str]] = {roll: [] for roll in look.rolls}
    for one in look.dice:
        kind = word_said(one.kind) if one.kind not in ("die", f"d{one.sides}") else ""
        words = (f"{one.count}d{one.sides}", kind, id_said(one.item) if one.item else "")
        groups.setdefault(one.roll, []).append(" ".join(filter(None, words)))
    return ", ".join(f"{id_said(roll)} ({', '.join(dice)})" if dice else id_said(roll) for roll, dice in groups.items())


def name_of_slot(names: Names, slot: Id) -> str:
    """Return the name of a combatant, a group or a side that has a turn or rolls."""
    return Several(side_said(slot)) if slot in names.sides and slot not in names else name_of(names, slot)


def side_said(side: str) -> str:
    """Return a side's name for use in a sentence: ``the heroes``."""
    return f"the {name_said(side)}"


def capital(text: str) -> str:
    """Return a text with its first letter as at the beginning of a sentence."""
    return text[:1].upper() + text[1:]


def won_by(*sides: str) -> str:
    """Return who has won, in words that fit one name and many: ``won by the heroes``."""
    return f"won by {series(side_said(side) for side in sides if side)}"


def series(parts: Iterable[str], last: str = "and") -> str:
    """Join names as in ``a, b and c``; without any, return the word for none."""
    *front, end = list(parts) or ["nobody"]
    return f"{', '.join(front)} {last} {end}" if front else end


MANY = 5
"""More combatants than these are counted rather than named."""


def name_or_count(who: Collection[Id], names: Names, last: str = "and") -> str:
    """Return the names of combatants, or how many they are: ``Ilse and Bram``, ``24 combatants``."""
    return f"{len(who)} combatants" if len(who) > MANY else series((name_of(names, one) for one in who), last)


def possessive(name: str) -> str:
    """Return a name in the genitive."""
    return f"{name}'" if name.endswith("s") and name.startswith("the ") else f"{name}'s"


def with_sign(number: int) -> str:
    """Format a number with its sign, as it follows another."""
    return f"+{number}" if number >= 0 else f"−{-number}"


def plain(number: int) -> str:
    """Return a number with a real minus where it is below zero."""
    return str(number) if number >= 0 else f"−{-number}"


def change(before: object, after: object) -> str:
    """Return ``before → after``."""
    return f"{before} → {after}"


def as_people_say(text: str) -> str:
    """Return a text of the rules that is no declared word, such as the label of a modifier, as people say it."""
    return text.replace("_", " ")


def terms(modifiers: Iterable[Modifier], names: Names, *, first: str = "") -> str:
    """Return the nonzero terms of a sum, such as ``10 +2 accuracy +1 (1 ep)``.

    A source that is a purpose of rolls is named as that purpose.
    """
    parts = [first] if first else []
    for one in modifiers:
        if one.value:
            parts.append(f"{with_sign(one.value) if parts else plain(one.value)} {term_said(one, names)}")
    return " ".join(parts)


def term_said(one: Modifier, names: Names) -> str:
    """Return the label of a term; quote one that a game master gave."""
    if is_made_up(one.label, one.source):
        return quote(one.label)
    if one.label in names.words.purposes:
        return names.words.label("purposes", one.label)
    return f"({label_said(one.label)})" if one.label[:1].isdigit() else label_said(one.label)


def label_said(label: str) -> str:
    """Return the label of a number that rules gave: a word of theirs, or the name of a thing."""
    return word_said(label) if "_" in label else name_said(label)


RULING = "ruling"
"""The label of a number that a game master adds without giving a label."""


def is_made_up(label: str, source: AnySource) -> bool:
    """Tell whether a game master wrote the label of a number, by where the number comes from."""
    return label != RULING and (source.name == GRANTED.key if isinstance(source, Source) else source == "gm")


ONE_IS_ITSELF = frozenset({"sum", "highest", "lowest"})
"""The readings whose result is a single die's face."""


def dice_said(roll: Rolled, names: Names) -> str:
    """Describe a roll's dice and total: ``10 +2 accuracy = 12 against 13``."""
    several = "+" if roll.reading == "sum" else ", "
    named = len({group.kind for group in roll.dice}) > 1
    shown = (", " if named else several).join(_faces(group, several, names, named=named) for group in roll.dice)
    alone = roll.reading in ONE_IS_ITSELF and shown == str(roll.total)
    if roll.reading != "sum" and not alone:
        shown = f"{word_said(roll.reading)} of {shown or 'no dice'}"
    if roll.pool:
        shown += f" ({terms(roll.pool, names)})"
    if roll.source == "entered":
        shown += " (entered)"
    text = terms(roll.modifiers, names, first=shown)
    if not alone or text != shown:
        text += f" = {plain(roll.total)}"
    return text if roll.against is None else f"{text} against {roll.against}"


def _faces(group: Faces, several: str, names: Names, *, named: bool) -> str:
    """Return a group's faces, after the kind of dice if there are several."""
    fates = group.fates or (KEPT,) * len(group.faces)
    by_fate: dict[str, list[str]] = {}
    for face, fate in zip(group.faces, fates, strict=True):
        by_fate.setdefault(fate, []).append(str(face))
    kept = by_fate.pop(KEPT, [])
    aside = "; ".join(f"{series(faces)} {names.label('fates', fate)}" for fate, faces in by_fate.items())
    shown = (" " if named else several).join(kept)
    shown = " ".join(filter(None, (shown, f"({aside})" if aside else "")))
    return f"{names.label('dice', group.kind)} {shown}" if named else shown


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


def counter_change(names: Names, counter: str, before: int, after: int) -> str:
    """Describe a change of a thing's counter, without its name: ``rating 1 → 0``."""
    word, label = names.words.counters.get(counter, CounterWord()), names.label("counters", counter)
    if word.role == "flag" and {before, after} == {0, 1}:
        return word.gained or f"is {label}" if after else word.lost or f"is no longer {label}"
    moved = change(before, after)
    return moved if word.role == "amount" else f"{label} {moved}"


def place_of_thing(names: Names, where: str) -> str:
    """Return a thing's position, as it follows ``is``: ``in the belt``, ``thrown``, ``at 1,0``."""
    if not where:
        return "put away"
    known = names.words.positions.get(where)
    if known is None:
        return f"at {names.at(where)}"
    return known.says or f"in the {names.label('positions', where)}"


def borne(names: Names, condition: str, count: int) -> str:
    """Return a condition, with its count where it is counted, such as ``bleeding 2``."""
    label = names.label("conditions", condition)
    return label if count == 1 else f"{label} {count}"


def becomes(names: Names, condition: str, count: int) -> str:
    """Return the verb phrase for a changed condition: ``goes down``, ``is no longer prone``."""
    known = names.words.conditions.get(condition, ConditionWord())
    said = (known.gained if count == 1 else "") if count else known.lost
    return said or f"is {borne(names, condition, count) if count else is_now(names, condition, count)}"


def is_now(names: Names, condition: str, count: int) -> str:
    """Return the same in a note: ``now bleeding 2``, ``no longer prone``."""
    return f"now {borne(names, condition, count)}" if count else f"no longer {names.label('conditions', condition)}"
