"""The commands of documents for readers are run literally, by a Python without our packages."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from affray.engine import Fight, FileStore, read_log
from affray.engine.integrity.commitment import find_promise, seal_promise
from affray.engine.runtime.dice import NamedDice
from affray.events import (
    DISCARDED,
    FORMAT,
    SET_ASIDE,
    STARTS,
    AskingSet,
    Closed,
    Dice,
    EntropyAdded,
    Event,
    Faces,
    FightOpened,
    Joined,
    Previewed,
    Recorded,
    Rolled,
)
from tests.engine.closed import play_and_close
from tests.engine.fights import SEED, noon
from tests.engine.memory import MemoryStore
from tests.forging import encode_log, rechain_log, replace_event
from tests.rulesets.systems import PRESENT
from tests.tools.program import Ran

ROOT = Path(__file__).parents[1]
REPLAYS = ROOT / "replays"
PAGE = (ROOT / "docs" / "verify.md").read_text("utf-8")
(LINES,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
OTHER = bytes(reversed(SEED))


def check(folder: Path, name: str, *positions: int) -> Ran:
    """Do as the page says, in a folder with a log."""
    (folder / "check.py").write_text(LINES, "utf-8")
    done = subprocess.run(
        [sys.executable, "-I", "check.py", f"{name}.jsonl", *map(str, positions)],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        env={},
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


@cache
def make_closed_fight(system: str) -> tuple[Fight, tuple[bytes, ...]]:
    """A closed fight of a system, and its log."""
    store = MemoryStore()
    return play_and_close(system, system, store, commands=130), tuple(store.read(system))


def list_roll_positions(recorded: Iterable[Recorded]) -> list[int]:
    """The positions of all rolls of the engine's dice, undone or not."""
    return [one.position for one in recorded if isinstance(one.event, Rolled) and one.event.source == "engine"]


def list_thrown_faces(recorded: Iterable[Recorded]) -> list[tuple[int, str]]:
    """Position and faces of each group of dice that fell."""
    return [
        (one.position, str(list(dice.faces)))
        for one in recorded
        if isinstance(one.event, Rolled) and one.event.source == "engine"
        for dice in one.event.dice
        if dice.thrown
    ]


def save_log_in_folder(folder: Path, name: str, lines: Iterable[bytes]) -> Path:
    """Leave a log in a folder."""
    log = folder / f"{name}.jsonl"
    log.write_bytes(b"".join(line + b"\n" for line in lines))
    return log


LAY_OR_FORKED = r" fell under a promise | lay there since | they lay in no earlier roll"
"""The lines of the check that are about no die that fell in the roll."""


def all_right(ran: Ran, recorded: Iterable[Recorded]) -> None:
    """Every group of dice that fell was derived, face by face."""
    assert (ran.code, ran.err) == (0, "")
    said = [
        line.split(" ", 1)
        for line in ran.out.splitlines()
        if not line.startswith(("format ", "words ")) and not re.search(LAY_OR_FORKED, line)
    ]
    due = list_thrown_faces(recorded)
    assert len(said) == len(due)
    for (position, rest), (number, faces) in zip(said, due, strict=True):
        assert (position, rest[:7], rest[rest.index(" [") :]) == (str(number), "right: ", f" {faces} {faces}")


@pytest.mark.parametrize("system", PRESENT)
def test_every_roll_of_a_closed_fight_is_derived(tmp_path: Path, system: str) -> None:
    played, lines = make_closed_fight(system)
    save_log_in_folder(tmp_path, system, lines)
    recorded = played.history.recorded
    assert len(list_roll_positions(recorded)) > 10
    all_right(check(tmp_path, system, *list_roll_positions(recorded)), recorded)


def test_those_fights_hold_dice_of_every_sort() -> None:
    """Fresh ones, of items, discarded, and such as lie there from an earlier roll."""
    rolled = [
        one.event
        for system in PRESENT
        for one in make_closed_fight(system)[0].history.recorded
        if isinstance(one.event, Rolled)
    ]
    assert any(roll.roll.startswith("g1:") for roll in rolled)
    assert any(dice.item for roll in rolled for dice in roll.dice)
    assert {SET_ASIDE, DISCARDED} <= {fate for roll in rolled for dice in roll.dice for fate in dice.fates}


