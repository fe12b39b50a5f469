"""HTML and SVG documents, filled in from the templates beside the code."""

from .document import content_of, document, quoted

__all__ = ["content_of", "document", "quoted"]
