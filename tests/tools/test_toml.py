"""Written TOML is read back unchanged, and looks as people write it."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.engine.core.loading import available, load, template
from affray.engine.errors import Unusable
from affray.tools.encounters.toml_text import toml_of

ENCOUNTERS = sorted(Path(__file__).parents[2].glob("encounters/*/*.toml"))

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
PLAIN = st.one_of(st.booleans(), st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False), TEXT)
VALUES = st.recursive(
    PLAIN, lambda one: st.lists(one, max_size=3) | st.dictionaries(TEXT, one, max_size=3), max_leaves=8
)


@given(st.dictionaries(TEXT, VALUES, max_size=5))
def test_what_is_written_is_read_as_the_same(content: dict[str, Any]) -> None:
    """For any keys and values."""
    assert tomllib.loads(toml_of(content)) == content


@pytest.mark.parametrize("file", ENCOUNTERS, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_an_encounter_is_written_as_the_same(file: Path) -> None:
    content = tomllib.loads(file.read_text("utf-8"))
    text = toml_of(content)
    assert tomllib.loads(text) == content
    assert text.count("[[combatant]]") == len(content["combatant"])


@pytest.mark.parametrize("system", available())
def test_a_template_is_written_as_the_same(system: str) -> None:
    content = tomllib.loads(template(load(system)))
    assert tomllib.loads(toml_of(content)) == content


def test_it_reads_as_people_write_it() -> None:
    content = {
        "combatant": [{"name": "Ilse", "side": "red", "skills": {"stab": 1}, "weapons": ["sword"], "block": None}],
        "config": {"metric": "euclidean"},
        "weapon": {"long fang": {"name": "fang", "range": 1}},
        "system": "vestige",
    }
    assert toml_of(content) == (
        'system = "vestige"\n\n[config]\nmetric = "euclidean"\n\n[weapon]\n"long fang" = {name = "fang", range = 1}\n\n'
        '[[combatant]]\nname = "Ilse"\nside = "red"\nskills = {stab = 1}\nweapons = ["sword"]\n'
    )


@pytest.mark.parametrize("value", ["\ud800", [None], object(), {"a": [1, None]}])
def test_what_toml_cannot_say_is_refused(value: object) -> None:
    with pytest.raises(Unusable):
        toml_of({"name": value})


def test_what_is_nested_without_end_is_refused() -> None:
    deep: list[Any] = []
    for _ in range(5000):
        deep = [deep]
    with pytest.raises(Unusable, match="nested"):
        toml_of({"name": deep})
