"""The phases of a fight, and what leads from one to another."""

from affray.engine.core.flow import Flow, Forbidden, Step

from .turns.acting import OPEN, must_be_able_to_snap, must_be_up, must_have_turn, must_take_part

FLOW = Flow(
    initial="setup",
    steps=(
        #     in             on             goes to         when                   by
        Step("setup",        "begin",       "initiative",   None,                  "WWN-T40"),
        Step("setup",        "surprise",    "surprise",     None,                  "WWN-T39"),
        Step("surprise",     "caught",      "upcoming",     None,                  "WWN-T39"),
        Step("surprise",     "noticed",     "initiative",   None,                  "WWN-T40"),
        Step("initiative",   "ordered",     "upcoming",     None,                  "WWN-006"),
        Step("upcoming",     "comes_up",    "turn",         None,                  "WWN-T41"),
        Step("upcoming",     "rides_up",    "mount_check",  None,                  "WWN-060"),
        Step("upcoming",     "all_had_one", "round_end",    None,                  "WWN-T47"),
        Step("mount_check",  "checked",     "turn",         None,                  "WWN-T41"),
        Step("mount_check",  "bolt",        "resolution",   None,                  "WWN-061"),
        Step("mount_check",  "resume",      "mount_check",  None,                  "WWN-060"),
        Step("mount_check",  "spent",       "upcoming",     None,                  "WWN-006"),
        Step("turn",         "declare",     "window",       must_have_turn,        "WWN-T42"),
        Step("turn",         "at_once",     "turn",         must_have_turn,        "WWN-T12"),
        Step("turn",         "drop",        "turn",         must_take_part,        "WWN-T14"),
        Step("turn",         "end_turn",    "turn",         must_be_up,            "WWN-003"),
        Step("turn",         "resume",      "turn",         None,                  "WWN-T41"),
        Step("turn",         "spent",       "upcoming",     None,                  "WWN-006"),
        Step("window",       "snap",        "window",       must_be_able_to_snap,  "WWN-021"),
        Step("window",       "drop",        "window",       must_take_part,        "WWN-T14"),
        Step("window",       "resume",      "window",       None,                  "WWN-T43"),
        Step("window",       "close",       "resolution",   None,                  "WWN-T44"),
        Step("resolution",   "leave_melee", "melee_exit",   None,                  "WWN-T45"),
        Step("resolution",   "felled",      "downed",       None,                  "WWN-T46"),
        Step("resolution",   "resume",      "resolution",   None,                  "WWN-T43"),
        Step("melee_exit",   "let_go",      "resolution",   None,                  "WWN-T45"),
        Step("melee_exit",   "strike",      "resolution",   None,                  "WWN-T34"),
        Step("melee_exit",   "resume",      "resolution",   None,                  "WWN-T45"),
        Step("downed",       "goes_on",     "resolution",   None,                  "WWN-T46"),
        Step("round_end",    "next_round",  "upcoming",     None,                  "WWN-T47"),
        Step("round_end",    "reroll",      "initiative",   None,                  "WWN-T36"),
        Step(("turn", "window"),
                             "intervene",   "resolution",   None,                  "WWN-065"),
        Step(("setup", *OPEN), "over",      "fight_over",   None,                  "WWN-T48"),
    ),
    forbidden=(
        Forbidden("setup",       "*",        "initiative_pending", "WWN-T38", "the fight has not begun"),
        Forbidden("surprise",    "*",        "initiative_pending", "WWN-T39", "it is being settled who is surprised"),
        Forbidden("initiative",  "*",        "initiative_pending", "WWN-001", "initiative is still being rolled"),
        Forbidden("fight_over",  "*",        "fight_over",         "WWN-G02", "the fight is over"),
        Forbidden("*",           "begin",    "already_begun",      "WWN-001", "the fight has begun"),
        Forbidden("*",           "surprise", "already_begun",      "WWN-001", "the fight has begun"),
        Forbidden("turn",        "snap",     "nothing_declared",   "WWN-T56", "a snap attack interrupts an action"),
        Forbidden(("window", "resolution", "melee_exit", "downed"),
                                 "*",        "action_pending",     "WWN-T43", "an action is still pending"),
        Forbidden("mount_check", "*",        "action_pending",     "WWN-060", "a mount is still to be mastered"),
        Forbidden("*",           "*",        "not_your_turn",      "WWN-003", "it is nobody's turn now"),
    ),
)  # fmt: skip
