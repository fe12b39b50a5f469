"""The cost of a fight to a party, and the recovery before the next fight."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from affray import events as facts
from affray.engine.core.draft import Draft
from affray.engine.core.evolve import evolve
from affray.engine.core.ids import ids_of_scheme
from affray.engine.core.ruleset import Ruleset, config_of
from affray.engine.core.state import State
from affray.engine.core.table import Table
from affray.engine.core.vocabulary import Vocabulary
from affray.engine.errors import NoSuch, Refused, Unusable
from affray.engine.fight import Fight
from affray.engine.history.past_states import state_after
from affray.engine.kit.carry_over import KEY, find_carried_state, read_carried_state
from affray.engine.visibility import Viewer, can_read, project_state
from affray.engine.visibility.encounter_hiding import company_of
from affray.events import Clause, Event, Id, Recorded
from affray.tools.api.schemas.documents import FightCost
from affray.tools.api.schemas.parties import CostLine
from affray.tools.api.viewer_queries import sees_all
from affray.tools.present.names import names_of_state
from affray.tools.present.story.changes import pool_said
from affray.tools.present.story.sentences import SENTENCES
from affray.tools.present.story.words import Names, capital, name_of, names_of

from .differences import with_difference
from .members import Content, carrying_entry, ids_of, ruleset_of, state_of, whole_of, with_entries

MOST_NOTED = 100
"""The most lines of a fight's cost that a party's file keeps."""


def after_fight(content: Mapping[str, Any], fight: Fight, when: str) -> tuple[Content, list[CostLine]]:
    """Charge a party with a finished fight, once; return the party and its changes.

    If the fight went on after it was charged, the party is charged the difference.

    Raises:
        Refused: the fight is not over.
        Unusable: the fight is of another rule system, or no member took part in it.
    """
    with ids_of_scheme(fight.state.dice_scheme):
        hash = fight.history.recorded[0].hash
        notes = [one.get("at", fight.head) for one in content.get("taken", []) if one.get("hash") == hash]
        if notes and notes[-1] == fight.head:
            return dict(content), [TAKEN]
        return _after_fight(content, fight, when, notes[-1] if notes else 0)


TAKEN = CostLine("note", "", "this fight was taken already; nothing changes")


def _after_fight(content: Mapping[str, Any], fight: Fight, when: str, taken: int) -> tuple[Content, list[CostLine]]:
    ruleset, ids = ruleset_of(content), ids_of(content)
    _must_be_over(fight, ruleset, ids)
    opening = fight.history.recorded[0]
    begun = max(one.position for one in fight.history.recorded if one.cause == opening.cause)
    before = state_after(fight.history.recorded, taken or begun)
    whole, company = whole_of(content, fight.state.config), company_of_party(content)
    names, lines = names_of(fight.history.recorded), list[CostLine]()
    clauses = _clauses(fight.history.effective())
    entries: dict[Id, Content] = {}
    for who, nth in ids.items():
        entry = content["combatant"][nth]
        if who not in fight.state.combatants:
            gone = "left the fight" if who in before.combatants else "was not in the fight"
            lines.append(CostLine("note", who, f"{entry['name']} {gone}, and stays as before"))
            continue
        for one in (who, *company[who]):
            if one in before.combatants and one in fight.state.combatants:
                lines += _costs(before, fight.state, one, ruleset, names, clauses)
        now, recovers = _let_recover(fight.state, whole, who, ruleset)
        carries = find_carried_state(whole, now, who, company[who], ruleset.vocabulary, ruleset.encounters.recovery)
        if taken and who in before.combatants:
            then, earlier = _let_recover(before, whole, who, ruleset)
            recovers = [event for event in recovers if event not in earlier]
            left = find_carried_state(whole, then, who, company[who], ruleset.vocabulary, ruleset.encounters.recovery)
            mine = read_carried_state(entry.get(KEY, {}), KEY)
            carries = with_difference(mine, left, carries, whole.combatants[who], ruleset.vocabulary)
        lines += [CostLine("recovers", who, _sentence(event, names), event.rules) for event in recovers]
        entries[who] = carrying_entry(entry, carries)
    if taken and all(line.kind == "note" for line in lines):
        return dict(content), [TAKEN]
    return _take_costs(content, entries, fight, when, lines), lines


def _let_recover(state: State, whole: State, who: Id, ruleset: Ruleset) -> tuple[State, list[Event]]:
    """Return the state after a member's automatic recovery, and the events of it."""
    table = Table(Draft(state), config_of(ruleset, state.config))
    events = [*_taken_up(table, whole, who), *ruleset.encounters.recovery.happens(table, who)]
    for event in events:
        evolve(table.draft, event)
    return table.draft.freeze(), events


