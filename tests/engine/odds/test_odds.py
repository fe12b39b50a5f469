"""Odds counted in trials: the start, the dice, and the precision."""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Generator, Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

import pytest
from joblib.externals.loky import get_reusable_executor

from affray.engine.analysis.odds import (
    Plan,
    PlanComparison,
    Precision,
    RolloutStart,
    Sample,
    WorkersLost,
    compare_plans,
    estimate_difference,
    estimate_share,
    fight_rollout,
    find_counted_mean,
    find_counted_quantile,
    find_rollout_start,
    open_workers,
    sample_trials,
)
from affray.engine.analysis.odds.workers import IDLE, Batch, BatchResults, fight_batch, ignore_interruptions
from affray.engine.errors import Refused, Unusable
from affray.engine.fight import Fight
from affray.engine.kit.odds import format_signed
from affray.engine.runtime.dice import NamedDice
from affray.events import Answered, Declared, DiceEntered, Passed, Rolled, Ruled
from tests.engine.fights import submit_accepted
from tests.engine.odds.moments import RECORDED, ROOT, endless, last_blows, load_recorded_fight
from tests.examples import of_this_version
from tests.rulesets.statistics import make_declaration, params

FEW = Precision(within=0.05, most=640)


def take_last(plan: Plan, wanted: Precision = FEW, jobs: int = 1) -> Sample:
    """Return what is known at the end."""
    with open_workers(jobs) as work:
        *_, known = sample_trials(plan, wanted, work)
    return known


@pytest.mark.parametrize(
    ("count", "of", "low", "high"), [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (81, 263, 0.2553, 0.3662)]
)
def test_a_share_has_the_interval_that_wilson_gives_it(count: int, of: int, low: float, high: float) -> None:
    """The last is the example of Newcombe's comparison of such intervals (1998)."""
    found = estimate_share(count, of)
    assert found.low == pytest.approx(low, abs=1e-4)
    assert found.high == pytest.approx(high, abs=1e-4)


def test_a_share_and_its_interval_lie_from_nothing_to_all() -> None:
    for of in range(1, 500):
        assert 0 <= estimate_share(0, of).low < 1e-12 < estimate_share(0, of).high <= 1
        assert 0 <= estimate_share(of, of).low < estimate_share(of, of).high <= 1


def test_what_is_counted_has_a_mean_and_quantiles() -> None:
    counted = Counter({2: 3, 4: 1, 9: 4})
    assert find_counted_mean(counted) == (3 * 2 + 4 + 4 * 9) / 8
    assert [find_counted_quantile(counted, part) for part in (0.0, 0.375, 0.4, 0.5, 0.51, 1.0)] == [2, 2, 4, 4, 9, 9]
    assert (find_counted_mean(Counter()), find_counted_quantile(Counter(), 0.5)) == (0.0, 0)


def test_each_side_may_fight_in_its_own_way() -> None:
    """A side that acts at random wins less often; every fight still ends."""
    fight = load_recorded_fight(ROOT / "replays/wwn/surprise-and-shock.jsonl")
    moment = find_rollout_start(fight, 175)
    wins = {}
    for policy in ("sensible", "anything"):
        trials = [fight_rollout(Plan(moment=moment, by_side={"heroes": policy}), number) for number in range(20)]
        assert all(one.ended for one in trials)
        wins[policy] = sum(one.victors == "heroes" for one in trials)
    assert wins["sensible"] > wins["anything"] + 5
    alone = [fight_rollout(Plan(moment=moment), number).victors for number in range(20)]
    assert sum(one == "heroes" for one in alone) == wins["sensible"]


def test_nothing_is_known_without_a_trial() -> None:
    assert (estimate_share(0, 0).low, estimate_share(0, 0).high) == (0.0, 1.0)


