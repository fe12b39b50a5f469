"""Prepare standard input, output and error, whatever the program was started with."""

import codecs
import os
import sys
from io import TextIOWrapper

PLAINER = {
    "−": "-", "–": "-", "…": "...", "→": "->", "←": "<-", "×": "x", "·": "-", "“": '"', "”": '"', "’": "'", "▶": ">",
    "‘": "'", "‚": ",", "‛": "'", "█": "#", "░": ".", "│": "|",
}  # fmt: skip
"""How the marks that we print ourselves are said where the output does not know them."""

_STREAMS = (("stdin", "r"), ("stdout", "w"), ("stderr", "w"))


def make_ready() -> None:
    """Open what was closed, and let no character be a reason to fail.

    A closed stream must not stay so: the next file that is opened would take its number, and a log or a database
    would be written to by whoever means to print.
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
    """Say in simpler characters what an encoding has no characters for."""
    assert isinstance(error, UnicodeEncodeError)
    unknown = error.object[error.start : error.end]
    return "".join(PLAINER.get(one) or one.encode("unicode_escape").decode() for one in unknown), error.end