def seal_events(*events: Event, scheme: int = 1) -> tuple[list[Recorded], list[bytes]]:
    """A record of these events, with the opening and the end around them; facts without a cause follow a setting."""
    opening = FightOpened(
        format=FORMAT if scheme > 1 else 4,
        fight="x",
        system="x",
        version="1",
        digest="",
        config={},
        dice_scheme=scheme,
    )
    commands: list[list[Event]] = [[opening]]
    for event in (*events, Closed(seed=SEED.hex())):
        if type(event) in STARTS:
            commands.append([event])
        elif len(commands) > 1:
            commands[-1].append(event)
        else:
            commands.append([AskingSet(who="bo", ask="never"), event])
    recorded: list[Recorded] = []
    lines: list[bytes] = []
    for nth, command in enumerate(commands):
        one, line = seal_promise(
            None if nth else SEED,
            command,
            after=len(recorded),
            previous=recorded[-1].hash if recorded else "",
            time=noon(),
            who="gm",
            cause=f"c{nth}",
            format=opening.format,
        )
        recorded += one
        lines += line
    return recorded, lines


def test_many_dice_and_dice_that_are_thrown_away(tmp_path: Path) -> None:
    """With three thousand million sides nearly every third number is too high, and some are so again and again."""
    wanted = (Dice(count=40, sides=6), Dice(count=60, sides=3_000_000_000, kind="fate", item="an-urn"))
    faces = NamedDice(SEED).faces("1/bo/1/attack", wanted)
    dice = tuple(
        Faces(sides=one.sides, kind=one.kind, item=one.item, faces=fell)
        for one, fell in zip(wanted, faces, strict=True)
    )
    recorded, lines = seal_events(Rolled(roll="1/bo/1/attack", by="bo", purpose="attack", dice=dice, total=0))
    save_log_in_folder(tmp_path, "many", lines)
    all_right(check(tmp_path, "many", 3), recorded)


@pytest.mark.parametrize("scheme", [1, 2])
def test_words_behind_the_first_die_end_the_check(tmp_path: Path, scheme: int) -> None:
    """A forger who may choose words once a die is due chooses those that suit it: every face can be had so."""
    (opening, *_), _ = seal_events(scheme=scheme)
    bound = find_promise([opening]).bound

    def attack(nth: int, *words: str) -> Rolled:
        name = f"1/bo/attack.{nth}/attack"
        (faces,) = NamedDice(SEED, words, bound).faces(name, (Dice(count=1, sides=20),))
        return Rolled(roll=name, by="bo", purpose="attack", dice=(Faces(sides=20, faces=faces),), total=faces[0])

    words = next(f"luck {nth}" for nth in range(1000) if attack(2, f"luck {nth}").total == 20)
    late = attack(1), EntropyAdded(words=words), attack(2, words)
    save_log_in_folder(tmp_path, "late", seal_events(*late, scheme=scheme)[1])
    ran = check(tmp_path, "late", 5)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == "words were stirred in at 4, after the first die fell or was shown at 3\n"
    before = EntropyAdded(words=words), attack(1, words), attack(2, words)
    recorded, lines = seal_events(*before, scheme=scheme)
    save_log_in_folder(tmp_path, "before", lines)
    all_right(check(tmp_path, "before", 3, 4), recorded)


@pytest.mark.parametrize("scheme", [1, 2])
def test_words_behind_a_preview_end_the_check_from_format_5_on(tmp_path: Path, scheme: int) -> None:
    """Fights of earlier formats took such words, so their dice are checked as before."""
    (opening, *_), _ = seal_events(scheme=scheme)
    words, name = "better luck", "1/bo/attack.1/attack"
    dice = NamedDice(SEED, (words,), find_promise([opening]).bound)
    (faces,) = dice.faces(name, (Dice(count=1, sides=20),))
    rolled = Rolled(roll=name, by="bo", purpose="attack", dice=(Faces(sides=20, faces=faces),), total=faces[0])
    recorded, lines = seal_events(
        Previewed(position=1, rolls=(name,)), EntropyAdded(words=words), rolled, scheme=scheme
    )
    save_log_in_folder(tmp_path, "looked", lines)
    ran = check(tmp_path, "looked", 4)
    if scheme == 1:
        all_right(ran, recorded)
    else:
        assert (ran.code, ran.err) == (1, "words were stirred in at 3, after the first die fell or was shown at 2\n")


