"""Endless rules are stopped in all uses of rules: a command has a maximum of events."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from affray.engine.commands import Command
from affray.engine.core.actions import Action
from affray.engine.core.draft import Draft
from affray.engine.core.effects import Ask, Go, Interrupted, Roll, Rule
from affray.engine.core.flow import Flow, Forbidden, Step
from affray.engine.core.loading import load
from affray.engine.core.ruleset import Ruleset
from affray.engine.core.table import Table
from affray.engine.errors import Diverged, Endless
from affray.engine.fight import Fight
from affray.engine.history.log import read_log
from affray.engine.history.snapshots import find_differences
from affray.engine.history.timeline import History
from affray.engine.integrity.audit import audit
from affray.engine.limits import MOST_EVENTS
from affray.engine.opening import begin_fight
from affray.engine.runtime.decider import Decider
from affray.engine.runtime.dice import NamedDice
from affray.events import Asked, Declared, Dice, Event, Id, Option, Recorded, RoundBegan
from tests.engine.conftest import two
from tests.engine.fights import SEED
from tests.forging import Log, encode_log, fitting, rechain_log
from tests.tools.program import affray

FEW = 300


class Again(Action, frozen=True, kw_only=True):
    """Waits for another one like it."""

    kind: ClassVar[str] = "again"
    says: ClassVar[str] = "wait for another one like it"

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Let another one come first."""
        yield Interrupted(by=((actor, Again()),), manner="standard")


def deep() -> Rule[None]:
    """Ask itself first."""
    yield from deep()


Steps = Callable[[], "Event | Roll | Go | Interrupted"]

STEPS: dict[str, Steps] = {
    "a fact": lambda: RoundBegan(round=1),
    "a roll": lambda: Roll(dice=(Dice(count=1, sides=6),), purpose="again", by="ilse"),
    "an outcome": lambda: Go("again"),
    "nobody who interrupts": lambda: Interrupted(by=(), manner="standard"),
    "who is interrupted": lambda: Interrupted(by=(("ilse", Again()),), manner="standard"),
}
"""What a rule may yield for ever."""

FLOW = Flow(
    initial="setup",
    steps=(
        Step("setup", "begin", "loop", None, "VES-001"),
        Step("loop", "again", "loop", None, "VES-001"),
        Step("loop", "declare", "loop", None, "VES-001"),
        Step("loop", "ends", "done", None, "VES-001"),
    ),
    forbidden=(Forbidden("*", "*", "not_now", "VES-051", "something is still going on"),),
)
BEGIN = Declared(actor="gm", kind="begin", params=msgspec.Raw(b"{}"), manner="standard")


def resume(table: Table) -> Rule[str]:
    """Find nothing to do."""
    yield from ()
    return "resume"


def toy(rule: Callable[[Table], Rule[str]]) -> Ruleset:
    """Return a system with a single rule, which runs once the fight begins."""
    ruleset = load("vestige")
    turns = replace(ruleset.turns, procedures={"loop": rule}, windows={}, resolving=frozenset(), aftermath=resume)
    return replace(ruleset, flow=FLOW, turns=turns)


def fight_by(ruleset: Ruleset) -> Fight:
    """Return a fight that goes by that system from here on."""
    history = History()
    history.add(begin_fight("duel", two(), who="gm", seed=SEED).history.recorded)
    return Fight("duel", ruleset, history, seed=SEED)


def never_end(table: Table) -> Rule[str]:
    """Never end."""
    while True:
        yield RoundBegan(round=1)


@given(steps=st.lists(st.sampled_from(sorted(STEPS)), min_size=1, max_size=4), ends=st.booleans())
def test_whatever_a_rule_yields_for_ever_it_is_stopped(steps: list[str], ends: bool) -> None:
    """Also a rule that ends and restarts each time; the largest one is stopped one event later."""

    def rule(table: Table) -> Rule[str]:
        while True:
            for step in steps:
                yield STEPS[step]()
            if ends:
                return "again"

    ruleset = toy(rule)
    decider = Decider(ruleset, Draft(fight_by(ruleset).state), None, NamedDice(SEED))
    with pytest.raises(Endless, match=f"at most {FEW} events"):
        decider.carry_out(BEGIN, most=FEW)
    assert len(decider.interpreter.events) <= FEW + 2


