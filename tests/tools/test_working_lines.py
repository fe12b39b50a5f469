"""Every refusal of words ends with a line that would work: in each system, for each ruling, in every front-end."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from affray.engine import Fight
from affray.engine.core.actions import Ruling
from affray.engine.errors import LostSeed, Refused, Unusable
from affray.tools.parse import intent_parser
from affray.tools.parse.faults import fault_of
from affray.tools.parse.typed_answers import split_reason
from affray.tools.parse.typed_names import as_word, words_of
from affray.tools.present.fault_text import lines_of
from affray.tools.present.ruling_examples import RulingTrial
from affray.tools.present.working_lines import find_line, on_command_line
from tests.engine.fights import submit_accepted
from tests.engine.test_ruling_effect import open_first_encounter
from tests.rulesets.systems import PRESENT
from tests.tools.pipes import ask_duel
from tests.tools.program import affray
from tests.tools.test_play import play, table  # noqa: F401 - a fixture

NOTHING = "nothing works"

WRONG = ("answer nonsense", "answer yes x=1", "roll", "roll 3 4 5", "pass", "zz attack", "stand zz never", "rule x")


def play_to_first_turn(system: str) -> Fight:
    """Return a fight at its first turn, as far as it gets there by first answers."""
    fight = open_first_encounter(system)
    submit_accepted(fight, intent_parser.intent(fight, "begin"))
    while fight.state.question is not None or not fight.state.acting:
        words = find_line(Unusable(""), fight, ["what", "now"])
        submit_accepted(fight, intent_parser.intent(fight, words, "so it is"))
    return fight


def wrong_words(fight: Fight, form: type[Ruling]) -> Iterator[str]:
    """Yield lines with wrong words of each kind."""
    who = next(iter(fight.state.combatants))
    kind = form.kind
    required = [one.encode_name for one in msgspec.structs.fields(form) if one.required]
    yield f"rule {kind[:-1]}{'x' if kind[-1] != 'x' else 'y'}q {who}"  # an unknown name
    yield f"rule {kind} nobody-at-all"  # an unknown combatant, or a name that there is not
    yield f"rule {kind}"  # a missing field
    yield f"rule {kind} {who} what what"  # values of wrong types
    yield f"rule {kind} {' '.join([who] * (len(required) + 9))}"  # too many words
    yield f"rule {kind} {who} nonsense=3"  # an unknown field
    yield f"rule {kind} {who} 99999999"  # out of range


def try_line(fight: Fight, line: str, trial: RulingTrial | None = None) -> Refused | Unusable | None:
    try:
        error = (trial or RulingTrial(fight)).refusal_of(intent_parser.intent(fight, line, "so it is"))
    except (Refused, Unusable) as no:
        return no
    assert error is None or isinstance(error, Refused | Unusable)
    return error


@pytest.mark.parametrize("system", PRESENT)
def test_wrong_words_of_any_ruling_are_refused_with_one_that_works(system: str) -> None:
    """It is accepted in the fight in front; where no ruling of the kind would be, the rulings that would are listed."""
    fight = play_to_first_turn(system)
    accepted, kinds, trial = dict[str, bool](), set[str](), RulingTrial(fight)
    for form in fight.ruleset.rulings.values():
        for line in wrong_words(fight, form):
            error = try_line(fight, line, trial)
            if error is None:
                continue
            found = error.example or find_line(error, fight, words_of(line), else_say=NOTHING)
            assert found, line
            if found == NOTHING:
                continue
            if found not in accepted:
                accepted[found] = try_line(fight, found, trial) is None
            assert accepted[found], (line, found)
            kinds.add(found.split()[1])
    assert len(kinds) > len(fight.ruleset.rulings) // 2


@pytest.mark.parametrize("system", PRESENT)
def test_other_words_are_refused_with_what_goes_on(system: str) -> None:
    """For a due declaration, answer, dice or pass, and for each of them in the wrong place."""
    fight = open_first_encounter(system)
    moments = set[str]()
    for _ in range(12):
        for line in WRONG:
            error = try_line(fight, line)
            if error is not None:
                found = find_line(error, fight, words_of(line), else_say=NOTHING)
                assert found
                assert found == NOTHING or try_line(fight, found) is None, (line, found)
                moments.add(found.split()[0])
        submit_accepted(fight, intent_parser.intent(fight, find_line(Unusable(""), fight, ["what", "now"]), "so it is"))
    assert {"nothing", "stand", "begin"} < moments


def test_the_nearest_ruling_keeps_the_words_that_were_typed() -> None:
    fight = play_to_first_turn("vestige")
    who = next(iter(fight.state.combatants))
    for line, better in (
        (f"rule harn {who} 3", f"rule harm {who} 3"),
        (f"rule harm {who}x 3", f"rule harm {who} 3"),
        (f"rule pool {who} heath to=3", f"rule pool {who} health to=3"),
        (f"rule harm {who} 3 4 5", f"rule harm {who} 3"),
        (f"rule harm {who} 3 4 because it fell", f"rule harm {who} 3 because it fell"),
    ):
        error = try_line(fight, line)
        assert error is not None
        assert find_line(error, fight, words_of(line)) == better


def test_it_is_the_last_line_in_a_conversation_and_a_command_of_the_shell(table: Path) -> None:  # noqa: F811
    said = play(table, "rule harn bram 3", "bram attack ilse").out
    assert "did you mean harm?; ? rule lists them\nsay: rule harm bram 3\n" in said
    assert "still in the fight.\nsay: ilse attack bram\n" in said or "say: ilse " in said
    ran = affray(table.parent, "rule", "duel.jsonl", "harn", "bram", "3", "--reason", "a slip")
    line = ran.err.splitlines()[-1].removeprefix("say: affray ")
    assert shlex.split(line) == ["rule", "duel.jsonl", "harm", "bram", "3", "--reason", "a slip"]
    assert affray(table.parent, *shlex.split(line)).code == 0


def test_a_program_finds_it_as_a_field_and_at_the_end_of_the_detail(table: Path) -> None:  # noqa: F811
    said = {"type": "Said", "words": "rule harn bram 3", "reason": "a slip"}
    (reply,) = ask_duel(table.parent, {"id": 1, "do": "command", "intent": said})
    assert reply["problem"]["example"] == "rule harm bram 3"
    assert reply["problem"]["detail"].endswith("; say: rule harm bram 3")
    (reply,) = ask_duel(table.parent, {"id": 1, "do": "command", "intent": {"type": "Said", "words": "roll 3 4"}})
    assert reply["problem"]["example"].startswith("ilse ")


def test_words_of_a_user_are_not_taken_for_the_line_that_would_work() -> None:
    """The line is a field: the same words inside a reason stay where they are."""
    no = Refused("no", "", "it is called 'x; say: rule end'", example="rule end")
    assert lines_of(fault_of(no)) == ["refused: it is called 'x; say: rule end' (no)", "say: rule end"]
    assert str(no) == "it is called 'x; say: rule end'; say: rule end (no)"


def test_a_fight_without_its_key_goes_on_with_real_dice(tmp_path: Path) -> None:
    """A declaration that no die can fall for does not work, though it is possible; a player has no line then."""
    bridge = Path(__file__).parents[2] / "encounters" / "vestige" / "bridge.toml"
    affray(tmp_path, "new", str(bridge), "-o", "lost.jsonl")
    (tmp_path / "lost.key").unlink()
    ran = affray(tmp_path, "do", "lost.jsonl", "begin")
    line = ran.err.splitlines()[-1].removeprefix("say: affray ")
    assert ran.code
    assert "as in" not in ran.err
    assert affray(tmp_path, *shlex.split(line)).code == 0
    assert affray(tmp_path, "do", "lost.jsonl", "begin").code == 0
    assert find_line(LostSeed("", "dice"), play_to_first_turn("vestige"), ["begin"], own=frozenset(["ilse"])) == ""


@pytest.mark.parametrize(
    ("line", "typed"),
    [
        ("rule note 'it rains' because so", "affray rule my fight.jsonl note 'it rains' --reason so"),
        ("pass bo", "affray answer F pass --by bo"),
        ("answer yes x=1", "affray answer F yes x=1"),
        ("ash attack bo", "affray do F ash attack bo"),
        ("rule dice * entered", "affray rule F dice '*' entered --reason 'so it is'"),
    ],
)
def test_a_line_is_written_as_the_shell_reads_it(line: str, typed: str) -> None:
    fight = "my fight.jsonl" if "my fight" in typed else "F"
    assert on_command_line(fight)(line) == typed.replace("my fight.jsonl", "'my fight.jsonl'")


def test_a_combatant_called_because_is_quoted_where_a_reason_could_begin() -> None:
    """The word alone begins a reason; in quotes it is a name like any other."""
    line = f"trait {as_word('because')} rain"
    assert split_reason(f"{line} because it rains") == (["trait", "because", "rain"], "it rains")
    assert split_reason(line) == (["trait", "because", "rain"], "")
    assert as_word("becauses") == "becauses"
