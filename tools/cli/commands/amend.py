"""The command ``amend``: correct one earlier command, after a preview of what that changes."""

import sys
from collections.abc import Sequence
from typing import Any

import click
from msgspec.structs import asdict, replace

from affray.engine.commands import Amend, Command
from affray.engine.errors import OutOfDate, Refused, Unusable
from affray.engine.fight import Fight
from affray.engine.history.amend import Amendment, find_amendable
from affray.engine.history.timeline import History
from affray.events import Answered, DiceEntered, Event, Ruled
from affray.tools.api.amendment_preview import make_preview
from affray.tools.api.intents import at_first
from affray.tools.api.store_url import StorePlace, open_at, place_of
from affray.tools.cli.command_output import report
from affray.tools.cli.completion import values
from affray.tools.cli.exit_codes import REFUSED
from affray.tools.cli.options import FREE_WORDS, Sender, add_write_options, fight_argument, make_sender
from affray.tools.cli.printing import say, say_json
from affray.tools.parse import intent_parser, typed_answers
from affray.tools.parse.typed_names import words_of
from affray.tools.present.amendment_text import lane_of, preview_lines


@click.command(context_settings=FREE_WORDS)
@fight_argument
@click.argument("position", metavar="N", type=int)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, shell_complete=values.amended)
@click.option("--retract", is_flag=True, help="Remove it, and put nothing in its place.")
@click.option("--before", metavar="WORDS", help="Keep it, and insert this before it.")
@click.option(
    "--answer", "answers", metavar="WORDS", multiple=True, help="Answer a question that is asked again; repeatable."
)
@click.option("--reason", required=True, metavar="TEXT", help="Why; recorded.")
@click.option("--ruling-reason", metavar="TEXT", help="The new reason, if a ruling is corrected.")
@click.option("--accept", is_flag=True, help="Record it at once.")
@add_write_options
def amend(
    said: str,
    position: int,
    words: tuple[str, ...],
    retract: bool,
    before: str | None,
    answers: tuple[str, ...],
    reason: str,
    ruling_reason: str | None,
    accept: bool,
    **sent: Any,
) -> None:
    """Correct the command at position N: type what it should have been.

    Type it as for do, answer, roll or rule. The later commands are decided again with the same dice and answers. A
    preview shows what changes. Nothing is recorded until you accept, and nothing is ever erased.
    """
    if sum((bool(words), retract, before is not None)) != 1:
        raise click.UsageError("say what should have been, or --retract, or --before WORDS")
    place = place_of(said)
    fight = open_at(place)
    by = make_sender(**sent)
    then = at_first(fight, by.id)
    wrong = find_amendable(then.history, position)[0][0]
    instead: tuple[Event, ...] = ()
    if before is not None:
        instead = (intent_parser.intent(then.copy_at(wrong.position - 1), before, ruling_reason or reason), wrong.event)
    elif words:
        instead = (_parse_correction(then.copy_at(wrong.position - 1), wrong.event, words, ruling_reason),)
    meant = Amend(position=position, instead=instead, reason=reason)
    if then is not fight:
        _record(place, fight, replace(meant, answers=_answers(then, meant, by, answers)[1]), by)
    elif by.expect not in (None, fight.head):
        raise OutOfDate(by.expect or 0, fight.head, fight.history.head_hash)
    else:
        _propose(place, fight, meant, by, answers, accept=accept)


def _propose(
    place: StorePlace, fight: Fight, meant: Amend, by: Sender, answers: Sequence[str], *, accept: bool
) -> None:
    """Show the preview of an amendment, and record the amendment once it is accepted."""
    if accept and not answers and _needs_nothing(place, fight, meant, by):
        return
    asks = sys.stdin.isatty() and not by.as_json
    seen, given = _answers(fight, meant, by, answers)
    while seen.needs is not None:
        _show(place, fight, seen, as_json=by.as_json)
        if not asks:
            raise click.exceptions.Exit(REFUSED)
        answers = (*answers, click.prompt("answer"))
        seen, given = _answers(fight, meant, by, answers)
    if not accept:
        _show(place, fight, seen, as_json=by.as_json)
        seen.accept()
        if not asks:
            if not by.as_json:
                say("nothing is recorded yet; the same with --accept records it")
            return
        if not click.confirm("accept?"):
            say("nothing was changed")
            return
    _record(place, fight, replace(meant, answers=given), replace(by, expect=fight.head))


def _needs_nothing(place: StorePlace, fight: Fight, meant: Amend, by: Sender) -> bool:
    """Record an amendment without a preview, and tell whether that was possible.

    A preview might show dice. It is needed if the amendment leads to a new question.
    """
    try:
        _record(place, fight, meant, by)
    except Refused as refusal:
        if refusal.code != "answer_needed":
            raise
        return False
    return True


def _show(place: StorePlace, fight: Fight, seen: Amendment, *, as_json: bool) -> None:
    """Print the preview of an amendment."""
    if as_json:
        say_json({"fight": place.said, **asdict(make_preview(fight, seen))})
    else:
        for line in preview_lines(fight, seen):
            say(line)


def _record(place: StorePlace, fight: Fight, meant: Amend, by: Sender) -> None:
    """Submit an amendment and print its outcome."""
    outcome = fight.submit(Command(id=by.id, who=by.who, intent=meant, expected=by.expect))
    if outcome.repeated and not by.as_json:
        say(f"the command {by.id} was carried out already:")
    report(place, fight, outcome.recorded, as_json=by.as_json, repeated=outcome.repeated)


def _answers(fight: Fight, meant: Amend, by: Sender, lines: Sequence[str]) -> tuple[Amendment, tuple[Event, ...]]:
    """Parse answers in order, each against the preview that includes those before it."""
    given: tuple[Event, ...] = ()
    seen = fight.preview(meant, by.who, f"{by.id}-preview")
    for nth, line in enumerate(lines, 1):
        given = (*given, _answer(_apply_preview(fight, seen), line))
        seen = fight.preview(replace(meant, answers=given), by.who, f"{by.id}-preview-{nth}")
    return seen, given


def _answer(then: Fight, line: str) -> Event:
    """Parse an answer to an open question or roll; the verb may be left out."""
    draft, words = then.table.draft, words_of(line)
    if draft.question is None and draft.awaited is None and draft.window is None:
        raise Unusable(f"nothing waits for an answer, so {line} answers nothing", "--answer")
    if draft.question is not None and words[:1] != ["answer"]:
        return typed_answers.parse_answer(then, words)
    if draft.awaited is not None and words[:1] != ["roll"]:
        return typed_answers.faces(then, words)
    return intent_parser.intent(then, line)


def _parse_correction(then: Fight, wrong: Event, words: Sequence[str], reason: str | None) -> Event:
    """Parse the words that replace an input, by the type of that input."""
    if isinstance(wrong, Answered):
        return typed_answers.parse_answer(then, words, wrong.by)
    if isinstance(wrong, DiceEntered):
        return typed_answers.faces(then, words)
    if isinstance(wrong, Ruled):
        return intent_parser.ruling(then, words, reason or wrong.reason)
    return intent_parser.intent_of(then, words)


def _apply_preview(fight: Fight, seen: Amendment) -> Fight:
    """Return a copy of a fight with a previewed amendment applied."""
    history = History([*fight.history.recorded, *lane_of(fight, seen)])
    return Fight(fight.name, fight.ruleset, history)
