"""Real dice as tables use them: those of a side or of a combatant are entered, the engine throws the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from affray.engine import FileStore, begin_fight
from affray.engine.errors import Refused, Unusable
from affray.events import DiceSourceSet, Rolled
from affray.tools.api.dice_choice import choose_dice
from affray.tools.parse.encounter_file import read_toml
from tests.engine.fights import NAME, SEED, noon
from tests.engine.memory import MemoryStore
from tests.engine.phases import submit_lines
from tests.tools.program import ENCOUNTER, affray, rebuild_from_log


def list_dice_sources(
    text: str = ENCOUNTER, seed: bytes | None = SEED, entered: tuple[str, ...] = ()
) -> list[DiceSourceSet]:
    """Return the dice sources that the opening of a fight declares."""
    _, content = read_toml(text)
    fight = begin_fight(NAME, content, who="gm", seed=seed, store=MemoryStore(), clock=noon, entered=entered)
    return [one.event for one in fight.history.recorded if isinstance(one.event, DiceSourceSet)]


def test_a_side_enters_its_dice_and_the_engine_throws_the_rest(tmp_path: Path) -> None:
    """It is recorded, replayed, undone, opened again and audited like any fight."""
    (tmp_path / "duel.toml").write_text(ENCOUNTER, "utf-8")
    opened = affray(tmp_path, "new", "duel.toml", "--dice", "entered:red")
    assert (opened.code, opened.err) == (0, "")
    assert "The red's dice are real ones, entered" in opened.out
    assert "Ilse's dice are awaited" in affray(tmp_path, "do", "duel.jsonl", "gm", "begin").out
    assert affray(tmp_path, "roll", "duel.jsonl", "20").code == 0
    fight = rebuild_from_log(tmp_path / "duel.jsonl")
    rolled = [one.event for one in fight.history.recorded if isinstance(one.event, Rolled)]
    assert [(one.by, one.source) for one in rolled] == [("ilse", "entered"), ("bram", "engine")]
    ruled = affray(tmp_path, "rule", "duel.jsonl", "dice", "Red", "engine", "--reason", "no dice left")
    assert "The red's dice are the engine’s" in ruled.out
    assert affray(tmp_path, "undo", "duel.jsonl").code == 0
    assert rebuild_from_log(tmp_path / "duel.jsonl").state.side_dice == {"red": "entered"}
    audited = affray(tmp_path, "audit", "duel.jsonl", "--json")
    assert audited.json["verdict"] != "found"


def test_an_encounter_says_whose_dice_are_entered() -> None:
    """A side's in a separate table, a combatant's in its entry."""
    of_side = ENCOUNTER + '\n[side.red]\ndice = "entered"\n'
    assert list_dice_sources(of_side) == [DiceSourceSet(owner="", side="red", source="entered")]
    of_bram = ENCOUNTER.replace("agility = 12", 'agility = 12\ndice = "entered"')
    assert list_dice_sources(of_bram, entered=("red",)) == [
        DiceSourceSet(owner="bram", source="entered"),
        DiceSourceSet(owner="", side="red", source="entered"),
    ]
    assert list_dice_sources(entered=("Ilse", "BLUE")) == [
        DiceSourceSet(owner="ilse", source="entered"),
        DiceSourceSet(owner="", side="blue", source="entered"),
    ]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (
            '[side.red]\ndice = "enterd"',
            "duel.toml, line 23, side[...].dice: cannot be enterd; there are engine, entered",
        ),
        ('[side.rot]\ndice = "entered"', "duel.toml, line 22, side.rot: there is no side rot; there are red, blue"),
        ('[side.red]\ndie = "entered"', "duel.toml, line 23, side[...]: unknown field die"),
    ],
)
def test_what_an_encounter_says_wrongly_is_found_in_its_line(tmp_path: Path, wrong: str, message: str) -> None:
    (tmp_path / "duel.toml").write_text(f"{ENCOUNTER}\n{wrong}\n", "utf-8")
    ran = affray(tmp_path, "new", "duel.toml")
    assert (ran.code, ran.err.startswith(message)) == (2, True), ran.err
    assert not (tmp_path / "duel.jsonl").exists()


def test_engine_dice_need_a_seed() -> None:
    """A fight with entered dice only has no seed, so its encounter may not name engine dice."""
    of_red = ENCOUNTER + '\n[side.red]\ndice = "engine"\n'
    with pytest.raises(Unusable, match="keeps no seed") as found:
        list_dice_sources(of_red, seed=None)
    assert found.value.field == "side.red.dice"
    assert list_dice_sources(of_red) == [DiceSourceSet(owner="", side="red", source="engine")]


def test_the_last_word_on_dice_holds() -> None:
    """A setting for all, or for a side, replaces the earlier ones of its members."""
    _, content = read_toml(ENCOUNTER)
    fight = begin_fight(NAME, content, who="gm", seed=SEED, store=MemoryStore(), clock=noon)
    submit_lines(fight, "rule dice ilse entered", "rule dice red engine")
    assert (fight.table.dice_of("ilse"), fight.table.dice_of("red")) == ("engine", "engine")
    submit_lines(fight, "rule dice ilse entered", "rule dice blue entered", "rule dice * engine")
    assert {fight.table.dice_of(who) for who in ("ilse", "bram", "blue", "gm")} == {"engine"}
    with pytest.raises(Unusable, match=r"there is no greens; there are ilse, bram, red, blue, \*"):
        submit_lines(fight, "rule dice greens entered")


def test_a_roll_of_nobody_is_as_the_whole_table_says() -> None:
    """A side's setting does not apply to a roll without a combatant."""
    _, content = read_toml(ENCOUNTER)
    fight = begin_fight(NAME, content, who="gm", seed=SEED, store=MemoryStore(), clock=noon, entered=("red",))
    submit_lines(fight, "rule secret_roll 1d6 weather")
    submit_lines(fight, "rule dice * entered")
    with pytest.raises(Refused, match="behind a screen"):
        submit_lines(fight, "rule secret_roll 1d6 weather")


@pytest.mark.parametrize("wrong", ["", "enter", "entered:", "engine:red", "entered: ,"])
def test_dice_are_said_in_one_of_three_ways(wrong: str) -> None:
    with pytest.raises(Unusable, match="entered:company"):
        choose_dice(wrong)


def test_dice_that_are_said_give_a_seed_or_none() -> None:
    assert choose_dice("entered") == (None, ())
    seed, entered = choose_dice("entered:red, bram")
    assert (len(seed or b""), entered) == (32, ("red", "bram"))
    assert choose_dice("engine").seed != choose_dice("engine").seed


def test_a_store_keeps_the_seed_of_a_fight_in_which_some_dice_are_entered(tmp_path: Path) -> None:
    _, content = read_toml(ENCOUNTER)
    begin_fight(NAME, content, who="gm", seed=SEED, store=FileStore(tmp_path), clock=noon, entered=("red",))
    assert FileStore(tmp_path).seed(NAME) == SEED
