"""``affray scenario``: steps written as one text mean what the same steps mean as tables."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from affray.engine.errors import Unusable
from affray.tools.scenarios.plain import FIRST_WORDS
from affray.tools.scenarios.scenario_file import read_scenarios
from affray.tools.scenarios.step_text import KEYS, NOTHING, read_steps, split_dice
from tests.tools.program import affray
from tests.tools.test_scenario import HEAD, HOLDS

START = HEAD.removesuffix("[[scenario.step]]\n")

STRIKE = """\
ilse attack bram : d20=9
    ilse actions 2 > 1
    stack ilse attack bram
    ilse attack d20=9 +2 (accuracy) = 11 vs 11 hit {VES-026}
    bram damage +4 (might) = 4
    bram health 4 > 0
    bram brink 0 > 1
    asks bram forfeit: no, yes
"""
"""``HOLDS``, as a text."""

EQUAL = {
    "lines": (HOLDS, STRIKE),
    "dice alone": ('do = "begin"\ndice = "d20=14 d20=9"', "begin : d20=14 d20=9"),
    "nothing asserted": ('do = "begin"', "begin"),
    "nothing comes": ('do = "answer no"\nthen = []', "answer no -> nothing"),
    "one line": ('do = "pass"\nthen = ["turn ilse ends"]', "pass -> turn ilse ends"),
    "among others": ('do = "pass"\nhas = ["a …", "b"]\nnot = ["c"]', "pass\n  has: a …\n  not: c\n  has: b"),
    "dice and lines": ('do = "pass"\ndice = "d6=1"\nhas = ["a"]', "pass : d6=1 -> has: a"),
    "refused": ('do = "pass"\nrefused = "no VES-001"', "pass\n\trefused: no VES-001"),
    "either refusal": ('do = "pass"\nrefused = ["a", "b"]', "pass -> refused: a\n    refused: b"),
    "unusable": ('do = "pass"\nunusable = "there is no"', "pass -> unusable: there is no"),
    "details": ('do = "pass"\ndetails = ["marks", "phases"]\nthen = ["a"]', "pass\n    details: marks phases\n    a"),
    "a reason": ('do = "undo"\nreason = "a: slip"\nthen = ["b"]', "undo\n    reason: a: slip\n    b"),
    "a look": ("state = { turn = 'a', b.hp = [1, 2] }", "state: turn = 'a'\n    state: b.hp = [1, 2]"),
    "state": (
        "do = 'pass'\nstate = { a = { b = 1, c = true }, d = '' }",
        "pass\n  state: a.b = 1, d = ''\n  state: a.c = true",
    ),
    "a note": ('do = "rule note a"\nthen = ["note: has: a -> b"]', "rule note a\n    note: has: a -> b"),
    "quotes": (
        "do = '''rule note 'it rains : d6=1 -> a' because it's so'''\ndice = 'd6=2'",
        "rule note 'it rains : d6=1 -> a' because it's so : d6=2",
    ),
    "more quotes": ("do = 'ada ready text=\"a : b\"'", 'ada ready text="a : b"'),
}


def write_scenario_lines(folder: Path, steps: str, name: str = "duel.toml") -> Path:
    """Write a scenario with these lines behind its head."""
    file = folder / name
    file.write_text(START + steps, "utf-8")
    return file


@pytest.mark.parametrize("what", EQUAL)
def test_text_and_table_mean_the_same_step(tmp_path: Path, what: str) -> None:
    table, text = EQUAL[what]
    (old,) = read_scenarios(write_scenario_lines(tmp_path, f"[[scenario.step]]\n{table}\n"))
    (new,) = read_scenarios(write_scenario_lines(tmp_path, f"steps = '''\n{text}\n'''\n"))
    assert new == old


def test_steps_of_a_text_come_before_those_that_are_tables(tmp_path: Path) -> None:
    file = write_scenario_lines(tmp_path, f'steps = """\nbegin\n"""\n[[scenario.step]]\n{HOLDS}')
    (one,) = read_scenarios(file)
    assert [step.do for step in one.steps] == ["begin", "ilse attack bram"]


def test_margin_comments_and_empty_lines_change_nothing() -> None:
    indented = "".join(f"  {line}\n\n  # why\n" for line in STRIKE.splitlines())
    assert read_steps(indented) == read_steps(STRIKE)


WRONG = {
    "left of the margin": ("  begin\npass", 1, "let every step begin in the same column"),
    "an unknown word": ("begin\n    refusd: VES-008", 1, "no line begins with refusd:; did you mean refused:?"),
    "a word of none": ("begin\n    never: a", 1, "no line begins with never:; there are has:, not:, "),
    "nothing behind a word": ("begin\n    has:", 1, "write has: bram health 4 > 0"),
    "a word at the margin": ("begin\nhas: a", 1, "must be indented, below what is done; write     has: a"),
    "a line at the margin": (
        "begin\nilse ep 2 > 1",
        1,
        "must be indented, below what is done; write     ilse ep 2 > 1",
    ),
    "dice as in a table": ("begin\n    dice: d20=9", 1, "write ilse attack bram : d20=9"),
    "lines as in a table": ("begin\n    then: a comes", 1, "write bram health 4 > 0"),
    "what is done as in a table": ("do: begin", 0, "write ilse attack bram"),
    "nothing at the margin": ("begin\nnothing", 1, "must be indented, below what is done; write     nothing"),
    "no dice": ("begin :", 0, "write begin : d20=9"),
    "nothing behind the mark": ("begin ->", 0, "write begin -> nothing"),
    "the mark below": ("begin\n    -> a comes", 1, "stands behind what is done, on the same line; write a comes"),
    "nothing and something": ("begin\n    a\n    nothing", 2, "says nothing comes of it, and what does"),
    "a word twice": ("begin\n    reason: a\n    reason: b", 2, "says reason: twice"),
    "no such details": ("begin\n    details: marks, phases", 1, "no details marks,; write details: phases marks"),
    "no TOML": ("begin\n    state: turn = ilse", 1, "write state: bram.health = 4"),
    "the same state twice": ("state: turn = 1\n    state: turn = 2", 1, "write state: bram.health = 4"),
    "two outcomes": ("begin\n    a\n    refused: b", 0, "says then, has and not and refused"),
    "a look that comes to something": ("state: turn = 1\n    has: b", 0, "says not what is done"),
}


@pytest.mark.parametrize("what", WRONG)
def test_mistake_in_a_text_is_told_with_its_line(what: str) -> None:
    text, line, message = WRONG[what]
    with pytest.raises(Unusable) as error:
        read_steps(text)
    assert error.value.field == f"steps[{line}]"
    assert message in error.value.message


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ('step = """\nbegin\n"""', "scenario[0].step: is for steps as tables; write a text of steps as steps = "),
        ('steps = ["begin"]', "scenario[0].steps: must be a text; a step as a table is written [[scenario.step]]"),
        ('[[scenario.steps]]\ndo = "begin"', "scenario[0].steps: must be a text; a step as a table is written"),
    ],
)
def test_steps_in_the_wrong_form_for_their_key_are_refused(tmp_path: Path, steps: str, message: str) -> None:
    ran = affray(tmp_path, "scenario", write_scenario_lines(tmp_path, f"{steps}\n").name)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"duel.toml, line 16, {message}")


def test_mistake_in_a_text_is_told_with_file_line_and_field(tmp_path: Path) -> None:
    file = write_scenario_lines(
        tmp_path, 'steps = """\nbegin : d20=14 d20=9\n\n# [no.table]\nx.y = 1\n    refusd: a\n"""\n'
    )
    ran = affray(tmp_path, "scenario", file.name)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("duel.toml, line 21, scenario[0].steps[4]: no line begins with refusd:")


