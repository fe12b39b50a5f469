"""Parse what people type into intents: ``ilse attack captain ep=1``.

One line gives actor, action and parameters. Some parameters may be given by position, in the order of the action; all
others as ``name=value``. Several values of one parameter are separated by ``;``. Names of combatants may be shortened
while they are unambiguous; an item is named without its owner. Names may have several words; see ``typed_names``.
"""

from collections.abc import Callable, Sequence

import msgspec

from affray import events as facts
from affray.engine.commands import GM
from affray.engine.core.actions import Action
from affray.engine.core.ruleset import Ruleset
from affray.engine.errors import Refused, Unusable
from affray.engine.fight import Fight
from affray.events import STANDARD, Event, Id

from . import newcomers
from .faults import known_instead
from .typed_answers import faces, is_pass_of_all, parse_answer, split_reason
from .typed_names import Named, find_combatant, longest_first, people_called, words_of
from .typed_parameters import parse_parameters

OTHERWISE = frozenset(
    [
        *("answer", "pass", "roll", "rule", "stand", "undo", "redo"),  # inputs that are no declaration
        *("?", "apart", "auto", "help", "legal", "log", "p", "q", "quit", "show", "why"),  # commands of a conversation
        "do",
    ]
)
"""Words that begin a line of another kind. For a combatant with such a name, ``do`` stands before it."""


def manners(ruleset: Ruleset) -> dict[str, str]:
    """Return the words said before an action that is not declared in the usual manner, such as ``announce``."""
    return {ruleset.turns.manners[manner]: manner for manner in ruleset.turns.declarable[1:]}


REASONED = ("answer ", "rule ")
"""The beginnings of lines that may end with a reason after ``because``."""


def declaration(fight: Fight, words: Sequence[str]) -> facts.Declared:
    """Parse ``ACTOR [MANNER] ACTION [PARAMETER …]``; game master's actions lack ACTOR.

    Raises:
        Refused: there is no such action.
        Unusable: the actor or a parameter is unknown.
    """
    actor, manner, said = sender(fight, words)
    if not said:
        raise Unusable(f"say which action, such as: {' '.join(words)} {_an_action(fight.ruleset)}", "action")
    kind, *rest = said
    params = parse_parameters(fight, form_of(fight.ruleset, kind), rest, actor)
    return facts.Declared(actor=actor, kind=kind, params=params, manner=manner)


def sender(fight: Fight, words: Sequence[str]) -> tuple[Id, str, Sequence[str]]:
    """Parse the actor, the manner and the rest; game master's actions have no actor."""
    whole, words = words, without_do(fight, words)
    if not words:
        who = next(iter(fight.table.draft.combatants), GM)
        raise Unusable(f"say who and what, such as: {who} {_an_action(fight.ruleset)}", "action")
    actor, count = _actor(fight, words, acts=len(words) < len(whole))
    played = manners(fight.ruleset)
    manner = played.get(words[count]) if len(words) > count else None
    return (actor, STANDARD, words[count:]) if manner is None else (actor, manner, words[count + 1 :])


def _actor(fight: Fight, words: Sequence[str], *, acts: bool) -> tuple[Id, int]:
    """Return the actor of a declaration, and the number of words in its name.

    Args:
        acts: Whether the line must be a declaration. An id then takes precedence over any longer name.

    Raises:
        Unusable: no combatant fits, or several do.
    """
    actions, verbs = fight.ruleset.actions, {*fight.ruleset.actions, *manners(fight.ruleset)}
    named = named_actor(fight, words, verbs.__contains__)
    if acts and words[0] in fight.table.draft.combatants and not verbs.isdisjoint(words[1:2]):
        named = Named(words[0], 1)
    acts = acts or (named is not None and not {*words[named.words : named.words + 1]}.isdisjoint(verbs))
    if words[0] in actions and actions[words[0]].by_gm and not (named and acts):
        return GM, 0
    if words[0] == GM or named is not None:
        return named or (GM, 1)
    try:
        return find_combatant(fight, words[0]), 1
    except Unusable as error:
        who = next(iter(fight.table.draft.combatants), GM)
        raise Unusable(f"{error.message}; say it as in: {who} {_an_action(fight.ruleset)}", error.field) from None


def named_actor(fight: Fight, words: Sequence[str], is_verb: Callable[[str], bool]) -> Named | None:
    """Return the combatant named by the first words, longest name first, before an action.

    Args:
        is_verb: Tells whether a word is an action, or the manner of one.
    """
    found = list(longest_first(people_called(fight.table.draft.combatants), words))
    return next((one for one in found if any(map(is_verb, words[one.words : one.words + 1]))), next(iter(found), None))


def without_do(fight: Fight, words: Sequence[str]) -> Sequence[str]:
    """Return the words of a declaration without the ``do`` before them, which sets those apart who are called Pass."""
    if len(words) < 2 or words[0] != "do":
        return words
    known = words[1] in {GM, *fight.ruleset.actions}
    people = people_called(fight.table.draft.combatants)
    return words[1:] if known or any(longest_first(people, words[1:])) else words


