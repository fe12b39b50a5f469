"""The book of a rule system: every clause with all that belongs to it, on one page."""

from __future__ import annotations

from .page import html, policy

__all__ = ["html", "policy"]
