"""The phases of a fight as one table."""

from __future__ import annotations

from affray.rules import Flow, Forbidden, Id, Refused, Step, Table


def must_have_turn(table: Table, actor: Id) -> None:
    """Refuse every child but the active one (PEB-3)."""
    if actor not in table.draft.acting:
        raise Refused("not_your_turn", "PEB-3", f"it is not the turn of {actor}", source=actor)


# A row is a step: in this phase, on this trigger, go to that phase, if this guard does not refuse, by that clause.
FLOW = Flow(
    initial="setup",
    steps=(
        Step("setup",     "begin",       "upcoming",   None,            "PEB-1"),
        Step("upcoming",  "comes_up",    "turn",       None,            "PEB-2"),
        Step("upcoming",  "all_had_one", "upcoming",   None,            "PEB-2"),
        Step("turn",      "declare",     "resolution", must_have_turn,  "PEB-3"),
        Step("turn",      "end_turn",    "turn",       must_have_turn,  "PEB-4"),
        Step("turn",      "spent",       "upcoming",   None,            "PEB-4"),
        Step("turn",      "over",        "fight_over", None,            "PEB-10"),
    ),
    forbidden=(
        Forbidden("setup",      "*", "not_begun",  "PEB-1",  "the game master begins the fight"),
        Forbidden("fight_over", "*", "fight_over", "PEB-10", "the fight is over"),
        Forbidden("*",          "*", "not_now",    "PEB-3",  "a throw is in the air"),
    ),
)  # fmt: skip
