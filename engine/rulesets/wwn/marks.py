"""The notes of this system on combatants, pending actions, groups and the fight.

Notes that every system has are left out.
"""

from msgspec import Struct

from affray.engine.core.marks import WORDS, Mark, StructMark
from affray.engine.rulesets.wwn.tables import Armor, Focus, Weapon
from affray.events import CombatantId

FIGHT = "fight"
"""The owner of notes on the fight itself."""

ALLOWED = Mark("allowed", False, about="combatant")
"""On an ordinary beast: the game master lets it fight the named enemy."""

AT_ZERO = Mark("at_zero", False, until="it has hit points again")
"""The combatant fell at 0 hp, not by a ruling alone; it comes round with its first hit point."""

ATTACKED = Mark("attacked", False, until="the end of its next turn", about="combatant")
"""On an ordinary beast: the named enemy has attacked it."""

CHECKED = Mark("checked", -1, until="the next round")
"""On a ridden beast: the round of its last check."""

DECLARED = Mark("declare", False, until="the next attack")
"""The named circumstance counts in the combatant's next attack, although it does not hold."""

DIFFICULTY = Mark("difficulty", 0)
"""On a beast: the difficulty for its rider to make it obey."""

FATE = Mark("fate", "", until="the fall")
"""The ruled outcome of a combatant's next fall."""

FELL = Mark("fell", -1, until="the wound is stabilized")
"""The round in which a combatant was mortally wounded."""

MET = Mark("met", False, until="it is over")
"""On a pending action: a snap attack answered it and cannot prevent it."""

MOUNTED = Mark("mounted", False, until="its check")
"""On an ordinary beast: it was mounted this round, before its check."""

NERVE = Mark("check", "")
"""On a beast: its check, if not the usual one."""

OBEYS = Mark("obeys", -1, until="the next round")
"""On a beast: the last round in which its rider forced it to obey."""

OWN_ARMOR = StructMark("own_armor", Armor, names=WORDS)
"""On the fight: armor that the encounter file described, for combatants who join later."""

OWN_FOCUS = StructMark("own_focus", Focus, names=WORDS)
"""On the fight: a Focus that the encounter file described, for combatants who join later."""

OWN_WEAPON = StructMark("own_weapon", Weapon, names=WORDS)
"""On the fight: a weapon that the encounter file described, for combatants who join later."""

QUICK = Mark("quick", 0)
"""On a group of foes, or a foe who rolls alone: its bonus on initiative."""

SNEAK = Mark("sneak", "", until="surprise is settled", names="combatant")
"""On the fight: the combatant who might go unnoticed."""

SURPRISED = Mark("surprised", "", until="surprise is settled", names="side")
"""On the fight: the side that may be surprised."""


class MountTurn(Struct, frozen=True, kw_only=True):
    """The turn that gave a mount its actions.

    Attributes:
        round: Its round.
        who: The combatant whose turn it is: its rider, or itself.
    """

    round: int = 0
    who: CombatantId = ""


TURN = StructMark("turn", MountTurn, until="the next round")
"""On a mount: its last turn."""

WAIVED = Mark("waive", False, until="the next attack in which it would count")
"""The named circumstance does not count in the combatant's next attack, although it holds."""

WAITS = Mark("waits", -1, until="the next round")
"""On a slot: the round in which newcomers joined it after its count had passed."""

WATCHER = Mark("watcher", "", until="surprise is settled", names="combatant")
"""On the fight: the combatant who might notice the sneak."""

WITHDREW = Mark("withdrew", -1, until="the end of the turn")
"""The round of a combatant's last Fighting Withdrawal."""
