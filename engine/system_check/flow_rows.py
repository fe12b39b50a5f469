"""Faults of a flow: phases that no row reaches or leaves, and triggers without a row."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

from affray.engine.core.effects import Go
from affray.engine.core.flow import ANY, Flow
from affray.engine.core.ruleset import Ruleset

from .source import Function, Source, SystemFault, find_string, own_nodes

RESUME = "resume"
"""The trigger of an aftermath that continues in the same phase; it needs no row."""

Sources = tuple[Source, ...]


def find_flow_faults(ruleset: Ruleset, sources: Sources) -> Iterator[SystemFault]:
    """Yield the faults of a system's flow."""
    flow = ruleset.flow
    reachable = _list_reachable(flow)
    dead_ends = [*_find_dead_ends(ruleset, sources)]
    yield from dead_ends
    for phase in flow.phases:
        if phase not in reachable and not dead_ends:  # behind a dead end, many phases are out of reach
            yield _at(sources, phase, f"no row leads from {flow.initial} to the phase {phase}", _near(phase, flow))
    yield from _find_unknown_phases(flow, sources)
    for what in ("procedures", "windows", "resolving"):
        for phase in getattr(ruleset.turns, what):
            if phase not in flow.phases:
                known = next(iter(get_close_matches(phase, flow.phases)), flow.initial)
                yield _at(sources, phase, f"{what}: the flow has no phase {phase}", f'"{known}"')
    yield from _find_unknown_triggers(ruleset, sources)


def _list_reachable(flow: Flow) -> set[str]:
    """Return the phases that rows lead to from the first one."""
    reached, waiting = {flow.initial}, [flow.initial]
    while waiting:
        phase = waiting.pop()
        for (source, _), step in flow.table.items():
            if source == phase and step.dest not in reached:
                reached.add(step.dest)
                waiting.append(step.dest)
    return reached


def _find_dead_ends(ruleset: Ruleset, sources: Sources) -> Iterator[SystemFault]:
    """Yield the phases without a row out; a phase that refuses all triggers by name is an end."""
    flow = ruleset.flow
    left = {source for source, _ in flow.table}
    for phase in flow.phases:
        if phase not in left and phase not in ruleset.turns.resolving and not flow.is_refused_in(phase):
            near = _near(phase, flow)
            message = f"no row leaves the phase {phase}, so that a fight stands still in it"
            yield _at(sources, phase, message, near or f'Forbidden("{phase}", "*", "fight_over", …) if it is the end')
    for phase in ruleset.turns.windows:
        if phase in flow.phases and (phase, "close") not in flow.table:
            yield _at(sources, phase, f"no row leaves the window {phase} on close", f'Step("{phase}", "close", …)')


def _near(phase: str, flow: Flow) -> str:
    """Return the phase that was probably meant, as an argument of a row."""
    close = get_close_matches(phase, [one for one in flow.phases if one != phase], n=1, cutoff=0.7)
    return f'"{close[0]}"' if close else ""


def _find_unknown_phases(flow: Flow, sources: Sources) -> Iterator[SystemFault]:
    """Yield the texts that are compared with a phase of the fight, and are none."""
    for source in sources:
        for node in source.nodes:
            if isinstance(node, ast.Compare) and any(map(_reads_phase, (node.left, *node.comparators))):
                for one in (below for side in (node.left, *node.comparators) for below in _list_compared(side)):
                    if one.value and one.value not in flow.phases:
                        near = _near(str(one.value), flow) or " or ".join(f'"{phase}"' for phase in flow.phases)
                        yield source.fault("flow", one, f"the flow has no phase {one.value!s}", near)


def _reads_phase(node: ast.expr) -> bool:
    match node:
        case ast.Attribute(value=ast.Attribute(attr="draft") | ast.Name(id="draft" | "state"), attr="phase"):
            return True
        case ast.Subscript(value=ast.Attribute(attr="phases"), slice=ast.Constant(value="")):
            return True
    return False


def _list_compared(side: ast.expr) -> list[ast.Constant]:
    """Return the texts of a comparison's side: itself, or the members of a collection."""
    members = side.elts if isinstance(side, ast.Tuple | ast.List | ast.Set) else [side]
    return [one for one in members if isinstance(one, ast.Constant) and isinstance(one.value, str)]


def _find_unknown_triggers(ruleset: Ruleset, sources: Sources) -> Iterator[SystemFault]:
    flow, turns = ruleset.flow, ruleset.turns
    said = {trigger: f"manner {manner}" for manner, trigger in turns.manners.items() if manner in turns.declarable}
    said |= {form.own_trigger: f"action {kind}" for kind, form in ruleset.actions.items() if form.own_trigger}
    for trigger, what in said.items():
        if trigger not in flow.triggers:
            yield _at(sources, trigger, f"{what}: no row of the flow has the trigger {trigger}", _say(trigger, flow))
    for phase, rule in turns.procedures.items():
        known = [trigger for source, trigger in flow.table if source == phase]
        yield from _check_returns(rule, known, f"no row leaves {phase} on", sources)
    returning: list[Any] = [
        turns.aftermath,
        ruleset.corrections.reopen,
        *(form.decide for form in ruleset.rulings.values()),
    ]
    for one in returning:
        yield from _check_returns(one, [*flow.triggers, RESUME], "no row of the flow has the trigger", sources)
    for source in sources:
        for node in source.nodes:
            if isinstance(node, ast.Call) and node.args and source.resolve(node.func) is Go:
                yield from _check_trigger(node.args[0], flow.triggers, "no row of the flow has the trigger", source)


def _check_returns(rule: Any, known: Any, why: str, sources: Sources) -> Iterator[SystemFault]:
    """Yield a fault for each trigger that a rule returns and no row has."""
    found = find_function(rule, sources)
    if found is not None:
        source, function = found
        for node in own_nodes(function):
            if isinstance(node, ast.Return) and node.value is not None:
                yield from _check_trigger(node.value, known, why, source)


def _check_trigger(node: ast.expr, known: Any, why: str, source: Source) -> Iterator[SystemFault]:
    if isinstance(node, ast.IfExp):
        yield from _check_trigger(node.body, known, why, source)
        yield from _check_trigger(node.orelse, known, why, source)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value and node.value not in known:
        close = get_close_matches(node.value, known, n=1)
        instead = f'"{close[0]}"' if close else f'Step("…", "{node.value}", "…", None, "…") in the flow'
        yield source.fault("flow", node, f"{why} {node.value}", instead)


def find_function(rule: Any, sources: Sources) -> tuple[Source, Function] | None:
    """Return the syntax tree of a function in the sources."""
    code = getattr(inspect.unwrap(rule), "__code__", None)
    for source in sources:
        if code is None or str(source.path) != code.co_filename:
            continue
        for node in source.nodes:
            if (
                isinstance(node, ast.FunctionDef)
                and node.name == code.co_name
                and first_line(node) == code.co_firstlineno
            ):
                return source, node
    return None


def first_line(node: ast.FunctionDef) -> int:
    """Return the first line of a function, with its decorators."""
    return min([node.lineno, *(one.lineno for one in node.decorator_list)])


def _say(trigger: str, flow: Flow) -> str:
    close = get_close_matches(trigger, flow.triggers, n=1)
    return f'"{close[0]}"' if close else f'Step("{flow.initial if ANY in trigger else "…"}", "{trigger}", "…")'


def _at(sources: Sources, text: str, message: str, instead: str) -> SystemFault:
    file, line = find_string(sources, text, "Step")
    return SystemFault(kind="flow", message=message, file=file, line=line, instead=instead)
