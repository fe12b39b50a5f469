"""Faults of rules: the exception, the line of the system's own files, and the moment of the fight."""

from __future__ import annotations

import linecache
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from traceback import walk_tb
from types import CodeType, GeneratorType
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from affray.engine.errors import RULE_ERRORS, NoRow, describe_error
from affray.events import Senseless

if TYPE_CHECKING:
    from .draft import Draft
    from .ruleset import Ruleset

LONGEST = 300
"""The maximum length of an exception's message, in characters."""

RUNNING = "frame"
"""The name of the engine's local variable that holds a running rule."""

BUNDLED = "affray.engine.rulesets."
"""The package of the systems that come with the program."""


class RuleFault(Struct, frozen=True, kw_only=True):
    """An exception in the rules of a system.

    Attributes:
        system: The name of the system.
        error: Type and message of the exception.
        file: The file of the system's own code where it happened; empty if unknown.
        line: The line in it, from 1; 0 if unknown.
        function: The function in it.
        moment: Position, round and phase of the fight, and the action or procedure that was running.
    """

    system: str
    error: str
    file: str
    line: int
    function: str
    moment: str

    def __str__(self) -> str:
        place = f"{show_path(self.file)}:{self.line}: " if self.file else ""
        return f"{place}{self.error}{f'; in {self.function}' if self.function else ''}, {self.moment}"


class RulesFailed(Senseless):
    """The rules fail on the state that a log led to.

    Attributes:
        fault: The details for the author of the rules; ``None`` for a bundled system. No player may read them.
    """

    def __init__(self, message: str, line: int = 0, fault: RuleFault | None = None) -> None:
        super().__init__(message, line)
        self.fault = fault


@contextmanager
def convert_rule_errors(ruleset: Ruleset, draft: Draft, head: int = 0) -> Iterator[None]:
    """Run rules on the state that a log led to; convert failures to ``RulesFailed``.

    Args:
        draft: The state.
        head: The log position of the state; 0 if unknown.

    Raises:
        RulesFailed: the rules failed.
    """
    try:
        yield
    except RULE_ERRORS as error:
        raise rule_failure(error, ruleset, draft, head) from error


def rule_failure(error: Exception, ruleset: Ruleset, draft: Draft, head: int = 0) -> RulesFailed:
    """Build the error for a log with a state that the rules cannot read."""
    message = f"where this leads, the rules of {ruleset.name} cannot follow: {describe_error(error)}; see affray audit"
    return RulesFailed(message, head, find_rule_fault(error, ruleset, draft, head))


def describe_failure(error: Exception, ruleset: Ruleset, draft: Draft, head: int = 0) -> str:
    """Describe a failure of rules: in full for the author of a system, else in one short line."""
    fault = find_rule_fault(error, ruleset, draft, head)
    return describe_error(error) if fault is None else str(fault)


def find_rule_fault(error: Exception, ruleset: Ruleset, draft: Draft, head: int = 0) -> RuleFault | None:
    """Find where the rules of a system failed; ``None`` for a bundled system.

    ``AFFRAY_DEBUG=1`` asks for it in bundled systems too.
    """
    if not tells_faults(ruleset):
        return None
    running = _find_running_rule(error)
    file, line, function = _find_place(error, list_own_modules(ruleset), running)
    said = " ".join(str(error).split())[:LONGEST]
    return RuleFault(
        system=ruleset.name,
        error=f"{type(error).__name__}: {said}",
        file=file,
        line=line,
        function=function,
        moment=_describe_moment(draft, head, running),
    )


def tells_faults(ruleset: Ruleset) -> bool:
    """Tell whether faults of a system are shown in full: it is not bundled, or debugging is on."""
    return os.environ.get("AFFRAY_DEBUG") == "1" or not is_bundled(ruleset)


def is_bundled(ruleset: Ruleset) -> bool:
    """Tell whether all code of a system comes with the program."""
    return all(name.startswith(BUNDLED) for name in list_own_modules(ruleset))


def list_own_modules(ruleset: Ruleset) -> tuple[str, ...]:
    """List the packages and modules that hold a system's own code.

    They are its package, and the modules of actions, rulings and procedures that do not come with the program.
    """
    parts = (*ruleset.actions.values(), *ruleset.rulings.values(), *ruleset.turns.procedures.values())
    modules = (str(getattr(one, "__module__", "")) for one in parts)
    foreign = (name.partition(".")[0] for name in modules if name.partition(".")[0] != "affray")
    return tuple(dict.fromkeys((ruleset.package, *foreign)))


def show_path(path: str) -> str:
    """Return a path relative to the working directory if it is below it."""
    with_links = Path(path)
    try:
        return str(with_links.relative_to(Path.cwd()))
    except (ValueError, OSError):
        return path


def _find_running_rule(error: Exception) -> Any:
    """Return the innermost frame of the interpreter that ran a rule when an exception was raised, or ``None``."""
    found = [frame.f_locals.get(RUNNING) for frame, _ in walk_tb(error.__traceback__)]
    return next((one for one in reversed(found) if isinstance(getattr(one, "rule", None), GeneratorType)), None)


def _find_place(error: Exception, modules: tuple[str, ...], running: Any) -> tuple[str, int, str]:
    """Return file, line and function of a system's own code that an exception comes from."""
    for frame, line in reversed(list(walk_tb(error.__traceback__))):
        name = str(frame.f_globals.get("__name__", ""))
        if any(name == module or name.startswith(f"{module}.") for module in modules):
            return frame.f_code.co_filename, line, frame.f_code.co_qualname
    if running is None:
        return "", 0, ""
    rule: Any = running.rule
    while isinstance(rule.gi_yieldfrom, GeneratorType):
        rule = rule.gi_yieldfrom
    code: CodeType = rule.gi_code
    line = rule.gi_frame.f_lineno if rule.gi_frame is not None else _find_trigger(code, error)
    return code.co_filename, line, code.co_qualname


def _find_trigger(code: CodeType, error: Exception) -> int:
    """Return the line of a finished function that names the trigger without a row; else its first line."""
    if isinstance(error, NoRow):
        lines = sorted({line for *_, line in code.co_lines() if line})
        written = (f'"{error.trigger}"', f"'{error.trigger}'")
        for line in lines:
            if any(one in linecache.getline(code.co_filename, line) for one in written):
                return line
    return code.co_firstlineno


def _describe_moment(draft: Draft, head: int, running: Any) -> str:
    """Describe the moment of a fight: position, round, phase, and what was running."""
    parts = [f"behind position {head}"] if head else []
    parts += [f"round {draft.round}", f"phase {draft.phase}"]
    what = running.id if running is not None else draft.stack[-1].id if draft.stack else ""
    return ", ".join([*parts, f"while {what} ran"] if what else parts)
