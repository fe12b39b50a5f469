"""What Hexblade notes for itself: every kind of note, with its type and what ends it."""

from affray.engine.core.marks import ListMark, Mark

FIGHT = "fight"
"""The owner of what is noted about the fight itself."""

NEVER = -1
"""Stands for the round of what has not happened."""

ACTED = Mark("acted", NEVER, until="the next turn")
"""Somebody did something in their turn (HEX-064)."""

BROKE_FREE = Mark("broke_free", NEVER, until="the next turn")
"""Somebody tried to break free where that is free once a turn (HEX-061)."""

DRAWN = Mark("drawn", NEVER, until="the next turn")
"""A thing was taken out of the pack (HEX-065)."""

FELL = Mark("fell", NEVER, until="the next initiative")
"""Somebody went down, or came back from it (HEX-G03)."""

INITIATIVE = Mark("initiative", 0, until="the end of the round")
"""What a player character rolled (HEX-004)."""

BEATEN = ListMark("beaten", until="the end of the round")
"""Whom a player character has beaten (HEX-006)."""

ALLOWED = Mark("allowed", 0, until="it is used")
"""How often the refusal by a clause is waived for somebody; one for each clause."""

WIELDED = Mark("wielded", "", until="another one is used")
"""With which of two melee weapons in hand somebody struck or answered last (HEX-020)."""

CLEARS = Mark("clears", False, until="the end of this turn")
"""A state that ends with somebody's turn (HEX-G04); one for each state."""

SEEKERS = ListMark("seekers", until="the missiles are looked for")
"""Whom the game master lets look for missiles of another combatant (HEX-043)."""

FAILED = ListMark("failed", until="it is mended")
"""Who has failed to repair an item (HEX-041)."""

DC = Mark("dc", 0, until="that test")
"""What somebody's next evade out of a crowd, or crafting test, must reach (HEX-033, HEX-039)."""

WEAPON = Mark("weapon", "")
SPELL = Mark("spell", "")
"""What the encounter defined, so that newcomers can have it: the line as JSON; one for each key."""

Q_FROM = Mark("q_from", 0)
Q_TO = Mark("q_to", 0)
R_FROM = Mark("r_from", 0)
R_TO = Mark("r_to", 0)
