"""The phases of a Hexblade fight, and what leads from one to another."""

from __future__ import annotations

from affray.engine.core.flow import Flow, Forbidden, Step
from affray.engine.core.table import Table
from affray.events import Id

from .sheet import refusal
from .slots import acted, next_slot

OPEN = ("initiative", "order_ready", "turn")
"""The fight's own phases in which it may turn out to be over."""


def has_the_turn(table: Table, actor: Id) -> None:
    """HEX-001: only the one whose turn it is."""
    if actor not in table.draft.acting:
        table[actor]
        raise refusal("HEX-001", f"it is not the turn of {actor}", actor)


def is_next(table: Table, actor: Id) -> None:
    """HEX-001: the next one in the order who is able and has not acted this round."""
    table[actor]
    slot = next_slot(table)
    if slot is None or actor not in slot.members:
        why = "has acted already" if acted(table, actor) else "is not next in the order"
        next_one = f"; {slot.id} is next" if slot else ""
        raise refusal("HEX-001", f"{actor} {why}{next_one}", actor)


FLOW = Flow(
    initial="setup",
    steps=(
        #     in              on                 goes to         when           by
        Step("setup",         "begin",           "initiative",   None,          "HEX-003"),
        Step("initiative",    "roll_initiative", "initiative",   None,          "HEX-004"),
        Step("initiative",    "all_rolled",      "order_ready",  None,          "HEX-006"),
        Step("order_ready",   "begin_turn",      "turn",         is_next,       "HEX-001"),
        Step("order_ready",   "all_acted",       "round_end",    None,          "HEX-001"),
        Step("turn",          "move",            "turn",         has_the_turn,  "HEX-068"),
        Step("turn",          "sprint",          "turn",         has_the_turn,  "HEX-069"),
        Step("turn",          "draw",            "turn",         has_the_turn,  "HEX-062"),
        Step("turn",          "declare",         "exchange",     has_the_turn,  "HEX-009"),
        Step("turn",          "attempt",         "ruling",       has_the_turn,  "HEX-009"),
        Step("turn",          "end_turn",        "turn_end",     has_the_turn,  "HEX-001"),
        Step("turn",          "spent",           "turn_end",     None,          "HEX-001"),
        Step("ruling",        "test",            "exchange",     None,          "HEX-047"),
        Step("ruling",        "no_test",         "consequences", None,          "HEX-048"),
        Step("exchange",      "struck",          "blows",        None,          "HEX-021"),
        Step("exchange",      "no_blow",         "wear",         None,          "HEX-028"),
        Step("exchange",      "strays",          "crowd",        None,          "HEX-031"),
        Step("blows",         "dealt",           "wear",         None,          "HEX-025"),
        Step("wear",          "strays",          "crowd",        None,          "HEX-031"),
        Step("wear",          "settled",         "consequences", None,          "HEX-G03"),
        Step("crowd",         "struck",          "blows",        None,          "HEX-031"),
        Step("crowd",         "no_blow",         "wear",         None,          "HEX-031"),
        Step("crowd",         "settled",         "consequences", None,          "HEX-G03"),
        Step("consequences",  "felled",          "consequences", None,          "HEX-G03"),
        Step("turn_end",      "next",            "order_ready",  None,          "HEX-001"),
        Step("turn_end",      "all_acted",       "round_end",    None,          "HEX-001"),
        Step("round_end",     "next_round",      "initiative",   None,          "HEX-008"),
        Step("round_end",     "nobody_rolls",    "order_ready",  None,          "HEX-008"),
        Step("fight_over",    "recover",         "fight_over",   None,          "HEX-043"),
        Step("fight_over",    "repair",          "fight_over",   None,          "HEX-039"),
        Step("initiative",    "resume",          "initiative",   None,          "HEX-003"),
        Step("order_ready",   "resume",          "order_ready",  None,          "HEX-001"),
        Step("turn",          "resume",          "turn",         None,          "HEX-068"),
        Step("ruling",        "resume",          "ruling",       None,          "HEX-047"),
        Step(("initiative", "order_ready", "turn", "ruling"),
                              "free",            "exchange",     None,          "HEX-010"),
        Step(("initiative", "order_ready", "turn"),
                              "intervene",       "consequences", None,          "HEX-G03"),
        Step(("setup", *OPEN, "round_end"),
                              "over",            "fight_over",   None,          "HEX-001"),
    ),
    forbidden=(
        Forbidden("setup",      "*",               "HEX-001", "HEX-001", "the fight has not begun"),
        Forbidden("*",          "begin",           "HEX-001", "HEX-001", "the fight has begun"),
        Forbidden("fight_over", "*",               "HEX-001", "HEX-001", "the fight is over"),
        Forbidden("*",          "recover",         "HEX-043", "HEX-043", "missiles are gathered after the fight"),
        Forbidden("*",          "repair",          "HEX-039", "HEX-039", "things are repaired after the fight"),
        Forbidden("setup",      "recover",         "HEX-043", "HEX-043", "missiles are gathered after the fight"),
        Forbidden("setup",      "repair",          "HEX-039", "HEX-039", "things are repaired after the fight"),
        Forbidden("initiative", "*",               "HEX-003", "HEX-003", "initiative is still being rolled"),
        Forbidden("initiative", "recover",         "HEX-043", "HEX-043", "missiles are gathered after the fight"),
        Forbidden("initiative", "repair",          "HEX-039", "HEX-039", "things are repaired after the fight"),
        Forbidden("initiative", "begin",           "HEX-001", "HEX-001", "the fight has begun"),
        Forbidden("*",          "roll_initiative", "HEX-004", "HEX-004", "initiative opens a round"),
        Forbidden("turn",       "begin_turn",      "HEX-001", "HEX-001", "a turn is under way"),
        Forbidden("ruling",     "*",               "HEX-047", "HEX-047", "the game master's word is awaited"),
        Forbidden("*",          "*",               "HEX-001", "HEX-001", "it is nobody's turn now"),
    ),
)  # fmt: skip
