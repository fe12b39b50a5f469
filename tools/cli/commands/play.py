"""The command ``play``: a fight as a conversation."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from importlib.util import find_spec

import click
from msgspec.structs import replace

from affray.engine.analysis.policy_registry import POLICIES
from affray.engine.commands import AnswerUndo, Redo, Undo
from affray.engine.errors import Diverged, OutOfDate, Refused, StoreFailed, Unusable
from affray.events import EVERYBODY, Declared
from affray.tools.api.auto_play import QUICK
from affray.tools.api.store_url import place_of
from affray.tools.cli.commands.log import print_line
from affray.tools.cli.main import INTERRUPTED
from affray.tools.cli.options import fight_argument, json_option, who_option
from affray.tools.cli.play.auto import ALL, MOST_AUTO, autos_option
from affray.tools.cli.play.help import help_lines
from affray.tools.cli.play.line_editing import edit_lines
from affray.tools.cli.play.ruling_help import LIST_RULINGS, explain_ruling, rulings_now
from affray.tools.cli.play.session import Session
from affray.tools.cli.play.shorthand import expand_answer, expand_declaration, expand_for_all
from affray.tools.cli.play.steps import goes_on, list_next, tell_next
from affray.tools.cli.printing import say_json
from affray.tools.cli.render_distances import lines_apart
from affray.tools.cli.terminal import console
from affray.tools.parse import intent_parser, newcomers, typed_answers
from affray.tools.parse.faults import Faulty, fault_of
from affray.tools.parse.typed_names import find_combatant, words_of
from affray.tools.present.story.narration import tell_story
from affray.tools.present.story.words import names_of
from affray.tools.present.working_lines import ending_in_a_line
from affray.tools.text.printable import is_text


def hear(session: Session, line: str) -> None:
    """Carry out a line of the conversation; print an error and go on."""
    try:
        with _ending_in_a_line(session, line):
            _carry_out_line(session, line)
    except OutOfDate as error:
        session.complain(error)
        session.reopen()
    except (Refused, Unusable, StoreFailed, Diverged) as error:
        session.refusal = error
        session.complain(error)
    except Faulty as error:  # in a file of combatants to join
        session.complain(error)


def _ending_in_a_line(session: Session, line: str) -> AbstractContextManager[None]:
    """Add a line that would work to the refusal of a typed line."""
    verb = line.split(maxsplit=1)[0]
    if verb in VERBS and verb not in ("p", "pass", "rule"):
        return nullcontext()
    try:
        words = words_of(line)
    except Unusable:
        words = [verb]
    return ending_in_a_line(session.fight, words, else_say=LIST_RULINGS)


def _carry_out_line(session: Session, line: str) -> None:
    """Carry out a line: a verb, an answer, dice, a number, or a declaration."""
    if not is_text(line):
        raise Unusable(f"{line} is not {sys.stdin.encoding.upper()} text", "line")
    verb, _, rest = line.partition(" ")
    fight = session.fight
    if verb in VERBS:
        VERBS[verb](session, rest.strip())
        return
    words, because = typed_answers.split_reason(line)
    number = _number_of_choice(session, words[0]) if words else 0
    reply = expand_answer(fight, words, number)
    if reply is not None:
        session.submit(typed_answers.parse_answer(fight, reply, reason=because))
        return
    words = words_of(line)
    if all(word.isdigit() for word in words) and fight.state.awaited is not None:
        session.submit(typed_answers.faces(fight, words))
    elif len(words) == 1 and number:
        session.submit(_suggestion(session, number))
    elif len(words) == 1 and words[0].isdigit():
        raise Unusable(f"no dice are awaited now; the choices that are shown have a dot, as in .{words[0]}", "number")
    elif verb in ("answer", "roll") or (verb == "stand" and (len(words) > 2 or verb not in fight.ruleset.actions)):
        session.submit(intent_parser.intent(fight, line))
    else:
        for said in expand_for_all(fight, words):
            _declare(session, said)


def _declare(session: Session, words: Sequence[str]) -> None:
    """Submit a declaration; if it is incomplete, list its continuations."""
    try:
        session.submit(intent_parser.declaration(session.fight, words))
    except (Refused, Unusable) as no:
        if not goes_on(session.fight, words, no):
            raise
        _offer(session, words)


def _number_of_choice(session: Session, word: str) -> int:
    """Return the number of a shown choice that a word is; 0 if it is none.

    A number without a dot is one only if all dice are the engine's: a surplus face must not choose anything.
    """
    digits = word.removeprefix(".")
    return int(digits) if digits.isdecimal() and (word != digits or not session.mark) else 0


def _suggestion(session: Session, number: int) -> Declared:
    """Return the declaration that was listed under a number."""
    if not 1 <= number <= len(session.offered):
        raise Unusable(f"nothing is numbered {number} now", "number")
    return session.offered[number - 1]


# --- the verbs of the conversation ---


def _legal(session: Session, rest: str) -> None:
    """List the legal actions, or the rulings."""
    words = words_of(rest)
    if words[:1] == ["rule"] and len(words) <= 2:
        session.say(*(explain_ruling(session.fight, words[1]) if len(words) == 2 else rulings_now(session.fight)))
        return
    _offer(session, expand_declaration(session.fight, words) if words else ())


def _offer(session: Session, words: Sequence[str]) -> None:
    """List the legal actions, or the continuations of an incomplete declaration."""
    if session.as_json:
        say_json(list_next(session.fight, words))
        return
    for line in tell_next(session.fight, words):
        session.say(f"  {line}")


def _log(session: Session, _: str) -> None:
    """Print the story of the fight so far."""
    history = session.fight.history
    for line in tell_story(list(history.effective()), names_of(history.recorded)):
        print_line(session.screen, line) if not session.as_json else session.say(str(line))


def _quit(session: Session, _: str) -> None:
    """End the conversation."""
    session.over = True


def _why(session: Session, _: str) -> None:
    """Explain the last refusal by its clause."""
    error = session.refusal
    if error is None:
        session.say("Nothing has been refused.")
        return
    rule = error.rule if isinstance(error, Refused) else ""
    clause = session.fight.ruleset.clauses.get(rule)
    if clause is None:
        session.say(fault_of(error).text)
        return
    session.say(f"{rule} {clause.title}", style="bold")
    session.say(" ".join(clause.says.split()))
    if clause.discretion:
        session.say(f"The game master may decide: {' '.join(clause.discretion.split())}")


def _pass(session: Session, rest: str) -> None:
    """Pass in the open window."""
    session.submit(intent_parser.intent(session.fight, f"pass {rest}"))


def _rule(session: Session, rest: str) -> None:
    """Submit a ruling with the reason after ``because``, or ask for a reason."""
    words, reason = typed_answers.split_reason(rest)
    if not words:
        session.say(*rulings_now(session.fight))
        return
    ruled = intent_parser.ruling(session.fight, words, "to see whether it can be understood", files=True)
    reason = reason or (session.listen("Why? ") or "").strip()
    with newcomers.lines_of_file(words, session.fight.ruleset.name):
        session.submit(replace(ruled, reason=reason))


def _undo(session: Session, rest: str) -> None:
    """Undo commands, or answer a player's request to undo."""
    said, _, reason = f" {rest} ".partition(" because ")
    words = said.split()
    if words in (["allow"], ["decline"]):
        session.submit(AnswerUndo(allow=words == ["allow"], reason=reason.strip()))
        return
    numbers = [word for word in words if word.isdigit()]
    if len(numbers) > 1 or set(words) - {"fresh", *numbers}:
        raise Unusable("say undo, undo 2, undo fresh, undo 2 because …, undo allow or undo decline", "undo")
    many = int(numbers[0]) if numbers else 1
    session.submit(Undo(commands=many, fresh="fresh" in words, reason=reason.strip()))


