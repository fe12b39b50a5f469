"""Any value of an encounter is refused, with its field, or gives a fight that can be shown and played."""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

import pytest

from affray.engine import Command, Fight, begin_fight
from affray.engine.analysis.policies import choose_sensibly
from affray.engine.core.loading import load, template
from affray.engine.errors import Refused
from affray.tools.api.legal_actions import everything, list_actions, list_actors
from affray.tools.parse.encounter_file import LONGEST_FILE, add_location, read_toml
from affray.tools.parse.faults import Fault, Faulty
from tests.rulesets.systems import SYSTEMS

# fmt: off
EXTREMES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 3, 7, 99, 1000, 10**6, 10**30, 0.5, float("nan"), float("inf"),
    "", " ", "x", "none", "d7", "0,0", "a" * 61, "a\nb", [], [1], [""], ["x", "x"], [[]], {}, {"x": 1}, [{}],
)
# fmt: on
COMMANDS = 2
MUTANTS = 40
LOOKED_AT = 50


def try_opening(content: dict[str, Any]) -> Fight | Fault:
    """Open a fight, or return how its encounter is refused."""
    try:
        with add_location(Path(), "", content):
            return begin_fight("fight", content, who="gm", seed=bytes(32))
    except Faulty as faulty:
        return faulty.fault


def plays(content: dict[str, Any], commands: int = COMMANDS) -> None:
    """Open a fight, and look at what may be done and do it, a few times; or let its fault be named."""
    fight = try_opening(content)
    if isinstance(fight, Fault):
        assert fight.field or "unknown field" in fight.message
        return
    dice = Random(1)
    for nth in range(commands):
        for mover in list_actors(fight).actors:
            list_actions(fight, mover.who, mover.manner)
        for one in islice(everything(fight), LOOKED_AT):
            assert one.says
        intent = choose_sensibly(fight, dice)
        if intent is None:
            return
        try:
            fight.submit(Command(id=str(nth), who="gm", intent=intent))
        except Refused:
            continue


def iterate_value_paths(content: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the way to every value."""
    inside = content.items() if isinstance(content, dict) else enumerate(content) if isinstance(content, list) else ()
    for key, value in inside:
        yield (*path, key)
        yield from iterate_value_paths(value, (*path, key))


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_key_of_the_configuration_is_checked(system: str) -> None:
    rules = load(system)
    content = tomllib.loads(template(rules))
    for key in rules.config.__struct_fields__:
        for value in (one for one in EXTREMES if one is not None):
            plays({**content, "config": {key: value}}, 0)


@pytest.mark.parametrize("system", SYSTEMS)
def test_any_value_is_refused_or_works(system: str) -> None:
    """Another kind, an extreme, one too many, one too few, a key that there is not."""
    content, dice = tomllib.loads(template(load(system))), Random(2)
    sites = list(iterate_value_paths(content))
    for _ in range(MUTANTS):
        mutant = copy.deepcopy(content)
        path = dice.choice(sites)
        parent: Any = mutant
        for key in path[:-1]:
            parent = parent[key]
        match dice.randrange(6):
            case 0:
                del parent[path[-1]]
            case 1 if isinstance(parent, list):
                parent.append(copy.deepcopy(parent[path[-1]]))
            case 2 if isinstance(parent, dict):
                parent["nothing"] = dice.choice(EXTREMES)
            case _:
                parent[path[-1]] = dice.choice(EXTREMES)
        plays(mutant)


@pytest.mark.parametrize(
    ("system", "key", "value", "there"),
    [
        ("wyrd", "chain_top", 7, "there are 12, 20"),
        ("verdigris", "pool_minimum", 3, "there are 0, 1"),
        ("verdigris", "stray_damage_sl", 3, "there are "),
    ],
)
def test_a_number_that_is_none_of_a_few_is_refused(system: str, key: str, value: int, there: str) -> None:
    content = {**tomllib.loads(template(load(system))), "config": {key: value}}
    with pytest.raises(Faulty) as found, add_location(Path(), "", content):
        begin_fight("fight", content, who="gm", seed=bytes(32))
    assert found.value.fault.field == f"config.{key}"
    assert there in found.value.fault.message


@pytest.mark.parametrize(
    ("text", "line", "limit"),
    [
        ("a." * 50_000 + "b = 1", 1, "32 parts"),
        ("x = 1\n[" + "'a' . " * 40 + "b]", 2, "32 parts"),
        ("x = 1\ny = {" + '"q".' * 40 + "z = 1}", 2, "32 parts"),
        ("#" * (LONGEST_FILE + 1), 0, str(LONGEST_FILE)),
        ("ä" * (LONGEST_FILE // 2 + 1), 0, str(LONGEST_FILE)),
        ("x = " + "[" * 50_000, 0, "nested"),
    ],
)
def test_a_file_without_end_is_refused_at_once(text: str, line: int, limit: str) -> None:
    begins = process_time()
    with pytest.raises(Faulty) as found:
        read_toml(text)
    assert process_time() - begins < 2
    assert limit in found.value.fault.message
    assert found.value.fault.line == line


def test_dots_in_a_text_are_no_key() -> None:
    assert read_toml('x = "' + "." * 500 + '"\na.b.c = "1.2.3"')[1] == {"x": "." * 500, "a": {"b": {"c": "1.2.3"}}}
