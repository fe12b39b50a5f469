"""The Jinja environment of all templates below ``tools/``.

Every value is escaped. Invisible characters, and characters that turn writing around, are written out.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from markupsafe import Markup

from affray.tools.text.isolates import isolate
from affray.tools.text.printable import printable

if TYPE_CHECKING:
    from jinja2 import Environment


def document(template: str, **values: object) -> str:
    """Render a template.

    Args:
        template: Its path below ``tools/``, such as ``receipts/page.html``.
        values: The values of its variables.
    """
    return _environment().get_template(template).render(values)


@cache
def read_source(name: str) -> Markup:
    """Return the content of a style or script below ``tools/``, to be put between its tags."""
    return Markup((files("affray.tools") / name).read_text("utf-8"))


def split_at_backquotes(text: str) -> list[str]:
    """Split a text at its backquotes; every second part was quoted."""
    return re.split(r"`([^`]+)`", " ".join(text.split()))


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined  # noqa: PLC0415 - long to load, and seldom needed

    environment = Environment(
        loader=PackageLoader("affray", "tools"),
        autoescape=True,
        auto_reload=False,
        finalize=_make_printable,
        keep_trailing_newline=True,
        lstrip_blocks=True,
        trim_blocks=True,
        undefined=StrictUndefined,
    )
    environment.globals["content_of"] = read_source
    environment.filters |= {"fixed": _with_decimals, "quoted": split_at_backquotes}
    return environment


def _make_printable(value: object) -> object:
    """Return a value as a template shows it; its text is escaped when it is put in."""
    return value if isinstance(value, Markup | int | float) else isolate(printable(str(value)))


def _with_decimals(number: float | Fraction, places: int) -> str:
    """Return a number with so many decimal places."""
    return f"{float(number):.{places}f}"
