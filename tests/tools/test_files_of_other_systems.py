"""Files as people have them: with the line ends of Windows, with a byte order mark, renamed on their way."""

from __future__ import annotations

import shutil
from pathlib import Path
from subprocess import run
from typing import Any

import msgspec
import pytest

from affray.events import read_line
from tests.tools.pipes import NOTE, pipe_lines
from tests.tools.program import ENCOUNTER, affray, duel
from tests.tools.test_audit import CLOSED, REPLAYS

ROOT = Path(__file__).parents[2]
MARK = b"\xef\xbb\xbf"


def save_as_windows(content: bytes) -> bytes:
    """Return a file as an editor of Windows saves it, with a byte order mark."""
    return MARK + content.replace(b"\n", b"\r\n")


WAYS = {
    "line ends": lambda content: content.replace(b"\n", b"\r\n"),
    "a mark": lambda content: MARK + content,
    "both": save_as_windows,
}
HEAD = read_line(CLOSED.read_bytes().splitlines()[-1]).hash


def audit_in_folder(folder: Path, *words: str) -> tuple[int, Any]:
    """Audit a fight; return the exit code and the report."""
    ran = affray(folder, "audit", *words, "--json")
    return ran.code, ran.json


# --- logs ---


@pytest.mark.parametrize("way", WAYS)
def test_a_log_that_an_editor_saved_has_one_finding_that_names_the_cause(tmp_path: Path, way: str) -> None:
    """Neither hundreds of findings, nor one about dice or rules, which are judged as if nothing had happened."""
    (tmp_path / "bridge.jsonl").write_bytes(WAYS[way](CLOSED.read_bytes()))
    code, said = audit_in_folder(tmp_path, "bridge.jsonl")
    assert (code, said["verdict"]) == (1, "found")
    (found,) = said["report"]["findings"]
    assert (found["layer"], found["code"], found["line"]) == ("record", "line_ends", 1)
    assert ("line ends are those of Windows in 974 lines" in found["found"]) == (way != "a mark")
    assert ("a byte order mark stands before the first line" in found["found"]) == (way != "line ends")
    assert found["found"].endswith("; the content is untouched")
    _, untouched = audit_in_folder(tmp_path, str(CLOSED))
    assert {**said["report"], "findings": []} == untouched["report"]


@pytest.mark.parametrize("way", WAYS)
def test_such_a_log_is_replayed_shown_and_told_like_the_original(tmp_path: Path, way: str) -> None:
    shutil.copy(CLOSED, tmp_path / "original.jsonl")
    (tmp_path / "bridge.jsonl").write_bytes(WAYS[way](CLOSED.read_bytes()))
    for command in ("replay", "show", "log", "stats"):
        ran, due = (affray(tmp_path, command, name) for name in ("bridge.jsonl", "original.jsonl"))
        assert (ran.code, ran.err, ran.out.replace("bridge.jsonl", "original.jsonl")) == (0, "", due.out)
    assert f"chain      verified to {HEAD}" in affray(tmp_path, "replay", "bridge.jsonl").out


def test_a_forged_line_is_found_behind_the_line_ends_and_nothing_is_called_untouched(tmp_path: Path) -> None:
    lines = CLOSED.read_bytes().splitlines(keepends=True)
    lines[499] = lines[499].replace(b'"who":"', b'"who":"not ', 1)
    (tmp_path / "bridge.jsonl").write_bytes(save_as_windows(b"".join(lines)))
    _, said = audit_in_folder(tmp_path, "bridge.jsonl")
    codes = {one["code"]: one for one in said["report"]["findings"]}
    assert codes["chain"]["line"] == 500
    assert "untouched" not in codes["line_ends"]["found"]


