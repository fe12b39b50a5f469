"""The command ``audit``: what a referee sees who has nothing but a log."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import msgspec
import pytest

from affray.engine.integrity.commitment import find_promise
from affray.events import decode_line, format_of, hash_of, read_line
from tests.tools.program import affray, duel

ENCOUNTERS, REPLAYS = (Path(__file__).parents[2] / name for name in ("encounters", "replays"))
CLOSED = REPLAYS / "vestige" / "closed-bridge.jsonl"
OPEN = REPLAYS / "wyrd" / "powder-on-the-heath.jsonl"


@pytest.fixture
def closed(tmp_path: Path) -> Path:
    """A closed fight in a separate folder, without its seed."""
    shutil.copy(CLOSED, tmp_path / "bridge.jsonl")
    return tmp_path / "bridge.jsonl"


def find_line_position(log: Path, telling: str, nth: int = 0) -> int:
    """Return the position of a line that says something."""
    lines = log.read_text("utf-8").splitlines()
    return [number for number, line in enumerate(lines, 1) if telling in line][nth]


def change_log_line(log: Path, position: int, before: str, after: str, *, forged: bool) -> None:
    """Change a line; a forger computes the chain again, so that it holds."""
    lines = log.read_bytes().splitlines()
    assert before.encode() in lines[position - 1]
    lines[position - 1] = lines[position - 1].replace(before.encode(), after.encode(), 1)
    if forged:
        previous = ""
        for number, line in enumerate(lines):
            one = read_line(line)
            hash = hash_of(one, previous, bytes(one.event), format_of(lines[0]))
            lines[number] = line.replace(one.hash.encode(), hash.encode(), 1)
            previous = hash
    log.write_bytes(b"\n".join(lines) + b"\n")


def test_a_closed_log_is_proved_by_nothing_but_itself(closed: Path) -> None:
    """Each layer says what it looked at; the last line is one that a table can quote."""
    ran = affray(closed.parent, "audit", "bridge.jsonl")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    events = len(closed.read_bytes().splitlines())
    assert lines[2].startswith(f"record  clean: {events} events in ")
    assert lines[2].endswith(" commands, the chain whole")
    assert lines[3].startswith("dice    clean: ")
    assert " rolls derived again from the seed, " in lines[3]
    assert lines[3].endswith(" rolls entered from real dice, added up again")
    assert lines[4].startswith("rules   clean: ")
    head = read_line(closed.read_bytes().splitlines()[-1]).hash[:12]
    whole = f"“The bridge at dusk” (vestige 4), {events} events to {head}"
    assert lines[0] == f"clean: {whole}: record clean, dice clean, rules clean"


def test_rulings_entered_dice_and_amendments_are_listed_not_judged(closed: Path) -> None:
    """With who, and in words."""
    brief = affray(closed.parent, "audit", "bridge.jsonl").out
    assert " entered real dice: " not in brief
    assert " entered from real dice; --verbose lists them\n" in brief
    out = affray(closed.parent, "audit", "bridge.jsonl", "--verbose").out
    assert "listed, no faults:" in out
    assert "“Anna”: Stirred into the dice: “the river is high”" in out
    assert "only if the last words, of “Anna”, are their own\n" in out
    assert " ruled: " in out
    assert " entered real dice: " in out
    assert " amended: " in out
    assert " taken back before: " in out
    assert "\ndice looked at before they fell, 1 time: 1 roll; “Marta” at 415\n" in out


def test_while_the_seed_is_secret_the_dice_wait_for_it(tmp_path: Path) -> None:
    """Without the key the audit is incomplete; with it the dice can be checked already."""
    shutil.copy(OPEN, tmp_path)
    ran = affray(tmp_path, "audit", OPEN.name)
    assert ran.code == 3
    assert "dice    incomplete: 51 rolls not checked" in ran.out
    assert (
        "the dice: 51 rolls under a secret seed; needed: the key of the fight beside the log, or closing the fight, "
        "which reveals the seed\n"
    ) in ran.out
    assert ran.out.splitlines()[0].startswith("incomplete: ")
    assert ran.out.splitlines()[0].endswith("record clean, dice incomplete, rules clean")
    shutil.copy(OPEN.with_suffix(".key"), tmp_path)
    ran = affray(tmp_path, "audit", OPEN.name)
    assert ran.code == 0
    assert "dice    clean: 51 rolls derived again from the seed" in ran.out


@pytest.mark.parametrize("key", ["", "00", "ff" * 32, "none"], ids=["empty", "short", "another", "unpromised"])
def test_a_key_that_is_not_the_promised_one_is_found(tmp_path: Path, key: str) -> None:
    """Empty, cut short, another key, or beside a log without a promise; no message quotes it."""
    if key == "none":
        log = duel(tmp_path)
        key = "ab" * 32
    else:
        log = Path(shutil.copy(OPEN, tmp_path))
    log.with_suffix(".key").write_text(key + "\n")
    ran = affray(tmp_path, "audit", log.name)
    assert ran.code == 1
    assert "position 1, the dice: expected " in ran.out
    promised = find_promise(map(decode_line, log.read_bytes().splitlines())).commit_to(bytes.fromhex(key))
    assert f"; found one whose commitment is {promised}, kept beside the log\n" in ran.out
    assert ran.out.splitlines()[0].startswith("NOT clean: ")
    assert not key or key not in ran.out


def test_a_version_that_is_not_here_is_not_judged(tmp_path: Path) -> None:
    """The verdict is neither clean nor a finding, with its own exit code."""
    ran = affray(tmp_path, "audit", str(REPLAYS / "vestige" / "undo-and-redo.jsonl"))
    assert ran.code == 3
    assert "rules   incomplete: 173 not judged" in ran.out
    assert (
        "the rules: 173 inputs, since vestige is installed in version 4, not 1; needed: the version that recorded it\n"
    ) in ran.out
    assert ran.out.splitlines()[0].startswith("incomplete: ")
    said = affray(tmp_path, "audit", str(REPLAYS / "vestige" / "undo-and-redo.jsonl"), "--json").json
    assert (said["clean"], said["verdict"]) == (False, "incomplete")


def test_a_fork_is_compared_with_its_parent(tmp_path: Path) -> None:
    """Alone it is incomplete; another fight is no parent of it, nor is the fork itself, and who is no fork has none."""
    parent, fork = CLOSED, REPLAYS / "vestige" / "fork-of-the-bridge.jsonl"
    alone = affray(tmp_path, "audit", str(fork))
    assert alone.code == 3
    assert "the record: that it is closed-bridge up to position " in alone.out
    assert "as it says; needed: --parent FIGHT\n" in alone.out
    told = affray(tmp_path, "audit", str(fork), "--parent", str(parent))
    assert told.code == 0
    assert re.search(r"forked this fight from “.+” at position \d+; its dice are those of its parent\n", told.out)
    for other in (fork, OPEN):
        ran = affray(tmp_path, "audit", str(fork), "--parent", str(other))
        assert ran.code == 1
        assert f"the record: expected the lines of {other} up to where it is said to have been left; found " in ran.out
    none = affray(tmp_path, "audit", str(parent), "--parent", str(fork))
    assert (none.code, none.out) == (2, "")
    assert none.err == f"--parent: {parent} is no fork, so it has no parent\n"


def test_a_line_that_was_altered_breaks_the_chain(closed: Path) -> None:
    """The finding says where, what was due and what stands there; the exit code is 1."""
    position = find_line_position(closed, '"PoolChanged"', 20)
    lines = closed.read_bytes().splitlines()
    time = read_line(lines[position - 1]).time
    change_log_line(closed, position, time, time.replace("2026", "2027"), forged=False)
    ran = affray(closed.parent, "audit", "bridge.jsonl")
    assert ran.code == 1
    assert f"position {position}, the record: expected the hash " in ran.out
    assert ran.out.splitlines()[0].startswith("NOT clean: “The bridge at dusk” (vestige 4)")


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"])
def test_a_last_line_without_its_newline_is_torn_and_counts_for_nobody(closed: Path, line_end: bytes) -> None:
    """No command reads it, so the audit does not call the record closed by it."""
    lines = closed.read_bytes().replace(b"\n", line_end).splitlines(keepends=True)
    closed.write_bytes(b"".join(lines).removesuffix(b"\n"))
    ran = affray(closed.parent, "audit", "bridge.jsonl", "--json")
    report = ran.json["report"]
    assert (ran.code, report["closed"], report["events"]) == (1, False, len(lines) - 1)
    assert report["head"] == read_line(lines[-2].removesuffix(line_end)).hash
    assert report["head"] == affray(closed.parent, "replay", "bridge.jsonl", "--json").json["chain"]
    (found,) = [one for one in report["findings"] if one["code"] != "line_ends"]
    place = found["layer"], found["code"], found["position"], found["line"]
    assert place == ("record", "torn", len(lines) - 1, len(lines))
    assert found["expected"] == "a line that ends with a newline"


def test_with_a_torn_line_its_whole_command_is_left_out(tmp_path: Path) -> None:
    """Its first lines are in the file, but no command counts them; so the report does not either."""
    lines = OPEN.read_bytes().splitlines(keepends=True)
    last = max(nth for nth, line in enumerate(lines) if nth and read_line(lines[nth - 1].strip()).more)
    (tmp_path / "heath.jsonl").write_bytes(b"".join(lines[: last + 1]).removesuffix(b"\n"))
    whole = max(nth for nth in range(1, last) if not read_line(lines[nth - 1].strip()).more)
    report = affray(tmp_path, "audit", "heath.jsonl", "--json").json["report"]
    assert (report["events"], report["head"]) == (whole, read_line(lines[whole - 1].strip()).hash)
    assert "torn" in {one["code"] for one in report["findings"]}
    assert affray(tmp_path, "replay", "heath.jsonl", "--json").json["chain"] == report["head"]


def test_a_forged_consequence_is_told_beside_the_one_that_was_due(closed: Path) -> None:
    """Though the chain was computed again; with the clause, and its text."""
    position = find_line_position(closed, '"pool":"health","before":', 3)
    event = msgspec.json.decode(closed.read_bytes().splitlines()[position - 1])["event"]
    written = f'"before":{event["before"]},"after":{event["after"]}'
    change_log_line(closed, position, written, f'"before":{event["before"]},"after":{event["after"] + 3}', forged=True)
    ran = affray(closed.parent, "audit", "bridge.jsonl")
    assert ran.code == 1
    finding = next(line for line in ran.out.splitlines() if f"position {position}, the rules" in line)
    rule = event["rules"][0]
    assert rule in finding
    assert f"health {event['before']} → {event['after']}”; recorded is “" in finding
    assert f"health {event['before']} → {event['after'] + 3}”" in finding
    assert f"\n  {rule}  " in ran.out
    assert "record clean, dice clean, rules " in ran.out.splitlines()[0]


def test_a_forged_face_is_told_beside_the_one_the_seed_gives(closed: Path) -> None:
    """The dice layer finds it alone, whatever the rules layer finds."""
    position = find_line_position(closed, '"purpose":"attack"', 2)
    event = msgspec.json.decode(closed.read_bytes().splitlines()[position - 1])["event"]
    (face,) = event["dice"][0]["faces"]
    change_log_line(closed, position, f'"faces":[{face}]', f'"faces":[{face % 20 + 1}]', forged=True)
    ran = affray(closed.parent, "audit", "bridge.jsonl")
    assert ran.code == 1
    assert f"position {position}, the dice: expected {face}, " in ran.out
    assert f"; found {face % 20 + 1}\n" in ran.out


def test_what_the_rules_cannot_follow_is_said_in_plain_words(closed: Path) -> None:
    """The declaration, and its missing precondition; no internals of the program."""
    change_log_line(
        closed,
        find_line_position(closed, '"type":"ItemAdded","item":"ilse.sword"'),
        '"range":',
        '"reach":',
        forged=True,
    )
    ran = affray(closed.parent, "audit", "bridge.jsonl")
    assert ran.code == 1
    position = find_line_position(closed, '"type":"Declared","actor":"ilse","kind":"attack"')
    said = f"position {position}, the rules: “Ilse attacks Bandit A” is recorded, which the rules refuse: "
    assert f"{said}the rules cannot follow attack by ilse: there is no range\n" in ran.out
    assert "Error" not in ran.out


def test_json_says_the_same(closed: Path) -> None:
    """One object, with the summary and every finding in fields."""
    position = find_line_position(closed, '"Noted"')
    change_log_line(closed, position, '"text":"', '"text":"not ', forged=True)
    ran = affray(closed.parent, "audit", "bridge.jsonl", "--json")
    assert ran.code == 1
    assert ran.json["clean"] is False
    assert ran.json["summary"].startswith("NOT clean: ")
    (finding,) = ran.json["report"]["findings"]
    assert (finding["layer"], finding["position"], finding["code"]) == ("rules", position, "other")
    assert finding["written"]["text"] == f"not {finding['due']['text']}"


def test_whatever_the_file_holds_there_is_an_answer(tmp_path: Path) -> None:
    """Noise before a log, half a log, and no file; never a traceback."""
    (tmp_path / "noise.jsonl").write_bytes(b"\x00\xff\n{}\n[1,2]\n" + CLOSED.read_bytes())
    (tmp_path / "half.jsonl").write_bytes(CLOSED.read_bytes()[:50_000])
    for name in ("noise", "half"):
        ran = affray(tmp_path, "audit", f"{name}.jsonl")
        assert (ran.code, ran.err) == (1, ""), name
        assert "NOT clean: " in ran.out
    missing = affray(tmp_path, "audit", "nobody.jsonl")
    assert (missing.code, missing.out, missing.err) == (2, "", "affray: there is no fight nobody.jsonl\n")


def test_an_audit_changes_nothing(tmp_path: Path) -> None:
    """Not even a torn tail is set aside by it."""
    torn = CLOSED.read_bytes()[:-9]
    (tmp_path / "torn.jsonl").write_bytes(torn)
    affray(tmp_path, "audit", "torn.jsonl")
    assert (tmp_path / "torn.jsonl").read_bytes() == torn
    assert [file.name for file in tmp_path.iterdir()] == ["torn.jsonl"]


def test_a_checkpoint_finds_a_history_that_was_rewritten_as_a_whole(closed: Path) -> None:
    """One author changed, the chain computed again: the log is clean, the kept head is not."""
    folder = closed.parent
    verifier = affray(folder, "key", "anna", "--json").json["verifier"]
    assert affray(folder, "checkpoint", "bridge.jsonl", "--key", "anna.signer", "-o", "anna.note").code == 0
    whole = affray(folder, "audit", "bridge.jsonl", "--checkpoint", "anna.note", "--signer", verifier)
    assert whole.code == 0
    assert "checkpoint  clean: the log extends the checkpoint, which covers positions 1 to 974 of 974\n" in whole.out
    position = find_line_position(closed, '"AskingSet"')
    change_log_line(closed, position, '"who":"Anna"', '"who":"Marta"', forged=True)
    alone = affray(folder, "audit", "bridge.jsonl")
    kept = affray(folder, "audit", "bridge.jsonl", "--checkpoint", "anna.note", "--signer", verifier)
    assert "checkpoint" not in alone.out
    assert kept.code == 1
    assert f"position {position}, a checkpoint: expected the event that was signed at position " in kept.out
    assert " by anna; found another one" in kept.out
    other = affray(folder, "key", "bo", "--json").json["verifier"]
    wrong = affray(folder, "audit", "bridge.jsonl", "--checkpoint", "anna.note", "--signer", other)
    assert (wrong.code, wrong.out) == (2, "")
    assert "anna.note" in wrong.err
    unnamed = affray(folder, "audit", "bridge.jsonl", "--checkpoint", "anna.note")
    assert "a checkpoint: who signed the checkpoint; needed: --signer KEY\n" in unnamed.out


def test_an_audit_says_how_far_a_checkpoint_reaches(closed: Path) -> None:
    """One of the first position covers nothing else; of several, the last that the log extends counts."""
    folder = closed.parent
    verifier = affray(folder, "key", "anna", "--json").json["verifier"]
    for at in ("1", "500"):
        sign = ("checkpoint", "bridge.jsonl", "--key", "anna.signer", "--at", at, "-o", f"{at}.note")
        assert affray(folder, *sign).code == 0
    signed = ("audit", "bridge.jsonl", "--signer", verifier, "--checkpoint", "1.note")
    first = affray(folder, *signed)
    assert "checkpoint  clean: the log extends the checkpoint, which covers positions 1 to 1 of 974\n" in first.out
    assert first.out.splitlines()[0].endswith(", checkpoint clean (positions 1 to 1 of 974)")
    machine = affray(folder, *signed, "--json").json
    assert machine["report"]["covered"] == 1
    assert machine["summary"].endswith(", checkpoint clean (positions 1 to 1 of 974)")
    both = affray(folder, *signed, "--checkpoint", "500.note")
    assert "the log extends 2 checkpoints, the last of which covers positions 1 to 500 of 974\n" in both.out
    change_log_line(closed, 300, '"who":"', '"who":"not ', forged=True)
    machine = affray(folder, *signed, "--checkpoint", "500.note", "--json").json
    assert (machine["report"]["checkpoints"], machine["report"]["covered"]) == (1, 1)
    assert machine["summary"].endswith(", checkpoint 1 finding (positions 1 to 1 of 974)")
    assert affray(folder, "audit", "bridge.jsonl", "--json").json["report"]["covered"] == 0


def test_a_seed_that_is_none_reveals_no_dice(closed: Path) -> None:
    """It is a finding; a roll that would follow from it is refused in a sentence."""
    last = len(closed.read_bytes().splitlines())
    change_log_line(closed, last, '"seed":"', '"seed":"no ', forged=True)
    assert affray(closed.parent, "audit", "bridge.jsonl").code == 1
    ran = affray(
        closed.parent, "audit", "bridge.jsonl", "--roll", str(find_line_position(closed, '"purpose":"attack"'))
    )
    assert (ran.code, ran.out) == (2, "")
    assert "the seed of these dice is still secret" in ran.err


@pytest.mark.parametrize("digits", [1, 5_000])
def test_parameters_that_are_none_are_told_all_the_same(closed: Path, digits: int) -> None:
    """A forger may write anything there; the audit finds it, and neither it nor the story stumbles."""
    position = find_line_position(closed, '"Ruled"')
    params = msgspec.json.encode(msgspec.json.decode(closed.read_bytes().splitlines()[position - 1])["event"]["params"])
    change_log_line(closed, position, f'"params":{params.decode()}', f'"params":[{"7" * digits}]', forged=True)
    ran = affray(closed.parent, "audit", "bridge.jsonl")
    assert (ran.code, ran.err) == (1, "")
    assert f"position {position}, the rules: " in ran.out
    assert "which the rules refuse: params: " in ran.out
    assert affray(closed.parent, "log", "bridge.jsonl").code == (0 if digits == 1 else 2)


def test_an_answer_without_a_sentence_is_told_as_the_log_words_it_and_an_audit_compares_the_words(
    tmp_path: Path,
) -> None:
    """The rules of ``wwn`` declare no sentence for stated distances; this stands among what is open."""
    log, honest = tmp_path / "cellar.jsonl", "how many feet Vesna will be from each"
    shutil.copy(REPLAYS / "wwn" / "closed-cellar.jsonl", log)
    position = find_line_position(log, f'"says":"{honest}"', 1)
    change_log_line(log, position, f'"says":"{honest}"', '"says":"Vesna dies"', forged=True)
    assert "The game master: Vesna dies (Hild: 0" in affray(tmp_path, "log", "cellar.jsonl").out
    ran = affray(tmp_path, "audit", "cellar.jsonl")
    assert (ran.code, ran.err) == (1, "")
    asked = "The game master is asked about distances: stated"
    assert f"position {position}, the rules (WWN-T13): expected “{asked} ({honest})”" in ran.out
    assert f"recorded is “{asked} (Vesna dies)”" in ran.out
