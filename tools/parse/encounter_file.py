"""Read encounter files, and find the line of an error in one."""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from msgspec import inspect

from affray.engine.core.loading import available, load
from affray.engine.errors import NoSuch, Unusable
from affray.engine.kit.encounters import OLD_WORDS
from affray.engine.limits import DEEPEST, LONGEST
from affray.engine.stores.input_files import read_input_text, unify_line_ends
from affray.tools.parse.decoding import misread, toml_worded
from affray.tools.parse.faults import Fault, Faulty, hint_setting, known_instead
from affray.tools.parse.forms import kinds_at, kinds_of
from affray.tools.parse.printed_values import advise, advise_field, resolve_field
from affray.tools.text.spelling_hints import nearest

_KEY = r"""(?:[\w-]+|"[^"]*"|'[^']*')"""
_TABLE = re.compile(rf"\s*(\[\[?)\s*({_KEY}(?:\s*\.\s*{_KEY})*)\s*\]\]?\s*(?:#.*)?")
_VALUE = re.compile(rf"\s*({_KEY}(?:\s*\.\s*{_KEY})*)\s*=")
_TEXT = re.compile(r"""\s*(\"{3}|'{3})(.*)""")
_OPENS = re.compile(r"\s*\[\s*(?:#.*)?")
_ENTRY = re.compile(r"""\s*(?:\{.*\}|"[^"]*"|'[^']*')\s*(?:,\s*)?(?:#.*)?$""")
_MISSING = re.compile(r"(\w+) is missing$")
_UNKNOWN_FIELD = re.compile(r"there is no field (.+)$")

LONGEST_FILE = 256 * 1024
"""The longest file that is read as an encounter or as scenarios, in bytes; as long as a server's limit."""

_DEEP = re.compile(rf"""(?:(?<![\w-])(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){{{DEEPEST},}}""")
"""A dotted key with so many parts that parsing it takes unbounded time and memory."""

_LONG_NUMBER = re.compile(r"(?<![\w.\"'])[+-]?\d(?:_?\d){639,}+(?![\w.])")
"""A whole number with more digits than Python may read; 640 is the lowest limit that can be set."""


def read_encounter(file: Path) -> tuple[str, dict[str, Any]]:
    """Return an encounter file's text and content.

    Raises:
        Faulty: it cannot be read, is too long, or is not TOML; says where.
    """
    try:
        return read_toml(read_input_text(file), file)
    except OSError as error:
        fault = Fault(kind="unusable", code="file", message=error.strerror or str(error), file=_file_name(file))
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        fault = Fault(kind="unusable", code="syntax", message="is not UTF-8 text", line=line, file=_file_name(file))
    raise Faulty(fault) from None


def load_encounter(file: Path | str) -> dict[str, Any]:
    """Return the content of an encounter file, as ``begin_fight`` takes it.

    Raises:
        Unusable: it cannot be read, is too long, or is not TOML; says where.
    """
    try:
        return read_encounter(Path(file))[1]
    except Faulty as error:
        fault = error.fault
        where = f"{fault.file}, line {fault.line}" if fault.line else fault.file
        raise Unusable(f"{where}: {fault.message}") from None


def read_toml(text: str, file: Path = Path()) -> tuple[str, dict[str, Any]]:
    """Return an encounter file's text, with line ends normalized, and its content.

    Raises:
        Faulty: it is not TOML, or too long or too deep to be meant; says where.
    """
    text = unify_line_ends(text)
    deep = _DEEP.search(text) if any(line.count(".") >= DEEPEST for line in text.split("\n")) else None
    if len(text.encode("utf-8", "surrogatepass")) > LONGEST_FILE or deep:
        most = f"a key must have at most {DEEPEST} parts" if deep else f"must have at most {LONGEST_FILE} bytes"
        line = text.count("\n", 0, deep.start()) + 1 if deep else 0
        raise Faulty(Fault(kind="unusable", code="syntax", message=most, line=line, file=_file_name(file)))
    try:
        return text, tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Faulty(_syntax(str(error), text, file)) from None
    except RecursionError:
        message, line = "not TOML: nested without end", 0
    except ValueError:  # a number has more digits than Python reads
        long = _LONG_NUMBER.search(text)
        message, line = "is too big a number", text.count("\n", 0, long.start()) + 1 if long else 0
    raise Faulty(Fault(kind="unusable", code="syntax", message=message, line=line, file=_file_name(file)))


def _file_name(file: Path) -> str:
    """Return a file's name for messages; empty without one."""
    return "" if file == Path() else str(file)


def _syntax(message: str, text: str, file: Path) -> Fault:
    """Take the line out of the TOML reader's message."""
    at = re.search(r" \(at line (\d+), column (\d+)\)| \(at end of document\)", message)
    line = int(at[1]) if at and at[1] else len(text.splitlines())
    where = f" at column {at[2]}" if at and at[2] else ""
    said = message[: at.start()] if at else message
    wrong = f"not TOML{where}: {toml_worded(said)}"
    return Fault(kind="unusable", code="syntax", message=wrong, line=line, file=_file_name(file))


Known = Callable[[dict[str, Any], str], Iterable[str]]
"""A function that lists the words that a file's content may use in a field."""


