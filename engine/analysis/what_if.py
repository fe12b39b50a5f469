"""Decide a recorded fight again under another configuration, version or rule system."""

from collections.abc import Mapping
from hashlib import sha256
from itertools import chain
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from affray.engine.core.digest import digest_rules
from affray.engine.core.draft import Draft
from affray.engine.core.evolve import fold
from affray.engine.core.rule_faults import convert_rule_errors
from affray.engine.core.ruleset import Ruleset, config_of
from affray.engine.core.state import Awaited, Question, State, Window
from affray.engine.errors import Unusable
from affray.engine.history.amend import index_rolls
from affray.engine.history.earlier_notes import write_as_recorded
from affray.engine.history.replay import InputReplay, NotReplayed
from affray.engine.history.ruling_names import rename_rulings
from affray.engine.history.snapshots import names_by_id
from affray.engine.history.timeline import History, split_by_input
from affray.engine.integrity.commitment import find_promise
from affray.engine.runtime.decider import Decider
from affray.engine.runtime.dice import DiceSource, EnteredDice, SeenDice
from affray.events import Event, FightOpened, Id, Passed

from .diff import Comparison, compare_streams

RegressionResult = Literal["same", "parts", "stops", "differs"]
"""``same``: the same events. ``parts``: other events, but the same final state. ``stops``: a question without an
answer. ``differs``: another final state."""

MOST_PASSES = 10_000
"""The most passes in windows that the record does not have. Other rules might open them for ever."""


class Regression(Struct, frozen=True, kw_only=True):
    """The result of deciding a recorded fight again.

    Attributes:
        verdict: The result in one word.
        comparison: The recorded and the decided events compared, without the event that opens the record.
        position: The position of the recorded event where they diverge. If only the decided events go on, it is that of
            the last recorded event. 0 if both are the same.
        events: The decided events, from the opening on.
        dropped: The recorded inputs that were no longer possible or needed.
        passed: The number of passes in windows that the record does not have.
        needs: A question, roll or window without a recorded answer. The fight stops there, and the ``waiting`` later
            inputs remain.
        drawn: Ids of the rolls with dice that the record does not show.
        stand_in: Whether those dice were thrown under a stand-in seed, because the fight's seed is not revealed.
        before, after: The final state as recorded, and as decided.
    """

    verdict: RegressionResult
    comparison: Comparison
    position: int
    events: tuple[Event, ...]
    dropped: tuple[NotReplayed, ...]
    passed: int
    needs: Question | Awaited | Window | None
    waiting: tuple[int, ...]
    drawn: tuple[Id, ...]
    stand_in: bool
    before: State
    after: State


def decide_again(history: History, ruleset: Ruleset, settings: Mapping[str, Any]) -> Regression:
    """Decide the effective inputs of a record again, with the recorded dice.

    Args:
        settings: Configuration values to change from the recorded ones.

    Raises:
        Unusable: the ruleset has no such key, or the key does not accept that value.
    """
    opening, *parts = split_by_input(history.effective())
    opened = _make_opening(history.opening, ruleset, settings)
    source, stand_in = _choose_source(history)
    dice = SeenDice(index_rolls(history.recorded), source)
    begun = [opened, *(one.event for one in opening[1:])]
    start = fold([replace(opening[0], event=opened), *opening[1:]])
    decider = Decider(ruleset, Draft(start), config_of(ruleset, opened.config), dice)
    line = list(chain(opening, *parts))
    with convert_rule_errors(ruleset, decider.draft, history.head):
        inputs = rename_rulings([part[0] for part in parts], history, ruleset)
        again = InputReplay(decider, line, inputs)
        again.go_on()
        passed = _pass_windows(again)
        again.settle()
    ends = fold(line), decider.draft.freeze()
    was, now = [one.event for one in line], [*begun, *again.events]
    names = {**names_by_id(ends[0]), **names_by_id(ends[1])}
    as_recorded = write_as_recorded(now[1:], was, ruleset.vocabulary.notes, names)
    comparison = compare_streams(was[1:], as_recorded, ends)
    parting = comparison.parting
    return Regression(
        verdict=_judge(comparison, again),
        comparison=comparison,
        position=line[min(parting.index + 1, len(line) - 1)].position if parting else 0,
        events=tuple(now),
        dropped=tuple(again.dropped),
        passed=passed,
        needs=again.needs,
        waiting=tuple(one.position for one in again.later),
        drawn=dice.rolls_drawn,
        stand_in=stand_in and bool(dice.drawn),
        before=ends[0],
        after=ends[1],
    )


def _pass_windows(again: InputReplay) -> int:
    """Pass in windows that the record does not have; return the number of passes.

    It stops when no inputs are left.
    """
    passed = 0
    while passed < MOST_PASSES and again.later and (window := again.decider.draft.window) is not None:
        if again.carry_out(Passed(window=window.id, who=window.to[0])) is not None:
            break
        passed += 1
        again.go_on()
    return passed


def _make_opening(event: FightOpened, ruleset: Ruleset, settings: Mapping[str, Any]) -> FightOpened:
    foreign = event.config.keys() - set(ruleset.config.__struct_fields__)
    if foreign:
        raise Unusable(f"{ruleset.name} has no key {min(foreign)}, which the fight was recorded with", "config")
    config = config_of(ruleset, {**event.config, **settings})
    return replace(
        event,
        system=ruleset.name,
        version=ruleset.version,
        digest=digest_rules(ruleset),
        config=msgspec.to_builtins(config),
    )


def _choose_source(history: History) -> tuple[DiceSource, bool]:
    """Return the source of dice that the record does not show.

    It also tells whether a stand-in seed is used. While the record is open it always is, because the fight's own seed
    would reveal future dice.
    """
    promise = find_promise(history.recorded)
    if not promise.commitment:
        return EnteredDice(), False
    revealed = getattr(history.at(history.closed).event, "seed", "") if history.closed else ""
    if revealed and promise.is_kept_by(seed := bytes.fromhex(revealed)):
        return promise.dice(seed), False
    return promise.dice(sha256(f"stand-in\n{history.head_hash}".encode()).digest()), True


def _judge(comparison: Comparison, again: InputReplay) -> RegressionResult:
    if again.needs is not None:
        return "stops"
    if comparison.parting is None:
        return "same"
    return "differs" if comparison.changes else "parts"
