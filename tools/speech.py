"""Parse what people type into intents: ``ilse attack captain ep=1``.

One line says who, what and with which parameters. Some parameters may be said without their names, in the order the
action gives; all others as ``name=value``. Several values of one parameter are joined by ``;``. Combatants may be
shortened as long as only one is meant; an item is named without its owner.
"""

import shlex
from collections.abc import Sequence
from functools import cache
from typing import Any

import msgspec
from msgspec import Raw, inspect

from affray import events as facts
from affray.engine.core.actions import Action, Ruling
from affray.engine.core.coordinates import place_meant
from affray.engine.core.ruleset import Ruleset
from affray.engine.errors import Refused, Unusable
from affray.engine.fight import Fight
from affray.events import STANDARD, Event, Id, Scalar, names

from .decoding import misread
from .faults import known_instead, nearest, shortened
from .forms import kinds_of
from .wording import FALSE, TRUE, meant

GM = "gm"

OTHERWISE = frozenset(
    [
        *("answer", "pass", "roll", "rule", "stand", "undo", "redo"),  # what is no declaration
        *(
            "?",
            "auto",
            "help",
            "legal",
            "log",
            "p",
            "q",
            "quit",
            "show",
            "why",
        ),  # what a conversation understands beside it
        "do",
    ]
)
"""Words with which a line begins that says something else; for somebody who is called so, ``do`` stands before it."""

KINDS = {
    "combatant": "a combatant", "item": "an item", "thing": "a thing", "place": "a place", "pool": "a pool",
    "condition": "a condition", "side": "a side", "relation": "a relation", "words": "some words", "slot": "a slot",
}  # fmt: skip
"""What a parameter is that must be said, by what its type names."""


def words_of(line: str) -> list[str]:
    """Split a line into words; quotes keep several together.

    Raises:
        Unusable: a quote is not closed.
    """
    try:
        return shlex.split(line)
    except ValueError:
        raise Unusable(f"a quote is not closed, or nothing follows a backslash: {line}") from None


def manners(ruleset: Ruleset) -> dict[str, str]:
    """Return the words said before an action that is not declared in the usual manner, such as ``announce``."""
    return {ruleset.manners[manner]: manner for manner in ruleset.declarable[1:]}


def declaration(fight: Fight, words: Sequence[str]) -> facts.Declared:
    """Return what ``ACTOR [MANNER] ACTION [PARAMETER …]`` asks for; an action of the game master's has no actor.

    Raises:
        Refused: there is no such action.
        Unusable: somebody or a parameter is unknown.
    """
    actor, manner, said = sender(fight, words)
    if not said:
        raise Unusable(f"say which action, such as: {' '.join(words)} {_an_action(fight.ruleset)}", "action")
    kind, *rest = said
    params = parameters(fight, form_of(fight.ruleset, kind), rest, actor)
    return facts.Declared(actor=actor, kind=kind, params=params, manner=manner)


def sender(fight: Fight, words: Sequence[str]) -> tuple[Id, str, Sequence[str]]:
    """Return who declares something, how, and what else is said; an action of the game master's has no actor."""
    whole, words = words, without_do(fight, words)
    if not words:
        who = next(iter(fight.table.draft.combatants), GM)
        raise Unusable(f"say who and what, such as: {who} {_an_action(fight.ruleset)}", "action")
    actions, played = fight.ruleset.actions, manners(fight.ruleset)
    acts = len(words) < len(whole) or not {*words[1:2]}.isdisjoint({*actions, *played})
    somebody = acts and words[0] in fight.table.draft.combatants
    if words[0] in actions and actions[words[0]].by_gm and not somebody:
        return GM, STANDARD, words
    actor = words[0] if words[0] == GM else person(fight, words[0])
    manner = played.get(words[1]) if len(words) > 1 else None
    return (actor, STANDARD, words[1:]) if manner is None else (actor, manner, words[2:])


def without_do(fight: Fight, words: Sequence[str]) -> Sequence[str]:
    """Return the words of a declaration without the ``do`` before them, which sets those apart who are called Pass."""
    known = {GM, *fight.table.draft.combatants, *fight.ruleset.actions}
    return words[1:] if len(words) > 1 and words[0] == "do" and words[1] in known else words


def _an_action(ruleset: Ruleset) -> str:
    return next((kind for kind, form in ruleset.actions.items() if not form.by_gm), "")


def form_of(ruleset: Ruleset, kind: str) -> type[Action]:
    """Return an action; one that there is not is refused as the rules do, with which one may have been meant."""
    if kind not in ruleset.actions:
        raise _unknown(ruleset, kind)
    return ruleset.actions[kind]


def _unknown(ruleset: Ruleset, kind: str) -> Refused:
    """Refuse an action that there is not as the rules do, and say which one may have been meant, or which there are."""
    refused = ruleset.unknown_action(kind)
    hint = known_instead(kind, sorted(name for name, one in ruleset.actions.items() if not one.by_gm))
    return Refused(refused.code, refused.rule, refused.message + hint, source=refused.source)


