"""The phases, and what leads from one to another."""

from __future__ import annotations

from affray.engine.core.flow import Flow, Forbidden, Step
from affray.engine.core.table import Table
from affray.engine.errors import Refused
from affray.events import Id


def has_the_turn(table: Table, actor: Id) -> None:
    """PEB-2: only the child whose turn it is."""
    if actor not in table.draft.acting:
        raise Refused("not_your_turn", "PEB-2", f"it is not the turn of {actor}", source=actor)


FLOW = Flow(
    initial="setup",
    steps=(
        #     in           on             goes to       when           by
        Step("setup",     "begin",       "upcoming",   None,          "PEB-1"),
        Step("upcoming",  "comes_up",    "turn",       None,          "PEB-1"),
        Step("upcoming",  "all_had_one", "round_end",  None,          "PEB-1"),
        Step("turn",      "declare",     "throwing",   has_the_turn,  "PEB-2"),
        Step("turn",      "end_turn",    "turn",       has_the_turn,  "PEB-2"),
        Step("turn",      "spent",       "upcoming",   None,          "PEB-2"),
        Step("round_end", "next_round",  "upcoming",   None,          "PEB-1"),
        Step("turn",      "over",        "fight_over", None,          "PEB-6"),
    ),
    forbidden=(
        Forbidden("setup",      "*", "not_begun",  "PEB-1", "the game master begins the fight"),
        Forbidden("fight_over", "*", "fight_over", "PEB-6", "the fight is over"),
        Forbidden("*",          "*", "not_now",    "PEB-2", "a throw is in the air"),
    ),
)  # fmt: skip
