"""The commands ``rules``, ``schema`` and ``diagram``."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from itertools import groupby
from typing import TYPE_CHECKING, Any

import click
import msgspec

from affray.engine.core.actions import Action, Ruling
from affray.engine.core.catalogue import ClauseText
from affray.engine.core.loading import available, load
from affray.engine.core.ruleset import Ruleset
from affray.engine.errors import Unusable
from affray.events import Clause
from affray.events import build_schema as schema_of_lines
from affray.tools.cli.command_output import deliver
from affray.tools.cli.completion import values
from affray.tools.cli.options import force_option, json_option
from affray.tools.cli.printing import say, say_document, say_json, wrap_below
from affray.tools.cli.terminal import console, join_pieces
from affray.tools.clients import typescript as types_for_typescript
from affray.tools.text.spelling_hints import nearest

if TYPE_CHECKING:
    from affray.tools.book.code import Function
    from affray.tools.book.settings import Setting


@click.command()
@click.argument("system", metavar="SYSTEM", shell_complete=values.systems)
@click.argument("clause", metavar="[CLAUSE]", required=False, shell_complete=values.clauses)
@click.option("--book", "file", metavar="FILE", help="Write the book of all clauses, one page; - for standard output.")
@click.option("--check", is_flag=True, help="Check the system: flow, clauses, words, rules, and trial fights.")
@click.option("--settings", is_flag=True, help="Print the settings of [config]: default, allowed values, meaning.")
@click.option("--fights", type=click.IntRange(0, 1_000), default=50, metavar="N", help="Trial fights of --check; 50.")
@force_option
@json_option
@click.pass_context
def rules(
    context: click.Context,
    system: str,
    clause: str | None,
    file: str | None,
    check: bool,
    settings: bool,
    fights: int,
    force: bool,
    as_json: bool,
) -> None:
    """Print a rule system's clauses, or one of them; or write its book.

    The book is one self-contained page. It has every clause with its settings, an example, the exact chances, the code
    that decides it, and the recorded fights that cite it.

    With --check, the exit code is 1 if a fault is found. Each fault has its file and line.
    """
    alone = [name for name, given in (("--book", file), ("--check", check), ("--settings", settings)) if given]
    if alone and (clause is not None or len(alone) > 1 or (file is not None and as_json)):
        raise click.UsageError(f"{alone[0]} goes with SYSTEM alone")
    if check:
        context.exit(_check(system, fights, as_json=as_json))
    ruleset = find(system)
    if settings:
        _print_settings(ruleset, as_json=as_json)
    elif file is not None:
        _write_book(ruleset, file, force=force)
    else:
        _print_clauses(ruleset, clause, as_json=as_json)


def _check(system: str, fights: int, *, as_json: bool) -> int:
    """Check a system; return the exit code."""
    from .system_reports import print_check  # noqa: PLC0415 - only authors of rules wait for it

    if system not in available():
        find(system)
    return print_check(system, fights, as_json=as_json)


def _print_settings(ruleset: Ruleset, *, as_json: bool) -> None:
    from .system_reports import print_settings  # noqa: PLC0415 - as below

    print_settings(ruleset, as_json=as_json)


def _print_clauses(ruleset: Ruleset, clause: str | None, *, as_json: bool) -> None:
    """Print all clauses, or one of them with what decides and sets it."""
    chosen = dict(ruleset.clauses) if clause is None else _one(ruleset, clause)
    keys = () if clause is None else _settings(ruleset, chosen)
    decided = () if clause is None else _deciders(ruleset, chosen)
    if as_json:
        reply = {"system": ruleset.name, "version": ruleset.version, "title": ruleset.title, "clauses": chosen}
        places = [{"file": one.file, "function": one.name, "line": one.line} for one in decided]
        more = {"decided": places, "settings": keys, "book": _book_command(ruleset)}
        say_json(reply if clause is None else {**reply, **more})
        return
    for section, group in groupby(chosen.items(), key=lambda one: one[1].section):
        say(f"{ruleset.title}: {section}", bold=True)
        for name, text in group:
            say()
            _print(name, text)
        say()
    if clause is not None:
        for one in decided:
            say(f"Decided by {one.name} in {one.file}, line {one.line}.")
            say()
        for key in keys:
            _set_by(key)
        say(f"With an example, its chances and its code, in the book: {_book_command(ruleset)}")


def _settings(ruleset: Ruleset, chosen: Collection[Clause]) -> tuple[Setting, ...]:
    """Return the settings that change any of some clauses."""
    from affray.tools.book.settings import list_settings  # noqa: PLC0415 - as below

    return tuple(one for one in list_settings(ruleset) if set(one.clauses) & set(chosen))


def _deciders(ruleset: Ruleset, chosen: Collection[Clause]) -> tuple[Function, ...]:
    """Return the functions that decide some clauses."""
    from affray.tools.book.code import find_deciders  # noqa: PLC0415 - as below

    found = find_deciders(ruleset)
    return tuple(one for clause in chosen for one in found.get(clause, ()))


def _set_by(key: Setting) -> None:
    """Print a setting and its values."""
    usual = key.usual.strip('"')
    ways = " or ".join(way.strip('"') for way in key.choices) + f", usually {usual}" if key.choices else usual
    for line in wrap_below(f"Setting {key.key} ({ways}): {key.says}"):
        say(line)
    say()


def _book_command(ruleset: Ruleset) -> str:
    """Return the command that writes a system's book."""
    return f"affray rules {ruleset.name} --book {ruleset.name}.html"


