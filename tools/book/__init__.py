"""The book of a rule system: one page with all clauses."""

from .page import html, policy

__all__ = ["html", "policy"]
