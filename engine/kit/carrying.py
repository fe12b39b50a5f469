"""What somebody carries over from one fight into the next: a key that every system's combatants have.

An entry says what somebody is like when whole; what it ``carries`` says how they are now. It is read off the state at
the end of a fight, and put into the events that set up the next one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from affray.engine.core.between import Between
from affray.engine.core.draft import Draft
from affray.engine.core.evolve import evolve
from affray.engine.core.ids import named
from affray.engine.core.state import Combatant, Item, State
from affray.engine.core.vocabulary import Vocabulary
from affray.engine.errors import NoSuch, Unusable, misread
from affray.engine.visibility.beginning import company_of
from affray.events import ClockSet, ConditionChanged, Event, Id, ItemAdded, Joined, MarkSet

KEY = "carries"

Number = Annotated[int, Meta(ge=0, le=9_999)]
Many = Annotated[int, Meta(ge=1, le=9_999)]
Signed = Annotated[int, Meta(ge=-9_999, le=9_999)]
Text = Annotated[str, Meta(max_length=100)]


class Thing(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """How a thing of somebody's is now; one that the entry does not give is told with its name and kind.

    Attributes:
        lost: Whether it is gone.
        counters: Those that are otherwise than when whole.
        die: The present size of its usage die.
        name, kind, where, stats, traits, base: Of a thing that the entry does not give.
    """

    lost: bool = False
    counters: dict[Text, Number] = {}
    die: Number | None = None
    name: Text = ""
    kind: Text = ""
    where: Text = ""
    stats: dict[Text, Signed] = {}
    traits: tuple[Text, ...] = ()
    base: Number = 0


class Carries(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """How somebody is now, as far as that is otherwise than when whole.

    Attributes:
        stats: Numbers of the sheet that a game master corrected.
        pools: Counters, such as hit points.
        conditions: How many of each, or how many by what each comes from.
        things: By the name that each has among its owner's.
        marks, clocks: What the rules note for themselves.
        company: The same of whoever comes along without an entry, such as a mount.
    """

    stats: dict[Text, Signed] = {}
    pools: dict[Text, Number] = {}
    conditions: dict[Text, Many | dict[Text, Many]] = {}
    things: dict[Text, Thing] = {}
    marks: dict[Text, bool | int | str] = {}
    clocks: dict[Text, Number] = {}
    company: dict[Text, Carries] = {}


class Carrier(Struct, frozen=True):
    """Who carries something: where the entry stands, whose it is, and what."""

    field: str
    who: Id
    carries: Carries


# --- into a fight ---


def without_carried(encounter: Mapping[str, Any]) -> tuple[Mapping[str, Any], list[Carrier]]:
    """Return an encounter's content without what its combatants carry over, and that.

    Raises:
        Unusable: it is not of the form, or an entry of several carries something.
    """
    entries = encounter.get("combatant")
    if not isinstance(entries, Sequence) or not any(isinstance(one, Mapping) and KEY in one for one in entries):
        return encounter, []
    found, left = [], []
    for index, entry in enumerate(entries):
        if isinstance(entry, Mapping) and KEY in entry:
            found.append(_carrier(entry, f"combatant[{index}]"))
            left.append({key: value for key, value in entry.items() if key != KEY})
        else:
            left.append(entry)
    return {**encounter, "combatant": left}, found


def _carrier(entry: Mapping[str, Any], field: str) -> Carrier:
    if entry.get("count", 1) != 1:
        raise Unusable("several who are alike cannot carry the same over; give each an entry", f"{field}.{KEY}")
    carries = carries_said(entry[KEY], f"{field}.{KEY}")
    name = entry.get("name")
    ids = [who for who, _ in named(name, 1, field, set())] if isinstance(name, str) else [""]
    return Carrier(field, ids[0], carries)


def carries_said(value: object, field: str) -> Carries:
    """Return what an entry says of what is carried over.

    Raises:
        Unusable: it is not of the form; says where.
    """
    try:
        return msgspec.convert(value, Carries)
    except msgspec.ValidationError as error:
        message, path = misread(str(error))
        raise Unusable(message, field + path) from None


def carrying(
    carriers: Sequence[Carrier], encounter: Mapping[str, Any], events: Sequence[Event], words: Vocabulary
) -> list[Event]:
    """Return the events that set up a fight, with what its combatants carry over.

    Args:
        encounter: Without what is carried.

    Raises:
        Unusable: somebody carries what they cannot have; says which, and what they can.
    """
    found = list(events)
    companies = company_of(encounter, events) if carriers else {}
    for one in carriers:
        found = _with(found, one.who, one.carries, words, f"{one.field}.{KEY}")
        for who, theirs in one.carries.company.items():
            if who not in companies[one.who]:
                raise NoSuch("", who, companies[one.who], f"{one.field}.{KEY}.company")
            found = _with(found, who, theirs, words, f"{one.field}.{KEY}.company.{who}")
    return found


def _with(events: list[Event], who: Id, carries: Carries, words: Vocabulary, field: str) -> list[Event]:
    known = {event.item: event for event in events if isinstance(event, ItemAdded) and event.owner == who}
    found: list[Event] = []
    last = 0
    for event in events:
        if isinstance(event, Joined) and event.who == who:
            event = _as_they_are(event, carries, words, field)  # noqa: PLW2901 - the same, as it is now
        elif isinstance(event, ItemAdded) and event.owner == who:
            thing = carries.things.get(event.item.removeprefix(f"{who}."))
            if thing is not None and thing.lost:
                continue
            event = event if thing is None else _as_it_is(event, thing, words, f"{field}.things")  # noqa: PLW2901 - likewise
        found.append(event)
        if _owner(event) == who:
            last = len(found)
    return [*found[:last], *_more(who, carries, known, events, words, field), *found[last:]]


def _owner(event: Event) -> Id:
    return event.owner if isinstance(event, ItemAdded) else getattr(event, "who", "")


def _as_they_are(event: Joined, carries: Carries, words: Vocabulary, field: str) -> Joined:
    stats = {**event.stats, **carries.stats}
    for pool, value in carries.pools.items():
        if pool not in event.pools:
            raise NoSuch("counter", pool, event.pools, f"{field}.pools")
        word = words.pools.get(pool)
        most = stats.get(word.most) if word is not None and word.most else None
        if most is not None and value > most:
            raise Unusable(f"must be from 0 to the maximum of {most}", f"{field}.pools.{pool}")
    return msgspec.structs.replace(event, stats=stats, pools={**event.pools, **carries.pools})


def _as_it_is(event: ItemAdded, thing: Thing, words: Vocabulary, field: str) -> ItemAdded:
    key = event.item.partition(".")[2]
    for counter in thing.counters:
        if counter not in event.counters and counter not in words.counters:
            raise NoSuch("counter", counter, event.counters or words.counters, f"{field}.{key}.counters")
    if thing.die is not None and thing.die > event.base:
        raise Unusable(f"must be from 0 to {event.base}", f"{field}.{key}.die")
    die = event.die if thing.die is None else thing.die
    return msgspec.structs.replace(event, counters={**event.counters, **thing.counters}, die=die)


def _more(
    who: Id, carries: Carries, known: Mapping[Id, ItemAdded], events: Sequence[Event], words: Vocabulary, field: str
) -> Iterator[Event]:
    """Yield what somebody has that no entry gives: things, conditions, and what the rules noted."""
    for key, thing in carries.things.items():
        item = f"{who}.{key}"
        if item not in known:
            if not (thing.name and thing.kind):
                raise NoSuch("thing", key, [one.partition(".")[2] for one in known], f"{field}.things")
            yield _found(item, who, thing)
    for condition, sources in carries.conditions.items():
        if condition not in words.conditions:
            raise NoSuch("condition", condition, words.conditions, f"{field}.conditions")
        for source, count in (sources if isinstance(sources, dict) else {"": sources}).items():
            before = sum(
                event.after - event.before
                for event in events
                if isinstance(event, ConditionChanged)
                and (event.who, event.condition, event.source) == (who, condition, source)
            )
            yield ConditionChanged(who=who, condition=condition, before=before, after=count, source=source)
    yield from (MarkSet(owner=who, key=key, value=value) for key, value in carries.marks.items())
    yield from (ClockSet(clock=f"{who}/{key}", before=0, after=value) for key, value in carries.clocks.items())


def _found(item: Id, who: Id, thing: Thing) -> ItemAdded:
    return ItemAdded(
        item=item,
        name=thing.name,
        kind=thing.kind,
        owner=who,
        where=thing.where,
        stats=thing.stats,
        traits=thing.traits,
        counters=thing.counters,
        die=thing.base if thing.die is None else thing.die,
        base=thing.base,
    )


# --- out of a fight ---


def set_up(events: Sequence[Event]) -> State:
    """Return the state that some events set up."""
    draft = Draft(State())
    for event in events:
        evolve(draft, event)
    return draft.freeze()


def carries_of(
    whole: State, now: State, who: Id, company: Sequence[Id], words: Vocabulary, between: Between
) -> Carries:
    """Return what somebody carries over.

    Args:
        whole: What the entries alone come to.
        now: When the fight was over, and what happens between two fights has happened.
        company: Who comes along with them without an entry.
    """
    fresh, one = whole.combatants[who], now.combatants[who]
    clocks = {id.removeprefix(f"{who}/"): value for id, value in now.clocks.items() if id.startswith(f"{who}/")}
    marks = {key: value for key, value in now.marks.get(who, {}).items() if key in between.marks}
    theirs = {id: carries_of(whole, now, id, (), words, between) for id in company if id in now.combatants}
    return Carries(
        stats={name: value for name, value in one.stats.items() if value != fresh.stats.get(name, 0)},
        pools=_pools(fresh, one, words),
        conditions=_conditions(fresh, one, words.lasting("conditions") | between.conditions),
        things=_things(whole, now, who, words, between),
        marks={key: value for key, value in marks.items() if isinstance(value, bool | int | str)},
        clocks={key: value for key, value in clocks.items() if value and between.clocks},
        company={id: carries for id, carries in theirs.items() if carries != Carries()},
    )


def _pools(fresh: Combatant, one: Combatant, words: Vocabulary) -> dict[str, int]:
    lasting = words.lasting("pools")
    return {pool: value for pool, value in one.pools.items() if pool in lasting and value != fresh.pools.get(pool)}


def _conditions(fresh: Combatant, one: Combatant, lasting: frozenset[str]) -> dict[str, int | dict[str, int]]:
    found: dict[str, int | dict[str, int]] = {}
    for condition, sources in one.conditions.items():
        if condition in lasting and sources != fresh.conditions.get(condition):
            found[condition] = sources[""] if tuple(sources) == ("",) else dict(sources)
    return found


def _things(whole: State, now: State, who: Id, words: Vocabulary, between: Between) -> dict[str, Thing]:
    lasting = words.lasting("counters")
    fresh = {id: item for id, item in whole.items.items() if item.owner == who}
    held = {id: item for id, item in now.items.items() if item.owner == who}
    found: dict[str, Thing] = {}
    for id, item in fresh.items():
        key = id.removeprefix(f"{who}.")
        if id not in held:
            found[key] = Thing(lost=True)
        elif (changed := _changed(item, held[id], lasting)) != Thing():
            found[key] = changed
    for id, item in held.items():
        if id not in fresh:
            key = _free(id, who, {*found, *(one.removeprefix(f"{who}.") for one in fresh)})
            found[key] = _whole(item, words, between)
    return found


def _changed(fresh: Item, now: Item, lasting: frozenset[str]) -> Thing:
    counters = {
        name: value for name, value in now.counters.items() if name in lasting and value != fresh.counters.get(name, 0)
    }
    return Thing(counters=counters, die=now.die if now.die != fresh.die else None)


def _whole(item: Item, words: Vocabulary, between: Between) -> Thing:
    position = words.positions.get(item.where)
    is_worn = position is not None and position.role == "worn"
    return Thing(
        name=item.name,
        kind=item.kind,
        where=item.where if is_worn else between.stowed,
        stats=dict(item.stats),
        traits=item.traits,
        counters=dict(item.counters),
        die=item.die if item.die != item.base else None,
        base=item.base,
    )


def _free(id: Id, who: Id, taken: set[str]) -> str:
    """Return a name for a thing among its owner's: its own, with a number where there is one of that name."""
    key = id.removeprefix(f"{who}.").rpartition(".")[2]
    nth, found = 1, key
    while found in taken:
        nth += 1
        found = f"{key}-{nth}"
    return found
