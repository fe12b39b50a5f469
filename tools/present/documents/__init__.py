"""HTML and SVG documents, rendered from the templates beside the code."""

from .document import content_of, document, split_at_backquotes

__all__ = ["content_of", "document", "split_at_backquotes"]
