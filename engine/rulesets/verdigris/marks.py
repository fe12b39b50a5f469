"""All notes on combatants and on the fight: each kind with its type and its end."""

from affray.engine.core.marks import WORDS, ListMark, Mark, StructMark
from affray.engine.rulesets.verdigris.tables import Weapon

FIGHT = "fight"
"""The owner of notes on the fight itself."""

NEVER = -1
"""The round of an event that has not happened."""

# --- the order of turns ---

SIDE_DUE = Mark("side_due", "party", names="side")
"""The side that is due, on the fight.

On a concealed combatant that was given the turn: its side, until that turn ends.
"""

SURPRISING = Mark("surprising", "", until="the end of the round", names="side")
"""On the fight: the side that surprises the other."""

EXEMPT = Mark("exempt", False, until="the end of the round")
"""A combatant of the surprised side is not surprised."""

AMBUSHED = Mark("ambushed", False, until="the first turn of the round")
"""On the fight: a surprise was ruled, and no combatant has tried to spot it yet."""

INITIATIVE = Mark("initiative", NEVER)
"""On the fight: the round of the last initiative roll."""

ROLLED = Mark("rolled", "", names="relation")
"""On the fight: the seat that made the last initiative roll."""

SEAT = Mark("seat", "", until="that roll", names="relation")
"""On the fight: the seat to which the game master gave the next initiative roll."""

WAITS = Mark("waits", NEVER, until="the next round")
"""The round in which a newcomer does not act."""

UNFINISHED = Mark("unfinished", NEVER, until="the next round")
"""On the fight: the round in which the game master let it go on with one side."""

OWN_WEAPON = StructMark("weapon", Weapon, names=WORDS)
"""On the fight: a weapon that the encounter file described, for combatants who join later."""

# --- notes on a turn: its round, or a fact ---

MOVED_TWICE = Mark("moved twice", NEVER, until="the end of the turn")
"""The round in which a combatant spent its action on a move."""

HELD_BACK = Mark("held back", NEVER, until="the end of the turn")
"""The round in which a combatant failed to leave a melee."""

TRANSITION_LEFT = Mark("transition left", False, until="the end of the turn")
"""A step into a zone has also paid for entering a melee there."""

STANDS_STILL = Mark("stands still", False, until="the end of the turn")
"""The rider's mount stands still this turn so that a weapon can be reloaded."""

MOUNT_CONTROLLED = Mark("mount controlled", NEVER, until="the end of the turn")
"""The round in which a rider controls its mount."""

MOUNT_TRIED = Mark("mount tried", NEVER, until="the end of the turn")
"""The round of the rider's last attempt to control its mount."""

MOUNT_STRUCK = Mark("mount struck", NEVER, until="the end of the turn")
"""The round in which a rider's mount has attacked."""

MOUNT_ALARMED = Mark("mount alarmed", False, until="the end of the rider's turn")
"""An untrained mount or its rider was attacked since the rider's last turn."""

FREE_ATTACKS = Mark("free attacks", 0, until="the next round")
"""The round times 100, plus the number of a combatant's free attacks in it."""

LOSES = Mark("loses", False, until="the next turn")
"""A combatant lacks the named budget in its next turn: move or action."""

FLEES = Mark("flees", False, until="the next turn")
"""The combatant spends its next turn in flight."""

TENDED = Mark("tended", False, until="its next turn")
"""A combatant was treated with success since its last turn."""

# --- notes for one roll or one blow ---

INSPIRED = Mark("inspired", False, until="the next test")
"""Inspiration was spent on the next test."""

FALTERS = Mark("falters", 0, until="the next roll")
"""The SL that a panic takes from a combatant's next roll."""

RELENTLESS = Mark("relentless", 0, until="the next attack on it", about="combatant")
"""The dice that training gives after a miss at the named target."""

CHARGING = Mark("charging", False, until="the first blow, or the end of that melee")
"""A combatant with a berserk charge has come into a melee."""

PUSHING = Mark("pushing", False, until="the first blow, or the end of that melee")
"""A combatant trained to push with a pike has come into a melee."""

LASHES = Mark("lashes out", "", until="what is under way is over", names="combatant")
"""The target that a combatant in panic strikes next. On the fight: the combatant in panic."""

STRAY_VICTIMS = ListMark("stray", until="that shot")
"""On the fight: the ruled victims of the next stray shot."""

INJURY_ROW = Mark("injury", "", until="that injury", topic="row")
"""The ruled row of a combatant's next injury."""

# --- a readied attack ---

READIED_COUNT = Mark("readied", 0)
"""On the fight: the number of attacks readied in it, without those of concealed combatants."""

READIED_ORDER = Mark("readied", 0, until="it fires, or the next own turn", topic="order")
READIED_TRIGGER = Mark("readied", "", until="it fires, or the next own turn", topic="trigger")
READIED_ZONE = Mark("readied", "", until="it fires, or the next own turn", topic="zone")
READIED_THROUGH = Mark("readied", "", until="it fires, or the next own turn", topic="through")
READIED_WHOM = Mark("readied", "", until="it fires, or the next own turn", names="combatant", topic="whom")
READIED_WEAPON = Mark("readied", "", until="it fires, or the next own turn", names="item", topic="weapon")
READIED_GRIP = Mark("readied", "", until="it fires, or the next own turn", topic="grip")
READIED_MIGHTY = Mark("readied", 0, until="it fires, or the next own turn", topic="mighty")
READIED_BACKGROUND = Mark("readied", False, until="it fires, or the next own turn", topic="background")
READIED_TEXT = Mark("readied", "", until="it fires, or the next own turn", names=WORDS, topic="text")

READIED: tuple[Mark[int] | Mark[str] | Mark[bool], ...] = (
    READIED_ORDER, READIED_TRIGGER, READIED_ZONE, READIED_THROUGH, READIED_WHOM, READIED_WEAPON, READIED_GRIP,
    READIED_MIGHTY, READIED_BACKGROUND, READIED_TEXT,
)  # fmt: skip
"""All notes on a readied attack."""

# --- conditions, and the game master's leave ---

SINCE = {name: Mark(name, 0, until="it is gone", topic="since") for name in ("blinded", "deafened")}
"""For a condition that lessens at every second turn or round: the number of them since it was gained."""

HIDDEN_SINCE = Mark("hidden since", NEVER, until="it comes out")
"""The round in which a broken combatant hid."""

ALLOWED = Mark("allowed", False, until="the end of its turn")
"""The game master waives refusals by the named clause."""

FORBIDDEN = Mark("forbidden", NEVER, until="the next round")
"""The round in which the game master vetoes the named kind of action."""
