"""The recorded requests of rules: questions and real dice."""

from collections.abc import Collection, Iterable

from affray.engine.commands import GM
from affray.engine.core.draft import Draft
from affray.engine.core.effects import Ask, Roll, list_sources
from affray.engine.visibility import list_veiled_sources
from affray.events import AnySource, Asked, DiceAwaited, Id


def request_answer(ask: Ask, name: Id, draft: Draft) -> Asked:
    """Build the event that asks a question.

    Args:
        name: The id of the question.
    """
    sources = _keep_veiled(ask.sources, ask.of, draft) if draft.veiled else ()
    return Asked(question=name, of=ask.of, about=ask.about, options=ask.options, sources=sources, rules=ask.rules)


def request_dice(roll: Roll, name: Id, draft: Draft) -> DiceAwaited:
    """Build the event that asks for real dice.

    Args:
        name: The id of the roll.
    """
    sources = _keep_veiled(list_sources(roll), (roll.by,), draft) if draft.veiled else ()
    return DiceAwaited(roll=name, by=roll.by, purpose=roll.purpose, dice=roll.dice, sources=sources, rules=roll.rules)


def _keep_veiled(sources: Iterable[AnySource], of: Collection[Id], draft: Draft) -> tuple[AnySource, ...]:
    """Return the veiled counters of those who are asked: all others must read the request to answer it."""
    return list_veiled_sources(sources, None if GM in of else of, draft)
