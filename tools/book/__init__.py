"""The book of a rule system: one page with every clause."""

from .page import html, policy

__all__ = ["html", "policy"]
