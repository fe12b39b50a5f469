"""Arguments and options that several commands share."""

from collections.abc import Callable
from math import isnan
from secrets import token_hex
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem
from msgspec import Struct

from .completion import values

F = TypeVar("F", bound=Callable[..., Any])

fight_argument = click.argument("said", metavar="FIGHT", shell_complete=values.fights)
words_argument = click.argument("words", nargs=-1, type=click.UNPROCESSED)
declaration_argument = click.argument("words", nargs=-1, type=click.UNPROCESSED, shell_complete=values.declared)
json_option = click.option("--json", "as_json", is_flag=True, help="Answer in JSON, for machines.")
who_option = click.option(
    "--who",
    envvar="AFFRAY_WHO",
    default="gm",
    show_default=True,
    show_envvar=True,
    help="Who you are; recorded as claimed.",
)
force_option = click.option(
    "--force", is_flag=True, help="Replace a file that is there; but never a fight, a key or a database."
)
reason_option = click.option("--reason", default="", metavar="TEXT", help="Why.")


MOST_JOBS = 256
"""The most processes that may run trials. With far more a machine only starts processes."""


def _check_jobs(_: click.Context, __: click.Parameter, jobs: int) -> int:
    if jobs == 0:
        raise click.BadParameter("at least one process must fight, or -1 for one a core")
    if jobs > MOST_JOBS:
        raise click.BadParameter(f"at most {MOST_JOBS} processes fight; beyond that take a cluster")
    return jobs


class Number(click.FloatRange):
    """A click type for a bounded number. It rejects ``nan``, which click accepts."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number.

        Raises:
            click.BadParameter: the text is no number, or the number is out of bounds.
        """
        number: float = super().convert(value, param, ctx)
        if isnan(number):
            self.fail(f"{value} is no number {self._describe_range()}.", param, ctx)
        return number


def jobs_option(default: int = 1) -> Callable[[F], F]:
    """Return the option ``--jobs``: the number of processes that run trials."""
    return click.option(
        "--jobs",
        default=default,
        show_default=True,
        metavar="N",
        callback=_check_jobs,
        help="Processes that fight the trials; -1: one a core.",
    )


FREE_WORDS = {"ignore_unknown_options": True}
"""Context settings for commands whose words may begin with a dash, such as -2."""


class Sender(Struct, frozen=True, kw_only=True):
    """The sender of a command, and how the command is sent.

    Attributes:
        who: Name of the sender, as claimed.
        id: Command id. A command whose id is known already is not carried out again.
        expect: Position that the sender takes for the head; None accepts any.
        as_json: Whether to answer in JSON.
    """

    who: str
    id: str
    expect: int | None
    as_json: bool


def add_write_options(command: F) -> F:
    """Add the options of commands that write to a fight."""
    for option in (
        json_option,
        click.option("--expect", type=int, metavar="POSITION", help="Refuse unless this is the head of the fight."),
        click.option("--id", "id_", metavar="ID", help="The id of the command; sent twice, it is carried out once."),
        who_option,
    ):
        command = option(command)
    return command


def make_sender(who: str, id_: str | None, expect: int | None, as_json: bool) -> Sender:
    """Build the sender of a command; create a command id if none is given."""
    return Sender(who=who, id=token_hex(8) if id_ is None else id_, expect=expect, as_json=as_json)


def _complete_dice(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem[str]]:
    """Return the ways to say it."""
    return [CompletionItem(one) for one in ("engine", "entered", "entered:") if one.startswith(begun)]


dice_option = click.option(
    "--dice",
    shell_complete=_complete_dice,
    default="engine",
    metavar="engine|entered[:WHO,…]",
    show_default=True,
    help="Who throws the dice; entered:company lets you enter those of a side or a combatant, and the rest be thrown.",
)
