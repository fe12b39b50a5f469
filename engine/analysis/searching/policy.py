"""The policy that looks ahead: what a sensible fighter does, unless something else comes out surely better."""

from __future__ import annotations

from hashlib import sha256
from random import Random
from typing import NamedTuple

from affray.engine.analysis.moment import Moment, entered, moment_of
from affray.engine.analysis.policies import Among, Playable, everybody, sensible
from affray.engine.core.draft import Draft
from affray.engine.errors import EngineError
from affray.engine.fight import Fight
from affray.engine.runtime.dice import NamedDice
from affray.events import Answered, Declared, Event, Id, Passed

from .candidates import alternatives
from .racing import USUAL, Budget, race
from .standing import Standing

MOST = 400
"""As many commands a trial may take."""


class Decision(NamedTuple):
    """What is decided, and what it took.

    Attributes:
        intent: What is done; nothing if there is nothing to do.
        candidates: What was tried, the usual first; nothing where nothing was.
        trials: How many trials were fought.
    """

    intent: Event | None
    candidates: tuple[Event, ...] = ()
    trials: int = 0


class Searching:
    """A policy that fights trials of what might be done, to the end of a round, and judges how its side stands then.

    What it does depends on what is there and what is pending alone: not on the secret seed of a fight, nor on a stream
    of chance. The dice of a trial follow from a word, the name of the decision, and the number of the trial.

    Args:
        budget: What a decision may cost.
        seed: Any word; another one gives the trials other dice.
    """

    def __init__(self, budget: Budget = USUAL, seed: str = "searching") -> None:
        self.budget = budget
        self.seed = seed

    def __call__(self, fight: Playable, dice: Random, among: Among = everybody) -> Event | None:
        """Return what is done next; as ``sensible`` where there is nothing to choose, or no moment to try it from.

        Args:
            fight: In the middle of something only a whole fight can be searched, for it alone knows what led there.
            dice: Not used, except for real dice that are awaited.
            among: For whom it decides.
        """
        return self.decided(fight, dice, among).intent

    def decided(self, fight: Playable, dice: Random, among: Among = everybody) -> Decision:
        """Return the same, with what it took to decide it."""
        draft = fight.table.draft
        chance = dice if draft.awaited is not None else Random(f"{self.seed}\n{draft.round}/{draft.waits_for}")
        usual = sensible(fight, chance, among)
        who = _decider(usual)
        if usual is None or who not in draft.combatants:
            return Decision(usual)
        others = alternatives(fight, usual, who, self.budget.candidates)
        moment = _present(fight) if others else None
        if moment is None:
            return Decision(usual)
        candidates = (usual, *others)
        trials = _Trials(fight, moment, who, f"{self.seed}\n{_name(draft, who)}")

        def tried(nth: int, number: int, rounds: int) -> float | None:
            return trials.of(candidates[nth], number, rounds, asking=not nth)

        best, fought = race(len(candidates), self.budget, tried)
        return Decision(candidates[best], candidates, fought)


searching = Searching()
"""With the usual budget."""


class _Trials:
    """Trials of what somebody might do at a moment."""

    def __init__(self, fight: Playable, moment: Moment, who: Id, seed: str) -> None:
        draft = fight.table.draft
        self._moment = moment
        self._side = draft.combatants[who].side
        self._standing = Standing(fight.ruleset, fight.table)
        self._round = draft.round
        self._seed = seed

    def of(self, intent: Event, number: int, rounds: int, *, asking: bool) -> float | None:
        """Return how the side stands after a trial.

        Args:
            number: The trial's; its dice follow from it.
            rounds: How many it goes on for, the present one included.
            asking: Whether the game master may be asked at once what comes of it, whose answer nobody knows.
        """
        seed = f"{self._seed}\n{number}"
        dice, chance = NamedDice(sha256(seed.encode()).digest()), Random(seed)
        decider = self._moment.stand(dice)
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
            following = entered(draft.awaited, dice) if draft.awaited else sensible(decider, chance)
            if following is None:
                break
            decider.carry_out(following)
        return self._standing.of(self._side, decider.table)


def _present(fight: Playable) -> Moment | None:
    """Return the present moment; nothing in the middle of something, where only a fight knows what led there."""
    draft = fight.table.draft
    if not draft.quiet:
        return moment_of(fight) if isinstance(fight, Fight) else None
    return Moment(system=fight.ruleset.name, config=fight.table.config, position=0, state=draft.freeze())


def _decider(intent: Event | None) -> Id:
    """Return who decides it; nobody where dice are entered."""
    match intent:
        case Declared():
            return intent.actor
        case Answered():
            return intent.by or ""
        case Passed():
            return intent.who
    return ""


def _name(draft: Draft, who: Id) -> str:
    """Return the name of a decision; it counts what its actor declared this round, and nothing that others did."""
    what = draft.question.id if draft.question is not None else draft.window.id if draft.window is not None else ""
    return f"{what}\n{draft.round}/{who}/{draft.declarations(who) + 1}"
