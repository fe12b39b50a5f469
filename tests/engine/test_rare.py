"""Rare cases: third-party rule systems, invalid openings and records, closed fights."""

from __future__ import annotations

from pathlib import Path
from shutil import copy
from typing import Any

import pytest
from msgspec import Raw
from msgspec.structs import replace

from affray.engine import Close, Command, Fight, FileStore, Stir, begin_fight, open_fight
from affray.engine import opening as opening_of
from affray.engine.analysis.explain import explain_refusal
from affray.engine.core import loading as loading_of
from affray.engine.core.actions import Action, Ruling
from affray.engine.core.draft import Draft
from affray.engine.core.groups.corrections import tidy_nothing
from affray.engine.core.groups.encounters import EncounterRules
from affray.engine.core.loading import available, load, template
from affray.engine.core.state import State
from affray.engine.core.table import Table
from affray.engine.errors import Diverged, Refused, Unusable
from affray.engine.history import timeline as history_of
from affray.engine.kit.odds import list_odds_tables
from affray.events import (
    FORMAT,
    Answered,
    Declared,
    FormatRaised,
    Malformed,
    Noted,
    PhaseEntered,
    Restored,
    Rewound,
    Ruled,
    RulesetAdopted,
    Senseless,
)
from tests.engine.conftest import two
from tests.engine.fights import SEED, noon, submit_accepted
from tests.engine.histories import also, history, make_note_ruling
from tests.engine.memory import MemoryStore
from tests.engine.phases import at_the_brink, at_the_window, in_turn, rolling

TABLE = Table(Draft(State()), None)


class Rests(Action, frozen=True, kw_only=True):
    """Does nothing."""

    kind = "rests"


class Says(Ruling, frozen=True, kw_only=True):
    """Changes nothing."""

    kind = "says"


REPLAYS = Path(__file__).parents[2] / "replays"


def test_an_action_or_ruling_that_says_nothing_else_does_nothing() -> None:
    """It may be declared, without parameters in one way, and comes to nothing."""
    rests = Rests()
    rests.check(TABLE, "al", "standard")
    rests.check_ground(TABLE, "al")
    Says().check(TABLE)
    assert (list(rests.pay(TABLE, "al", "s")), list(rests.resolve(TABLE, "al")), list(Says().decide(TABLE))) == (
        [],
        [],
        [],
    )
    assert (rests.tags(TABLE, "al"), rests.targets(), rests.trigger("declare")) == ((), (), "declare")
    assert (Rests.by_gm, Rests.stacks, Says().may_name(TABLE, "al")) == (False, True, False)
    assert list(tidy_nothing(TABLE)) == []


def test_a_system_of_others_is_found_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """And comes before one of ours that is called the same."""
    theirs = replace(load("vestige"), name="theirs", package="affray.events")

    class Entry:
        name = "theirs"

        def load(self) -> Any:
            return theirs

    def entries(*, group: str, name: str = "theirs") -> list[Entry]:
        assert group == "affray.rulesets"
        return [Entry()] if name == "theirs" else []

    monkeypatch.setattr(loading_of, "entry_points", entries)
    ours = available.__wrapped__()
    assert ours == tuple(sorted((*available(), "theirs")))
    monkeypatch.setattr(loading_of, "available", lambda: ours)
    assert load.__wrapped__("theirs") is theirs
    assert load.__wrapped__("wyrd") is load("wyrd")
    with pytest.raises(Unusable, match=f"there is no rule system chess; there are {', '.join(ours)}") as found:
        load.__wrapped__("chess")
    assert found.value.field == "system"
    assert (list_odds_tables(theirs), template(theirs), bool(list_odds_tables(load("vestige")))) == ((), "", True)


def test_an_encounter_sets_up_a_fight_and_does_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    mistaken = replace(load("vestige"), encounters=EncounterRules(lambda content, config: [Noted(text="x")]))
    monkeypatch.setattr(opening_of, "load", lambda name: mistaken)
    with pytest.raises(Unusable, match="vestige opens a fight with Noted, which sets nothing up") as found:
        begin_fight("duel", two(), who="gm", seed=SEED, clock=noon)
    assert found.value.field == "system"


def test_a_record_that_goes_back_and_forth_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """So many events are brought back for each that is recorded, and a number of them in any case."""
    monkeypatch.setattr(history_of, "MOST_BROUGHT", 3)
    monkeypatch.setattr(history_of, "A_LINE", 0)
    told = history((make_note_ruling("a"), Noted(text="a")))
    for _ in range(2):
        also(told, Rewound(to=1, lane=3, commands=1), who="gm")
        if told.head == 6:
            with pytest.raises(Senseless, match="goes back and forth too often") as found:
                also(told, Restored(lane=3, left=1), who="gm")
            assert found.value.line == 7
        else:
            also(told, Restored(lane=3, left=1), who="gm")
    monkeypatch.setattr(history_of, "A_LINE", 1)
    other = history((make_note_ruling("a"), Noted(text="a")))
    for _ in range(2):
        also(other, Rewound(to=1, lane=3, commands=1), who="gm")
        also(other, Restored(lane=3, left=1), who="gm")
    assert other.path == [1, 2, 3]


# --- closed records ---


