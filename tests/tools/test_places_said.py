"""Cells are told to people without a minus, everywhere, and understood when they are typed so."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from affray.engine import Command, FileStore, Refused, Unusable, begin_fight
from affray.engine.fight import Fight
from affray.tools.cli.play.completion_grammar import completions
from affray.tools.parse.intent_parser import intent
from affray.tools.present.story.narration import sentence
from affray.tools.present.story.words import names_of
from tests.tools.program import affray, rebuild_from_log
from tests.tools.told import tell_whole_story

REPLAYS = Path(__file__).parents[2] / "replays"
BELOW = re.compile(r"[-−]\d+,[-−]?\d|\d,[-−]\d")
"""What a cell looks like that is said with a minus."""

YARD = """
system = "vestige"

[board]
blocked = ["-1,-1"]
difficult = ["W4,N3"]

[[combatant]]
name = "Ilse"
side = "watch"
block = "hero"
at = "W2,N1"

[[combatant]]
name = "Bram"
side = "thieves"
block = "minion"
at = "-5,-1"
"""


def the_yard(folder: Path) -> Fight:
    """Store a fight on Ilse's turn, with all cells above row 0 and left of column 0."""
    content = msgspec.toml.decode(YARD)
    fight = begin_fight("yard", content, who="gm", seed=None, store=FileStore(folder))
    for line in ("gm begin", "roll 15", "roll 3"):
        type_line(fight, line)
    return fight


def type_line(fight: Fight, line: str) -> None:
    """Do what is typed."""
    fight.submit(Command(id=f"c{fight.head}", who="gm", intent=intent(fight, line)))


@pytest.mark.parametrize("log", sorted(REPLAYS.glob("*/*.jsonl")), ids=lambda log: f"{log.parent.name}/{log.stem}")
def test_no_recorded_fight_is_told_with_a_cell_below_zero(log: Path) -> None:
    assert [one for one in tell_whole_story(rebuild_from_log(log)) if BELOW.search(one)] == []


def test_an_encounter_may_say_cells_either_way_and_the_log_keeps_their_ids(tmp_path: Path) -> None:
    fight = the_yard(tmp_path)
    assert {one.name: one.place for one in fight.state.combatants.values()} == {"Ilse": "-2,-1", "Bram": "-5,-1"}
    assert set(fight.state.places) == {"-1,-1", "-4,-3"}


@pytest.mark.parametrize("line", ["ilse move W3,N2", "ilse move -3,-2", "ilse move path=w3,n2", "ilse move to=-3,-2"])
def test_a_cell_may_be_typed_by_its_id_or_as_it_is_said(tmp_path: Path, line: str) -> None:
    fight = the_yard(tmp_path)
    type_line(fight, line)
    assert fight.state.combatants["ilse"].place == "-3,-2"


def test_rulings_and_refusals_speak_of_cells_in_the_same_way(tmp_path: Path) -> None:
    fight = the_yard(tmp_path)
    type_line(fight, "rule place bram W3,N1")
    assert fight.state.combatants["bram"].place == "-3,-1"
    assert sentence(fight.history.recorded[-1].event, names_of(fight.history.recorded)).endswith("W5,N1 to W3,N1")
    with pytest.raises(Refused, match=r"^W1,N1 cannot be entered"):
        type_line(fight, "ilse move W1,N1")
    with pytest.raises(Refused, match=r"^Bram stands at W3,N1"):
        type_line(fight, "ilse move -3,-1")
    with pytest.raises(Unusable, match=r"a cell is written x,y, such as 3,1"):
        type_line(fight, "ilse move N3,W2")


def test_what_may_be_typed_is_offered_as_it_is_said(tmp_path: Path) -> None:
    """With Tab, in the list of what may be done, and in the words of each declaration."""
    fight = the_yard(tmp_path)
    offered = completions(fight, "ilse move W")
    assert {"W2,N2", "W3,N2", "W1,0"} <= set(offered)
    assert not any("-" in one for one in completions(fight, "ilse move "))
    assert completions(fight, "rule place bram W") == ["W1,N1", "W4,N3"]
    for word in offered:
        intent(fight, f"ilse move {word}")
    told = [affray(tmp_path, "legal", "yard.jsonl", *rest) for rest in ([], ["--all"], ["ilse", "move"])]
    assert all(ran.code == 0 and not BELOW.search(ran.out) for ran in told)
    assert "not W5,N1: Bram stands at W5,N1 (VES-031)" in told[-1].out


def test_the_board_names_its_columns_and_rows_without_a_minus(tmp_path: Path) -> None:
    the_yard(tmp_path)
    drawn = affray(tmp_path, "show", "yard.jsonl").out
    assert "   W6 W5 W4 W3 W2 W1  0\n" in drawn
    assert "N1  ·  B  ·  ·  I  #  ·\n" in drawn
