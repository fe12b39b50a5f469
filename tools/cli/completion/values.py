"""Completion functions for the values of arguments and options."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, get_args

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from affray.engine.fight import Fight
    from affray.tools.cli.play.completion_grammar import Following, Next

    Completes = Callable[[click.Context, click.Parameter, str], list[CompletionItem[str]]]
    """A completion function of click. It takes the beginning of a value."""

DATABASE = ".db"


def files(*endings: str) -> Completes:
    """Build a function that completes files with given endings, and folders."""

    def complete(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem[str]]:
        if begun.startswith("~"):  # the shell expands it, perhaps otherwise than we would
            return [CompletionItem(begun, type="file")]
        return [CompletionItem(one) for one in _files(begun, endings)]

    return complete


def _files(begun: str, endings: Sequence[str]) -> Iterator[str]:
    """Yield the files with given endings, and the folders, that continue a path."""
    folder, name = os.path.split(begun)
    with suppress(OSError), os.scandir(folder or ".") as there:
        for one in sorted(there, key=lambda one: one.name):
            if not one.name.startswith(name) or (one.name.startswith(".") and not name):
                continue
            said = os.path.join(folder, one.name)  # noqa: PTH118 - a Path would change how it is written
            if one.is_dir():
                yield f"{said}/"
            elif one.name.endswith(tuple(endings)):
                yield said


def fights(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem[str]]:
    """Complete a fight: a log, or a fight in a database, but none on a server."""
    scheme = "sqlite:" if begun.startswith("sqlite:") else ""
    path, mark, name = begun.removeprefix(scheme).partition("#")
    if mark:
        return [CompletionItem(f"{scheme}{path}#{one}") for one in _fights_in(Path(path)) if one.startswith(name)]
    found = [
        f"{scheme}{one}"
        for one in _files(path, (DATABASE,) if scheme else (".jsonl", ".jsonl.txt", ".ndjson", DATABASE))
    ]
    if len(found) == 1 and found[0].endswith(DATABASE):
        return fights(context, parameter, f"{found[0]}#")
    return [CompletionItem(f"{one}#" if one.endswith(DATABASE) else one) for one in found]


def _fights_in(database: Path) -> Iterable[str]:
    """Return the fights in a database."""
    from affray.engine.stores import SqliteStore  # noqa: PLC0415 - few completions need it

    return SqliteStore(database).fights() if database.is_file() else ()


def parties(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem[str]]:
    """Complete a party: a TOML file, or a party in a database."""
    path, mark, name = begun.partition("#")
    if mark:
        return [CompletionItem(f"{path}#{one}") for one in _parties(Path(path)) if one.startswith(name)]
    return [CompletionItem(f"{one}#" if one.endswith(DATABASE) else one) for one in _files(begun, (".toml", DATABASE))]


def _parties(database: Path) -> Iterable[str]:
    """Return the parties in a database."""
    from affray.engine.stores import SqliteStore  # noqa: PLC0415 - few completions need it
    from affray.engine.stores.documents import documents_of  # noqa: PLC0415 - few completions need it

    return (
        [one.name for one in documents_of(SqliteStore(database)).list_documents("party")] if database.is_file() else ()
    )


def stores(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem[str]]:
    """Complete a store of several fights: a database, or a folder."""
    return [CompletionItem(one) for one in _files(begun, (DATABASE,))]


def tables(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem[str]]:
    """Complete a table of the named rule system."""
    from affray.engine.core.loading import available, load  # noqa: PLC0415 - few completions need it

    system = context.params.get("system")
    shelves = load(system).encounters.library if system in available() else ()
    return [CompletionItem(one.key, help=one.title) for one in shelves if one.key.startswith(begun)]


def systems(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem[str]]:
    """Complete the name of a rule system."""
    from affray.engine.core.loading import load_all  # noqa: PLC0415 - few completions need it

    return [CompletionItem(one.name, help=one.title) for one in load_all() if one.name.startswith(begun)]


def clauses(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem[str]]:
    """Complete a clause of the named rule system."""
    from affray.engine.core.loading import load  # noqa: PLC0415 - few completions need it

    texts = load(context.params["system"]).clauses
    return [CompletionItem(one, help=text.title) for one, text in texts.items() if one.startswith(begun.upper())]


def settings(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem[str]]:
    """Complete ``KEY=VALUE`` of the configuration of the first named fight."""
    from msgspec import inspect  # noqa: PLC0415 - few completions need it

    from affray.tools.parse.forms import kinds_of  # noqa: PLC0415 - few completions need it

    fight = _fight(context)
    found = []
    for key, kinds in kinds_of(fight.ruleset.config).items():
        known = [str(value) for kind in kinds if isinstance(kind, inspect.LiteralType) for value in kind.values]
        known += ["true", "false"] * any(isinstance(kind, inspect.BoolType) for kind in kinds)
        whole = "=" in begun
        found += [f"{key}={value}" for value in known] if whole and known else [f"{key}="]
    return [CompletionItem(one) for one in found if one.startswith(begun)]


def _fight(context: click.Context) -> Fight:
    """Load the fight that a command names, at the position that it names, if any."""
    from affray.engine.analysis.explain import rebuild_fight_at  # noqa: PLC0415 - few completions need it
    from affray.engine.opening import look_at_fight  # noqa: PLC0415 - few completions need it
    from affray.tools.api.store_url import place_of  # noqa: PLC0415 - few completions need it

    # click has not assigned the arguments yet after an option whose value is completed
    said = context.params.get("said") or next(iter(context.params.get("fights") or context.args), "")
    place = place_of(said)
    fight, _ = look_at_fight(place.name, place.store)
    amended = context.params.get("position")
    return rebuild_fight_at(fight, amended - 1 if amended else context.params.get("at"))


def _items(found: Iterable[Next]) -> list[CompletionItem[str]]:
    """Convert words of the grammar to items of click."""
    from affray.tools.parse.typed_names import words_of  # noqa: PLC0415 - the shell quotes in its own manner

    return [CompletionItem(" ".join(words_of(one.word)), help=one.says or None) for one in found]


def _words(following: Callable[[], Following]) -> Completes:
    """Build a function that completes the words of a command, one argument each.

    Args:
        following: Returns the grammar function for the words. It is called only on completion, to load modules late.
    """

    def complete(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem[str]]:
        said = context.params.get(parameter.name or "") or ()
        return _items(_grammar().complete_word(_fight(context), said, begun, following()))

    return complete


def _line(following: Callable[[], Following]) -> Completes:
    """Build a function that completes a line that is one value, such as ``--if "…"``."""

    def complete(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem[str]]:
        return [
            CompletionItem(one.word, help=one.says or None)
            for one in _grammar().lines(_fight(context), begun, following())
        ]

    return complete


def _grammar() -> ModuleType:
    """Import the grammar of completions, which loads slowly."""
    from affray.tools.cli.play import completion_grammar  # noqa: PLC0415 - it imports all of play

    return completion_grammar


declared = _words(lambda: _grammar().declared_next)
answered = _words(lambda: _grammar().answered_next)
ruled = _words(lambda: _grammar().ruled_next)
amended = _words(lambda: _grammar().amended_next)
tried_line = _line(lambda: _grammar().tried_next)


def autos(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem[str]]:
    """Complete ``SIDE=POLICY``."""
    from affray.engine.analysis.policy_registry import POLICIES  # noqa: PLC0415 - few completions need it

    side, equals, _ = begun.partition("=")
    said = [f"{side}={one}" for one in POLICIES] if equals else _sides(context)
    return [CompletionItem(one) for one in said if one.startswith(begun)]


def sides(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem[str]]:
    """Complete a side of the fight."""
    return [CompletionItem(one) for one in _sides(context) if one.startswith(begun)]


def _sides(context: click.Context) -> list[str]:
    """Return the sides of the fight."""
    return list(dict.fromkeys(one.side for one in _fight(context).state.combatants.values()))


def people(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem[str]]:
    """Complete a combatant of the fight."""
    there = _fight(context).state.combatants
    return [CompletionItem(who, help=one.name) for who, one in there.items() if who.startswith(begun)]


def asks(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem[str]]:
    """Complete a value for when to ask a combatant."""
    from affray.events import WhenAsked  # noqa: PLC0415 - few completions need it

    return [CompletionItem(one) for one in get_args(WhenAsked) if one.startswith(begun)]
