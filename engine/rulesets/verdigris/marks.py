"""Everything that is noted about combatants and the fight: each kind with its type and what ends it."""

from affray.engine.core.marks import ListMark, Mark

FIGHT = "fight"
"""What owns a note about the fight itself."""

NEVER = -1
"""Stands for the round of what has not happened."""

# --- the order of turns ---

SIDE_DUE = Mark("side_due", "party")
"""Of the fight: the side that is due; of a concealed combatant that was given the turn: its side, until that ends."""

SURPRISING = Mark("surprising", "", until="the end of the round")
"""Of the fight: the side that surprises the other."""

EXEMPT = Mark("exempt", False, until="the end of the round")
"""Somebody of the surprised side is not surprised."""

AMBUSHED = Mark("ambushed", False, until="the first turn of the round")
"""Of the fight: a surprise was ruled, and nobody has had the chance to spot it yet."""

INITIATIVE = Mark("initiative", NEVER)
"""Of the fight: the round of the last initiative roll."""

ROLLED = Mark("rolled", "")
"""Of the fight: the seat that made it."""

SEAT = Mark("seat", "", until="that roll")
"""Of the fight: the seat to which the game master gave the next one."""

WAITS = Mark("waits", NEVER, until="the next round")
"""The round in which a newcomer does not act."""

UNFINISHED = Mark("unfinished", NEVER, until="the next round")
"""Of the fight: the round in which the game master let it go on with one side."""

OWN_WEAPON = Mark("weapon", "")
"""Of the fight: a weapon that the encounter file described, for combatants who join later."""

# --- what matters in a turn, by its round or as a fact ---

MOVED_TWICE = Mark("moved twice", NEVER, until="the end of the turn")
"""The round in which somebody's action went into a move."""

HELD_BACK = Mark("held back", NEVER, until="the end of the turn")
"""The round in which somebody failed to leave a melee."""

TRANSITION_LEFT = Mark("transition left", False, until="the end of the turn")
"""A step into a zone has paid for entering a melee there as well."""

STANDS_STILL = Mark("stands still", False, until="the end of the turn")
"""A rider's mount stands still this turn for a weapon to be reloaded."""

MOUNT_CONTROLLED = Mark("mount controlled", NEVER, until="the end of the turn")
"""The round in which a rider has its mount in hand."""

MOUNT_TRIED = Mark("mount tried", NEVER, until="the end of the turn")
"""The round of a rider's last attempt at that."""

MOUNT_STRUCK = Mark("mount struck", NEVER, until="the end of the turn")
"""The round in which a rider's mount has attacked."""

MOUNT_ALARMED = Mark("mount alarmed", False, until="the end of the rider's turn")
"""An untrained mount or its rider was attacked since the rider's last turn."""

FREE_ATTACKS = Mark("free attacks", 0, until="the next round")
"""The round, times 100, and the number of somebody's free attacks in it."""

LOSES = Mark("loses", False, until="the next turn")
"""Somebody has none of what is named in its next turn: move, action."""

FLEES = Mark("flees", False, until="the next turn")
"""The next turn goes into flight."""

TENDED = Mark("tended", False, until="its next turn")
"""Somebody was treated with success since its last turn."""

# --- what counts for one roll or one blow ---

INSPIRED = Mark("inspired", False, until="the next test")
"""Inspiration was spent on the next test."""

FALTERS = Mark("falters", 0, until="the next roll")
"""The SL that a panic takes from somebody's next roll."""

RELENTLESS = Mark("relentless", 0, until="the next attack on it")
"""The dice that training gives after a miss at the one named."""

CHARGING = Mark("charging", False, until="the first blow, or the end of that melee")
"""Somebody with a berserk charge has come into a melee."""

PUSHING = Mark("pushing", False, until="the first blow, or the end of that melee")
"""Somebody trained to push with a pike has come into a melee."""

LASHES = Mark("lashes out", "", until="what is under way is over")
"""At whom somebody in panic strikes next; of the fight, who does."""

STRAY_VICTIMS = ListMark("stray", until="that shot")
"""Of the fight: whom the next stray shot can hit, by ruling."""

INJURY_ROW = Mark("injury/row", "", until="that injury")
"""The row of somebody's next injury, by ruling."""

# --- a readied attack ---

READIED_COUNT = Mark("readied", 0)
"""Of the fight: how many attacks were readied in it, but for those of concealed combatants."""

READIED_ORDER = Mark("readied/order", 0, until="it fires, or the next own turn")
READIED_TRIGGER = Mark("readied/trigger", "", until="it fires, or the next own turn")
READIED_ZONE = Mark("readied/zone", "", until="it fires, or the next own turn")
READIED_THROUGH = Mark("readied/through", "", until="it fires, or the next own turn")
READIED_WHOM = Mark("readied/whom", "", until="it fires, or the next own turn")
READIED_WEAPON = Mark("readied/weapon", "", until="it fires, or the next own turn")
READIED_GRIP = Mark("readied/grip", "", until="it fires, or the next own turn")
READIED_MIGHTY = Mark("readied/mighty", 0, until="it fires, or the next own turn")
READIED_BACKGROUND = Mark("readied/background", False, until="it fires, or the next own turn")
READIED_TEXT = Mark("readied/text", "", until="it fires, or the next own turn")

READIED: tuple[Mark[int] | Mark[str] | Mark[bool], ...] = (
    READIED_ORDER, READIED_TRIGGER, READIED_ZONE, READIED_THROUGH, READIED_WHOM, READIED_WEAPON, READIED_GRIP,
    READIED_MIGHTY, READIED_BACKGROUND, READIED_TEXT,
)  # fmt: skip
"""What is noted about a readied attack."""

# --- conditions, and the game master's leave ---

SINCE = {name: Mark(f"{name}/since", 0, until="it is gone") for name in ("blinded", "deafened")}
"""Per condition of which one goes at every second turn or round, how many have passed since the gain."""

HIDDEN_SINCE = Mark("hidden since", NEVER, until="it comes out")
"""The round in which somebody broken hid."""

ALLOWED = Mark("allowed", False, until="the end of its turn")
"""A refusal by the clause named is waived."""

FORBIDDEN = Mark("forbidden", NEVER, until="the next round")
"""The round in which the kind of action named is vetoed."""
