"""Where an action goes on the stack, and by which clauses (VES-046 to VES-049, VES-T37 to VES-T43)."""

from __future__ import annotations

from affray.engine.fight import Fight
from affray.engine.rulesets.vestige.chapters.ready import precedence
from affray.events import Answered, ConditionChanged, Declared
from tests.rulesets.statistics import acted, params
from tests.rulesets.vestige.fights import begun, done, four, ruled

TAGGED = ("initiative",)


def armed() -> Fight:
    """Return a fight in Ada's turn, in which the others hold two tokens each and all know Lunge."""
    sword = {"weapons": ["sword"], "skills": ["lunge"], "ep": 5}
    fight = begun(four({"readied_max": 2}, bo=sword, cy={**sword, "at": "1,1"}, di={**sword, "at": "2,0"}))
    for who in ("bo", "cy", "di"):
        ruled(fight, "condition", who=who, condition="readied", count=2)
    return fight


def announced(fight: Fight, who: str, kind: str, **said: str) -> None:
    """Let somebody answer with a token."""
    acted(fight, Declared(actor=who, kind=kind, params=params(**said), manner="readied"))


def test_what_is_no_answer_goes_on_top() -> None:
    fight = armed()
    for manner in ("standard", "provoked", "ruled", "first"):
        assert precedence(fight.table, manner, ()) == (0, ())
        assert precedence(fight.table, manner, TAGGED) == (0, ("VES-T05",))
    done(fight, "ada", "attack", target="bo")
    assert precedence(fight.table, "provoked", ()) == (1, ())


def test_with_nothing_pending_an_answer_makes_a_stack_of_its_own() -> None:
    fight = armed()
    assert precedence(fight.table, "readied", ()) == (0, ("VES-T43",))
    assert precedence(fight.table, "readied", TAGGED) == (0, ("VES-T05", "VES-T43"))


def test_an_answer_goes_before_what_is_not_tagged() -> None:
    """Before another answer, too."""
    fight = armed()
    done(fight, "ada", "attack", target="bo")
    assert precedence(fight.table, "readied", ()) == (1, ("VES-046",))
    assert precedence(fight.table, "readied", TAGGED) == (1, ("VES-T05", "VES-046", "VES-T38"))
    announced(fight, "bo", "attack", target="ada")
    assert precedence(fight.table, "readied", ()) == (2, ("VES-046", "VES-T37"))


def test_an_untagged_answer_goes_below_all_that_is_tagged_on_top() -> None:
    """Down to the first that is not, or to the bottom; a tagged one goes before them."""
    fight = armed()
    done(fight, "ada", "skill", skill="lunge", target="bo")
    tagged = ("VES-T05", "VES-046", "VES-T38", "VES-049")
    assert precedence(fight.table, "readied", ()) == (0, ("VES-048", "VES-T39"))
    assert precedence(fight.table, "readied", TAGGED) == (1, tagged)
    announced(fight, "bo", "skill", skill="lunge", target="ada")
    assert precedence(fight.table, "readied", ()) == (0, ("VES-048", "VES-T39"))
    fight = armed()
    done(fight, "ada", "attack", target="bo")
    announced(fight, "bo", "attack", target="ada")
    announced(fight, "cy", "skill", skill="lunge", target="bo")
    announced(fight, "di", "skill", skill="lunge", target="cy")
    assert precedence(fight.table, "readied", ()) == (2, ("VES-048", "VES-T39", "VES-046", "VES-T37"))
    assert precedence(fight.table, "readied", TAGGED) == (4, tagged)


def test_a_provoked_attack_is_answered_like_any_other() -> None:
    fight = armed()
    done(fight, "ada", "move", to="-3,0")
    ruled(fight, "close")
    assert fight.state.question is not None
    acted(fight, Answered(question=fight.state.question.id, by="bo", choice="strike"))
    assert precedence(fight.table, "readied", ()) == (2, ("VES-046", "VES-T42"))


def cited(fight: Fight, who: str, kind: str, **said: str) -> tuple[str, ...]:
    """Return the clauses by which a token is played."""
    before = fight.head
    announced(fight, who, kind, **said)
    events = (one.event for one in fight.history.recorded[before:])
    return next(one.rules for one in events if isinstance(one, ConditionChanged))


def test_a_token_is_played_by_what_it_answers() -> None:
    """What is one's own, what is another's, nothing at all; by a shift, a blow and a skill; at the brink as ever."""
    fight = armed()
    assert cited(fight, "bo", "shift", to="1,-1") == ("VES-043",)
    assert cited(fight, "cy", "shift", to="0,1") == ("VES-043", "VES-044")
    assert cited(fight, "cy", "attack", target="bo") == ("VES-043", "VES-045", "VES-T44")
    fight = armed()
    ruled(fight, "pool", who="bo", pool="health", to=0)
    done(fight, "ada", "attack", target="bo")
    assert cited(fight, "bo", "attack", target="ada") == ("VES-043", "VES-045", "VES-057")
    assert cited(fight, "cy", "skill", skill="lunge", target="bo") == ("VES-043",)
    assert cited(fight, "bo", "shift", to="1,-1") == ("VES-043", "VES-044", "VES-T44", "VES-057")
