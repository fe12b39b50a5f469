"""What people share of a fight: a report as Markdown or as one page, its rolls and its events as tables."""

from __future__ import annotations

from .markdown import markdown
from .page import page
from .tables import events_csv, rolls_csv

__all__ = ["events_csv", "markdown", "page", "rolls_csv"]
