"""HTML and SVG documents, rendered from the templates beside the code."""

from .document import read_source, document, split_at_backquotes

__all__ = ["document", "read_source", "split_at_backquotes"]
