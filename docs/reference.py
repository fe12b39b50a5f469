"""Writes the pages of ``docs/reference/`` from what the code declares."""

from __future__ import annotations

import ast
import inspect
import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import click
import msgspec

import affray
from affray import rules
from affray.engine.core.loading import available, load
from affray.events import EVENTS, Event
from affray.tools.book.settings import list_settings
from affray.tools.cli.command_registry import GROUPS
from affray.tools.cli.main import main
from affray.tools.pipe.handlers import HANDLERS
from affray.tools.pipe.requests import OF_FORM, parameters_of
from affray.tools.server.app import build_application
from affray.tools.server.openapi import build_document
from affray.tools.server.other_origins import OtherOrigins
from affray.tools.text.docstrings import describe_callable, split_docstring

ROOT = Path(__file__).parents[1]
FOLDER = Path(__file__).parent / "reference"


def write_reference() -> None:
    """Write each page. A page that says what it said before keeps its time, so that it is not built again."""
    FOLDER.mkdir(exist_ok=True)
    pages = {
        "library": describe_library(),
        "rules": describe_authors_library(),
        "commands": describe_commands(),
        "http": describe_requests(),
        "pipe": describe_pipe_requests(),
        "events": describe_events(),
        "refusals": describe_refusals(),
        "settings": describe_settings(),
    }
    for name, lines in pages.items():
        path, text = FOLDER / f"{name}.md", "\n".join(lines) + "\n"
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")


