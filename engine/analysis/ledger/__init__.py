"""The ledger of chances: each window and question, and how each combatant replied.

It only contains facts of the record: windows with the combatants who could answer, passes and standing passes,
questions and answers. A chance may have another outcome in a lane that was taken back. Then both outcomes are kept.
"""

from .chance import FATES, Chance, ChanceReply, Fate
from .collection import collect_chances, tally_chances

__all__ = ["Chance", "ChanceReply", "FATES", "Fate", "collect_chances", "tally_chances"]
