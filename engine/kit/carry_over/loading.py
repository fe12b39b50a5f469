"""Apply carried-over state to the opening events of a fight."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from affray.engine.core.ids import name_combatants
from affray.engine.core.loading import load
from affray.engine.core.references import lowest_count
from affray.engine.core.ruleset import Ruleset
from affray.engine.core.vocabulary import Vocabulary
from affray.engine.errors import NoSuch, Unusable
from affray.engine.visibility.encounter_hiding import company_of
from affray.events import (
    ClockSet,
    ConditionChanged,
    Event,
    Feature,
    Id,
    ItemAdded,
    Joined,
    MarkSet,
    split_clock,
    split_traits,
)

from .form import KEY, CarriedItem, CarriedState, read_carried_state


class Carrier(Struct, frozen=True):
    """A combatant with carried-over state.

    Attributes:
        field: Path of the combatant's entry.
        who: Its id.
        carries: Its carried-over state.
    """

    field: str
    who: Id
    carries: CarriedState


def split_carry_over(encounter: Mapping[str, Any]) -> tuple[Mapping[str, Any], list[Carrier]]:
    """Split an encounter into its content and its combatants' carried-over state.

    Raises:
        Unusable: the state is malformed, or an entry for several combatants has some.
    """
    entries = encounter.get("combatant")
    if not isinstance(entries, Sequence) or not any(isinstance(one, Mapping) and KEY in one for one in entries):
        return encounter, []
    found, left = [], []
    for index, entry in enumerate(entries):
        if isinstance(entry, Mapping) and KEY in entry:
            found.append(_read_carrier(entry, f"combatant[{index}]"))
            left.append({key: value for key, value in entry.items() if key != KEY})
        else:
            left.append(entry)
    return {**encounter, "combatant": left}, found


def _read_carrier(entry: Mapping[str, Any], field: str) -> Carrier:
    if entry.get("count", 1) != 1:
        raise Unusable("several who are alike cannot carry the same over; give each an entry", f"{field}.{KEY}")
    carries = read_carried_state(entry[KEY], f"{field}.{KEY}")
    name = entry.get("name")
    ids = [who for who, _ in name_combatants(name, 1, field, set())] if isinstance(name, str) else [""]
    return Carrier(field, ids[0], carries)


def apply_carry_over(carriers: Sequence[Carrier], encounter: Mapping[str, Any], events: Sequence[Event]) -> list[Event]:
    """Return a fight's opening events with the carried-over state applied.

    Args:
        encounter: The encounter without carried-over state.

    Raises:
        Unusable: the state names something that the combatant cannot have. Lists what it can have.
    """
    found = list(events)
    companies = company_of(encounter, events) if carriers else {}
    for one in carriers:
        found = apply_carried_state(found, one, companies[one.who], load(str(encounter["system"])))
    return found


def apply_carried_state(events: list[Event], one: Carrier, company: Collection[Id], ruleset: Ruleset) -> list[Event]:
    """Return a combatant's joining events with its carried-over state applied.

    Args:
        company: The combatants that come along without an entry.

    Raises:
        Unusable: as in ``apply_carry_over``.
    """
    field, words = f"{one.field}.{KEY}", ruleset.vocabulary
    _must_be_counts(one.carries, ruleset, field)
    found = _apply_to_events(events, one.who, one.carries, words, field)
    for who, theirs in one.carries.company.items():
        if who not in company:
            raise NoSuch("", who, company, f"{field}.company")
        found = _apply_to_events(found, who, theirs, words, f"{field}.company.{who}")
    return found


def _must_be_counts(carries: CarriedState, ruleset: Ruleset, field: str) -> None:
    """Refuse a pool value below the minimum of the system's sheets."""
    for company, one in (("", carries), *((f".company.{who}", one) for who, one in carries.company.items())):
        for pool, value in one.pools.items():
            low = lowest_count(ruleset, pool)
            if value < low:
                raise Unusable(f"must be at least {low}", f"{field}{company}.pools.{pool}")


