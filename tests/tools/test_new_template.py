"""``affray new --template``: a commented encounter file of each system, to make one's own from."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.rulesets.systems import PRESENT, RULESETS
from tests.tools.program import affray, rebuild_from_log


@pytest.mark.parametrize("system", PRESENT)
def test_a_template_is_written_and_opens_as_it_stands(system: str, tmp_path: Path) -> None:
    wrote = affray(tmp_path, "new", "--template", system)
    assert (wrote.code, wrote.err) == (0, "")
    assert f"affray new {system}.toml" in wrote.out
    assert (tmp_path / f"{system}.toml").read_text("utf-8").count("#") > 10
    assert affray(tmp_path, "new", f"{system}.toml").code == 0
    assert rebuild_from_log(tmp_path / f"{system}.jsonl").ruleset is RULESETS[system]


def test_a_template_is_printed_where_it_is_asked_for(tmp_path: Path) -> None:
    affray(tmp_path, "new", "--template", "vestige")
    printed = affray(tmp_path, "new", "--template", "vestige", "-o", "-")
    assert printed.out == (tmp_path / "vestige.toml").read_text("utf-8")
    scenarios = affray(tmp_path, "scenario", "--template", "vestige", "-o", "-")
    assert "[[scenario]]" in scenarios.out
    assert [file.name for file in tmp_path.iterdir()] == ["vestige.toml"]


def test_a_template_overwrites_nothing(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("mine", "utf-8")
    ran = affray(tmp_path, "new", "--template", "vestige", "-o", "mine.toml")
    assert (ran.code, ran.err) == (2, "affray: mine.toml exists already; choose another, or replace it with --force\n")
    assert (tmp_path / "mine.toml").read_text("utf-8") == "mine"


@pytest.mark.parametrize("words", [[], ["duel.toml", "--template", "vestige"]])
def test_either_an_encounter_or_a_template_is_named(words: list[str], tmp_path: Path) -> None:
    ran = affray(tmp_path, "new", *words)
    assert ran.code == 2
    assert "--template SYSTEM" in ran.err


def test_a_template_of_a_system_that_is_not_there(tmp_path: Path) -> None:
    ran = affray(tmp_path, "new", "--template", "vestig")
    assert ran.code == 2
    assert ran.err.endswith("did you mean vestige?\n")


@pytest.mark.parametrize("system", PRESENT)
def test_a_scenario_template_lists_all_that_can_be_done_and_ruled(system: str, tmp_path: Path) -> None:
    """After valid scenarios, each with all its parameters."""
    printed = affray(tmp_path, "scenario", "--template", system, "-o", "-").out
    lines = printed.partition("# All that can be done")[2].splitlines()
    for kind in RULESETS[system].actions:
        assert any(re.match(rf"#   (WHO )?{kind} ", line) for line in lines), kind
    for kind in RULESETS[system].rulings:
        assert any(line.startswith(f"#   rule {kind} ") for line in lines), kind
    (tmp_path / "mine.toml").write_text(printed, "utf-8")
    assert affray(tmp_path, "scenario", "mine.toml").code == 0
