"""``affray scenario``: what a step may say of the lines that come of it, and of its refusal."""

from __future__ import annotations

from pathlib import Path

from tests.tools.program import Ran, affray
from tests.tools.test_scenario import HEAD

STRIKE = 'do = "ilse attack bram"\ndice = "d20=9"\n'
"""It comes to seven lines; see ``HOLDS``."""


def run_one_step_scenarios(folder: Path, *steps: str, options: tuple[str, ...] = ()) -> Ran:
    """Run scenarios of one step each, called by their numbers."""
    head = HEAD.partition("[[scenario]]")[0]
    every = "".join(
        f'\n[[scenario]]\ntitle = "{nth}"\ngiven = ["begin : d20=14 d20=9"]\n\n[[scenario.step]]\n{step}'
        for nth, step in enumerate(steps)
    )
    (folder / "duel.toml").write_text(head + every, "utf-8")
    return affray(folder, "scenario", "duel.toml", *options)


def fails(told: Ran, nth: int | str) -> list[str]:
    """Return the messages about a failed scenario."""
    _, _, rest = told.out.partition(f"FAILS  A duel: {nth}\n")
    lines = rest.splitlines()
    end = next((at for at, line in enumerate(lines) if not line.startswith(" ")), len(lines))
    return [line.strip() for line in lines[:end]]


def test_has_names_lines_in_their_order_and_not_names_none_that_comes(tmp_path: Path) -> None:
    told = run_one_step_scenarios(
        tmp_path,
        f'{STRIKE}has = ["stack ilse attack bram", "bram health 4 > 0"]',
        f'{STRIKE}not = ["bram ep 2 > 1", "ilse health …"]',
        f'{STRIKE}has = ["ilse actions 2 > 1"]\nnot = ["round ..."]',
        f'{STRIKE}has = ["bram health 4 > 0", "stack ilse attack bram"]',
        f'{STRIKE}has = ["stack ilse attack bram", "bram health 4 > 1"]',
        f'{STRIKE}not = ["bram health …"]',
        f'{STRIKE}has = ["stack ilse attack bram", "stack bram attack ilse", "turn ilse ends"]',
    )
    assert told.code == 1
    assert told.out.startswith("".join(f"holds  A duel: {nth}\n" for nth in range(3)) + "FAILS")
    assert "- stack ilse attack bram" in fails(told, 3)
    assert [line for line in fails(told, 4) if line[:1] in "-+~"] == ["- bram health 4 > 1", "~ bram health 4 > 0"]
    assert "bram brink 0 > 1" in fails(told, 4), "what else came is shown beside it"
    assert [line for line in fails(told, 6) if line[:1] in "-+~"] == ["- stack bram attack ilse", "- turn ilse ends"]
    assert fails(told, 5)[2:] == ["- not: bram health …", "+ bram health 4 > 0"]


def test_a_line_that_must_not_come_is_about_somebody(tmp_path: Path) -> None:
    """Else a name that is misspelt would make it hold for ever."""
    told = run_one_step_scenarios(
        tmp_path,
        f'{STRIKE}not = ["brma health …"]',
        f'{STRIKE}not = ["ilse.swrod hand > away"]',
        f'{STRIKE}not = ["turn …", "…brma", "melee …", "bram ep …", "ilse.sword hand > away"]',
    )
    assert fails(told, 0)[-1] == "no line begins with brma; did you mean bram?"
    assert fails(told, 1)[-1] == "no line begins with ilse.swrod; did you mean ilse.sword?"
    assert "holds  A duel: 2" in told.out


def test_every_word_of_a_line_that_must_not_come_is_one_that_a_line_may_have(tmp_path: Path) -> None:
    """Else it would hold for ever; the words are those of the rules and of what is recorded of this fight."""
    told = run_one_step_scenarios(
        tmp_path,
        f'{STRIKE}not = ["bram heelth …"]',
        f'{STRIKE}not = ["goblin health …"]',
        f'{STRIKE}not = ["ilse attack … … mis"]',
        f'{STRIKE}not = ["ilse attack … mi…", "bram brink 1 …", "… fizzles, out_of_range", "ilse joins blue"]',
        f'{STRIKE}not = ["note: the gobblin laughs", "1/ilse/1/attack taken back", "ilse d20=7 …", "asks …"]',
        'do = "rule condition bram froggy own=true"\nnot = ["ilse froggy …"]',
    )
    unknown = "no line of this fight can say"
    assert fails(told, 0)[2:] == ["- not: bram heelth …", f"{unknown} heelth; did you mean health?"]
    assert fails(told, 1)[-1] == "no line begins with goblin"
    assert fails(told, 2)[-1] == f"{unknown} mis; did you mean miss?"
    assert "holds  A duel: 3" in told.out
    assert fails(told, 4)[-1] == "+ asks bram forfeit: no, yes"
    assert "holds  A duel: 5" in told.out


