"""Sentences about what changed in the fight; they join the table of ``sentences``."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from affray import events as facts
from affray.engine.core.endings import RULING
from affray.engine.core.ids import MORE_TO_COME
from affray.engine.core.marks import WORDS, AnyMark, StructMark, find_mark
from affray.engine.core.sentences import Part, fill_in
from affray.engine.core.words import ClockWord, CounterWord
from affray.engine.history.earlier_notes import read_text
from affray.engine.kit.modifiers import GRANTED
from affray.engine.texts import id_said, name_said, quote, word_said
from affray.engine.visibility import FOE_DETAILS
from affray.events import Scalar, owner_of

from .words import RULING as UNSAID
from .words import (
    Names,
    Sentences,
    becomes,
    change,
    counter_change,
    name_of,
    place_of_thing,
    plain,
    possessive,
    series,
    side_said,
    terms,
    with_sign,
)

CHANGES = Sentences()
"""The functions that tell an event, by event type."""

CHANGES.tell(
    facts.FightOpened,
    lambda event, names: (
        f"{quote(event.fight)}, a fight by the rules of {names.title}, version {id_said(event.version)}"
    ),
)
CHANGES.tell(facts.Left, lambda event, names: f"{name_of(names, event.who)} is gone from the fight")
CHANGES.tell(
    facts.PoolChanged, lambda event, names: f"{possessive(name_of(names, event.who))} {pool_said(event, names)}"
)


@CHANGES.tells(facts.Noted)
def _(event: facts.Noted, names: Names) -> str:
    """Tell a note of the rules in their declared sentence; quote a game master's text."""
    noted = event if event.kind or not event.rules else read_text(event, names.words.notes, names)
    note = names.words.notes.get(noted.kind)
    if note is None:
        return f"note: {quote(noted.text or noted.kind)}"
    kinds = note.parts

    def say(part: Part) -> str | None:
        value = noted.parts.get(part.name)
        if part.yes is not None or value is None:
            return part.yes if value else part.no
        return _note_part(kinds[part.name], value, note.texts, names)

    return fill_in(note.says, say)


def _note_part(kind: str, value: object, texts: Collection[str], names: Names) -> str:
    match kind:
        case "combatants" if isinstance(value, tuple):
            return series(name_of(names, who) for who in value)
        case "side":
            return side_said(str(value))
        case "combatant" | "item":  # of the latter an earlier format wrote the name
            return names.get(str(value)) or (str(value) if value in names.values() else quote(str(value)))
        case "number" if str(value).isdecimal():
            return str(value)
        case "text" if value in texts:
            return str(value)
    return quote(str(value))


@CHANGES.tells(facts.Joined)
def _(event: facts.Joined, names: Names) -> str:
    pools = ", ".join(f"{names.label('pools', pool)} {value}" for pool, value in event.pools.items() if value)
    place = f" at {names.at(event.place)}" if event.place else ""
    return f"{name_of(names, event.who)} joins {side_said(event.side)}{place}{f': {pools}' if pools else ''}"


@CHANGES.tells(facts.SideChanged)
def _(event: facts.SideChanged, names: Names) -> str:
    return f"{name_of(names, event.who)} leaves {side_said(event.before)} and fights for {side_said(event.after)}"


@CHANGES.tells(facts.StatChanged)
def _(event: facts.StatChanged, names: Names) -> str:
    stat = f"{possessive(name_of(names, event.who))} {names.label('stats', event.stat)}"
    return f"{stat} is corrected, {_before_and_after(event)}"


def _before_and_after(event: facts.StatChanged | facts.PoolChanged) -> str:
    return change(plain(event.before), plain(event.after))


@CHANGES.tells(facts.TraitChanged)
def _(event: facts.TraitChanged, names: Names) -> str:
    has = "now has" if event.present else "no longer has"
    of = f" {quote(event.trait.of)}" if isinstance(event.trait, facts.Feature) else ""
    return f"{name_of(names, event.who)} {has} {names.label('traits', facts.find_word(event.trait))}{of}"


@CHANGES.tells(facts.Damaged)
def _(event: facts.Damaged, names: Names) -> str:
    why = terms(event.terms, names)
    return f"{name_of(names, event.who)} takes {event.amount or 'nothing'}{f': {why}' if why else ''}"


def pool_said(event: facts.PoolChanged, names: Names) -> str:
    """Describe a change of a counter: ``health 12 → 10``."""
    return f"{names.label('pools', event.pool)} {_before_and_after(event)}"


@CHANGES.tells(facts.ConditionChanged)
def _(event: facts.ConditionChanged, names: Names) -> str:
    how = f" ({source})" if (source := _source_said(event, names)) else ""
    return f"{name_of(names, event.who)} {becomes(names, event.condition, event.after)}{how}"


