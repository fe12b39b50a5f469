"""An evening in the terminal: four heroes with real dice, a group of foes by the engine, no map."""

from __future__ import annotations

from pathlib import Path

import pytest

from affray.tools.cli.play.session import beside
from tests.tools.program import affray, rebuild_from_log
from tests.tools.test_play import list_declared, play

CAUSEWAY = """\
system = "wwn"
name = "The causeway"
apart = 40

[[combatant]]
name = "Maren"
side = "company"
pc = true
class = "warrior"
hp = 15
weapons = ["sword_long"]

[[combatant]]
name = "Ysolde"
side = "company"
pc = true
class = "mage"
hp = 7
weapons = ["staff"]
spells = ["The Long Amber Moment"]

[[combatant]]
name = "Bog raider"
side = "bog gang"
block = "raider"
count = 3
"""


@pytest.fixture
def evening(tmp_path: Path) -> Path:
    """The fight on the causeway, with the company's dice entered: Ysolde is up first."""
    (tmp_path / "causeway.toml").write_text(CAUSEWAY, "utf-8")
    opened = affray(tmp_path, "new", "causeway.toml", "-o", "causeway.jsonl", "--dice", "entered:company")
    assert (opened.code, opened.err) == (0, "")
    play(tmp_path / "causeway.jsonl", "begin", "7", "8")
    return tmp_path / "causeway.jsonl"


def test_a_digit_is_no_choice_while_dice_are_entered(evening: Path) -> None:
    """A face too many chooses nothing. Choices have a dot, as those of a question have."""
    shown = play(evening, "1").out
    assert "  .1 ysolde move feet=30" in shown
    assert "the choices that are shown have a dot, as in .1" in shown
    assert list_declared(rebuild_from_log(evening))[1:] == []
    shown = play(evening, ".1", "1", ".1 rest=20").out
    assert "  .1 stated" in shown
    assert "Ysolde goes for 30 feet" in shown


def test_only_actions_that_a_combatant_is_equipped_for_are_suggested(evening: Path) -> None:
    """A mage is offered her spell, and a warrior none. Nobody is offered to lie down or to drop a weapon."""
    shown = play(evening, "rule turn maren because she is next, whatever the gang rolled", "end_turn").out
    assert "ysolde cast 'The Long Amber Moment'" in shown
    assert "maren move feet=30" in shown
    assert not [word for word in ("maren cast", "prone", "drop") if word in shown]


def test_ids_are_never_broken_at_a_hyphen() -> None:
    items = [f"{nth} bog-raider-a attack old-hook" for nth in range(1, 9)]
    for width in range(40, 120):
        assert all(any(item in line for line in beside(items, width)) for item in items)


def test_all_of_a_group_end_their_turns_at_once(evening: Path) -> None:
    next_one = "rule turn maren because she is next, whatever the gang rolled"
    play(evening, next_one, "end_turn", "end_turn", "end_turn all")
    fight = rebuild_from_log(evening)
    assert [who for who, kind, _, _ in list_declared(fight) if kind == "end_turn"][2:] == [
        f"bog-raider-{letter}" for letter in "abc"
    ]
    assert fight.state.round == 2


def test_whoever_must_answer_first_is_named(evening: Path) -> None:
    shown = play(evening, "move feet=30", "end_turn", "stated bog gang=10 rest=20").out
    assert "the game master must first answer: distances" in shown
    assert "Bog raider A and Ysolde: 10" in shown


def test_stand_is_explained_where_no_action_has_that_name(tmp_path: Path) -> None:
    """In Worlds Without Number it is one."""
    (tmp_path / "causeway.toml").write_text(CAUSEWAY, "utf-8")
    affray(tmp_path, "new", "causeway.toml", "-o", "causeway.jsonl")
    assert "stand WHO never" in play(tmp_path / "causeway.jsonl", "help").out


def test_an_opening_tells_the_distances_by_sides(tmp_path: Path) -> None:
    """Ten pairs are one line. Where distances differ within two sides, each pair is told."""
    (tmp_path / "causeway.toml").write_text(CAUSEWAY, "utf-8")
    opened = affray(tmp_path, "new", "causeway.toml").out
    assert "  Apart – 40 feet between the bog gang and the company, 5 feet within a side\n" in opened
    assert "Maren and Ysolde: 5" not in opened
    nearer = CAUSEWAY + '\n[[distance]]\nbetween = ["maren", "bog-raider-a"]\nfeet = 15\n'
    (tmp_path / "nearer.toml").write_text(nearer, "utf-8")
    assert "Bog raider A and Maren: 15" in affray(tmp_path, "new", "nearer.toml").out


def test_a_helpless_member_comes_along_and_a_dead_one_stays_behind(tmp_path: Path) -> None:
    """As docs/parties.md says: only conditions that put out of the fight keep a member at home."""
    (tmp_path / "causeway.toml").write_text(CAUSEWAY, "utf-8")
    assert affray(tmp_path, "party", "new", "company.toml", "--from", "causeway.toml").code == 0
    text = (tmp_path / "company.toml").read_text("utf-8")
    for condition, joins in (("stabilized", True), ("dead", False)):
        hurt = text.replace('name = "Maren"', f'name = "Maren"\ncarries = {{conditions = {{{condition} = 1}}}}')
        (tmp_path / "hurt.toml").write_text(hurt, "utf-8")
        out = affray(tmp_path, "party", "join", "hurt.toml", "causeway.toml", "-o", f"{condition}.jsonl").out
        assert ("Maren joins the company" in out, "Maren stays behind" in out) == (joins, not joins)
