"""Why something cannot be declared or answered: tried at chosen moments, without recording anything."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec
import pytest
from msgspec import Raw

from affray.engine import FileStore, Unusable, open_fight
from affray.engine.analysis.explain import explain_refusal, rebuild_fight_at
from affray.engine.errors import Refused
from affray.engine.fight import Fight
from affray.events import Answered, Declared
from affray.tools.parse import intent_parser
from affray.tools.present.story.narration import tell
from affray.tools.present.story.words import names_of

from .shoving import shoving

REPLAYS = Path(__file__).parents[2] / "replays"


@cache
def load_refused_fight(name: str) -> Fight:
    system, _, stem = name.partition("/")
    return open_fight(stem, FileStore(REPLAYS / system))


def explain_words(name: str, at: int, words: str) -> tuple[object, ...]:
    this = load_refused_fight(name)
    then = rebuild_fight_at(this, at)
    head = this.head
    found = explain_refusal(then, intent_parser.declaration(then, words.split()))
    assert load_refused_fight(name).head == head
    return found.allowed, found.by, found.guard, found.code, found.rule, found.made_so


@pytest.mark.parametrize(
    ("name", "at", "words", "code", "made_so"),
    [
        ("verdigris/ogre-cave", 1189, "ada reload", "VER-015", "Ada's action 1 → 0"),
        ("hexblade/before-the-palisade", 826, "scout attack raider-c", "HEX-009", "Scout's actions 1 → 0"),
        (
            "wyrd/powder-on-the-heath",
            480,
            "robber-c engage master-quill",
            "incapacitated",
            "Robber C is out of the fight",
        ),
        ("wwn/surprise-and-shock", 476, "brute move", "not_active", "Brute has fled"),
        ("vestige/first-blow", 1352, "odo reload", "already_loaded", "Odo's crossbow is loaded"),
        ("vestige/dice-from-the-table", 197, "bandit-a attack tomas", "out_of_range", "Tomas joins the heroes at 0,3"),
    ],
)
def test_in_every_system_a_refusal_names_the_event(name: str, at: int, words: str, code: str, made_so: str) -> None:
    """The event that last set what the rules read: a condition, a pool, an item or a place."""
    this = load_refused_fight(name)
    then = rebuild_fight_at(this, at)
    found = explain_refusal(then, intent_parser.declaration(then, words.split()))
    told = tell(this.history.at(found.made_so[0]).event, names_of(this.history.recorded), verbose=True)
    assert (found.allowed, found.code) == (False, code)
    assert told is not None
    assert told.startswith(made_so)


@pytest.mark.parametrize(
    ("at", "words", "verdict"),
    [
        (158, "nell attack vesna", (False, "phase", "", "action_pending", "VES-T27", (157, 158))),
        (150, "nell attack vesna", (False, "guard", "must_have_turn", "not_your_turn", "VES-008", (136,))),
        (150, "nell announce attack vesna", (False, "guard", "must_hold_token", "nothing_readied", "VES-042", ())),
        (150, "vesna attack nell", (False, "check", "", "not_loaded", "VES-029", (150,))),
        (166, "vesna attack nell", (False, "check", "", "no_standard_action", "VES-009", (155,))),
        (113, "vesna attack maren", (False, "awaited", "", "action_pending", "VES-056", (113,))),
        (150, "vesna end_turn", (True, "", "", "", "", ())),
    ],
)
def test_why_not_names_who_refuses_and_what_made_it_so(at: int, words: str, verdict: tuple[object, ...]) -> None:
    found = explain_words("vestige/undo-and-redo", at, words)
    assert found == verdict


@pytest.mark.parametrize(
    ("name", "at", "words"),
    [
        ("vestige/dice-from-the-table", 197, "bandit-a attack tomas"),
        ("vestige/undo-and-redo", 150, "nell attack vesna"),
        ("wyrd/powder-on-the-heath", 465, "robber-c engage master-quill"),
        ("wwn/surprise-and-shock", 476, "brute move"),
    ],
)
def test_what_made_it_so_does_not_depend_on_how_a_refusal_is_worded(
    monkeypatch: pytest.MonkeyPatch, name: str, at: int, words: str
) -> None:
    """The cause is found by the facts that the rules read, not by the refusal's text."""
    said = explain_words(name, at, words)
    worded = Refused.__init__

    def wordless(no: Refused, code: str, rule: str, message: str, source: str = "", *, example: str = "") -> None:
        worded(no, code, rule, "no", source, example=example)

    monkeypatch.setattr(Refused, "__init__", wordless)
    assert said[-1]
    assert explain_words(name, at, words) == said


