"""Newcomers by the installed program: from a file, in words, in a line of TOML, and back again."""

from __future__ import annotations

from pathlib import Path

import pytest

from affray.engine.visibility import Viewer, can_read
from affray.events import DiceSourceSet, Noted, Released, Ruled
from tests.tools.program import affray, rebuild_from_log

PACK = """\
[weapon.fangs]
name = "fangs"
type = "unarmed"
range = 1

[[combatant]]
name = "Wolf"
side = "pack"
count = 2
agility = 9
might = 1
health = 4
weapons = ["fangs"]

[[distance]]
between = ["Wolf A", "ilse"]
metres = 7
"""


def list_ids(log: Path) -> list[str]:
    """Return who is in a fight."""
    return list(rebuild_from_log(log).state.combatants)


def test_a_file_brings_all_its_combatants_with_their_things_and_distances(log: Path) -> None:
    """They come as further ones of their kind; the file's definitions serve later newcomers."""
    (log.parent / "pack.toml").write_text(PACK, "utf-8")
    assert affray(log.parent, "join", "duel.jsonl", "pack.toml").code == 0
    assert affray(log.parent, "rule", "duel.jsonl", "join", "pack.toml", "--reason", "more").code == 0
    state = rebuild_from_log(log).state
    assert list(state.combatants)[2:] == ["wolf-a", "wolf-b", "wolf-c", "wolf-d"]
    assert state.items["wolf-d.fangs"].where == "hand"
    assert (state.distances["ilse"]["wolf-a"], state.distances["ilse"]["wolf-c"]) == (7, 7)


def test_a_file_that_is_wrong_anywhere_brings_nobody(log: Path) -> None:
    """The refusal names file, line and field, also where the rules of the fight find the fault."""
    before = log.read_bytes()
    for wrong, said in (
        (PACK.replace("might", "migth"), "pack.toml, line 11, combatant[0]: unknown field migth; did you mean might?"),
        (
            PACK.replace('["fangs"]', '["fang"]'),
            "line 13, combatant[0].weapons[0]: there is no weapon fang;",
        ),
        ('system = "wwn"\n' + PACK, "pack.toml, line 1, system: is of wwn, and the fight of vestige"),
        ("combatant = [5]", "pack.toml, line 1, combatant[0]: must be a table; newcomers stand under [[combatant]]"),
        ('combatant = [[{name = "x"}]]', "combatant[0]: must be a table; newcomers stand under [[combatant]]"),
        (PACK.replace("count = 2", 'count = "x"'), "combatant[0].count: must be a whole number, not a text"),
        (PACK + "[side]\npack = 5", "side[...]: must be a table, not a whole number"),
        ('name = "nobody"', "pack.toml, combatant: is missing; newcomers stand under [[combatant]]"),
    ):
        (log.parent / "pack.toml").write_text(wrong, "utf-8")
        ran = affray(log.parent, "join", "duel.jsonl", "pack.toml")
        assert ran.code == 2
        assert said in ran.err
    assert log.read_bytes() == before


def test_a_file_says_where_the_dice_of_a_side_come_from(log: Path) -> None:
    """They are those of its newcomers."""
    (log.parent / "pack.toml").write_text(PACK + '[side.pack]\ndice = "entered"\n', "utf-8")
    assert affray(log.parent, "join", "duel.jsonl", "pack.toml").code == 0
    entered = [one.event for one in rebuild_from_log(log).history.recorded if isinstance(one.event, DiceSourceSet)]
    assert [(one.owner, one.source) for one in entered][-2:] == [("wolf-a", "entered"), ("wolf-b", "entered")]


