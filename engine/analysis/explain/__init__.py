"""Explanations of events, of the numbers in a roll, and of refusals."""

from .account import Account, Sent, explain_event
from .provenance import Term
from .receipts import Die, Group, Harm, Receipt, list_terms
from .refusals import IntentVerdict, explain_refusal, rebuild_fight_at

__all__ = [
    "Account", "Die", "Group", "Harm", "IntentVerdict", "Receipt", "Sent", "Term", "explain_event",
    "explain_refusal", "list_terms", "rebuild_fight_at",
]  # fmt: skip
