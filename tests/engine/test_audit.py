"""An audit of an honest record: no findings in any case, and a list of unchecked parts."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from msgspec import Raw

from affray.engine import Command, FileStore
from affray.engine.commands import Amend, Close, Stir, Undo
from affray.engine.core.loading import available
from affray.engine.core.state import Combatant, State
from affray.engine.forking import ForkRequest, fork_fight
from affray.engine.integrity.audit import Report, audit, effort
from affray.events import (
    DICE_SCHEME,
    FORMAT,
    Declared,
    DiceRenewed,
    EntropyAdded,
    FightOpened,
    Noted,
    Rolled,
    Ruled,
    WindowOpened,
    seal,
)
from affray.tools.lab.bench.brawl import NOON, SEED, recorded_brawl
from affray.tools.parse.intent_parser import intent
from tests.engine.fights import (
    NAME,
    Plan,
    ask_fight,
    begin_plan,
    commands,
    fights,
    noon,
    play_into_store,
    reload_fight,
    submit_accepted,
)
from tests.engine.memory import MemoryStore
from tests.examples import a_share


def audit_stored_fight(store: MemoryStore, name: str = NAME, *, seed: bytes | None = None) -> Report:
    """Audit a fight of a store."""
    return audit(lambda: store.lines(name), seed=seed)


@given(fights())
def test_what_was_honestly_recorded_is_clean(plan: Plan) -> None:
    """With refusals, rulings, entered dice, undo, redo and amendments; all of it is decided again."""
    fight, store = play_into_store(plan)
    report = audit_stored_fight(store, seed=plan.seed)
    assert report.findings == ()
    assert (report.events, report.head) == (fight.head, fight.history.head_hash)
    assert (report.rules.unjudged, report.rules.why_not, report.dice.unchecked) == (0, "", 0)
    assert report.rules.judged >= len({one.cause for one in fight.history.effective()}) - 1


@given(fights(most=30))
def test_a_closed_fight_is_proved_by_nothing_but_its_log(plan: Plan) -> None:
    """The seed it reveals gives every face again, with the words that were stirred in."""
    store = MemoryStore()
    fight = begin_plan(plan, store)
    if plan.seed:
        submit_accepted(fight, Stir(words="the moon is full"))
    for command in commands(fight, plan):
        ask_fight(fight, command)
    rolls = [one.event for one in fight.history.recorded if isinstance(one.event, Rolled)]
    thrown = [one for one in rolls if one.source == "engine" and any(group.thrown for group in one.dice)]
    submit_accepted(fight, Close(unfinished=True))
    report = audit_stored_fight(store)
    assert report.findings == ()
    assert report.closed
    assert (report.dice.checked, report.dice.unchecked) == (len(thrown), 0)
    assert report.dice.entered == sum(one.source == "entered" for one in rolls)
    assert [one.event for one in report.stirred] == ([EntropyAdded(words="the moon is full")] if plan.seed else [])


@given(fights(most=30))
def test_a_fork_is_clean_too(plan: Plan) -> None:
    """A fork from the middle continues separately; its parent must prove the parent's dice."""
    parent, store = play_into_store(plan)
    ends = [one.position for one in parent.history.recorded if not one.more]
    at = ends[len(ends) // 2]
    wanted = ForkRequest(parent=NAME, name="what-if", at=at, who="gm")
    fork_fight(wanted, store, store, fresh=bytes([9]) * 32, clock=noon)
    for nth, drawn in enumerate(commands(fight := reload_fight(store, name="what-if"), plan)):
        ask_fight(fight, Command(id=f"if{nth}", who=drawn.who, intent=drawn.intent))
    report = audit_stored_fight(store, "what-if", seed=bytes([9]) * 32 if plan.seed else None)
    assert report.findings == ()
    assert (report.fork_of, report.fight) == (NAME, "what-if")
    before = [one.event for one in parent.history.recorded[:at] if isinstance(one.event, Rolled)]
    theirs = [one for one in before if one.source == "engine" and any(group.thrown for group in one.dice)]
    assert report.dice.parents == (len(theirs) if plan.seed else 0)


@a_share(2)
@given(fights(most=20))
def test_while_the_seed_is_secret_the_dice_are_not_yet_checkable(plan: Plan) -> None:
    """The verdict is neither clean nor a finding; the rules are checked anyway."""
    _, store = play_into_store(plan)
    report = audit_stored_fight(store)
    assert report.findings == ()
    assert (report.dice.known, report.dice.checked) == (False, 0)
    assert report.rules.unjudged == 0


def test_a_version_that_is_not_installed_is_not_judged() -> None:
    """Neither the unknown version of a known system, nor an unknown system, is clean or a finding."""
    for system, version, says in (
        ("vestige", "0", "vestige is installed in version"),
        ("chess", "1", "there is no rule system chess"),
    ):
        opened = FightOpened(
            format=FORMAT, fight="old", system=system, version=version, digest="", config={}, dice_scheme=DICE_SCHEME
        )
        declared = Declared(actor="gm", kind="begin", params=Raw(b"{}"))
        _, opening = seal([opened], after=0, previous="", time=NOON, who="gm", cause="opening")
        first, _ = seal([opened], after=0, previous="", time=NOON, who="gm", cause="opening")
        _, lines = seal([declared, Noted(text="no")], after=1, previous=first[-1].hash, time=NOON, who="gm", cause="c")
        report = audit(lambda lines=[*opening, *lines]: lines)  # type: ignore[misc]
        assert report.findings == ()
        assert report.rules.judged == 0
        assert says in report.rules.other_version + report.rules.why_not
    assert "chess" not in available()


def test_what_was_declared_otherwise_after_an_undo_is_listed() -> None:
    """It is no fault, but a reader may want to know."""
    store = MemoryStore()
    fight, intents = recorded_brawl(7, 200, store)
    submit_accepted(fight, Undo(reason="misheard"))
    last = fight.history.at(fight.history.undone[-1])
    again = Declared(actor="gm", kind="dance", params=Raw(b"{}"))
    assert intents[-1] != again
    declared = next(one for one in intents if isinstance(one, Declared) and one.kind == "end_turn")
    submit_accepted(fight, Declared(actor=fight.table.draft.acting[0], kind=declared.kind, params=declared.params))
    report = audit(lambda: store.lines("brawl"), seed=SEED)
    assert report.findings == ()
    assert report.taken_back == 1
    (listed,) = report.redeclared
    assert listed.position > last.position >= listed.instead_of > 0


def test_an_audit_keeps_no_more_of_a_long_log_than_of_a_short_one(tmp_path: Path) -> None:
    """It reads 16,000 events line by line, and holds no more than the state, the commands' ids and a little beside."""
    store = FileStore(tmp_path, durable=False)
    recorded_brawl(5, 16_000, store)
    cut = tmp_path / "cut.jsonl"
    with store.path("brawl").open("rb") as whole:
        cut.write_bytes(b"".join(line for line, _ in zip(whole, range(4_000), strict=False)))
    short, events, _ = _peak(lambda: store.lines("cut"))
    long, many, commands = _peak(lambda: store.lines("brawl"))
    assert events == 4_000
    assert many >= 16_000
    assert long < short + 200_000 + 100 * commands


def _peak(lines: object) -> tuple[int, int, int]:
    gc.collect()
    tracemalloc.start()
    try:
        report = audit(lines, seed=SEED)  # type: ignore[arg-type]
        return tracemalloc.get_traced_memory()[1], report.events, report.commands
    finally:
        tracemalloc.stop()


def test_the_log_is_read_line_by_line_and_twice() -> None:
    """Once to see where it goes back to, once to look at it; never as a whole."""
    store = MemoryStore()
    recorded_brawl(5, 300, store)
    opened = []

    def lines() -> Iterator[bytes]:
        opened.append(1)
        return store.lines("brawl")

    assert audit(lines, seed=SEED).findings == ()
    assert len(opened) == 2


def test_fresh_dice_in_an_amendment_are_those_that_were_fresh_before() -> None:
    """Asked for once more behind it, they are the second fresh ones, not the third."""
    store = MemoryStore()
    fight, _ = recorded_brawl(5, 100, store)
    note = submit_accepted(fight, intent(fight, 'rule note "it rains"', "it does")).recorded[0]
    for _ in range(2):
        who = fight.table.draft.acting[0]
        submit_accepted(fight, intent(fight, f"{who} end_turn"))
        submit_accepted(fight, Undo(fresh=True, reason="the die fell off the table"))
        submit_accepted(fight, intent(fight, f"{who} end_turn"))
        instead = (intent(fight, 'rule note "it snows"', f"look, {fight.head}"),)
        submit_accepted(fight, Amend(position=note.position, instead=instead, reason="it was snow"))
        note = next(one for one in fight.history.effective(after=note.position) if isinstance(one.event, Ruled))
    renewed = [one.event.generation for one in fight.history.recorded if isinstance(one.event, DiceRenewed)]
    assert renewed == [1, 1, 2, 1, 2]
    assert audit(lambda: store.lines("brawl"), seed=SEED).findings == ()


def test_a_record_that_goes_back_without_end_is_not_followed_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """The repeated work of an audit is bounded by the log's size; beyond that it is incomplete."""
    store = MemoryStore()
    fight, _ = recorded_brawl(5, 600, store)
    window = next(one for one in fight.history.recorded if isinstance(one.event, WindowOpened))
    submit_accepted(fight, Undo(to=window.position + window.more))
    assert not fight.table.draft.quiet
    for _ in range(20):
        submit_accepted(fight, intent(fight, 'rule note "it rains"', "it does"))
        submit_accepted(fight, Undo(reason="or does it?"))
    assert audit(lambda: store.lines("brawl"), seed=SEED).clean
    monkeypatch.setattr(effort, "FREE", 10)
    monkeypatch.setattr(effort, "A_LINE", 0)
    report = audit(lambda: store.lines("brawl"), seed=SEED)
    assert (report.verdict, report.findings) == ("incomplete", ())
    assert 1 < report.stopped < len(store.streams["brawl"])
    assert any("goes back too often" in one.what for one in report.missing)


def test_a_big_fight_that_is_taken_back_all_the_time_is_followed_to_its_end() -> None:
    """A saved state counts against the limit only as long as it is kept."""
    store = MemoryStore()
    fight, _ = recorded_brawl(1_000, 4_000, store)
    for _ in range(300):
        submit_accepted(fight, intent(fight, f"{fight.table.draft.acting[0]} end_turn"))
        submit_accepted(fight, Undo(fresh=True, reason="wait"))
    report = audit(lambda: store.lines("brawl"), seed=SEED)
    assert (report.verdict, report.taken_back) == ("clean", 300)


@pytest.mark.parametrize("at_once", [False, True])
def test_what_is_kept_at_once_is_bounded(monkeypatch: pytest.MonkeyPatch, *, at_once: bool) -> None:
    """A record that goes back to many moments keeps them all until it does; one at a time is no trouble."""
    store = MemoryStore()
    fight, _ = recorded_brawl(5, 300, store)
    for _ in range(20):
        submit_accepted(fight, intent(fight, 'rule note "it rains"', "it does"))
        if not at_once:
            submit_accepted(fight, Undo())
    for _ in range(20 if at_once else 0):
        submit_accepted(fight, Undo())
    monkeypatch.setattr(effort, "FREE", 1_000)
    monkeypatch.setattr(effort, "A_LINE", 0)
    assert bool(audit(lambda: store.lines("brawl"), seed=SEED).stopped) == at_once


HUNDRED = dict.fromkeys(map(str, range(100)), 1)


@pytest.mark.parametrize(
    "state",
    [
        State(marks={"gm": {"held": HUNDRED}}),
        State(distances={"al": HUNDRED}),
        State(combatants={"ilse": Combatant(id="ilse", name="", side="", pools=HUNDRED)}),
        State(combatants={"ilse": Combatant(id="ilse", name="", side="", conditions={"held": HUNDRED})}),
        State(acting=tuple(HUNDRED)),
    ],
)
def test_all_that_a_kept_state_may_hold_for_itself_counts(state: State) -> None:
    """Also what lies within: a change of one of them copies its neighbours."""
    assert effort.size_of(state) >= 100
