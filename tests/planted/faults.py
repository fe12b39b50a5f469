"""The faults that can be planted into the code: cosmic-ray knows them, and which places there are for them.

What nobody could ever notice is left out: types of parameters and results, which are never evaluated, ``|`` in any
type, ``cache``, which only saves time, and how structs are held (``frozen``, ``kw_only``, ``gc``), which mypy looks at.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator
from cosmic_ray.operators.provider import OperatorProvider

ROOT = Path(__file__).parents[2]
LEFT_OUT = ("VariableReplacer", "VariableInserter")
"""Those that must be told names."""

OPERATORS: dict[str, Operator] = {
    name: OperatorProvider()[name]() for name in OperatorProvider() if name not in LEFT_OUT
}
CLAUSE = re.compile(r"\b[A-Z]{3}-[A-Z]?\d{2,3}\b")

CACHES = re.compile(r"(lru_)?cache\b")

Span = tuple[tuple[int, int], tuple[int, int]]


class Fault(NamedTuple):
    """A fault: where, by which operator, and which of the operator's places in the file it is.

    Attributes:
        file: Below the checkout.
        span: First and last line and column.
    """

    file: str
    operator: str
    occurrence: int
    span: Span

    @property
    def line(self) -> int:
        """Its line."""
        return self.span[0][0]

    @property
    def kind(self) -> str:
        """The operator without what it puts in place, so that ``+`` has one kind of fault and not eleven."""
        return self.operator.split("_")[0]

    def source(self) -> str | None:
        """Return the code of the file with the fault in it; nothing if it then reads the same, or is none."""
        before = read_source(self.file)
        try:
            after: str | None = mutate_code(before, OPERATORS[self.operator], self.occurrence)
            changed = after is not None and ast.dump(ast.parse(after)) != ast.dump(ast.parse(before))
        except (SyntaxError, AttributeError):  # the latter where an operator does not know such code: (*SOME, One)
            return None
        return after if changed else None

    def lines(self) -> tuple[str, str]:
        """Return the line before and after."""
        after = self.source() or ""
        pairs = zip(read_source(self.file).splitlines(), after.splitlines(), strict=False)
        return next(((was.strip(), now.strip()) for was, now in pairs if was != now), ("", ""))

    def function(self) -> tuple[str, str]:
        """Return the function around it, and the clauses that this names."""
        found, text = "", ""
        source = read_source(self.file)
        for node in ast.walk(ast.parse(source)):
            inside = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            if inside and node.lineno <= self.line <= (node.end_lineno or 0):  # type: ignore[attr-defined]
                found, text = node.name, ast.get_source_segment(source, node) or ""  # type: ignore[attr-defined]
        return found, ", ".join(dict.fromkeys(CLAUSE.findall(text)))


class Where(NamedTuple):
    """The code that faults are planted into.

    Attributes:
        rooms: Files and folders.
        without: Files and folders below them that are left out.
    """

    rooms: tuple[Path, ...]
    without: tuple[Path, ...] = ()

    @property
    def name(self) -> str:
        """What it is called among what is kept."""
        said = ["+".join(_below(room).replace("/", ".") for room in rooms) for rooms in self if rooms]
        return "-without-".join(said)

    def files(self) -> list[str]:
        """Return every file of it, below the checkout."""
        found = {file for room in self.rooms for file in (room.rglob("*.py") if room.is_dir() else [room])}
        return sorted(_below(file) for file in found if not any(file.is_relative_to(one) for one in self.without))


def _below(path: Path) -> str:
    return str(path.relative_to(ROOT))


def list_faults(files: Iterable[str]) -> dict[tuple[str, Span, str], list[Fault]]:
    """Return every fault in some files: by place and kind, the ways there are."""
    found: dict[tuple[str, Span, str], list[Fault]] = {}
    for file in files:
        for one in in_file(file):
            found.setdefault((one.file, one.span, one.kind), []).append(one)
    return found


def sample(where: Where, count: int, seed: int) -> list[Fault]:
    """Draw so many faults: a place and kind first, each alike, and one of its ways then."""
    dice = Random(f"{seed}")
    places = sorted(list_faults(where.files()).items())
    dice.shuffle(places)
    drawn: list[Fault] = []
    for _, ways in places:
        dice.shuffle(ways)
        made = next((one for one in ways if one.source() is not None), None)
        drawn += [made] if made else []
        if len(drawn) == count:
            break
    return drawn


def in_file(file: str) -> Iterator[Fault]:
    """Yield every fault in a file."""
    source = read_source(file)
    nodes = list(ast_nodes(get_ast(source)))
    types, unseen = _types(source), _unseen(source)
    for name, operator in OPERATORS.items():
        spans = [span for node in nodes for span in operator.mutation_positions(node)]
        for occurrence, span in enumerate(spans):
            never = _within(span, unseen) or (name.startswith("ReplaceBinaryOperator") and _within(span, types))
            if not never:
                yield Fault(file, name, occurrence, (tuple(span[0]), tuple(span[1])))


@cache
def read_source(file: str) -> str:
    return (ROOT / file).read_text("utf-8")


def _types(source: str) -> list[Span]:
    """Return where ``|`` and ``*`` calculate nothing: in types of fields, aliases of types, lists of parameters."""
    spans = [_span(node) for node in ast.parse(source).body if isinstance(node, ast.Assign)]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.AnnAssign):
            spans.append(_span(node.annotation))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            spans.append(((node.lineno, node.col_offset), (node.body[0].lineno, node.body[0].col_offset)))
    return spans


def _unseen(source: str) -> list[Span]:
    """Return where nothing that is changed can be noticed."""
    spans: list[Span] = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.arg(annotation=ast.expr() as kind):
                spans.append(_span(kind))
            case ast.FunctionDef(returns=kind, decorator_list=decorators):
                spans += [_span(kind)] if kind else []
                spans += [_span(one, before=1) for one in decorators if CACHES.match(ast.unparse(one))]
            case ast.Call(func=ast.Name(id="lru_cache")):
                spans.append(_span(node))
            case ast.ClassDef(keywords=keywords):
                spans += [_span(one.value) for one in keywords if one.arg in ("frozen", "kw_only", "gc")]
            case ast.If(test=ast.Name(id="TYPE_CHECKING") as test):
                spans.append(_span(test))
    return spans


def _span(node: ast.expr | ast.stmt, before: int = 0) -> Span:
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return (node.lineno, node.col_offset - before), (node.end_lineno, node.end_col_offset)


def _within(span: Span, others: Iterable[Span]) -> bool:
    return any(tuple(start) <= tuple(span[0]) and tuple(span[0]) < tuple(end) for start, end in others)