def _source_said(event: facts.ConditionChanged, names: Names) -> str:
    """Describe a condition's source, or its end; quote a game master's words."""
    source = "" if event.source in (RULING, UNSAID) else event.source
    known = names.get(source) or names.words.source(source)
    said = known or (id_said(source) if event.rules or not source else quote(source))
    return ", ".join(filter(None, (said, names.words.until(event.ends) if event.ends else "")))


@CHANGES.tells(facts.ItemAdded)
def _(event: facts.ItemAdded, names: Names) -> str:
    known = names.words.items.get(event.kind)
    if known is not None and known.says:
        return f"{name_of(names, event.owner)} {known.says.replace('{name}', name_said(event.name))}"
    where = f" ({place_of_thing(names, event.where)})" if event.where else ""
    return f"{name_of(names, event.owner) or 'the ground'} has {name_said(event.name)}{where}"


@CHANGES.tells(facts.ItemCounted)
def _(event: facts.ItemCounted, names: Names) -> str:
    return f"{_whose(event.item, names)} {thing_counted(event, names)}"


def thing_counted(event: facts.ItemCounted, names: Names) -> str:
    """Describe a change of a thing's counter, with its name: ``arrow: 8 → 7``."""
    flag = names.words.counters.get(event.counter, CounterWord()).role == "flag"
    how = counter_change(names, event.counter, event.before, event.after)
    return f"{name_of(names, event.item)}{' ' if flag else ': '}{how}"


def _whose(item: str, names: Names) -> str:
    owner = owner_of(item)
    return possessive(names[owner]) if owner in names else "the"


@CHANGES.tells(facts.ItemMoved)
def _(event: facts.ItemMoved, names: Names) -> str:
    thing = name_of(names, event.item)
    if not event.owner:
        return f"the {thing} is {place_of_thing(names, event.after)} now"
    return f"{possessive(name_of(names, event.owner))} {thing} is {place_of_thing(names, event.after)} now"


@CHANGES.tells(facts.DieStepped)
def _(event: facts.DieStepped, names: Names) -> str:
    thing = f"{_whose(event.item, names)} {name_of(names, event.item)}"
    return f"{thing}: d{event.before} → d{event.after}" if event.after else f"{thing}: destroyed"


@CHANGES.tells(facts.ItemRemoved)
def _(event: facts.ItemRemoved, names: Names) -> str:
    owner = owner_of(event.item)
    thing = name_of(names, event.item)
    return f"{names[owner]} no longer has {thing}" if owner in names else f"the {thing} is no longer there"


@CHANGES.tells(facts.Moved)
def _(event: facts.Moved, names: Names) -> str:
    if event.before and not event.after:
        return f"{name_of(names, event.who)} is off the map"
    where = f" from {names.at(event.before)} to {names.at(event.after)}" if event.after else ""
    return f"{name_of(names, event.who)} goes{where}{f' for {way_said(event.cost, names)}' if event.cost else ''}"


def way_said(cost: int, names: Names) -> str:
    """Format the cost of a way in the system's unit: ``30 feet``, ``1 step``."""
    return f"{cost} {names.words.places.unit or ('step' if cost == 1 else 'steps')}"


@CHANGES.tells(facts.DistanceSet)
def _(event: facts.DistanceSet, names: Names) -> str:
    return f"{series(name_of(names, who) for who in event.pair)} are {event.after} apart"


@CHANGES.tells(facts.ViewSet)
def _(event: facts.ViewSet, names: Names) -> str:
    return f"{name_of(names, event.target)} is {names.label('views', event.after)} from {name_of(names, event.viewer)}"


@CHANGES.tells(facts.PlaceSet)
def _(event: facts.PlaceSet, names: Names) -> str:
    exits = f", with ways to {series(map(names.at, event.exits))}" if event.exits else ""
    return f"{names.at(event.place)} is {traits_said(names, event.traits, event.side_traits)}{exits}"


def traits_said(names: Names, traits: Iterable[str], sides: Iterable[facts.SideTrait] = ()) -> str:
    """Describe the traits of a place."""
    said = list_traits(names, traits, sides)
    return series(said) if said else "ordinary"


def list_traits(names: Names, traits: Iterable[str], sides: Iterable[facts.SideTrait] = ()) -> list[str]:
    """Describe each trait of a place, and each of its sides with the number of the side."""
    of_sides = [f"{names.label('traits', one.trait)} ({one.side})" for one in sides]
    return [*(names.label("traits", one) for one in traits), *of_sides]


@CHANGES.tells(facts.RelationSet)
def _(event: facts.RelationSet, names: Names) -> str:
    if not event.members:
        known = names.words.relations.get(event.kind)
        return known.over if known is not None and known.over else f"the {_kind(event, names)} is over"
    roles = [f"{name_of(names, one.who)}{_role(one.role, names)}" for one in event.members]
    known = names.words.relations.get(event.kind)
    if known is not None and known.says:
        return known.says.replace("{members}", series(roles))
    return f"{_kind(event, names)}: {'only ' if len(roles) == 1 else ''}{series(roles)}"