def ruling(fight: Fight, words: Sequence[str], reason: str) -> facts.Ruled:
    """Return what ``RULING [PARAMETER …]`` asks for, with the game master's reason.

    Raises:
        Unusable: the ruling or a parameter is unknown.
    """
    if not words:
        raise Unusable(f"say which ruling; there are {', '.join(sorted(fight.ruleset.rulings))}", "ruling")
    kind, *rest = words
    if kind not in fight.ruleset.rulings:
        known = ", ".join(sorted(fight.ruleset.rulings))
        raise Unusable(f"there is no ruling {kind}; there are {known}{nearest(kind, fight.ruleset.rulings)}", "ruling")
    params = parameters(fight, fight.ruleset.rulings[kind], rest, "")
    return facts.Ruled(kind=kind, params=params, reason=reason)


def parameters(fight: Fight, form: type[Action] | type[Ruling], words: Sequence[str], actor: Id) -> Raw:
    """Return the parameters of an action or ruling as they are recorded.

    Raises:
        Unusable: a parameter is unknown, said twice, or of the wrong kind.
    """
    said = said_in(fight, form, words, actor)
    for field in msgspec.structs.fields(form):
        if field.required and field.encode_name not in said:
            raise _unsaid(fight, form, field.encode_name)
    try:
        made = msgspec.convert(said, form, strict=False)
    except msgspec.ValidationError as error:
        message, path = misread(str(error))
        raise Unusable(message if path else f"{form.kind}: {message}", path.lstrip(".") or "parameters") from None
    return Raw(msgspec.json.encode(made))


def _unsaid(fight: Fight, form: type[Action] | type[Ruling], name: str) -> Unusable:
    """Return the error for a parameter that must be said: what it is, and which there are."""
    named = named_in(form).get(name, "")
    words = form.words[: form.words.index(name) + 1] if name in form.words else ()
    way = " ".join((form.kind, *(word.upper() for word in words or (f"{name}=…",))))
    people = f"; there are {shortened(fight.table.draft.combatants)}" if named == "combatant" else ""
    return Unusable(f"{form.kind} needs {KINDS.get(named, 'a value')} here, as in: {way}{people}", name)


def said_in(fight: Fight, form: type[Action] | type[Ruling], words: Sequence[str], actor: Id) -> dict[str, Any]:
    """Return the parameters that are said, each as it is said.

    Raises:
        Unusable: as in ``parameters``.
    """
    fields = _parameters(form)
    said: dict[str, Any] = {}
    unnamed = list(form.words)
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or name not in fields:
            if equals and name.isidentifier():
                known = f"it has {', '.join(fields) or 'none'}{nearest(name, fields)}"
                raise Unusable(f"{form.kind} has no parameter {name}; {known}", name)
            name, value = _next(unnamed, said, form, word), word
        if name in said:
            raise Unusable("is said twice", name)
        said[name] = _value(fight, form, name, value, actor)
    return said


@cache
def _parameters(form: type[Action] | type[Ruling]) -> tuple[str, ...]:
    return tuple(field.encode_name for field in msgspec.structs.fields(form))


def _next(unnamed: list[str], said: dict[str, Any], form: type[Action] | type[Ruling], word: str) -> str:
    """Return the parameter that a word without a name stands for."""
    while unnamed:
        name = unnamed.pop(0)
        if name not in said:
            return name
    raise Unusable(f"{form.kind} does not know what to do with {word}; name it, as in name={word}", "parameters")


def _value(fight: Fight, form: type[Action] | type[Ruling], name: str, value: str, actor: Id) -> Any:
    if value in (*TRUE, *FALSE) and _takes(form, name, inspect.BoolType):
        return value in TRUE
    if value.startswith(("{", "[")):
        try:
            return msgspec.json.decode(value)
        except msgspec.DecodeError as error:
            raise Unusable(str(error), name) from None
    many = _takes(form, name, inspect.VarTupleType)
    values = [_one(fight, form, name, one, actor) for one in (value.split(";") if many else [value])]
    return values if many else values[0]


def _takes(form: type[Action] | type[Ruling], name: str, kind: type[inspect.Type]) -> bool:
    return any(isinstance(one, kind) for one in kinds_of(form)[name])


@cache
def named_in(form: type[Action] | type[Ruling]) -> dict[str, str]:
    """Return per parameter, as it is recorded, what it names, if anything."""
    named = names(form)
    return {field.encode_name: named.get(field.name, "") for field in msgspec.structs.fields(form)}


def _one(fight: Fight, form: type[Action] | type[Ruling], name: str, value: str, actor: Id) -> str:
    named = named_in(form).get(name)
    if named in ("place", "position"):
        return place_meant(value, fight.ruleset.map)
    if named == "combatant" and value not in ("", "*"):
        return person(fight, value)
    if named in ("item", "thing") and f"{actor}.{value}" in fight.table.draft.items:
        return f"{actor}.{value}"
    return value


