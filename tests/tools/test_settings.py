"""``affray rules SYSTEM --settings`` lists each setting; an unknown one leads to it."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from affray.engine.core.loading import load
from affray.tools.book.settings import list_settings
from tests.rulesets.systems import PRESENT
from tests.tools.program import affray


@pytest.mark.parametrize("system", PRESENT)
def test_each_setting_says_its_default_its_values_and_its_meaning(system: str) -> None:
    every = list_settings(load(system))
    assert [one.key for one in every] == [one.name for one in msgspec.structs.fields(load(system).config)]
    assert all(one.says and one.usual and one.allows for one in every)


def test_the_program_prints_them_for_people_and_for_programs(tmp_path: Path) -> None:
    told = affray(tmp_path, "rules", "wwn", "--settings").out
    lines = [line.strip() for line in told.splitlines()]
    at = lines.index("bleed_rounds = 6")
    assert lines[at + 1].startswith("The number of full rounds after which a fallen PC dies.")
    assert lines[at + 2] == "Allowed: a whole number from 1 to 99."
    assert "Allowed: one of per_side, per_entry, single." in lines
    settings = affray(tmp_path, "rules", "wwn", "--settings", "--json").json["settings"]
    (mods,) = [one for one in settings if one["key"] == "attribute_mods"]
    assert (mods["usual"], mods["choices"], mods["allows"]) == ('"wwn"', ['"wwn"', '"bx"'], "wwn or bx")
    assert affray(tmp_path, "rules", "wwn", "WWN-001", "--settings").code == 2


def test_an_unknown_setting_leads_to_the_near_one_and_to_the_list(tmp_path: Path) -> None:
    affray(tmp_path, "new", "--template", "wwn")
    file = tmp_path / "wwn.toml"
    affray(tmp_path, "new", "wwn.toml")
    hint = "did you mean bleed_rounds?; affray rules wwn --settings lists them"
    assert hint in affray(tmp_path, "regress", "wwn.jsonl", "--set", "bled_rounds=3").err
    file.write_text(file.read_text("utf-8").replace("[config]", "[config]\nbled_rounds = 3"), "utf-8")
    assert hint in affray(tmp_path, "new", "wwn.toml", "-o", "other.jsonl").err
    file.write_text(file.read_text("utf-8").replace("bled_rounds", "xyzzy"), "utf-8")
    assert (
        "unknown field xyzzy; affray rules wwn --settings"
        in affray(tmp_path, "new", "wwn.toml", "-o", "other.jsonl").err
    )
