"""A generated fight while it is played: what is said, how it is restarted, and what was drawn of each kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

from affray.engine import fold
from affray.engine.analysis.policies import choose_random_legal
from affray.engine.commands import Amend, Close, Command, Intent, Redo, Stir, Undo
from affray.engine.core.ruleset import Ruleset
from affray.engine.fight import Fight
from affray.engine.opening import open_fight
from affray.engine.runtime.offers import build_offer_trees, list_awaited
from affray.events import Answered, AskingSet, Declared, DiceEntered, FightEnded, Passed, RoundBegan, Ruled, Stacked
from tests.driving import Came, Driver, must
from tests.engine.drawing import Kind
from tests.engine.encounters import BEFORE, RULED
from tests.engine.fights import NAME, encode_state, noon, salt

from .encounters import Begun

SORTS: dict[type[Intent], str] = {
    Declared: "declarations",
    Answered: "answers",
    Passed: "passes",
    Ruled: "rulings",
    DiceEntered: "entered rolls",
    AskingSet: "standing asks",
    Undo: "undos",
    Redo: "redos",
    Amend: "amendments",
    Stir: "words stirred in",
    Close: "closed",
}
"""What each kind of command is counted as."""


WISHING = 0.5
"""How likely somebody waits for the moment at which some action or ruling is possible, however seldom that is."""


class Playing:
    """A fight in play.

    Attributes:
        driver: Sends commands to the fight as it is open now, which is another one after each restart.
        store, seed: Where it is kept, and what its dice follow from; none if all are entered.
        dice: Makes every choice.
        drawn: How much was drawn of each kind.
        why_not: Why it cannot end, if that was found out.
        wishes: What somebody waits to do or to rule, with what must come before it behind.
    """

    def __init__(self, begun: Begun, dice: Random, drawn: Counter[str]) -> None:
        fight, self.store, self.seed = begun
        self.driver = Driver(fight, self._count)
        self.dice = dice
        self.drawn = drawn
        self.why_not = ""
        self.wishes = [*wishes(self.fight.ruleset, dice)] if dice.random() < WISHING else []
        self._sent = 0

    @property
    def fight(self) -> Fight:
        """The fight as it is open now."""
        return self.driver.fight

    def say(self, intent: Intent) -> Came:
        """Say what must be accepted, since it was offered or nothing stands against it."""
        return self.ask(intent, offered=True)

    def ask(self, intent: Intent, *, offered: bool = False) -> Came:
        """Ask for something."""
        self._sent += 1
        return self.driver.send(Command(id=f"c{self._sent}", who="gm", intent=intent), offered=offered)

    def _count(self, _: Fight, came: Came) -> None:
        if came.no is not None:
            self.drawn["refused"] += 1
            return
        intent = came.command.intent
        self.drawn["commands"] += 1
        self.drawn[SORTS[type(intent)]] += 1
        if isinstance(intent, Ruled):
            self.drawn[f"ruling {intent.kind}"] += 1
        actions = [one.event.kind for one in came.recorded if isinstance(one.event, Declared | Stacked)]
        self.drawn.update(f"action {kind}" for kind in actions)

    def restart(self) -> None:
        """Go on with the fight as it is opened from its bytes: the same state, the same question, the same offers."""
        before, after = self.fight, open_fight(NAME, self.store, clock=noon, salts=salt)
        must(encode_state(after.state) == encode_state(before.state), "opened again it is another fight")
        must(after.history.undone == before.history.undone, "opened again it would redo something else")
        must(list_open_actions(after) == list_open_actions(before), "opened again it waits for somebody else")
        if not before.history.closed:
            chance = self.dice.random()
            must(
                choose_random_legal(after, Random(chance)) == choose_random_legal(before, Random(chance)),
                "opened again it offers something else",
            )
        self.drawn["restarts"] += 1
        self.drawn["restarts in the middle of something"] += not before.state.quiet
        self.driver.fight = after

    def tell_end(self) -> None:
        """Count how the fight ended, or why it did not, and what is in its record."""
        events = [one.event for one in self.fight.history.effective()]
        ends = [f"ended: {one.why}" for one in events if isinstance(one, FightEnded)]
        if not ends:
            ends = [f"no end: {self.why_not or 'closed unfinished'}"]
        self.drawn[ends[-1]] += 1
        self.drawn["rounds"] += sum(isinstance(one, RoundBegan) for one in events)
        self.drawn["events"] += self.fight.head
        self.drawn["fights"] += 1


def wishes(ruleset: Ruleset, dice: Random) -> Iterator[Kind]:
    """Yield any kind of action or ruling that there is, and what must come before it."""
    first, rulings = BEFORE[ruleset.name], sorted(RULED[ruleset.name])
    kinds = [*(Kind("action", one) for one in sorted(ruleset.actions)), *(Kind("ruling", one) for one in rulings)]
    wish: Kind | None = dice.choice(kinds)
    while wish is not None:
        yield wish
        wish = first.get(wish.name)


def list_open_actions(fight: Fight) -> list[object]:
    """Return who may do something, and what the fight waits for."""
    movers = [(one.actor, one.manner) for one in build_offer_trees(fight.ruleset, fight.table)]
    return [*movers, *list_awaited(fight.table)]


def check_fold(fight: Fight) -> None:
    """See that what counts of the record folds to the present, byte for byte."""
    must(
        encode_state(fold(fight.history.effective())) == encode_state(fight.state),
        "the fold of the record is another state",
    )
