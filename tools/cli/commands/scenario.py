"""The command ``scenario``, which runs rule scenarios and shows failures."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
from msgspec import Struct
from msgspec.structs import replace

from affray.engine.core.loading import load_all, template
from affray.engine.errors import Unusable
from affray.tools.cli.command_output import deliver
from affray.tools.cli.commands.reference import find
from affray.tools.cli.completion import values
from affray.tools.cli.exit_codes import REFUSED, UNUSABLE
from affray.tools.cli.options import force_option, json_option
from affray.tools.cli.printing import complain, say, say_json
from affray.tools.cli.progress import each_with_bar
from affray.tools.parse.encounter_file import add_location
from affray.tools.parse.faults import KNOWN, Fault, Faulty, fault_of
from affray.tools.present.fault_text import lines_of
from affray.tools.scenarios.sayable import sayable
from affray.tools.scenarios.scenario_file import Scenario, read_scenarios, scenario_files
from affray.tools.scenarios.scenario_places import line_of_failure, place_in_cast
from affray.tools.scenarios.scenario_run import Failure, ScenarioRun, run_scenario
from affray.tools.scenarios.scenario_write import fill_in_outcomes

SCENARIOS = "scenarios.toml"
"""File name of the template in a system's folder."""

INDENT = " " * 7

COLOURS = {"FAILS": "red", "holds": "green", "-": "red", "+": "green", "?": "yellow", "~": "yellow"}
"""Colours on a terminal, by how a line begins."""


class Spoilt(Struct, frozen=True, kw_only=True):
    """A file or a scenario that cannot be used."""

    file: Path
    title: str = ""
    fault: Fault


@click.command()
@click.argument(
    "files", metavar="[FILE…]", nargs=-1, type=click.Path(path_type=Path), shell_complete=values.files(".toml")
)
@click.option("--keep-going", is_flag=True, help="Go on after a step that fails, and show all failures.")
@click.option("--show", is_flag=True, help="Show every line with its clauses, and at the end what may be done next.")
@click.option("--throw", is_flag=True, help="Throw the dice that are missing, the same ones each time.")
@click.option(
    "--write", is_flag=True, help="Write into the files what is thrown, and what comes of steps that say nothing."
)
@click.option(
    "--template",
    "system",
    metavar="SYSTEM",
    shell_complete=values.systems,
    help="Write a scenario file of this system, and run nothing.",
)
@click.option(
    "-o",
    "said",
    metavar="FILE",
    help="Where to write it, or - to print it; beside you, as SYSTEM-scenarios.toml, if not given.",
)
@force_option
@json_option
def scenario(
    files: tuple[Path, ...],
    keep_going: bool,
    show: bool,
    throw: bool,
    write: bool,
    system: str | None,
    said: str | None,
    force: bool,
    as_json: bool,
) -> None:
    """Run rule scenarios of files or folders; or write a file (--template SYSTEM)."""
    if bool(files) == bool(system):
        raise Unusable("name scenario files, or a system to get a template of with --template SYSTEM", "FILE")
    if said and not system:
        raise Unusable("goes with --template; scenarios are filled in where they are, with --write", "-o")
    if system:
        write_scenario_template(system, said, force=force)
        return
    watched = each_with_bar(scenario_files(files), "files run")
    every = [one for file in watched for one in run_file(file, keep_going=keep_going, throw=throw, write=write)]
    if as_json:
        say_json([_trial_for_machines(one) for one in every])
    else:
        for one in every:
            _print(one, show=show)
        _sum_up(every)
    if any(isinstance(one, Spoilt) for one in every):
        raise click.exceptions.Exit(UNUSABLE)
    if any(isinstance(one, ScenarioRun) and one.failures for one in every):
        raise click.exceptions.Exit(REFUSED)


def write_scenario_template(system: str, said: str | None, *, force: bool) -> None:
    """Write a system's commented scenario file, or print it if ``said`` is ``-``.

    Raises:
        Unusable: the system has no template, or the path cannot be written.
        StoreFailed: the file exists already.
    """
    ruleset = find(system)
    text = template(ruleset, SCENARIOS)
    if not text:
        with_one = [one.name for one in load_all() if template(one, SCENARIOS)]
        raise Unusable(
            f"{ruleset.title} has no scenario file to begin with; there is one for {', '.join(with_one)}", "--template"
        )
    file = said or f"{system}-scenarios.toml"
    deliver(file, text + sayable(ruleset), f"wrote {file}; run it with: affray scenario {file}", force=force)