def _write_book(ruleset: Ruleset, file: str, *, force: bool) -> None:
    """Write a system's book."""
    from affray.tools.book import html  # noqa: PLC0415 - few commands write a book, and what it takes is long to load

    deliver(file, html(ruleset), f"written to {file}", force=force)


def find(system: str) -> Ruleset:
    """Load a rule system; suggest the nearest name if there is none."""
    try:
        return load(system)
    except Unusable as error:
        raise Unusable(error.message + nearest(system, available()), error.field) from None


def _one(ruleset: Ruleset, clause: str) -> dict[Clause, ClauseText]:
    """Return the clause of a number, however it is typed."""
    name = next((one for one in ruleset.clauses if _bare(one) == _bare(clause)), clause.upper())
    if name not in ruleset.clauses:
        known = list(ruleset.clauses)
        hint = nearest(name, known)
        raise Unusable(f"{ruleset.title} has no clause {clause}; they are {known[0]} to {known[-1]}{hint}", "clause")
    return {name: ruleset.clauses[name]}


def _bare(clause: str) -> str:
    """Normalise a clause id: upper case, without hyphen and leading zeros."""
    return re.sub(r"(?<![0-9])0+(?=[0-9])", "", clause.strip().upper().replace("-", ""))


def _print(name: Clause, text: ClauseText) -> None:
    """Print a clause."""
    console().print(join_pieces((name, "cyan"), "  ", (text.title, "bold")), soft_wrap=True)
    for label, said in (
        ("", text.says),
        ("The game master may decide: ", text.discretion),
        ("Cannot be observed: ", text.unobservable),
    ):
        if said:
            for line in wrap_below(label + said):
                say(line)


@click.command()
@click.argument("system", metavar="[SYSTEM]", required=False, shell_complete=values.systems)
@click.option("--typescript", is_flag=True, help="Print TypeScript types instead: lines, events, state and commands.")
@click.option("--vocabulary", is_flag=True, help="Print the words of a system instead: labels, sentences, roles.")
@json_option
def schema(system: str | None, typescript: bool, vocabulary: bool, as_json: bool) -> None:
    """Print the JSON Schema of a log line and of all actions and rulings."""
    del as_json  # a schema is JSON either way
    if typescript:
        if system:
            raise Unusable("the TypeScript types are the same for every system", "system")
        say_document(types_for_typescript())
        return
    names = (system,) if system else available()
    if vocabulary:
        say_document(
            msgspec.json.format(msgspec.json.encode({name: find(name).vocabulary for name in names})).decode() + "\n"
        )
        return
    whole = schema_of_lines()
    for name in names:
        whole["$defs"].update(describe_parameters(find(name)))
    say_document(json.dumps(whole, indent=2, ensure_ascii=False) + "\n")


def describe_parameters(ruleset: Ruleset) -> dict[str, Any]:
    """Return the schemas of parameters, by names as ``vestige.action.attack``."""
    kinds: list[tuple[str, str, type[Action] | type[Ruling]]] = [
        *(("action", kind, form) for kind, form in ruleset.actions.items()),
        *(("ruling", kind, form) for kind, form in ruleset.rulings.items()),
    ]
    found: dict[str, Any] = {}
    for family, kind, form in kinds:
        _, parts = msgspec.json.schema_components((form,), ref_template=f"#/$defs/{ruleset.name}.{{name}}")
        own = parts.pop(form.__name__)
        found |= {f"{ruleset.name}.{name}": part for name, part in parts.items()}
        found[f"{ruleset.name}.{family}.{kind}"] = {"description": form.says, **own}
    return found


@click.command()
@click.argument("system", metavar="SYSTEM", shell_complete=values.systems)
@json_option
def diagram(system: str, as_json: bool) -> None:
    """Draw a rule system's phases as a Mermaid state diagram."""
    ruleset = find(system)
    drawn = ruleset.flow.mermaid(ruleset.title)
    if as_json:
        say_json({"system": ruleset.name, "mermaid": drawn})
    else:
        say_document(drawn + "\n")
