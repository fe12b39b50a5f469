"""``affray scenario``: dice, going on behind a difference, filling in, files that cannot be used, beginning a file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from affray.tools.text.printable import printable
from tests.rulesets.systems import PRESENT
from tests.tools.program import affray
from tests.tools.test_scenario import HEAD, HOLDS, write_scenario
from tests.tools.test_scenario_lines import fails, run_one_step_scenarios

LINES = HOLDS[HOLDS.index("then") :]


def test_a_roll_without_dice_is_shown_with_its_terms_and_what_came_before_it(tmp_path: Path) -> None:
    step = 'do = "ilse attack bram"\n'
    told = run_one_step_scenarios(
        tmp_path, step, f'{step}dice = "d6=3"\n', f'{step}dice = "d20=21"\n', f'{step}dice = "d20=nine"\n'
    )
    assert fails(told, 0)[1:] == [
        "a d20 is rolled for 1/ilse/attack.1/attack, and no die is left",
        "ilse actions 2 > 1",
        "stack ilse attack bram",
        "? ilse attack d20=? +2 (accuracy) vs 11",
        "write ilse attack bram : d20=?",
    ]
    assert "a d20 is rolled for 1/ilse/attack.1/attack, and the next die is a d6" in fails(told, 1)
    assert "a d20 cannot show 21" in fails(told, 2)
    assert "dice are written like d20=14 d6=2+5, not d20=nine" in fails(told, 3)


def test_dice_that_are_missing_in_the_middle_stand_behind_those_that_fell(tmp_path: Path) -> None:
    cast = Path(__file__).parents[1] / "rulesets" / "hexblade" / "scenarios" / "cast.toml"
    text = (
        f'title = "A duel"\ncast = "{cast}"\n[[scenario]]\ntitle = "0"\nroster = ["ash", "bandit"]\n'
        'given = ["begin", "ash roll_initiative : d20=20", "ash begin_turn"]\n'
        '[[scenario.step]]\ndo = "ash attack bandit"\ndice = "d20=12 d20=10"\n'
    )
    (tmp_path / "duel.toml").write_text(text, "utf-8")
    told = fails(affray(tmp_path, "scenario", "duel.toml"), 0)
    assert told[-1] == "write ash attack bandit : d20=12 d20=10 d8=?"
    assert told[-2] == "? ash damage d8=? +3 (strength)"
    assert "ash attack d20=12 +3 (strength) = 15 wins" in told


def test_a_die_that_is_missing_changes_nothing(tmp_path: Path) -> None:
    """Going on, the same step can be done with its die, and what it did is taken back as one command."""
    strike = 'do = "ilse attack bram"\n'
    step = "[[scenario.step]]\n"
    rest = (
        f'{step}{HOLDS}{step}do = "undo"\nthen = ["taken back: 1"]\nstate = {{ bram.health = 4, ilse.actions = 2 }}\n'
    )
    (tmp_path / "duel.toml").write_text(HEAD + strike + rest, "utf-8")
    told = affray(tmp_path, "scenario", "duel.toml", "--keep-going").out
    assert told.count("step ") == 1
    assert "step 1: ilse attack bram" in told


def test_dice_left_over_are_told_with_what_is_waited_for(tmp_path: Path) -> None:
    told = run_one_step_scenarios(tmp_path, 'do = "ilse attack bram"\ndice = "d20=9 d20=4 d6=1+2"\n')
    assert re.search(r"left over: d20=4 d6=1 d6=2; Bram must answer, forfeit: no .* or yes", fails(told, 0)[1])


def test_a_run_stops_at_the_first_difference_or_goes_on_and_shows_them_all(tmp_path: Path) -> None:
    steps = (
        HOLDS.replace("4 > 0", "4 > 1")
        + '[[scenario.step]]\ndo = "answer no"\nstate = { bram.brink = true, bram.health = 2 }\n'
        + '[[scenario.step]]\ndo = "bram attack ilse"\nrefused = "VES-008"\n'
        + '[[scenario.step]]\ndo = "ilse end_turn"\nnot = ["turn ilse ends"]\n'
    )
    name = write_scenario(tmp_path, steps)
    first, every = affray(tmp_path, "scenario", name), affray(tmp_path, "scenario", name, "--keep-going")
    assert re.findall(r"step \d", first.out) == ["step 1"]
    assert re.findall(r"step \d", every.out) == ["step 1", "step 2", "step 4"]
    told = affray(tmp_path, "scenario", name, "--keep-going", "--json")
    assert [one["step"] for one in told.json[0]["failures"]] == [1, 2, 4]
    assert "+ bram health 4 > 0" in told.json[0]["failures"][0]["lines"]


def test_what_is_filled_in_is_run_again_and_that_run_is_reported(tmp_path: Path) -> None:
    """Comments, and ways to write a step, stay as they are; what was not understood is not taken for right."""
    loose = (
        "do='''ilse attack bram'''\ndice = \"d20=9\"\n\n# what then?\n[[ scenario.step ]] # here\n"
        'do = "answer no" # fights on\n[[scenario.step]]\ndo = "bram attack ilse"\n'
    )
    name = write_scenario(tmp_path, loose)
    told = affray(tmp_path, "scenario", name, "--write")
    assert (told.code, told.out) == (0, "holds  A duel: Ilse strikes\n1 of 1 scenarios hold\n"), "as the file is now"
    file = tmp_path / name
    text = file.read_text("utf-8")
    assert "do='''ilse attack bram'''\ndice = \"d20=9\"\n" + LINES.replace(" {VES-026}", "") + "\n# what then?" in text
    assert 'do = "answer no" # fights on\nthen = [' in text
    assert text.endswith('do = "bram attack ilse"\nrefused = "not_your_turn VES-008"\n')
    assert affray(tmp_path, "scenario", name, "--write").code == 0
    assert file.read_text("utf-8") == text


def test_what_was_not_understood_or_not_done_is_not_filled_in(tmp_path: Path) -> None:
    """The last one has no dice, so nothing behind it could be right."""
    does = ("ilse atack bram", "ilse attack brma", "rule pol bram health to=1", "ilse attack bram")
    name = write_scenario(tmp_path, "\n[[scenario.step]]\n".join(f'do = "{do}"\n' for do in does))
    before = (tmp_path / name).read_text("utf-8")
    told = affray(tmp_path, "scenario", name, "--write", "--keep-going")
    assert (told.code, told.out.count("step ")) == (1, len(does))
    assert (tmp_path / name).read_text("utf-8") == before


def test_a_file_that_is_written_in_another_way_is_left_as_it_is(tmp_path: Path) -> None:
    text = HEAD.removesuffix("[[scenario.step]]\n") + 'step = [{ do = "ilse attack bram", dice = "d20=9" }]\n'
    (tmp_path / "duel.toml").write_text(text, "utf-8")
    told = affray(tmp_path, "scenario", "duel.toml", "--write")
    assert (told.code, told.out) == (2, "")
    assert "cannot be filled in where steps are neither a text nor written as [[scenario.step]]" in told.err
    assert (tmp_path / "duel.toml").read_text("utf-8") == text


def test_what_cannot_be_used_spoils_only_itself(tmp_path: Path) -> None:
    """A file that is no TOML, an encounter that is wrong, rules that stumble: all others are run and told."""
    write_scenario(tmp_path, HOLDS, "good.toml")
    (tmp_path / "bad.toml").write_text("title = A duel\n", "utf-8")
    (tmp_path / "ugly.toml").write_text("[[scenario]]\ntitle = 'x'\n", "utf-8")
    dragon = HEAD.partition("[[scenario]]")[2].replace("Ilse strikes", "dragon")
    other = write_scenario(
        tmp_path, f"{HOLDS}[[scenario]]\nchange.ilse = {{ block = 'dragon' }}\n{dragon}{HOLDS}", "two.toml"
    )
    told = affray(tmp_path, "scenario", ".")
    assert told.code == 2
    assert told.out == (
        "holds  A duel: Ilse strikes\nholds  A duel: Ilse strikes\n2 of 2 scenarios hold; 3 could not be used\n"
    )
    assert [line.partition(":")[0] for line in told.err.splitlines()] == [
        "bad.toml, line 1",
        f"{other}, line 29, scenario[1].change.ilse.block",
        "ugly.toml, title",
    ]
    every = affray(tmp_path, "scenario", ".", "--json").json
    assert [(one["file"], one["holds"], "error" in one) for one in every] == [
        ("bad.toml", False, True),
        ("good.toml", True, False),
        ("two.toml", True, False),
        ("two.toml", False, True),
        ("ugly.toml", False, True),
    ]


def test_it_can_be_shown_how_it_went_and_what_may_be_done_next(tmp_path: Path) -> None:
    told = affray(tmp_path, "scenario", write_scenario(tmp_path, HOLDS), "--show").out.splitlines()
    assert told[0] == "holds  A duel: Ilse strikes"
    assert "  given begin : d20=14 d20=9" in told
    assert "  1. ilse attack bram : d20=9" in told
    hit = "       ilse attack d20=9 +2 (accuracy) = 11 vs 11 hit"
    assert f"{hit} {{VES-023, VES-024, VES-026, VES-T07, VES-T09, VES-T17}}" in told
    assert "  answer no  (fights on at the brink)" in told
    assert told[-1] == "1 of 1 scenarios hold"


@pytest.mark.parametrize("system", PRESENT)
def test_a_file_to_begin_with_holds_and_shows_every_key(tmp_path: Path, system: str) -> None:
    told = affray(tmp_path, "scenario", "--template", system)
    assert (told.code, told.out) == (
        0,
        f"wrote {system}-scenarios.toml; run it with: affray scenario {system}-scenarios.toml\n",
    )
    text = (tmp_path / f"{system}-scenarios.toml").read_text("utf-8")
    held = affray(tmp_path, "scenario", f"{system}-scenarios.toml")
    assert (held.code, held.err) == (0, "")
    assert text.isascii()
    assert printable(text.replace("\n", "")) == text.replace("\n", "")
    for key in ("given", "change", "config", "proves", "roster", "steps"):
        assert re.search(rf"^{key}\b.*=", text, re.MULTILINE), key
    for word in ("has:", "not:", "refused:", "-> unusable:", "state:", "reason:", " : d"):
        assert word in text, word


def test_a_file_to_begin_with_replaces_nothing_unasked(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("# mine\n", "utf-8")
    told = affray(tmp_path, "scenario", "--template", "vestige", "-o", "mine.toml")
    assert told.code == 2
    assert "mine.toml exists already" in told.err
    assert affray(tmp_path, "scenario", "--template", "vestige", "-o", "mine.toml", "--force").code == 0
    assert "; did you mean vestige?" in affray(tmp_path, "scenario", "--template", "vestigo").err
    assert affray(tmp_path, "scenario", "mine.toml", "--template", "vestige").code == 2
    assert "goes with --template" in affray(tmp_path, "scenario", "mine.toml", "-o", "other.toml").err


def test_dice_that_are_missing_can_be_thrown_and_written_and_are_the_same_each_time(tmp_path: Path) -> None:
    """Those that are there fall first; in the file the throw of a step stands in it, and its run needs no throwing."""
    strike, step = 'do = "ilse attack bram"\n', "[[scenario.step]]\n"
    name = write_scenario(tmp_path, f'{strike}{step}do = "answer no"\n{step}{strike}dice = "d20=3"\n')
    file = tmp_path / name
    before = file.read_text("utf-8").replace('proves = ["VES-026"]\n', "").replace(" : d20=14 d20=9", " : d20=14")
    file.write_text(before, "utf-8")
    shown = affray(tmp_path, "scenario", name, "--throw", "--show").out
    assert re.search(r"^  given begin : d20=14 d20=\d+$", shown, re.MULTILINE)
    assert file.read_text("utf-8") == before
    file.write_text(before.replace("d20=14", "d20=14 d20=9"), "utf-8")
    assert affray(tmp_path, "scenario", name, "--throw", "--write").code == 0
    (thrown,) = re.findall(r'^do = "ilse attack bram"\ndice = "d20=(\d+)"\nthen = \[$', file.read_text("utf-8"), re.M)[
        :1
    ]
    assert f"1. ilse attack bram : d20={thrown}" in shown
    assert affray(tmp_path, "scenario", name).code == 0


def test_a_die_of_another_size_is_never_thrown_in_place_of_the_one_that_is_there(tmp_path: Path) -> None:
    told = run_one_step_scenarios(tmp_path, 'do = "ilse attack bram"\ndice = "d6=3"\n', options=("--throw",))
    assert "a d20 is rolled for 1/ilse/attack.1/attack, and the next die is a d6" in fails(told, 0)


def test_what_is_waited_for_is_told_where_a_step_cannot_be_done(tmp_path: Path) -> None:
    told = run_one_step_scenarios(tmp_path, 'do = "bram attack ilse"\n', 'do = "answer no"\n')
    assert fails(told, 0)[1] == "cannot be done; It is Ilse's turn"
    assert fails(told, 1)[1] == "cannot be done; It is Ilse's turn"


PLACES = {
    "cast": ("roster = ['bram']", 6, "cast.combatant[1].weapons[0]", "there is no weapon axxe"),
    "change": ("change.bram = { hp = 3 }", 11, "scenario[0].change.bram.hp", "unknown field hp; did you mean health?"),
    "roster": ("roster = ['ilse', 'odo']", 11, "scenario[0].roster", "there is no odo in the cast"),
    "config": (
        "config = { rounding = 3 }",
        11,
        "scenario[0].config.rounding",
        "unknown field rounding; affray rules vestige --settings",
    ),
    "setting": ("setting = { distance = 3 }", 11, "scenario[0].setting.distance", "must be a list"),
}


@pytest.mark.parametrize("wrong", PLACES)
@pytest.mark.parametrize("apart", [False, True], ids=["in one file", "with its cast in another"])
def test_what_is_wrong_with_a_scenario_is_found_in_its_own_line(tmp_path: Path, wrong: str, apart: bool) -> None:
    """The fault is that of the combatant, not of the cast's entry at the same index."""
    said, line, field, message = PLACES[wrong]
    weapon = "axxe" if wrong == "cast" else "axe"
    cast = (
        'system = "vestige"\ncombatant = [\n    { name = "Ilse", side = "red", block = "hero", weapons = ["sword"] },\n'
        f'    {{ name = "Bram", side = "blue", block = "minion", weapons = ["{weapon}"] }},\n]\n'
    )
    (tmp_path / "cast.toml").write_text(cast, "utf-8")
    head = "cast = 'cast.toml'" + 7 * "\n" if apart else f"[cast]\n{cast}\n"
    steps = f"[[scenario]]\ntitle = 'who'\n{said}\n[[scenario.step]]\ndo = 'begin'\n"
    (tmp_path / "duel.toml").write_text(f"title = 'Here'\n{head}{steps}", "utf-8")
    told = affray(tmp_path, "scenario", "duel.toml")
    assert told.code == 2
    place = f"duel.toml, line {line}, {field}: "
    if apart and wrong == "cast":
        place = "cast.toml, line 4, combatant[1].weapons[0]: "
    assert told.err.startswith(place)
    assert message in told.err


