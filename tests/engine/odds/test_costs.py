"""The costs of a fight in its record: items used up, worn or lost, and harm."""

from __future__ import annotations

from pathlib import Path

import pytest

from affray.engine.analysis.odds import (
    LastingNumber,
    Plan,
    Tally,
    fight_rollout,
    find_rollout_start,
    read_lasting_number,
)
from affray.engine.analysis.odds.costs import find_changed_numbers
from affray.engine.core.draft import Draft
from affray.engine.core.state import State
from affray.engine.fight import Fight
from affray.engine.history.timeline import split_by_input
from affray.events import ConditionChanged, DieStepped, Event, ItemCounted, ItemRemoved
from tests.engine.odds.moments import ROOT, load_recorded_fight

FOUGHT = [
    ("hexblade", "before-the-palisade"),
    ("verdigris", "the-gatehouse"),
    ("vestige", "first-blow"),
    ("wwn", "the-sunken-road"),
    ("wyrd", "the-king-under-grey-howe"),
]


def fought_out(system: str, name: str) -> tuple[Fight, State, list[Event]]:
    """Return a recorded fight, its state after all joined, and the events since."""
    fight = load_recorded_fight(Path(ROOT, "replays", system, f"{name}.jsonl"))
    opening, *rest = split_by_input(fight.history.effective())
    return fight, fight.state_at(opening[-1].position), [one.event for lane in rest for one in lane]


@pytest.mark.parametrize(("system", "name"), FOUGHT)
def test_a_fight_costs_what_its_events_say(system: str, name: str) -> None:
    """The last value of everything that outlasts it, where that is another than at the beginning."""
    fight, before, events = fought_out(system, name)
    words = fight.ruleset.vocabulary
    found: dict[LastingNumber, int] = {}
    borne = {(who, kind): dict(by) for who, one in before.combatants.items() for kind, by in one.conditions.items()}
    for event in events:
        if isinstance(event, ItemCounted) and words.counters[event.counter].lasts:
            found[LastingNumber("counter", event.item, event.counter)] = event.after
        elif isinstance(event, DieStepped):
            found[LastingNumber("die", event.item)] = event.after
        elif isinstance(event, ItemRemoved):
            found[LastingNumber("gone", event.item)] = 1
        elif isinstance(event, ConditionChanged) and words.conditions[event.condition].lasts:
            sources = borne.setdefault((event.who, event.condition), {})
            sources[event.source] = event.after
            found[LastingNumber("condition", event.who, event.condition)] = sum(sources.values())
    costs = {cost: now for cost, now in found.items() if now != read_lasting_number(before, cost)}
    assert costs
    assert find_changed_numbers(before, Draft(fight.state), words) == costs


def test_each_system_says_what_its_fights_cost() -> None:
    """Arrows, worn armour and injuries, who is dead or out of the fight, a smaller die: as they were recorded."""
    costs = {}
    for system, name in FOUGHT:
        fight, before, _ = fought_out(system, name)
        costs[system] = {
            (cost.kind, cost.name)
            for cost in find_changed_numbers(before, Draft(fight.state), fight.ruleset.vocabulary)
        }
    assert {("counter", "left"), ("counter", "damaged"), ("condition", "slain")} <= costs["hexblade"]
    assert {("counter", "count"), ("counter", "rating"), ("condition", "injured")} <= costs["verdigris"]
    assert {("condition", "brink"), ("condition", "unable")} <= costs["vestige"]
    assert {("condition", "dead")} <= costs["wwn"]
    assert {("die", "")} <= costs["wyrd"]
    assert not {("counter", "loaded"), ("condition", "prone")} & set().union(*costs.values())


def test_what_stays_as_it_was_is_counted_too() -> None:
    """A trial says only what it changed; in the others it is as before."""
    fight, before, _ = fought_out("verdigris", "the-gatehouse")
    plan = Plan(moment=find_rollout_start(fight, fight.history.path[0]))
    tally = Tally()
    tally.add([fight_rollout(plan, number) for number in range(8)])
    arrows = LastingNumber("counter", "oda.arrow", "count")
    left = tally.cost(arrows, read_lasting_number(before, arrows))
    assert left.total() == tally.trials == 8
    assert all(0 <= many <= 12 for many in left)
    assert tally.cost(LastingNumber("gone", "oda.arrow"), 0) == {0: 8}


def test_who_cannot_act_any_more_has_fallen() -> None:
    """A helpless combatant counts as fallen at the end: the only hero of these trials is one."""
    fight, _, _ = fought_out("hexblade", "before-the-palisade")
    trials = [fight_rollout(Plan(moment=find_rollout_start(fight, 100)), number) for number in range(8)]
    down = [(one, cost.of) for one in trials for cost in one.costs if cost.name == "down"]
    assert down
    assert all(who in one.fallen for one, who in down)