def tell_cost(viewer: Viewer, fight: Fight) -> FightCost:
    """List the lasting costs of a fight for each combatant that the viewer sees.

    A value that was hidden from the viewer when the fight began is left out.
    """
    opening, opened = fight.history.recorded[0], fight.history.opened
    begun = fight.state_at(max(one.position for one in fight.history.recorded if one.cause == opening.cause))
    hiding = replace(begun, concealed=fight.state.concealed, veiled=fight.state.veiled)
    before, as_hidden_now, now = (project_state(viewer, one) for one in (begun, hiding, fight.state))
    names = names_of(one for one in fight.history.recorded if can_read(viewer, one, opened))
    for state in (before, now):  # a combatant that was revealed later is named, though the line that named it is sealed
        names.update(names_of_state(state))
    clauses = _clauses(one for one in fight.history.effective() if can_read(viewer, one, opened))
    found: list[CostLine] = []
    for who in (who for who in before.combatants if who in now.combatants):
        known = list(_costs(as_hidden_now, now, who, fight.ruleset, names, clauses))
        found += [line for line in _costs(before, now, who, fight.ruleset, names, clauses) if line in known]
    return FightCost(fight.head, found, sees_all(viewer, fight))


def _must_be_over(fight: Fight, ruleset: Ruleset, ids: Iterable[Id]) -> None:
    if fight.ruleset.name != ruleset.name:
        raise Unusable(f"the fight is one of {fight.ruleset.title}, and the party is of {ruleset.title}", "FIGHT")
    if not fight.state.ended and not fight.history.closed:
        raise Refused("not_over", "", "the fight is not over; end it first, as with: affray rule FIGHT end")
    if not any(who in fight.state.combatants for who in ids):
        raise NoSuch("member of the party in this fight, such as", next(iter(ids)), fight.state.combatants, "FIGHT")


def _take_costs(
    content: Mapping[str, Any], entries: Mapping[Id, Content], fight: Fight, when: str, lines: Sequence[CostLine]
) -> Content:
    """Return the party with its new entries; that it bears this fight's cost, and which, is noted in any case."""
    name, hash = fight.state.fight, fight.history.recorded[0].hash
    found = with_entries(content, entries, f"after {name}", when, hash)
    noted = {"fight": name, "hash": hash, "at": fight.head, "when": when, "cost": cost_lines(lines)[:MOST_NOTED]}
    return {**found, "taken": [*found.get("taken", []), noted]}


def rest_party(content: Mapping[str, Any], kind: str, when: str) -> tuple[Content, list[CostLine]]:
    """Return a party after a rest, and what recovered.

    Raises:
        Unusable: the rule system knows no such kind of rest.
    """
    ruleset, ids = ruleset_of(content), ids_of(content)
    rest = ruleset.encounters.recovery.rests.get(kind)
    if rest is None:
        raise NoSuch("rest called", kind, tuple(ruleset.encounters.recovery.rests) or ("none",), "REST")
    state, whole, company = state_of(content), whole_of(content), company_of_party(content)
    names, lines = Names(ruleset.name), list[CostLine]()
    names.update({one.id: one.quoted_name for one in state.combatants.values()})
    table = Table(Draft(state), config_of(ruleset, state.config))
    entries: dict[Id, Content] = {}
    for who, nth in ids.items():
        for event in rest(table, who):
            evolve(table.draft, event)
            lines.append(CostLine("recovers", who, _sentence(event, names), event.rules))
        carries = find_carried_state(
            whole, table.draft.freeze(), who, company[who], ruleset.vocabulary, ruleset.encounters.recovery
        )
        entries[who] = carrying_entry(content["combatant"][nth], carries)
    return with_entries(content, entries, f"rest: {kind}", when), lines


