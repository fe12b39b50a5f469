"""Faulty input: one or two clear lines, the right exit code, no loss. By the installed program."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from affray.events import FORMAT, hash_new, read_line
from tests.tools.program import ENCOUNTER, affray, rebuild_from_log


def open_changed_duel(folder: Path, old: str, new: str) -> tuple[int, str]:
    """Try to open the duel's encounter with one thing changed; return the exit code and the complaint."""
    assert ENCOUNTER.count(old) >= 1
    (folder / "bad.toml").write_text(ENCOUNTER.replace(old, new, 1), "utf-8")
    ran = affray(folder, "new", "bad.toml")
    assert ran.out == ""
    assert not list(folder.glob("bad.jsonl")), "a fight was opened all the same"
    assert not list(folder.glob("bad.key")), "a seed was left behind"
    return ran.code, ran.err


# --- encounter files ---


def test_an_encounter_file_with_a_typo_in_a_field(tmp_path: Path) -> None:
    told = open_changed_duel(tmp_path, "agility = 12", "agilty = 12")
    assert told == (2, "bad.toml, line 13, combatant[1]: unknown field agilty; did you mean agility?\n")


def test_an_encounter_file_that_is_not_toml(tmp_path: Path) -> None:
    told = open_changed_duel(tmp_path, 'name = "Bram"', 'name "Bram"')
    assert told == (
        2,
        "bad.toml, line 11: not TOML at column 6: behind a key comes = and its value, as in health = 12\n",
    )


@pytest.mark.parametrize(
    "words",
    [("new",), ("scenario",), ("balance",), ("party", "show")],
    ids=" ".join,
)
@pytest.mark.parametrize("number", ["9" * 5000, "-" + "9" * 5000, "9_" * 5000 + "9"], ids=["plain", "minus", "parted"])
def test_a_number_with_more_digits_than_python_reads(tmp_path: Path, words: tuple[str, ...], number: str) -> None:
    (tmp_path / "bad.toml").write_text(ENCOUNTER.replace("agility = 12", f"agility = {number}"), "utf-8")
    ran = affray(tmp_path, *words, "bad.toml")
    assert (ran.code, ran.out, ran.err) == (2, "", "bad.toml, line 13: is too big a number\n")


def test_an_unknown_system(tmp_path: Path) -> None:
    code, said = open_changed_duel(tmp_path, '"vestige"', '"vestge"')
    assert code == 2
    assert said.startswith("bad.toml, line 1, system: there is no rule system vestge; there are ")
    assert said.endswith("did you mean vestige?\n")


def test_an_unknown_weapon(tmp_path: Path) -> None:
    code, said = open_changed_duel(tmp_path, '["sword", "bow"]', '["sword", "boww"]')
    assert code == 2
    assert said.startswith("bad.toml, line 16, combatant[1].weapons[1]: there is no weapon boww; there are knife, ")
    assert said.endswith("did you mean bow?\n")


@pytest.mark.parametrize(
    ("value", "right"),
    [
        ("31", "must be at most 30"),
        ("0", "must be at least 1"),
        ('"high"', "must be a whole number, not a text"),
        ("11.5", "must be a whole number, not a number with a fraction"),
    ],
)
def test_a_stat_out_of_range(tmp_path: Path, value: str, right: str) -> None:
    told = open_changed_duel(tmp_path, "agility = 12", f"agility = {value}")
    assert told == (2, f"bad.toml, line 13, combatant[1].agility: {right}\n")


def test_a_missing_side(tmp_path: Path) -> None:
    assert open_changed_duel(tmp_path, 'side = "blue"', "") == (2, "bad.toml, line 10, combatant[1]: side is missing\n")


LISTED = "affray rules vestige --settings lists them"
"""The words about unknown settings."""


def test_a_configuration_that_the_system_does_not_know(tmp_path: Path) -> None:
    word = open_changed_duel(tmp_path, "[[combatant]]", '[config]\nbrink_fail = "ded"\n\n[[combatant]]')
    assert word == (2, "bad.toml, line 5, config.brink_fail: cannot be ded; there are dead, unable\n")
    key = open_changed_duel(tmp_path, "[[combatant]]", "[config]\nbrink_targt = 9\n\n[[combatant]]")
    assert key == (2, f"bad.toml, line 5, config: unknown field brink_targt; did you mean brink_target?; {LISTED}\n")


def test_a_distance_to_nobody(tmp_path: Path) -> None:
    code, said = open_changed_duel(tmp_path, '["ilse", "bram"]', '["ilse", "brem"]')
    assert (code, said) == (
        2,
        "bad.toml, line 19, distance[0].between: there is no brem; there are bram, ilse; did you mean bram?\n",
    )


def test_an_encounter_file_that_is_not_there_or_not_text(tmp_path: Path) -> None:
    missing = affray(tmp_path, "new", "none.toml")
    assert (missing.code, missing.err) == (2, "none.toml: No such file or directory\n")
    (tmp_path / "latin.toml").write_bytes(b'system = "vestige"\nname = "caf\xe9"\n')
    latin = affray(tmp_path, "new", "latin.toml")
    assert (latin.code, latin.err) == (2, "latin.toml, line 2: is not UTF-8 text\n")


