"""Recorded fights, kept for ever: each must still fold to what it folded to when it was played."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from affray.engine import Command, FileStore, digest, open_fight, read_log
from affray.engine.integrity.audit import Parent, Report, audit
from affray.events import (
    EVENTS,
    FORMAT,
    ConditionChanged,
    FightOpened,
    PhaseEntered,
    Recorded,
    Rewound,
    RulesetAdopted,
    Stacked,
    format_of,
)
from affray.tools.parse.intent_parser import intent
from tests.recorded_anew import main
from tests.rulesets.systems import PRESENT, RULESETS

REPLAYS = Path(__file__).parent.parent / "replays"
RECORDED = sorted(REPLAYS.glob("*/*.jsonl"))


def name_recorded_fight(path: Path) -> str:
    """Return a recorded fight's name as pytest shows it."""
    return f"{path.parent.name}/{path.stem}"


@cache
def load_replay_list(system: str) -> dict[str, dict[str, Any]]:
    """Return what the list beside a system's recorded fights says of each."""
    return tomllib.loads((REPLAYS / system / "replays.toml").read_text("utf-8"))


def test_every_recorded_fight_is_listed_and_every_listed_one_is_there() -> None:
    """A fight that is added here is part of the suite at once, and none can vanish unnoticed."""
    for folder in {path.parent for path in RECORDED}:
        there = sorted(path.stem for path in folder.glob("*.jsonl"))
        assert there == sorted(load_replay_list(folder.name)), f"list it in replays/{folder.name}/replays.toml"


@pytest.mark.parametrize("path", RECORDED, ids=name_recorded_fight)
def test_it_folds_to_the_digest_it_was_recorded_with(path: Path) -> None:
    """The state, the number of events and the unbroken chain are those of the day it was played."""
    entry = load_replay_list(path.parent.name)[path.stem]
    fight = open_fight(path.stem, FileStore(path.parent))
    assert (fight.head, digest(fight.state)) == (entry["events"], entry["digest"])
    assert entry["shows"]


@pytest.mark.parametrize("path", RECORDED, ids=name_recorded_fight)
def test_it_audits_clean(path: Path) -> None:
    """Every line, every face and, under the version that recorded it, every consequence is right.

    A closed fight is proved by nothing but its own log; for an open one the seed lies beside it. Where a version
    recorded it that is not installed any more, nothing is found, but the audit is incomplete.
    """
    store = FileStore(path.parent)
    report = audit_recorded_fight(path)
    assert report.findings == ()
    assert report.closed == (store.seed(path.stem) is None)
    assert report.dice.known
    assert report.dice.checked
    assert (report.dice.unchecked, report.dice.parents, report.rules.why_not) == (0, 0, "")
    system = RULESETS[report.system]
    judged = versions(path) == {system.version}
    assert report.verdict == ("clean" if judged else "incomplete")
    assert {one.layer for one in report.missing} <= {"rules", "record"}
    assert (report.rules.unjudged == 0) == judged
    assert bool(report.rules.judged) == (system.version in versions(path))


def audit_recorded_fight(path: Path) -> Report:
    """Return the audit of a recorded fight, with the fights that a fork comes from."""
    store = FileStore(path.parent)
    parents = [
        Parent(name=name, lines=lambda name=name: store.lines(name))  # type: ignore[misc]
        for name in load_replay_list(path.parent.name)[path.stem].get("parents", ())
    ]
    return audit(lambda: store.lines(path.stem), seed=store.seed(path.stem), parents=parents)


def test_only_a_clock_that_was_set_back_is_missing_in_an_old_record() -> None:
    """Formats 1 and 2 let time run backwards; the audit says where, and does not call it a fault."""
    paths = [path for path in RECORDED if any(one.layer == "record" for one in audit_recorded_fight(path).missing)]
    assert [name_recorded_fight(path) for path in paths] == ["vestige/format-1-goes-on"]
    assert "position 1013" in next(one.what for one in audit_recorded_fight(paths[0]).missing if one.layer == "record")


