"""Link the numbers of clauses in the texts of a book."""

import re
from collections.abc import Collection

from markupsafe import Markup, escape

from affray.events import Clause
from affray.tools.present.documents import quoted
from affray.tools.text.isolates import isolate
from affray.tools.text.printable import printable

LINK, CODE = Markup('<a href="#{0}">{0}</a>'), Markup("<code>{0}</code>")


class Linked:
    """The clauses of one book, and the link to each."""

    def __init__(self, clauses: Collection[Clause]) -> None:
        self._links = {clause: LINK.format(clause) for clause in clauses}
        longest_first = sorted(clauses, key=len, reverse=True)
        self._clause = re.compile(rf"\b(?:{'|'.join(map(re.escape, longest_first))})\b")

    def text(self, text: str) -> Markup:
        """Return a text on one line, in which what stands between backquotes is code."""
        parts = [self._linked(isolate(printable(part))) for part in quoted(text)]
        parts[1::2] = map(CODE.format, parts[1::2])
        return Markup().join(parts)

    def program(self, text: str) -> Markup:
        """Return a program's text, line by line."""
        return self._linked("\n".join(map(printable, text.splitlines())))

    def _linked(self, text: str) -> Markup:
        return Markup(self._clause.sub(lambda found: self._links[found[0]], escape(text)))
