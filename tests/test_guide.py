"""The code of the guide for authors of rules is so: its first rule, how the state is read, and a policy."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from textwrap import indent

from affray.engine import begin_fight, load
from affray.engine.core.loading import template
from affray.tools.systems.check import check_system
from affray.tools.systems.new_system import write_system
from tests.rulesets.own_system import PEBBLES, install_copy

GUIDE = (Path(__file__).parents[1] / "engine" / "rulesets" / "README.md").read_text("utf-8")
FIRST, READING, POLICY = re.findall(r"^```python\n(.*?)^```", GUIDE, re.DOTALL | re.MULTILINE)

SCREEN = 35
"""The lines of a screen, within which the first code of a guide stands."""


def test_the_first_screen_shows_a_rule_of_the_pattern() -> None:
    assert indent(FIRST, "    ") in (PEBBLES / "rules.py").read_text("utf-8")
    assert FIRST in "\n".join(GUIDE.splitlines()[:SCREEN]) + "\n"


def test_each_way_to_read_the_state_works() -> None:
    fight = begin_fight("read", tomllib.loads(template(load("wwn"))), who="gm", seed=bytes(32))
    table = fight.table
    who = next(iter(table.draft.combatants))
    item = table.items_of(who)[0].id
    for line in READING.splitlines():
        expression, _, remark = line.partition("  # ")
        assert remark
        eval(expression, {"table": table, "who": who, "item": item})


def test_the_policy_makes_sensible_fights(tmp_path: Path) -> None:
    write_system("marbles", tmp_path / "project")
    package = tmp_path / "project" / "marbles"
    rules = package / "rules.py"
    names = "FighterPolicy, list_enemies"
    imports = f"from collections.abc import Iterator\n\nfrom affray.rules import {names}\nfrom affray.rules import ("
    rules.write_text(rules.read_text("utf-8").replace("from affray.rules import (", imports) + "\n\n" + POLICY)
    whole = package / "__init__.py"
    text = whole.read_text("utf-8").replace("import Begin,", "import FIGHTER, Begin,")
    whole.write_text(text.replace("    flow=FLOW,\n", "    flow=FLOW,\n    fighter=FIGHTER,\n"), "utf-8")
    (tmp_path / "site").mkdir()
    with install_copy(tmp_path / "site", package):
        assert load("marbles").fighter.prefer is not None
        assert check_system("marbles", 4).faults == ()