def company_of_party(content: Mapping[str, Any]) -> dict[Id, list[Id]]:
    """Return the companions that each member brings without an entry, such as a mount."""
    people = [facts.Joined(who=who, name=who, side="", stats={}, pools={}) for who in whole_of(content).combatants]
    return company_of(content, people)


def _taken_up(table: Table, whole: State, who: Id) -> Iterator[Event]:
    """Yield the events by which a member picks up dropped belongings."""
    for id, item in list(table.draft.items.items()):
        if not item.owner and id in whole.items and whole.items[id].owner == who:
            yield facts.ItemMoved(item=id, owner=who, before=item.where, after=whole.items[id].where)


def _sentence(event: Event, names: Names) -> str:
    if isinstance(event, facts.PoolChanged):
        return capital(f"{name_of(names, event.who)}: {pool_said(event, names)}")
    if isinstance(event, facts.ItemMoved):
        return capital(f"{name_of(names, event.owner)} takes up {name_of(names, event.item)} again")
    return capital(SENTENCES[type(event)](event, names))


def _costs(
    before: State, after: State, who: Id, ruleset: Ruleset, names: Names, clauses: Mapping[tuple[str, ...], Any]
) -> Iterator[CostLine]:
    """Yield a member's lasting changes since the fight began."""
    for event, key in _list_changes(before, after, who, ruleset.vocabulary, ruleset.encounters.recovery.conditions):
        yield CostLine("cost", who, _sentence(event, names), clauses.get(key, ()))


def _list_changes(
    before: State, after: State, who: Id, words: Vocabulary, more: frozenset[str]
) -> Iterator[tuple[Event, tuple[str, ...]]]:
    was, now = before.combatants[who], after.combatants[who]
    for pool, value in now.pools.items():
        if pool in words.lasting("pools") and value != was.pools.get(pool, 0):
            yield facts.PoolChanged(who=who, pool=pool, before=was.pools.get(pool, 0), after=value), (who, pool)
    for name in {**was.conditions, **now.conditions}:
        old, new = (sum(one.conditions.get(name, {}).values()) for one in (was, now))
        if name in words.lasting("conditions") | more and old != new:
            yield facts.ConditionChanged(who=who, condition=name, before=old, after=new), (who, name)
    for id, item in before.items.items():
        if item.owner != who:
            continue
        thing = after.items.get(id)
        if thing is None or thing.owner not in (who, ""):
            yield facts.ItemRemoved(item=id), (id,)
            continue
        if thing.die != item.die:
            yield facts.DieStepped(item=id, before=item.die, after=thing.die), (id,)
        for name, value in thing.counters.items():
            if name in words.lasting("counters") and value != item.counters.get(name, 0):
                counted = facts.ItemCounted(item=id, counter=name, before=item.counters.get(name, 0), after=value)
                yield counted, (id, name)
    for id, item in after.items.items():
        if item.owner == who and (id not in before.items or before.items[id].owner != who):
            yield facts.ItemAdded(item=id, name=item.name, kind=item.kind, owner=who, where=item.where), (id,)


def _clauses(recorded: Iterable[Recorded]) -> dict[tuple[str, ...], tuple[Clause, ...]]:
    """Return the clauses of the last event that moved a counter, a condition or a thing."""
    found: dict[tuple[str, ...], tuple[Clause, ...]] = {}
    for one in recorded:
        event = one.event
        match event:
            case facts.PoolChanged(who=who, pool=name) | facts.ConditionChanged(who=who, condition=name):
                found[who, name] = event.rules
            case facts.ItemCounted(item=item, counter=name):
                found[item, name] = event.rules
            case facts.DieStepped(item=item) | facts.ItemMoved(item=item) | facts.ItemRemoved(item=item):
                found[item,] = event.rules
    return found


def cost_lines(told: Sequence[CostLine]) -> list[str]:
    """Return the lines as people read them: what it cost, what recovers, and what else there is."""
    words = {"cost": "", "recovers": "recovers: ", "note": ""}
    clauses = [f" ({', '.join(one.rules)})" if one.rules else "" for one in told]
    return [f"{words[one.kind]}{one.text}{cited}" for one, cited in zip(told, clauses, strict=True)]
