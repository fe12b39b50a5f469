"""Commands that come at the wrong moment, to the wrong question, roll or window; and what changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from msgspec import Raw

from affray.engine import Amend, Command, Fight, Reused, open_fight
from affray.engine.analysis.explain.provenance_index import ProvenanceIndex
from affray.engine.commands import canonicalize, canonicalize_params
from affray.engine.core.vocabulary import Vocabulary
from affray.engine.core.words import CounterWord
from affray.engine.errors import EngineError, Refused, Unusable
from affray.engine.kit.odds import combine, die, highest_of, lowest_of
from affray.engine.opening import begin_fight
from affray.engine.runtime.offers import (
    AwaitedDice,
    LegalAction,
    OpenPass,
    OpenQuestion,
    list_legal_actions,
    list_movers,
)
from affray.engine.visibility import can_read
from affray.events import (
    Answered,
    AskingSet,
    Closed,
    Declared,
    DiceEntered,
    DieStepped,
    Event,
    ItemCounted,
    ItemMoved,
    MarkSet,
    OfferDeclined,
    Passed,
    Recorded,
    Ruled,
    Source,
    StatChanged,
    WindowClosed,
)
from tests.engine.conftest import two
from tests.engine.fights import SEED, noon, submit_accepted
from tests.engine.memory import MemoryStore
from tests.engine.phases import at_the_brink, at_the_window, in_turn, over, rolling, submit_lines
from tests.engine.test_hiding import SPECTATOR


def make_note(reason: str) -> Ruled:
    return Ruled(kind="note", params=Raw(b'{"text":"x"}'), reason=reason)


ENDS = Declared(actor="nell", kind="end_turn", params=Raw(b"{}"))


def describe_waiting(fight: Fight) -> str:
    state = fight.state
    return state.question.id if state.question else state.awaited.roll if state.awaited else ""


@pytest.mark.parametrize(
    ("moment", "intent", "code", "says"),
    [
        (in_turn, Passed(window="w", who="brand"), "no_such_window", "the window w is not open"),
        (at_the_window, Passed(window="w", who="brand"), "no_such_window", "the window w is not open"),
        (in_turn, Answered(question="q", by="gm", choice="x"), "no_such_question", "nobody is asked q now"),
        (at_the_brink, Answered(question="q", by="gm", choice="x"), "no_such_question", "nobody is asked q now"),
        (in_turn, DiceEntered(roll="r", faces=(1,)), "no_such_roll", "no dice are awaited for r now"),
        (rolling, DiceEntered(roll="r", faces=(1,)), "no_such_roll", "no dice are awaited for r now"),
        (
            at_the_brink,
            Declared(actor="nell", kind="end_turn", params=Raw(b"{}")),
            "action_pending",
            "Brand must first answer",
        ),
        (
            rolling,
            Declared(actor="nell", kind="end_turn", params=Raw(b"{}")),
            "action_pending",
            "must first be entered",
        ),
        (in_turn, make_note(" "), "reason", "a ruling needs a reason"),
        (in_turn, AskingSet(who="zoe", ask="never"), "", "there is no zoe in this fight"),
        (in_turn, AskingSet(who="ilse", ask="now"), "ask", "always, worthwhile, targeted or never"),  # type: ignore[arg-type]
        (in_turn, Closed(), "intent", "Closed is no command's input"),
    ],
)
def test_what_comes_at_the_wrong_moment_changes_nothing(
    moment: Callable[[], Fight], intent: Event, code: str, says: str
) -> None:
    fight = moment()
    before = fight.head, fight.state
    with pytest.raises((Refused, Unusable), match=says) as found:
        fight.submit(Command(id="c", who="gm", intent=intent))
    error: EngineError = found.value
    assert (error.code if isinstance(error, Refused) else error.field) == code  # type: ignore[attr-defined]
    assert (fight.head, fight.state) == before
    if code.startswith("no_such"):
        assert isinstance(error, Refused)
        assert error.source in ("w", "q", "r")


def test_only_who_could_answer_lets_a_window_pass() -> None:
    fight = at_the_window()
    window = fight.state.window
    assert window is not None
    assert window.to == ("brand",)
    with pytest.raises(Refused, match="nell has nothing to pass in this window") as found:
        submit_accepted(fight, Passed(window=window.id, who="nell"))
    assert (found.value.code, found.value.source) == ("not_asked", window.id)
    passes = [one.intent for one in list_legal_actions(fight.ruleset, fight.table) if isinstance(one, OpenPass)]
    assert passes == [Passed(window=window.id, who="brand")]


def test_a_standing_pass_answers_a_window_that_is_open_already() -> None:
    for ask, declined in (("never", True), ("targeted", False), ("worthwhile", False)):
        fight = at_the_window()
        acted_on = submit_accepted(fight, AskingSet(who="brand", ask=ask)).recorded  # type: ignore[arg-type]
        events = [one.event for one in acted_on]
        assert any(isinstance(one, OfferDeclined) and one.standing for one in events) == declined
        assert any(isinstance(one, WindowClosed) and one.how == "passed" for one in events) == declined
    other = at_the_window()
    assert len(submit_accepted(other, AskingSet(who="nell", ask="never")).recorded) == 1


def test_what_is_legal_is_what_is_waited_for() -> None:
    (asked,) = list_legal_actions(at_the_brink().ruleset, at_the_brink().table)
    assert isinstance(asked, OpenQuestion)
    assert asked.of == ("brand",)
    fight = rolling()
    (faces,) = list_legal_actions(fight.ruleset, fight.table)
    assert isinstance(faces, AwaitedDice)
    assert (faces.roll, faces.by) == (describe_waiting(fight), "ilse")
    fight = in_turn()
    kinds = {one.intent.actor for one in list_legal_actions(fight.ruleset, fight.table) if isinstance(one, LegalAction)}
    assert kinds == {who for who, _ in list_movers(fight.ruleset, fight.table)} - {"gm"} == {"ilse", "brand"}
    assert list(list_legal_actions(over().ruleset, over().table)) == []


def test_an_answer_sent_again_is_the_same_only_as_an_answer() -> None:
    fight = at_the_brink()
    answer = Answered(question=describe_waiting(fight), by="brand", choice="forfeit")
    options = {one.choice for one in fight.state.question.options} if fight.state.question else set()
    answer = msgspec.structs.replace(answer, choice=min(options))
    fight.submit(Command(id="once", who="gm", intent=answer))
    assert fight.submit(Command(id="once", who="gm", intent=answer)).repeated
    for other in (
        msgspec.structs.replace(answer, by="gm"),
        msgspec.structs.replace(answer, choice=max(options)),
        make_note("so"),
    ):
        with pytest.raises(Reused):
            fight.submit(Command(id="once", who="gm", intent=other))


def test_looking_at_an_amendment_leaves_the_fight_where_it_is() -> None:
    """The state is unchanged even if the preview drew unseen dice, which are recorded."""
    fight = submit_lines(at_the_window(), "pass brand")
    declared = next(
        one for one in fight.history.recorded if isinstance(one.event, Declared) and one.event.kind == "attack"
    )
    before = fight.state
    foe = Declared(actor="ilse", kind="attack", params=Raw(b'{"target":"nell"}'))
    for instead in ((), (foe,)):
        try:
            seen = fight.preview(
                Amend(position=declared.position, instead=instead, reason="so"), "gm", f"look-{len(instead)}"
            )
        except (Refused, Unusable):
            continue
        assert fight.state == before
        assert ("look-1" in fight.history.commands) == bool(seen.drawn and instead)
    submit_accepted(fight, make_note("so"))
    assert fight.state.stack == before.stack


def test_a_fight_in_which_somebody_hides_goes_on_sealed_when_it_is_opened_again() -> None:
    encounter: dict[str, Any] = two()
    encounter["combatant"][1]["concealed"] = True
    for hides in (True, False):
        content = encounter if hides else two()
        store = MemoryStore()
        begin_fight("duel", content, who="gm", seed=SEED, store=store, clock=noon)
        fight = open_fight("duel", store, clock=noon, salts=lambda: "5a17" * 8)
        ruled = Ruled(kind="note", params=Raw(b'{"text":"Brand waits"}'), reason="so")
        recorded = fight.submit(Command(id="c", who="gm", intent=ruled)).recorded
        assert [can_read(SPECTATOR, one) for one in recorded] == [not hides, not hides]
        assert {one.salt for one in recorded} == {"5a17" * 8 if hides else ""}


# --- how commands are written, and what granted a number ---


def test_a_command_is_written_in_one_way() -> None:
    spaced = Ruled(kind="note", params=Raw(b'{ "text" : "x" }'), reason="so")
    plain = make_note("so")
    broken = Ruled(kind="note", params=Raw(b'{"text":'), reason="so")
    assert canonicalize_params(spaced) == plain
    assert canonicalize_params(plain) is plain
    assert canonicalize_params(broken) is broken
    assert canonicalize(Command(id="c", who="gm", intent=spaced)).intent == plain
    command = Command(id="c", who="gm", intent=plain)
    assert canonicalize(command) is command
    amend = Amend(position=2, instead=(spaced, broken), answers=(spaced,), reason="x")
    assert canonicalize(Command(id="c", who="gm", intent=amend)).intent == msgspec.structs.replace(
        amend, instead=(plain, broken), answers=(plain,)
    )
    stands = AskingSet(who="ilse", ask="never")
    assert canonicalize_params(stands) is stands
    declared = Declared(actor="a", kind="b", params=Raw(b"{}"), manner="".join(("stan", "dard")))
    assert b"manner" not in msgspec.json.encode(canonicalize_params(declared))


USED = Vocabulary(counters={name: CounterWord(role="flag") for name in ("broken", "loaded")})
"""Words of rules in which a thing can be so."""


def index(*events: Event) -> ProvenanceIndex:
    told = [Recorded(nth, "t", "gm", "c", "", one) for nth, one in enumerate(events, 1)]
    return ProvenanceIndex(told, range(1, len(told) + 1), USED)


def test_what_only_moved_or_used_a_thing_did_not_grant_a_number() -> None:
    def counted(counter: str, after: int) -> ItemCounted:
        return ItemCounted(item="axe", counter=counter, before=9, after=after)

    moved, stepped = (
        ItemMoved(item="axe", owner="al", before="", after="hand"),
        DieStepped(item="axe", before=8, after=6),
    )
    spent = DieStepped(item="axe", before=4, after=0)
    for events, value, at in (
        ((counted("bonus", 2), moved), 2, 1),
        ((counted("bonus", 2), moved), -2, 1),
        ((counted("bonus", 2), moved), 3, 0),
        ((counted("loaded", 1), moved), 1, 0),
        ((counted("broken", 1),), 1, 0),
        ((stepped, moved), 3, 1),
        ((stepped, spent), 3, 1),
        ((counted("bonus", 2), counted("bonus", 1)), 2, 1),
    ):
        assert index(*events).find_last_valuable("axe", value, 9) == at
    twice = index(counted("bonus", 2), counted("bonus", 2))
    assert [twice.find_last_valuable("axe", 2, before) for before in (1, 2, 3)] == [0, 1, 2]
    struck = index(MarkSet(owner="al", key="rain", value=1), MarkSet(owner="al", key="rain", value=None))
    assert [struck.find_last_valuable(Source(of="al", name="rain"), 1, before) for before in (2, 3)] == [1, 0]
    sheet = index(StatChanged(who="al", stat="dex", before=1, after=2))
    assert (sheet.find_last("al.dex", 2), sheet.find_last("al.dex", 1), sheet.find_last("al.str", 2)) == (1, 0, 0)


@pytest.mark.parametrize("sides", [1, 2, 3, 5, 8])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_the_highest_and_lowest_of_several_dice_count_every_way(count: int, sides: int) -> None:
    dice = [die(sides)] * count
    assert dict(highest_of(count, sides)) == dict(combine(lambda *faces: max(faces), *dice))
    assert dict(lowest_of(count, sides)) == dict(combine(lambda *faces: min(faces), *dice))
    assert list(lowest_of(count, sides)) == list(range(sides, 0, -1))


READIED = Declared(
    actor="brand", kind="attack", params=Raw(b'{"target":"ilse","weapon":"brand.sword"}'), manner="readied"
)


def test_a_ruling_that_takes_away_what_is_pending_on_top_lets_that_below_go_on() -> None:
    """And nothing goes on where it took something from below, while dice are awaited on top."""
    for nth, left in ((0, 1), (1, 0)):
        fight = submit_lines(in_turn(), "rule pool ilse health to=6", "rule dice brand entered", "ilse attack brand")
        submit_accepted(fight, READIED)
        attack, answer = (one.id for one in fight.state.stack)
        assert describe_waiting(fight) == f"{answer}/attack"
        cancel = Ruled(kind="cancel", params=Raw(msgspec.json.encode({"item": (attack, answer)[nth]})), reason="so")
        kinds = [type(one.event).__name__ for one in submit_accepted(fight, cancel).recorded]
        assert [one.id for one in fight.state.stack] == [answer][:left]
        if left:
            assert (kinds, describe_waiting(fight)) == (["Ruled", "Dropped"], f"{answer}/attack")
        else:
            assert kinds[:5] == ["Ruled", "Withdrawn", "Dropped", "PhaseEntered", "PhaseEntered"]
            assert (kinds[-2:], fight.state.phase) == (["Resolved", "PhaseEntered"], "turn")
