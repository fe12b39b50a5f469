"""Margins of the scenarios' rolls, calculated again from the dice."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from affray.events import Answered, Event, Judged, Rolled
from affray.tools.scenarios.scenario_run import run_scenario
from tests.rulesets.coverage import scenarios


def judgements(events: list[Event]) -> Iterator[tuple[Judged, str, int]]:
    """Yield what rolls came to, with what they were for and the margin that is due."""
    rolled: list[Rolled] = []
    dc = 12
    for event in events:
        if isinstance(event, Rolled):
            rolled.append(event)
        elif isinstance(event, Answered) and event.choice == "test":
            dc = int(event.fields.get("dc") or 12)
        elif isinstance(event, Judged):
            at = next(at for at, one in reversed(list(enumerate(rolled))) if one.roll == event.roll)
            yield event, rolled[at].purpose, due(rolled[at], rolled[at + 1 :], dc)


def due(roll: Rolled, later: list[Rolled], dc: int) -> int:
    """Return by how much a roll is above what it is held against; an opponent who could not roll counts for nothing."""
    if roll.purpose == "crowd":
        return 50 - roll.total
    if roll.purpose == "recover":
        return roll.total - 5
    if roll.purpose in ("craft", "evade"):
        assert roll.against is not None
        return roll.total - roll.against
    answer = next((one for one in later if one.against == roll.total and one.purpose != "crowd"), None)
    if answer is not None:
        return roll.total - answer.total
    return roll.total - dc if roll.purpose == "test" else 0


@pytest.mark.parametrize(
    ("file", "purposes"),
    [
        ("melee", {"attack"}),
        ("disarming", {"attack"}),
        ("grappling", {"brawl"}),
        ("crowd", {"attack", "crowd", "evade"}),
        ("x13-knock-prone", {"attack"}),
        ("manoeuvres", {"attack", "test"}),
        ("aftermath", {"craft", "recover"}),
    ],
)
def test_every_margin_is_what_was_rolled_less_what_it_was_held_against(file: str, purposes: set[str]) -> None:
    seen: set[str] = set()
    for scenario in scenarios("hexblade"):
        if scenario.file.stem == file:
            for event, purpose, margin in judgements(
                [one.event for one in run_scenario(scenario).fight.history.recorded]
            ):
                assert event.margin == margin, (scenario.title, event)
                seen.add(purpose)
    assert purposes <= seen
