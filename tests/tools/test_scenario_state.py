"""``affray scenario``: what a scenario may say of the state, after a step and at the end."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.program import affray
from tests.tools.test_scenario_lines import fails

DUEL = """\
title = "Now"

[cast]
system = "vestige"
combatant = [
    { name = "Ilse", side = "red", block = "hero", weapons = ["sword", "bow"] },
    { name = "Bram", side = "blue", block = "minion", weapons = ["axe"], agility = 9 },
    { name = "Cid", side = "blue", block = "minion", weapons = ["axe"] },
]
distance = [{ between = ["ilse", "bram"], metres = 1 }]

[[scenario]]
title = "0"
given = [
    "begin : d20=14 d20=9 d20=2",
    "rule condition bram prone 2 source=mud own=true",
    "rule view bram ilse blocked both=false",
    "rule relate allies ilse;bram",
    "rule relate allies",
    "rule leave cid",
]

[[scenario.step]]
do = "ilse attack bram"
dice = "d20=7"
[scenario.step.state]
"""

BOARD = """\
title = "Now"

[cast]
system = "vestige"
board = { difficult = ["3,1"] }
combatant = [
    { name = "Ilse", side = "red", block = "hero", weapons = ["sword"], at = "0,0" },
    { name = "Wolf", side = "blue", block = "minion", weapons = ["axe"], at = ["1,0", "1,1"], count = 2, group = true },
]

[[scenario]]
title = "0"
given = ["begin : d20=4 d20=9"]