def test_a_second_opening_ends_the_check(tmp_path: Path) -> None:
    """A forger who may promise again behind the opening tries seeds until the dice suit."""
    (opening, *_), _ = seal_events(scheme=2)
    save_log_in_folder(tmp_path, "twice", seal_events(opening.event, scheme=2)[1])
    ran = check(tmp_path, "twice", 2)
    assert (ran.code, ran.err) == (1, "line 2 opens a second fight\n")


def test_a_dice_scheme_that_is_not_defined_is_said(tmp_path: Path) -> None:
    save_log_in_folder(tmp_path, "later", seal_events(scheme=3)[1])
    ran = check(tmp_path, "later", 1)
    assert (ran.code, ran.err) == (1, f"format {FORMAT} has no dice scheme 3\n")


def rename_first_combatant(recorded: Sequence[Recorded]) -> list[Recorded]:
    """Return a log with another name of the first combatant in its opening, and its old hashes."""
    joined = next(one for one in recorded if isinstance(one.event, Joined))
    return replace_event(recorded, joined.position, replace(joined.event, name="Somebody Else"))


@pytest.mark.parametrize("rehashed", [True, False])
def test_another_name_in_the_opening_breaks_the_promise(tmp_path: Path, rehashed: bool) -> None:
    """With the old hash in the line or a new one."""
    played, _ = make_closed_fight("vestige")
    forged = rename_first_combatant(played.history.recorded)
    save_log_in_folder(tmp_path, "renamed", encode_log(rechain_log(forged) if rehashed else forged))
    at = list_roll_positions(played.history.recorded)[0]
    says = f"{at} fell under another seed or another opening than the promise of line 1 covers\n"
    assert check(tmp_path, "renamed", at) == (1, "", says)


def test_in_format_5_another_name_in_the_opening_makes_every_die_wrong(tmp_path: Path) -> None:
    """There the promise covers the seed alone, and the dice are bound to the opening's hash."""
    recorded = read_log(FileStore(REPLAYS / "vestige").read("format-5-goes-on"))
    save_log_in_folder(tmp_path, "renamed", encode_log(rechain_log(rename_first_combatant(recorded))))
    said = check(tmp_path, "renamed", *list_roll_positions(recorded)).out.splitlines()
    assert len(said) > 10
    wrong = [line for line in said if " WRONG: " in line]
    assert len(wrong) > len(said) * 2 / 3, "a die falls alike by chance now and then"


@pytest.mark.parametrize(("format", "out"), [(5, ""), (4, "format 4: these dice do not cover the opening\n")])
def test_another_opening_under_the_first_scheme_is_not_called_right(tmp_path: Path, format: int, out: str) -> None:
    """A forger stirs in what the true dice are bound to, which gives the same key."""
    wanted, bound = (Dice(count=1, sides=20),), find_promise(seal_events(scheme=2)[0]).bound
    (faces,) = NamedDice(SEED, (), bound).faces("1/bo/attack.1/attack", wanted)
    dice = (Faces(sides=20, faces=faces),)
    roll = Rolled(roll="1/bo/attack.1/attack", by="bo", purpose="attack", dice=dice, total=faces[0])
    recorded, _ = seal_events(EntropyAdded(words=bound), roll)
    event = replace(recorded[0].event, format=format, fight="another")
    save_log_in_folder(tmp_path, "forged", encode_log(rechain_log(replace_event(recorded, 1, event))))
    ran = check(tmp_path, "forged", 3)
    assert ran.err == ("" if out else "format 5 has no dice scheme 1\n")
    assert ran.out.endswith(out)
    assert bool(ran.out) == (ran.code == 0) == bool(out)


def test_a_log_that_does_not_begin_with_an_opening_ends_the_check(tmp_path: Path) -> None:
    save_log_in_folder(
        tmp_path, "none", (line.replace(b'"type":"FightOpened"', b'"type":"Noted"') for line in seal_events()[1])
    )
    assert check(tmp_path, "none", 1) == (1, "", "line 1 opens no fight\n")


def test_words_of_two_people_are_not_taken_for_those_of_one(tmp_path: Path) -> None:
    """Words are joined by line feeds, so words that hold one give the same dice as two people's."""
    save_log_in_folder(tmp_path, "merged", seal_events(EntropyAdded(words="rain\nwind"), scheme=2)[1])
    ran = check(tmp_path, "merged", 3)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == "the words at 2 have a line feed in them; they could be those of two people\n"