@contextmanager
def add_location(file: Path, text: str, content: dict[str, Any], known: Known | None = None) -> Iterator[None]:
    """Add the line of the file, and a spelling hint, to an error in an encounter.

    Args:
        known: The words of another kind of file.

    Raises:
        Faulty: instead of ``Unusable``.
    """
    try:
        yield
    except Unusable as error:
        message, path = misread(error.message)
        field = (error.field + path).lstrip(".")
        missing = _MISSING.match(message)
        field = missing[1] if missing and not field else field
        unknown = _UNKNOWN_FIELD.match(message)
        if unknown:
            inside = f"{field}.{unknown[1]}" if field else unknown[1]
            words = list((known or _words)(content, field))
            hint = advise_field(unknown[1], words) or (known_instead(unknown[1], words) if words else "")
            if field == "config" and words and not known:
                hint = hint_setting(unknown[1], str(content["system"]), words)
            line = line_of(text, inside)
            message = f"unknown field {unknown[1]}{hint}"
        else:
            kinds = [] if known else _kinds(content, field)
            field, value = resolve_field(content, field, kinds)
            line, hint = line_of(text, field), nearest(error.name, error.known) if isinstance(error, NoSuch) else ""
            hint = hint or ("" if known else _choices(content, field))
            printed = advise(field, value, kinds)
            message = message.replace("an object", "a table") + hint + (f"; {printed}" if printed else "")
        raise Faulty(
            Fault(kind="unusable", code="encounter", message=message, field=field, line=line, file=_file_name(file))
        ) from None


def _choices(content: dict[str, Any], field: str) -> str:
    """Return the valid words of a field, if it accepts only some."""
    literals = (kind.values for kind in _kinds(content, field) if isinstance(kind, inspect.LiteralType))
    choices = [str(value) or "nothing" for values in literals for value in values]
    return f"; there are {', '.join(choices)}" if choices else ""


def _words(content: dict[str, Any], field: str) -> list[str]:
    """Return the words that an encounter file of this system knows at a field."""
    structs = (kind.cls for kind in _kinds(content, field) if isinstance(kind, inspect.StructType))
    return [name for struct in structs for name in kinds_of(struct)]


def _kinds(content: dict[str, Any], field: str) -> list[inspect.Type]:
    """Return the types that a field of this system's encounter files accepts."""
    system = content.get("system")
    if not isinstance(system, str) or system not in available():
        return []
    ruleset = load(system)
    steps = re.findall(r"[^.\[\]]+|\.\.\.", field)
    if steps[:1] == ["config"]:
        return kinds_at(ruleset.config, steps[1:])
    return kinds_at(ruleset.encounters.form, steps) if ruleset.encounters.form is not None else []


def line_of(text: str, field: str) -> int:
    """Return the line of a field such as ``combatant[1].agility``, or of its table.

    A decoder writes ``[...]`` for a key it does not name: its line is known if only one key fits. A list of tables has
    the line of its first. A part of an encounter may stand there under its old name.
    """
    lines = {_present(path): line for path, line in key_lines(text).items()}
    field = field if len(field) <= LONGEST else ""
    while field:
        pattern = re.escape(field).replace(re.escape("[...]"), r"\.[^.]+")
        for said in (pattern, rf"{pattern}\[0\]"):
            found = [line for path, line in lines.items() if re.fullmatch(said, path)]
            if len(found) == 1:
                return found[0]
        field = field[: max(field.rfind("."), field.rfind("["), 0)]
    return 0


def _present(path: str) -> str:
    """Return a path with the present word for the part of an encounter that it begins with."""
    part = re.match(r"\w*", path)
    assert part is not None
    return OLD_WORDS.get(part[0], part[0]) + path[part.end() :]


def key_lines(text: str) -> dict[str, int]:
    """Return the line of every table and key by its path.

    Also the line of every entry of a list that has a line for each, and of every line of a text of several.
    A small scanner: it does not look into other values.
    """
    lines: dict[str, int] = {}
    counts: dict[str, int] = {}
    inside = path = quotes = ""
    entry = -1
    for number, line in enumerate(text.split("\n"), 1):
        if quotes:
            lines[f"{path}[{entry}]"] = number
            entry, quotes = (-1, "") if quotes in line else (entry + 1, quotes)
            continue
        table, value = _TABLE.fullmatch(line), _VALUE.match(line)
        if entry >= 0 and _ENTRY.match(line):
            lines.setdefault(f"{path}[{entry}]", number)
            entry += 1
        elif table:
            inside, entry = _number_entries(_bare(table[2]), counts, opens=table[1] == "[["), -1
            lines.setdefault(inside, number)
        elif value:
            path = f"{inside}.{_bare(value[1])}" if inside else _bare(value[1])
            lines.setdefault(path, number)
            said = _TEXT.match(line, value.end())
            if said and said[1] not in said[2]:
                quotes, entry = said[1], 1 if said[2] else 0
                lines[f"{path}[0]"] = number
            else:
                entry = 0 if _OPENS.fullmatch(line, value.end()) else -1
        elif line.strip() and not line.lstrip().startswith("#"):
            entry = -1
    return lines


def _number_entries(name: str, counts: dict[str, int], *, opens: bool) -> str:
    """Insert the present entry's index after each list in a field's path."""
    path = ""
    parts = name.split(".")
    for nth, part in enumerate(parts, 1):
        path = f"{path}.{part}" if path else part
        if opens and nth == len(parts):
            counts[path] = counts.get(path, -1) + 1
        if path in counts:
            path = f"{path}[{counts[path]}]"
    return path


def _bare(key: str) -> str:
    return re.sub(r"\s*\.\s*", ".", key).replace('"', "").replace("'", "")