[[scenario.step]]
"""

SO = (
    'turn = "ilse"',
    'turn = ["ilse"]',
    'order = ["ilse", "bram"]',
    "round = 1",
    'phase = "brink"',
    'awaited = "asks bram forfeit: no, yes"',
    'awaited = "asks bram …"',
    'stack = ["ilse attack bram"]',
    "over = false",
    'victors = ""',
    'roster = ["bram", "ilse"]',
    "cid = false",
    "bram = true",
    "clocks.alarm = 0",
    "bram.health = 0",
    'bram.at = "away"',
    'bram.side = "blue"',
    "bram.prone = 2",
    "bram.prone = true",
    "bram.prone = { mud = 2 }",
    "ilse.prone = false",
    "ilse.prone = 0",
    'bram.conditions = ["prone", "brink"]',
    "ilse.conditions = []",
    'ilse.in_hand = ["sword"]',
    "bram.sheet.agility = 9",
    "ilse.traits = []",
    "ilse.allies = []",
    "ilse.distance.bram = 1",
    'bram.view.ilse = "blocked"',
    'ilse.view.bram = "clear"',
    "ilse.marks.acted = 1",
    "ilse.bow.loaded = 1",
    'ilse.bow.where = "away"',
    'ilse.bow.owner = "ilse"',
    "ilse.bow.die = 0",
    "ilse.bow.sheet.range = 20",
    'ilse.bow.traits = ["bow", "ammunition"]',
    "ilse.bow = true",
)

NOT_SO = {
    'turn = "bram"': '+ turn = "ilse"',
    'order = ["bram", "ilse"]': '+ order = ["ilse", "bram"]',
    'awaited = ""': '+ awaited = "asks bram forfeit: no, yes"',
    'roster = ["ilse", "bram", "cid"]': '+ roster = ["bram", "ilse"]',
    "cid = true": "+ cid = false",
    "bram.health = 1": "+ bram.health = 0",
    "bram.health = true": "+ bram.health = 0",
    "bram.prone = 1": "+ bram.prone = 2",
    "bram.prone = { ice = 2 }": "+ bram.prone = { mud = 2 }",
    "ilse.prone = true": "+ ilse.prone = false",
    'bram.conditions = ["prone"]': '+ bram.conditions = ["brink", "prone"]',
    'ilse.in_hand = ["sword", "bow"]': '+ ilse.in_hand = ["sword"]',
    "ilse.bow = false": "+ ilse.bow = true",
    "ilse.bow.loaded = 0": "+ ilse.bow.loaded = 1",
}

UNHEARD_OF = {
    'trun = "ilse"': "there is no trun in this fight; did you mean turn?",
    "brma = { health = 3 }": "there is no brma in this fight; did you mean bram?",
    "dan = false": "nothing has been called dan in this fight so far",
    "bram.helth = 3": "nothing has been called helth in this fight so far; did you mean health?",
    "bram.hitpoints = 3": "; of bram there is at, side, conditions, traits, in_hand, sheet,",
    "ilse.stunned = false": "nothing has been called stunned in this fight so far; of ilse there is at,",
    "ilse.dead = false": "nothing has been called dead in this fight so far; write ilse.conditions = []",
    "bram.dead = false": 'called dead in this fight so far; write bram.conditions = ["prone", "brink"]',
    "ilse.swrod = false": "nothing has been called swrod in this fight so far; did you mean sword?",
    "ilse.bow.laoded = 1": "can be said of it: where, owner, die, base, traits, sheet, loaded; did you mean loaded?",
    "ilse.sheet = 3": "is said as ilse.sheet.… = …",
    "ilse.sheet.agilty = 3": "did you mean agility?",
    "ilse.distance.cid = 3": "nobody has said how far apart ilse and cid are",
    'ilse.view.brm = "clear"': "there is no brm in this fight; did you mean bram?",
    "ilse.melee = []": "melee in this fight so far; of ilse there is at, side, conditions,",
    "ilse.prne = []": "nothing has been called prne in this fight so far; of ilse there is",
    "ilse.alies = []": "nothing has been called alies in this fight so far; did you mean allies?",
    "ilse.alies = false": "nothing has been called alies in this fight so far; of ilse there is",
}


def test_everything_that_is_so_holds_after_a_step_and_at_the_end(tmp_path: Path) -> None:
    """Each line alone, and most of them together."""
    together = [
        line for line in SO if not line.startswith(("bram.prone =", "turn =", "awaited =", "ilse.prone", "bram ="))
    ]
    together.remove("ilse.bow = true")
    alone = "".join(f"[[scenario.step]]\nstate = {{ {line} }}\n" for line in SO)
    end = "[scenario.state]\n" + "\n".join(together) + "\n"
    (tmp_path / "now.toml").write_text(DUEL + "\n".join(together) + "\n" + alone + end, "utf-8")
    ran = affray(tmp_path, "scenario", "now.toml", "--keep-going")
    assert ran.out == "holds  Now: 0\n1 of 1 scenarios hold\n"


def test_what_is_not_so_is_shown_beside_what_is_and_what_there_is_not_is_never_right(tmp_path: Path) -> None:
    """Not even if a scenario says that it is not there, for it may be misspelt."""
    said = {**NOT_SO, **UNHEARD_OF}
    steps = "".join(f"[[scenario.step]]\nstate = {{ {line} }}\n" for line in said)
    (tmp_path / "now.toml").write_text(DUEL + "round = 1\n" + steps, "utf-8")
    ran = affray(tmp_path, "scenario", "now.toml", "--keep-going")
    assert ran.code == 1
    told = [line.strip() for line in ran.out.splitlines()]
    for line, answer in said.items():
        at = told.index(f"- {line}")
        assert answer in told[at + 1]
    assert sum(line == "came out otherwise" for line in told) == len(said)


@pytest.mark.parametrize(
    ("end", "said"),
    [("bram.health = 3", "+ bram.health = 0"), ("round = 2", "+ round = 1")],
)
def test_the_end_is_looked_at_when_everything_is_done(tmp_path: Path, end: str, said: str) -> None:
    (tmp_path / "now.toml").write_text(f"{DUEL}round = 1\n[scenario.state]\n{end}\n", "utf-8")
    told = fails(affray(tmp_path, "scenario", "now.toml"), 0) or affray(tmp_path, "scenario", "now.toml").out
    assert "ended otherwise" in told
    assert said in told


def test_places_groups_and_dice_that_are_awaited(tmp_path: Path) -> None:
    state = (
        'turn = "wolfs"',
        'turn = ["wolf-b", "wolf-a"]',
        'order = ["wolfs", "ilse"]',
        'wolf-a.at = "1,0"',
        'wolf-a.group = ["wolf-b"]',
        "ilse.group = []",
        'places."3,1" = ["difficult"]',
        'places."3,2" = []',
        'awaited = ""',
    )
    steps = "[[scenario.step]]\n".join(f"state = {{ {line} }}\n" for line in state)
    entered = (
        '[[scenario.step]]\ndo = "rule dice * entered"\n'
        '[[scenario.step]]\ndo = "wolf-a attack ilse"\nstate = { awaited = "awaits wolf-a attack 1d20" }\n'
    )
    (tmp_path / "now.toml").write_text(BOARD + steps + entered, "utf-8")
    ran = affray(tmp_path, "scenario", "now.toml", "--keep-going")
    assert ran.out == "holds  Now: 0\n1 of 1 scenarios hold\n"


def test_a_window_is_awaited_in_the_words_of_its_line(tmp_path: Path) -> None:
    file = Path(__file__).parents[1] / "rulesets" / "vestige" / "scenarios"
    text = (
        f'title = "Now"\ncast = "{file / "cast.toml"}"\n[[scenario]]\ntitle = "0"\nroster = ["ilse", "captain"]\n'
        'given = ["begin : d20=14 d20=9", "ilse ready"]\n'
        '[[scenario.step]]\nstate = { turn = "", awaited = "window announce ilse" }\n'
        '[[scenario.step]]\ndo = "pass"\n'
        '[[scenario.step]]\ndo = "captain attack ilse"\n'
        'has = ["window announce ilse on captain attack ilse"]\n'
        'state = { awaited = "window announce ilse on captain attack ilse", stack = ["captain attack ilse"] }\n'
    )
    (tmp_path / "now.toml").write_text(text, "utf-8")
    assert affray(tmp_path, "scenario", "now.toml").out == "holds  Now: 0\n1 of 1 scenarios hold\n"