@pytest.mark.parametrize("sides", ["0", "-6", "6.0", "4294967297", '"6"'])
def test_a_die_of_an_impossible_size_ends_the_check(tmp_path: Path, sides: str) -> None:
    (faces,) = NamedDice(SEED).faces("1/bo/1/attack", (Dice(count=1, sides=20),))
    rolled = Rolled(roll="1/bo/1/attack", by="bo", purpose="attack", dice=(Faces(sides=20, faces=faces),), total=0)
    _, lines = seal_events(rolled)
    save_log_in_folder(tmp_path, "sized", [line.replace(b'"sides":20', f'"sides":{sides}'.encode()) for line in lines])
    ran = check(tmp_path, "sized", 3)
    assert (ran.code, ran.err) == (1, "3 has a die of an impossible size\n")


@pytest.mark.parametrize("system", PRESENT)
def test_a_changed_face_is_found(tmp_path: Path, system: str) -> None:
    """One of every roll is changed: its first group is wrong, the others stay right."""
    played, lines = make_closed_fight(system)
    recorded = played.history.recorded
    doubted = list_roll_positions(recorded)
    save_log_in_folder(tmp_path, system, (_one_more(line) if n in doubted else line for n, line in enumerate(lines, 1)))
    lines_said = check(tmp_path, system, *doubted).out.splitlines()
    said = [line.split() for line in lines_said if line[0].isdigit() and not re.search(LAY_OR_FORKED, line)]
    first = [nth == 0 or said[nth - 1][0] != line[0] for nth, line in enumerate(said)]
    assert [line[1] == "WRONG:" for line in said] == first
    assert {int(line[0]) for line in said} == {position for position, _ in list_thrown_faces(recorded)}


def _one_more(line: bytes) -> bytes:
    """Change the first face of the first group that fell."""
    content = msgspec.json.decode(line)
    for dice in content["event"]["dice"]:
        if SET_ASIDE not in dice.get("fates", ()):
            dice["faces"][0] = dice["faces"][0] % dice["sides"] + 1
            break
    return msgspec.json.encode(content)


def test_another_seed_and_other_words_are_found(tmp_path: Path) -> None:
    played, lines = make_closed_fight("hexblade")
    position = list_roll_positions(played.history.recorded)[0]
    save_log_in_folder(tmp_path, "seed", (line.replace(SEED.hex().encode(), OTHER.hex().encode()) for line in lines))
    ran = check(tmp_path, "seed", position)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.endswith("fell under another seed or another opening than the promise of line 1 covers\n")
    save_log_in_folder(tmp_path, "words", (line.replace(b"salt and pepper", b"salt and sugar") for line in lines))
    said = check(tmp_path, "words", *list_roll_positions(played.history.recorded)).out.splitlines()
    assert len([line for line in said if " WRONG: " in line]) > len(said) / 2, "a die falls alike now and then"


def test_what_is_not_closed_or_no_roll_is_said(tmp_path: Path) -> None:
    played, lines = make_closed_fight("wwn")
    position = list_roll_positions(played.history.recorded)[0]
    save_log_in_folder(tmp_path, "open", lines[:-1])
    assert "fell under another seed" in check(tmp_path, "open", position).err
    save_log_in_folder(tmp_path, "wwn", lines)
    assert check(tmp_path, "wwn", 1).err == "1 is no roll of the engine's dice\n"


CLOSED = [
    pytest.param(path, id=path.stem)
    for path in sorted(REPLAYS.glob("*/*.jsonl"))
    if b'"type":"Closed","' in path.read_bytes().rpartition(b"\n{")[2]
]


@pytest.mark.parametrize("path", CLOSED)
def test_every_roll_of_a_recorded_closed_fight_is_derived(tmp_path: Path, path: Path) -> None:
    lines = path.read_bytes().splitlines()
    save_log_in_folder(tmp_path, "fight", lines)
    recorded = read_log(lines)
    all_right(check(tmp_path, "fight", *list_roll_positions(recorded)), recorded)


def test_the_example_of_the_page_is_what_comes_out(tmp_path: Path) -> None:
    (example,) = re.findall(r"^```console\n\$ python3 check\.py (.*?)\.jsonl ([\d ]+)\n(.*?)^```", PAGE, re.M | re.S)
    (tmp_path / "replays").symlink_to(REPLAYS)
    assert check(tmp_path, example[0], *map(int, example[1].split())) == (0, example[2], "")
