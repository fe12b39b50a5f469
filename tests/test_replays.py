"""Recorded fights, kept for ever: each must still fold to what it folded to when it was played."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from affray.engine import Command, FileStore, digest, load, open_fight, read_log
from affray.engine.dice import NamedDice, commitment
from affray.events import FORMAT, Dice, FightOpened, Rewound, Rolled
from affray.tools.speech import intent

REPLAYS = Path(__file__).parent.parent / "replays"
RECORDED = sorted(REPLAYS.glob("*/*.jsonl"))


def name_of(path: Path) -> str:
    """Return a recorded fight's name as pytest shows it."""
    return f"{path.parent.name}/{path.stem}"


@cache
def listed(system: str) -> dict[str, dict[str, Any]]:
    """Return what the list beside a system's recorded fights says of each."""
    return tomllib.loads((REPLAYS / system / "replays.toml").read_text("utf-8"))


def test_every_recorded_fight_is_listed_and_every_listed_one_is_there() -> None:
    """A fight that is added here is part of the suite at once, and none can vanish unnoticed."""
    for folder in {path.parent for path in RECORDED}:
        assert sorted(path.stem for path in folder.glob("*.jsonl")) == sorted(listed(folder.name))


@pytest.mark.parametrize("path", RECORDED, ids=name_of)
def test_it_folds_to_the_digest_it_was_recorded_with(path: Path) -> None:
    """The state, the number of events and the unbroken chain are those of the day it was played."""
    entry = listed(path.parent.name)[path.stem]
    fight = open_fight(path.stem, FileStore(path.parent))
    assert (fight.head, digest(fight.state)) == (entry["events"], entry["digest"])
    assert entry["shows"]


@pytest.mark.parametrize("path", RECORDED, ids=name_of)
def test_every_face_of_the_engine_follows_from_its_name(path: Path) -> None:
    """The seed beside the log is the one it committed itself to, and gives every recorded face again."""
    store = FileStore(path.parent)
    recorded = read_log(store.read(path.stem))
    opening = recorded[0].event
    seed = store.seed(path.stem)
    assert isinstance(opening, FightOpened)
    assert seed is not None
    assert opening.commitment == commitment(seed)
    dice = NamedDice(seed)
    rolls = [one.event for one in recorded if isinstance(one.event, Rolled) and one.event.source == "engine"]
    assert rolls
    for roll in rolls:
        wanted = tuple(
            Dice(count=len(one.faces), sides=one.sides, kind=one.kind, item=one.item) for one in roll.dice if one.thrown
        )
        assert dice.faces(roll.roll, wanted) == tuple(one.faces for one in roll.dice if one.thrown), roll.roll


def test_a_log_of_the_first_format_is_still_read() -> None:
    """Format 1 wrote standing passes differently; its fight is read through the upcaster, and its chain still holds."""
    lines = FileStore(REPLAYS / "vestige").read("format-1")
    assert b'"format":1' in lines[0]
    assert FORMAT > 1
    assert any(b"PassStanding" in line for line in lines)
    recorded = read_log(lines)
    kinds = {type(one.event).__name__ for one in recorded}
    assert "AskingSet" in kinds
    assert "PassStanding" not in kinds


def test_a_fight_in_the_first_format_goes_on_in_the_present_one(tmp_path: Path) -> None:
    """What is added to an old log says so first; the old lines stay as they are, and all of it is read again."""
    old = (REPLAYS / "vestige" / "format-1.jsonl").read_bytes()
    (tmp_path / "format-1.jsonl").write_bytes(old)
    store = FileStore(tmp_path)
    fight = open_fight("format-1", store)
    for number, text in enumerate(("They buried Ilse by the bridge.", "The toll was paid.")):
        fight.submit(
            Command(id=f"later {number}", who="marta", intent=intent(fight, f'rule note "{text}"', "told later"))
        )
    assert store.path("format-1").read_bytes().startswith(old)
    again = open_fight("format-1", store)
    added = [type(one.event).__name__ for one in again.history.recorded[listed("vestige")["format-1"]["events"] :]]
    assert added == ["FormatRaised", "Ruled", "Noted", "Ruled", "Noted"]
    assert again.state == fight.state


def test_together_they_show_what_a_newcomer_should_see() -> None:
    """Between them the Vestige fights pass through every phase that is not the game master's special case."""
    system = load("vestige")
    entered = set()
    undone = False
    for path in (REPLAYS / "vestige").glob("*.jsonl"):
        for one in read_log(FileStore(path.parent).read(path.stem)):
            entered.add(getattr(one.event, "phase", ""))
            undone = undone or isinstance(one.event, Rewound)
    assert undone
    assert set(system.flow.phases) - entered <= {"first_strike", "surprise"}
