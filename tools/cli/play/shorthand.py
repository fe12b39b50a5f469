"""Short forms of a conversation: ``a cap`` for ``ilse attack captain``."""

from collections.abc import Sequence

from affray.engine.commands import GM
from affray.engine.core.awaiting import describe_awaited
from affray.engine.errors import Unusable
from affray.engine.fight import Fight
from affray.events import EVERYBODY, Id
from affray.tools.parse.forms import kinds_of
from affray.tools.parse.intent_parser import manners, named_actor, without_do
from affray.tools.parse.typed_answers import ALL
from affray.tools.parse.typed_names import find_combatant

YES_NO = {"y": "yes", "n": "no"}


def expand_declaration(fight: Fight, words: Sequence[str]) -> list[str]:
    """Add the actor and the action that a typed declaration leaves out.

    Raises:
        Unusable: the first word is unknown, or the actor is left out although several combatants can act.
    """
    first, *rest = words = without_do(fight, words)
    if first == GM:
        return [first, *_action_first(fight, rest)]
    named = named_actor(fight, words, lambda word: word in manners(fight.ruleset) or stands_for_action(fight, word))
    if named is not None:
        return [named.id, *_action_first(fight, words[named.words :])]
    if action(fight, first, begun=False) is None and first not in manners(fight.ruleset):
        who = find_by_beginning(fight, first)
        if who and rest and (rest[0] in manners(fight.ruleset) or stands_for_action(fight, rest[0], who)):
            return [who, *_action_first(fight, rest, who)]
        if action(fight, first) is None and not thing(fight, first):
            if who and rest:
                return [who, *rest]
            raise Unusable(f"{first} is nobody here and no action; type ? for what may be done now", "line")
    return _with_actor(fight, words)


def _with_actor(fight: Fight, words: Sequence[str]) -> list[str]:
    """Add the actor, and the manner if there is only one."""
    kind = action(fight, words[0])
    if kind and fight.ruleset.actions[kind].by_gm:
        return [kind, *words[1:]]
    who, manner = find_sole_actor(fight, said=" ".join(words))
    said = manners(fight.ruleset)
    how = [word for word, one in said.items() if one == manner and words[0] not in said]
    return [who, *how, *_action_first(fight, words, who)]


def _action_first(fight: Fight, words: Sequence[str], who: Id = "") -> list[str]:
    """Expand the action of a declaration; a skill may replace its action."""
    if not words:
        return []
    first, *rest = words
    if first in manners(fight.ruleset):
        return [first, *_action_first(fight, rest, who)]
    kind = action(fight, first)
    if kind:
        return [kind, *rest]
    owned = thing(fight, first, who)
    return [owned, first, *rest] if owned else list(words)


def stands_for_action(fight: Fight, word: str, who: Id = "") -> bool:
    """Tell whether a word means an action."""
    return action(fight, word) is not None or thing(fight, word, who) is not None


def action(fight: Fight, word: str, *, begun: bool = True) -> str | None:
    """Return the kind of action that a word means.

    The word is the kind itself, its letter, or with ``begun`` its beginning.
    """
    kinds = fight.ruleset.actions
    if word in kinds:
        return word
    words = fight.ruleset.vocabulary.actions
    for kind in kinds:
        if words[kind].letter == word:
            return kind
    meant = [kind for kind in kinds if kind.startswith(word)] if begun and word else []
    return meant[0] if len(meant) == 1 else None


def thing(fight: Fight, word: str, who: Id = "") -> str | None:
    """Return the kind of an item that is an action, such as ``skill`` for ``lunge``."""
    items = fight.table.draft.items.values()
    for item in items:
        owner, _, name = item.id.partition(".")
        if name == word and item.kind in fight.ruleset.actions and who in ("", owner):
            return item.kind
    return None


def find_by_beginning(fight: Fight, word: str) -> Id | None:
    """Return the only combatant with a name that begins with a word, if any."""
    try:
        return find_combatant(fight, word)
    except Unusable:
        return None


def expand_for_all(fight: Fight, words: Sequence[str]) -> list[list[str]]:
    """Return the declarations that a line means: one, or with ``end_turn all`` one for each active combatant.

    ``all`` or ``*`` stands for all active combatants after an action without parameters.

    Raises:
        Unusable: as in ``expand_declaration``.
    """
    kind = action(fight, words[0]) if len(words) == 2 and words[1] in (ALL, EVERYBODY) else None
    if kind is None or kinds_of(fight.ruleset.actions[kind]) or not fight.table.draft.acting:
        return [expand_declaration(fight, words)]
    may = {who for who, _ in fight.ruleset.turns.list_movers(fight.table)}
    active = [who for who in fight.table.draft.acting if who in may]
    return [[who, kind] for who in active] or [expand_declaration(fight, [kind])]


def find_sole_actor(fight: Fight, said: str) -> tuple[Id, str]:
    """Return the only combatant who can act now, and its manner.

    The active combatant precedes those who can only respond.

    Raises:
        Unusable: no combatant can act, or several can.
    """
    may = [(who, manner) for who, manner in fight.ruleset.turns.list_movers(fight.table) if who != GM]
    draft = fight.table.draft
    first = [pair for pair in may if pair[1] == "standard"] or may
    first = [pair for pair in first if pair[0] in (draft.window.to if draft.window else draft.acting)] or first
    if len(first) == 1:
        return first[0]
    if not first:
        raise Unusable(describe_awaited(draft, fight.ruleset.vocabulary) or "no combatant can act now", "who")
    people = ", ".join(who for who, _ in first)
    raise Unusable(f"say who, such as: {first[0][0]} {said}; there are {people}", "who")


def expand_answer(fight: Fight, words: Sequence[str], number: int = 0) -> list[str] | None:
    """Return the words of an answer to the open question, or None.

    A line answers if it begins with an option, its number, ``y`` or ``n``.

    Args:
        number: The number of a choice that the first word is; 0 if it is none.
    """
    question = fight.table.draft.question
    if question is None or not words:
        return None
    choices = [option.choice for option in question.options]
    first, *rest = words
    if 1 <= number <= len(choices):
        return [choices[number - 1], *rest]
    first = YES_NO.get(first, first)
    return [first, *rest] if first in choices else None
