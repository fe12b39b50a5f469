"""The parts of a docstring: its text, and the descriptions of attributes."""

import re
from inspect import cleandoc

_ENTRY = re.compile(r"^ {4}([\w, ]+): (.*(?:\n {5,}.*)*)", re.MULTILINE)


def describe_callable(documented: object) -> str:
    """Return what a function does, without the arguments and errors that callers in Python meet."""
    return re.split(r"\n\n(?:Args|Raises):\n", cleandoc(documented.__doc__ or ""))[0]


def split_docstring(documented: type) -> tuple[str, list[tuple[tuple[str, ...], str]]]:
    """Return the text of a type's docstring, and each entry below ``Attributes:``: the names and their description."""
    text, _, listed = cleandoc(documented.__doc__ or "").partition("Attributes:\n")
    entries = [(tuple(names.split(", ")), " ".join(words.split())) for names, words in _ENTRY.findall(listed)]
    return text.strip(), entries
