"""The output of ``rules SYSTEM`` with ``--check`` and ``--settings``."""

from __future__ import annotations

from affray.engine.core.rule_faults import show_path
from affray.engine.core.ruleset import Ruleset
from affray.engine.system_check import SystemFault
from affray.tools.book.settings import list_settings
from affray.tools.cli.exit_codes import REFUSED
from affray.tools.cli.printing import say, say_json, wrap_below
from affray.tools.cli.progress import bar
from affray.tools.parse.values import count_of
from affray.tools.systems.check import SystemReport, check_system


def print_check(system: str, fights: int, *, as_json: bool) -> int:
    """Check a rule system and print its faults; return the exit code."""
    with bar(fights) as show:
        report = check_system(system, fights, lambda done: show(done, ""))
    if as_json:
        say_json(report)
    else:
        for fault in report.faults:
            _print_fault(fault)
        say(summarise(report), bold=True, colour="green" if report.clean else "red")
    return 0 if report.clean else REFUSED


def print_settings(ruleset: Ruleset, *, as_json: bool) -> None:
    """Print the settings of a rule system: default, allowed values, meaning and clauses."""
    every = list_settings(ruleset)
    if as_json:
        say_json({"system": ruleset.name, "version": ruleset.version, "settings": every})
        return
    say(f"{ruleset.title}: the settings of an encounter's [config], with their defaults", bold=True)
    for one in every:
        say()
        say(f"{one.key} = {one.usual}", colour="cyan")
        clauses = f" ({', '.join(one.clauses)})" if one.clauses else ""
        for line in wrap_below(f"{one.says}{clauses}"):
            say(line)
        for line in wrap_below(f"Allowed: {one.allows}."):
            say(line)
    if not every:
        say()
        say("  There are none.")


def _print_fault(fault: SystemFault) -> None:
    """Print a fault: place and message, and below it the line that would work."""
    place = ":".join([show_path(fault.file), *([str(fault.line)] if fault.line else [])])
    say(f"{place}: {fault.message}" if fault.file else fault.message)
    if fault.instead:
        say(f"    write: {fault.instead}")


def summarise(report: SystemReport) -> str:
    """Return the result of a check in one line."""
    found = "clean" if report.clean else count_of(len(report.faults), "fault")
    if not report.modules:
        return f"{found}: {report.system} cannot be loaded"
    checked = (
        count_of(report.modules, "module"),
        count_of(report.clauses, "clause"),
        count_of(report.rows, "row") + " of the flow",
        f"{count_of(report.fights, 'fight')} with {count_of(report.events, 'event')}" if report.fights else "no fight",
    )
    return f"{found}: {report.system} {report.version}, {', '.join(checked)}"
