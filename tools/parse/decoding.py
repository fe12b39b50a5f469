"""Error messages of JSON and TOML decoders, reworded."""

import re

_NAMES = (
    (r"`int`", "a whole number"),
    (r"`float`", "a number with a fraction"),
    (r"`str`", "a text"),
    (r"`bool`", "true or false"),
    (r"`array`", "a list"),
    (r"`object`", "an object"),
    (r"`null`", "nothing"),
    (r"`datetime`", "a date and a time"),
    (r"`date`", "a date"),
    (r"`time`", "a time"),
)
"""The names of types in a decoder's messages, and our words for them."""

_PHRASES = (
    (r"Object missing required field `([^`]+)`", r"\1 is missing"),
    (r"Object contains unknown field `([^`]+)`", r"there is no field \1"),
    (r"Expected `(?:int|float)` <= (\S+)", r"must be at most \1"),
    (r"Expected `(?:int|float)` >= (\S+)", r"must be at least \1"),
    (r"Expected `str` of length <= (\d+)", r"must have at most \1 characters"),
    (r"Expected `str` of length >= 1\b", "must not be empty"),
    (r"Expected `str` of length >= (\d+)", r"must have at least \1 characters"),
    (
        r"Expected `str` matching regex '\^\[A-Za-z0-9\]\[A-Za-z0-9_-\].*",
        "must be letters, digits, - and _, a letter or digit first",
    ),
    (r"Expected `str` matching regex '\^d\[1-9\].*", "must be a die, such as d6"),
    (r"Expected `str` matching regex '\^\(\[1-9\].*d\[1-9\].*", "must be dice, such as 1d8 or 1d8+5"),
    (r"Expected `str` matching regex .*", "is not written as it must be"),
    (r"Expected `(?:array|object)` of length <= (\d+)", r"must have at most \1 entries"),
    (r"Expected `(?:array|object)` of (?:length >=|at least length) (\d+).*", r"must have at least \1 entries"),
    (r"Expected `array` of length (\d+)(?:, got \d+)?", r"must have \1 entries"),
    (r"must have at (least|most) 1 entries", r"must have at \1 1 entry"),
    (r"Expected `([^`]+)`, got `([^`]+)`", r"must be `\1`, not `\2`"),
    (r"Expected `([^`]+)`", r"must be `\1`"),
    (r"Invalid (?:enum )?value '([^']*)'", r"cannot be \1"),
    (r"Invalid (?:enum )?value (\S+)", r"cannot be \1"),
    (r"Integer value out of range|Number out of range", "is too big a number"),
    (r"JSON is malformed: (.+?) \(byte (\d+)\)", r"is not JSON: \1 at byte \2"),
    (r"Input data was truncated", "is not JSON: it ends too early"),
    (r"'utf-8' codec can't decode bytes? .*? in position (\d+).*", r"is not UTF-8 text from byte \1 on"),
    (r"maximum recursion depth exceeded.*", "is nested without end"),
)
"""Phrases in a decoder's messages, and our words for them."""

_PATH = re.compile(r" - at `(?:key in )?\$([^`]*)`")

_DECODERS = re.compile(
    r"Object (?:missing|contains)|Expected `|Invalid (?:enum )?value|(?:Integer value|Number) out of range"
    r"|JSON is malformed|Input data was truncated|'utf-8' codec|maximum recursion"
)

_TOML = (
    (r"Expected '=' after a key.*", "behind a key comes = and its value, as in health = 12"),
    (r"Expected newline or end of document.*", "the value ends sooner; the next key begins a new line"),
    (r"Expected '(\]+)' at the end of .*", r"the name of a table ends with \1"),
    (r"Invalid statement", "this is neither KEY = VALUE nor the name of a table, as in [config]"),
    (r"Invalid value", "a value is a number, true, false, a list, or a text in quotes"),
    (r"Invalid initial character for a key part", "a key is missing, or must stand in quotes"),
    (r"Cannot overwrite a value", "this key has a value already"),
    (r"Duplicate inline table key '(.*)'", r"\1 has a value already"),
    (r"Cannot declare \(.*\) twice", "this table has begun already"),
    (r"Cannot mutate immutable namespace \(.*\)", "this table is complete already"),
    (r"Unclosed array", "a list ends with ]"),
    (r"Unclosed inline table", "a table in braces ends with }"),
    (r"Unterminated string", "a text ends with the quote it begins with"),
    (r"Illegal character '\\n'", "a text ends on its line, or stands in three quotes"),
    (r"(?:Illegal|Found invalid) character (.*)", r"the character \1 may not stand there"),
    (r"Unescaped '\\' in a string", "a backslash in a text is doubled, or the text stands in single quotes"),
)
"""Messages of the TOML parser, and advice in their place."""


def misread(said: str) -> tuple[str, str]:
    """Reword a decoder's message; return it with the faulty path, empty for the whole.

    A message that is no decoder's is returned unchanged.
    """
    if not _DECODERS.search(said):
        return said, ""
    at = _PATH.search(said)
    message = _PATH.sub("", said)
    for theirs, ours in _PHRASES:
        message = re.sub(theirs, ours, message, flags=re.DOTALL)
    message = message.replace(" | null", "").replace(" | ", "` or `")
    for theirs, ours in _NAMES:
        message = message.replace(theirs, ours)
    return message, at[1] if at else ""


def reword_decoder_text(said: str) -> str:
    """Reword a decoder's message in a text; return it with the path to which it applies."""
    message, path = misread(said)
    path = re.sub(r"^(?:\[\.\.\.\])+", "", path).lstrip(".")
    if not path:
        return message
    before, colon, core = message.rpartition(": ")
    joint = "." if core.endswith(" is missing") else ": " if core.startswith("there is") else " "
    return f"{before}{colon}{path}{joint}{core}"


def toml_worded(said: str) -> str:
    """Return the fault of a line of TOML, in our words."""
    for theirs, ours in _TOML:
        found = re.fullmatch(theirs, said, flags=re.DOTALL)
        if found:
            return found.expand(ours)
    return "it cannot be read"
