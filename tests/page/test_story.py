"""The page tells a fight in the same sentences as the program: its own copy of them may not fall behind."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from affray.engine.core.ruleset import load
from affray.events import Answered, DistanceSet, Event, PlaceSet
from affray.tools.replay import stretches
from affray.tools.story.sentences import SENTENCES
from affray.tools.story.telling import BOOKKEEPING, story, tell
from affray.tools.story.words import names_of
from tests.clients.node import said
from tests.tools.program import reopened

ROOT = Path(__file__).parents[2]
LOGS = sorted((ROOT / "replays").glob("*/*.jsonl"))

ON_THE_MAP = (DistanceSet, PlaceSet)
"""What the page shows in a drawing or a table beside the story, and so does not tell."""


@pytest.fixture(scope="module")
def page() -> Any:
    """What the page's own modules make of every recorded fight."""
    return said("../page/telling.mjs", list(map(str, LOGS)))


def plainly(text: str) -> str:
    """Return a sentence without what the page writes better: apostrophes, abbreviations, ``yes`` and no underscores."""
    text = text.replace("’", "'").replace("_", " ").replace("EP", "ep").replace("HP", "hp")
    return re.sub(r"\b[Tt]rue\b", "yes", re.sub(r"\b[Ff]alse\b", "no", text))


def test_every_event_has_a_sentence_and_what_is_not_told_is_left_out_on_purpose(page: Any) -> None:
    types = {type_.__name__ for type_ in SENTENCES}
    assert set(page["told"]) == types
    assert set(page["types"]) == types
    program_tells_by_what_follows = {"Asked", "DiceAwaited", "DiceEntered", "Passed", "WindowOpened"}
    silent = {type_.__name__ for type_ in (*BOOKKEEPING, *ON_THE_MAP)} | program_tells_by_what_follows
    joins_others = {"Resolved", "Stacked"}
    assert set(page["silent"]) == silent - joins_others


@pytest.mark.parametrize("file", LOGS, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_it_tells_every_event_as_the_program_does(page: Any, file: Path) -> None:
    """Each event of each recorded fight by itself; an answer without what was filled in: the page words that better."""
    recorded = reopened(file).history.recorded
    names = names_of(recorded)
    for one, told in zip(recorded, page["logs"][str(file)]["sentences"], strict=True):
        due = tell(one.event, names, verbose=True)
        assert due is not None
        assert _shown(one.event, told, []) == _shown(one.event, due, []), one.position


@pytest.mark.parametrize("file", LOGS, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_its_story_is_that_of_the_program(page: Any, file: Path) -> None:
    """Entry by entry: where it begins, how deep it stands, its sentence and its notes.

    That is ``affray replay --undone``, without lists of places and distances, which are on the map.
    """
    recorded = reopened(file).history.recorded
    names = names_of(recorded)
    due = [
        (line.positions[0], line.depth, *_shown(recorded[line.positions[0] - 1].event, str(line).strip(), line.notes))
        for part in stretches(recorded)
        for line in story(part, names, recorded[: part[0].position - 1])
        if not isinstance(recorded[line.positions[0] - 1].event, ON_THE_MAP)
    ]
    told = [
        (one["position"], one["depth"], *_shown(recorded[one["position"] - 1].event, one["text"], one["notes"]))
        for one in page["logs"][str(file)]["entries"]
    ]
    assert told == due


def _shown(event: Event, text: str, notes: list[str]) -> tuple[str, list[str]]:
    text = text.removesuffix(f" [{', '.join(notes)}]") if notes else text
    return plainly(text.partition(",")[0] if isinstance(event, Answered) else text), [plainly(note) for note in notes]


@pytest.mark.parametrize("file", LOGS, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_it_knows_the_kind_of_map_from_the_log_alone(page: Any, file: Path) -> None:
    fight = reopened(file)
    placed = [one.place for one in fight.state.combatants.values() if one.place] or list(fight.state.places)
    assert page["logs"][str(file)]["map"] == (load(fight.state.system).map if placed else "")
