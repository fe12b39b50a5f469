"""The program ``affray``: commands, error messages and exit codes."""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, NoReturn

import click
from click.shell_completion import CompletionItem

import affray
from affray.engine.logger import configure_at_first
from affray.tools.text.isolates import remove_isolates
from affray.tools.text.printable import is_text

from .command_registry import COMMANDS, GROUPS
from .printing import bold, complain, forget, say, say_json
from .standard_streams import make_ready

INTERRUPTED = 128 + signal.SIGINT
CLOSED_PIPE = 128 + signal.SIGPIPE


class Program(click.Group):
    """A click group that imports its commands on demand and prints plain errors."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, group by group."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command. Return None if there is no command of that name."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"affray.tools.{COMMANDS[cmd_name].module}")
        command: click.Command = getattr(module, cmd_name.replace("-", "_"))
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that was typed.

        Raises:
            click.UsageError: there is none of that name; the message suggests the nearest name.
        """
        name = args[0]
        if name not in COMMANDS and not ctx.resilient_parsing and not name.startswith("-"):
            from affray.tools.text.spelling_hints import nearest  # noqa: PLC0415 - only who errs waits for these

            hint = nearest(name, COMMANDS) or "; affray --help lists them"
            raise click.UsageError(f"there is no command {name}{hint}")
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[str]]:
        """Complete the name of a command, or an option."""
        names = [CompletionItem(name, help=one.says) for name, one in COMMANDS.items() if name.startswith(incomplete)]
        return [*names, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write one line of help for each command, group by group."""
        for title, group in GROUPS.items():
            with formatter.section(bold(title)):
                formatter.write_dl([(f"{name:{WIDEST}}", entry.says) for name, entry in group.items()])

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands before the options, because readers look for commands."""
        self.format_commands(ctx, formatter)
        click.Command.format_options(self, ctx, formatter)

    def main(self, args: Sequence[str] | None = None, *_: Any, **__: Any) -> NoReturn:
        """Run the program and leave it with its exit code."""
        make_ready()
        if "_AFFRAY_COMPLETE" in os.environ:
            from .completion.shells import print_completions  # noqa: PLC0415 - only a shell asks

            print_completions(self)
            sys.exit(0)
        sys.exit(run(self, list(sys.argv[1:] if args is None else args)))


def run(program: click.Group, words: list[str]) -> int:
    """Run the program with the typed words and return its exit code.

    The code is 0 if the command is done, 1 if it was refused, and 2 if the input is unusable.
    """
    try:
        try:
            return _carry_out(program, [remove_isolates(word) for word in words])
        finally:
            sys.stdout.flush()
    except OSError as error:
        forget(sys.stdout)
        if error.errno == errno.EPIPE:
            return CLOSED_PIPE
        complain(f"standard output: {error.strerror}")
        return 2


def _carry_out(program: click.Group, words: list[str]) -> int:
    """Run the command and return its exit code.

    Errors of the output stream and programming errors are raised.
    """
    try:
        _must_be_text(words)
        if words[:1] == ["help"]:
            words = [*words[1:], "--help"]
        colour = False if os.environ.get("NO_COLOR") else None
        with program.make_context("affray", words, color=colour) as context:
            program.invoke(context)
    except click.exceptions.Exit as left:
        return left.exit_code
    except (KeyboardInterrupt, click.Abort):
        complain("interrupted; every command that was carried out is recorded")
        return INTERRUPTED
    except Exception as error:
        if isinstance(error, OSError) and error.filename is None:
            raise
        return _explain(error, words)
    return 0


def _must_be_text(words: Sequence[str]) -> None:
    """Refuse arguments and ``AFFRAY_`` variables that this machine cannot decode."""
    given = {f"argument {nth}": word for nth, word in enumerate(words, 1)}
    given |= {name: value for name, value in os.environ.items() if name.startswith("AFFRAY_")}
    for what, word in given.items():
        if not is_text(word):
            encoding = sys.getfilesystemencoding().upper()
            raise click.UsageError(f"{what} is {word}, which is not {encoding} text; name or rename it in {encoding}")


def _explain(error: Exception, words: Sequence[str]) -> int:
    """Print an error, with ``--json`` as an object. Raise a programming error."""
    from affray.tools.cli.exit_codes import EXPLAINED, exit_code_of, fault_of_command  # noqa: PLC0415 - only who errs waits
    from affray.tools.present.fault_text import lines_of  # noqa: PLC0415 - only who errs waits for these

    if not isinstance(error, EXPLAINED):
        raise error
    fault, others = fault_of_command(error), getattr(error, "others", ())
    if "--json" in words:
        say_json({"error": fault, **({"others": others} if others else {})})
    else:
        for line in (line for one in (fault, *others) for line in lines_of(one)):
            complain(line)
    return exit_code_of(fault)


def _configure_log() -> None:
    """Print log warnings on standard error; ``AFFRAY_LOG=debug`` adds details."""
    import logging  # noqa: PLC0415 - only a warning needs it

    import structlog  # noqa: PLC0415 - only a warning needs it

    level = logging.DEBUG if os.environ.get("AFFRAY_LOG") == "debug" else logging.WARNING
    structlog.configure(
        processors=[structlog.processors.add_log_level, _readable],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=lambda *_: _Complaints(),
    )


class _Complaints:
    """Logger that prints messages on standard error."""

    debug = info = warning = error = critical = staticmethod(complain)


def _readable(_: Any, __: str, said: Any) -> str:
    """Format a log entry: ``warning: set torn tail aside (log a.jsonl, bytes 12)``."""
    level, what = said.pop("level"), str(said.pop("event")).replace("_", " ")
    details = ", ".join(f"{key.replace('_', ' ')} {_cut(str(value))}" for key, value in said.items())
    return f"{level}: {what} ({details})" if details else f"{level}: {what}"


LONGEST_LOGGED = 4_000
"""Characters of one detail that are logged: enough for a traceback, and limited against long requests."""


def _cut(text: str) -> str:
    """Leave out the middle of a text that is too long."""
    half = LONGEST_LOGGED // 2
    return text if len(text) <= LONGEST_LOGGED else f"{text[:half]} … {text[-half:]}"


GREETING = "Affray runs a tabletop fight by the rules, and writes down everything."

FIRST = {
    "affray demo": "a whole fight before your eyes, and its replay",
    "affray new --template wwn": "an encounter to change as you like, as wwn.toml",
    "affray new wwn.toml": "opens the fight in it, as wwn.jsonl",
    "affray play wwn.jsonl": "whose turn it is, what is legal, what happened",
}
"""Commands for a new user, with what each does."""


MORE = "affray COMMAND --help says more about a command."

WIDEST = max(map(len, COMMANDS))
"""The width of the longest name of a command."""


@click.group(
    cls=Program,
    context_settings={"help_option_names": ["-h", "--help"]},
    invoke_without_command=True,
    no_args_is_help=False,
    epilog=MORE,
)
@click.version_option(affray.__version__, prog_name="affray")
@click.pass_context
def main(context: click.Context) -> None:
    """Run, record, replay and undo tabletop fights."""
    configure_at_first(_configure_log)
    if context.invoked_subcommand is None:
        _greet()


def _greet() -> None:
    """Print the greeting, what to try first, and all commands."""
    say(GREETING)
    _tell("Try first", FIRST)
    for title, group in GROUPS.items():
        _tell(title, {f"{name:{WIDEST}}": entry.says for name, entry in group.items()})
    say()
    say(MORE)


def _tell(title: str, lines: Mapping[str, str]) -> None:
    """Print a heading, and below it each word with its line of help."""
    say()
    say(f"{title}:", bold=True)
    width = max(map(len, lines))
    for typed, brings in lines.items():
        say(f"  {typed:{width}}  {brings}")
