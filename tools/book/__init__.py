"""The book of a rule system: one page with every clause."""

from __future__ import annotations

from .page import html, policy

__all__ = ["html", "policy"]