def test_a_rule_that_goes_on_in_itself_is_stopped() -> None:
    def rule(table: Table) -> Rule[str]:
        yield from deep()
        return "again"

    fight = fight_by(toy(rule))
    with pytest.raises(Endless):
        fight.submit(Command(id="a", who="gm", intent=BEGIN))


def test_a_rule_that_ends_in_time_is_not_stopped() -> None:
    """All its events count, including the declaration."""

    def rule(table: Table) -> Rule[str]:
        for _ in range(FEW):
            yield RoundBegan(round=1)
        return "ends"

    ruleset = toy(rule)
    for most in (FEW + 2, FEW):
        decider = Decider(ruleset, Draft(fight_by(ruleset).state), None, NamedDice(SEED))
        if most > FEW:
            assert len(decider.carry_out(BEGIN, most=most)) == FEW + 3
            continue
        with pytest.raises(Endless):
            decider.carry_out(BEGIN, most=most)


def test_a_fight_goes_on_as_if_an_endless_command_had_not_been_given() -> None:
    """By the limit that holds in play."""
    fight = fight_by(toy(never_end))
    before = (fight.head, fight.state)
    with pytest.raises(Endless, match=f"at most {MOST_EVENTS} events"):
        fight.submit(Command(id="a", who="gm", intent=BEGIN))
    assert (fight.head, fight.state) == before
    assert fight.table.draft.phase == "setup"


# --- a log in which the order of turns was never set, so that one round follows upon another ---


def without_order(to: int | None = None) -> Log:
    """Return a fight of Vestige without the line of the turn order, with a new chain."""
    log = read_log(BRIDGE.read_bytes().split(b"\n")[:-1])[:to]
    return rechain_log(fitting([*log[:43], *log[44:]]))


BRIDGE = Path(__file__).parents[2] / "replays" / "vestige" / "closed-bridge.jsonl"
BEGUN = 49
"""Where the first turn has begun."""


def save_endless_log(folder: Path, log: Log) -> Path:
    """Return the file that a log was written to."""
    file = folder / "bridge.jsonl"
    file.write_bytes(b"\n".join(encode_log(log)) + b"\n")
    return file


def test_the_audit_finds_what_is_missing_and_goes_on() -> None:
    """Rules are followed for as long as the record is, so that it takes no longer than for an honest log."""
    lines = encode_log(without_order())
    report = audit(lambda: lines)
    first = report.findings[0]
    assert (first.layer, first.position, type(first.due).__name__) == ("rules", 44, "OrderSet")
    assert report.rules.judged == audit(lambda: BRIDGE.read_bytes().split(b"\n")[:-1]).rules.judged


def test_a_recorded_command_is_decided_again_for_one_event_more_than_it_has() -> None:
    segment = [Recorded(1, "", "", "", "", BEGIN)]
    ruleset = toy(never_end)
    decider = Decider(ruleset, Draft(fight_by(ruleset).state), None, NamedDice(SEED))
    found = list(find_differences(decider, segment))
    assert {one.recorded for one in found} == {None}
    assert 1 <= len(found) <= 2


def test_what_is_half_resolved_and_never_ends_diverges() -> None:
    """A fight is not opened where the rules now go on for ever."""

    def asks(table: Table) -> Rule[str]:
        yield RoundBegan(round=1)
        yield Ask(of=("ilse",), about="more", options=(Option(choice="yes", says="goes on"),))
        return "ends"

    fight = fight_by(toy(asks))
    fight.submit(Command(id="a", who="gm", intent=BEGIN))
    with pytest.raises(Diverged) as found:
        Fight("duel", toy(never_end), fight.history, seed=SEED)
    assert isinstance(found.value.recorded, Asked)
    assert isinstance(found.value.decided, RoundBegan)


def test_from_the_command_line_it_is_refused(tmp_path: Path) -> None:
    """Nothing is recorded, and there is only one message."""
    file = save_endless_log(tmp_path, without_order(BEGUN))
    before = file.read_bytes()
    ran = affray(tmp_path, "rule", "bridge.jsonl", "dice", "*", "entered", "--reason", "the seed is gone")
    assert (ran.code, ran.err) == (0, "")
    before = file.read_bytes()
    ran = affray(tmp_path, "do", "bridge.jsonl", "tomas", "end_turn")
    assert (ran.code, ran.out) == (1, "")
    assert (
        ran.err
        == f"refused: the rules would go on without end: a command may decide at most {MOST_EVENTS} events (endless)\n"
    )
    assert file.read_bytes() == before
