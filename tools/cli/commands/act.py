"""Commands that change a fight: ``do`` to ``redo``, and ``stir`` and ``close``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from shlex import quote
from typing import Any

import click

from affray.engine.commands import GM, AnswerUndo, Close, Command, Intent, Redo, Stir, Undo
from affray.engine.errors import Refused, Unusable
from affray.engine.fight import Fight
from affray.tools.api.authors import plays
from affray.tools.api.intents import at_first
from affray.tools.api.store_url import open_at, place_of, said_of
from affray.tools.cli.command_output import report
from affray.tools.cli.completion import values
from affray.tools.cli.options import (  # fmt: skip
    FREE_WORDS,
    Sender,
    add_write_options,
    declaration_argument,
    fight_argument,
    make_sender,
    reason_option,
    words_argument,
)
from affray.tools.cli.printing import say, say_json
from affray.tools.parse import intent_parser, newcomers, typed_answers
from affray.tools.parse.typed_names import find_combatant


@click.command(context_settings=FREE_WORDS)
@fight_argument
@declaration_argument
@add_write_options
def do(said: str, words: tuple[str, ...], **sent: Any) -> None:
    """Declare an action: ACTOR [MANNER] ACTION [PARAMETER …], such as: ilse attack captain ep=1.

    With pass all, the game master passes in the open window for all combatants who are asked.
    """

    def parse_words(fight: Fight) -> Intent:
        passes = typed_answers.is_pass_of_all(fight, words)
        return typed_answers.parse_answer(fight, words) if passes else intent_parser.declaration(fight, words)

    submit_and_report(said, make_sender(**sent), parse_words, words)


@click.command(context_settings=FREE_WORDS)
@fight_argument
@click.argument("words", nargs=-1, type=click.UNPROCESSED, shell_complete=values.answered)
@click.option(
    "--by", metavar="WHO", shell_complete=values.people, help="Who answers; by default the combatant who is asked."
)
@reason_option
@add_write_options
def answer(said: str, words: tuple[str, ...], by: str | None, reason: str, **sent: Any) -> None:
    """Answer a question: CHOICE [NAME=VALUE …] [because REASON]; or pass, pass all."""

    def parse_words(fight: Fight) -> Intent:
        one = by if by in (None, GM) else find_combatant(fight, by)
        return typed_answers.parse_answer(fight, words, one, reason)

    submit_and_report(said, make_sender(**sent), parse_words, ("answer", *words))


@click.command(context_settings=FREE_WORDS)
@fight_argument
@click.argument("faces", nargs=-1, type=click.UNPROCESSED)
@add_write_options
def roll(said: str, faces: tuple[str, ...], **sent: Any) -> None:
    """Enter the faces of the dice that the fight waits for."""
    submit_and_report(said, make_sender(**sent), lambda fight: typed_answers.faces(fight, faces), ("roll", *faces))


@click.command(context_settings=FREE_WORDS)
@fight_argument
@click.argument("words", nargs=-1, type=click.UNPROCESSED, shell_complete=values.ruled)
@click.option("--reason", default="", metavar="TEXT", help="Why; recorded.")
@add_write_options
def rule(said: str, words: tuple[str, ...], reason: str, **sent: Any) -> None:
    """Decide as game master: RULING [PARAMETER …] because REASON, such as: harm ilse 2 because it fell.

    Without words, list the rulings that are possible now.
    """
    if not words:
        _list_rulings(said, as_json=sent["as_json"])
        return
    ruled, because = typed_answers.cut_reason(words)
    reason = reason or because
    if not reason:
        raise click.UsageError("Missing option '--reason'. Or say because REASON at the end")
    with newcomers.lines_of_file(ruled):
        typed = ("rule", *ruled)
        submit_and_report(
            said,
            make_sender(**sent),
            lambda fight: intent_parser.ruling(fight, ruled, reason, files=True),
            typed,
            reason,
        )


def _list_rulings(said: str, *, as_json: bool) -> None:
    """Print the rulings that would be accepted now."""
    from affray.tools.cli.play.ruling_help import rulings_now  # noqa: PLC0415 - only this list needs it

    lines = list(rulings_now(open_at(place_of(said))))
    if as_json:
        say_json({"rulings": lines})
    else:
        for line in lines:
            say(line)


@click.command()
@fight_argument
@click.argument("combatant", metavar="WHO", shell_complete=values.people)
@click.argument("ask", metavar="always|worthwhile|targeted|never", shell_complete=values.asks)
@click.option("--in", "what", default="", metavar="KIND", help="For the whole table: only in this kind of window.")
@click.option(
    "--seconds", default=0, metavar="N", help="For the whole table: a server lets a window pass after so long."
)
@add_write_options
def stand(said: str, combatant: str, ask: str, what: str, seconds: int, **sent: Any) -> None:
    """Set when WHO is asked in windows: always, worthwhile, targeted or never.

    With * for WHO, set it for the whole table. No combatant is asked more often than that.
    """
    words = ("stand", combatant, ask)
    submit_and_report(
        said,
        make_sender(**sent),
        lambda fight: intent_parser.standing_pass(fight, combatant, ask, what, seconds),
        words,
    )


@click.command()
@fight_argument
@click.option("--commands", type=int, metavar="N", help="How many commands to take back; 1 if not given.")
@click.option("--to", type=int, metavar="POSITION", help="Go back to this position instead.")
@click.option("--fresh-dice", "fresh", is_flag=True, help="Use fresh dice from there on.")
@click.option("--allow/--decline", "allow", default=None, help="Answer what a player asked to take back.")
@reason_option
@add_write_options
def undo(
    said: str, commands: int | None, to: int | None, fresh: bool, allow: bool | None, reason: str, **sent: Any
) -> None:
    """Take back the last command; it stays in the record.

    If a die was thrown since, a player (--who) only requests it. The game master answers with --allow or --decline.
    """
    if commands is not None and to is not None:
        raise click.UsageError("say either --commands or --to")
    if allow is not None and (commands is not None or to is not None or fresh):
        raise click.UsageError("--allow and --decline answer the request as it stands")
    intent: Undo | AnswerUndo = Undo(commands=1 if commands is None else commands, to=to, fresh=fresh, reason=reason)
    if allow is not None:
        intent = AnswerUndo(allow=allow, reason=reason)
    submit_and_report(said, make_sender(**sent), lambda _: intent, mend=to is not None)


@click.command()
@fight_argument
@click.option("--lane", type=int, metavar="POSITION", help="The last position of the lane to restore.")
@reason_option
@add_write_options
def redo(said: str, lane: int | None, reason: str, **sent: Any) -> None:
    """Bring back the commands that were undone last."""
    submit_and_report(said, make_sender(**sent), lambda _: Redo(lane=lane, reason=reason))


@click.command(context_settings=FREE_WORDS)
@fight_argument
@words_argument
@add_write_options
def stir(said: str, words: tuple[str, ...], **sent: Any) -> None:
    """Add words of your own to the dice seed, before the first die is thrown.

    The opener of the fight has chosen the dice seed. Words that the opener could not foresee make the dice independent
    of that choice.
    """
    submit_and_report(said, make_sender(**sent), lambda _: Stir(words=" ".join(words)))


@click.command()
@fight_argument
@click.option("--unfinished", is_flag=True, help="Close it although the fight is not over.")
@reason_option
@add_write_options
def close(said: str, unfinished: bool, reason: str, **sent: Any) -> None:
    """End the record and reveal the dice seed, so that every die can be checked.

    No command can be added to a closed record, but a fork of it can go on.
    """
    submit_and_report(said, make_sender(**sent), lambda _: Close(unfinished=unfinished, reason=reason))


def submit_and_report(
    said: str,
    sent: Sender,
    intent: Callable[[Fight], Intent],
    words: Sequence[str] = (),
    reason: str = "",
    *,
    mend: bool = False,
) -> None:
    """Open a fight, submit a command, and print the outcome.

    Args:
        words: The typed words. If they are refused, the message ends with a line that would work.
        reason: The reason that was typed.
        mend: Whether to open a fight that the present rules would continue differently, to undo back to that point.
    """
    place = place_of(said)
    fight = open_at(place, mend=mend)
    with said_of(said), _ending_in_a_line(fight, said, words, reason):
        meant = intent(at_first(fight, sent.id))
        knows = plays(fight.state, sent.who, meant)
        outcome = fight.submit(Command(id=sent.id, who=sent.who, intent=meant, expected=sent.expect, knows=knows))
    if outcome.repeated and not sent.as_json:
        say(f"the command {sent.id} was carried out already:")
    report(place, fight, outcome.recorded, as_json=sent.as_json, repeated=outcome.repeated)


@contextmanager
def _ending_in_a_line(fight: Fight, said: str, words: Sequence[str], reason: str) -> Iterator[None]:
    """Add a command that would work to the refusal of typed words."""
    try:
        yield
    except (Refused, Unusable) as error:
        if words:
            from affray.tools.present.working_lines import end_in_a_line, on_command_line  # noqa: PLC0415 - only a refusal needs it

            rulings = f"affray rule {quote(said)}"
            end_in_a_line(error, fight, words, else_say=rulings, shown=on_command_line(said, reason))
        raise
