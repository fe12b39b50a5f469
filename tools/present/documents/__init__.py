"""HTML and SVG documents, filled in from the templates beside the code."""

from .document import content_of, document, split_at_backquotes

__all__ = ["content_of", "document", "split_at_backquotes"]