def test_what_is_left_out_behind_a_space_may_be_nothing_or_follow_a_comma_but_no_word_goes_on(tmp_path: Path) -> None:
    told = run_one_step_scenarios(
        tmp_path,
        f'{STRIKE}has = ["ilse actions 2 > 1 …", "ilse attack … d20=9 …", "asks bram forfeit: no …"]',
        f'{STRIKE}has = ["ilse … actions", "… stack … ilse"]',
        f'{STRIKE}has = ["ilse action …"]',
        f'{STRIKE}has = ["ilse actions 2 > …1", "… bram … forfeit: no… yes"]',
        f'{STRIKE}has = ["… rink 0 > 1"]',
        f'{STRIKE}not = ["bram health 4 > 0 …"]',
        f'{STRIKE}not = ["bram health 4 > …", "bram heal …"]',
    )
    assert [line[-1] for line in told.out.splitlines() if line.startswith("holds")] == ["0", "3"]
    assert "- ilse … actions" in fails(told, 1)
    assert fails(told, 5)[2:] == ["- not: bram health 4 > 0 …", "+ bram health 4 > 0"]
    assert "+ bram health 4 > 0" in fails(told, 6)


def test_a_line_may_leave_out_parts_of_what_it_means(tmp_path: Path) -> None:
    told = run_one_step_scenarios(
        tmp_path,
        f'{STRIKE}has = ["ilse attack … hit {{VES-026}}", "...brink...", "asks bram forfeit: …"]',
        f'{STRIKE}has = ["ilse attack … … miss"]',
        f'{STRIKE}has = ["ilse … bram bram"]',
        f'{STRIKE}then = ["…", "…", "… hit", "…", "bram …", "bram …", "asks …"]',
        f'{STRIKE}then = ["…", "…", "… hit", "…", "bram …", "bram …"]',
    )
    holds = [line[-1] for line in told.out.splitlines() if line.startswith("holds")]
    assert holds == ["0", "3"]
    assert "- ilse attack … … miss" in fails(told, 1)
    assert "+ asks bram forfeit: no, yes" in fails(told, 4)


def test_what_only_some_lines_assert_proves_only_their_clauses(tmp_path: Path) -> None:
    head = HEAD.replace('proves = ["VES-026"]', 'proves = ["VES-055", "VES-026"]')
    strike = f'{STRIKE}has = ["bram brink 0 > 1"]\n'
    (tmp_path / "duel.toml").write_text(head + strike, "utf-8")
    assert "no asserted line or refusal cites VES-026" in affray(tmp_path, "scenario", "duel.toml").out
    (tmp_path / "duel.toml").write_text(head + strike.replace("has = [", 'has = ["ilse attack … hit", '), "utf-8")
    assert affray(tmp_path, "scenario", "duel.toml").code == 0


def test_a_line_whose_clauses_are_partly_named_is_not_shown_as_different(tmp_path: Path) -> None:
    hit = "ilse attack d20=9 +2 (accuracy) = 11 vs 11 hit"
    rest = ["bram damage +4 (might) = 4", "bram health 4 > 0", "bram brink 0 > 1", "asks bram forfeit: no, no"]
    said = ["ilse actions 2 > 1", "stack ilse attack bram", f"{hit} {{VES-026}}", *rest]
    wrong = [f"{hit} {{VES-026, VES-058}}" if line.startswith(hit) else line for line in said]
    told = run_one_step_scenarios(
        tmp_path, f"{STRIKE}then = {said}\n", f"{STRIKE}then = {wrong}\n", f"{STRIKE}has = {wrong[2:3]}\n"
    )
    assert [line for line in fails(told, 0) if line[:1] in "-+"] == [
        "- asks bram forfeit: no, no",
        "+ asks bram forfeit: no, yes",
    ]
    assert f"{hit} {{VES-026}}" in fails(told, 0)
    assert f"+ {hit} {{VES-023, VES-024, VES-026, VES-T07, VES-T09, VES-T17}}" in fails(told, 1)
    assert f"- {hit} {{VES-026, VES-058}}" in fails(told, 2)
    assert f"~ {hit} {{VES-023, VES-024, VES-026, VES-T07, VES-T09, VES-T17}}" in fails(told, 2)


