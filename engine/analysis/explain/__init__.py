"""Explanations of events, of the numbers in a roll, and of refusals."""

from .account import Account, Sent, account
from .provenance import Term
from .receipts import Die, Group, Harm, Receipt, terms_of
from .why_not import Decision, as_it_was, why_not

__all__ = [
    "Account", "Decision", "Die", "Group", "Harm", "Receipt", "Sent", "Term", "account", "as_it_was", "terms_of",
    "why_not",
]  # fmt: skip
