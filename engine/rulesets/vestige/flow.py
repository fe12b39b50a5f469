"""The phases of a Vestige fight, and the steps between them."""

from affray.engine.core.flow import Flow, Forbidden, Step
from affray.events import Id

from .chapters.ready import must_hold_token
from .config import Table
from .turns.economy import must_have_turn, must_not_have_delayed
from .turns.order import find_first_to_act

OPEN = ("first_strike", "surprise", "turn", "gap", "reinsertion", "lull")
"""The fight's own phases in which an action may be pending, or in which the fight may end."""


def must_be_there(table: Table, actor: Id) -> None:
    """Refuse unknown combatants only.

    Between turns, any combatant at the brink may forfeit.
    """
    table[actor]


def must_be_able_to_forfeit(table: Table, actor: Id) -> None:
    """Refuse to forfeit in another's turn once a combatant of that turn has acted."""
    table[actor]
    if actor not in table.draft.acting and (table.draft.phase != "turn" or find_first_to_act(table)):
        raise table.refuse(actor, "may forfeit on its own turn or between turns", "VES-056", "not_your_turn")


def forbid_interruptions(*phases: str) -> Forbidden:
    """Forbid every command while an action resolves (VES-T41)."""
    return Forbidden(phases, "*", "action_pending", "VES-T41", "an action is still pending")


