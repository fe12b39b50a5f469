"""The JSON object on what a fight waits for, and from which combatants."""

from typing import Any

from affray.engine.core.state import State
from affray.engine.fight import Fight
from affray.tools.parse.intent_parser import GM


def waiting_in(fight: Fight) -> dict[str, Any]:
    """Describe the awaited input and its senders; none once the fight is closed."""
    return {"for": "nothing", "of": []} if fight.history.closed else waiting(fight.state)


def waiting(state: State) -> dict[str, Any]:
    """Describe what a state waits for: an answer, dice, a pass, an action or nothing."""
    if state.question is not None:
        return {"for": "answer", "of": state.question.of, "question": state.question}
    if state.awaited is not None:
        return {"for": "dice", "of": [state.awaited.by], "dice": state.awaited}
    if state.window is not None:
        return {"for": "pass", "of": state.window.to, "window": state.window}
    if state.ended:
        return {"for": "nothing", "of": []}
    return {"for": "action", "of": state.acting or [GM]}
