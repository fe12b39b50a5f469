"""Faults of words: pools, conditions and others that the code writes and the vocabulary does not declare."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from itertools import chain
from typing import Any

import msgspec

from affray.engine.core.perils import list_peril_faults
from affray.engine.core.ruleset import Ruleset
from affray.engine.core.state import Combatant
from affray.engine.core.table import Table
from affray.engine.core.vocabulary import TABLES, Vocabulary, faults
from affray.events import names, topic_of

from .source import UNKNOWN, Source, SystemFault

LEFT_OUT = frozenset({"options", "triggers", "phases", "traits", "clocks", "purposes", "manners", "views", "marks"})
"""Tables to which a game master or a sheet can add words, or whose words need no label."""

PARAMETERS = {one: TABLES[one] for one in ("pool", "condition", "counter", "outcome", "stat")}
"""The parameters of functions that take a word."""

FILE = "vocabulary.toml"


def find_word_faults(ruleset: Ruleset, sources: tuple[Source, ...]) -> Iterator[SystemFault]:
    """Yield the words of a system's code that its vocabulary does not declare, and the faults of the vocabulary."""
    file = files(ruleset.package) / FILE
    words = ruleset.vocabulary
    if file.is_file():
        text = file.read_text("utf-8").splitlines()
        for fault in chain(faults(words, ruleset.actions, ruleset.rulings), list_peril_faults(ruleset)):
            at = find_line(text, fault)
            yield SystemFault(kind="word", message=fault, file=str(file), line=at, instead=_advise(fault, ruleset))
    for source in sources:
        for node in source.nodes:
            if isinstance(node, ast.Call):
                yield from _find_undeclared(node, source, words)


def _advise(fault: str, ruleset: Ruleset) -> str:
    """Return a line that would mend a fault of the vocabulary; empty if none is known."""
    table, _, said = fault.partition(": ")
    if undeclared := re.fullmatch(r"(\w+) is not declared", said):
        return f'{undeclared[1]} = {{ says = "…" }} under [{table}]'
    if said == "there is no such action":
        kind = table.partition(".")[2]
        close = get_close_matches(kind, [one for one in ruleset.actions if one not in ruleset.vocabulary.actions], n=1)
        return close[0] if close else f'a class with @declared_as("{kind}", …) in the actions of the Ruleset'
    return ""


def _find_undeclared(call: ast.Call, source: Source, words: Vocabulary) -> Iterator[SystemFault]:
    """Yield the undeclared words among the constants of a call."""
    for name, value in _list_arguments(call, source):
        table, given = name
        for node in value.elts if isinstance(value, ast.Tuple | ast.List) else (value,):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
                word = topic_of(node.value)
                if word not in getattr(words, table):
                    message = f"{given}: {word} is not declared in vocabulary.toml"
                    yield source.fault("word", node, message, f"{word} = {{}} under [{table}]")


def _list_arguments(call: ast.Call, source: Source) -> Iterator[tuple[tuple[str, str], ast.expr]]:
    """Yield the arguments of a call that take a word: its table, its parameter, and the expression."""
    called = source.resolve(call.func)
    if called is UNKNOWN and isinstance(call.func, ast.Attribute):
        called = METHODS.get(call.func.attr, UNKNOWN)
        if called is UNKNOWN or len(call.args) != len(inspect.signature(called).parameters) - 1:
            return
        bound = dict(zip(list(inspect.signature(called).parameters)[1:], call.args, strict=True))
    elif called is UNKNOWN or not callable(called):
        return
    else:
        bound = _bind(called, call)
    tables = list_word_parameters(called)
    for name, value in bound.items():
        if name in tables:
            yield (tables[name], name), value


METHODS: Mapping[str, Any] = {"has": Combatant.has, "pool": Table.pool}
"""The methods of the state that take a word."""


@cache
def list_word_parameters(called: Any) -> Mapping[str, str]:
    """Return the table of words for each parameter of a callable that takes a word."""
    if isinstance(called, type) and issubclass(called, msgspec.Struct):
        try:
            found = {name: TABLES.get(kind, "") for name, kind in names(called).items()}
        except (TypeError, NameError):  # a struct that msgspec cannot describe names nothing
            found = {}
    else:
        found = PARAMETERS if _is_of_engine(called) else {}
    return {name: table for name, table in found.items() if table and table not in LEFT_OUT}


def _is_of_engine(called: Any) -> bool:
    return str(getattr(called, "__module__", "")).startswith("affray.engine.core.")


def _bind(called: Any, call: ast.Call) -> dict[str, ast.expr]:
    """Return the expressions of a call by the names of their parameters."""
    given = {one.arg: one.value for one in call.keywords if one.arg is not None}
    if isinstance(called, type):
        return given
    try:
        order = list(inspect.signature(called).parameters)
    except (TypeError, ValueError):
        return given
    positional = [one for one in call.args if not isinstance(one, ast.Starred)]
    return {**dict(zip(order, positional, strict=False)), **given}


def find_line(text: list[str], fault: str) -> int:
    """Return the line of the vocabulary that a fault is about: that of its word, else of its table."""
    table, _, rest = fault.partition(":")[0].partition(".")
    word = rest.partition(".")[0]
    inside, at = False, 0
    for number, line in enumerate(text, 1):
        if line.startswith("["):
            inside = line.strip() == f"[{table}]" or line.startswith(f"[{table}.{word}")
            at = at or (number if inside else 0)
        elif inside and word and line.replace('"', "").startswith((f"{word} ", f"{word}=")):
            return number
    return at
