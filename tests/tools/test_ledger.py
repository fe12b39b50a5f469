"""The ledger of chances in words: ``affray log --chances``."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.program import affray

REPLAYS = Path(__file__).parents[2] / "replays"
NESTED = str(REPLAYS / "vestige" / "nested-interrupts.jsonl")
SHOCK = str(REPLAYS / "wwn" / "version-1-surprise-and-shock.jsonl")

CAPTAIN = """\
Round 1
   172  Captain could announce – between turns, after Captain
          Captain let it pass (173, sent by marta)
   187  Captain could announce – Ilse means to move to W2,1
          Captain took it: uses Lunge on Ilse (188, sent by marta)

         offered  took  passed  standing  too late  shut  open
Captain        2     1       1         0         0     0     0
Passed: let it go by. Standing: a standing pass answered. Too late: somebody else
answered first. Shut: by the game master. Open: nobody has answered yet.
"""

INTERRUPTS = """\
    81  Ilse, Tomas and Bandit A could announce – Captain means to attack Ilse
          Ilse took it: attacks Captain (82, sent by marta)
          Tomas and Bandit A: closed when Ilse answered (82)
    87  Tomas and Bandit A could announce – Ilse means to attack Captain
          Bandit A took it: attacks Ilse (88, sent by marta)
          Tomas: closed when Bandit A answered (88)
"""

SNAP = """\
   293  Tam and Wenna could snap – Knife C means to attack Wenna
          A standing pass answered for Tam (since 99), sent by Greta
          Wenna took it: attacks Knife C (295, sent by Greta)
"""

HINDERED = """\
   undone: 376  Tam, Vesna and Knife B could snap – Hild means to attack Knife B
          undone: Standing passes answered for Tam (since 99) and Vesna (since 102), sent by Greta
          undone: Knife B: taken back before an answer
"""


def test_you_never_asked_me(tmp_path: Path) -> None:
    """All offers to Captain, with their outcomes."""
    told = affray(tmp_path, "log", NESTED, "--chances", "--who", "captain")
    assert (told.code, told.out, told.err) == (0, CAPTAIN, "")


def test_everybody_s_chances_are_told_together(tmp_path: Path) -> None:
    told = affray(tmp_path, "log", NESTED, "--chances").out
    assert INTERRUPTS in told
    assert (
        "   203  Bandit A was asked, provoked: strike or decline – Ilse means to move to W2,1\n"
        "          Bandit A answered: strike (for 0 energy) (204, sent by marta)\n"
    ) in told
    assert "Bandit A       17     4      12         0         1     0     0\n" in told


def test_standing_passes_and_what_was_taken_back_are_told_in_another_system(tmp_path: Path) -> None:
    told = affray(tmp_path, "log", SHOCK, "--chances").out
    assert SNAP in told
    assert "undone" not in told
    undone = affray(tmp_path, "log", SHOCK, "--chances", "--undone").out
    assert HINDERED in undone
    assert undone.splitlines()[-8:] == told.splitlines()[-8:]


def test_who_was_never_asked_is_told_so(log: Path) -> None:
    told = affray(log.parent, "log", log.name, "--chances", "--who", "Ilse")
    assert (told.code, told.out) == (0, "Ilse was asked 0 times: the log has no window and no question for Ilse.\n")
    assert affray(log.parent, "log", log.name, "--chances").out == "There were no offers and no questions.\n"
    assert affray(log.parent, "log", log.name, "--chances", "--who", "Ilse", "--json").json == {
        "fight": log.name,
        "head": 24,
        "who": "ilse",
        "chances": [],
        "tallies": {},
    }


def test_a_machine_reads_the_same(tmp_path: Path) -> None:
    told = affray(tmp_path, "log", NESTED, "--chances", "--who", "captain", "--json").json
    assert told["tallies"] == {
        "captain": {"took": 1, "declined": 1, "standing": 0, "forestalled": 0, "shut": 0, "open": 0}
    }
    assert [chance["position"] for chance in told["chances"]] == [172, 187]
    assert told["chances"][1]["replies"] == [
        {
            "who": "captain",
            "fate": "took",
            "position": 188,
            "sender": "marta",
            "by": "",
            "standing": 0,
            "undone": False,
        }
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--chances", "--who", "Brom"), "nobody called Brom was ever in this fight; there were gm, ilse, bram"),
        (("--who", "ilse"), "--who: goes with --chances only"),
        (("--chances", "--verbose"), "--verbose: goes without --chances"),
    ],
)
def test_ledger_names_unusable_input(log: Path, words: tuple[str, ...], said: str) -> None:
    told = affray(log.parent, "log", log.name, *words)
    assert (told.code, told.out) == (2, "")
    assert said in told.err
