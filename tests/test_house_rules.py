"""The examples of ``docs/house-rules.md`` are true: settings, module, project file, and regress output."""

from __future__ import annotations

import re
import shutil
import tomllib
from pathlib import Path

import pytest

from affray.engine.core.loading import load
from affray.engine.core.ruleset import config_of
from tests.tools.program import affray

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "house-rules.md").read_text("utf-8")
FORD = ROOT / "replays" / "wwn" / "riders-at-the-ford.jsonl"


def blocks(language: str) -> list[str]:
    """Return the blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """Write the module and its entry point as the page shows them, and the fight beside them."""
    (module,) = blocks("python")
    (tmp_path / "wwnhouse.py").write_text(module, "utf-8")
    project = tomllib.loads(blocks("toml")[1])
    entries = project["project"]["entry-points"]["affray.rulesets"]
    assert project["tool"]["setuptools"]["py-modules"] == ["wwnhouse"]
    about = tmp_path / "wwnhouse-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: wwnhouse\nVersion: 1\n", "utf-8")
    lines = [f"{name} = {where}" for name, where in entries.items()]
    (about / "entry_points.txt").write_text("\n".join(["[affray.rulesets]", *lines]), "utf-8")
    shutil.copy(FORD, tmp_path / "ford.jsonl")
    return tmp_path


def test_the_settings_are_listed_as_shown_and_can_be_set() -> None:
    told = affray(ROOT, "rules", "wwn", "--settings", COLUMNS="100").out
    shown = blocks("console")[0].split("…\n")[1]
    assert shown in told
    set_so = tomllib.loads(blocks("toml")[0])["config"]
    config = config_of(load("wwn"), set_so)
    assert (config.bleed_rounds, config.reroll_initiative) == (2, True)


def test_the_module_is_a_system_without_fault_that_can_be_played(house: Path) -> None:
    path = str(house)
    assert affray(house, "rules", "wwnhouse", "--check", "--fights", "1", PYTHONPATH=path).out.startswith("clean: ")
    affray(house, "new", "--template", "wwnhouse", PYTHONPATH=path)
    assert 'system = "wwnhouse"' in (house / "wwnhouse.toml").read_text("utf-8")
    assert affray(house, "new", "wwnhouse.toml", PYTHONPATH=path).code == 0
    assert b'"system":"wwnhouse"' in (house / "wwnhouse.jsonl").read_bytes().splitlines()[0]


def test_a_fault_in_a_house_rule_is_found_in_its_own_file(house: Path) -> None:
    file = house / "wwnhouse.py"
    text = file.read_text("utf-8")
    file.write_text(text.replace("yield from ()", "yield from None"), "utf-8")
    line = text[: text.index("yield from ()")].count("\n") + 1
    told = affray(house, "rules", "wwnhouse", "--check", "--fights", "4", PYTHONPATH=str(house)).out
    assert told.startswith(f"wwnhouse.py:{line}: TypeError: 'NoneType' object is not iterable; in FreeStand.pay")


def test_regress_says_what_is_shown(house: Path) -> None:
    shown = blocks("console")[-1]
    commands = re.findall(r"^\$ affray (.*)$", shown, re.MULTILINE)
    outputs = re.split(r"^\$ .*\n", shown, flags=re.MULTILINE)[1:]
    assert len(commands) == len(outputs) == 2
    for command, output in zip(commands, outputs, strict=True):
        assert affray(house, *command.split(), PYTHONPATH=str(house)).out == output
