"""The command ``odds``: chances to win from a moment on, and the best declaration."""

from __future__ import annotations

import click
from msgspec.structs import replace

from affray.engine.analysis.odds import (
    Plan,
    PlanComparison,
    Precision,
    RolloutStart,
    Sample,
    Work,
    compare_plans,
    find_rollout_start,
    sample_trials,
)
from affray.engine.errors import Unusable
from affray.engine.fight import Fight
from affray.engine.texts import name_said
from affray.events import Answered, Declared, Id, Passed
from affray.tools.api.store_url import looking_at
from affray.tools.cli.completion import values
from affray.tools.cli.options import fight_argument, json_option
from affray.tools.cli.printing import say, say_json
from affray.tools.lab.odds.odds_answer import comparison_for_machines, tally_for_machines
from affray.tools.lab.trials import add_trial_options, fighters, precision_of, watch_trials
from affray.tools.parse import intent_parser
from affray.tools.present.story.words import names_of
from affray.tools.present.waiting_text import waiting_sentence

from .chance_text import format_share
from .odds_text import comparison_said, elsewhere_said, tally_said


@click.command()
@fight_argument
@click.option("--at", type=int, metavar="POSITION", help="From this position of the record; the head if not given.")
@click.option(
    "--if",
    "ifs",
    multiple=True,
    metavar="WORDS",
    shell_complete=values.tried_line,
    help="Compare possible declarations or answers; repeatable.",
)
@add_trial_options
@json_option
def odds(
    said: str,
    at: int | None,
    ifs: tuple[str, ...],
    within: float,
    trials: int,
    policy: str,
    seed: str,
    jobs: int,
    cluster: str,
    as_json: bool,
) -> None:
    """Fight a fight on from a moment many times with other dice, and count its ends.

    The trials have dice of their own. The fight's seed is not read, and nothing is written to the fight. With --if,
    such as --if "ilse attack captain" --if "pass ilse" or --if "answer yes", compare declarations, answers and passes
    that are possible now, under the same dice.
    """
    with looking_at(said, whole=as_json) as fight:
        moment = find_rollout_start(fight, at)
        plan, much = Plan(moment=moment, policy=policy, seed=seed), precision_of(within, trials)
        if not as_json:
            for line in elsewhere_said(fight.history.path[-1] if at is None else at, moment):
                say(line)
        with fighters(jobs, cluster) as work:
            if ifs:
                _compare(fight, plan, ifs, much, work, as_json=as_json)
            else:
                _foresee(fight, plan, much, work, as_json=as_json)


def _foresee(fight: Fight, plan: Plan, much: Precision, work: Work, *, as_json: bool) -> None:
    """Print the chances of each side, or the result of a fight that has ended."""
    there = fight.state_at(plan.moment.position)
    if there.ended and not as_json:
        say(waiting_sentence(there, fight.ruleset))
        return

    def say_best(sample: Sample) -> tuple[int, str]:
        tally = sample.tally
        best = max(tally.wins, key=lambda side: tally.wins[side], default="")
        return tally.trials, f"{name_said(best) or 'nobody'} {format_share(tally.chance(best))}"

    found, interrupted = watch_trials(sample_trials(plan, much, work), much.most, say_best)
    if as_json:
        say_json(tally_for_machines(fight, plan, found))
    else:
        for line in tally_said(fight, plan, found, much, names_of(fight.history.recorded), interrupted=interrupted):
            say(line)


def _compare(fight: Fight, plan: Plan, ifs: tuple[str, ...], much: Precision, work: Work, *, as_json: bool) -> None:
    """Print a comparison of declarations, answers or passes."""
    there = _standing(fight, plan.moment)
    intents = [_parse_choice(there, words) for words in ifs]
    plans = [replace(plan, moment=plan.moment.add_inputs(intent)) for intent in intents]
    side = _side(there, intents)

    def say_chances(found: PlanComparison) -> tuple[int, str]:
        chances = ", ".join(format_share(found.chance(nth)) for nth in range(len(plans)))
        return len(found.won[0]), f"{name_said(side)} {chances}"

    found, interrupted = watch_trials(compare_plans(plans, side, much, work), much.most, say_chances)
    if as_json:
        say_json(comparison_for_machines(plan, ifs, found))
    else:
        for line in comparison_said(fight, plan, ifs, found, much, interrupted=interrupted):
            say(line)


def _standing(fight: Fight, moment: RolloutStart) -> Fight:
    """Return the fight at a moment, to parse words in it."""
    if not fight.history.ends_a_command(moment.position):
        raise Unusable(f"position {moment.position} is in the middle of a command, where nobody declares", "--at")
    return fight if moment.position == fight.head else fight.copy_at(moment.position, mend=True)


Choice = Declared | Answered | Passed
"""Inputs that can be compared."""


def _parse_choice(fight: Fight, words: str) -> Choice:
    """Parse a declaration, an answer or a pass.

    Raises:
        Refused, Unusable: the words are not understood, or are no choice of a combatant.
    """
    intent = intent_parser.intent(fight, words)
    if not isinstance(intent, Choice):
        raise Unusable(f"{words}: say a declaration, an answer or a pass", "--if")
    return intent


def _side(fight: Fight, intents: list[Choice]) -> str:
    """Return the side of the compared choices.

    Raises:
        Unusable: the choices are of several sides.
    """
    people = fight.table.draft.combatants
    sides = {people[who].side for who in map(_chooser, intents) if who in people}
    if len(sides) != 1:
        raise Unusable("compare what one side may do", "--if")
    return sides.pop()


def _chooser(intent: Choice) -> Id:
    """Return the combatant who makes a choice."""
    match intent:
        case Declared(actor=who) | Answered(by=who) | Passed(who=who):
            return who
