"""The book as one self-contained page."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from hashlib import sha256
from itertools import groupby

from affray.engine.core.ruleset import Ruleset
from affray.tools.present.documents import document, read_source

from .book import book
from .linked import Linked
from .plots import draw_plot
from .words import WORDS


@cache
def policy() -> str:
    """Return the content security policy of the page.

    It allows the page's own style and script, and nothing else.
    """

    def hash_source(name: str) -> str:
        return f"'sha256-{b64encode(sha256(read_source(name).encode()).digest()).decode()}'"

    return (
        f"default-src 'none'; style-src {hash_source('book/style.css')}; script-src {hash_source('book/search.js')}; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


def html(ruleset: Ruleset) -> str:
    """Render the book of a system as HTML."""
    one = book(ruleset)
    return document(
        "book/page.html",
        title=f"The rules of {one.title}",
        book=one,
        sections=[(name, list(group)) for name, group in groupby(one.entries, key=lambda entry: entry.text.section)],
        files=[(name, list(group)) for name, group in groupby(one.functions, key=lambda function: function.file)],
        examples=sum(entry.example is not None for entry in one.entries),
        odds=sum(len(entry.tables) for entry in one.entries),
        fights={counted.fight for entry in one.entries for counted in entry.counted},
        linked=Linked(ruleset.clauses),
        plotted=draw_plot,
        **WORDS,
    )
