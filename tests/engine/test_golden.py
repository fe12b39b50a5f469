"""The texts about recorded fights stay the same until a person has reviewed a change."""

from __future__ import annotations

import pytest

from tests.engine.golden import FIGHTS, TOPICS, load_golden_lines, load_told_fight


@pytest.mark.parametrize("topic", TOPICS)
@pytest.mark.parametrize("name", FIGHTS)
def test_what_is_said_of_a_recorded_fight_is_what_was_looked_at(name: str, topic: str) -> None:
    told = list(TOPICS[topic](load_told_fight(name)))
    assert told == load_golden_lines(topic, name), "run python -m tests.engine.golden, and look at what it changed"
