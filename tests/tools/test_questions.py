"""Every question says who is asked what, about which roll, and what is at stake; no two in a row are alike."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from random import Random

import pytest

from affray.engine import Fight, begin_fight
from affray.engine.analysis.policies import anything
from affray.engine.core.ruleset import load
from affray.events import topic_of
from affray.tools.legal import who_may
from affray.tools.may import MayAnswer
from tests.engine.encounters import shipped
from tests.engine.fights import SEED, acted, noon
from tests.rulesets.systems import PRESENT

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
def asked(system: str) -> dict[str, list[MayAnswer]]:
    """Return the questions that come up in fights of a system in which anything is done, by what they are about."""
    found: dict[str, list[MayAnswer]] = defaultdict(list)
    for nth, (name, told) in enumerate(shipped().items()):
        if name.startswith(f"{system}/"):
            fight, chance = begin_fight("asks", told, who="gm", seed=SEED, clock=noon), Random(nth)
            last: MayAnswer | None = None
            for _ in range(COMMANDS):
                now = question_of(fight)
                if now is not None:
                    assert last is None or (now.says, now.rolled) != (last.says, last.rolled) or now.of != last.of
                    found[topic_of(now.about)].append(now)
                last = now
                intent = None if fight.state.ended else anything(fight, chance)
                if intent is None:
                    break
                acted(fight, intent)
    return found


def question_of(fight: Fight) -> MayAnswer | None:
    """Return what is asked now, if anything."""
    return next((one for one in who_may(fight).waits if isinstance(one, MayAnswer)), None)


@pytest.mark.parametrize("system", PRESENT)
def test_a_question_says_whom_it_asks_what_and_what_is_at_stake(system: str) -> None:
    found = asked(system)
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
    for topic, questions in asked(system).items():
        assert words[topic].stakes.keys() <= {option for one in questions for option in one.stakes} | ELSE


def test_two_pushes_in_a_row_are_told_apart_by_their_rolls() -> None:
    """Who rolls for what, with all dice and the successes so far."""
    pushes = asked("verdigris")["push"]
    assert all(one.rolled and one.rolled in one.says and " sixes of " in one.rolled for one in pushes)
    assert {one.rolled.partition(" rolls for ")[2].partition(":")[0] for one in pushes} >= {"attack", "dodge"}
