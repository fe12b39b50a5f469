"""The searching policy: the sensible action, unless another is surely better."""

from __future__ import annotations

from hashlib import sha256
from random import Random
from typing import NamedTuple

from affray.engine.analysis.policies import DecidesFor, Playable, choose_sensibly, decide_for_all
from affray.engine.analysis.rollout_start import RolloutStart, enter_dice, find_rollout_start
from affray.engine.core.draft import Draft
from affray.engine.errors import EngineError
from affray.engine.fight import Fight
from affray.engine.runtime.dice import NamedDice
from affray.events import Answered, Declared, Event, Id, Passed

from .candidates import list_alternatives
from .race import USUAL, Budget, run_race
from .standing import StandingJudge

MOST = 400
"""The most commands of a trial."""


class SearchResult(NamedTuple):
    """A decision with its search.

    Attributes:
        intent: The chosen input; ``None`` if there is nothing to do.
        candidates: The inputs that were tried, the usual one first; empty without a search.
        trials: The number of trials.
    """

    intent: Event | None
    candidates: tuple[Event, ...] = ()
    trials: int = 0


class SearchPolicy:
    """A policy that tries alternatives by fighting on to the end of a round.

    It judges each by its side's standing then. The choice depends only on the present state and the pending input. It
    depends neither on the secret seed of a fight nor on a random stream. The dice of a trial follow from a word, the
    name of the decision, and the number of the trial.

    Args:
        budget: The budget of a decision.
        seed: Any word. Another one gives the trials other dice.
    """

    def __init__(self, budget: Budget = USUAL, seed: str = "searching") -> None:
        self.budget = budget
        self.seed = seed

    def __call__(self, fight: Playable, dice: Random, among: DecidesFor = decide_for_all) -> Event | None:
        """Return the next input, as ``sensible`` does if there is nothing to search.

        Args:
            fight: The fight or table. Within a resolution only a whole fight can be searched, because only it knows the
                inputs so far.
            dice: The source of random choices, used only for awaited real dice.
            among: Tells which combatants the policy decides for.
        """
        return self.search(fight, dice, among).intent

    def search(self, fight: Playable, dice: Random, among: DecidesFor = decide_for_all) -> SearchResult:
        """Return the next input together with its search."""
        draft = fight.table.draft
        chance = dice if draft.awaited is not None else Random(f"{self.seed}\n{draft.round}/{draft.waits_for}")
        usual = choose_sensibly(fight, chance, among)
        who = _find_decider(usual)
        if usual is None or who not in draft.combatants:
            return SearchResult(usual)
        others = list_alternatives(fight, usual, who, self.budget.candidates)
        moment = _find_present(fight) if others else None
        if moment is None:
            return SearchResult(usual)
        candidates = (usual, *others)
        trials = _SearchTrials(fight, moment, who, f"{self.seed}\n{_name_decision(draft, who)}")

        def try_candidate(nth: int, number: int, rounds: int) -> float | None:
            return trials.fight_trial(candidates[nth], number, rounds, asking=not nth)

        best, fought = run_race(len(candidates), self.budget, try_candidate)
        return SearchResult(candidates[best], candidates, fought)


choose_by_search = SearchPolicy()
"""The policy with the usual budget."""


class _SearchTrials:
    """Trials of a combatant's alternatives at a point of a fight."""

    def __init__(self, fight: Playable, moment: RolloutStart, who: Id, seed: str) -> None:
        draft = fight.table.draft
        self._moment = moment
        self._side = draft.combatants[who].side
        self._standing = StandingJudge(fight.ruleset, fight.table)
        self._round = draft.round
        self._seed = seed

    def fight_trial(self, intent: Event, number: int, rounds: int, *, asking: bool) -> float | None:
        """Return a side's standing after a trial, or ``None`` if the input is illegal.

        Args:
            number: The trial's number, which determines its dice.
            rounds: The number of rounds to fight, counting the present one.
            asking: Whether the game master may be asked about the outcome. That answer cannot be predicted.
        """
        seed = f"{self._seed}\n{number}"
        dice, chance = NamedDice(sha256(seed.encode()).digest()), Random(seed)
        decider = self._moment.make_decider(dice)
        draft = decider.draft
        try:
            decider.carry_out(intent)
        except EngineError:
            return None
        if not asking and draft.question is not None and "gm" in draft.question.of:
            return None
        for _ in range(MOST):
            if draft.ended or draft.round >= self._round + rounds:
                break
            following = enter_dice(draft.awaited, dice) if draft.awaited else choose_sensibly(decider, chance)
            if following is None:
                break
            decider.carry_out(following)
        return self._standing.judge(self._side, decider.table)


def _find_present(fight: Playable) -> RolloutStart | None:
    """Return the present as a start of rollouts, or ``None`` if it cannot be one.

    In the middle of a resolution, only a fight knows the inputs so far.
    """
    draft = fight.table.draft
    if not draft.quiet:
        return find_rollout_start(fight) if isinstance(fight, Fight) else None
    return RolloutStart(system=fight.ruleset.name, config=fight.table.config, position=0, state=draft.freeze())


def _find_decider(intent: Event | None) -> Id:
    """Return the combatant who makes an input; empty for entered dice."""
    match intent:
        case Declared():
            return intent.actor
        case Answered():
            return intent.by or ""
        case Passed():
            return intent.who
    return ""


def _name_decision(draft: Draft, who: Id) -> str:
    """Return the name of a decision.

    It counts the declarations of its own actor in this round, and no others.
    """
    what = draft.question.id if draft.question is not None else draft.window.id if draft.window is not None else ""
    return f"{what}\n{draft.round}/{who}/{draft.declarations(who) + 1}"