def test_failure_is_told_with_the_line_of_its_step(tmp_path: Path) -> None:
    wrong = f'{STRIKE}# why\nanswer no -> nothing\nbram attack ilse\n    refused: VES-009\n"""\n'
    file = write_scenario_lines(tmp_path, f'steps = """{wrong}\n[[scenario.step]]\ndo = "bram move 1,1"\nthen = []\n')
    told = affray(tmp_path, "scenario", file.name, "--keep-going")
    assert re.findall(r"duel.toml, line (\d+), (step \d)", told.out) == [("26", "step 3"), ("31", "step 4")]
    assert "write refused: not_your_turn VES-008" in told.out


def test_no_outcome_line_begins_like_a_word_of_a_step() -> None:
    assert {word for word in FIRST_WORDS if word in KEYS or word == NOTHING} == set()


def test_only_a_mark_outside_quotes_parts_dice_from_what_is_done() -> None:
    assert split_dice("rule note 'a : b'") == ("rule note 'a : b'", "")
    assert split_dice("rule note it's : d6=1") == ("rule note it's", "d6=1")
    assert split_dice("""rule join '{"name": "Wolf : d6=2"}' : d6=1""")[1] == "d6=1"


def test_write_fills_in_the_steps_of_a_text(tmp_path: Path) -> None:
    steps = (
        "ilse attack bram\n  # what then?\n\nanswer no -> details: phases\nbram attack ilse\n"
        "ilse end_turn\n    has: turn ilse ends\n    # at last\nrule note 'a \\\\ b'\n"
    )
    file = write_scenario_lines(tmp_path, f'steps = """\n{steps}"""\n')
    told = affray(tmp_path, "scenario", file.name, "--throw", "--keep-going", "--write")
    assert (told.code, told.err) == (0, ""), told.out
    written = file.read_text("utf-8")
    assert re.search(r"\nilse attack bram : d20=\d+\n    ilse actions 2 > 1\n    stack ilse attack bram\n", written)
    assert "\n  # what then?\n\nanswer no -> details: phases\n" in written
    assert "\nbram attack ilse -> refused: not_your_turn VES-008\n" in written
    assert "\n    has: turn ilse ends\n    # at last\n" in written
    assert "\nrule note 'a \\\\ b' -> note: a \\\\ b\n" in written
    assert affray(tmp_path, "scenario", file.name, "--write").code == 0
    assert file.read_text("utf-8") == written


def test_text_on_one_line_is_left_as_it_is(tmp_path: Path) -> None:
    file = write_scenario_lines(tmp_path, 'steps = "ilse attack bram"\n')
    before = file.read_text("utf-8")
    told = affray(tmp_path, "scenario", file.name, "--throw", "--write")
    assert (told.code, told.out) == (2, "")
    assert "cannot be filled in where the steps of a text do not each begin a line of it" in told.err
    assert file.read_text("utf-8") == before
