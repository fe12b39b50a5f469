"""The intents that programs send: objects with a ``type``, or the words that a person would type."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from random import Random
from typing import Any, cast

import msgspec
from msgspec import Struct

from affray.engine.analysis.policy_registry import POLICIES
from affray.engine.commands import Amend, AnswerUndo, Close, Intent, Redo, Stir, Undo
from affray.engine.errors import NoSuch, Unusable
from affray.engine.fight import Fight
from affray.engine.limits import check_intent
from affray.events import Answered, AskingSet, Declared, DiceEntered, Passed, Ruled
from affray.tools.parse import intent_parser
from affray.tools.parse.decoding import misread
from affray.tools.parse.sides import side_of
from affray.tools.parse.typed_names import words_of
from affray.tools.present.story.words import side_said

from .auto_play import QUICK, next_of


class Said(Struct, frozen=True, kw_only=True, tag=True):
    """An intent in words.

    Attributes:
        words: The words of ``affray do``; or an input that begins with ``answer``, ``pass``, ``roll``, ``rule`` or
            ``stand``.
        reason: The reason of a ruling or an answer. The words may give it instead: ``because …``.
    """

    words: str
    reason: str = ""


class Auto(Struct, frozen=True, kw_only=True, tag=True):
    """The next command of a policy for a side.

    Attributes:
        side: The side that the policy plays.
        policy: The policy's name.
    """

    side: str
    policy: str = QUICK


Wire = (
    Declared | Answered | Passed | AskingSet | Ruled | DiceEntered
    | Undo | AnswerUndo | Redo | Amend | Stir | Close | Said | Auto
)  # fmt: skip
"""Every form of intent that a client may send."""

FORMS: dict[str, type[Struct]] = {form.__name__: form for form in Wire.__args__}
"""The forms of intent, by the name in ``type``."""

_UNKNOWN_FIELD = re.compile(r"there is no field (.+)$")

_decoder = msgspec.json.Decoder(Wire)


def read_intent(given: object) -> Wire:
    """Decode an intent from a JSON object; re-encode it to fit on one log line.

    Raises:
        Unusable: it has none of the forms; names the faulty field and the expected value.
    """
    _check_fields(given, "intent")
    try:
        intent: Wire = _decoder.decode(msgspec.json.encode(given))
    except (msgspec.MsgspecError, OverflowError, RecursionError) as error:
        message, path = misread(str(error))
        raise Unusable(message, "intent" + path) from None
    try:
        check_intent(intent)
    except Unusable as error:
        raise Unusable(error.message, f"intent.{error.field}") from None
    return intent


def _check_fields(given: object, field: str) -> None:
    """Refuse unknown fields, which a decoder would pass over, and clauses, which no sender may set."""
    if not isinstance(given, dict):
        raise Unusable("must be an object with a type", field)
    form = FORMS.get(str(given.get("type")))
    if form is None:
        raise Unusable(f"must be one of {', '.join(FORMS)}", f"{field}.type")
    known = [name for name in form.__struct_fields__ if name != "rules"]
    for name in given.keys() - {*known, "type"}:
        raise Unusable(f"{form.__name__} has no such field; it has {', '.join(known)}", f"{field}.{name}")
    for name in ("instead", "answers") if form is Amend else ():
        many: Any = given.get(name)
        for nth, one in enumerate(many if isinstance(many, list) else ()):
            _check_fields(one, f"{field}.{name}[{nth}]")


@contextmanager
def name_sent_fields(fight: Fight, intent: Intent) -> Iterator[None]:
    """Name a faulty field as its sender wrote it: ``intent.params.target``.

    Raises:
        Unusable: with the sender's name of the field. For an unknown parameter, the message lists the known ones.
    """
    try:
        yield
    except Unusable as error:
        if error.field not in intent.__struct_fields__:
            raise
        message, path = misread(error.message)
        unknown = _UNKNOWN_FIELD.search(message)
        if unknown and isinstance(intent, Declared | Ruled):
            kinds: Mapping[str, type[Struct]] = (
                fight.ruleset.actions if isinstance(intent, Declared) else fight.ruleset.rulings
            )
            form = kinds[intent.kind]
            message = f"{intent.kind} has no {unknown[1]}; it has {', '.join(form.__struct_fields__) or 'nothing'}"
        raise Unusable(message, f"intent.{error.field}{path}") from None


def resolve_intent(fight: Fight, given: Wire, id: str) -> Intent:
    """Return the intent: parse words, or let a policy decide.

    A repeated command is read in the fight as it was when the command first came.

    Raises:
        Unusable: the words cannot be parsed, or the policy finds no legal action. The message may name any combatant,
            even a hidden one.
    """
    if isinstance(given, Said):
        return intent_parser.intent(at_first(fight, id), given.words, given.reason)
    return _decide_by_policy(at_first(fight, id), given, id) if isinstance(given, Auto) else given


def words_of_intent(given: Wire) -> list[str]:
    """Return the words of an intent; none where it is not in words."""
    if not isinstance(given, Said):
        return []
    try:
        return words_of(given.words)
    except Unusable:
        return given.words.split()


def _decide_by_policy(fight: Fight, given: Auto, id: str) -> Intent:
    """Return a policy's input for a side; random choices depend on the command's id."""
    if given.policy not in POLICIES:
        raise NoSuch("policy", given.policy, list(POLICIES), "intent.policy")
    found, _ = next_of(fight, side_of(fight, given.side, "intent.side"), POLICIES[given.policy], Random(id))
    if found is None:
        raise Unusable(f"{given.policy} finds nothing to do for {side_said(given.side)} now", "intent.side")
    return cast("Intent", found)


def at_first(fight: Fight, id: str) -> Fight:
    """Return the fight to parse a command in: for a repeated command, as at its first time."""
    position = fight.history.commands.get(id, 1)
    return fight if position == 1 else fight.copy_at(position - 1)