def _apply_to_events(events: list[Event], who: Id, carries: CarriedState, words: Vocabulary, field: str) -> list[Event]:
    known = {event.item: event for event in events if isinstance(event, ItemAdded) and event.owner == who}
    found: list[Event] = []
    last = 0
    for event in events:
        if isinstance(event, Joined) and event.who == who:
            event = _apply_to_combatant(event, carries, words, field)  # noqa: PLW2901 - the same event, updated
        elif isinstance(event, ItemAdded) and event.owner == who:
            thing = carries.things.get(event.item.removeprefix(f"{who}."))
            if thing is not None and thing.lost:
                continue
            if thing is not None:
                event = _apply_to_item(event, thing, words, f"{field}.things")  # noqa: PLW2901 - likewise
        found.append(event)
        if _find_owner(event) == who:
            last = len(found)
    return [*found[:last], *_list_additions(who, carries, known, events, words, field), *found[last:]]


def _find_owner(event: Event) -> Id:
    return event.owner if isinstance(event, ItemAdded) else getattr(event, "who", "")


def _apply_to_combatant(event: Joined, carries: CarriedState, words: Vocabulary, field: str) -> Joined:
    stats = {**event.stats, **carries.stats}
    for pool, value in carries.pools.items():
        if pool not in event.pools:
            raise NoSuch("counter", pool, event.pools, f"{field}.pools")
        word = words.pools.get(pool)
        most = stats.get(word.most) if word is not None and word.most else None
        if most is not None and value > most:
            raise Unusable(f"must be from 0 to the maximum of {most}", f"{field}.pools.{pool}")
    return msgspec.structs.replace(event, stats=stats, pools={**event.pools, **carries.pools})


def _apply_to_item(event: ItemAdded, thing: CarriedItem, words: Vocabulary, field: str) -> ItemAdded:
    key = event.item.partition(".")[2]
    for counter in thing.counters:
        if counter not in event.counters and counter not in words.counters:
            raise NoSuch("counter", counter, event.counters or words.counters, f"{field}.{key}.counters")
    if thing.die is not None and thing.die > event.base:
        raise Unusable(f"must be from 0 to {event.base}", f"{field}.{key}.die")
    die = event.die if thing.die is None else thing.die
    return msgspec.structs.replace(event, counters={**event.counters, **thing.counters}, die=die)


def _list_additions(
    who: Id,
    carries: CarriedState,
    known: Mapping[Id, ItemAdded],
    events: Sequence[Event],
    words: Vocabulary,
    field: str,
) -> Iterator[Event]:
    """Yield events for carried-over things, conditions, marks and clocks.

    Only things that the entry does not give are added.
    """
    for key, thing in carries.things.items():
        item = f"{who}.{key}"
        if item not in known:
            if not (thing.name and thing.kind):
                raise NoSuch("thing", key, [one.partition(".")[2] for one in known], f"{field}.things")
            yield _make_item(item, who, thing)
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
    for key, held in carries.clocks.items():
        for about, value in held.items() if isinstance(held, dict) else (("", held),):
            _, clock, about_then = split_clock(f"{who}/{key}")
            yield ClockSet(clock=clock, owner=who, about=about or about_then, before=0, after=value)


def _make_item(item: Id, who: Id, thing: CarriedItem) -> ItemAdded:
    """Build the event that adds an item; a party of an earlier version holds its features among its traits."""
    traits, features = split_traits(thing.traits)
    carried = msgspec.convert(thing.features, tuple[Feature, ...], from_attributes=True)
    return ItemAdded(
        item=item,
        name=thing.name,
        kind=thing.kind,
        owner=who,
        where=thing.where,
        stats=thing.stats,
        traits=traits,
        features=(*features, *carried),
        counters=thing.counters,
        die=thing.base if thing.die is None else thing.die,
        base=thing.base,
    )
