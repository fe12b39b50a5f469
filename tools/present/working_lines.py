"""Lines that would work in the place of refused ones, made from the fight in front."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from math import inf
from shlex import quote

from affray.engine.core.draft import Draft
from affray.engine.core.groups.fighter import first_value
from affray.engine.core.state import Question
from affray.engine.errors import RULE_ERRORS, EngineError, LostSeed, Refused, Unusable
from affray.engine.fight import Fight
from affray.engine.runtime.validation import check_fields
from affray.events import Answered, Id, Scalar, give_values
from affray.tools.parse.typed_answers import cut_reason, split_reason
from affray.tools.parse.typed_names import as_word, find_combatant, name_fields
from affray.tools.text.spelling_hints import nearest_of

from .ruling_examples import RulingExample, RulingTrial, find_example
from .typed_choices import suggest_declarations, type_declaration

MOST_SUGGESTED = 60
"""The most declarations that are searched for an example."""

LOST_SEED = "rule dice * entered because the seed is not kept here"
"""The commands that let a fight go on whose dice cannot fall."""

Shown = Callable[[str], str]
"""A function that writes a line in the form that the reader types."""

_RULING_NAMED = re.compile(r"\brule (?:an? )?(\w+)([^;,]*)")

_BY_HAND = re.compile(r"[;,] (?:say it as in|such as|as in): [^;]*")


@contextmanager
def ending_in_a_line(
    fight: Fight, words: Sequence[str], *, own: frozenset[Id] | None = None, else_say: str = "", shown: Shown = str
) -> Iterator[None]:
    """Let a refusal of words end with a line that would work.

    Args:
        fight: The fight, projected for the writer of the line.
        words: The words of the line; without any, nothing is added.
        own: The combatants that the writer may act for; all if not given.
        else_say: The command that lists the rulings, for when no ruling of the kind would work.
        shown: A function that writes a line in the form that the reader types.
    """
    try:
        yield
    except (Refused, Unusable) as error:
        if words:
            end_in_a_line(error, fight, words, own=own, else_say=else_say, shown=shown)
        raise


def end_in_a_line(
    error: Refused | Unusable,
    fight: Fight,
    words: Sequence[str],
    *,
    own: frozenset[Id] | None = None,
    else_say: str = "",
    shown: Shown = str,
) -> None:
    """Add a line that would work to a refusal; see ``ending_in_a_line``."""
    line = error.example or find_line(error, fight, words, own=own, else_say=else_say)
    if not line:
        return
    if else_say and isinstance(error, Unusable) and error.field == "ruling":
        error.reason += f"; {else_say} lists them"
    error.reason = _BY_HAND.sub("", error.reason)
    error.example = line if line == else_say else shown(line)


def find_line(
    error: Refused | Unusable,
    fight: Fight,
    words: Sequence[str],
    *,
    own: frozenset[Id] | None = None,
    else_say: str = "",
) -> str:
    """Return a line that would work, similar to the refused one; empty if none is found."""
    if fight.history.closed:
        return ""
    if isinstance(error, LostSeed):
        return "" if own is not None else LOST_SEED
    verb, *rest = words or [""]
    with suppress(*RULE_ERRORS, EngineError):
        if verb == "rule" and own is None:
            return _ruling(error, fight, rest) or else_say or _now(fight, own)
        if verb == "stand":
            return _standing(fight, rest, own)
        return _now(fight, own, rest if verb == "answer" else words)
    return ""


def _ruling(error: Refused | Unusable, fight: Fight, words: Sequence[str]) -> str:
    """Return a ruling of the kind that was typed, else of a kind that the refusal names."""
    words, why = cut_reason(words)
    kinds = fight.ruleset.rulings
    kind, *typed = words or [""]
    if error.reason.startswith("a ruling needs a reason"):
        return " ".join(("rule", *map(as_word, words), "because it is so"))
    trial = RulingTrial(fight)
    kind = kind if kind in kinds else nearest_of(kind, kinds)
    found = find_example(fight, kind, typed, trial) if kind else RulingExample("")
    if found.works:
        return found.line + (f" because {why}" if why else "")
    for named, behind in _RULING_NAMED.findall(f"{error.reason}; {found.refused}"):
        if named in kinds and named != kind:
            other = find_example(fight, named, behind.split(), trial)
            if other.works:
                return other.line
    return ""


def _now(fight: Fight, own: frozenset[Id] | None, words: Sequence[str] = ()) -> str:
    """Return an input that would continue the fight: an answer, faces, a declaration, a pass."""
    draft = fight.table.draft
    if draft.question is not None:
        by = [who for who in draft.question.of if own is None or who in own]
        return _answer(fight, draft.question, by[0], words, whole=own is None) if by else ""
    if draft.awaited is not None:
        if own is not None and draft.awaited.by not in own:
            return ""
        return " ".join(("roll", *(str((one.sides + 1) // 2) for one in draft.awaited.dice for _ in range(one.count))))
    return _declaration(fight, own, words) or _pass(draft, own)


def _answer(fight: Fight, question: Question, by: Id, words: Sequence[str], *, whole: bool) -> str:
    """Return an answer: the option that was typed if it is one, with the values that it takes.

    Args:
        whole: Whether the fight is seen whole, so that the rules can judge the answer.
    """
    words, _ = cut_reason(words)
    typed = dict(word.partition("=")[::2] for word in words[1:])
    said = nearest_of(words[0], [one.choice for one in question.options]) if words else ""
    for option in sorted(question.options, key=lambda one: one.choice != said):
        known = name_fields(option)
        fields = {name: first_value(one) for name, one in known.items() if not one.optional}
        for tried in (_with_typed(known, fields, typed), fields):
            bare = Answered(question=question.id, by=by, choice=option.choice)
            answer = give_values(bare, [(known[name], value) for name, value in tried.items()])
            with suppress(EngineError):
                if whole:
                    fight.check_answer(answer)
                else:
                    check_fields(option, answer)
                given = (f"{name}={as_word(str(value))}" for name, value in tried.items())
                return " ".join(("answer", as_word(option.choice), *given))
    return ""


def _with_typed(known: Collection[str], fields: dict[str, Scalar], typed: dict[str, str]) -> dict[str, Scalar]:
    """Return values of an option's fields, typed ones if they have the right type."""
    said = {name: value for name, value in typed.items() if name in known and value}
    return {**fields, **{name: int(value) if value.lstrip("-").isdigit() else value for name, value in said.items()}}


