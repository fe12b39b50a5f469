"""The ledger of chances: each window and question, and how each combatant replied.

It only contains what the record holds: windows with the combatants who could answer, passes and standing passes,
questions and
answers. A chance may have gone another way in a lane that was taken back. Then both ways are kept.
"""

from .chance import FATES, Chance, ChanceReply, Fate
from .collection import collect_chances, tally_chances

__all__ = ["Chance", "ChanceReply", "FATES", "Fate", "collect_chances", "tally_chances"]
