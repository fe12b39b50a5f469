"""An encounter with a wrong value is refused with a party as without one; a party's past is checked as the rest is."""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import tomlkit

from affray.engine.errors import EngineError
from affray.engine.opening import begin_fight
from affray.tools.encounters.party.members import Content, check, made_from, taken_back
from affray.tools.encounters.party.placement import join_party, located_in
from affray.tools.encounters.party.storage import StoredParty
from affray.tools.encounters.toml_text import toml_of
from affray.tools.parse.encounter_file import add_location
from affray.tools.parse.faults import Faulty, fault_of
from tests.party.campaigns import ENCOUNTERS, encounter
from tests.party.test_carried import EVENINGS
from tests.rulesets.systems import PRESENT
from tests.tools.program import affray
from tests.tools.test_misshapen_files import iterate_file_places

FILE = Path("fight.toml")

WRONG: tuple[Any, ...] = (3, ["x"], {"x": 1}, None)
"""What stands where something else should; nothing at all as JSON can say it."""


def replace_each_value(content: Content) -> Iterator[tuple[str, Content]]:
    """Yield an encounter with each of its values replaced by each wrong one; it has a text if TOML can say it."""
    for nth in range(len(list(iterate_file_places(content)))):
        for wrong in WRONG:
            found = copy.deepcopy(content)
            table, key = list(iterate_file_places(found))[nth]
            table[key] = wrong
            yield "" if wrong is None else toml_of(found), found


def make_crowded_party(system: str) -> StoredParty:
    """Return a party with more members than an encounter has places for it."""
    party = made_from(encounter(system, EVENINGS[system][0]), "heroes")
    alone = [one for one in party["combatant"] if "rides" not in one]
    party["combatant"] = [{**one, "name": f"Hero {nth}"} for nth, one in enumerate(alone * 3)]
    return StoredParty("heroes.toml", toml_of(party), party)


def refusal(text: str, content: Content, kept: StoredParty | None) -> tuple[str, str, int] | None:
    """Return file, field and line of what an encounter is refused for; nothing where a fight opens."""
    try:
        if kept is None:
            with add_location(FILE, text, content):
                begin_fight("fight", content, who="gm", seed=None)
        else:
            joint = join_party(content, kept.content, text=text, file=FILE)
            with located_in(FILE, text, content, kept, joint):
                begin_fight("fight", joint.content, who="gm", seed=None)
    except (EngineError, Faulty) as error:
        fault = fault_of(error)
        return fault.file, fault.field, fault.line
    return None


@pytest.mark.parametrize("system", PRESENT)
def test_a_wrong_value_in_an_encounter_is_refused_where_it_stands(system: str) -> None:
    """With a party and without one: neither ends in a traceback, nor is the party blamed."""
    kept, content = make_crowded_party(system), encounter(system, EVENINGS[system][2])
    for text, wrong in replace_each_value(content):
        refused = refusal(text, wrong, kept)
        assert refused is None or refused[0] == str(FILE), (refused, text)


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"side": ["heroes"]}, "combatant[0].side"),
        ({"board": "x"}, "board"),
        ({"combatant": 3}, "combatant"),
        ({"at": "yard"}, "combatant[0].at"),
        ({"weapon": "x"}, "weapon"),
        ({"system": 3}, "system"),
    ],
)
def test_a_wrong_value_has_the_same_file_line_and_field_as_without_a_party(wrong: Content, field: str) -> None:
    content = encounter("vestige", "alley")
    for key, value in wrong.items():
        (content if key in (*content, "board", "weapon") else content["combatant"][0])[key] = value
    text, kept = tomlkit.dumps(content), make_crowded_party("vestige")
    if "weapon" in wrong:
        kept.content["weapon"] = {"saber": {}}
    refused = refusal(text, content, kept)
    assert refused is not None
    assert refused[1] == field
    assert refused == refusal(text, content, None)


def test_cells_as_people_say_them_are_places_of_a_party() -> None:
    """A party with more members than places stands around a cell left of column 0."""
    content, kept = encounter("vestige", "bridge"), make_crowded_party("vestige")
    content["combatant"] = [{**content["combatant"][0], "at": "W2, 3"}, *content["combatant"][-1:]]
    people = begin_fight("fight", join_party(content, kept.content).content, who="gm", seed=None).state.combatants
    assert people["hero-0"].place == "-2,3"
    assert len({one.place for one in people.values()}) == len(people)


@pytest.mark.parametrize(
    ("past", "field"),
    [
        ("before = 3", "past[0].before"),
        ('before = ["x"]', "past[0].before[0]"),
        ("what = 3", "past[0].what"),
    ],
)
def test_a_past_that_cannot_be_one_is_refused_with_its_line(tmp_path: Path, past: str, field: str) -> None:
    party = toml_of(made_from(encounter("vestige", "bridge"), "heroes"))
    (tmp_path / "heroes.toml").write_text(f"{party}\n[[past]]\n{past}\n", "utf-8")
    line = len(f"{party}\n[[past]]\n".splitlines()) + 1
    for command in ("show", "undo"):
        ran = affray(tmp_path, "party", command, "heroes.toml")
        assert (ran.code, ran.out) == (2, ""), ran.err
        assert f"heroes.toml, line {line}" in ran.err, ran.err
        assert field in ran.err


def test_nothing_is_taken_back_to_what_could_not_fight() -> None:
    party = made_from(encounter("vestige", "bridge"), "heroes")
    party["past"] = [{"what": "x", "when": "", "before": [{**party["combatant"][0], "side": 3}]}]
    check(party)
    with pytest.raises(Faulty, match="must be a text"):
        taken_back(party)


def test_a_variant_with_a_place_that_is_none_is_refused(tmp_path: Path) -> None:
    """Also where there are more combatants in it than places."""
    road = tmp_path / "road.toml"
    content = tomllib.loads((ENCOUNTERS / "vestige/bridge.toml").read_text("utf-8"))
    name = content["combatant"][-1]["name"]
    road.write_text(tomlkit.dumps(content), "utf-8")
    for place in ("yard", "3"):
        ran = affray(
            tmp_path,
            "balance",
            "road.toml",
            "--trials",
            "1",
            "--vary",
            f"{name}.at={place}",
            "--vary",
            f"{name}.count=3",
        )
        assert (ran.code, ran.out) == (2, ""), ran.err
        assert "combatant" in ran.err