def _redo(session: Session, rest: str) -> None:
    """Bring back undone commands."""
    reason = rest.partition("because ")[2]
    session.submit(Redo(reason=reason.strip()))


def _apart(session: Session, rest: str) -> None:
    """Print how far a combatant is from all others."""
    words = words_of(rest)
    if not words:
        example = next(iter(session.fight.state.combatants), "WHO")
        raise Unusable(f"say of whom, as in: apart {example}", "who")
    session.say(*(f"  {line}" for line in lines_apart(session.fight, find_combatant(session.fight, " ".join(words)))))


def _auto(session: Session, rest: str) -> None:
    """Let the engine play a side, or the active combatant, for some commands."""
    words = words_of(rest)
    numbers = [int(word) for word in words if word.isdigit()]
    sides = {one.side for one in session.fight.state.combatants.values()}
    named = [word for word in words if not word.isdigit()]
    side = named.pop(0) if named and named[0] in {*sides, ALL, EVERYBODY} else None
    side = EVERYBODY if side == ALL and ALL not in sides else side
    policy = named.pop(0) if named and named[0] in POLICIES else QUICK
    if len(numbers) > 1 or named:
        there = f"there are {', '.join(sorted(sides))}, and the policies {', '.join(POLICIES)}"
        raise Unusable(f"say auto, auto all or auto SIDE, by which policy, and how often; {there}", "side")
    many = min(numbers[0] if numbers else MOST_AUTO, MOST_AUTO)
    if not session.let_play(side, POLICIES[policy], many):
        session.say("There is nothing for it to do now.")


VERBS: dict[str, Callable[[Session, str], None]] = {
    "?": _legal,
    "apart": _apart,
    "auto": _auto,
    "help": lambda session, _: session.say(*help_lines(session.fight)),
    "legal": _legal,
    "log": _log,
    "p": _pass,
    "pass": _pass,
    "q": _quit,
    "quit": _quit,
    "redo": _redo,
    "rule": _rule,
    "show": lambda session, _: session.show(),
    "undo": _undo,
    "why": _why,
}


@click.command()
@fight_argument
@autos_option
@who_option
@json_option
def play(said: str, autos: tuple[str, ...], who: str, as_json: bool) -> None:
    """Run a fight as a conversation: type help."""
    place = place_of(said)
    session = Session(place, who, console(), as_json=as_json)
    session.leave_to(autos)
    editing = edit_lines(session) if sys.stdin.isatty() and find_spec("readline") else nullcontext()
    try:
        with editing:
            session.show()
            converse(session)
    except KeyboardInterrupt:
        session.say("", f"Everything up to here is recorded; go on with: affray play {said}")
        sys.stdout.flush()
        raise click.exceptions.Exit(INTERRUPTED) from None


def converse(session: Session) -> None:
    """Carry out line after line until the input or the conversation ends.

    Sides that the engine plays act whenever it is their turn. After an undo they wait for the next command.
    """
    session.play_on()
    session.prompt()
    while (line := session.listen("> ")) is not None:
        if line.strip() and not line.lstrip().startswith("#"):
            before = session.fight.head
            hear(session, line.strip())
            if session.over:
                return
            if session.fight.head != before and line.split()[0] not in ("undo", "redo"):
                session.play_on()
            if session.fight.head != before or line.strip() in ("?", "show", "legal"):
                session.prompt()
