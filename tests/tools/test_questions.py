"""Every question says who is asked what, about which roll, and what is at stake; no two in a row are alike."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from itertools import combinations
from random import Random

import pytest

from affray.engine import Fight, begin_fight
from affray.engine.analysis.policies import choose_anything
from affray.engine.core.loading import load
from affray.events import Answered, Scalar, topic_of
from affray.tools.api.legal_actions import list_actors
from affray.tools.api.schemas.legal_actions import MayAnswer
from affray.tools.cli.play.completion_grammar import answered_next
from affray.tools.present.typed_choices import list_choices
from tests.engine.encounters import load_shipped_encounters
from tests.engine.fights import SEED, noon, salt, submit_accepted
from tests.rulesets.statistics import make_declaration, open_unstored_fight
from tests.rulesets.systems import PRESENT
from tests.rulesets.vestige.fights import FIGHTER, begin_vestige_fight, rule_in_vestige

COMMANDS = 60

ELSE = {"luck", "sunder", "riposte", "guard", "dodge"}
"""Options that not everybody has."""

COME_TO = {
    "hexblade": {"fate", "test"},
    "verdigris": {"opportunity", "push"},
    "vestige": {"forfeit", "provoked"},
    "wwn": {"free_attack"},
    "wyrd": {"damage", "defence"},
}
"""What is surely asked in the fights that are played here."""


@cache
def collect_questions(system: str) -> dict[str, list[MayAnswer]]:
    """Return the questions that occur in a system's random fights, by topic."""
    found: dict[str, list[MayAnswer]] = defaultdict(list)
    for nth, (name, told) in enumerate(load_shipped_encounters().items()):
        if name.startswith(f"{system}/"):
            fight, chance = (
                begin_fight("asks", told, who="gm", seed=SEED, clock=noon, salts=salt),
                Random({"wyrd": 415, "hexblade": 456, "verdigris": 458}.get(system, 455) + nth),
            )
            last: MayAnswer | None = None
            for _ in range(COMMANDS):
                now = question_of(fight)
                if now is not None:
                    assert last is None or (now.says, now.rolled) != (last.says, last.rolled) or now.of != last.of
                    found[topic_of(now.about)].append(now)
                last = now
                intent = None if fight.state.ended else choose_anything(fight, chance)
                if intent is None:
                    break
                submit_accepted(fight, intent)
    return found


def question_of(fight: Fight) -> MayAnswer | None:
    """Return what is asked now, if anything."""
    return next((one for one in list_actors(fight).waits if isinstance(one, MayAnswer)), None)


@pytest.mark.parametrize("system", PRESENT)
def test_a_question_says_whom_it_asks_what_and_what_is_at_stake(system: str) -> None:
    found = collect_questions(system)
    assert found.keys() >= COME_TO[system]
    for questions in found.values():
        for one in questions:
            assert one.says.endswith("?") or one.rolled
            assert one.rolled in one.says  # a question that is about no roll shows none
            assert "is asked about" not in one.says
            assert "the game master:" not in one.says.lower()
            assert one.stakes.keys() == {option.choice for option in one.options}
            assert all(one.stakes.values())


@pytest.mark.parametrize("system", PRESENT)
def test_whatever_a_system_can_ask_has_a_sentence_and_stakes_of_its_options(system: str) -> None:
    words = load(system).vocabulary.questions
    assert [topic for topic, word in words.items() if not word.says] == []
    for topic, questions in collect_questions(system).items():
        assert words[topic].stakes.keys() <= {option for one in questions for option in one.stakes} | ELSE


def test_two_pushes_in_a_row_are_told_apart_by_their_rolls() -> None:
    """The roller and the purpose, with all dice and the successes so far."""
    pushes = collect_questions("verdigris")["push"]
    assert all(one.rolled and one.rolled in one.says and " sixes of " in one.rolled for one in pushes)
    assert {one.rolled.partition(" rolls ")[2].partition(":")[0] for one in pushes} >= {"for attack", "to dodge"}


def test_nobody_is_asked_how_far_the_dead_are() -> None:
    """On the page, the pipe and the command line; who lies helpless still counts, and words may name the dead."""
    people = [{**FIGHTER, "name": name, "side": side} for name, side in (("Ada", "us"), ("Bo", "them"), ("Cy", "them"))]
    apart = [{"between": [one, other], "metres": 9} for one, other in combinations(("ada", "bo", "cy"), 2)]
    fight = begin_vestige_fight(open_unstored_fight({"system": "vestige", "combatant": people, "distance": apart}))
    rule_in_vestige(fight, "condition", who="bo", condition="dead")
    rule_in_vestige(fight, "pool", who="cy", pool="health", to=0)
    submit_accepted(fight, make_declaration("ada", "move", metres=3))
    now = question_of(fight)
    assert now is not None
    assert [[one.about for one in option.fields] for option in now.options] == [["cy"]]
    assert [line for line in list_choices(fight) if "[" in line] == [
        "answer stated [cy=6–12]  (how many metres Ada is from each now)"
    ]
    assert [one.word for one in answered_next(fight, ["stated"])] == [f"cy={metres}" for metres in range(6, 13)]
    about: dict[str, dict[str, Scalar]] = {"bo": {"distance": 6}, "cy": {"distance": 8}}
    submit_accepted(fight, Answered(question=now.question, by="gm", choice="stated", about=about))
    assert fight.state.distances["ada"]["bo"] == 6
