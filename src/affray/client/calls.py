"""The calls to a server: each as a flow from its parameters to its typed answer."""

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

import msgspec

from affray.events import STANDARD
from affray.tools.api.intents import Said, Wire
from affray.tools.api.schemas.fights import About, Carried, Lines, Moment, RulingForm, Story
from affray.tools.api.schemas.legal_actions import HowMay, Likely, WhatMay, WhatMayTo, WhereMay, WhoMay
from affray.tools.api.schemas.receipts import Explanation

from .errors import RequestRefused, Unreachable
from .links import TableLink
from .steps import Flow, Pause, ask

PAUSES = (0.25, 0.5, 1.0)
"""Seconds before a command whose outcome is unknown is sent again."""


def get_fight(link: TableLink) -> Flow[About]:
    """Return the fight's rules, its head, whom it waits for, and the role of the link."""
    return ask(link, About)


def get_state(link: TableLink, at: int | None = None) -> Flow[Moment]:
    """Return the state, now or at a position, as the link's role sees it."""
    return ask(link, Moment, "state", at=at)


def get_log(link: TableLink, after: int = 0, limit: int | None = None) -> Flow[Lines]:
    """Return recorded lines behind a position: at most ``limit``, and fewer if they are long."""
    return ask(link, Lines, "log", after=after, limit=limit)


def get_story(link: TableLink, after: int = 0) -> Flow[Story]:
    """Return the fight in sentences, without its first ``after`` entries."""
    return ask(link, Story, "story", after=after)


def explain(link: TableLink, position: int) -> Flow[Explanation]:
    """Explain an event: its cause, its clauses, and the source of each die."""
    return ask(link, Explanation, "explain", position)


def list_actors(link: TableLink) -> Flow[WhoMay]:
    """List the combatants who may act now, and the answers, passes and dice that the fight waits for."""
    return ask(link, WhoMay, "legal")


def list_actions(link: TableLink, who: str, *, manner: str = STANDARD) -> Flow[WhatMay]:
    """List the actions of a combatant, illegal ones with their refusal."""
    return ask(link, WhatMay, "legal", who, manner=manner)


def list_choices(
    link: TableLink,
    who: str,
    kind: str,
    *,
    manner: str = STANDARD,
    chosen: Mapping[str, Any] | None = None,
    fill: bool = False,
) -> Flow[HowMay]:
    """List the choices for the next field of an action; or return the whole action, ready to be sent.

    Args:
        chosen: The fields that are chosen so far.
        fill: Whether other fields take their usual or only possible value.
    """
    said = msgspec.json.encode(chosen or {}).decode()
    return ask(link, HowMay, "legal", who, kind, manner=manner, chosen=said, fill=fill)


def list_actions_against(link: TableLink, who: str, whom: str, *, manner: str = STANDARD) -> Flow[WhatMayTo]:
    """List the actions of a combatant against another, with chance, likely harm and cost."""
    return ask(link, WhatMayTo, "aims", who, whom, manner=manner)


def list_destinations(link: TableLink, who: str, *, manner: str = STANDARD) -> Flow[WhereMay]:
    """List the places that a combatant can reach, each with its cost and ready to be sent."""
    return ask(link, WhereMay, "ways", who, manner=manner)


def suggest_action(link: TableLink, who: str, *, manner: str = STANDARD) -> Flow[Likely]:
    """Suggest the action that a sensible combatant would declare, ready to be sent."""
    return ask(link, Likely, "likely", who, manner=manner)


def list_rulings(link: TableLink) -> Flow[list[RulingForm]]:
    """List the rulings that a game master may give, each with the JSON Schema of its fields."""
    return ask(link, list[RulingForm], "rulings")


def send(link: TableLink, intent: Wire, *, id: str = "", expected: int | None = None) -> Flow[Carried]:
    """Send a command. It is sent again under its id while its outcome is unknown, and is carried out at most once.

    Args:
        intent: Such as the ``intent`` of an offer, ``affray.declare(...)``, ``affray.rule(...)`` or ``affray.Undo()``.
        id: The command's own id; a new one if not given.
        expected: The position that must still be the head.

    Raises:
        FightMovedOn: the head is not the expected one; nothing has changed.
        RequestRefused: the rules or the link's role forbid it; nothing has changed.
        Unreachable: the outcome is unknown; the error has the command's id.
    """
    id = id or uuid4().hex
    content = {"id": id, "intent": intent, **({} if expected is None else {"expected": expected})}
    for pause in (*PAUSES, None):
        try:
            return (yield from ask(link, Carried, "commands", content=content))
        except Unreachable as error:
            if pause is None:
                raise Unreachable(error.why, id) from None
        except RequestRefused as error:
            if pause is None or error.problem.status != 503 or error.problem.code == "altered":
                raise
        yield Pause(pause)
    raise AssertionError("the last try returns or raises")


def say(link: TableLink, words: str, *, reason: str = "", id: str = "", expected: int | None = None) -> Flow[Carried]:
    """Send a command in the words of the command line, such as ``ilse attack captain ep=1``; see ``send``."""
    return send(link, Said(words=words, reason=reason), id=id, expected=expected)