def test_who_joins_concealed_is_told_to_nobody(log: Path) -> None:
    """Not by the ruling, its consequences, a letter in a later name, nor by words that are released."""
    (log.parent / "pack.toml").write_text(PACK, "utf-8")
    opened = rebuild_from_log(log).head
    assert affray(log.parent, "join", "duel.jsonl", "pack.toml", "--concealed").code == 0
    words = ("name=Wolf", "side=pack", "agility=9", "might=1", "health=4")
    ran = affray(log.parent, "rule", "duel.jsonl", "join", *words, "--reason", "another")
    assert 'give another name, such as name="New Wolf"' in ran.err
    for ruling in (("note", "It rains."), ("release",)):
        assert affray(log.parent, "rule", "duel.jsonl", *ruling, "--reason", "so be it").code == 0
    spectator = Viewer(role="spectator")
    seen = [one.event for one in rebuild_from_log(log).history.recorded[opened:] if can_read(spectator, one)]
    assert [type(one).__name__ for one in seen if isinstance(one, Noted | Ruled | Released)]
    assert "olf" not in repr(seen)
    assert "pack" not in repr(seen)


@pytest.mark.parametrize(
    "words",
    [
        ("name=Old", "wolf", "side=pack", "agility=9", "might=1", "health=4", "weapons=sword,bow", "group=no"),
        ('{name = "Old wolf", side = "pack", agility = 9, might = 1, health = 4, weapons = ["sword", "bow"]}',),
        ('{"name": "Old wolf", "side": "pack", "agility": 9, "might": 1, "health": 4, "weapons": ["sword", "bow"]}',),
    ],
)
def test_a_newcomer_is_told_in_words_toml_or_json(log: Path, words: tuple[str, ...]) -> None:
    ran = affray(log.parent, "rule", "duel.jsonl", "join", *words, "--reason", "it comes")
    assert (ran.code, ran.err) == (0, "")
    wolf = rebuild_from_log(log).state.combatants["old-wolf"]
    assert (wolf.name, wolf.pools["health"], wolf.stats["agility"]) == ("Old wolf", 4, 9)


def test_what_cannot_be_understood_is_refused_with_a_line_that_works(log: Path) -> None:
    for words, said in (
        (("name=Wolf", "sied=pack"), "sied: join has no sied; did you mean side?"),
        (("name=Wolf",), "side: is missing\nsay: affray rule duel.jsonl join name=Wolf side="),
        (
            ("wolf",),
            "no wolf has left this fight; somebody new joins with rule join name=NAME side=SIDE",
        ),
        (("{name = Wolf}",), "nor is it TOML\nsay: affray rule duel.jsonl join 'name=Another Ilse' side="),
        ((), "join needs a combatant here\nsay: affray rule duel.jsonl join 'name=Another Ilse' side="),
        (("[]",), "names no combatant\nsay: affray rule duel.jsonl join 'name=Another Ilse' side="),
        (("na-me=Wolf",), "na-me=Wolf is not of the form NAME=VALUE\nsay: affray rule duel.jsonl join "),
        (("=x",), "=x is not of the form NAME=VALUE"),
        (("1=2",), "1=2 is not of the form NAME=VALUE"),
        (("bram", "a-b=c"), "a-b=c is not of the form NAME=VALUE"),
        (("", ""), "no ' ' has left this fight; somebody new joins with rule join name=NAME side=SIDE"),
        (('{name="X",side="foes"}', "a b=c"), "'a b=c' is not of the form NAME=VALUE"),
        (("[" * 1200,), "is nested without end"),
    ):
        ran = affray(log.parent, "rule", "duel.jsonl", "join", *words, "--reason", "it comes")
        assert ran.code == 2
        assert said in ran.err


def test_who_left_comes_back_by_name_with_what_was_not_taken(log: Path) -> None:
    """Wounds stay, what another has by now is gone, and a second return is refused."""
    for words in (
        ("pool", "bram", "health", "by=-3"),
        ("leave", "bram"),
        ("give", "bram.bow", "ilse"),
        ("join", "Bram"),
    ):
        assert affray(log.parent, "rule", "duel.jsonl", *words, "--reason", "so it is").code == 0
    state = rebuild_from_log(log).state
    assert state.combatants["bram"].pools["health"] == 5
    assert (state.items["bram.sword"].owner, state.items["bram.bow"].owner) == ("bram", "ilse")
    assert affray(log.parent, "rule", "duel.jsonl", "join", "bram", "--reason", "again").code == 2
    assert list_ids(log) == ["ilse", "bram"]
