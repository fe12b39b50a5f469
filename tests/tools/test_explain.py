"""``affray explain`` as the installed program prints it: for people, for machines, and as a page."""

from __future__ import annotations

from pathlib import Path
from shutil import copy

import pytest

from affray.engine import Command, FileStore, load, open_fight
from affray.engine.commands import Amend
from tests.engine.shoving import shoving
from tests.tools.program import affray

REPLAYS = Path(__file__).parents[2] / "replays"

UNDONE_SHOT = """\
“Barrel Alley, past midnight”: why event 231 is what it is

   231 Vesna rolls for attack: 17 +2 accuracy = 19 against 14 (VES-012, VES-017, VES-023, VES-024)
       sent by “marta” (by their own word), 2026-11-20T19:04:57.000Z, command undo-and-redo-27
       it does not count any more: 242 One command taken back and fresh dice asked for, to position 226 \
– “a die fell off the table; we roll it again”

How it came about
   213 Nell uses Lunge on Cutter A
   220 Vesna answers and uses Snapshot on Nell
   222 Vesna is no longer readied (VES-043)
   223 Vesna's energy 3 → 2 (VES-016, VES-043)
   226 Cutter A may announce now (VES-042)
   227 Cutter A lets it pass

The roll
  whose      Vesna, for attack
  part of    220 Vesna answers and uses Snapshot on Nell
  dice       attack d20: 17 – the engine's die 1/vesna/4/attack/attack/d20#0, word 1
  added      +2 accuracy (VES-024) ← 18 Vesna's sheet
  total      19, against 14
  judged     233 That is a hit by 5 (VES-026)

The damage
   234 Nell takes 6: 5 might +1 pistol (VES-027, VES-028)
             +5 might (VES-027) ← 18 Vesna's sheet
             +1 pistol (VES-027) ← 19 Vesna has pistol (in hand)

What followed
   232 Vesna's pistol is no longer loaded (VES-029, VES-038)
   233 That is a hit by 5 (VES-026)
   234 Nell takes 6: 5 might +1 pistol (VES-027, VES-028)
   236 Nell rolls at the brink: 17 against 10 (VES-058)
   237 That is holds on (VES-058)
"""

ENTERED_SHOT = """\
“The sunken road”: why event 99 is what it is

    99 Mab rolls for attack: 15 (entered) +2 attack +1 dex +1 shoot = 19 against 12 (WWN-008)
       sent by “Greta” (by their own word), 2026-11-20T17:47:20.945Z, command da4d50f70d9db96b

How it came about
    84 Mab attacks Archer A
    86 Archer A has AC 12 (WWN-035)
    89 Jessamy, Archer A, Archer B or Archer C may snap now (WWN-021)
    93 Archer A lets it pass
    97 Mab's dice are awaited, 1d20 for attack (WWN-008)
    98 Dice entered: 15

The roll
  whose      Mab, for attack
  part of    84 Mab attacks Archer A
  dice       attack d20: 15 – entered by “Greta” at 98
  added      +2 attack (WWN-009) ← 9 Mab's sheet
             +1 dex (WWN-010) ← 9 Mab's sheet
             +1 shoot (WWN-011) ← 9 Mab's sheet
  total      19, against 12
  judged     101 That is a hit by 7 (WWN-008)

The damage
   105 Archer A takes 6: 6 large bow (WWN-025)
             +6 large bow (WWN-025) ← 104 Mab rolls for damage: 4 (entered) +1 dex +1 Deadeye = 6

What followed
   100 Mab's large bow is no longer loaded (WWN-008)
   101 That is a hit by 7 (WWN-008)
   102 Mab's dice are awaited, 1d8 for damage (WWN-025)
   103 Dice entered: 4
   104 Mab rolls for damage: 4 (entered) +1 dex +1 Deadeye = 6 (WWN-025)
   105 Archer A takes 6: 6 large bow (WWN-025)
   106 Archer A's HP 5 → 0 (WWN-025)
   108 Archer A is dead (WWN-025)
"""

NOT_LOADED = """\
Vesna to attack Nell, after position 153: no

  because    the pistol must be reloaded first (not_loaded, VES-029)
  flow       in the phase turn, declare leads to window (VES-009)
  refused    by the action's own conditions
  made so by 150 Vesna's pistol is no longer loaded (VES-029, VES-038)

  VES-029  """


def copy_replay(folder: Path, name: str) -> str:
    """Put a recorded fight into a folder and return its FIGHT."""
    path = REPLAYS / f"{name}.jsonl"
    copy(path, folder)
    return path.name


