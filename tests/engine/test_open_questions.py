"""Questions that list concealed combatants: what viewers read of them when one is revealed."""

from __future__ import annotations

from affray.engine import Command
from affray.events import Asked
from tests.engine.test_hiding import rule
from tests.engine.test_open_parts import among, make_declared
from tests.engine.test_unseen import GLADE, of_type
from tests.engine.twins import Twins, open_events


def test_a_question_lists_who_is_revealed_whether_or_not_another_concealed_one_may_be_chosen() -> None:
    """Concealed Grole is a choice in one of two fights; both ask the question again with the raider."""
    twins = Twins(GLADE, "Grole", hp=1)
    twins.do("gm", "begin")
    twins.do("wren", "roll_initiative")
    twins.do("wren", "begin_turn")
    twins.rule("place", who="raider-a", to="1,0")
    rule(twins.fights[0], "place", who="grole", to="0,1")
    rule(twins.fights[1], "leave", who="grole")
    for fight in twins.fights:
        rule(fight, "conceal", who="raider-a")
        fight.submit(
            Command(id="oak", who="Wren", intent=make_declared("wren", "maneuver", what="climb the oak"), knows=())
        )
        rule(fight, "reveal", who="raider-a")
        *_, asked = of_type(open_events(fight), Asked)
        assert among(asked.options, "by") == ("wren", "raider-a")
    one, other = twins.fights
    assert open_events(one) == open_events(other)
    choices = [among(fight.state.question.options, "by") for fight in twins.fights if fight.state.question is not None]
    assert ["grole" in those for those in choices] == [True, False]
