"""A party, a scenario, an encounter or a key with anything wrong in it is refused with its file; never a traceback."""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
import tomlkit

from tests.examples import THOROUGH
from tests.fuzz_hostile_logs.looking import BUG, run_command_inside
from tests.rulesets.systems import PRESENT

MUTANTS = 400 if THOROUGH else 6

WRONG: tuple[Any, ...] = (
    True, 0, -1, 10**6, 10**30, 0.5, float("nan"), "", "x", "0,0", "a\nb", [], [1], ["x", "x"], [[]], {}, {"x": 1},
    [{}],
)  # fmt: skip
"""What stands where something else should."""


def iterate_file_places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every place in a file: the table or list, and the key or index in it."""
    for key in list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield value, key
        yield from iterate_file_places(value[key])


def misshapen(text: str, seed: int) -> str:
    """Return a file with another value at one or two places, or with something left out."""
    dice, content = Random(seed), copy.deepcopy(tomllib.loads(text))
    for _ in range(dice.choice((1, 1, 2))):
        found = list(iterate_file_places(content))
        table, key = dice.choice(found)
        if isinstance(table, dict) and dice.random() < 0.15:
            del table[key]
        else:
            table[key] = dice.choice(WRONG)
    return tomlkit.dumps(content)


def check_mutant_files(folder: Path, name: str, mutants: Iterator[str | bytes], *commands: str) -> None:
    """Run commands on mutants of a file; each works, or says what is wrong, and with which file."""
    for nth, mutant in enumerate(mutants):
        content = mutant.encode() if isinstance(mutant, str) else mutant
        for command in commands:
            (folder / name).write_bytes(content)
            looked = run_command_inside(
                [word.replace("FOLDER", str(folder)).replace("NTH", str(nth)) for word in command.split()]
            )
            assert looked.code != BUG, f"{command}\n{looked.trace}\n{content.decode(errors='replace')}"
            assert looked.code != 2 or f"{folder}/" in looked.err, f"{command}\n{looked.err}"


def run_writing_command(folder: Path, *words: str) -> None:
    """Run a command that writes a file."""
    looked = run_command_inside([*words])
    assert looked.code == 0, looked.err


@pytest.mark.parametrize("system", PRESENT)
def test_a_party_with_anything_wrong_is_refused_with_its_file(tmp_path: Path, system: str) -> None:
    run_writing_command(tmp_path, "new", "--template", system, "-o", f"{tmp_path}/road.toml")
    run_writing_command(tmp_path, "party", "new", f"{tmp_path}/heroes.toml", "--from", f"{tmp_path}/road.toml")
    text = (tmp_path / "heroes.toml").read_text("utf-8")
    mutants = (misshapen(text, seed) for seed in range(MUTANTS))
    join = "party join FOLDER/heroes.toml FOLDER/road.toml -o FOLDER/joined-NTH.jsonl"
    check_mutant_files(tmp_path, "heroes.toml", mutants, "party show FOLDER/heroes.toml", join)


@pytest.mark.parametrize("system", PRESENT)
def test_a_scenario_with_anything_wrong_is_refused_with_its_file(tmp_path: Path, system: str) -> None:
    run_writing_command(tmp_path, "scenario", "--template", system, "-o", f"{tmp_path}/mine.toml")
    text = (tmp_path / "mine.toml").read_text("utf-8")
    check_mutant_files(
        tmp_path, "mine.toml", (misshapen(text, seed) for seed in range(MUTANTS)), "scenario FOLDER/mine.toml"
    )


@pytest.mark.parametrize("system", PRESENT)
def test_an_encounter_with_anything_wrong_is_refused_with_its_file(tmp_path: Path, system: str) -> None:
    """Opened, joined to a fight and foreseen."""
    run_writing_command(tmp_path, "new", "--template", system, "-o", f"{tmp_path}/road.toml")
    run_writing_command(tmp_path, "new", f"{tmp_path}/road.toml", "-o", f"{tmp_path}/open.jsonl")
    text = (tmp_path / "road.toml").read_text("utf-8")
    mutants = (misshapen(text, seed) for seed in range(MUTANTS))
    new = "new FOLDER/road.toml -o FOLDER/fresh-NTH.jsonl"
    balance = "balance FOLDER/road.toml --trials 1"
    check_mutant_files(tmp_path, "road.toml", mutants, new, "join FOLDER/open.jsonl FOLDER/road.toml", balance)


@pytest.mark.parametrize(
    ("name", "command"),
    [("host.signer", "checkpoint FOLDER/open.jsonl --key FOLDER/host.signer"), ("open.key", "audit FOLDER/open.jsonl")],
)
def test_a_key_with_anything_wrong_is_refused_with_its_file(tmp_path: Path, name: str, command: str) -> None:
    """Empty, cut off, doubled, not text at all, with another line behind it, or with one letter changed."""
    run_writing_command(tmp_path, "new", "--template", "vestige", "-o", f"{tmp_path}/road.toml")
    run_writing_command(tmp_path, "new", f"{tmp_path}/road.toml", "-o", f"{tmp_path}/open.jsonl")
    run_writing_command(tmp_path, "key", "host", "-o", f"{tmp_path}/host.signer")
    key = (tmp_path / name).read_bytes()
    wrong = (
        b"",
        b"\n",
        key[:-5],
        key + key,
        b"\xff\xfe\x00",
        key + b"more\n",
        key.replace(b"a", b"b", 1),
        b"{}",
        b"[1]",
    )
    check_mutant_files(tmp_path, name, iter(wrong), command)
