"""The headline of a result: the gravest of what came of it, in few words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from affray.engine.core.loading import available
from affray.engine.fight import Fight
from affray.events import ConditionChanged, Event, Rolled
from affray.tools.present.story.entries import StoryEntry, entries
from affray.tools.present.story.summary import DECIDED, DOWN, HARMED, LONG, OUT
from affray.tools.present.story.words import Names, becomes, name_of, names_of
from tests.tools.program import rebuild_from_log

REPLAYS = Path(__file__).parents[2] / "replays"
ROLES = {"out": OUT, "helpless": DOWN}


@cache
def tell_recorded_story(name: str) -> tuple[Fight, list[StoryEntry]]:
    """Return a recorded fight with the lines of its story."""
    fight = rebuild_from_log(REPLAYS / f"{name}.jsonl")
    return fight, entries(fight.history.recorded)


def iterate_story_lines(system: str) -> Iterator[tuple[StoryEntry, list[Event], Names]]:
    """Yield every line of the recorded fights of a system with what it tells of."""
    for log in sorted((REPLAYS / system).glob("*.jsonl")):
        fight, story = tell_recorded_story(f"{system}/{log.stem}")
        names = names_of(fight.history.recorded)
        for one in story:
            yield one, [each.event for each in fight.history.recorded[one.position - 1 : one.to]], names


def fates(events: Iterable[Event], role: str, names: Names) -> Iterator[str]:
    """Yield who has come to what of a role by the end of some events, as people say it."""
    changes = [one for one in events if isinstance(one, ConditionChanged)]
    ends = {(one.who, one.condition): one for one in changes}
    begins = {(one.who, one.condition): one.before for one in reversed(changes)}
    for (who, condition), last in ends.items():
        if last.after and not begins[who, condition] and names.words.conditions[condition].role == role:
            yield f"{name_of(names, who)} {becomes(names, condition, last.after)}"


@pytest.mark.parametrize("system", available())
def test_whoever_is_taken_out_stands_in_the_headline(system: str) -> None:
    """In every recorded fight; without one, a combatant that cannot act any longer."""
    seen = Counter[str]()
    for one, events, names in iterate_story_lines(system):
        for role, grave in ROLES.items():
            for says in fates(events, role, names):
                assert one.grave >= grave
                if one.grave == grave:
                    seen[role] += 1
                    assert says in re.sub(r" takes \d+ and ", " ", one.gist)
    assert seen["out"]
    assert seen["helpless"] or system == "wyrd"  # whose fighters are out at once


@pytest.mark.parametrize("system", available())
def test_a_headline_is_one_line_without_dice(system: str) -> None:
    for one, events, _ in iterate_story_lines(system):
        assert "\n" not in one.gist
        assert len(one.gist) <= LONG or ";" in one.gist  # of several whom it happened to, none is left out
        assert one.gist or not any(isinstance(event, Rolled) for event in events)
        added_up = [part.text for part in one.parts if part.position and "=" in part.text]
        assert not [text for text in added_up if text in one.gist]


@pytest.mark.parametrize(
    ("name", "gist", "grave"),
    [
        ("vestige/closed-bridge", "Bandit A takes 3: health 4 → 1", HARMED),
        ("vestige/closed-bridge", "Ilse takes 4 and is at the brink", DOWN),
        ("vestige/closed-bridge", "Bandit A is dead", OUT),
        ("vestige/closed-bridge", "Tomas answers and uses Snapshot on Bandit A: a miss by 2", 0),
        ("hexblade/before-the-palisade", "Scout shoots at Wren; Militia A rolls to evade: evades", 0),
        ("hexblade/before-the-palisade", "Scout shoots at Wren: a miss by 8", DECIDED),
        ("hexblade/before-the-palisade", "Grole is slain", OUT),
        ("verdigris/the-gatehouse", "Ugrak attacks Hild with war hammer: a miss", DECIDED),
        ("verdigris/the-gatehouse", "Oda's recovery: rolls 0", 0),
        ("wwn/the-sunken-road", "The Fox takes 3 and goes down", DOWN),
        ("wyrd/closed-powder", "Joss is out of the fight", OUT),
    ],
)
def test_what_came_of_it_is_said_in_few_words(name: str, gist: str, grave: int) -> None:
    assert grave in {one.grave for one in tell_recorded_story(name)[1] if one.gist == gist}
