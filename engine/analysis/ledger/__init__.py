"""The ledger of chances: who was offered or asked what, and how they replied.

It holds only what the record does: windows and who could answer in them, passes and standing passes, questions and
answers. In what was taken back the same chance may have gone another way; both ways are kept.
"""

from .chance import FATES, Chance, Fate, Reply
from .ledger import ledger, tallies

__all__ = ["Chance", "FATES", "Fate", "Reply", "ledger", "tallies"]