@pytest.mark.parametrize("way", WAYS)
def test_such_a_fight_goes_on_and_loses_nothing(tmp_path: Path, way: str) -> None:
    """New lines have usual line ends; old ones stay byte for byte, and the audit still names the cause."""
    log = duel(tmp_path)
    log.write_bytes(WAYS[way](log.read_bytes()))
    before = log.read_bytes()
    assert affray(tmp_path, "do", "duel.jsonl", "ilse", "attack", "bram").code == 0
    assert affray(tmp_path, "roll", "duel.jsonl", "15").code == 0
    after = log.read_bytes()
    assert after.startswith(before)
    assert b"\r" not in after.removeprefix(before)
    assert affray(tmp_path, "replay", "duel.jsonl").code == 0
    _, said = audit_in_folder(tmp_path, "duel.jsonl")
    assert [one["code"] for one in said["report"]["findings"]] == ["line_ends"]
    log.write_bytes(after.replace(b"\r\n", b"\n").removeprefix(MARK))
    assert audit_in_folder(tmp_path, "duel.jsonl")[1]["report"]["findings"] == []


def test_a_torn_command_is_set_aside_whatever_the_line_ends(tmp_path: Path) -> None:
    log = duel(tmp_path)
    whole = save_as_windows(log.read_bytes())
    log.write_bytes(whole + b'{"position":99,"ti')
    assert affray(tmp_path, "do", "duel.jsonl", "ilse", "end_turn").code == 0
    assert log.read_bytes().startswith(whole)
    assert (tmp_path / "duel.torn").read_bytes() == b'{"position":99,"ti'


def test_a_fork_is_its_parents_whatever_the_line_ends_of_either(tmp_path: Path) -> None:
    """Only the audited log's own line ends are a finding."""
    fork = REPLAYS / "vestige" / "fork-of-the-bridge.jsonl"
    (tmp_path / "parent.jsonl").write_bytes(save_as_windows(CLOSED.read_bytes()))
    assert affray(tmp_path, "audit", str(fork), "--parent", "parent.jsonl").code == 0
    (tmp_path / "fork.jsonl").write_bytes(save_as_windows(fork.read_bytes()))
    code, said = audit_in_folder(tmp_path, "fork.jsonl", "--parent", str(CLOSED))
    assert (code, [one["code"] for one in said["report"]["findings"]]) == (1, ["line_ends"])


# --- all other files ---


def test_encounters_parties_and_scenarios_are_read(tmp_path: Path) -> None:
    (tmp_path / "duel.toml").write_bytes(save_as_windows(ENCOUNTER.encode()))
    assert affray(tmp_path, "new", "duel.toml").code == 0
    assert affray(tmp_path, "party", "new", "heroes.toml", "--from", "duel.toml", "--side", "red").code == 0
    party = tmp_path / "heroes.toml"
    party.write_bytes(save_as_windows(party.read_bytes()))
    assert affray(tmp_path, "party", "show", "heroes.toml").code == 0
    for name in ("plain", "cast"):
        scenario = ROOT / "tests" / "rulesets" / "vestige" / "scenarios" / f"{name}.toml"
        (tmp_path / f"{name}.toml").write_bytes(save_as_windows(scenario.read_bytes()))
    ran = affray(tmp_path, "scenario", "plain.toml")
    assert (ran.code, ran.err) == (0, "")


def test_an_error_behind_a_mark_still_names_its_line(tmp_path: Path) -> None:
    (tmp_path / "duel.toml").write_bytes(save_as_windows(ENCOUNTER.replace("agility = 12", "agilty = 12").encode()))
    ran = affray(tmp_path, "new", "duel.toml")
    assert ran.err == "duel.toml, line 13, combatant[1]: unknown field agilty; did you mean agility?\n"


def test_keys_and_checkpoints_are_read(tmp_path: Path) -> None:
    """The seed beside a log, the secret that signs, the verifier's key, and what was signed."""
    (tmp_path / "duel.toml").write_text(ENCOUNTER, "utf-8")
    assert affray(tmp_path, "new", "duel.toml").code == 0
    seed = tmp_path / "duel.key"
    seed.write_bytes(save_as_windows(seed.read_bytes()))
    assert affray(tmp_path, "do", "duel.jsonl", "gm", "begin").code == 0
    verifier = affray(tmp_path, "key", "ilse", "--json").json["verifier"]
    signer = tmp_path / "ilse.signer"
    signer.write_bytes(save_as_windows(signer.read_bytes()))
    assert affray(tmp_path, "checkpoint", "duel.jsonl", "--key", "ilse.signer", "-o", "note").code == 0
    note, public = tmp_path / "note", tmp_path / "ilse.public"
    note.write_bytes(save_as_windows(note.read_bytes()))
    public.write_bytes(save_as_windows(verifier.encode() + b"\n"))
    code, said = audit_in_folder(tmp_path, "duel.jsonl", "--checkpoint", "note", "--signer", "ilse.public")
    assert (code, said["verdict"]) == (0, "clean")


