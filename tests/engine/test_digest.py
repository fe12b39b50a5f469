"""The digest of a system's rules: it covers all rules in any module, and nothing else."""

import ast
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

import pytest
from msgspec.structs import replace

from affray.engine.core import digest
from affray.engine.core.digest import digest_rules, find_data, find_modules
from affray.engine.core.groups.fighter import FighterPolicy
from affray.engine.core.groups.presentation import Presentation
from affray.engine.core.loading import available, load
from affray.engine.core.ruleset import Ruleset
from tests.rulesets.own_system import forget_system, install_copy
from tests.rulesets.systems import RULESETS

Load = Callable[[], Ruleset]


@pytest.fixture
def sixth(tmp_path: Path) -> Iterator[Load]:
    """Return a function that reloads a copy of the sixth system, in the test's folder ``pebbles``."""

    def load_anew() -> Ruleset:
        forget_system("pebbles")
        return load("pebbles")

    with install_copy(tmp_path):
        yield load_anew
        forget_system("house")


def test_rule_in_any_file_of_another_package_counts(sixth: Load, tmp_path: Path) -> None:
    """So it does in one that is called as those of ours that only play by the rules."""
    usual = digest_rules(sixth())
    (tmp_path / "pebbles/rules.py").rename(tmp_path / "pebbles/policy.py")
    package = tmp_path / "pebbles/__init__.py"
    package.write_text(package.read_text("utf-8").replace("from .rules import", "from .policy import"), "utf-8")
    renamed = digest_rules(sixth())
    rules = tmp_path / "pebbles/policy.py"
    rules.write_text(rules.read_text("utf-8") + "\nEASY = 2\n", "utf-8")
    assert len({usual, renamed, digest_rules(sixth())}) == 3


def test_file_that_no_rule_imports_does_not_count(sixth: Load, tmp_path: Path) -> None:
    usual = digest_rules(sixth())
    for name in ("pictures.py", "book.toml", "vocabulary.toml", "notes.txt"):
        with (tmp_path / "pebbles" / name).open("a", encoding="utf-8") as file:
            file.write("# something else")
    assert digest_rules(sixth()) == usual
    (tmp_path / "pebbles/stones.toml").write_text("# something else", "utf-8")
    assert digest_rules(sixth()) != usual


def test_import_inside_a_function_counts(sixth: Load, tmp_path: Path) -> None:
    rules = tmp_path / "pebbles/rules.py"
    rules.write_text(rules.read_text("utf-8") + "\ndef throw():\n    from . import later\n    later.fly()\n", "utf-8")
    (tmp_path / "pebbles/later.py").write_text("fly = print\n", "utf-8")
    found = [name for name, _ in find_modules(sixth())]
    assert found[-4:] == ["pebbles", "pebbles.flow", "pebbles.later", "pebbles.rules"]


@pytest.mark.parametrize("ours", [load("wwn")], ids=lambda one: one.name)
def test_house_rule_in_another_package_has_its_own_digest(ours: Ruleset, sixth: Load, tmp_path: Path) -> None:
    """A system that replaces one action of ours has all of its rules, and that one."""
    (tmp_path / "house.py").write_text(
        "from affray.engine.rulesets.wwn.movement.moving import Move\n\n\n"
        "class Crawl(Move, frozen=True, kw_only=True):\n    kind = 'move'\n",
        "utf-8",
    )
    house = replace(ours, actions={**ours.actions, "move": import_module("house").Crawl})
    assert digest_rules(house) != digest_rules(ours)
    assert {name for name, _ in find_modules(house)} == {*(name for name, _ in find_modules(ours)), "house"}


def test_plain_value_of_a_rule_counts() -> None:
    ours = load("vestige")
    other = replace(ours, turns=replace(ours.turns, passes_hold=True))
    assert digest_rules(other) != digest_rules(ours)
    assert digest_rules(replace(ours, config=other.config)) == digest_rules(ours)


@pytest.mark.parametrize("system", available())
def test_fighter_and_words_do_not_count(system: str) -> None:
    ours = RULESETS[system]
    plain = replace(ours, title="Other", fighter=FighterPolicy(), presentation=Presentation())
    assert digest_rules(plain) == digest_rules(ours)
    beside = {
        f"{ours.package}.{one}" for one in ("library", "odds", "odds_tables", "policy", "preview", "ruleset", "worth")
    }
    assert beside.isdisjoint(name for name, _ in find_modules(ours))
    assert {"book.toml", "vocabulary.toml", "odds.toml"}.isdisjoint(
        name.rpartition("/")[2] for name, _ in find_data(ours)
    )


@pytest.mark.parametrize("system", available())
def test_imports_are_found_as_python_finds_them(system: str) -> None:
    for _, text in find_modules(RULESETS[system]):
        imports = sum(isinstance(one, ast.Import | ast.ImportFrom) for one in ast.walk(ast.parse(text)))
        assert len(digest._IMPORT.findall(text)) == imports
