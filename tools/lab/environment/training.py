"""Example of training: a side learns to fight against a policy.

``python -m affray.tools.lab.environment.training verdigris --fights 400`` prints how often it won, a hundred fights a
line. The learner has one weight for each kind of choice, each kind of target and each pool of a target (a softmax
policy under REINFORCE; Williams, 1992). That is enough to learn to strike at foes.
"""

from __future__ import annotations

import click
import numpy as np
from numpy.typing import NDArray

from affray.engine.analysis.odds import estimate_share
from affray.engine.analysis.policy_registry import POLICIES
from affray.engine.core.loading import available
from affray.tools.cli.printing import say
from affray.tools.lab.environment.encoding import ABOUT, Coding
from affray.tools.lab.environment.environment import Fights, Seen
from affray.tools.lab.odds.chance_text import format_share

Numbers = NDArray[np.float64]


class Learner:
    """A policy that learns.

    Args:
        coding: Encoding of observations.
        rate: Learning rate.
        seed: Seed of its random choices.
    """

    def __init__(self, coding: Coding, rate: float = 0.05, seed: int = 0) -> None:
        self._coding, self._rate = coding, rate
        self._column = {name: nth for nth, name in enumerate(coding.chosen)}
        self._weights = np.zeros(len(ABOUT) + 2 * coding.kinds + len(coding.columns))
        self._chance = np.random.default_rng(seed)
        self._moves = np.zeros_like(self._weights)
        self._usual = 0.0

    def choose(self, seen: Seen) -> int:
        """Choose by the weights, and add the gradient of the choice."""
        offered, chances = self._features(seen), self.chances(seen)
        picked = int(self._chance.choice(len(chances), p=chances))
        self._moves += offered[picked] - chances @ offered
        return picked

    def chances(self, seen: Seen) -> Numbers:
        """Return the probability of each choice."""
        worth = self._features(seen) @ self._weights
        likely = np.exp(worth - worth.max())
        return np.asarray(likely / likely.sum())

    def learn(self, reward: float) -> None:
        """Move the weights by the reward of a fight against the average reward."""
        self._weights += self._rate * (reward - self._usual) * self._moves / max(1.0, float(np.abs(self._moves).max()))
        self._usual += 0.05 * (reward - self._usual)
        self._moves[:] = 0

    def _features(self, seen: Seen) -> Numbers:
        """Return the features of each choice: subject, kind, foe or not, and target."""
        rows = seen["choices"][seen["action_mask"] == 1]
        people = self._coding.people(seen["observation"])
        found = np.zeros((len(rows), len(self._weights)))
        for one, row in zip(found, rows, strict=True):
            about, kind, target = (int(row[self._column[name]]) for name in ("about", "kind", "combatant"))
            one[about] = 1
            foe = target >= 0 and not people[target][self._coding.columns.index("own")]
            one[len(ABOUT) + kind + (self._coding.kinds if foe else 0)] = 1
            if target >= 0:
                one[-len(self._coding.columns) :] = people[target] / 10
        return found


def fight_and_learn(fights: Fights, learner: Learner) -> float:
    """Let a learner play one fight and learn from it; return the reward."""
    (side,) = fights.possible_agents
    while not fights.terminations[side] and not fights.truncations[side]:
        fights.step(learner.choose(fights.observe(side)))
    reward = float(fights.rewards[side])
    learner.learn(reward)
    return reward


@click.command()
@click.argument("system", type=click.Choice(available()))
@click.option("--fights", "many", default=400, show_default=True, type=click.IntRange(1), help="How many fights.")
@click.option("--against", default="anything", show_default=True, type=click.Choice(sorted(POLICIES)), help="Whom.")
@click.option("--seed", default=1, show_default=True, help="Another number, other fights.")
def main(system: str, many: int, against: str, seed: int) -> None:
    """Train the first side of a system's template fight, and print how often it won."""
    sides = Fights(system).possible_agents
    fights = Fights(system, policies=dict.fromkeys(sides[1:], POLICIES[against]), most_commands=600)
    learner = Learner(fights.coding, seed=seed)
    fights.reset(seed=seed)
    won: list[bool] = []
    for nth in range(many):
        won.append(fight_and_learn(fights, learner) > 0)
        fights.reset()
        if (nth + 1) % 100 == 0 or nth + 1 == many:
            part = won[nth // 100 * 100 :]
            won_share = format_share(estimate_share(sum(part), len(part)))
            say(f"fights {nth + 2 - len(part)} to {nth + 1}: {sides[0]} won {won_share}")


if __name__ == "__main__":
    main()
