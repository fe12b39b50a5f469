"""An explanation as one self-contained page."""

from affray.engine.texts import quote
from affray.tools.present.documents import document

from .explanation import Explained


def receipt_html(explained: Explained, book: str = "") -> str:
    """Return an explanation as a page of HTML.

    Args:
        book: The address of the system's book, relative to the page; without it clauses are not linked.
    """
    title = f"{quote(explained.fight)}: why event {explained.what.position} is what it is"
    return document("present/receipts/page.html", title=title, explained=explained, book=book)
