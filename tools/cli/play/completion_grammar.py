"""Grammar of typed lines: the words that can follow at each point."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, get_args

import msgspec

from affray.engine.analysis.policy_registry import POLICIES
from affray.engine.commands import GM
from affray.engine.core.actions import Ruling
from affray.engine.errors import EngineError, Refused, Unusable
from affray.engine.fight import Fight
from affray.events import EVERYBODY, STANDARD, Field, Id, Option, WhenAsked
from affray.tools.api.legal_actions import expand_action, list_actions, list_actors
from affray.tools.api.schemas.legal_actions import HowMay, Kind
from affray.tools.parse.forms import kinds_of
from affray.tools.parse.intent_parser import manners, parse_question
from affray.tools.parse.ruling_values import values_of
from affray.tools.parse.typed_names import name_fields, words_of
from affray.tools.parse.typed_parameters import said_in
from affray.tools.present.story.questions import still_asked

from .auto import ALL
from .shorthand import expand_declaration
from .steps import Begun, parse_begun, type_parameter

MOST_NUMBERS = 20
"""A field with more whole numbers than this is not completed."""


class Next(NamedTuple):
    """A word that can follow, as the user types it.

    Attributes:
        word: The word. If it ends with ``=``, a value must follow.
        says: Its meaning, or empty if it is obvious.
    """

    word: str
    says: str = ""


def declared_next(fight: Fight, words: Sequence[str]) -> Iterator[Next]:
    """Yield the words that can follow in a declaration: actor, action, parameters.

    Raises:
        Refused, Unusable: the words are no beginning of a declaration.
    """
    if not words:
        movers = dict.fromkeys(mover.who for mover in list_actors(fight).actors)
        yield from (Next(who, fight.state.combatants[who].name) for who in movers if who != GM)
        yield from (Next(one.kind, one.says) for one in _of_gm(fight) if GM in movers)
        return
    so_far = parse_begun(fight, words)
    if not so_far.kind:
        kinds = list_actions(fight, so_far.actor, so_far.manner).kinds
        yield from (Next(one.kind, one.says) for one in kinds if one.refused is None)
        if len(words) == 1:
            others = [mover.manner for mover in list_actors(fight).actors if mover.who == so_far.actor]
            yield from (Next(said) for said, manner in manners(fight.ruleset).items() if manner in others)
        return
    now = expand_action(fight, so_far.actor, so_far.kind, so_far.manner, so_far.chosen)
    must = list(_without_choice(fight, so_far, now))
    yield from map(Next, must)
    for field in now.fields if not must else ():
        may = (one.value for one in field.choices if not one.refused)
        yield from (Next(type_parameter(fight.ruleset, so_far, field.field, value)) for value in may)


def _without_choice(fight: Fight, so_far: Begun, now: HowMay) -> Iterator[str]:
    """Yield the next required parameter that has only one value."""
    chosen = dict(so_far.chosen)
    while now.whole is None:
        if not now.fields or now.fields[0].open or now.fields[0].field in chosen:
            return
        field = now.fields[0]
        chosen[field.field] = next(one.value for one in field.choices if not one.refused)
        now = expand_action(fight, so_far.actor, so_far.kind, so_far.manner, chosen)
    params: dict[str, Any] = msgspec.json.decode(now.whole.intent.params)
    for name in [name for name in params if name not in chosen][:1]:
        yield type_parameter(fight.ruleset, so_far, name, params[name])


def _of_gm(fight: Fight) -> Iterator[Kind]:
    """Yield the actions of the game master, which are typed without an actor."""
    yield from (one for one in list_actions(fight, GM, STANDARD).kinds if one.refused is None)


def short_next(fight: Fight, words: Sequence[str]) -> Iterator[Next]:
    """Yield the words that can follow in a declaration that uses short forms.

    Raises:
        Refused, Unusable: the words are no beginning of a declaration.
    """
    if words and words[0] != GM:
        yield from declared_next(fight, expand_declaration(fight, words))
        return
    yield from declared_next(fight, words)
    movers = {mover.who for mover in list_actors(fight).actors}
    if not words and len(movers) == 1 and GM not in movers:
        yield from declared_next(fight, [*movers])


def answered_next(fight: Fight, words: Sequence[str]) -> Iterator[Next]:
    """Yield the words that can follow in an answer: a choice, fields, or ``pass``."""
    draft = fight.table.draft
    if draft.window is not None and not words:
        yield Next("pass", "let it go by")
    if draft.question is None:
        return
    if not words:
        yield from (Next(one.choice, one.says) for one in draft.question.options)
        return
    said = {word.partition("=")[0] for word in words[1:]}
    chosen = next((one for one in draft.question.options if one.choice == words[0]), Option(choice="", says=""))
    for name, field in name_fields(still_asked(chosen, draft.combatants, fight.ruleset.vocabulary)).items():
        if name not in said:
            yield from (Next(f"{name}={value}") for value in _list_values(field) or [""])


def _list_values(field: Field) -> list[str]:
    """Return the values of a field of an answer, unless there are many."""
    if field.kind == "int" and field.high - field.low < MOST_NUMBERS:
        return [str(number) for number in range(field.low, field.high + 1)]
    return list(field.among)


def list_rulings(fight: Fight) -> Iterator[type[Ruling]]:
    """Yield the kinds of rulings, without those that can change nothing now."""
    for _, form in sorted(fight.ruleset.rulings.items()):
        with suppress(Refused):
            if not any(one.required for one in msgspec.structs.fields(form)):
                form().check_record(fight.history.recorded, fight.history.opened)
            yield form


def ruled_next(fight: Fight, words: Sequence[str]) -> Iterator[Next]:
    """Yield the words that can follow in a ruling: its kind, then its parameters.

    Raises:
        Unusable: the words are no beginning of a ruling.
    """
    if not words:
        yield from (Next(form.kind, form.says) for form in list_rulings(fight))
        return
    form = fight.ruleset.rulings.get(words[0])
    if form is None:
        return
    said = said_in(fight, form, words[1:], "")
    bare = next((name for name in form.words if name not in said), "")
    known = list(values_of(fight, form, bare, said)) if bare else []
    yield from map(Next, known)
    for name in [name for name in kinds_of(form) if name not in (*said, bare)] if not known else ():
        yield from (Next(f"{name}={value}") for value in [*values_of(fight, form, name, said)] or [""])


def standing_next(fight: Fight, words: Sequence[str]) -> Iterator[Next]:
    """Yield the words that can follow ``stand``: a combatant, then a setting."""
    if not words:
        yield from (Next(who, one.name) for who, one in fight.state.combatants.items())
    elif len(words) == 1:
        yield from map(Next, get_args(WhenAsked))


def tried_next(fight: Fight, words: Sequence[str]) -> Iterator[Next]:
    """Yield the words for a possible declaration, or after ``answer`` for an answer."""
    if words[:1] == ["answer"]:
        yield from answered_next(fight, words[1:])
        return
    if not words and fight.table.draft.question is not None:
        yield Next("answer", "what is asked now")
    yield from declared_next(fight, words)


def amended_next(fight: Fight, words: Sequence[str]) -> Iterator[Next]:
    """Yield the words for a correction: an answer if one is open, or a declaration."""
    asked = fight.table.draft.question is not None
    yield from answered_next(fight, words) if asked else declared_next(fight, words)


def autos_next(fight: Fight, words: Sequence[str]) -> Iterator[Next]:
    """Yield the words that can follow ``auto``: a side, then a policy."""
    sides = sides_of(fight)
    if not words:
        yield from map(Next, dict.fromkeys((*sides, ALL)))
    elif len(words) == 1 and words[0] in (*sides, ALL):
        yield from map(Next, POLICIES)


def sides_of(fight: Fight) -> list[Id]:
    """Return every side, in joining order."""
    return list(dict.fromkeys(one.side for one in fight.state.combatants.values()))


VERBS: dict[str, tuple[str, Callable[[Fight, Sequence[str]], Iterable[Next]]]] = {
    "answer": ("answer what is asked", answered_next),
    "apart": ("the distances of a combatant", lambda fight, words: [] if words else map(Next, fight.state.combatants)),
    "auto": ("let the engine play", autos_next),
    "do": ("for a combatant with the name of a command", short_next),
    "help": ("what one can type", lambda _, words: ()),
    "legal": ("who may do what, and why not", short_next),
    "?": ("the same", short_next),
    "log": ("the fight in sentences", lambda _, words: ()),
    "pass": ("let a window go by", lambda fight, words: _passers(fight) if not words else ()),
    "quit": ("leave; all is recorded", lambda _, words: ()),
    "redo": ("bring back", lambda _, words: ()),
    "rule": ("decide as game master", ruled_next),
    "show": ("the whole picture", lambda _, words: ()),
    "stand": ("when somebody is asked", standing_next),
    "undo": ("take back", lambda fight, words: _undo_next(fight) if not words else ()),
    "why": ("the last refusal, explained", lambda _, words: ()),
}
"""Verbs of the conversation, with their help and the words that can follow."""


def _undo_next(fight: Fight) -> list[Next]:
    """Return the words that can follow ``undo``."""
    answers = [Next("allow", "what a player asked to take back"), Next("decline", "the same")]
    return [Next("fresh", "with fresh dice"), *(answers if fight.history.request else ())]


def _passers(fight: Fight) -> list[Next]:
    """Return the combatants who can pass in the open window, and words for all."""
    window = fight.table.draft.window
    return [] if window is None else [Next(who) for who in dict.fromkeys((*window.to, EVERYBODY, ALL))]


def typed_next(fight: Fight, words: Sequence[str]) -> Iterator[Next]:
    """Yield the words that can follow in a line of the conversation.

    Raises:
        Refused, Unusable: the words are no beginning of a line.
    """
    question = fight.table.draft.question
    if words and words[0] in VERBS:
        yield from VERBS[words[0]][1](fight, words[1:])
    elif words and question is not None and words[0] in [one.choice for one in question.options]:
        yield from answered_next(fight, words)
    else:
        if not words:
            yield from answered_next(fight, words)
        yield from short_next(fight, words)
        if not words:
            yield from (Next(verb, says) for verb, (says, _) in VERBS.items())


Following = Callable[[Fight, Sequence[str]], Iterable[Next]]


def complete_word(fight: Fight, words: Sequence[str], last: str, following: Following = typed_next) -> list[Next]:
    """Return the completions of the last word; none if earlier words are invalid."""
    found: dict[str, Next] = {}
    try:
        for one in following(fight, words):
            if one.word and one.word.startswith(last):
                found.setdefault(one.word, one)
    except EngineError:
        return []
    return list(found.values())


def lines(fight: Fight, line: str, following: Following) -> list[Next]:
    """Return the completions of a line that is one value.

    A line with only one continuation is completed up to the next choice, or to its end.
    """
    before, space, last = line.rpartition(" ")
    found = complete_word(fight, _words(before), last, following)
    whole = [Next(f"{before}{space}{word}", says) for word, says in found]
    if len(whole) == 1 and not _is_whole(fight, whole[0].word):
        return lines(fight, f"{whole[0].word} ", following) or whole
    return whole


def _words(line: str) -> list[str]:
    """Split a line, which may end within a quote."""
    try:
        return words_of(line)
    except Unusable:
        return line.split()


def _is_whole(fight: Fight, line: str) -> bool:
    """Tell whether a line is complete."""
    try:
        parse_question(fight, words_of(line))
    except EngineError:
        return False
    return True


def completions(fight: Fight, line: str, following: Following = typed_next) -> list[str]:
    """Return the completions of the last word of a line, or the words after a space."""
    words = _words(line)
    last = words.pop() if words and not line[-1:].isspace() else ""
    return sorted(one.word for one in complete_word(fight, words, last, following))
