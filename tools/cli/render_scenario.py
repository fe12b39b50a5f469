"""Printed run of a scenario: its lines with clauses, state and legal actions."""

from collections.abc import Iterator

from affray.events import LogError
from affray.tools.cli.printing import say
from affray.tools.cli.render_state import picture
from affray.tools.cli.terminal import console
from affray.tools.present.typed_choices import list_choices
from affray.tools.scenarios.expected import FoundOutcome
from affray.tools.scenarios.scenario_run import ScenarioRun
from affray.tools.scenarios.step_text import split_dice, with_dice


def print_trial(trial: ScenarioRun) -> None:
    """Print the outcome of each step, the state at the end, and the legal actions."""
    for line in trial_lines(trial):
        say(line)
    say()
    console().print(picture(trial.fight, trial.fight.ruleset))
    try:
        for line in list_choices(trial.fight):
            say(f"  {line}")
    except LogError as stumbled:
        say(f"  {stumbled}")
    say()


def trial_lines(trial: ScenarioRun) -> Iterator[str]:
    """Yield each step and the story lines it caused, with their clauses."""
    given = [split_dice(line)[0] for line in trial.scenario.given]
    done = [(with_dice(f"given {do}", found.dice), found) for do, found in zip(given, trial.before, strict=False)]
    for number, (step, found) in enumerate(zip(trial.scenario.steps, trial.found, strict=False), 1):
        done.append((with_dice(f"{number}. {step.do or '(a look at the state)'}", found.dice), found))
    for what, one in done:
        yield f"  {what}"
        yield from (f"       {line}" for line in _lines(one))


def _lines(found: FoundOutcome) -> list[str]:
    """Format the story lines of a step, or the error it failed with."""
    if found.failed:
        return [f"{found.said[0]}: {found.message}" if found.message else found.said[0]]
    return [f"{line.text} {{{', '.join(sorted(line.clauses))}}}" if line.clauses else line.text for line in found.lines]