def test_what_is_piped_in_may_begin_with_a_mark(tmp_path: Path) -> None:
    """Some shells put one before all that they hand on, and end lines as Windows does."""
    duel(tmp_path)
    request = msgspec.json.encode({"id": "a", "do": "submit", "intent": NOTE})
    answers = pipe_lines(tmp_path, save_as_windows(request + b"\n"), words=("duel.jsonl",))
    assert [one.get("id") for one in answers if "id" in one] == ["a"]
    ran = affray(tmp_path, "play", "duel.jsonl", said="\ufeffilse end_turn\r\nquit\r\n")
    assert ran.code == 0
    assert "Bram" in affray(tmp_path, "show", "duel.jsonl").out.splitlines()[-1]


# --- endings ---


@pytest.mark.parametrize("ending", [".json", ".ndjson", ".jsonl.txt"])
def test_a_log_that_was_renamed_on_its_way_is_a_fight(tmp_path: Path, ending: str) -> None:
    """It is looked at, audited, gone on with and forked; its seed stands beside it under the fight's own name."""
    (tmp_path / "duel.toml").write_text(ENCOUNTER, "utf-8")
    assert affray(tmp_path, "new", "duel.toml").code == 0
    name = f"duel{ending}"
    (tmp_path / "duel.jsonl").rename(tmp_path / name)
    assert affray(tmp_path, "do", name, "gm", "begin").code == 0
    for command in ("show", "log", "replay", "stats", "legal"):
        ran = affray(tmp_path, command, name)
        assert (ran.code, ran.err) == (0, "")
    assert affray(tmp_path, "audit", name).code == 0
    assert affray(tmp_path, "fork", name, "-o", "if.jsonl").code == 0
    assert affray(tmp_path, "audit", "if.jsonl", "--parent", name).code == 0
    with (tmp_path / name).open("ab") as log:
        log.write(b'{"position":')
    assert affray(tmp_path, "do", name, "nobody", "begin").code == 2
    assert sorted(one.name for one in tmp_path.glob("duel.*")) == sorted([name, "duel.key", "duel.toml"])


@pytest.mark.parametrize("ending", [".json", ".ndjson", ".jsonl.txt"])
def test_a_new_fight_gets_the_ending_that_folders_of_fights_are_searched_for(tmp_path: Path, ending: str) -> None:
    duel(tmp_path)
    for words in (("new", "duel.toml", "-o"), ("fork", "duel.jsonl", "-o")):
        ran = affray(tmp_path, *words, f"other{ending}")
        assert (ran.code, ran.err) == (
            2,
            f"FIGHT: other{ending} cannot be begun: name a new fight other.jsonl\n",
        )
    assert not list(tmp_path.glob("other*"))
    ran = affray(tmp_path, "serve", f"other{ending}")
    assert (ran.code, ran.out) == (2, "")
    assert f"rename other{ending} so that it ends in .jsonl" in ran.err


# --- the repository ---


def test_no_checkout_converts_a_line_end() -> None:
    """Recorded fights and other byte-for-byte files are the same on every system."""
    files = (*REPLAYS.glob("*/*.jsonl"), *REPLAYS.glob("*/*.key"), *(ROOT / "tools" / "page" / "lib").glob("*.js"))
    told = (ROOT / "tests" / "engine" / "golden").glob("*.txt")
    paths = [str(one.relative_to(ROOT)) for one in (*files, *told)]
    assert len(paths) > 80
    try:
        ran = run(["git", "check-attr", "text", "--", *paths], cwd=ROOT, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("no git on this machine")
    if ran.returncode:
        pytest.skip("this is no checkout")
    assert {line.rpartition(": ")[2] for line in ran.stdout.splitlines()} == {"unset"}
    assert len(ran.stdout.splitlines()) == len(paths)