def test_what_is_no_action_is_refused_as_the_rules_do() -> None:
    dance = Declared(actor="nell", kind="dance", params=Raw(b"{}"))
    found = explain_refusal(rebuild_fight_at(load_refused_fight("vestige/undo-and-redo"), 150), dance)
    assert (found.allowed, found.by, found.code, found.rule) == (False, "kind", "not_a_standard_action", "VES-011")


def test_the_present_is_asked_without_being_moved() -> None:
    """The same query gives the same answer twice, and the fight is unchanged."""
    this = load_refused_fight("vestige/undo-and-redo")
    assert rebuild_fight_at(this) is this
    intent = intent_parser.declaration(this, ["nell", "attack", "vesna"])
    state, head = this.state, this.head
    assert explain_refusal(this, intent) == explain_refusal(this, intent)
    assert (this.state, this.head) == (state, head)


@pytest.mark.parametrize("position", [0, -1, 10_000])
def test_a_refusal_at_a_missing_position_is_unusable(position: int) -> None:
    with pytest.raises(Unusable, match="must be from 1 to"):
        rebuild_fight_at(load_refused_fight("vestige/first-blow"), position)


def test_a_moment_that_the_present_rules_would_leave_differently_is_judged_as_recorded() -> None:
    """The state is folded, not decided again, so that an old fight can be asked too."""
    name = "vestige/delay-and-reinsertion"
    assert explain_words(name, 151, "ilse attack tomas")[0] is False


@pytest.mark.parametrize(
    ("words", "by", "verdict"),
    [
        ("answer refuse", "", (True, "", "", [])),
        ("answer test roll=strength", "ash", (False, "asked", "not_asked", ["Asked"])),
        ("answer free_attack by=brute", "", (True, "", "", [])),
        ("answer free_attack by=bo", "", (False, "question", "HEX-G03", ["ConditionChanged"])),
    ],
)
def test_an_answer_can_be_asked_about_like_a_declaration(words: str, by: str, verdict: tuple[object, ...]) -> None:
    """``answer`` queries an answer to the pending question; its refusal and the cause are named."""
    this = shoving()
    state, head = this.state, this.head
    intent = intent_parser.parse_question(this, words.split())
    assert isinstance(intent, Answered)
    found = explain_refusal(this, msgspec.structs.replace(intent, by=by or intent.by))
    made_so = [type(this.history.at(one).event).__name__ for one in found.made_so]
    assert (found.allowed, found.by, found.code, made_so) == verdict
    assert (this.state, this.head) == (state, head)


def test_an_answer_to_what_is_asked_no_more_is_told_from_one_the_question_does_not_take() -> None:
    """The question that waits is named by its id; what is no answer to it at all cannot be understood."""
    this = shoving()
    assert this.state.question is not None
    stale = Answered(question="1/ash/9/test", by="gm", choice="refuse")
    assert (explain_refusal(this, stale).by, explain_refusal(this, stale).code) == ("asked", "no_such_question")
    with pytest.raises(Unusable, match="perhaps is no answer to test"):
        explain_refusal(this, intent_parser.parse_question(this, ["answer", "perhaps"]))
    with pytest.raises(Unusable, match="nobody is asked anything now"):
        intent_parser.parse_question(load_refused_fight("vestige/first-blow"), ["answer", "yes"])