def _kind(event: facts.RelationSet, names: Names) -> str:
    return names.label("relations", event.kind)


def _role(role: str, names: Names) -> str:
    return f" ({names.label('roles', role)})" if role else ""


@CHANGES.tells(facts.MarkSet)
def _(event: facts.MarkSet, names: Names) -> str:
    mark = find_mark(names.marks, event.key, event.about)
    what = f"{name_of(names, event.owner)}: {_mark_said(mark, event, names)}"
    if event.parts and isinstance(mark, StructMark):
        parts = {name: part for name, part in event.parts.items() if (mark, name) != (GRANTED, "label")}
        return f"{what} = {', '.join(_list_parts(mark, parts, names))}"
    if event.value is None or isinstance(event.value, bool):
        return what if event.value else f"{what} struck out"
    return f"{what} = {_value(mark.names if mark is not None else '', event.value, names)}"


def _value(kind: str, value: Scalar | tuple[str, ...], names: Names) -> str:
    """Return the value of a note, as its rule system says what it names; words that a person wrote are quoted."""
    if isinstance(value, tuple):
        return series([names.get(one) or id_said(one) for one in value]) if value else "none"
    if not isinstance(value, str):
        return str(value)
    if kind == WORDS:
        return quote(value)
    if kind:
        return names.get(value) or id_said(value)
    return names.label("options", value)


def _list_parts(mark: StructMark[Any], parts: Mapping[str, Any], names: Names) -> Iterator[str]:
    """Yield the parts of a struct, each as its type says what it names; clauses are cited elsewhere.

    A struct that a person wrote has its fields' names, and leaves out what is empty.
    """
    if mark.names == WORDS:
        yield from _list_fields(parts)
        return
    kinds = mark.kinds
    for name, value in parts.items():
        if kinds.get(name) != "clause":
            yield _value(kinds.get(name, ""), value, names)


def _list_fields(parts: Mapping[str, Any]) -> Iterator[str]:
    """Yield the fields of a struct in which a person's words are, quoted."""
    for name, value in parts.items():
        if isinstance(value, tuple):
            told = [", ".join(_list_fields(one)) if isinstance(one, Mapping) else quote(one) for one in value]
            yield from [f"{word_said(name)} {one}" for one in told]
        elif value is True:
            yield word_said(name)
        elif value:
            yield f"{word_said(name)} {quote(value) if isinstance(value, str) else value}"


def _mark_said(mark: AnyMark | None, event: facts.MarkSet, names: Names) -> str:
    """Return a note of the rules, with what it is about."""
    said = names.label("marks", event.key)
    if not event.about or (mark is not None and mark.about == "pending"):
        return said
    if event.key == GRANTED.key:
        return f"{said}, {quote(str(event.parts.get('label', event.about)))}"
    return f"{said}, {name_of(names, event.about) if mark is not None and mark.about else word_said(event.about)}"


@CHANGES.tells(facts.ClockSet)
def _(event: facts.ClockSet, names: Names) -> str:
    by, known = event.after - event.before, names.words.clocks.get(event.clock, ClockWord())
    whose = [name_of(names, event.owner)] if event.owner else []
    whose += [names.label("clocks", event.about)] if event.about else []
    if known.says and by > 0:
        return known.says.replace("{by}", str(by)).replace("{whose}", series(whose))
    said = ", ".join((*whose, names.label("clocks", event.clock)))
    return f"clock {said}: {change(event.before, event.after)} ({with_sign(by)})"


@CHANGES.tells(facts.Concealed)
def _(event: facts.Concealed, names: Names) -> str:
    if event.who == MORE_TO_COME:
        return f"{'more' if event.concealed else 'nobody else'} may join the fight"
    who = name_of(names, event.who)
    return f"{who} is hidden from all who do not play them" if event.concealed else f"{who} is there for all to see"


@CHANGES.tells(facts.Veiled)
def _(event: facts.Veiled, names: Names) -> str:
    whose = possessive(name_of(names, event.who))
    if not event.pools:
        return f"{whose} counters are shown as numbers"
    pools = series(names.label("pools", pool) for pool in event.pools)
    return f"{whose} {pools} {'is' if len(event.pools) == 1 else 'are'} only shown roughly"


@CHANGES.tells(facts.FoesSet)
def _(event: facts.FoesSet, names: Names) -> str:
    return f"players see what foes have left {FOE_DETAILS[event.show]}"


@CHANGES.tells(facts.Released)
def _(event: facts.Released, names: Names) -> str:
    if not event.positions:
        return "all words so far are for everybody to read"
    where = "positions" if len(event.positions) > 1 else "position"
    return f"the words at {where} {series(map(str, event.positions))} are for everybody to read"
