"""What is noted about combatants, pending actions, groups and the fight, beside what every system notes."""

from affray.engine.core.marks import Mark

FIGHT = "fight"
"""What owns a note about the fight itself."""

ALLOWED = Mark("allowed", False)
"""Of an ordinary beast: the game master lets it fight the one named."""

AT_ZERO = Mark("at_zero", False, until="it has hit points again")
"""Somebody was felled at 0 hp, and not by a ruling alone; who has hit points again comes round."""

ATTACKED = Mark("attacked", False, until="the end of its next turn")
"""Of an ordinary beast: the one named has attacked it."""

CHECKED = Mark("checked", -1, until="the next round")
"""Of a ridden beast: the round of its last check."""

DECLARED = Mark("declare", False, until="the next attack")
"""The circumstance named counts in somebody's next attack although it does not hold."""

DIFFICULTY = Mark("difficulty", 0)
"""Of a beast: what its rider must reach to make it obey."""

FATE = Mark("fate", "", until="the fall")
"""What the game master ruled beforehand for somebody's fall."""

FELL = Mark("fell", -1, until="the wound is stabilized")
"""The round in which somebody was mortally wounded."""

MET = Mark("met", False, until="it is over")
"""Of a pending action: a snap attack answered it that cannot prevent it."""

MOUNTED = Mark("mounted", False, until="its check")
"""Of an ordinary beast: it has been mounted in this round, before it was checked."""

NERVE = Mark("check", "")
"""Of a beast: which check it makes, if not the usual one."""

OBEYS = Mark("obeys", -1, until="the next round")
"""Of a beast: the last round in which its rider forced it to obey."""

OWN_ARMOR = Mark("own_armor", "")
"""Of the fight: armor that the encounter file described, for combatants who join later."""

OWN_FOCUS = Mark("own_focus", "")
"""Of the fight: a Focus that the encounter file described, for combatants who join later."""

OWN_WEAPON = Mark("own_weapon", "")
"""Of the fight: a weapon that the encounter file described, for combatants who join later."""

QUICK = Mark("quick", 0)
"""Of a group of foes, or a foe who rolls alone: what it adds to its initiative."""

SNEAK = Mark("sneak", "", until="surprise is settled")
"""Of the fight: who might go unnoticed."""

SURPRISED = Mark("surprised", "", until="surprise is settled")
"""Of the fight: which side may be surprised."""

TURN = Mark("turn", "", until="the next round")
"""Of a mount: in which round it last had a turn, and in whose, such as ``2/asha``."""

WAIVED = Mark("waive", False, until="the next attack in which it would count")
"""The circumstance named does not count in somebody's next attack although it holds."""

WAITS = Mark("waits", -1, until="the next round")
"""Of a slot: the round in which newcomers joined it whose count had passed."""

WATCHER = Mark("watcher", "", until="surprise is settled")
"""Of the fight: who might notice it."""

WITHDREW = Mark("withdrew", -1, until="the end of the turn")
"""The round of somebody's last Fighting Withdrawal."""