def tabulate(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """Write a Markdown table, and an empty line behind it."""
    yield f"| {' | '.join(head)} |"
    yield f"| {' | '.join('---' for _ in head)} |"
    for row in rows:
        yield f"| {' | '.join(' '.join(cell.split()).replace('|', chr(92) + '|') for cell in row)} |"
    yield ""


def code(text: str) -> str:
    """Write a text as code; an empty one stays empty."""
    return f"`{text}`" if text else ""


def describe_library() -> Iterator[str]:
    """Describe the public names of ``affray``; its events have a separate page."""
    yield "# The library: affray\n"
    yield "The public names for programs that run, read or watch fights. [The guide](../library.md) shows them"
    yield "at work. Every [event](events.md) is a public name, too.\n"
    yield from describe_names(affray)


def describe_authors_library() -> Iterator[str]:
    """Describe the public names of ``affray.rules``."""
    yield "# The library: affray.rules\n"
    yield "The public names for authors of rule systems. [The guide](../../engine/rulesets/README.md) builds a"
    yield "system with them. The [events](events.md) that rules make are public names, too.\n"
    yield from describe_names(rules, elsewhere=frozenset(affray.__all__))


def describe_names(module: ModuleType, *, elsewhere: frozenset[str] = frozenset()) -> Iterator[str]:
    """Let Sphinx describe each public name of a module from its docstring: functions, classes, errors, values.

    Args:
        elsewhere: Names that the index finds on another page.
    """
    groups: dict[str, list[str]] = {"Functions": [], "Classes": [], "Errors": [], "Types and values": []}
    for name in sorted(set(module.__all__) - {kind.__name__ for kind in EVENTS} - {"__version__"}, key=str.lower):
        found = getattr(module, name)
        entry = f"{module.__name__}.{name}" + ("\n   :no-index:" if name in elsewhere else "")
        if inspect.isfunction(found):
            groups["Functions"].append(f".. autofunction:: {entry}")
        elif inspect.isclass(found) and issubclass(found, Exception):
            groups["Errors"].append(f".. autoexception:: {entry}")
        elif inspect.isclass(found) and found.__module__.startswith("affray."):
            groups["Classes"].append(f".. autoclass:: {entry}\n   :members:")
        else:
            groups["Types and values"].append(f"``{name}``: ``{shorten_type(str(found))}``\n")
    for title, entries in groups.items():
        if entries:
            yield f"## {title}\n"
            yield "```{eval-rst}\n" + "\n".join(entries) + "\n```\n"


def shorten_type(text: str) -> str:
    """Write a type without the modules of its parts."""
    return re.sub(r"\b(?:\w+\.)+(?=\w)", "", text)


def describe_commands() -> Iterator[str]:
    """Describe every command of the program, with its arguments and options, as ``--help`` does."""
    yield "# Commands\n"
    yield "Every command of `affray`, as `affray COMMAND --help` prints it. [The guide](../commands.md) shows them at"
    yield "work.\n"
    program = click.Context(main, info_name="affray")
    for title, group in GROUPS.items():
        yield f"## {title}\n"
        for name in group:
            command = main.get_command(program, name)
            assert command is not None
            yield from describe_command(command, click.Context(command, info_name=name, parent=program), 3)


def describe_command(command: click.Command, context: click.Context, level: int) -> Iterator[str]:
    """Describe a command, then its own commands."""
    yield f"{'#' * level} {context.command_path}\n"
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    yield f"```text\n{usage}\n```\n"
    if command.help:
        yield inspect.cleandoc(click.unstyle(command.help)).replace("\b\n", "") + "\n"
    records = [parameter.get_help_record(context) for parameter in command.get_params(context)]
    options = [(code(click.unstyle(names)), says) for names, says in filter(None, records)]
    if options:
        yield from tabulate(("option", "what it does"), options)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from describe_command(inner, click.Context(inner, info_name=name, parent=context), level + 1)


def describe_requests() -> Iterator[str]:
    """Describe every request that the server answers, from its OpenAPI document."""
    server: Any = SimpleNamespace(hub=None, others=OtherOrigins())
    document = build_document(build_application(server).openapi_schema.to_schema())
    yield "# HTTP requests\n"
    yield "A running server describes itself at `/schema/openapi.json`. This page is made from the same document."
    yield "[The guide](../http.md) explains tokens, the feed and errors.\n"
    routes = {
        f"{method.upper()} {path}": operation
        for path, item in sorted(document["paths"].items())
        for method, operation in item.items()
    }
    rows = [
        (code(name), one["summary"], one["description"].rpartition("\n\nFor ")[2][:-1]) for name, one in routes.items()
    ]
    yield from tabulate(("route", "what it does", "for"), rows)
    for route, operation in routes.items():
        yield f"## {route}\n"
        yield operation["description"] + "\n"
        yield f"Operation `{operation['operationId']}`.\n"
        found = [
            (code(one["name"]), one["in"], "yes" if one.get("required") else "", one.get("description", ""))
            for one in operation.get("parameters", [])
        ]
        if found:
            yield from tabulate(("parameter", "in", "required", "meaning"), found)
        answers = [
            (status, ", ".join(describe_body(answer)), answer.get("description", ""))
            for status, answer in sorted(operation["responses"].items())
        ]
        yield from tabulate(("status", "answer", "meaning"), answers)


def describe_pipe_requests() -> Iterator[str]:
    """Describe every request of a pipe, with its parameters."""
    yield "# Requests of a pipe\n"
    yield "Every request that `affray pipe` answers: `do` names it. Each has an `id`, and `fight` unless only one is"
    yield "open. [The guide](../pipe.md) explains them.\n"
    for form, operation in OF_FORM.items():
        yield f"## {operation.request}\n"
        yield describe_callable(HANDLERS.get(operation.name, operation.run)).replace("``", "`") + "\n"
        takes = parameters_of(operation)
        yield from tabulate_fields(form, takes.__struct_fields__, read_meanings(takes))


def describe_body(answer: dict[str, Any]) -> Iterator[str]:
    """Name the types that an answer can have."""
    for kind, content in answer.get("content", {}).items():
        reference = content.get("schema", {}).get("$ref", "")
        yield code(reference.rpartition("/")[2] or kind)


def describe_events() -> Iterator[str]:
    """Describe every event of the log, family by family, with its fields."""
    yield "# Events\n"
    yield "Every event that a log can hold. `affray schema` prints the same as JSON Schema.\n"
    families: dict[str, list[type[Event]]] = {}
    for kind in EVENTS:
        families.setdefault(kind.__module__, []).append(kind)
    for module, kinds in families.items():
        yield f"## {module.rpartition('.')[2].replace('_', ' ').capitalize()}\n"
        for kind in kinds:
            yield from describe_struct(kind, 3)


def describe_struct(kind: type[msgspec.Struct], level: int) -> Iterator[str]:
    """Describe a struct: its docstring, then each field with type, default and meaning."""
    yield f"{'#' * level} {kind.__name__}\n"
    yield split_docstring(kind)[0].replace("``", "`") + "\n"
    yield from tabulate_fields(kind, kind.__struct_fields__, read_meanings(kind))


def tabulate_fields(kind: type[msgspec.Struct], names: Iterable[str], meanings: dict[str, str]) -> Iterator[str]:
    """Write a table of fields of a struct, if there are any."""
    _, types = msgspec.json.schema_components([kind], ref_template="{name}")
    schemas = types[kind.__name__]["properties"]
    rows = [
        (
            code(field.name),
            write_type(schemas[field.encode_name]),
            code(write_default(field)),
            meanings.get(field.name, ""),
        )
        for field in msgspec.structs.fields(kind)
        if field.name in names
    ]
    if rows:
        yield from tabulate(("field", "type", "default", "meaning"), rows)


def write_type(schema: dict[str, Any]) -> str:  # noqa: PLR0911 - one line for each form of a schema
    """Write what JSON Schema allows in words, such as ``list of combatant``."""
    match schema:
        case {"anyOf": choices}:
            return " or ".join(dict.fromkeys(map(write_type, choices)))
        case {"$ref": name}:
            return code(name)
        case {"enum": values}:
            return ", ".join(code(msgspec.json.encode(value).decode()) for value in values)
        case {"x-names": kind}:
            return str(kind)
        case {"type": "array", "items": dict(items)}:
            return f"list of {write_type(items)}"
        case {"type": "array", "prefixItems": list(parts)}:
            return f"({', '.join(map(write_type, parts))})"
        case {"type": "object", "additionalProperties": dict(items)}:
            return f"map to {write_type(items)}"
        case {"type": str(kind)}:
            return {"string": "text", "object": "map"}.get(kind, kind)
        case _:
            return "any"


def write_default(field: msgspec.structs.FieldInfo) -> str:
    """Write the default of a field as JSON; a required field has none."""
    if field.default is not msgspec.NODEFAULT:
        return msgspec.json.encode(field.default).decode()
    if field.default_factory is not msgspec.NODEFAULT:
        return msgspec.json.encode(field.default_factory()).decode()
    return ""


def read_meanings(kind: type[msgspec.Struct]) -> dict[str, str]:
    """Return the meaning of each field, as its docstring or its type tells it."""
    noted = {one.name: getattr(one.type, "__metadata__", ()) for one in msgspec.structs.fields(kind)}
    told = {name: note.description for name, notes in noted.items() for note in notes if note.description}
    told |= {name: said for names, said in split_docstring(kind)[1] for name in names}
    return {name: said.replace("``", "`") for name, said in told.items()}


def describe_settings() -> Iterator[str]:
    """Describe the settings of each system, as ``affray rules SYSTEM --settings`` does."""
    yield "# Settings\n"
    yield "The settings of each rule system. An encounter's `[config]` names those that differ from the default."
    yield "[House rules](../house-rules.md) shows how.\n"
    for key in available():
        ruleset = load(key)
        yield f"## {ruleset.title}\n"
        settings = list_settings(ruleset)
        rows = ((code(one.key), code(one.usual), one.allows, one.says, ", ".join(one.clauses)) for one in settings)
        yield from tabulate(("setting", "default", "allowed", "meaning", "clauses"), rows)


def describe_refusals() -> Iterator[str]:
    """Describe the refusals: by clause those that scenarios have met, by code those of the engine itself."""
    yield "# Refusals\n"
    yield "A refused command changes nothing. Programs read its `code` and its `rule`; people read its message. A `…`"
    yield "stands for what is filled in where the command is refused.\n"
    yield "## Every system\n"
    rooms = [ROOT / "engine" / room for room in ("core", "kit", "runtime", "history")]
    found = {one for room in rooms for path in room.rglob("*.py") for one in list_refusals(path)}
    known = {name for name, message in found if message.strip("…")}
    rows = ((code(name), message) for name, message in sorted(found) if message.strip("…") or name not in known)
    yield from tabulate(("code", "message"), rows)
    for key in available():
        yield f"## {load(key).title}\n"
        clauses = tomllib.loads((ROOT / "tests" / "rulesets" / key / "refusals.toml").read_text("utf-8"))
        messages = ((clause, said["title"], text) for clause, said in clauses.items() for text in said["messages"])
        yield from tabulate(("clause", "title", "message"), messages)


def list_refusals(path: Path) -> Iterator[tuple[str, str]]:
    """List code and message of the refusals that a module makes."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.Call(func=ast.Name(id="Refused"), args=[ast.Constant(value=str(name)), _, message, *_]):
                yield name, write_expression(message)


def write_expression(node: ast.expr) -> str:
    """Write a text of the code with a ``…`` for each part that is computed."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=values):
            return "".join(map(write_expression, values))
        case ast.IfExp(body=body, orelse=other):
            return f"{write_expression(body)} / {write_expression(other)}"
        case _:
            return "…"
