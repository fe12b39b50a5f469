"""What Wyrd notes for itself about somebody, a piece, a side or the fight."""

from affray.engine.core.marks import Mark

FIGHT = "fight"
"""The owner of what is noted about no one in particular."""

ALLOWED = Mark("allowed", False, until="it is used")
"""What the game master allows once: an ability off the list, ``sunder``, ``dodge``, ``overflow`` or ``contact``."""

BLOW = Mark("blow", "", until="that blow")
"""The sizes of the dice that somebody's next blow is rolled with, joined by ``+``."""

CONSEQUENCE = Mark("consequence", "", until="that failure")
"""What happens instead when somebody's next failed test would get them hit."""

DEPARTED = Mark("departed", False, until="they are back")
"""That somebody has left a side of foes, which has lost them; noted of the side."""

DISARMED = Mark("disarmed", False, until="the condition ends")
"""That somebody's weapons have been knocked away already."""

GEAR = Mark("gear", "")
"""A piece of gear that the encounter file described, for whoever comes in later."""

HOME = Mark("home", "", until="they are back")
"""Which side a player character belongs to who has gone over to foes."""

LATE = Mark("late", False, until="the next round")
"""That a side of player characters has come in behind foes; noted of the side."""

MORALE = Mark("morale", "", until="the end")
"""For which loss a side has been tested last: ``first`` or ``half``."""

PROMPT = Mark("prompt", "", until="it is answered")
"""What the game master is still to be asked, by kind and cause."""

REVIVAL_TEST = Mark("revive/test", "", until="that revival")
"""The ability that is tested when somebody next revives a companion."""

REVIVED = Mark("revived", "", until="its next turn")
"""By which clause somebody came round who waits for its next turn."""

STRAY = Mark("stray", "", until="that shot")
"""Whom somebody's next shot hits if it goes astray."""

SURPRISE = Mark("surprise", "", until="the next round")
"""Who was surprised; before that is seen, for what cause it may be (without an end)."""

TAG = Mark("tag", False)
"""Whether a piece has a tag, whatever the tables say."""

UNAWARE = Mark("unaware", False, until="that attack")
"""That the next attack on somebody comes unannounced."""
