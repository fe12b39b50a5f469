"""The command ``scenario``: which rule scenarios hold, and how the others fail."""

from __future__ import annotations

import difflib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from affray.engine.errors import Unusable
from affray.engine.stores.given import text_of
from affray.tools.faults import REFUSED, Fault, Faulty
from affray.tools.options import json_option
from affray.tools.outputs import write_output
from affray.tools.printing import say, say_json

from .scenario_file import Scenario, read_scenarios, scenario_files
from .scenario_run import Failure, Trial, run


@click.command(short_help="Run rule scenarios and say which of them hold.")
@click.argument("files", metavar="FILE…", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--write", is_flag=True, help="Write into the files what comes of steps that say nothing about it.")
@json_option
def scenario(files: tuple[Path, ...], write: bool, as_json: bool) -> None:
    """Run rule scenarios (files, or folders of them) and say which hold."""
    trials = [tried(one) for file in scenario_files(files) for one in read_scenarios(file)]
    if write:
        for file in dict.fromkeys(trial.scenario.file for trial in trials):
            fill_in(file, [trial for trial in trials if trial.scenario.file == file])
    if as_json:
        say_json([_told(trial) for trial in trials])
    else:
        for trial in trials:
            for line in report(trial):
                say(line)
        failed = sum(trial.failure is not None for trial in trials)
        say(f"{len(trials) - failed} of {len(trials)} scenarios hold")
    if any(trial.failure for trial in trials):
        raise click.exceptions.Exit(REFUSED)


def tried(one: Scenario) -> Trial:
    """Run a scenario.

    Raises:
        Faulty: its encounter cannot be used; says in which file.
    """
    try:
        return run(one)
    except Unusable as error:
        message = f"{one.title}: {error.message}"
        raise Faulty(Fault(kind="unusable", message=message, field=error.field, file=str(one.file))) from None


def report(trial: Trial) -> list[str]:
    """Return what a person reads of a trial: one line if it holds, else what differs as well."""
    failure = trial.failure
    if failure is None:
        return [f"holds  {trial.scenario.title}"]
    where = f"{trial.scenario.file}, step {failure.step}: {failure.do}" if failure.do else f"{trial.scenario.file}"
    return [f"FAILS  {trial.scenario.title}", f"       {where}", f"       {failure.message}", *_differences(failure)]


def _differences(failure: Failure) -> list[str]:
    """Set what was expected (-) and found (+) against each other."""
    if not failure.expected and not failure.found:
        return []
    return [f"       {line}" for line in difflib.ndiff(failure.expected, failure.found) if line[0] != "?"]


def _told(trial: Trial) -> dict[str, Any]:
    """Return what a machine reads of a trial."""
    return {
        "file": str(trial.scenario.file),
        "title": trial.scenario.title,
        "holds": trial.failure is None,
        "proves": trial.scenario.proves,
        "failure": trial.failure,
    }


def fill_in(file: Path, trials: Sequence[Trial]) -> None:
    """Write what was found below each step of a file that asserts nothing, for somebody to check by hand."""
    found = [
        None if step.then is not None or step.refused or step.unusable else outcome
        for trial in trials
        for step, outcome in zip(
            trial.scenario.steps,
            (*trial.found, *(None for _ in trial.scenario.steps[len(trial.found) :])),
            strict=True,
        )
    ]
    written, steps = [], iter(found)
    waiting = None
    for line in [*text_of(file).splitlines(), ""]:
        if waiting is not None and (not line.strip() or line.startswith("[")):
            written += _as_toml(waiting.said)
            waiting = None
        if line.startswith("do = "):
            waiting = next(steps)
        written.append(line)
    write_output(file, "\n".join(written).rstrip("\n") + "\n", force=True)


def _as_toml(said: Sequence[str]) -> list[str]:
    """Return found lines as the keys of a step."""
    first = said[0] if said else ""
    for key in ("refused", "unusable"):
        if first.startswith(f"{key}: "):
            return [f"{key} = {_quoted(first.removeprefix(f'{key}: '))}"]
    return ["then = [", *(f"    {_quoted(line)}," for line in said), "]"] if said else ["then = []"]


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


__all__ = ["scenario"]
