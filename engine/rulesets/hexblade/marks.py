"""The marks of Hexblade: every kind of note, with its type and its end."""

from affray.engine.core.marks import WORDS, ListMark, Mark, StructMark
from affray.engine.rulesets.hexblade.tables import Spell, Weapon

FIGHT = "fight"
"""The owner of the marks that concern the fight as a whole."""

NEVER = -1
"""The round of an event that has not happened."""

ACTED = Mark("acted", NEVER, until="the next turn")
"""The last round in which the combatant acted in its turn (HEX-064)."""

BROKE_FREE = Mark("broke_free", NEVER, until="the next turn")
"""The last round in which the combatant tried to break free, where that is free once a turn (HEX-061)."""

DRAWN = Mark("drawn", NEVER, until="the next turn")
"""On an item: the last round in which it was taken out of the pack (HEX-065)."""

FELL = Mark("fell", NEVER, until="the next initiative")
"""The last round in which the combatant went down, or came back from it (HEX-G03)."""

INITIATIVE = Mark("initiative", 0, until="the end of the round")
"""The total that a player character rolled for initiative (HEX-004)."""

BEATEN = ListMark("beaten", until="the end of the round")
"""The combatants that a player character has beaten (HEX-006)."""

ALLOWED = Mark("allowed", 0, until="it is used")
"""The number of times that a refusal by a clause is waived for a combatant; one mark for each clause."""

WIELDED = Mark("wielded", "", until="another one is used", names="item")
"""The melee weapon in hand that the combatant struck or answered with last (HEX-020)."""

CLEARS = Mark("clears", False, until="the end of this turn")
"""A state that ends with the combatant's turn (HEX-G04); one mark for each state."""

SEEKERS = ListMark("seekers", until="the missiles are looked for")
"""On missiles: the other combatants that may look for them, by ruling (HEX-043)."""

FAILED = ListMark("failed", until="it is mended")
"""On an item: the combatants that have failed to repair it (HEX-041)."""

DC = Mark("dc", 0, until="that test")
"""The number that the combatant's next evade in a crowd, or crafting test, must reach (HEX-033, HEX-039)."""

WEAPON = StructMark("weapon", Weapon, names=WORDS)
SPELL = StructMark("spell", Spell, names=WORDS)
"""A definition of the encounter, kept for newcomers; one mark for each key."""

Q_FROM = Mark("q_from", 0)
Q_TO = Mark("q_to", 0)
R_FROM = Mark("r_from", 0)
R_TO = Mark("r_to", 0)