def _an_action(ruleset: Ruleset) -> str:
    return next((kind for kind, form in ruleset.actions.items() if not form.by_gm), "")


def form_of(ruleset: Ruleset, kind: str) -> type[Action]:
    """Return an action's struct; refuse an unknown one with a spelling hint."""
    if kind not in ruleset.actions:
        raise _unknown(ruleset, kind)
    return ruleset.actions[kind]


def _unknown(ruleset: Ruleset, kind: str) -> Refused:
    """Return the refusal of an unknown action, with a spelling hint or the known ones."""
    refused = ruleset.turns.refuse_unknown(kind)
    hint = known_instead(kind, sorted(name for name, one in ruleset.actions.items() if not one.by_gm))
    return Refused(refused.code, refused.rule, refused.message + hint, source=refused.source)


def ruling(fight: Fight, words: Sequence[str], reason: str, *, files: bool = False) -> facts.Ruled:
    """Parse ``RULING [PARAMETER …]`` to a ruling with the game master's reason.

    Args:
        files: Whether an encounter file may be read for newcomers.

    Raises:
        Unusable: the ruling or a parameter is unknown.
    """
    if not words:
        raise Unusable(f"say which ruling{known_instead('', sorted(fight.ruleset.rulings))}", "ruling")
    kind, *rest = words
    if kind not in fight.ruleset.rulings:
        raise Unusable(f"there is no ruling {kind}{known_instead(kind, sorted(fight.ruleset.rulings))}", "ruling")
    if kind == newcomers.JOIN:
        params = newcomers.newcomer_parameters(fight, rest, files=files)
    else:
        params = parse_parameters(fight, fight.ruleset.rulings[kind], rest, "")
    return facts.Ruled(kind=kind, params=params, reason=reason)


def parse_question(fight: Fight, words: Sequence[str]) -> facts.Declared | facts.Answered:
    """Parse the declaration to be judged, or after ``answer`` the answer.

    Raises:
        Unusable: it cannot be understood.
    """
    if words[:1] != ["answer"]:
        return declaration(fight, words)
    said = parse_answer(fight, words[1:])
    if isinstance(said, facts.Passed):
        raise Unusable("every asked combatant may pass; give an answer to a question", "answer")
    return said


def standing_pass(fight: Fight, who: str, ask: str, what: str = "", seconds: int = 0) -> facts.AskingSet:
    """Parse when a combatant (``*``: the table) is to be asked, and for how long.

    Raises:
        Unusable: there is no such combatant, or the setting is malformed.
    """
    whom = who if who == facts.EVERYBODY else find_combatant(fight, who)
    try:
        when = msgspec.convert(ask, facts.WhenAsked)
    except msgspec.ValidationError:
        raise Unusable("somebody is asked always, worthwhile, targeted or never", "ask") from None
    return facts.AskingSet(who=whom, ask=when, what=what, seconds=seconds)


def _stops(fight: Fight, words: Sequence[str]) -> facts.AskingSet:
    """Parse the words after ``stand``: combatant, setting, kind of window or seconds."""
    more = dict.fromkeys(("what", "seconds"), "")
    if not words:
        raise Unusable("say stand WHO always, worthwhile, targeted or never", "who")
    count = next((one.words for one in longest_first(people_called(fight.table.draft.combatants), words)), 1)
    who, (ask, *others) = " ".join(words[:count]), words[count:] or [""]
    if len(others) > len(more):
        raise Unusable("say stand WHO always, worthwhile, targeted or never", "ask")
    for word in others:
        more["seconds" if word.isdecimal() else "what"] = word
    try:
        seconds = int(more["seconds"] or 0)
    except ValueError:  # it has more digits than Python reads
        raise Unusable("is too big a number", "seconds") from None
    return standing_pass(fight, who, ask, more["what"], seconds)


def intent(fight: Fight, line: str, reason: str = "") -> Event:
    """Parse a line of a conversation or scenario to an intent.

    It begins with ``answer``, ``pass``, ``roll``, ``rule`` or ``stand``; otherwise it is a declaration, with or without
    ``do`` before it. An answer or a ruling may end with its reason: ``because …``.

    Raises:
        Unusable: the line cannot be parsed.
    """
    words, because = split_reason(line) if line.startswith(REASONED) else (words_of(line), "")
    return intent_of(fight, words, reason or because)


def intent_of(fight: Fight, words: Sequence[str], reason: str = "") -> Event:
    """Parse the words of a line; see ``intent``.

    Raises:
        Unusable: they cannot be understood.
    """
    verb = words[0] if words else ""
    rest = words[1:]
    if verb == "answer":
        return parse_answer(fight, rest, reason=reason)
    if verb == "pass":
        by = find_combatant(fight, " ".join(rest)) if rest and not is_pass_of_all(fight, words) else None
        return parse_answer(fight, words if by is None else [verb], by)
    if verb == "roll":
        return faces(fight, rest)
    if verb == "rule":
        return ruling(fight, rest, reason or "ruled")
    if verb == "stand" and (len(rest) >= 2 or verb not in fight.ruleset.actions):
        return _stops(fight, rest)
    return declaration(fight, words)