@pytest.mark.parametrize(
    ("name", "position", "text"),
    [("vestige/undo-and-redo", "231", UNDONE_SHOT), ("wwn/version-1-the-sunken-road", "99", ENTERED_SHOT)],
)
def test_a_roll_is_told_from_its_declaration_to_the_hit_points(
    tmp_path: Path, name: str, position: str, text: str
) -> None:
    """The game master's text, and below it every cited clause, once, with its text."""
    ran = affray(tmp_path, "explain", copy_replay(tmp_path, name), position)
    told, rules = ran.out.split("\nThe rules\n")
    assert (ran.code, ran.err, told) == (0, "", text)
    cited = {word.strip("(),") for word in text.split() if word.strip("(),")[3:4] == "-"}
    clauses = load(name.partition("/")[0]).clauses
    headings = [line.split() for line in rules.splitlines() if not line.startswith("    ")]
    assert [line[0] for line in headings] == [clause for clause in clauses if clause in cited]
    assert all(" ".join(line[1:]) == clauses[line[0]].title for line in headings)


def test_a_pushed_roll_shows_what_lay_there(tmp_path: Path) -> None:
    out = affray(tmp_path, "explain", copy_replay(tmp_path, "verdigris/the-gatehouse"), "365").out
    assert "  dice       attribute d6: 1 set aside – lay there from the roll at 361\n" in out
    assert "             attribute d6: 2, 1 – the engine's dice 1/oda/4/attack/push/attribute/d6#0, words 1–2\n" in out
    assert "  total      0; the dice are read as the number of sixes\n" in out


def test_a_ruling_is_what_granted_its_modifier(tmp_path: Path) -> None:
    out = affray(tmp_path, "explain", copy_replay(tmp_path, "verdigris/the-gatehouse"), "308").out
    ruled = "302 The game master rules: add −1 (“rain”) to Wren's next roll – “it has begun to rain”"
    assert f"−1 “rain” (VER-022) ← {ruled}\n" in out


def test_what_came_to_nothing_says_who_was_quicker(tmp_path: Path) -> None:
    """The chain contains the interrupt and its effect on the interrupted combatant."""
    out = affray(tmp_path, "explain", copy_replay(tmp_path, "wwn/version-1-the-sunken-road"), "1209").out
    assert "  1209 Archer B's plan to attack Osric with dagger comes to nothing (not active) (WWN-021)\n" in out
    assert "  1191 Osric acts in a snap and attacks Archer B with mace\n" in out
    assert "  1204 Archer B is dead (WWN-025)\n" in out


def test_a_number_that_only_the_rules_grant_says_so(tmp_path: Path) -> None:
    out = affray(tmp_path, "explain", copy_replay(tmp_path, "wwn/surprise-and-shock"), "317").out
    assert "−2 stab (WWN-012) ← the rules themselves\n" in out


def test_the_opening_does_not_fill_the_screen(tmp_path: Path) -> None:
    """Of a long list the text has the beginning; JSON has everything."""
    fight = copy_replay(tmp_path, "vestige/undo-and-redo")
    out = affray(tmp_path, "explain", fight, "1").out
    assert "       … and 23 more, up to position 49\n" in out
    assert len(affray(tmp_path, "explain", fight, "1", "--json").json["consequences"]) > 40


def test_what_an_amendment_decided_again_says_so(tmp_path: Path) -> None:
    """Both lanes can be explained: what was left, and what came in its place."""
    fight = copy_replay(tmp_path, "vestige/first-blow")
    opened = open_fight("first-blow", FileStore(tmp_path))
    opened.submit(Command(id="amend", who="marta", intent=Amend(position=1779, reason="he was blind")))
    amended = opened.history.commands["amend"]
    left = affray(tmp_path, "explain", fight, "1788").out
    assert f"       it does not count any more: {amended} Position 1779 is retracted" in left
    assert "  1779 Odo uses Snapshot on Vesna\n" in left
    again = affray(tmp_path, "explain", fight, str(opened.head)).out
    assert f"       decided again because of {amended} Position 1779 is retracted" in again


def test_machines_read_the_same(tmp_path: Path) -> None:
    fight = copy_replay(tmp_path, "vestige/undo-and-redo")
    found = affray(tmp_path, "explain", fight, "231", "--json").json
    assert (found["fight"], found["position"], found["event"]["type"]) == (fight, 231, "Rolled")
    assert found["command"] == {
        "id": "undo-and-redo-27",
        "who": "marta",
        "time": "2026-11-20T19:04:57.000Z",
        "position": 227,
    }
    assert found["undone_by"] == 242
    assert found["chain"][0] == {"position": 213, "text": "Nell uses Lunge on Cutter A", "rules": []}
    assert found["chain"][-1]["position"] == 231
    assert [one["position"] for one in found["consequences"]][:3] == [232, 233, 234]
    receipt = found["receipt"]
    assert receipt["dice"][0]["dice"] == [
        {"face": 17, "fate": "kept", "origin": "engine", "name": "1/vesna/4/attack/attack/d20#0", "word": 1}
    ]
    assert receipt["modifiers"][0]["granted"] == [18]
    assert receipt["damage"][0]["amount"] == 6
    assert [one["position"] for one in found["granted"]] == [18, 19]
    assert found["clauses"]["VES-026"]["title"] == load("vestige").clauses["VES-026"].title
    assert set(found["clauses"]["VES-026"]) == {"title", "says"}


