"""Was it the dice or the decisions, as the installed program tells it."""

from __future__ import annotations

import re
import shutil
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from affray.engine.analysis.luck import By, Move
from affray.engine.opening import look_at_fight
from affray.engine.stores import FileStore
from affray.events import Declared
from affray.tools.lab.luck.luck_text import turning_said
from affray.tools.present.charts.luck import draw_luck
from affray.tools.present.luck import Luck, Swing, Turning, sums_said
from affray.tools.present.story.words import names_of
from tests.engine.fights import submit_accepted
from tests.engine.odds.moments import fight_to_the_end, last_blows
from tests.rulesets.statistics import make_declaration
from tests.tools.program import affray

FIGHT = Path(__file__).parents[2] / "replays" / "wwn" / "surprise-and-shock.jsonl"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def blows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Record a short fight that dice and a foolish decision turn; its key lies beside it."""
    folder = tmp_path_factory.mktemp("blows")
    fight = last_blows(FileStore(folder), bytes([14]) * 32)
    submit_accepted(fight, make_declaration(fight.state.acting[0], "end_turn"))
    fight_to_the_end(fight)
    return folder / "blows.jsonl"


def test_the_curve_is_told_with_what_moved_it(blows: Path) -> None:
    """The first chance, dice, decisions and rulings sum to the end, as displayed."""
    told = affray(blows.parent, "luck", blows.name, "--trials", "40", "--turning", "3", "--side", "blue")
    assert (told.code, told.err) == (0, "")
    first, _, line, *rest = told.out.splitlines()
    assert re.fullmatch(r"\d+ moments, 40 fights from each; the chance of the blue to win", first)
    assert re.fullmatch(r"  [▁▂▃▄▅▆▇█]+  \d+ % → 100 %", line)
    sums = {
        name.strip(): float(value) for name, value in re.findall(r"^  (\D+?) +([+-]\d+\.\d)$", "\n".join(rest), re.M)
    }
    end = sums.pop("the end")
    assert end == 100.0
    assert round(sum(sums.values()), 1) == end
    assert {"at the beginning", "dice", "decisions"} <= set(sums)
    turned = rest[rest.index("Turning points") + 1 :]
    dice = r".+'s? [\d+]+ at \d+ (was worth|cost) \d+ points, \d+ % → \d+ %"
    decision = r"(Worth|Cost) \d+ points, \d+ % → \d+ %, at \d+: .+"
    assert all(re.fullmatch(f"  ({dice}|{decision})", one) for one in turned[:3])
    assert len({one.split()[0] in ("Worth", "Cost") for one in turned[:3]}) == 2


def test_that_numbers_are_rounded_is_said(blows: Path) -> None:
    """Each of 11 fights is worth 9.0909 points."""
    rounded = "(rounded; the counts of fights in --json sum exactly)"
    assert rounded in affray(blows.parent, "luck", blows.name, "--trials", "11").out
    assert rounded not in affray(blows.parent, "luck", blows.name, "--trials", "10").out


def test_machines_get_counts_that_sum_exactly_whether_the_seed_is_there_or_not(tmp_path: Path, blows: Path) -> None:
    shutil.copy(blows, tmp_path)
    asked = ("luck", blows.name, "--trials", "10", "--side", "red", "--json")
    found = affray(tmp_path, *asked).json
    shutil.copy(blows.with_suffix(".key"), tmp_path)
    assert affray(tmp_path, *asked).json == found
    assert (tmp_path / blows.name).read_bytes() == blows.read_bytes()
    parts = [found[part] for part in ("opening", "luck", "decisions", "rulings", "unclear")]
    assert sum(parts) == found["result"] == 0
    assert found["moves"][-1]["after"] == 0
    for before, after in zip(found["moves"], found["moves"][1:], strict=False):
        assert before["after"] == after["before"]


def test_the_picture_marks_the_turning_points(tmp_path: Path, blows: Path) -> None:
    shutil.copy(blows, tmp_path)
    assert affray(tmp_path, "luck", blows.name, "--trials", "40", "--turning", "2", "--svg", "curve.svg").code == 0
    root = ElementTree.parse(tmp_path / "curve.svg").getroot()
    assert root.find(f"{SVG}title") is not None
    marks = root.findall(f"{SVG}g")
    assert len(marks) == 2
    assert root.find(f"{SVG}polyline") is not None


UNDER_WAY = Luck(
    side="heroes", trials=200, ended=False, opening=87, luck=-15, decisions=3, rulings=0, unclear=0, result=75,
    moves=(Swing(position=60, by="luck", who="ilse", before=87, after=72, noise=False),
           Swing(position=80, by="decision", who="ilse", before=72, after=75, noise=True)),
    turning=(Turning(position=60, says="Ilse's 2 at 60 cost 8 points"),),
)  # fmt: skip


def test_of_a_fight_under_way_it_is_said_that_it_goes_on() -> None:
    """And what is told sums as it is told."""
    assert sums_said(UNDER_WAY) == "43.5 % at the beginning; dice -7.5, decisions +1.5; 37.5 % by now"
    assert "moments of the fight, which goes on, 200 fights from each" in draw_luck(UNDER_WAY)
    over = replace(UNDER_WAY, trials=100, ended=True, luck=10, result=100)
    assert sums_said(over) == "87 % at the beginning; dice +10, decisions +3; 100 % in the end"
    assert "goes on" not in draw_luck(over)


def test_a_command_that_older_rules_decided_is_told_with_what_it_led_to() -> None:
    """For no one can say what of it was the decision, and what the dice."""
    fight, _ = look_at_fight(FIGHT.stem, FileStore(FIGHT.parent))
    at = next(one.position for one in fight.history.effective() if isinstance(one.event, Declared))
    said = {}
    kinds: tuple[By, ...] = ("decision", "unclear")
    for by in kinds:
        move = Move(position=at, by=by, who="", before=3, after=8, trials=10, noise=False)
        said[by] = turning_said(fight, move, names_of(fight.history.recorded))
    assert (
        said["decision"]
        == f"Worth 50 points, 30 % → 80 %, at {at}: The game master begins the fight, the smugglers being surprised"
    )
    assert said["unclear"] == f"{said['decision']}, and what that led to"


def test_a_side_that_there_is_not_is_said(tmp_path: Path) -> None:
    shutil.copy(FIGHT, tmp_path)
    told = affray(tmp_path, "luck", FIGHT.name, "--side", "heros")
    assert told.code == 2
    assert "heroes" in told.err


@pytest.mark.parametrize(
    ("asked", "wrong"),
    [
        (("luck", FIGHT.name, "--svg", "nowhere/curve.svg"), "there is no folder nowhere"),
        (("export", FIGHT.name, "-o", "nowhere/report.md", "--luck", "100000"), "there is no folder nowhere"),
        (("export", FIGHT.name, "--format", "rolls", "--luck", "10"), "--luck: rolls are a table"),
        (("bench", "odds", "--svg", "nowhere/odds.svg"), "there is no folder nowhere"),
        (("bench", "odds", "wyrd", "--jobs", "0"), "at least one process must fight"),
        (("bench", "foresee", FIGHT.name, "--jobs", "0"), "at least one process must fight"),
    ],
)
def test_what_could_never_be_done_is_said_before_anything_is_fought(
    tmp_path: Path, asked: tuple[str, ...], wrong: str
) -> None:
    """With so many trials these would take hours."""
    shutil.copy(FIGHT, tmp_path)
    told = affray(tmp_path, *asked)
    assert (told.code, wrong in told.err) == (2, True)


@pytest.mark.parametrize("report", ["report.md", "report.html"])
def test_a_battle_report_tells_it_if_it_is_asked_to(tmp_path: Path, blows: Path, report: str) -> None:
    shutil.copy(blows, tmp_path)
    assert affray(tmp_path, "export", blows.name, "-o", report, "--luck", "40").code == 0
    luck = affray(tmp_path, "luck", blows.name, "--trials", "40", "--turning", "7", "--json").json
    told = unescape(tmp_path.joinpath(report).read_text("utf-8"))
    opening, dice = (luck[part] * 2.5 for part in ("opening", "luck"))
    assert f"{opening:.1f} % at the beginning; dice {dice:+.1f}" in told.replace("\\", "")
    assert 1 < len(luck["turning"]) <= 7
    assert all(one["says"][:30] in told.replace("\\", "") for one in luck["turning"])
    assert ('src="data:image/svg+xml;base64,' in told) == (report == "report.html")
