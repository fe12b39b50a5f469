"""An impossible log is read up to its faulty line, which is named; there is never a traceback."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import msgspec
import pytest
from msgspec import Raw
from msgspec.structs import replace

from affray.engine.commands import Command
from affray.engine.core.evolve import fold
from affray.engine.core.loading import load
from affray.engine.fight import Fight
from affray.engine.history.timeline import History
from affray.engine.runtime.offers import list_legal_actions
from affray.events import Declared, Senseless
from tests.examples import THOROUGH
from tests.forging import Obj, number_objs
from tests.fuzz_hostile_logs.damage import BYTES, add_line_returns, marked, unended
from tests.fuzz_hostile_logs.logs import RAW, SEEDS, Log, encode_chained, seed
from tests.fuzz_hostile_logs.looking import BUG, READS, WRITES, run_command_inside, strangers
from tests.fuzz_hostile_logs.mutants import make_stranger_mutant
from tests.tampering.fights import SEED, closed_fight

MUTANTS = 1000 if THOROUGH else 12
PARTS = 6


@pytest.mark.parametrize("part", range(PARTS))
def test_whatever_a_log_says_there_is_no_traceback_and_what_is_refused_leaves_nothing(
    part: int, tmp_path: Path
) -> None:
    """Mutants of all systems with a valid chain; only ``affray amend`` may record its preview."""
    first = part * 100_000
    reads, writes = (9, 4) if MUTANTS < 1000 else (len(READS), len(WRITES))
    for made, looked, left in strangers(tmp_path, range(first, first + MUTANTS), reads, writes):
        assert looked.code != BUG, f"{looked.words}\n{made}\n{looked.trace}"
        assert looked.code != 2 or not left, f"{looked.words} leaves {left}\n{made}\n{looked.err}"


def test_there_are_fights_of_every_system_to_begin_with() -> None:
    assert {path.parent.name for path in SEEDS} == {"hexblade", "verdigris", "vestige", "wwn", "wyrd"}
    assert make_stranger_mutant(7) == make_stranger_mutant(7)


# --- what is said, and where ---


def count_openings(log: Log) -> int:
    """Return how many lines open a fight."""
    return next(nth for nth, entry in enumerate(log, 1) if not entry.get("more"))


def beginning(name: str = "vestige/first-blow") -> Log:
    """Return the beginning of a recorded fight."""
    _, entries = next(seed(nth) for nth in range(len(SEEDS)) if seed(nth)[0] == name)
    return [msgspec.json.decode(msgspec.json.encode(entry)) for entry in entries[:200]]


def behind(log: Log, at: int, event: Obj) -> int:
    """Insert an event after a line, as a separate command; return its line number."""
    log.insert(at, {**log[at - 1], "cause": "a stranger", "event": event})
    return at + 1


NOBODY = {"who": "nobody"}
SENSELESS: dict[str, tuple[Obj, str]] = {
    "a counter of nobody": ({"type": "PoolChanged", **NOBODY, "pool": "hp", "before": 1, "after": 0}, "no nobody"),
    "a move of nobody": ({"type": "Moved", **NOBODY, "before": "", "after": "0,0"}, "no nobody"),
    "a condition of nobody": (
        {"type": "ConditionChanged", **NOBODY, "condition": "x", "before": 0, "after": 1},
        "nobody",
    ),
    "a thing that is not there": (
        {"type": "ItemMoved", "item": "moon", "owner": "", "before": "", "after": ""},
        "no moon",
    ),
    "somebody leaves who never came": ({"type": "Left", **NOBODY}, "no nobody"),
    "back to where nothing is": ({"type": "Rewound", "to": 0, "lane": 0, "commands": 1}, "position 0 does not count"),
    "back to what lies ahead": ({"type": "Rewound", "to": 999, "lane": 0, "commands": 1}, "999 does not count"),
    "a lane that lies ahead": ({"type": "Restored", "lane": 999, "left": 0}, "999 was never taken back"),
    "a lane that counts": ({"type": "Restored", "lane": 3, "left": 0}, "3 was never taken back"),
    "an amendment of what lies ahead": ({"type": "Amended", "position": 999, "to": 2, "lane": 0}, "head"),
    "a look at what lies ahead": ({"type": "Previewed", "position": 999, "rolls": []}, "no position 999"),
    "a parent that lies ahead": ({"type": "Forked", "fight": "x", "parent": "y", "position": 999}, "no position 999"),
    "a seed in other digits": ({"type": "Closed", "seed": "zz"}, "no hexadecimal"),
    "a die without sides": (
        {"type": "Rolled", "roll": "r", "by": "x", "purpose": "y", "dice": [{"sides": 0, "faces": [1]}], "total": 1},
        "no die of 0 sides",
    ),
    "a face off its die": (
        {"type": "Rolled", "roll": "r", "by": "x", "purpose": "y", "dice": [{"sides": 6, "faces": [7]}], "total": 7},
        "shows no 7",
    ),
    "nobody is asked": ({"type": "Asked", "question": "q", "of": [], "about": "x", "options": []}, "nobody is asked"),
}
"""Per senseless line what is said of it."""

LOOKS = ("show", "legal", "log", "stats", "export --format rolls", "export --format events")
"""What says the same of a log that ends before the senseless line."""


@pytest.mark.parametrize("what", SENSELESS)
def test_what_stands_before_a_senseless_line_is_shown_and_the_line_is_named(what: str, tmp_path: Path) -> None:
    event, why = SENSELESS[what]
    log, file = beginning(), tmp_path / "x.jsonl"
    at = behind(log, count_openings(log), event)
    number_objs(log)
    file.write_bytes(encode_chained(log[: at - 1]))
    before = {words: run_without_findings(words, file) for words in LOOKS}
    file.write_bytes(encode_chained(log))
    for words in LOOKS:
        name, *options = words.split()
        looked = run_command_inside([name, str(file), *options])
        assert (looked.code, looked.out) == (2, before[words]), looked
        assert looked.err.startswith(f"{file}, line {at}: {event['type']}: "), looked.err
        assert why in looked.err
    for typed in (["replay", str(file)], ["export", str(file)], ["export", str(file), "--format", "html"]):
        looked = run_command_inside(typed)
        assert looked.code == 2
        assert "Barrel Alley" in looked.out
        assert f"line {at}: " in looked.err


def run_without_findings(words: str, file: Path) -> str:
    """Return what a command says that has nothing against a log."""
    name, *options = words.split()
    looked = run_command_inside([name, str(file), *options])
    assert (looked.code, looked.err) == (0, "")
    return looked.out


def test_machines_read_one_answer_which_names_the_line(tmp_path: Path) -> None:
    log, file = beginning(), tmp_path / "x.jsonl"
    at = behind(log, count_openings(log), {"type": "Left", **NOBODY})
    number_objs(log)
    file.write_bytes(encode_chained(log))
    for words in ("show", "legal", "log", "replay", "stats", "export"):
        fault = msgspec.json.decode(run_command_inside([words, str(file), "--json"]).out)["error"]
        assert (fault["kind"], fault["code"], fault["line"], fault["file"]) == ("log", "senseless", at, str(file))


@pytest.mark.parametrize("words", WRITES)
def test_nothing_is_recorded_in_a_log_that_makes_no_sense(words: str, tmp_path: Path) -> None:
    log, file = beginning(), tmp_path / "x.jsonl"
    behind(log, count_openings(log), {"type": "Left", **NOBODY})
    number_objs(log)
    file.write_bytes(encode_chained(log))
    there = file.read_bytes()
    name, *options = words.replace("N", "3").replace("fork.jsonl", str(tmp_path / "fork.jsonl")).split()
    assert run_command_inside([name, str(file), *options]).code == 2
    assert [one.name for one in tmp_path.iterdir()] == ["x.jsonl"]
    assert file.read_bytes() == there


def test_nothing_is_taken_back_to_where_no_fight_could_go_on(tmp_path: Path) -> None:
    """A window stands open after the opening, and the next command closes it: nothing stands where it was open."""
    log, file = beginning("wwn/format-4"), tmp_path / "x.jsonl"
    last = count_openings(log)
    window = {"type": "WindowOpened", "window": "w", "about": "x", "nth": 1, "to": ["nobody"], "what": "announce"}
    log[last - 1] = {**log[last - 1], "event": window}
    log[last:] = [
        {**log[last], "cause": "a stranger", "event": {"type": "WindowClosed", "window": "w", "how": "passed"}}
    ]
    log[last].pop("more", None)
    file.write_bytes(encode_chained(log))
    there = file.read_bytes()
    looked = run_command_inside(["undo", str(file), "--reason", "back"])
    assert (looked.code, looked.trace) == (2, "")
    assert "line 1: the opening of the fight leaves something unresolved" in looked.err
    assert file.read_bytes() == there


def test_a_record_ends_where_it_is_closed(tmp_path: Path) -> None:
    log, file = beginning(), tmp_path / "x.jsonl"
    log = log[: count_openings(log)]
    at = behind(log, len(log), {"type": "Closed"})
    behind(log, at, {"type": "Noted", "text": "and then"})
    log[-1]["cause"] = "later"
    number_objs(log)
    file.write_bytes(encode_chained(log))
    assert f"line {at + 1}: Noted: the record ended at position {at}" in run_command_inside(["show", str(file)]).err


@pytest.mark.parametrize("place", ["the gallery", "999999999,0"])
@pytest.mark.parametrize("name", ["vestige/hidden-archer", "hexblade/the-barrow-at-dusk", "wwn/closed-cellar"])
def test_a_place_that_is_none_on_the_map_is_named(name: str, place: str, tmp_path: Path) -> None:
    """No rule measures a distance from it, in an audit neither."""
    log, file = beginning(name), tmp_path / "x.jsonl"
    who = next(entry["event"]["who"] for entry in log if entry["event"]["type"] == "Joined")
    at = behind(log, count_openings(log), {"type": "Moved", "who": who, "before": "", "after": place})
    number_objs(log)
    file.write_bytes(encode_chained(log))
    assert f"line {at}: Moved: {place} is no place on this map" in run_command_inside(["legal", str(file)]).err
    audited = run_command_inside(["audit", str(file)])
    assert f"found one that does not ({place} is no place on this map)" in audited.out
    assert f"what is recorded at position {at} fits no state" in audited.out


def test_where_rules_stumble_over_a_state_that_is_said_and_nothing_is_recorded() -> None:
    """The record alone cannot know what rules need of it."""

    def stumble(_: object) -> NoReturn:
        raise KeyError("agility")

    rules = load("vestige")
    turns = replace(rules.turns, list_movers=stumble, procedures=dict.fromkeys(rules.turns.procedures, stumble))
    stumbling = replace(rules, turns=turns)
    history = History()
    history.add(closed_fight("vestige").log[: closed_fight("vestige").opening])
    fight = Fight("x", stumbling, history, seed=SEED)
    with pytest.raises(Senseless, match=r"the rules of vestige cannot follow: there is no agility"):
        list(list_legal_actions(fight.ruleset, fight.table))
    begin = Declared(actor="gm", kind="begin", params=Raw(b"{}"), manner="standard")
    with pytest.raises(Senseless, match=r"the rules of vestige cannot follow: there is no agility"):
        fight.submit(Command(id="x", who="gm", intent=begin))
    assert history.recorded == list(closed_fight("vestige").log[: closed_fight("vestige").opening])
    assert fight.state == fold(history.recorded)


HARMLESS = (add_line_returns, marked, unended)
"""What a reader of lines does not mind, or sets aside as torn."""


def drop_first_line(content: bytes) -> bytes:
    return content.split(b"\n", 1)[1]


def double_content(content: bytes) -> bytes:
    return content * 2


@pytest.mark.parametrize("way", [*BYTES, drop_first_line, double_content], ids=lambda way: way.__name__.strip("_"))
def test_a_file_that_suffered_on_its_way_is_refused_in_words(way: Callable[[bytes], bytes], tmp_path: Path) -> None:
    file, suffered = tmp_path / "x.jsonl", way(encode_chained(beginning()))
    for words in ("show", "legal", "log", "replay", "export", "undo"):
        file.write_bytes(suffered)
        looked = run_command_inside([words, str(file)])
        assert looked.trace == ""
        assert looked.code == 2 or way in HARMLESS, looked


@pytest.mark.parametrize("words", ["log --verbose", "regress"])
@pytest.mark.parametrize("raw", RAW)
def test_parameters_that_nobody_can_read_are_named(raw: str, words: str, tmp_path: Path) -> None:
    file, log = tmp_path / "x.jsonl", beginning()
    at, entry = next((nth, entry) for nth, entry in enumerate(log, 1) if entry["event"]["type"] == "Declared")
    entry["event"]["params"] = {"target": raw}
    file.write_bytes(encode_chained(log))
    name, *options = words.split()
    looked = run_command_inside([name, str(file), *options])
    assert looked.trace == ""
    assert looked.code in (0, 1) or f"line {at}: " in looked.err


def test_an_action_without_a_name_is_told(tmp_path: Path) -> None:
    file, log = tmp_path / "x.jsonl", beginning()
    declared = [entry for entry in log if entry["event"]["type"] == "Declared"]
    declared[1]["event"] |= {"kind": "", "params": {}}
    file.write_bytes(encode_chained(log))
    assert run_command_inside(["replay", str(file), "--undone"]).trace == ""