def test_a_closed_record_refuses_everything_and_says_so() -> None:
    for moment in (in_turn, at_the_brink):
        fight = moment()
        question = fight.state.question.id if fight.state.question else "q"
        submit_accepted(fight, Close(unfinished=True))
        declared = Declared(actor="ilse", kind="end_turn", params=Raw(b"{}"))
        for intent in (declared, Answered(question=question, by="gm", choice="x")):
            found = explain_refusal(fight, intent)
            assert (found.allowed, found.by, found.code, found.made_so) == (False, "record", "closed", (fight.head,))
        with pytest.raises(Refused, match=f"the record ended at position {fight.head}; a fork of it can go on") as no:
            submit_accepted(fight, declared)
        assert (no.value.code, no.value.source) == ("closed", str(fight.head))


def test_why_not_tells_what_is_waited_for() -> None:
    """A question, dice, an open window, or that there is no such action."""
    ends = Declared(actor="nell", kind="end_turn", params=Raw(b"{}"))
    for moment in (at_the_brink, rolling):
        fight = moment()
        found = explain_refusal(fight, ends)
        waits = fight.history.recorded[found.made_so[0] - 1].event
        assert (found.allowed, found.by, found.code) == (False, "awaited", "action_pending")
        assert type(waits).__name__ == ("Asked" if moment is at_the_brink else "DiceAwaited")
    fight = at_the_window()
    found = explain_refusal(fight, ends)
    assert found.by == "phase"
    kinds = {type(fight.history.at(one).event).__name__ for one in found.made_so}
    assert kinds == {"PhaseEntered", "WindowOpened"}
    assert explain_refusal(fight, replace(ends, kind="dance")).by == "kind"
    asked = explain_refusal(at_the_brink(), Answered(question="q", by="gm", choice="x"))
    assert (asked.by, asked.code, asked.trigger) == ("asked", "no_such_question", "")
    assert type(at_the_brink().history.at(asked.made_so[0]).event).__name__ == "Asked"


# --- others at the same fight ---


def test_who_catches_up_takes_in_what_others_did() -> None:
    """Words that were stirred in, too: the dice are those of both."""
    store = MemoryStore()
    mine = begin_fight("duel", two(), who="gm", seed=SEED, store=store, clock=noon)
    theirs = open_fight("duel", store, clock=noon)
    theirs.submit(Command(id="stir", who="gm", intent=Stir(words="salt")))
    mine.catch_up(store.since("duel", mine.head))
    assert (mine.head, mine.state) == (theirs.head, theirs.state)
    for fight in (mine, theirs):
        command = Command(id="begin", who="gm", intent=Declared(actor="gm", kind="begin", params=Raw(b"{}")))
        if fight is mine:
            fight.submit(command)
        else:
            fight.catch_up(store.since("duel", fight.head))
    assert mine.state == theirs.state
    again = open_fight("duel", store, clock=noon)
    assert again.state == mine.state


def test_who_catches_up_goes_on_in_the_format_that_somebody_raised(tmp_path: Path) -> None:
    """And takes in whole commands only."""
    copy(REPLAYS / "vestige" / "format-1.jsonl", tmp_path / "old.jsonl")
    store = FileStore(tmp_path)
    mine, theirs = open_fight("old", store, clock=noon), open_fight("old", store, clock=noon)
    theirs.submit(Command(id="c", who="gm", intent=Ruled(kind="note", params=Raw(b'{"text":"x"}'), reason="so")))
    written = store.since("old", mine.head)
    kinds = [type(one.event) for one in theirs.history.recorded[mine.head :]]
    assert kinds == [FormatRaised, RulesetAdopted, Ruled, Noted]
    with pytest.raises(Malformed, match="1 more events of its command are missing"):
        mine.catch_up(written[:-1])
    mine.catch_up(written)
    assert (mine.head, mine.history.format, mine.state) == (theirs.head, FORMAT, theirs.state)


def stumbling(fight: Fight, error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def stumbles(*_: object) -> None:
        raise error

    monkeypatch.setattr(fight._decider.interpreter, "fire", stumbles)


def test_rules_that_stumble_leave_the_fight_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """In any state of the command; errors that are no faults of rules are passed on."""
    begin = Command(id="c", who="gm", intent=Declared(actor="gm", kind="begin", params=Raw(b"{}")))
    for error, met in ((KeyError("zoe"), Senseless), (KeyboardInterrupt(), KeyboardInterrupt)):
        fight = begin_fight("duel", two(), who="gm", seed=SEED, clock=noon)
        before = fight.head, fight.state
        stumbling(fight, error, monkeypatch)  # type: ignore[arg-type]
        with pytest.raises(met):
            fight.submit(begin)
        assert (fight.head, fight.state) == before
        assert isinstance(fight.submit(begin).recorded[1].event, PhaseEntered)


def test_what_the_rules_stumble_over_is_where_they_part(monkeypatch: pytest.MonkeyPatch) -> None:
    store = MemoryStore()
    fight = begin_fight("duel", two(), who="gm", seed=None, store=store, clock=noon)
    submit_accepted(fight, Declared(actor="gm", kind="begin", params=Raw(b"{}")))
    assert fight.state.awaited is not None

    def stumbles(*_: object, **__: object) -> None:
        raise KeyError("zoe")

    monkeypatch.setattr("affray.engine.runtime.decider.Decider.carry_out", stumbles)
    with pytest.raises(Diverged, match="which the rules cannot follow: there is no zoe") as found:
        open_fight("duel", store)
    start = fight.history.recorded[0].more + 1
    assert (found.value.position, found.value.safe, found.value.decided) == (start + 1, start, None)
    assert open_fight("duel", store, mend=True).diverged is not None
