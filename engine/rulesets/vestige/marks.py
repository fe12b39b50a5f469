"""The marks of Vestige: what a fight notes, each kind declared once."""

from affray.engine.core.marks import WORDS, ListMark, Mark, StructMark

from .tables import Skill, Weapon

FIGHT = "fight"
"""The owner of the marks that concern the fight as a whole."""

ATTACKER = Mark("attacker", "", names="combatant")
"""On the fight: the attacker of the opening blow (VES-002)."""

TARGET = Mark("target", "", names="combatant")
"""On the attacker of the opening blow: its target (VES-002)."""

FIRST_SKILL = Mark("first_skill", "")
"""On the attacker of the opening blow: the skill that it uses, if any (VES-002)."""

FIRST_EP = Mark("first_ep", 0)
"""On the attacker of the opening blow: the energy spent on accuracy (VES-002)."""

SURPRISING = Mark("surprising", "", names="side")
"""On the fight: the side that has a free round after the opening blow (VES-G02)."""

FREE_ROUND = Mark("free_round", "", until="initiative", names="side")
"""On the fight: the side that has the next free round (VES-G02)."""

ACTED = Mark("acted", -1, until="the next round")
"""The last round in which the combatant took a standard action; it cannot delay after that (VES-052)."""

DONE = Mark("done", -1, until="the next round")
"""The last round in which the combatant's turn ended (VES-051, VES-054)."""

CUT_SHORT = Mark("cut_short", -1, until="the next round")
"""The last round in which the combatant fell out of the fight while its group had the turn (VES-007)."""

WAITS = Mark("waits", -1, until="the next round")
"""On a slot: the round in which it was split off a group that had already had its turn (VES-G04)."""

SPLIT_OFF = ListMark("split_off", until="the order is set")
"""On the fight: the combatants that were split off their groups while initiative was rolled (VES-G04)."""

LATE = Mark("late", 0, until="the next round")
"""On a slot: the number of turns of an earlier round that it has begun in this round (VES-T48)."""

SETTLED = Mark("settled", 0, until="the fight is reopened")
"""The change of morale that the fight's end caused, where side and health no longer tell it (VES-T53)."""

WAIVED = Mark("waived", False, until="the next move")
"""The combatant's next move provokes no attacks (VES-033)."""

ALLOWED = Mark("allowed", "", until="it is used", names=WORDS)
"""An unlisted action that the game master permits once; about a number (VES-G03).

A key is never built from people's words, so a redacted mark does not tell which combatant it names.
"""

BRINK_SIDES = Mark("brink", 20, until="that roll", topic="sides")
BRINK_TARGET = Mark("brink", 0, until="that roll", topic="target")
BRINK_MODIFIER = Mark("brink", 0, until="that roll", topic="modifier")
BRINK_OUTCOME = Mark("brink", "", until="that roll", topic="outcome")
BRINK: tuple[Mark[int] | Mark[str], ...] = (BRINK_OUTCOME, BRINK_TARGET, BRINK_MODIFIER, BRINK_SIDES)
"""Rulings on the combatant's next roll at the brink: its outcome, its target, its modifier, its die."""

OWN_WEAPON = StructMark("own_weapon", Weapon, names=WORDS)
"""On the fight: a weapon of the encounter file that no combatant has, kept for later combatants."""

OWN_SKILL = StructMark("own_skill", Skill, names=WORDS)
"""On the fight: a skill of the encounter file that no combatant has, kept for later combatants."""