def test_what_was_given_and_what_is_so_at_the_end_are_found_in_their_own_lines(tmp_path: Path) -> None:
    given = 'given = [\n    "begin : d20=14 d20=9",\n    "bram ready",\n]'
    head = HEAD.replace('given = ["begin : d20=14 d20=9"]', given)
    (tmp_path / "given.toml").write_text(head.partition("[[scenario.step]]")[0] + "state = { round = 1 }\n", "utf-8")
    assert fails(affray(tmp_path, "scenario", "given.toml"), "Ilse strikes")[0] == "given.toml, line 16: bram ready"
    shared = HEAD.replace("given =", "#").replace("[cast]", 'given = ["bram ready"]\n[cast]').replace("proves", "# ")
    (tmp_path / "shared.toml").write_text(shared + 'do = "begin"\n', "utf-8")
    assert fails(affray(tmp_path, "scenario", "shared.toml"), "Ilse strikes")[0] == "shared.toml, line 3: bram ready"
    end = "\n[scenario.state]\nround = 1\nbram.health = 3\n"
    (tmp_path / "end.toml").write_text(HEAD + HOLDS + end, "utf-8")
    told = fails(affray(tmp_path, "scenario", "end.toml"), "Ilse strikes")
    assert told[:3] == ["end.toml, line 31, [scenario.state]", "ended otherwise", "- bram.health = 3"]
