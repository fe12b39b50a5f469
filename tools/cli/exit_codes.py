"""Exit codes of commands, and the faults of wrong usage."""

import click

from affray.tools.parse.faults import KNOWN, Fault, fault_of

REFUSED = 1
"""Exit code of a command that was understood and not allowed."""

UNUSABLE = 2
"""Exit code of unusable input: a file, its syntax, a name."""

INCOMPLETE = 3
"""Exit code of an audit that found nothing, but could not check everything."""

EXPLAINED = (*KNOWN, click.ClickException)
"""The exceptions that a command explains; any other exception is a defect of the program."""


def exit_code_of(fault: Fault) -> int:
    """Return the exit code of a command that ended with a fault."""
    return REFUSED if fault.is_refusal else UNUSABLE


def fault_of_command(error: Exception) -> Fault:
    """Convert an exception of one of the ``EXPLAINED`` kinds to a fault."""
    if not isinstance(error, click.ClickException):
        return fault_of(error)
    context = error.ctx if isinstance(error, click.BadParameter | click.NoSuchOption) else None
    typed = context.command_path if context is not None else ""
    return Fault(kind="usage", code="usage", message=" ".join(error.format_message().split()), source=typed)