def _pass(draft: Draft, own: frozenset[Id] | None) -> str:
    who = next((one for one in draft.window.to if own is None or one in own), "") if draft.window else ""
    return f"pass {who}" if who else ""


def _declaration(fight: Fight, own: frozenset[Id] | None, words: Sequence[str]) -> str:
    """Return the best declaration for the named combatant and action."""
    offered = [one for one in suggest_declarations(fight, MOST_SUGGESTED, -inf) if own is None or one.actor in own]
    if not offered:
        return ""
    actor, kinds = _find_named(fight, words), fight.ruleset.actions
    meant = {nearest_of(word, kinds) for word in words}
    return type_declaration(fight, min(offered, key=lambda one: (one.actor != actor, one.kind not in meant))).line


def _find_named(fight: Fight, words: Sequence[str]) -> Id:
    with suppress(Unusable):
        return find_combatant(fight, words[0]) if words else ""
    return ""


def _standing(fight: Fight, words: Sequence[str], own: frozenset[Id] | None) -> str:
    who = _find_named(fight, words) or next(
        (one for one in fight.table.draft.combatants if own is None or one in own), ""
    )
    return f"stand {who} worthwhile" if who else ""


def on_command_line(fight: str, reason: str = "") -> Shown:
    """Return what writes a line as a command of the shell.

    Args:
        fight: The fight as it was named there.
        reason: The reason that was given for a ruling.
    """

    def write_command(line: str) -> str:
        words, because = split_reason(line)
        verb, *rest = words
        if verb == "rule":
            parts = ["rule", fight, *rest, "--reason", because or reason or "so it is"]
        elif verb == "pass":
            parts = ["answer", fight, "pass", *(["--by", *rest] if rest else [])]
        elif verb in ("answer", "roll", "stand"):
            parts = [verb, fight, *rest]
        else:
            parts = ["do", fight, *words]
        return " ".join(("affray", *map(quote, parts)))

    return write_command
