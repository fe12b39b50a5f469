"""What ``rules SYSTEM --check`` prints."""

from __future__ import annotations

from affray.engine.core.rule_faults import show_path
from affray.engine.system_check import SystemFault
from affray.tools.cli.printing import say, say_json
from affray.tools.cli.progress import bar
from affray.tools.parse.faults import REFUSED
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
