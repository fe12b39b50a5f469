"""Tables for encounters: printed, searched, and as JSON; the form fits every encounter."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

from affray.engine.core.loading import available, load, template
from affray.engine.errors import Unusable
from affray.engine.opening import begin_fight
from affray.tools.encounters.library.encounter_check import faults_in
from affray.tools.encounters.library.encounter_form import encounter_schema
from affray.tools.encounters.library.rule_tables import cell_text, tables_of
from tests.tools.program import affray

ENCOUNTERS = sorted(Path(__file__).parents[2].glob("encounters/*/*.toml"))
FORD = next(one for one in ENCOUNTERS if one.parts[-2:] == ("vestige", "ford.toml"))


@pytest.mark.parametrize(
    ("system", "kinds"),
    [
        ("vestige", "blocks weapons armor skills disciplines"),
        ("wwn", "blocks classes weapons armor shields skills foci"),
        ("hexblade", "blocks weapons missiles armor skills spells"),
        ("wyrd", "blocks weapons protection gear abilities grades tags"),
        ("verdigris", "blocks mounts weapons armor shields ammunition skills talents"),
    ],
)
def test_each_system_prints_its_tables(tmp_path: Path, system: str, kinds: str) -> None:
    ran = affray(tmp_path, "tables", system)
    assert (ran.code, ran.err) == (0, "")
    told = affray(tmp_path, "tables", system, "--json").json
    assert [one["kind"] for one in told["tables"]] == kinds.split()
    for table in told["tables"]:
        assert f"{told['title']}: {table['title']}" in ran.out
        for line in table["lines"]:
            assert f"\n{line['key']} " in ran.out, line


@pytest.mark.parametrize("system", available())
def test_no_word_of_a_table_is_torn_and_no_default_is_printed(tmp_path: Path, system: str) -> None:
    """A table with more columns than fit has a text for each line; a struct in a cell says what differs from usual."""
    printed = set(affray(tmp_path, "tables", system).out.split())
    words = {
        word
        for table in tables_of(load(system))
        for line in table.lines
        for name, value in line.values.items()
        if name != "name"
        for word in ("yes" if value is True else cell_text(value)).split()
    }
    assert words - {"yes"} - printed == set()


def test_the_modifiers_of_a_focus_are_said_without_what_they_leave_out(tmp_path: Path) -> None:
    ran = affray(tmp_path, "tables", "wwn", "foci")
    assert "Armsmaster · modifiers to hit, value 1, modes melee, throw · level 2" in ran.out
    assert "label" not in ran.out


def test_one_table_is_searched_by_words(tmp_path: Path) -> None:
    """All words must occur, in any field; a true flag is found by its name."""
    ran = affray(tmp_path, "tables", "wwn", "weapons", "--search", "long sword")
    assert [line.split()[0] for line in ran.out.splitlines()[3:]] == ["sword_long"]
    told = affray(tmp_path, "tables", "vestige", "--search", "ammunition firearm", "--json").json
    assert [(one["kind"], [line["key"] for line in one["lines"]]) for one in told["tables"]] == [
        ("weapons", ["pistol", "rifle"])
    ]
    assert (
        affray(tmp_path, "tables", "wyrd", "--search", "nothing of the sort").out
        == "nothing holds nothing of the sort\n"
    )


def test_what_there_is_not_is_told_with_what_there_is(tmp_path: Path) -> None:
    ran = affray(tmp_path, "tables", "wyrd", "weapon")
    assert (ran.code, ran.err) == (2, "kind: Wyrd has no table weapon; did you mean weapons?\n")
    ran = affray(tmp_path, "tables", "wirde")
    assert ran.code == 2
    assert "there is no rule system wirde" in ran.err


@pytest.mark.parametrize("system", available())
def test_every_key_that_is_listed_can_be_named_where_it_is_said_to_be(system: str) -> None:
    """In an encounter that is right otherwise, a listed key is never refused as unknown; another word is."""
    ruleset = load(system)
    base = tomllib.loads(template(ruleset))
    for table in tables_of(ruleset):
        for field in table.fields:
            entry, _, name = field.partition(".")
            if entry != "combatant[]" or "." in name:
                continue
            assert not any(find_key_refusal(base, name, line.key) for line in table.lines), field
            assert find_key_refusal(base, name, "no such thing"), field


def find_key_refusal(base: dict[str, Any], name: str, key: str) -> str:
    """Return how an encounter is refused for a key of a field of its first combatant; nothing if it is not for that."""
    plain = name.removesuffix("[]").removesuffix("{}")
    value: Any = [key] if name.endswith("[]") else {key: 1} if name.endswith("{}") else key
    first = {**base["combatant"][0], plain: value}
    content = {**base, "combatant": [first, *base["combatant"][1:]]}
    try:
        begin_fight("x", content, who="gm", seed=None)
    except Unusable as error:
        return str(error) if "there is no" in str(error) and f" {key};" in str(error) else ""
    return ""


@pytest.mark.parametrize("file", ENCOUNTERS, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_the_form_fits_every_encounter(file: Path) -> None:
    content = tomllib.loads(file.read_text("utf-8"))
    faults = Draft202012Validator(encounter_schema(file.parent.name)).iter_errors(content)
    assert [(fault.message, fault.instance_path) for fault in faults] == []


@pytest.mark.parametrize("system", available())
def test_the_form_of_a_template_names_the_tables_and_has_titles_and_bounds(system: str) -> None:
    schema = encounter_schema(system)
    content = tomllib.loads(template(load(system)))
    assert Draft202012Validator(schema).is_valid(content)
    assert not Draft202012Validator(schema).is_valid({**content, "combatnt": []})
    assert not Draft202012Validator(schema).is_valid({**content, "config": {"no_such_key": 1}})
    text = str(schema)
    for shelf in load(system).encounters.library:
        assert not shelf.fields or f"'x-table': '{shelf.key}'" in text
    sheet = schema["$defs"]["Spec"]["properties"]
    assert all(field["title"] for field in sheet.values())
    assert (sheet["count"]["minimum"], sheet["count"]["maximum"], sheet["count"]["default"]) == (1, 500, 1)


def test_everything_that_is_wrong_is_told_at_once_and_nothing_that_only_follows() -> None:
    """Each fault is at its field and line; no name or number is told as missing that an earlier fault took with it."""
    text = FORD.read_text("utf-8")
    for right, wrong in (
        ("agility = 13", "agility = 130"),
        ('["bow", "knife"]', '["bwo", "knfie"]'),
        ('block = "leader"', 'block = "ledaer"'),
        ('side = "bandits"\nblock = "minion"', 'block = "minion"'),
        ('skills = ["set-spear"]', 'skils = ["set-spear"]'),
    ):
        assert right in text
        text = text.replace(right, wrong)
    text += '\n[[distance]]\nbetween = ["ilse", "bandit-a"]\nmetres = 3\n'
    content = tomllib.loads(text)
    lines = text.splitlines()
    told = [(one.field, lines[one.line - 1].partition(" =")[0]) for one in faults_in(content, text)]
    assert told == [
        ("combatant[1]", "[[combatant]]"),
        ("combatant[2].agility", "agility"),
        ("combatant[4]", "[[combatant]]"),
        ("combatant[2].weapons[0]", "weapons"),
        ("combatant[2].weapons[1]", "weapons"),
        ("combatant[3].block", "block"),
    ]
    assert content == tomllib.loads(text)


@pytest.mark.parametrize(("content", "field"), [({}, "system"), ({"system": "vestige"}, "combatant")])
def test_where_nothing_can_be_checked_that_alone_is_told(content: dict[str, Any], field: str) -> None:
    assert [one.field for one in faults_in(content)] == [field]


@pytest.mark.parametrize("system", available())
def test_a_layout_names_fields_that_there_are(system: str) -> None:
    """Sections, facts and titles of a system name its own fields, each in one section at most."""
    layout, schema = load(system).encounters.layout, encounter_schema(system)
    entry = schema["$defs"]["Spec"]["properties"]
    for sections, known in ((layout.sheet, entry), (layout.parts, schema["properties"])):
        named = [field for one in sections for field in one.fields]
        assert len(named) == len(set(named))
        assert set(named) <= known.keys()
    assert set(layout.facts) | layout.titles.keys() <= entry.keys()
    marked = str(schema).count
    assert marked("'x-names': 'place'") == len(layout.places)
    assert marked("'x-ground'") == len(layout.ground)
    assert marked("'x-zones'") == bool(layout.zones)
    assert marked("'x-names': 'combatant'") >= len(layout.people)  # an old word may stand beside
