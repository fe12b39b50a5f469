"""Each way to forget ``yield from`` is found, and no way to drive a rule is taken for one."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from affray.engine.system_check.driving import CalledRules, Driving
from affray.engine.system_check.source import Source
from tests.lint_yield_from.typed import check_modules

RULES = '''
"""Rules; each line with a remark is wrong, and says why."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Protocol

from affray.engine.core.effects import Roll, Rule


def wound(times: int) -> Rule[int]:
    """Hurt somebody."""
    yield from ()
    return times


def maybe(times: int) -> Rule[int] | None:
    """Hurt somebody, or nobody."""
    return wound(times) if times else None


class Blow(Protocol):
    """Something that hurts."""

    def resolve(self) -> Rule[int]:
        """Hurt somebody."""


class Frame:
    """Drives a rule."""

    def __init__(self, rule: Rule[int]) -> None:
        self.rule = rule


TABLE: dict[str, Callable[[int], Rule[int]]] = {"wound": wound, "again": lambda times: wound(times + 1)}


def numbers() -> Iterator[int]:
    """Count; this is no rule."""
    yield 1


@contextmanager
def open() -> Iterator[int]:
    """Open something; this is no rule."""
    yield 1


def driven(blow: Blow, hard: bool) -> Rule[int]:
    """Drive rules in every way there is."""
    with open():
        numbers()
    yield from wound(1)
    done = yield from blow.resolve()
    later = wound(2) if hard else TABLE["again"](2)
    done += yield from later
    done += yield from (wound(3) if done else blow.resolve())
    Frame(wound(4))
    Frame(rule=blow.resolve())
    kept = wound(5)
    Frame(kept)
    if (yield from wound(6)):
        done += 1
    yield from (named := wound(7))
    twice = partial(wound, 2)
    yield from twice()

    def inner() -> Rule[int]:
        return wound(8)

    return done + (yield from inner()) + sum(one for one in (1, 2)) + named.gi_yieldfrom.__sizeof__()


def handed(blow: Blow) -> Rule[int]:
    """Hand a rule on."""
    return blow.resolve()


def forgotten(blow: Blow, hard: bool) -> Rule[int]:
    """Forget to drive rules in every way there is."""
    yield from ()
    wound(1)  # statement
    blow.resolve()  # statement
    TABLE["wound"](1)  # statement
    maybe(1)  # statement
    partial(wound, 1)()  # statement
    later = partial(wound, 1)
    later()  # statement
    hard and wound(1)  # value
    wound(1) if hard else None  # statement
    [wound(one) for one in range(3)]  # value
    map(wound, range(3))  # statement
    len(list(map(wound, range(3))))  # none
    if wound(1):  # value
        return 1
    if not wound(1):  # value
        return 1
    if hard or wound(1):  # value
        return 1
    while wound(1):  # value
        return 1
    assert wound(1)  # value
    if wound(1) == 1:  # value
        return 1
    if bool(wound(1)):  # none
        return 1
    if any(wound(one) for one in range(3)):  # value
        return 1
    for _ in wound(1):  # value
        return 1
    number = 1 if wound(1) else 2  # value
    lost = wound(number)  # assigned
    looked = wound(1)  # assigned
    if looked:
        return 1
    again: Rule[int] = wound(1)  # assigned
    first, second = wound(1), 2  # value
    if seen := wound(1):  # assigned
        return 1
    yield wound(1)  # value
    return wound(1)  # returned
'''
WRONG = {
    "statement": "is called as a statement",
    "value": "is used as a value",
    "none": "is given to what takes no rule",
    "assigned": "is assigned and never driven",
    "returned": "is returned by a rule",
}


NEEDS_TYPES = {"TABLE", "partial", "blow", "map", "later"}
"""Lines with these words are wrong only for a reader who knows the type of a value."""


def remarks() -> dict[int, str]:
    """Return what is wrong with each line that is wrong."""
    lines = enumerate(RULES.lstrip().splitlines(), 1)
    return {line: WRONG[remark] for line, text in lines if (remark := text.partition("  # ")[2])}


def test_each_way_to_forget_it_is_found_and_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "rules.py"
    file.write_text(RULES.lstrip(), "utf-8")
    wrong = [one for module in check_modules(file, errors=True) for one in Driving(module).undriven()]
    assert {(one.call.lineno, one.wrong) for one in wrong} == set(remarks().items())


def test_most_ways_are_found_without_a_type_checker(tmp_path: Path) -> None:
    file = tmp_path / "undriven_rules.py"
    file.write_text(RULES.lstrip(), "utf-8")
    spec = spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    found = {(one.call.lineno, one.wrong) for one in Driving(CalledRules(Source(module))).undriven()}
    lines = RULES.lstrip().splitlines()
    known = set(remarks().items())
    assert found - known == set()
    missed = {lines[line - 1].strip() for line, _ in known - found}
    assert [one for one in missed if not any(word in one for word in NEEDS_TYPES)] == []
