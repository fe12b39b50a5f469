"""The marks of Wyrd: what a fight notes about a combatant, a piece, a side or itself."""

from affray.engine.core.marks import Mark

FIGHT = "fight"
"""The owner of the marks that concern the fight as a whole."""

ALLOWED = Mark("allowed", False, until="it is used")
"""A permission for one use: an unusual ability, ``sunder``, ``dodge``, ``overflow`` or ``contact``."""

BLOW = Mark("blow", "", until="that blow")
"""The sizes of the dice for the combatant's next blow, joined by ``+``."""

CONSEQUENCE = Mark("consequence", "", until="that failure")
"""The consequence that replaces the next hit after a failed test of the combatant."""

DEPARTED = Mark("departed", False, until="they are back")
"""On a side of foes: a combatant that left it and counts as lost."""

DISARMED = Mark("disarmed", False, until="the condition ends")
"""The combatant's weapons have been knocked away."""

GEAR = Mark("gear", "")
"""A piece of gear of the encounter file, kept for later combatants."""

HOME = Mark("home", "", until="they are back")
"""The own side of a player character that fights among foes."""

LATE = Mark("late", False, until="the next round")
"""On a side of player characters: it joined the order behind foes."""

MORALE = Mark("morale", "", until="the end")
"""On a side: the loss that it was last tested for, ``first`` or ``half``."""

PROMPT = Mark("prompt", "", until="it is answered")
"""A question that the game master is still to be asked, by kind and cause."""

REVIVAL_TEST = Mark("revive/test", "", until="that revival")
"""The ability that is tested when the combatant next revives a companion."""

REVIVED = Mark("revived", "", until="its next turn")
"""The clause by which the combatant came round; it waits for its next turn."""

STRAY = Mark("stray", "", until="that shot")
"""The victim of the combatant's next shot if it goes astray."""

SURPRISE = Mark("surprise", "", until="the next round")
"""The surprised party; before the roll (without an end), the cause that may surprise it."""

TAG = Mark("tag", False)
"""Whether a piece has a tag, regardless of the tables."""

UNAWARE = Mark("unaware", False, until="that attack")
"""The next attack on the combatant comes unannounced."""
