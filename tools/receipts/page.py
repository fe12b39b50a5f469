"""An explanation as one page that needs nothing else: no script and no address."""

from __future__ import annotations

from affray.tools.documents import document

from .told import Told


def html(told: Told, book: str = "") -> str:
    """Return the page.

    Args:
        told: What it says.
        book: The address of the system's book, as seen from the page; without one its clauses are not linked.
    """
    title = f"{told.fight}: why event {told.what.position} is what it is"
    return document("receipts/page.html", title=title, told=told, book=book)
