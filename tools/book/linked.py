"""Links from clause ids in the texts of a book to the clauses."""

import re
from collections.abc import Collection

from markupsafe import Markup, escape

from affray.events import Clause
from affray.tools.present.documents import split_at_backquotes
from affray.tools.text.isolates import isolate
from affray.tools.text.printable import printable

LINK, CODE = Markup('<a href="#{0}">{0}</a>'), Markup("<code>{0}</code>")


class Linked:
    """Adds links to the clause ids in texts of one book."""

    def __init__(self, clauses: Collection[Clause]) -> None:
        self._links = {clause: LINK.format(clause) for clause in clauses}
        longest_first = sorted(clauses, key=len, reverse=True)
        self._clause = re.compile(rf"\b(?:{'|'.join(map(re.escape, longest_first))})\b")

    def text(self, text: str) -> Markup:
        """Format a text as one line of HTML; text in backquotes becomes code."""
        parts = [self._link_clauses(isolate(printable(part))) for part in split_at_backquotes(text)]
        parts[1::2] = map(CODE.format, parts[1::2])
        return Markup().join(parts)

    def program(self, text: str) -> Markup:
        """Format source code as HTML, line by line."""
        return self._link_clauses("\n".join(map(printable, text.splitlines())))

    def _link_clauses(self, text: str) -> Markup:
        """Escape a text, and link its clause ids."""
        return Markup(self._clause.sub(lambda found: self._links[found[0]], escape(text)))