def run_file(
    file: Path, *, keep_going: bool = False, throw: bool = False, write: bool = False
) -> list[ScenarioRun | Spoilt]:
    """Run the scenarios of a file. An unusable scenario does not stop the others.

    Args:
        keep_going, throw: As in ``run_scenario``.
        write: Whether to fill in missing dice and expectations. The file is then run again, and that run is returned.
    """
    try:
        every = [_run_one(one, keep_going=keep_going, throw=throw) for one in read_scenarios(file)]
        if write and fill_in_outcomes(file, [one for one in every if isinstance(one, ScenarioRun)]):
            return run_file(file, keep_going=keep_going)
    except KNOWN as error:
        return [Spoilt(file=file, fault=fault_of(error, str(file)))]
    return every


def _run_one(one: Scenario, *, keep_going: bool, throw: bool) -> ScenarioRun | Spoilt:
    """Run one scenario; turn an error into ``Spoilt`` with file and line."""
    try:
        with add_location(one.file, "", one.encounter):
            return run_scenario(one, keep_going=keep_going, throw=throw)
    except Faulty as error:
        file, field, line = place_in_cast(one, error.fault)
        message = f"{one.title}: {error.fault.message}"
        fault = replace(error.fault, file=str(file), field=field, line=line, message=message)
        return Spoilt(file=one.file, title=one.title, fault=fault)


# --- output ---


def _print(one: ScenarioRun | Spoilt, *, show: bool) -> None:
    """Print whether a scenario holds, or how it fails. With ``show`` print its run."""
    if isinstance(one, Spoilt):
        for line in lines_of(one.fault):
            complain(line)
        return
    for line in describe_trial(one):
        say(line, colour=COLOURS.get(line.strip()[:1]) if line.startswith(INDENT) else COLOURS.get(line[:5]))
    if show:
        from affray.tools.cli.render_scenario import print_trial as show_it  # noqa: PLC0415 - pictures take long to load

        show_it(one)


def describe_trial(trial: ScenarioRun) -> list[str]:
    """Return the lines about a trial: one if it holds, otherwise each failure."""
    if not trial.failures:
        return [f"holds  {trial.scenario.title}"]
    return [
        f"FAILS  {trial.scenario.title}",
        *(line for one in trial.failures for line in _failure(trial.scenario, one)),
    ]


def _failure(scenario: Scenario, one: Failure) -> Iterator[str]:
    """Yield the lines of one failure."""
    yield INDENT + _where(scenario, one)
    yield INDENT + one.message
    yield from (f"{INDENT}  {line}" for line in one.lines)


def _where(scenario: Scenario, failure: Failure) -> str:
    """Return file, line and step of a failure."""
    at = line_of_failure(scenario, failure)
    step = f"step {failure.step}" if failure.step else "[scenario.state]" if failure.field.startswith("state") else ""
    where = ", ".join(part for part in (str(scenario.file), f"line {at}" if at else "", step) if part)
    return f"{where}: {failure.do}" if failure.do else where


def _sum_up(every: Sequence[ScenarioRun | Spoilt]) -> None:
    """Print how many scenarios hold, and how many could not be used."""
    trials = [one for one in every if isinstance(one, ScenarioRun)]
    spoilt = len(every) - len(trials)
    hold = f"{sum(not one.failures for one in trials)} of {len(trials)} scenarios hold"
    if trials:
        say(f"{hold}; {spoilt} could not be used" if spoilt else hold)


def _trial_for_machines(one: ScenarioRun | Spoilt) -> dict[str, Any]:
    """Build the JSON form of a trial."""
    if isinstance(one, Spoilt):
        return {"file": str(one.file), "title": one.title, "holds": False, "error": one.fault}
    return {
        "file": str(one.scenario.file),
        "title": one.scenario.title,
        "holds": not one.failures,
        "proves": one.scenario.proves,
        "failures": one.failures,
    }