@pytest.mark.parametrize("name", ["vestige/fork-of-the-bridge", "wyrd/format-3-goes-on"])
def test_a_fork_without_its_parent_is_incomplete(name: str) -> None:
    """Dice and inputs are right, but the log alone cannot prove the part before the fork."""
    store = FileStore(REPLAYS / Path(name).parent)
    report = audit(lambda: store.lines(Path(name).name))
    assert (report.verdict, report.findings) == ("incomplete", ())
    judged = RULESETS[report.system].version == report.version
    assert [one.layer for one in report.missing] == (["record"] if judged else ["record", "rules"])


@pytest.mark.parametrize("path", sorted(REPLAYS.glob("*/closed-*.jsonl")), ids=name_recorded_fight)
def test_said_again_by_the_rules_of_today_it_is_the_same_fight(path: Path, tmp_path: Path) -> None:
    """So recorded fights of a new version of the rules are made from those of an older."""
    main(str(path), str(tmp_path / path.name), same_dice=True)
    entry = load_replay_list(path.parent.name)[path.stem]
    fight = open_fight(path.stem, FileStore(tmp_path))
    again = f"raise the version in ruleset.py; python -m tests.recorded_anew {path.relative_to(REPLAYS.parent)}"
    assert (fight.head, digest(fight.state)) == (entry["events"], entry["digest"]), again


def versions(path: Path) -> set[str]:
    """Return the versions of the rules that a fight went by."""
    events = [one.event for one in read_log(FileStore(path.parent).read(path.stem))]
    return {event.version for event in events if isinstance(event, FightOpened | RulesetAdopted)}


def test_every_format_has_a_recorded_fight() -> None:
    """For each format one that is read as written, and for each older one that continues in a later."""
    formats = {path: format_of(path.read_bytes().split(b"\n", 1)[0]) for path in RECORDED}
    assert set(formats.values()) == set(range(1, FORMAT + 1))
    raised = {path for path in RECORDED if b'"type":"FormatRaised"' in path.read_bytes()}
    assert {formats[path] for path in raised} >= {1, FORMAT - 1}


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
    """The addition starts with the new format; the old lines stay, and the whole log is read again."""
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
    added = [
        type(one.event).__name__ for one in again.history.recorded[load_replay_list("vestige")["format-1"]["events"] :]
    ]
    assert added == ["FormatRaised", "RulesetAdopted", "Ruled", "Noted", "Ruled", "Noted"]
    assert again.state == fight.state


@cache
def list_all_recorded(system: str) -> tuple[Recorded, ...]:
    """Return everything that the recorded fights of a system hold."""
    store = FileStore(REPLAYS / system)
    return tuple(one for name in load_replay_list(system) for one in read_log(store.read(name)))


@pytest.mark.parametrize("system", PRESENT)
def test_together_they_pass_through_every_phase_and_show_an_undo(system: str) -> None:
    """At least three fights of each system, in which a newcomer meets every situation."""
    events = [one.event for one in list_all_recorded(system)]
    entered = {one.phase for one in events if isinstance(one, PhaseEntered)}
    assert len(load_replay_list(system)) >= 3
    assert sorted(set(RULESETS[system].flow.phases) - entered) == []
    assert any(isinstance(one, Rewound) for one in events)


def test_together_they_use_every_kind_of_event() -> None:
    """Every event type is in a recorded fight that must fold to the same state for ever."""
    used = {type(one.event) for system in PRESENT for one in list_all_recorded(system)}
    assert sorted(kind.__name__ for kind in EVENTS if kind not in used) == []


def test_somebody_leaves_a_melee_answers_first_and_dies_at_deaths_door() -> None:
    """A melee exit with a free attack, an interrupt that was readied, and a death at death's door."""
    vestige = [one.event for one in list_all_recorded("vestige")]
    assert any(isinstance(one, PhaseEntered) and one.trigger == "provoke" for one in vestige)
    assert any(isinstance(one, Stacked) and one.manner == "readied" for one in vestige)
    verdigris = [one.event for one in list_all_recorded("verdigris")]
    phases = [one.phase for one in verdigris if isinstance(one, PhaseEntered)]
    assert "deaths_door" in phases
    assert any(isinstance(one, ConditionChanged) and (one.condition, one.after) == ("dead", 1) for one in verdigris)