def test_a_refusal_is_named_by_its_code_its_clause_or_both_or_by_any_of_several(tmp_path: Path) -> None:
    told = run_one_step_scenarios(
        tmp_path,
        *(
            f'do = "bram attack ilse"\nrefused = {said}\n'
            for said in (
                '"not_your_turn VES-008"',
                '"not_your_turn"',
                '"VES-008"',
                '["VES-020", "VES-008"]',
                '["VES-020", "VES-021"]',
                '"not_your_turn VES-009"',
            )
        ),
        f'{STRIKE}refused = ["VES-020"]',
        'do = "ilse attack odo"\nrefused = "VES-008"',
        'do = "ilse atack bram"\nrefused = "VES-008"',
    )
    holds = [line[-1] for line in told.out.splitlines() if line.startswith("holds")]
    assert holds == ["0", "1", "2", "3"]
    assert fails(told, 4)[2:] == [
        "- refused: VES-020 or VES-021",
        "+ refused: not_your_turn VES-008: it is not the turn of Bram",
        "write refused: not_your_turn VES-008",
    ]
    assert "+ refused: not_your_turn VES-008: it is not the turn of Bram" in fails(told, 5)
    assert fails(told, 7)[2:] == [
        "- refused: VES-008",
        "+ unusable: who: there is no odo in this fight; there are ilse, bram",
        "write unusable: who: there is no odo in this fight; there are ilse, bram",
    ]
    assert "+ ilse actions 2 > 1" in fails(told, 6)
    misspelt = fails(told, 8)[2:]
    assert [one[:20] for one in misspelt] == ["- refused: VES-008", "+ refused: not_a_sta"]
    assert misspelt[1].endswith("did you mean attack?")


def test_what_is_misspelt_gets_the_hint_that_it_gets_everywhere(tmp_path: Path) -> None:
    steps = ("ilse atack bram", "rule pol bram health to=1", "ilse attack bran", "ilse attack bram tagret=bram")
    told = run_one_step_scenarios(tmp_path, *(f'do = "{do}"\n' for do in steps))
    hints = ("attack", "pool", "bram", "target")
    assert all(f"; did you mean {hint}?" in fails(told, nth)[-1] for nth, hint in enumerate(hints))


def test_an_action_like_none_there_is_is_answered_with_those_there_are(tmp_path: Path) -> None:
    told = run_one_step_scenarios(
        tmp_path, 'do = "ilse walk"\n', 'do = "ilse walk"\nrefused = "not_a_standard_action VES-011"\n'
    )
    assert "; there are attack, damage, delay, end_turn, forfeit, harm, improvise, move," in fails(told, 0)[-1]
    assert "holds  A duel: 1" in told.out


MEANINGLESS = {
    'do = "undo"\nthen = []\nrefused = "x"': "says then, has and not and refused",
    'do = "undo"\nrefused = "x"\nunusable = "y"': "says refused and unusable",
    "has = []": "says not what is done",
    'dice = "d6=1"\nstate = { round = 1 }': "says not what is done",
    'do = "undo"\nhass = ["x"]': "unknown field hass; did you mean has?",
    'do = "undo"\nzzz = ["x"]': "unknown field zzz; there are do, dice, reason, then, has, not, refused, unusable,",
    "do = 3": "must be a text, not a whole number",
}


def test_a_step_that_means_nothing_is_said_with_its_line(tmp_path: Path) -> None:
    for nth, step in enumerate(MEANINGLESS):
        (tmp_path / f"{nth}.toml").write_text(HEAD + step + "\n", "utf-8")
    told = affray(tmp_path, "scenario", ".")
    assert (told.code, told.out) == (2, "")
    for nth, (line, said) in enumerate(zip(told.err.splitlines(), MEANINGLESS.values(), strict=True)):
        assert line.startswith(f"{nth}.toml, line 1")
        assert said in line


def test_a_line_with_endless_blanks_is_read_once(tmp_path: Path) -> None:
    """It took the square of its length; a line of this one kept the program busy for long."""
    blanks = " " * 100_000
    told = run_one_step_scenarios(tmp_path, f'{STRIKE}has = ["bram health{blanks}4 > 0{blanks}{{VES-001"]')
    assert "bram health" in told.out, told.out[:500] + told.err[:500]
