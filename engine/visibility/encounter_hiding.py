"""Hidden fields of encounters: two keys of every combatant, and two of the file."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from affray.engine.core.draft import Draft
from affray.engine.core.evolve import evolve
from affray.engine.core.ids import MORE_TO_COME, name_combatants
from affray.engine.core.open_parts import open_part, rests_on_concealed, sealed_relation_id, word_of
from affray.engine.core.state import State
from affray.engine.errors import Unusable, split_decoder_message
from affray.events import Concealed, Event, FoeDetail, Id, Joined, RelationSet, Veiled

from .foes import FOES, list_hero_sides, set_foes

KEYS = ("concealed", "veiled")


class HiddenEntry(Struct, frozen=True, kw_only=True):
    """The facts that an entry hides of its combatants.

    Attributes:
        field: The field of the entry.
        name, count: The name and the count in the entry.
        concealed: Whether they are concealed.
        veiled: The counters that are shown as a band.
    """

    field: str
    name: str
    count: int = 1
    concealed: bool = False
    veiled: tuple[str, ...] = ()


class HiddenParts(NamedTuple):
    """The facts that an encounter hides.

    Attributes:
        entries: The facts of its entries, and whether more combatants may join.
        foes: What players read of foes.
    """

    entries: Sequence[HiddenEntry]
    foes: FoeDetail = "open"


def split_hidden(encounter: Mapping[str, Any]) -> tuple[Mapping[str, Any], HiddenParts]:
    """Split an encounter into its content without hiding keys, and their values.

    Raises:
        Unusable: such a key has a value of the wrong kind.
    """
    more = encounter.get(MORE_TO_COME, False)
    if not isinstance(more, bool):
        raise Unusable("must be true or false", MORE_TO_COME)
    found = [HiddenEntry(field=MORE_TO_COME, name=MORE_TO_COME, concealed=True)] if more else []
    foes = encounter.get(FOES, "open")
    if foes not in get_args(FoeDetail):
        raise Unusable(f"must be one of {', '.join(get_args(FoeDetail))}", FOES)
    if not encounter.keys().isdisjoint((MORE_TO_COME, FOES)):
        encounter = {key: value for key, value in encounter.items() if key not in (MORE_TO_COME, FOES)}
    entries = encounter.get("combatant")
    if not isinstance(entries, Sequence) or not any(isinstance(one, Mapping) and _hides(one) for one in entries):
        return encounter, HiddenParts(found, foes)
    left = []
    for index, entry in enumerate(entries):
        if isinstance(entry, Mapping) and _hides(entry):
            found.append(_read_entry(entry, f"combatant[{index}]"))
            left.append({key: value for key, value in entry.items() if key not in KEYS})
        else:
            left.append(entry)
    return {**encounter, "combatant": left}, HiddenParts(found, foes)


def hide_entries(found: HiddenParts, encounter: Mapping[str, Any], events: Sequence[Event]) -> Iterator[Event]:
    """Yield the events that hide what an encounter hides, behind its set-up.

    Args:
        found: The hidden fields.
        events: The events that set up the fight.

    Raises:
        Unusable: a combatant has no such counter.
    """
    hiding = list(_hide_entries(found.entries, encounter, events)) if found.entries else []
    yield from hiding
    if found.foes != "open":
        draft = _fold([*events, *hiding])
        played = [entry["side"] for entry in encounter["combatant"] if entry.get("player")]
        yield from set_foes(found.foes, list_hero_sides(draft, played), draft)


def _hide_entries(
    found: Sequence[HiddenEntry], encounter: Mapping[str, Any], events: Sequence[Event]
) -> Iterator[Event]:
    """Yield the events that hide what entries hide.

    With a concealed combatant everything else of its entry that has no own name is concealed, such as a mount.
    """
    draft = _fold(events)
    company = company_of(encounter, events)
    for one in found:
        if one.field == MORE_TO_COME:
            yield Concealed(who=MORE_TO_COME, concealed=True)
            continue
        for who, _ in name_combatants(one.name, one.count, one.field, set()):
            if one.concealed:
                yield from (Concealed(who=hidden, concealed=True) for hidden in (who, *company[who]))
            if one.veiled:
                combatant = draft.combatants[who]
                for pool in one.veiled:
                    if pool not in combatant.pools:
                        raise Unusable(f"{who} has the counters {', '.join(combatant.pools)}", f"{one.field}.veiled")
                yield Veiled(who=who, pools={pool: combatant.pools[pool] for pool in one.veiled})


def add_open_parts(events: Sequence[Event]) -> list[Event]:
    """Add the open part before each event of an opening that has one.

    Relations of a kind are sorted by their known members, so that their order does not show where concealed ones are.
    """
    events = _name_relations(events, _fold(events))
    draft = _fold(events)
    known = [who for who in draft.combatants if who not in draft.concealed]
    place = {who: nth for nth, who in enumerate(known)}

    def first_known(event: Event) -> int:
        members = event.members if isinstance(event, RelationSet) else ()
        return min((place[one.who] for one in members if one.who in place), default=len(place))

    runs = groupby(events, key=lambda event: event.kind if isinstance(event, RelationSet) else "")
    ordered = [event for _, run in runs for event in sorted(run, key=first_known)]
    parts = ((open_part(event, draft), event) for event in ordered)
    return [one for pair in parts for one in pair if one is not None]


def _fold(events: Iterable[Event]) -> Draft:
    draft = Draft(State())
    for event in events:
        evolve(draft, event)
    return draft


def _name_relations(events: Sequence[Event], draft: Draft) -> list[Event]:
    """Number sealed relations behind open ones, and give them other names.

    No sealed relation keeps a name that an open one may have.
    """
    told = [one for one in events if isinstance(one, RelationSet)]
    sealed = {one.relation for one in told if rests_on_concealed(one, draft.concealed, draft)}
    names = {id: sealed_relation_id(id) for id in sealed if word_of(draft.relations[id].kind, draft).ids == "word"}
    for kind in {one.kind for one in told if word_of(one.kind, draft).ids == "number"}:
        ids = [one.relation for one in told if one.kind == kind]
        names.update(zip(sorted(ids, key=sealed.__contains__), ids, strict=True))
    given = (replace(one, relation=names.get(one.relation, one.relation)) for one in told)
    return [next(given) if isinstance(one, RelationSet) else one for one in events]


def company_of(encounter: Mapping[str, Any], events: Sequence[Event]) -> dict[Id, list[Id]]:
    """Return the combatants that join with each named one, right behind it."""
    entries = [(entry["name"], entry.get("count", 1)) for entry in encounter["combatant"]]
    people = {who for name, count in entries for who, _ in name_combatants(name, count, "combatant", set())}
    company: dict[Id, list[Id]] = {}
    bringer = ""
    for event in events:
        if isinstance(event, Joined) and event.who in people:
            bringer = event.who
            company[bringer] = []
        elif isinstance(event, Joined):
            company[bringer].append(event.who)
    return company


def _hides(entry: Mapping[str, Any]) -> bool:
    return any(key in entry for key in KEYS)


def _read_entry(entry: Mapping[str, Any], field: str) -> HiddenEntry:
    said = {key: entry[key] for key in ("name", "count", *KEYS) if key in entry}
    try:
        return msgspec.convert({**said, "field": field}, HiddenEntry)
    except msgspec.ValidationError as error:
        message, path = split_decoder_message(str(error))
        raise Unusable(message, field + path) from None
