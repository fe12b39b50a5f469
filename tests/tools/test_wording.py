"""One notation: names, yes and no, and lists mean the same in commands, answers, encounters and systems."""

from __future__ import annotations

from pathlib import Path

import pytest

from affray.events import Field
from affray.tools.parse.values import parse_value
from tests.tools.program import affray

CASTS = Path(__file__).parents[1] / "rulesets"

VIEW = """\
title = "Views"

[cast]
system = "{system}"
{more}
[[cast.combatant]]
name = "Ada"
side = "party"
pc = true

[[cast.combatant]]
name = "Bo"
side = "enemies"
"""

MORE = {
    "vestige": "",
    "wyrd": "",
    "wwn": "apart = 30",
    "verdigris": 'zone = [{ name = "hall" }]',
}

ENTRY = {
    "vestige": 'block = "hero"',
    "wyrd": "power = 6\ngrace = 6",
    "wwn": 'block = "raider"',
    "verdigris": 'strength = 2\nagility = 2\ndodge = 2\nwithstand = 2\npanic = 2\nhp = 4\nat = "hall"',
}

WAYS = (
    ("view", '{ between = ["ada", "bo"], view = "blocked" }', "blocked", "blocked"),
    ("sight", '{ between = ["ada", "bo"], view = "blocked" }', "blocked", "blocked"),
    ("view", '{ between = ["ada", "bo"], view = "blocked", both = false }', "blocked", "clear"),
    ("view", '{ viewer = "bo", target = "ada", view = "blocked" }', "clear", "blocked"),
)


def run_scenarios(folder: Path, text: str) -> None:
    """Run scenarios, which must all hold."""
    (folder / "all.toml").write_text(text, "utf-8")
    ran = affray(folder, "scenario", "all.toml", "--throw")
    assert (ran.code, ran.err) == (0, ""), ran.out


@pytest.mark.parametrize("system", MORE)
def test_who_sees_whom_is_said_in_the_same_way_in_every_encounter(tmp_path: Path, system: str) -> None:
    """In both directions or one; with the ruling's name for it, or an older one of some systems."""
    head = VIEW.format(system=system, more=MORE[system]).replace('side = "', f'{ENTRY[system]}\nside = "')
    if system in ("vestige", "wwn"):
        head = head.replace("pc = true\n", "")
    every = "".join(
        f'[[scenario]]\ntitle = "{nth}"\nsetting = {{ {word} = [{entry}] }}\n'
        f'state = {{ ada.view.bo = "{one}", bo.view.ada = "{other}" }}\n'
        for nth, (word, entry, one, other) in enumerate(WAYS)
    )
    run_scenarios(tmp_path, head + every)


@pytest.mark.parametrize(
    ("word", "entry", "said"),
    [
        ("view", '{ between = ["ada", "odo"], view = "blocked" }', "line 14, view[0].between: there is no odo"),
        ("sight", '{ between = ["ada", "ada"], view = "blocked" }', "line 14, view[0].between: must name two"),
        ("view", '{ view = "blocked" }', "line 13, view[0]: there is no viewer"),
    ],
)
def test_a_view_of_nobody_is_told_with_its_line(tmp_path: Path, word: str, entry: str, said: str) -> None:
    people = "".join(f'[[combatant]]\nname = "{name}"\nside = "{name}"\nblock = "hero"\n\n' for name in ("Ada", "Bo"))
    text = f'system = "vestige"\n\n{people}[[{word}]]\n{entry[2:-2].replace(", view", chr(10) + "view")}\n'
    (tmp_path / "all.toml").write_text(text, "utf-8")
    assert said in affray(tmp_path, "new", "all.toml").err


def test_what_is_in_hand_is_called_the_same_in_every_encounter(tmp_path: Path) -> None:
    cast = CASTS / "wyrd" / "scenarios" / "cast.toml"
    text = (
        f'title = "Hands"\ncast = "{cast}"\nroster = ["grog", "brand", "orc"]\n'
        'change.grog = { weapons = ["mace", "dagger"], in_hand = ["dagger"] }\n'
        'change.brand = { weapons = ["mace", "dagger"], hands = ["dagger"], protection = [] }\n'
        '[[scenario]]\ntitle = "0"\nstate = { grog.in_hand = ["dagger"], brand.in_hand = ["dagger"] }\n'
    )
    run_scenarios(tmp_path, text)


def test_actions_answers_and_rulings_take_the_same_words(tmp_path: Path) -> None:
    wyrd, wwn = (CASTS / system / "scenarios" / "cast.toml" for system in ("wyrd", "wwn"))
    text = f"""
title = "Words"
cast = "{wyrd}"

[[scenario]]
title = "yes and no, in an action"
roster = ["grog", "orc"]
given = ["begin"]

[[scenario.step]]
do = "grog engage orc push=yes"
has = ["stack grog engage push=true orc"]

[[scenario]]
title = "what a grant is of, and a view from one side"
roster = ["grog", "orc"]
given = ["begin"]

[[scenario.step]]
do = "rule grant grog 1 pool=moves"
then = ["grog moves 1 > 2"]

[[scenario.step]]
do = "rule view grog orc blocked both=no"
state = {{ grog.view.orc = "blocked", orc.view.grog = "clear" }}
"""
    run_scenarios(tmp_path, text)
    grant = '[[scenario.step]]\ndo = "rule grant asha action=move by=1"\nthen = ["asha move 1 > 2"]\n'
    start = 'roster = ["asha", "raider"]\nchange.raider = { count = 1 }\ngiven = ["begin : d8=8 d8=1"]\n'
    run_scenarios(tmp_path, f'title = "Words"\ncast = "{wwn}"\n[[scenario]]\ntitle = "0"\n{start}{grant}')


FLAG = Field(name="push", kind="int", low=0, high=1)
YES = Field(name="shot", kind="id", among=("no", "yes"))
ARMS = Field(name="weapon", kind="id", among=("mira.sword", "mira.dagger", "mira.sword+mira.dagger"))
MANY = Field(name="count", kind="int", low=0, high=9)
TEXT = Field(name="what", kind="text")


@pytest.mark.parametrize(
    ("field", "said", "value"),
    [
        (FLAG, "true", 1),
        (FLAG, "no", 0),
        (FLAG, "1", 1),
        (YES, "true", "yes"),
        (YES, "no", "no"),
        (ARMS, "sword", "mira.sword"),
        (ARMS, "dagger;sword", "mira.sword+mira.dagger"),
        (ARMS, "mira.dagger+mira.sword", "mira.sword+mira.dagger"),
        (ARMS, "axe", "axe"),
        (MANY, "-3", -3),
        (MANY, "yes", "yes"),
        (MANY, "\u00b2", "\u00b2"),
        (TEXT, "3", "3"),
        (TEXT, "yes", "yes"),
        (None, "3", 3),
    ],
)
def test_an_answer_is_read_by_what_is_wanted(field: Field | None, said: str, value: object) -> None:
    assert parse_value(field, said, "mira") == value