def person(fight: Fight, word: str) -> Id:
    """Return the combatant that a word means: an id, a name, or the only one that begins so.

    Raises:
        Unusable: nobody, or more than one, is meant.
    """
    people = fight.table.draft.combatants
    folded = word.casefold()
    if word in people:
        return word
    meant = [who for who, one in people.items() if one.name.casefold() == folded]
    meant = meant or [who for who in people if who.startswith(folded)]
    if len(meant) != 1:
        fault = f"{word} could be {', '.join(meant)}" if meant else f"there is no {word} in this fight"
        raise Unusable(f"{fault}; there are {', '.join(people)}{'' if meant else nearest(folded, people)}", "who")
    return meant[0]


def answer(fight: Fight, words: Sequence[str], by: Id | None = None) -> facts.Answered | facts.Passed:
    """Return the answer ``CHOICE [NAME=VALUE …]`` to whatever is asked now, or ``pass`` to an open window.

    Args:
        by: Who answers; whoever is asked if not given.

    Raises:
        Unusable: nothing is asked, or a value is not of the form NAME=VALUE.
    """
    draft = fight.table.draft
    if draft.window is not None and list(words) in ([], ["pass"]):
        return facts.Passed(window=draft.window.id, who=by or draft.window.to[0])
    if draft.question is None:
        raise Unusable("nobody is asked anything now", "answer")
    if not words:
        choices = ", ".join(option.choice for option in draft.question.options)
        raise Unusable(f"say which: {choices}", "answer")
    by = by or draft.question.of[0]
    option = next((one for one in draft.question.options if one.choice == words[0]), None)
    known = {field.name: field for field in option.fields} if option else {}
    fields: dict[str, Scalar] = {}
    for word in words[1:]:
        name, equals, value = word.partition("=")
        if not equals:
            raise Unusable(f"say name=value, not {word}", "answer")
        fields[name] = meant(known.get(name), value, by)
    return facts.Answered(question=draft.question.id, by=by, choice=words[0], fields=fields)


def tried(fight: Fight, words: Sequence[str]) -> facts.Declared | facts.Answered:
    """Return the declaration, or behind ``answer`` the answer, that somebody wonders about.

    Raises:
        Unusable: it cannot be understood.
    """
    if words[:1] != ["answer"]:
        return declaration(fight, words)
    said = answer(fight, words[1:])
    if isinstance(said, facts.Passed):
        raise Unusable("whoever may pass always may; say an answer to a question", "answer")
    return said


def faces(fight: Fight, words: Sequence[str]) -> facts.DiceEntered:
    """Return the faces that were thrown for whatever dice are awaited now.

    Raises:
        Unusable: no dice are awaited, or a face is not a whole number.
    """
    awaited = fight.table.draft.awaited
    if awaited is None:
        raise Unusable("no dice are awaited now", "faces")
    try:
        return facts.DiceEntered(roll=awaited.roll, faces=tuple(int(word) for word in words))
    except ValueError:
        raise Unusable("a face is a whole number", "faces") from None


def standing_pass(fight: Fight, who: str, ask: str, what: str = "", seconds: int = 0) -> facts.AskingSet:
    """Return when somebody wishes to be asked, or with ``*`` when the table stops, and for how long.

    Raises:
        Unusable: there is nobody of that name, or they cannot be asked so.
    """
    whom = who if who == facts.EVERYBODY else person(fight, who)
    try:
        when = msgspec.convert(ask, facts.WhenAsked)
    except msgspec.ValidationError:
        raise Unusable("somebody is asked always, worthwhile, targeted or never", "ask") from None
    return facts.AskingSet(who=whom, ask=when, what=what, seconds=seconds)


def _stops(fight: Fight, words: Sequence[str]) -> facts.AskingSet:
    """Return what is said behind ``stand``: who, when, and for the table a kind of window or a number of seconds."""
    more = dict.fromkeys(("what", "seconds"), "")
    for word in words[2:]:
        more["seconds" if word.isdigit() else "what"] = word
    return standing_pass(fight, words[0], words[1], more["what"], int(more["seconds"] or 0))


def intent(fight: Fight, line: str, reason: str = "") -> Event:
    """Return what a line of a conversation or scenario asks for.

    It begins with ``answer``, ``pass``, ``roll``, ``rule`` or ``stand``, or else it is a declaration, with or without
    ``do`` before it.

    Raises:
        Unusable: it cannot be understood.
    """
    words = words_of(line)
    verb = words[0] if words else ""
    rest = words[1:]
    if verb == "answer":
        return answer(fight, rest)
    if verb == "pass":
        return answer(fight, ["pass"], person(fight, rest[0]) if rest else None)
    if verb == "roll":
        return faces(fight, rest)
    if verb == "rule":
        return ruling(fight, rest, reason or "ruled")
    if verb == "stand" and 2 <= len(rest) <= 4:
        return _stops(fight, rest)
    return declaration(fight, words)
