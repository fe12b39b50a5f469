"""The phases of a Wyrd fight, and the steps between them."""

from affray.engine.core.flow import Flow, Forbidden, Step
from affray.events import Id

from .config import Table
from .turns.turn import must_have_turn


def must_be_there(table: Table, actor: Id) -> None:
    """Refuse an unknown combatant.

    After the fight, every known one may mend and rest.
    """
    table[actor]


FLOW = Flow(
    initial="setup",
    steps=(
        #     in            on             goes to        when           by
        Step("setup",       "begin",       "surprise",    None,          "WYR-002"),
        Step("surprise",    "pcs_first",   "upcoming",    None,          "WYR-002"),
        Step("surprise",    "npcs_first",  "upcoming",    None,          "WYR-003"),
        Step("upcoming",    "comes_up",    "turn",        None,          "WYR-005"),
        Step("upcoming",    "all_had_one", "round_end",   None,          "WYR-002"),
        Step("round_end",   "next_round",  "upcoming",    None,          "WYR-002"),
        Step("turn",        "declare",     "declared",    must_have_turn,       "WYR-005"),
        Step("turn",        "end_turn",    "turn",        must_have_turn,       "WYR-005"),
        Step("turn",        "resume",      "turn",        None,          "WYR-005"),
        Step("turn",        "prompt",      "prompt",      None,          "WYR-041"),
        Step("turn",        "spent",       "upcoming",    None,          "WYR-002"),
        Step("*",           "intervene",   "resolution",  None,          "WYR-049"),
        Step("declared",    "carry_out",   "resolution",  None,          "WYR-007"),
        Step("declared",    "announce",    "interrupt",   None,          "WYR-028"),
        Step("declared",    "submit",      "ruling",      None,          "WYR-012"),
        Step("declared",    "leave_melee", "melee_exit",  None,          "WYR-006"),
        Step("interrupt",   "defend",      "resolution",  None,          "WYR-029"),
        Step("ruling",      "ruled",       "resolution",  None,          "WYR-012"),
        Step("melee_exit",  "away",        "resolution",  None,          "WYR-006"),
        Step("melee_exit",  "stays",       "resolution",  None,          "WYR-006"),
        Step("resolution",  "felled",      "downed",      None,          "WYR-063"),
        Step("downed",      "settled",     "resolution",  None,          "WYR-063"),
        Step("prompt",      "resume",      "turn",        None,          "WYR-041"),
        Step("prompt",      "spent",       "upcoming",    None,          "WYR-002"),
        Step("fight_over",  "repair",      "downtime",    must_be_there,      "WYR-044"),
        Step("fight_over",  "rest",        "downtime",    must_be_there,      "WYR-T19"),
        Step("fight_over",  "resume",      "fight_over",  None,          "WYR-G05"),
        Step("fight_over",  "reopen",      "round_end",   None,          "WYR-T64"),
        Step("fight_over",  "begin_anew",  "setup",       None,          "WYR-T64"),
        Step(("setup", "surprise", "upcoming", "turn", "prompt"),
                            "over",        "fight_over",  None,          "WYR-G05"),
    ),
    forbidden=(
        Forbidden("setup",      "*",      "not_begun",       "WYR-T35", "the fight has not begun"),
        Forbidden("fight_over", "*",      "fight_over",      "WYR-G05", "the fight is over"),
        Forbidden("setup",      "intervene", "not_begun",    "WYR-T35", "the fight has not begun"),
        Forbidden(("fight_over", "downtime"),
                                "intervene", "fight_over",   "WYR-G05", "the fight is over"),
        Forbidden("prompt",     "?morale", "prompt_pending", "WYR-G06", "first comes the morale of a side"),
        Forbidden("prompt",     "?broken", "prompt_pending", "WYR-G06", "first comes what a broken side does"),
        Forbidden("prompt",     "?paradox", "prompt_pending", "WYR-T32", "first comes what the paradox does"),
        Forbidden("prompt",     "?outcome", "prompt_pending", "WYR-T42", "first comes what the action brings"),
        Forbidden("prompt",     "?consequence", "prompt_pending", "WYR-T42", "first comes what the action brings"),
        Forbidden("prompt",     "?setback", "prompt_pending", "WYR-041", "the game master first answers what is asked"),
        Forbidden("prompt",     "*",      "prompt_pending",  "WYR-T42", "the game master first answers what is asked"),
        Forbidden("interrupt",  "*",      "answer_pending",  "WYR-028", "the one who is attacked first answers"),
        Forbidden("ruling",     "*",      "answer_pending",  "WYR-012", "the game master first rules on what is tried"),
        Forbidden("melee_exit", "*",      "answer_pending",  "WYR-006", "somebody is still leaving a melee"),
        Forbidden("resolution", "*",      "answer_pending",  "WYR-007", "an action is still under way"),
        Forbidden("downtime",   "?rest",  "answer_pending",  "WYR-T19", "first comes the night's rest"),
        Forbidden("downtime",   "*",      "answer_pending",  "WYR-044", "first comes what is being mended"),
        Forbidden("*",          "begin",  "already_begun",   "WYR-T35", "the fight has begun"),
        Forbidden("*",          "repair", "in_combat",       "WYR-044", "nothing is mended during a fight"),
        Forbidden("*",          "rest",   "in_combat",       "WYR-T19", "nobody rests during a fight"),
        Forbidden("*",          "*",      "not_your_turn",   "WYR-002", "it is nobody's turn now"),
    ),
)  # fmt: skip
