"""Saying why: what led to an event, where every number of a roll came from, why something is refused."""

from __future__ import annotations

from .account import Account, Sent, account
from .provenance import Term
from .receipts import Die, Group, Harm, Receipt
from .why_not import Verdict, as_it_was, why_not

__all__ = ["Account", "Die", "Group", "Harm", "Receipt", "Sent", "Term", "Verdict", "account", "as_it_was", "why_not"]