def test_a_last_exchange_of_blows_ends_as_its_chances_say() -> None:
    """Each hits in 7 of 20, in turns, until one falls: the first one wins in 20 of 33."""
    fight = last_blows()
    first = fight.state.combatants[fight.state.acting[0]].side
    hit = Fraction(7, 20)
    known = take_last(Plan(moment=find_rollout_start(fight)), Precision(within=0.03, most=3000))
    exact = hit / (1 - (1 - hit) ** 2)
    assert exact == Fraction(20, 33)
    assert known.enough
    assert known.tally.chance(first).low <= exact <= known.tally.chance(first).high
    assert sum(known.tally.wins.values()) == known.tally.trials


def test_one_hit_from_the_end_the_chance_of_that_hit_is_what_a_declaration_is_worth() -> None:
    """Once the blow is declared, the other strikes only where it misses."""
    fight = last_blows()
    actor = fight.state.acting[0]
    target = next(one for one in fight.state.combatants if one != actor)
    side = fight.state.combatants[actor].side
    plans = [
        Plan(moment=find_rollout_start(fight).add_inputs(said))
        for said in (make_declaration(actor, "attack", target=target), make_declaration(actor, "end_turn"))
    ]
    *_, known = compare_plans(plans, side, Precision(within=0.03, most=3000))
    assert known.chance(0).low <= Fraction(20, 33) <= known.chance(0).high
    assert known.chance(1).low <= 1 - Fraction(20, 33) <= known.chance(1).high
    worth = known.difference(0, 1)
    assert worth.low <= Fraction(7, 33) <= worth.high
    assert not worth.is_noise


