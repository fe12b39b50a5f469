"""The faults that can be planted into the code: cosmic-ray knows them, and which places there are for them.

A filter leaves out what nobody could ever notice: types of parameters and results, which are never evaluated, ``|`` in
any type, ``cache``, which only saves time, and how structs are held (``frozen``, ``kw_only``, ``gc``), which mypy looks
at. ``equivalent.toml`` lists the others that change nothing.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator
from cosmic_ray.plugins import get_operator, operator_names
from cosmic_ray.work_item import MutationSpec

ROOT = Path(__file__).parents[2]
EQUIVALENT = Path(__file__).with_name("equivalent.toml")
OPERATORS: dict[str, Operator] = {
    name: get_operator(name)() for name in operator_names() if not get_operator(name).arguments()
}
"""All but those that must be told names."""

CLAUSE = re.compile(r"\b[A-Z]{3}-[A-Z]?\d{2,3}\b")

CACHES = re.compile(r"(lru_)?cache\b")

Span = tuple[tuple[int, int], tuple[int, int]]


def kind_of(fault: MutationSpec) -> str:
    """Return the operator without what it puts in place, so that ``+`` has one kind of fault and not eleven."""
    return str(fault.operator_name.removeprefix("core/").split("_")[0])


def read_mutated(fault: MutationSpec) -> str | None:
    """Return the code of the file with the fault in it; nothing if it then reads the same, or is none."""
    return _mutate(str(fault.module_path), fault.operator_name, fault.occurrence)


@cache
def _mutate(file: str, operator: str, occurrence: int) -> str | None:
    before = read_source(file)
    try:
        after: str | None = mutate_code(before, OPERATORS[operator], occurrence)
        changed = after is not None and ast.dump(ast.parse(after)) != ast.dump(ast.parse(before))
    except (SyntaxError, AttributeError):  # the latter where an operator does not know such code: (*SOME, One)
        return None
    return after if changed else None


def find_changed_line(fault: MutationSpec) -> tuple[str, str]:
    """Return the line before and after."""
    pairs = zip(read_source(fault.module_path).splitlines(), (read_mutated(fault) or "").splitlines(), strict=False)
    return next(((was.strip(), now.strip()) for was, now in pairs if was != now), ("", ""))


def find_function(fault: MutationSpec) -> tuple[str, str]:
    """Return the function around a fault, and the clauses that this names."""
    found, text = "", ""
    source = read_source(fault.module_path)
    for node in ast.walk(ast.parse(source)):
        inside = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        if inside and node.lineno <= fault.start_pos[0] <= (node.end_lineno or 0):  # type: ignore[attr-defined]
            found, text = node.name, ast.get_source_segment(source, node) or ""  # type: ignore[attr-defined]
    return found, ", ".join(dict.fromkeys(CLAUSE.findall(text)))


def list_code(rooms: Sequence[Path], without: Sequence[Path] = ()) -> list[str]:
    """Return every file of some files and folders, below the checkout."""
    found = {file for room in rooms for file in (room.rglob("*.py") if room.is_dir() else [room])}
    return sorted(str(file.relative_to(ROOT)) for file in found if not any(file.is_relative_to(one) for one in without))


def sample(files: Iterable[str], count: int, seed: int) -> list[MutationSpec]:
    """Draw so many faults: a place and kind first, each alike, and one of its ways then."""
    found: dict[tuple[str, Span, str], list[MutationSpec]] = {}
    for file in files:
        for one in list_faults(file):
            found.setdefault((file, (one.start_pos, one.end_pos), kind_of(one)), []).append(one)
    dice = Random(f"{seed}")
    places = sorted(found.items())
    dice.shuffle(places)
    drawn: list[MutationSpec] = []
    for _, ways in places:
        dice.shuffle(ways)
        made = next((one for one in ways if read_mutated(one) is not None), None)
        drawn += [made] if made else []
        if len(drawn) == count:
            break
    return drawn


def list_faults(file: str) -> Iterator[MutationSpec]:
    """Yield every fault in a file."""
    source = read_source(file)
    nodes = list(ast_nodes(get_ast(source)))
    types, unseen = _types(source), _unseen(source)
    for name, operator in OPERATORS.items():
        spans = [span for node in nodes for span in operator.mutation_positions(node)]
        for occurrence, (start, end) in enumerate(spans):
            never = _within(start, unseen) or (name.startswith("core/ReplaceBinaryOperator") and _within(start, types))
            if not never:
                yield MutationSpec(Path(file), name, occurrence, tuple(start), tuple(end))


@cache
def read_equivalents() -> dict[tuple[str, str, str], str]:
    """Return the faults without any observable effect: file, line before and after, and reason."""
    told = tomllib.loads(EQUIVALENT.read_text("utf-8")).get("equivalent", [])
    return {(one["file"], one["was"], one["now"]): one["why"] for one in told}


def is_equivalent(fault: MutationSpec) -> bool:
    """Tell whether a fault is listed as one that changes nothing."""
    return (str(fault.module_path), *find_changed_line(fault)) in read_equivalents()


@cache
def read_source(file: str | Path) -> str:
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


def _within(place: Sequence[int], spans: Iterable[Span]) -> bool:
    return any(start <= tuple(place) < end for start, end in spans)