def test_a_machine_learns_where_the_fault_is(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text(ENCOUNTER.replace("agility = 12", "agility = 99"), "utf-8")
    ran = affray(tmp_path, "new", "bad.toml", "--json")
    assert (ran.code, ran.err) == (2, "")
    fault = ran.json["error"]
    place = (fault["kind"], fault["file"], fault["line"], fault["field"])
    assert place == ("unusable", "bad.toml", 13, "combatant[1].agility")


# --- words ---


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["do", "duel.jsonl", "ilsa", "attack", "bram"], "who: there is no ilsa in this fight; there are ilse, bram"),
        (["do", "duel.jsonl", "ilse", "attack", "power=3"], "power: attack has no parameter power; it has "),
        (
            ["rule", "duel.jsonl", "smite", "--reason", "x"],
            "ruling: there is no ruling smite; did you mean side?; ",
        ),
        (["rule", "duel.jsonl", "note", "rain"], "affray: Missing option '--reason'."),
        (["answer", "duel.jsonl", "yes"], "answer: nobody is asked anything now"),
        (["roll", "duel.jsonl", "12"], "faces: no dice are awaited now"),
        (["stand", "duel.jsonl", "ilse", "ever"], "ask: somebody is asked always, worthwhile, targeted or never"),
        (["do"], "affray: Missing argument 'FIGHT'."),
        (["dance"], "affray: there is no command dance; "),
        (["do", "duel.txt", "begin"], "FIGHT: duel.txt is no fight: name FILE.jsonl, sqlite:FILE#FIGHT, "),
        (["do", "none.jsonl", "begin"], "affray: there is no fight none.jsonl"),
        (["do", "none.db#duel", "begin"], "affray: there is no database none.db"),
        (["scenario", "none.toml"], "none.toml: No such file or directory"),
        (["rules", "vestig"], "system: there is no rule system vestig; there are "),
    ],
    ids=" ".join,
)
def test_words_that_cannot_be_understood(log: Path, words: list[str], said: str) -> None:
    before = log.read_bytes()
    ran = affray(log.parent, *words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(said)
    assert len(ran.err.splitlines()) <= 2
    assert log.read_bytes() == before
    assert not (log.parent / "none.db").exists()


# --- logs ---


def test_a_log_cut_in_the_middle_of_a_line(log: Path) -> None:
    """The half command is set aside and reported, and the fight goes on from the last whole one."""
    whole = log.read_bytes()
    affray(log.parent, "do", "duel.jsonl", "ilse", "attack", "bram", "--json")
    half = log.read_bytes()[len(whole) : -40]
    log.write_bytes(whole + half)
    ran = affray(log.parent, "do", "duel.jsonl", "ilse", "ready", "--json")
    assert ran.code == 0
    left, aside = ran.err.splitlines()
    assert left == f"warning: left torn tail (log duel.jsonl, bytes {len(half)}, until the next command)"
    assert aside == f"warning: set torn tail aside (log duel.jsonl, bytes {len(half)}, kept in duel.torn)"
    assert (log.parent / "duel.torn").read_bytes() == half
    assert log.read_bytes().startswith(whole)
    assert rebuild_from_log(log).head == ran.json["head"]


def test_a_log_cut_within_its_first_command(log: Path) -> None:
    """There is no state to continue from; the file is unchanged."""
    whole = log.read_bytes()
    log.write_bytes(whole[:300])
    ran = affray(log.parent, "undo", "duel.jsonl")
    assert ran.code == 2
    assert ran.err.startswith("duel.jsonl, line 1: this is no log of a fight: ")
    assert log.read_bytes() == whole[:300]
    assert not (log.parent / "duel.torn").exists()


def test_a_log_of_another_format_version(log: Path) -> None:
    """Even with a valid chain: the line is sealed again, so that only its format is wrong."""
    lines = log.read_bytes().splitlines()
    first = read_line(lines[0])
    payload = bytes(first.event).replace(b'"format":%d' % FORMAT, b'"format":99')
    sealed = hash_new("", 1, first.time, first.who, first.cause, first.more, payload)
    lines[0] = msgspec.json.encode(msgspec.structs.replace(first, hash=sealed, event=msgspec.Raw(payload)))
    log.write_bytes(b"\n".join(lines) + b"\n")
    before = log.read_bytes()
    ran = affray(log.parent, "undo", "duel.jsonl")
    assert ran.code == 2
    assert ran.err == f"duel.jsonl, line 1: format 99 is not known here; this version reads formats 1 to {FORMAT}\n"
    assert log.read_bytes() == before


def test_a_log_with_one_line_altered(log: Path) -> None:
    lines = log.read_bytes().splitlines(keepends=True)
    number, line = next((n, one) for n, one in enumerate(lines, 1) if b'"faces":[15]' in one)
    lines[number - 1] = line.replace(b'"faces":[15]', b'"faces":[20]')
    log.write_bytes(b"".join(lines))
    before = log.read_bytes()
    ran = affray(log.parent, "do", "duel.jsonl", "ilse", "ready")
    assert ran.code == 2
    position = read_line(line).position
    assert ran.err == (f"duel.jsonl, line {number}: the hash of position {position} does not fit what is written\n")
    assert log.read_bytes() == before


def test_a_log_with_a_line_that_is_no_event(log: Path) -> None:
    lines = log.read_bytes().splitlines(keepends=True)
    lines[4] = b'{"position": "five"}\n'
    log.write_bytes(b"".join(lines))
    ran = affray(log.parent, "undo", "duel.jsonl", "--json")
    assert ran.code == 2
    fault = ran.json["error"]
    assert (fault["kind"], fault["code"], fault["file"], fault["line"]) == ("log", "malformed", "duel.jsonl", 5)
    assert log.read_bytes() == b"".join(lines)