def test_what_is_no_roll_has_no_receipt(tmp_path: Path) -> None:
    found = affray(tmp_path, "explain", copy_replay(tmp_path, "vestige/undo-and-redo"), "110", "--json").json
    assert (found["receipt"], found["harm"], found["undone_by"]) == (None, None, None)


def test_why_not_names_the_clause_and_what_made_it_so(tmp_path: Path) -> None:
    fight = copy_replay(tmp_path, "vestige/undo-and-redo")
    before = (tmp_path / fight).read_bytes()
    ran = affray(tmp_path, "explain", fight, "--why-not", "vesna attack nell", "--at", "150")
    assert (ran.code, ran.err) == (1, "")
    assert ran.out.startswith(NOT_LOADED)
    allowed = affray(tmp_path, "explain", fight, "--why-not", "vesna end_turn", "--at", "150")
    assert (allowed.code, allowed.out.splitlines()[0]) == (
        0,
        "Vesna to end the turn, after position 153: yes, that would be accepted",
    )
    assert (tmp_path / fight).read_bytes() == before


def test_why_not_takes_an_answer_as_well(tmp_path: Path) -> None:
    """It begins with ``answer``, to which the flow does not apply."""
    shoving(FileStore(tmp_path))
    ran = affray(tmp_path, "explain", "shoving.jsonl", "--why-not", "answer refuse")
    assert (ran.code, ran.err, len(ran.out.splitlines())) == (0, "", 1)
    assert ran.out.endswith("yes, that would be accepted\n")
    found = affray(tmp_path, "explain", "shoving.jsonl", "--why-not", "answer effect", "--json").json
    assert (found["allowed"], found["intent"]["type"], found["row"]) == (True, "Answered", None)


def test_why_not_for_machines(tmp_path: Path) -> None:
    fight = copy_replay(tmp_path, "vestige/undo-and-redo")
    ran = affray(tmp_path, "explain", fight, "--why-not", "nell attack vesna", "--at", "150", "--json")
    found = ran.json
    assert (ran.code, found["allowed"], found["at"], found["phase"]) == (1, False, 153, "turn")
    assert found["row"] == {"in": "turn", "on": "declare", "to": "window", "rule": "VES-009"}
    refused = found["refused"]
    assert (refused["code"], refused["rule"], refused["by"]) == ("not_your_turn", "VES-008", "guard")
    assert (refused["guard"], refused["made_so"][0]["text"]) == ("must_have_turn", "Vesna's turn")
    assert set(found["clauses"]) == {"VES-008", "VES-009"}
    ran = affray(tmp_path, "explain", fight, "--why-not", "vesna end_turn", "--at", "150", "--json")
    assert (ran.code, ran.json["allowed"], ran.json["refused"]) == (0, True, None)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["0"], "there is no event 0; this fight has 1 to 1830"),
        (["-3"], "there is no event -3"),
        (["9999"], "there is no event 9999"),
        (["twelve"], "twelve is no position; it is a whole number, such as 12"),
        ([], "say N, the position of an event, or --why-not TEXT"),
        (["12", "--why-not", "nell attack vesna"], "say N, the position of an event, or --why-not TEXT"),
        (["12", "--at", "3"], "--at goes with --why-not"),
        (["--why-not", "nell attack vesna", "--html", "x.html"], "--html goes with N"),
        (["--why-not", "nell attack vesna", "--at", "0"], "must be from 1 to 1830"),
        (["--why-not", "nobody attack vesna"], "there is no nobody in this fight"),
        (["--why-not", 'nell attack "vesna'], "a quote is not closed"),
        (["--why-not", "answer yes"], "nobody is asked anything now"),
    ],
)
def test_what_cannot_be_understood_says_so_in_a_line(tmp_path: Path, words: list[str], says: str) -> None:
    ran = affray(tmp_path, "explain", copy_replay(tmp_path, "vestige/undo-and-redo"), *words)
    assert (ran.code, ran.out) == (2, "")
    assert says in ran.err
    assert "Traceback" not in ran.err


def test_a_machine_gets_no_page(tmp_path: Path) -> None:
    ran = affray(
        tmp_path, "explain", copy_replay(tmp_path, "vestige/undo-and-redo"), "12", "--json", "--html", "x.html"
    )
    assert (ran.code, ran.json["error"]["message"]) == (2, "say either --json or --html")
    assert not (tmp_path / "x.html").exists()
