"""The recorded requests of rules: questions and real dice."""

from collections.abc import Collection, Iterable

from affray.engine.commands import GM
from affray.engine.core.draft import Draft
from affray.engine.core.effects import Ask, Roll
from affray.engine.visibility import list_veiled_sources
from affray.events import Asked, DiceAwaited, Id


def request_answer(ask: Ask, name: Id, draft: Draft) -> Asked:
    """Build the event that asks a question.

    Args:
        name: The id of the question.
    """
    sources = _list_sources(ask.sources, ask.of, draft)
    return Asked(question=name, of=ask.of, about=ask.about, options=ask.options, sources=sources, rules=ask.rules)


def request_dice(roll: Roll, name: Id, draft: Draft) -> DiceAwaited:
    """Build the event that asks for real dice.

    Args:
        name: The id of the roll.
    """
    sources = _list_sources((one.source for one in (*roll.pool, *roll.modifiers)), (roll.by,), draft)
    return DiceAwaited(roll=name, by=roll.by, purpose=roll.purpose, dice=roll.dice, sources=sources, rules=roll.rules)


def _list_sources(sources: Iterable[str], of: Collection[Id], draft: Draft) -> tuple[str, ...]:
    """Return the veiled counters of those who are asked: all others must read the request to answer it."""
    return list_veiled_sources(sources, None if GM in of else of, draft) if draft.veiled else ()