FLOW = Flow(
    initial="setup",
    steps=(
        #     in            on              goes to         when             by
        Step("setup",       "begin",        "initiative",   None,            "VES-001"),
        Step("setup",       "strike_first", "first_strike", None,            "VES-002"),
        Step("setup",       "surprise",     "surprise",     None,            "VES-G02"),
        Step("first_strike", "open",        "window",       None,            "VES-002"),
        Step("first_strike", "resume",      "initiative",   None,            "VES-002"),
        Step("first_strike", "surprise",    "surprise",     None,            "VES-G02"),
        Step("surprise",    "declare",      "window",       must_have_turn,    "VES-G02"),
        Step("surprise",    "end_turn",     "surprise",     must_have_turn,    "VES-G02"),
        Step("surprise",    "forfeit",      "surprise",     must_be_able_to_forfeit,     "VES-056"),
        Step("surprise",    "resume",       "surprise",     None,            "VES-G02"),
        Step("surprise",    "spent",        "initiative",   None,            "VES-G02"),
        Step("initiative",  "ordered",      "upcoming",     None,            "VES-004"),
        Step("upcoming",    "comes_up",     "turn",         None,            "VES-008"),
        Step("upcoming",    "all_had_one",  "round_end",    None,            "VES-008"),
        Step("turn",        "declare",      "window",       must_have_turn,    "VES-009"),
        Step("turn",        "announce",     "window",       must_hold_token,   "VES-042"),
        Step("turn",        "ready",        "turn",         must_have_turn,    "VES-040"),
        Step("turn",        "end_turn",     "turn",         must_have_turn,    "VES-051"),
        Step("turn",        "forfeit",      "turn",         must_be_able_to_forfeit,     "VES-056"),
        Step("turn",        "resume",       "turn",         None,            "VES-009"),
        Step("turn",        "delay",        "lull",         must_have_turn,    "VES-052"),
        Step("turn",        "spent",        "gap",          None,            "VES-051"),
        Step("window",      "announce",     "window",       must_hold_token,   "VES-042"),
        Step("window",      "resume",       "window",       None,            "VES-047"),
        Step("window",      "close",        "resolution",   None,            "VES-046"),
        Step("resolution",  "leave_melee",  "melee_exit",   None,            "VES-033"),
        Step("resolution",  "felled",       "brink",        None,            "VES-055"),
        Step("resolution",  "hurt_again",   "brink",        None,            "VES-058"),
        Step("resolution",  "arrive",       "arrival",      None,            "VES-031"),
        Step("melee_exit",  "let_go",       "resolution",   None,            "VES-033"),
        Step("melee_exit",  "provoke",      "window",       None,            "VES-033"),
        Step("melee_exit",  "resume",       "window",       None,            "VES-047"),
        Step("brink",       "forfeits",     "resolution",   None,            "VES-056"),
        Step("brink",       "fights_on",    "resolution",   None,            "VES-057"),
        Step("brink",       "holds_on",     "resolution",   None,            "VES-058"),
        Step("brink",       "lost",         "resolution",   None,            "VES-058"),
        Step("gap",         "announce",     "window",       must_hold_token,   "VES-042"),
        Step("gap",         "forfeit",      "gap",          must_be_there,   "VES-056"),
        Step("gap",         "resume",       "gap",          None,            "VES-054"),
        Step("gap",         "close",        "reinsertion",  None,            "VES-054"),
        Step("reinsertion", "announce",     "window",       must_hold_token,   "VES-042"),
        Step("reinsertion", "forfeit",      "gap",          must_be_there,   "VES-056"),
        Step("reinsertion", "resume",       "gap",          None,            "VES-054"),
        Step("reinsertion", "reinsert",     "turn",         None,            "VES-054"),
        Step("reinsertion", "close",        "upcoming",     None,            "VES-051"),
        Step(("gap", "reinsertion", "lull"),
                            "place_slot",   "turn",         None,            "VES-054"),
        Step("lull",        "announce",     "window",       must_hold_token,   "VES-042"),
        Step("lull",        "forfeit",      "lull",         must_be_there,   "VES-056"),
        Step("lull",        "resume",       "lull",         None,            "VES-052"),
        Step("lull",        "close",        "upcoming",     None,            "VES-051"),
        Step("round_end",   "next_round",   "upcoming",     None,            "VES-008"),
        Step("round_end",   "reroll",       "initiative",   None,            "VES-003"),
        Step("*",           "intervene",    "resolution",   None,            "VES-028"),
        Step("fight_over",  "reopen",       "round_end",    None,            "VES-T53"),
        Step("fight_over",  "begin_anew",   "setup",        None,            "VES-T53"),
        Step(("setup", "initiative", "upcoming", *OPEN), "over", "fight_over",   None,            "VES-059"),
    ),
    forbidden=(
        Forbidden("setup",      "*",        "initiative_pending", "VES-001", "the fight has not begun"),
        Forbidden("setup",      "intervene", "initiative_pending", "VES-001", "the fight has not begun"),
        Forbidden("fight_over", "intervene", "fight_over",        "VES-059", "the fight is over"),
        Forbidden("initiative", "*",        "initiative_pending", "VES-003", "initiative is still being rolled"),
        Forbidden("fight_over", "*",        "fight_over",         "VES-059", "the fight is over"),
        Forbidden("surprise",   "ready",    "no_standard_action", "VES-G02", "a free round has standard actions only"),
        Forbidden("surprise",   "delay",    "already_acted",      "VES-G02", "a free round cannot be delayed"),
        Forbidden("surprise",   "announce", "nothing_readied",    "VES-G02", "nobody can answer in a free round"),
        Forbidden("*",          "begin",    "already_begun",      "VES-001", "the fight has begun"),
        Forbidden("*",          "strike_first", "already_begun",  "VES-002", "the fight has begun"),
        Forbidden("*",          "surprise", "already_begun",      "VES-G02", "the fight has begun"),
        Forbidden(("gap", "reinsertion", "lull"),
                                "declare",  "not_your_turn",      "VES-008", "it is nobody's turn now"),
        Forbidden(("*", "window"), "reinsert", "turn_running",    "VES-054", "a turn comes back only between turns"),
        Forbidden("gap",        "reinsert", "action_pending",     "VES-054", "others may answer first"),
        Forbidden("window",     "end_turn", "action_pending",     "VES-051", "an action is still pending",
                  must_not_have_delayed),
        Forbidden("window",     "ready",    "action_pending",     "VES-051", "an action is still pending",
                  must_not_have_delayed),
        Forbidden("window",     "*",        "action_pending",     "VES-T27", "an action is still pending",
                  must_not_have_delayed),
        forbid_interruptions("resolution", "melee_exit", "arrival"),
        Forbidden("brink",      "*",        "action_pending",     "VES-056", "somebody is at the brink"),
        Forbidden("window",     "forfeit",  "action_pending",     "VES-056", "an action is still pending"),
        Forbidden("*",          "*",        "not_your_turn",      "VES-008", "it is nobody's turn now"),
    ),
)  # fmt: skip
