"""Corrections of a party: each field of an entry by the encounter form, and the file named in an error."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from msgspec import inspect

from affray.engine.core.loading import load
from affray.engine.errors import EngineError, Refused
from affray.engine.opening import begin_fight
from affray.tools.encounters.party.corrections import correct_member, value_of
from affray.tools.encounters.party.members import Content, made_from
from affray.tools.encounters.party.placement import join_party
from affray.tools.parse.faults import Faulty
from affray.tools.parse.forms import kinds_at, kinds_of
from tests.engine.encounters import load_shipped_encounters
from tests.party.test_party import ALLEY, content, heroes, run_party
from tests.rulesets.systems import SYSTEMS
from tests.tools.program import affray

__all__ = ["heroes"]

TYPED = ("yes", "no", "3", "-1", "word", "health", "[]", '["word"]', "{}")
"""What people may type for any field."""


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_party_that_was_corrected_can_join(system: str) -> None:
    """For any input to any field: it is refused at once, or a fight begins with it."""
    encounter = load_shipped_encounters()[f"{system}/template"]
    party = made_from(encounter, "heroes")
    member = party["combatant"][0]["name"]
    form = load(system).encounters.form
    assert form is not None
    entry = next(kind.cls for kind in kinds_at(form, ("combatant", "0")) if isinstance(kind, inspect.StructType))
    accepted: dict[tuple[str, str], Content] = {}
    refused: dict[tuple[str, str], Exception] = {}
    for field, typed in product(kinds_of(entry), TYPED):
        try:
            accepted[field, typed] = correct_member(party, member, {field: value_of(party, field, typed)}, "now")
        except (EngineError, Faulty) as error:
            refused[field, typed] = error
    for changed in accepted.values():
        begin_fight("next", join_party(encounter, changed).content, who="gm", seed=None)
    assert ("concealed", "yes") in accepted
    assert {("concealed", "word"), ("veiled", "word"), ("at", "word"), ("carries", "3")} <= refused.keys()
    nothing = {("concealed", "no"), ("veiled", "[]"), ("carries", "{}")}
    assert all(isinstance(refused[one], Refused) for one in nothing)


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (("concealed", "Yes"), "Ilse's concealed is yes"),
        (("veiled", "health, ep"), "Ilse's veiled is health and ep"),
        (("sword.lost", "yes"), "Ilse no longer has sword"),
        (("unable", "yes"), "Ilse is out of the fight"),
        (("name", "5"), "Ilse's name is 5"),
    ],
)
def test_yes_no_and_lists_are_read_as_people_write_them(heroes: Path, typed: tuple[str, str], told: str) -> None:
    run_party(heroes, "set", "heroes.toml", "Ilse", *typed)
    assert run_party(heroes, "undo", "heroes.toml") == f"took back: {told}\n"


@pytest.mark.parametrize(
    "typed",
    [
        ("name", "Ilse"),
        ("agility", "12"),
        ("health", "10"),
        ("concealed", "no"),
        ("sword.lost", "no"),
        ("carries", "{}"),
    ],
)
def test_a_correction_that_changes_nothing_is_refused(heroes: Path, typed: tuple[str, str]) -> None:
    before = (heroes / "heroes.toml").read_bytes()
    ran = affray(heroes, "party", "set", "heroes.toml", "Ilse", *typed)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("refused: nothing changes: Ilse")
    assert (heroes / "heroes.toml").read_bytes() == before


def test_the_place_in_a_fight_is_not_for_a_party_to_say(heroes: Path) -> None:
    ran = affray(heroes, "party", "set", "heroes.toml", "Ilse", "at", "1,1")
    assert (ran.code, ran.err) == (2, "at: is of one fight alone, and the encounter says it\n")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('concealed = "yes"', "combatant[1].concealed: must be true or false, not a text"),
        ('veiled = "health"', "combatant[1].veiled: must be a list, not a text"),
        ('at = "1,1"', "combatant[1].at: there is no board in this encounter; state distances instead"),
        ("at = 5", "combatant[1].at: must be a text or a list, not a whole number"),
        ("at = [[1]]", "combatant[1].at[0]: must be a text, not a list"),
    ],
)
def test_an_error_in_a_party_names_its_file_and_line(heroes: Path, line: str, told: str) -> None:
    """Also where a member before it stays behind, so that the entry is another one in the fight."""
    run_party(heroes, "set", "heroes.toml", "Ilse", "unable", "yes")
    file = heroes / "heroes.toml"
    file.write_text(file.read_text("utf-8").replace('name = "Tomas"\n', f'name = "Tomas"\n{line}\n', 1), "utf-8")
    number = file.read_text("utf-8").splitlines().index(line) + 1
    ran = affray(heroes, "party", "join", "heroes.toml", ALLEY, "-o", "next.jsonl")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"heroes.toml, line {number}, {told}"), ran.err
    assert not (heroes / "next.jsonl").exists()


def test_an_error_in_the_encounter_names_its_own_file_and_line(heroes: Path) -> None:
    text = Path(ALLEY).read_text("utf-8").replace('name = "Vesna"', 'name = "Vesna"\nagility = "quick"')
    (heroes / "night.toml").write_text(text, "utf-8")
    number = text.splitlines().index('agility = "quick"') + 1
    ran = affray(heroes, "party", "join", "heroes.toml", "night.toml", "-o", "next.jsonl")
    assert ran.code == 2
    assert ran.err.startswith(f"night.toml, line {number}, combatant[3].agility: must be a whole number"), ran.err


def test_a_member_who_is_called_like_a_foe_is_told_with_a_way_out(heroes: Path) -> None:
    run_party(heroes, "set", "heroes.toml", "Ilse", "name", "Vesna")
    ran = affray(heroes, "party", "join", "heroes.toml", ALLEY, "-o", "next.jsonl")
    assert ran.code == 2
    assert "Vesna of the party is called like one in the encounter" in ran.err
    assert "affray party set PARTY vesna name NAME" in ran.err
    assert [one["name"] for one in content(heroes)["combatant"]] == ["Vesna", "Tomas"]
