"""The place of an action on the stack, and its clauses (VES-046 to VES-049, VES-T37 to VES-T43)."""

from __future__ import annotations

from affray.engine.fight import Fight
from affray.engine.rulesets.vestige.chapters.ready import precedence
from affray.events import Answered, ConditionChanged, Declared
from tests.rulesets.statistics import params, submit_intent
from tests.rulesets.vestige.fights import act_in_vestige, begin_vestige_fight, four, rule_in_vestige

TAGGED = ("initiative",)


def open_with_tokens() -> Fight:
    """Return a fight on Ada's turn; the others hold two tokens each and all know Lunge."""
    sword = {"weapons": ["sword"], "skills": ["lunge"], "ep": 5}
    fight = begin_vestige_fight(
        four({"readied_max": 2}, bo=sword, cy={**sword, "at": "1,1"}, di={**sword, "at": "2,0"})
    )
    for who in ("bo", "cy", "di"):
        rule_in_vestige(fight, "condition", who=who, condition="readied", count=2)
    return fight


def announce_token(fight: Fight, who: str, kind: str, **said: str) -> None:
    """Let a combatant answer with a token."""
    submit_intent(fight, Declared(actor=who, kind=kind, params=params(**said), manner="readied"))


def test_what_is_no_answer_goes_on_top() -> None:
    fight = open_with_tokens()
    for manner in ("standard", "provoked", "ruled", "first"):
        assert precedence(fight.table, manner, ()) == (0, ())
        assert precedence(fight.table, manner, TAGGED) == (0, ("VES-T05",))
    act_in_vestige(fight, "ada", "attack", target="bo")
    assert precedence(fight.table, "provoked", ()) == (1, ())


def test_with_nothing_pending_an_answer_makes_a_stack_of_its_own() -> None:
    fight = open_with_tokens()
    assert precedence(fight.table, "readied", ()) == (0, ("VES-T43",))
    assert precedence(fight.table, "readied", TAGGED) == (0, ("VES-T05", "VES-T43"))


def test_an_answer_goes_before_what_is_not_tagged() -> None:
    """Before another answer, too."""
    fight = open_with_tokens()
    act_in_vestige(fight, "ada", "attack", target="bo")
    assert precedence(fight.table, "readied", ()) == (1, ("VES-046",))
    assert precedence(fight.table, "readied", TAGGED) == (1, ("VES-T05", "VES-046", "VES-T38"))
    announce_token(fight, "bo", "attack", target="ada")
    assert precedence(fight.table, "readied", ()) == (2, ("VES-046", "VES-T37"))


def test_an_untagged_answer_goes_below_all_that_is_tagged_on_top() -> None:
    """Down to the first that is not, or to the bottom; a tagged one goes before them."""
    fight = open_with_tokens()
    act_in_vestige(fight, "ada", "skill", skill="lunge", target="bo")
    tagged = ("VES-T05", "VES-046", "VES-T38", "VES-049")
    assert precedence(fight.table, "readied", ()) == (0, ("VES-048", "VES-T39"))
    assert precedence(fight.table, "readied", TAGGED) == (1, tagged)
    announce_token(fight, "bo", "skill", skill="lunge", target="ada")
    assert precedence(fight.table, "readied", ()) == (0, ("VES-048", "VES-T39"))
    fight = open_with_tokens()
    act_in_vestige(fight, "ada", "attack", target="bo")
    announce_token(fight, "bo", "attack", target="ada")
    announce_token(fight, "cy", "skill", skill="lunge", target="bo")
    announce_token(fight, "di", "skill", skill="lunge", target="cy")
    assert precedence(fight.table, "readied", ()) == (2, ("VES-048", "VES-T39", "VES-046", "VES-T37"))
    assert precedence(fight.table, "readied", TAGGED) == (4, tagged)


def test_a_provoked_attack_is_answered_like_any_other() -> None:
    fight = open_with_tokens()
    act_in_vestige(fight, "ada", "move", to="-3,0")
    rule_in_vestige(fight, "close")
    assert fight.state.question is not None
    submit_intent(fight, Answered(question=fight.state.question.id, by="bo", choice="strike"))
    assert precedence(fight.table, "readied", ()) == (2, ("VES-046", "VES-T42"))


def list_token_clauses(fight: Fight, who: str, kind: str, **said: str) -> tuple[str, ...]:
    """Return the clauses by which a token is played."""
    before = fight.head
    announce_token(fight, who, kind, **said)
    events = (one.event for one in fight.history.recorded[before:])
    return next(one.rules for one in events if isinstance(one, ConditionChanged))


def test_a_token_is_played_by_what_it_answers() -> None:
    """An own action, another's, or none; by a shift, a blow and a skill; at the brink as usual."""
    fight = open_with_tokens()
    assert list_token_clauses(fight, "bo", "shift", to="1,-1") == ("VES-043",)
    assert list_token_clauses(fight, "cy", "shift", to="0,1") == ("VES-043", "VES-044")
    assert list_token_clauses(fight, "cy", "attack", target="bo") == ("VES-043", "VES-045", "VES-T44")
    fight = open_with_tokens()
    rule_in_vestige(fight, "pool", who="bo", pool="health", to=0)
    act_in_vestige(fight, "ada", "attack", target="bo")
    assert list_token_clauses(fight, "bo", "attack", target="ada") == ("VES-043", "VES-045", "VES-057")
    assert list_token_clauses(fight, "cy", "skill", skill="lunge", target="bo") == ("VES-043",)
    assert list_token_clauses(fight, "bo", "shift", to="1,-1") == ("VES-043", "VES-044", "VES-T44", "VES-057")
