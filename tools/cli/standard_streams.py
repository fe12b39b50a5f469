"""Preparation of standard input, output and error."""

import codecs
import os
import sys
from io import TextIOWrapper

PLAINER = {
    "−": "-", "–": "-", "…": "...", "→": "->", "←": "<-", "×": "x", "·": "-", "“": '"', "”": '"', "’": "'", "▶": ">",
    "‘": "'", "‚": ",", "‛": "'", "█": "#", "░": ".", "│": "|",
}  # fmt: skip
"""Replacements for our own marks that the encoding of the output lacks."""

_STREAMS = (("stdin", "r"), ("stdout", "w"), ("stderr", "w"))


def make_ready() -> None:
    """Open closed standard streams, and replace characters that cannot be encoded.

    A closed stream would let the next opened file take its number. Prints would then go into a log or a database.
    """
    for number, (name, mode) in enumerate(_STREAMS):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest number that is free, which is this one
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115 - for good
    codecs.register_error("affray.plainer", _plainer)
    for stream, errors in (
        (sys.stdin, "surrogateescape"),
        (sys.stdout, "affray.plainer"),
        (sys.stderr, "affray.plainer"),
    ):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=errors)


def _plainer(error: UnicodeError) -> tuple[str, int]:
    """Replace characters that an encoding lacks by simpler ones."""
    assert isinstance(error, UnicodeEncodeError)
    unknown = error.object[error.start : error.end]
    return "".join(PLAINER.get(one) or one.encode("unicode_escape").decode() for one in unknown), error.end
