"""Exports of a fight: a report as Markdown or HTML, its rolls and events as tables."""

from .markdown import markdown
from .page import page
from .tables import events_csv, rolls_csv

__all__ = ["events_csv", "markdown", "page", "rolls_csv"]
