"""The game master passes for all in one line, and gives a reason with an answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from affray.engine import Fight, FileStore, begin_fight, open_fight
from affray.engine.visibility import is_sealed_for_words
from affray.events import Answered, OfferDeclined, Passed
from affray.tools.parse import intent_parser
from affray.tools.parse.typed_answers import cut_reason, split_reason
from tests.engine.encounters import load_shipped_encounters
from tests.engine.fights import SEED, noon, salt, submit_accepted
from tests.tools.pipes import pipe_lines
from tests.tools.program import affray
from tests.tools.test_play import play


def stunt(folder: Path, *, ends_at: str = "window") -> Path:
    """Store a fight with a stunt that waits for passes, or then for the game master's answer."""
    told = next(one for name, one in load_shipped_encounters().items() if name.startswith("wwn/"))
    fight = begin_fight("stunt", told, who="gm", seed=SEED, store=FileStore(folder), clock=noon, salts=salt)
    submit_accepted(fight, intent_parser.intent(fight, "begin"))
    while not fight.state.acting:
        option = fight.state.question.options[0] if fight.state.question else None
        assert option is not None
        submit_accepted(fight, intent_parser.intent(fight, f"answer {option.choice}"))
    submit_accepted(
        fight, intent_parser.declaration(fight, [fight.state.acting[0], "improvise", "the chandelier falls"])
    )
    while ends_at == "question" and fight.state.window is not None:
        submit_accepted(fight, intent_parser.intent(fight, "pass"))
    return folder / "stunt.jsonl"


def open_from_file(log: Path) -> Fight:
    return open_fight(log.stem, FileStore(log.parent))


def list_passes(log: Path) -> list[str]:
    return [one.event.who for one in open_from_file(log).history.effective() if isinstance(one.event, Passed)]


def list_declined(log: Path) -> list[str]:
    return [one.event.who for one in open_from_file(log).history.effective() if isinstance(one.event, OfferDeclined)]


def answers(log: Path) -> list[Answered]:
    return [one.event for one in open_from_file(log).history.effective() if isinstance(one.event, Answered)]


@pytest.mark.parametrize(
    "words", [("do", "stunt.jsonl", "pass", "*"), ("answer", "stunt.jsonl", "pass", "all"), ("play",), ("pipe",)]
)
def test_one_line_passes_for_everybody_who_is_asked(tmp_path: Path, words: tuple[str, ...]) -> None:
    """It is one command, which one undo takes back; the same id again adds no pass."""
    log = stunt(tmp_path)
    window = open_from_file(log).state.window
    assert window is not None
    assert len(window.to) > 1
    if words == ("play",):
        assert "settled outcome" in play(log, "pass *").out
    elif words == ("pipe",):
        said = {"id": "p", "do": "command", "intent": {"type": "Said", "words": "pass *"}}
        first, again = pipe_lines(tmp_path, said, said, words=("stunt.jsonl",))
        assert (first["repeated"], again["repeated"]) == (False, True)
        assert first["lines"] == again["lines"]
    else:
        assert affray(tmp_path, *words, "--id", "p").code == 0
        assert "carried out already" in affray(tmp_path, *words, "--id", "p").out
    assert list_passes(log) == ["*"]
    assert list_declined(log) == list(window.to)
    assert open_from_file(log).state.question is not None
    assert affray(tmp_path, "undo", "stunt.jsonl").code == 0
    assert open_from_file(log).state.window == window
    assert affray(tmp_path, "audit", "stunt.jsonl").code == 0


def test_nobody_is_passed_for_where_no_window_is_open(tmp_path: Path) -> None:
    log = stunt(tmp_path, ends_at="question")
    before = log.read_bytes()
    assert "no window is open now" in affray(tmp_path, "do", "stunt.jsonl", "pass", "*").err
    assert "no window is open now" in play(log, "pass *").out
    assert log.read_bytes() == before


@pytest.mark.parametrize("by", ["answer", "play", "pipe"])
def test_an_answer_says_why_and_is_quoted(tmp_path: Path, by: str) -> None:
    log = stunt(tmp_path, ends_at="question")
    said = 'settled outcome="it lands" because the rope was "old"'
    if by == "answer":
        words = ("settled", "outcome=it lands", "because", "the", "rope", "was", '"old"')
        assert affray(tmp_path, "answer", "stunt.jsonl", *words).code == 0
    elif by == "play":
        play(log, said)
    else:
        intent = {"type": "Said", "words": f"answer {said}"}
        (reply,) = pipe_lines(tmp_path, {"id": "p", "do": "command", "intent": intent}, words=("stunt.jsonl",))
        assert reply["ok"]
    assert answers(log)[-1].reason == 'the rope was "old"'
    assert "– “the rope was 'old'”" in affray(tmp_path, "log", "stunt.jsonl").out


def test_a_reason_may_be_an_option_or_a_part_of_the_intent(tmp_path: Path) -> None:
    stunt(tmp_path, ends_at="question")
    words = ("answer", "stunt.jsonl", "settled", "outcome=it lands", "--reason", "so it is")
    assert affray(tmp_path, *words).code == 0
    assert answers(tmp_path / "stunt.jsonl")[-1].reason == "so it is"


def test_a_reason_of_somebody_who_knows_who_is_hidden_is_sealed_as_that_of_a_ruling(tmp_path: Path) -> None:
    """Until its release; without a hidden combatant all viewers read it."""
    fight = open_from_file(stunt(tmp_path, ends_at="question"))
    submit_accepted(fight, intent_parser.intent(fight, f"rule conceal {next(iter(fight.state.combatants))}", "unseen"))
    (answered, *_) = submit_accepted(
        fight, intent_parser.intent(fight, "answer settled outcome=falls because it is old")
    ).recorded
    assert isinstance(answered.event, Answered)
    assert answered.event.confided
    assert is_sealed_for_words(answered.audience)
    (tmp_path / "open").mkdir()
    fight = open_from_file(stunt(tmp_path / "open", ends_at="question"))
    (answered, *_) = submit_accepted(
        fight, intent_parser.intent(fight, "answer settled outcome=falls because it is old")
    ).recorded
    assert answered.audience is None


def test_because_within_quotes_is_no_reason() -> None:
    assert split_reason('answer go words="I run because I must" because I am late') == (
        ["answer", "go", "words=I run because I must"],
        "I am late",
    )
    assert cut_reason(["go", "because", "I", "am"]) == (["go"], "I am")
    assert split_reason("rule note because") == (["rule", "note", "because"], "")