@pytest.mark.parametrize("path", of_this_version(RECORDED), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_recorded_fight_can_be_entered_anywhere(path: Path) -> None:
    """At its opening, at its end, and twelve times in between, in the middle of commands too."""
    fight = load_recorded_fight(path)
    effective = list(fight.history.path)
    first = next(one.position for one in fight.history.effective() if type(one.event) is Declared)
    places = [at for at in effective[:: max(1, len(effective) // 12)] if at >= first] + [effective[-1]]
    for at in places:
        moment = find_rollout_start(fight, at)
        assert moment.position <= at
        trial = fight_rollout(Plan(moment=moment), 0)
        assert trial.rounds >= fight.state_at(moment.position).round


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_what_has_fallen_stays_and_what_has_not_falls_anew(path: Path) -> None:
    """From the middle of a command its earlier dice are the recorded ones."""
    fight = load_recorded_fight(path)
    rolled = [one for one in fight.history.effective() if isinstance(one.event, Rolled) and one.more]
    for one in rolled[:: max(1, len(rolled) // 6)]:
        moment = find_rollout_start(fight, one.position)
        if moment.position != one.position:
            continue  # of older rules, which would go on otherwise
        assert isinstance(one.event, Rolled)
        assert moment.fallen[one.event.roll] == one.event
        decider = moment.make_decider(NamedDice(bytes(32)))
        again = [event for event in decider.interpreter.events if isinstance(event, Rolled)]
        assert [event for event in again if event.roll == one.event.roll] == [one.event]


def test_a_question_that_is_open_is_answered_in_each_trial() -> None:
    """The start is a moment at which a combatant is asked at the brink."""
    fight = load_recorded_fight(next(path for path in RECORDED if path.stem == "first-blow"))
    answer = next(one for one in fight.history.effective() if isinstance(one.event, Answered))
    moment = find_rollout_start(fight, answer.position - 1)
    assert moment.make_decider(NamedDice(bytes(32))).draft.question is not None
    assert take_last(Plan(moment=moment), Precision(within=0.2, most=64)).tally.trials == 64


def test_the_number_of_processes_makes_no_difference() -> None:
    plan = Plan(moment=find_rollout_start(last_blows()))
    one, two = take_last(plan), take_last(plan, jobs=2)
    assert (one.tally, one.enough) == (two.tally, two.enough)


class Interrupted:
    """A plan that raises a terminal's Ctrl-C in its middle."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # while it is made from a pickle
            raise AttributeError(name)
        if name == "seed":
            os.kill(os.getpid(), signal.SIGINT)
        return getattr(self.plan, name)


def test_processes_leave_an_interruption_to_whoever_asked() -> None:
    plan = Plan(moment=find_rollout_start(last_blows()))
    with open_workers(2) as work:
        assert list(work([((cast("Plan", Interrupted(plan)),), 0, 2)])) == [fight_batch((plan,), 0, 2)]


def test_another_word_is_other_dice_and_the_same_word_the_same() -> None:
    moment = find_rollout_start(last_blows())
    ends = [
        [fight_rollout(Plan(moment=moment, seed=seed), nth).victors for nth in range(40)] for seed in ("a", "b", "a")
    ]
    assert ends[0] == ends[2] != ends[1]


@pytest.mark.parametrize(
    ("name", "wins"),
    [
        ("hexblade/a-quarrel-in-the-common-room", {"": 1, "drovers": 14, "guests": 49}),
        ("verdigris/closed-toll-road", {"enemies": 11, "party": 53}),
        ("vestige/closed-bridge", {"bandits": 64}),
        ("wwn/closed-cellar", {"heroes": 10, "smugglers": 54}),
        ("wyrd/a-shot-into-the-melee", {"orcs": 11, "party": 53}),
    ],
)
def test_the_same_word_says_the_same_on_every_machine_and_python(name: str, wins: dict[str, int]) -> None:
    """These were counted on 3.11, 3.12 and 3.13."""
    fight = load_recorded_fight(ROOT / "replays" / f"{name}.jsonl")
    path = fight.history.path
    known = take_last(Plan(moment=find_rollout_start(fight, path[len(path) // 2])), Precision(most=64))
    assert dict(known.tally.wins) == wins


def test_a_position_in_the_opening_stands_for_its_end() -> None:
    """No fight starts before all combatants have joined."""
    fight = last_blows()
    began = next(one.position for one in fight.history.effective() if isinstance(one.event, Declared))
    assert find_rollout_start(fight, 1) == find_rollout_start(fight, began - 1)
    assert len(find_rollout_start(fight, 1).state.combatants) == 2


def test_common_dice_make_a_difference_surer() -> None:
    """Two ways to say the same thing differ in nothing, and independent trials would not know."""
    fight = last_blows()
    actor = fight.state.acting[0]
    target = next(one for one in fight.state.combatants if one != actor)
    weapon = f"{actor}.cudgel"
    plans = [
        Plan(moment=find_rollout_start(fight).add_inputs(said))
        for said in (
            make_declaration(actor, "attack", target=target),
            make_declaration(actor, "attack", target=target, weapon=weapon),
        )
    ]
    *_, known = compare_plans(plans, fight.state.combatants[actor].side, Precision(within=0.05, most=640))
    worth = known.difference(0, 1)
    assert (worth.value, worth.cut) == (0.0, 1.0)
    assert worth.is_noise


def test_few_trials_tell_little_of_a_difference() -> None:
    """A difference of zero in a hundred trials may still be three points; none is larger than all."""
    for better in (0, 1):
        worth = estimate_difference([nth < better for nth in range(100)], [False] * 100)
        assert worth.high - worth.value >= 0.03
        assert worth.is_noise
    alone = estimate_difference([True], [False])
    assert (alone.value, alone.low, alone.high) == (1.0, -1.0, 1.0)


def test_who_interrupts_a_comparison_is_told_what_was_known_of_all_plans() -> None:
    """Each was tried as often as the others."""
    fight = last_blows()
    actor = fight.state.acting[0]
    target = next(one for one in fight.state.combatants if one != actor)
    plans = [
        Plan(moment=find_rollout_start(fight).add_inputs(said))
        for said in (make_declaration(actor, "attack", target=target), make_declaration(actor, "end_turn"))
    ]

    def interrupted(batches: Iterable[Batch]) -> Generator[BatchResults]:
        for nth, one in enumerate(batches):
            if nth == 1:
                raise KeyboardInterrupt
            yield fight_batch(*one)

    known: list[PlanComparison] = []
    with pytest.raises(KeyboardInterrupt):
        known.extend(compare_plans(plans, "red", Precision(), interrupted))
    assert [[len(won) for won in one.won] for one in known] == [[16, 16]]


def test_a_fight_that_cannot_end_is_counted_as_such() -> None:
    known = take_last(Plan(moment=find_rollout_start(endless()), most=200), Precision(most=16))
    assert (known.tally.trials, known.tally.unended, dict(known.tally.wins), known.enough) == (16, 16, {}, False)


def test_what_is_not_possible_is_refused_by_its_rule() -> None:
    fight = last_blows()
    other = next(one for one in fight.state.combatants if one not in fight.state.acting)
    moment = find_rollout_start(fight).add_inputs(make_declaration(other, "attack", target=fight.state.acting[0]))
    with pytest.raises(Refused, match="turn"):
        fight_rollout(Plan(moment=moment), 0)


def test_only_what_counts_can_be_entered() -> None:
    fight = load_recorded_fight(next(path for path in RECORDED if path.stem == "undo-and-redo"))
    gone = next(at for at in range(1, fight.head) if not fight.history.is_effective(at))
    with pytest.raises(Unusable, match=f"position {gone} is no event that counts"):
        find_rollout_start(fight, gone)
    with pytest.raises(Unusable, match="counts"):
        find_rollout_start(fight, fight.head + 1)


def test_real_dice_that_are_entered_later_are_not_foreseen() -> None:
    """While they are awaited, and from the declaration on, it makes no difference what they will show."""
    known = []
    for face in (1, 20):
        fight = last_blows()
        submit_accepted(fight, Ruled(kind="dice", params=params(owner="*", source="entered"), reason="real dice"))
        actor = fight.state.acting[0]
        target = next(one for one in fight.state.combatants if one != actor)
        said = fight.head + 1
        submit_accepted(fight, make_declaration(actor, "attack", target=target))
        while (window := fight.state.window) is not None:
            submit_accepted(fight, Passed(window=window.id, who=window.to[0]))
        awaited, at = fight.state.awaited, fight.head
        assert awaited is not None
        submit_accepted(fight, DiceEntered(roll=awaited.roll, faces=(face,)))
        moments = [find_rollout_start(fight, at), find_rollout_start(fight, said)]
        known.append([(moment, [fight_rollout(Plan(moment=moment), nth) for nth in range(20)]) for moment in moments])
    assert known[0] == known[1]


def test_asking_changes_nothing() -> None:
    fight: Fight = last_blows()
    before = (fight.head, fight.state, fight.history.head_hash)
    moment: RolloutStart = find_rollout_start(fight)
    fight_rollout(Plan(moment=moment), 1)
    assert (fight.head, fight.state, fight.history.head_hash) == before
    submit_accepted(fight, make_declaration(fight.state.acting[0], "end_turn"))


def test_a_process_that_is_ended_from_outside_is_said() -> None:
    """No caller waits for it for ever."""
    with open_workers(2) as work:
        done = work(((Plan(moment=find_rollout_start(last_blows())),), nth, nth + 1) for nth in range(1000))
        next(done)
        for process in list(
            get_reusable_executor(2, timeout=IDLE, initializer=ignore_interruptions)._processes.values()
        ):
            os.kill(process.pid, signal.SIGKILL)
        with pytest.raises(WorkersLost, match="ended from outside"):
            list(done)


@pytest.mark.parametrize(
    ("number", "zero", "says"), [(1, "equal", "+1"), (-1, "equal", "−1"), (0, "equal", "equal"), (0, "+0", "+0")]
)
def test_a_number_is_said_with_its_sign(number: int, zero: str, says: str) -> None:
    assert format_signed(number, zero) == says
