"""What a fight of Vestige notes about somebody, each kind declared once."""

from affray.engine.core.marks import Mark

FIGHT = "fight"
"""Whom those marks are of that belong to nobody in particular."""

ATTACKER = Mark("attacker", "")
"""Of the fight: who strikes the blow that opens it (VES-002)."""

TARGET = Mark("target", "")
"""Of who strikes that blow: at whom (VES-002)."""

FIRST_SKILL = Mark("first_skill", "")
"""Of who strikes that blow: by which skill, if by any (VES-002)."""

FIRST_EP = Mark("first_ep", 0)
"""Of who strikes that blow: with how much energy for accuracy (VES-002)."""

SURPRISING = Mark("surprising", "")
"""Of the fight: the side that has a free round after the first blow (VES-G02)."""

FREE_ROUND = Mark("free_round", "", until="initiative")
"""Of the fight: the side whose free round comes next (VES-G02)."""

ACTED = Mark("acted", -1, until="the next round")
"""The last round in which somebody took a standard action, after which nobody delays (VES-052)."""

DONE = Mark("done", -1, until="the next round")
"""The last round in which somebody's turn ended (VES-051, VES-054)."""

CUT_SHORT = Mark("cut_short", -1, until="the next round")
"""The last round in which somebody fell out of the fight while its group had the turn (VES-007)."""

WAITS = Mark("waits", -1, until="the next round")
"""Of a slot: the round in which it was split off a group that had had its turn (VES-G04)."""

LATE = Mark("late", 0, until="the next round")
"""Of a slot: how many turns of an earlier round it has begun in this one (VES-T48)."""

SETTLED = Mark("settled", 0, until="the fight is reopened")
"""By how much the end of the fight changed somebody's morale, where their side and health do not tell (VES-T53)."""

WAIVED = Mark("waived", False, until="the next move")
"""The next move provokes nobody (VES-033)."""

ALLOWED = Mark("allowed", "", until="it is used")
"""What is on no list and may be done once; about a number (VES-G03).

A key is never made of people's words: that it is struck out says nothing of whom they name.
"""

BRINK_SIDES = Mark("brink/sides", 20, until="that roll")
BRINK_TARGET = Mark("brink/target", 0, until="that roll")
BRINK_MODIFIER = Mark("brink/modifier", 0, until="that roll")
BRINK_OUTCOME = Mark("brink/outcome", "", until="that roll")
BRINK: tuple[Mark[int] | Mark[str], ...] = (BRINK_OUTCOME, BRINK_TARGET, BRINK_MODIFIER, BRINK_SIDES)
"""What was ruled on somebody's next roll at the brink: what comes of it, its target, what is added, its die."""

OWN_WEAPON = Mark("own_weapon", "")
"""Of the fight: a weapon that the encounter file described and nobody has, for combatants who join later."""

OWN_SKILL = Mark("own_skill", "")
"""Of the fight: a skill that the encounter file described and nobody has, for combatants who join later."""
