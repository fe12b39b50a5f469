"""A stat block as books print it: understood, or refused with file, line, field and a line that works."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from affray.engine import begin_fight
from affray.engine.core.loading import load, template
from affray.tools.parse.encounter_file import add_location, read_toml
from affray.tools.parse.faults import Fault, Faulty

ATTACKS = "; leave it out, and let the game master rule each further attack in the fight: rule FIGHT grant WHO"
BILLHOOK = '[weapon.billhook]\nname = "billhook"\ngroup = "heavy"\ndamage = {}\nbonus = 1\n\n[[zone]]\nname = "road"'

PRINTED: list[tuple[str, str, str, str, str]] = [
    ("wwn", "ac = 12", 'ac = "15 (leather)"', "combatant[3].ac", "write ac = 15"),
    ("wwn", "hp = 6", 'hp = "3d8+6"', "combatant[3].hp", "write hp = 19, the mean of 3d8+6"),
    ("wwn", "move = 40", 'move = "30 ft."', "combatant[3].move", "write move = 30"),
    ("wwn", "move = 40", "speed = 30", "combatant[3]", "did you mean move?"),
    ("wwn", "morale = 7", 'morale = "7+"', "combatant[3].morale", "write morale = 7"),
    ("wwn", "ac = 12", "armor_class = 12", "combatant[3]", "did you mean ac?"),
    ("wwn", "hp = 6", '"Hit Points" = 6', "combatant[3]", "unknown field Hit Points; did you mean hp?"),
    ("wwn", "hp = 6", "HP = 6", "combatant[3]", "unknown field HP; did you mean hp?"),
    ("wwn", "morale = 7", "morale = 2024-01-01", "combatant[3].morale", "must be a whole number, not a date"),
    ("wwn", "morale = 7", "attacks = 2", "combatant[3]", f"unknown field attacks{ATTACKS}"),
    ("wwn", 'damage = "1d6"', 'damage = "1d8 + 5 damage"', "weapon.fangs.damage", 'write damage = "1d8+5"'),
    ("wwn", 'damage = "1d6"', 'damage = "1d8–1, x2"', "weapon.fangs.damage", 'write damage = "1d8-1"'),
    ("wwn", 'damage = "1d6"', 'damage = "1D8+5"', "weapon.fangs.damage", 'write damage = "1d8+5"'),
    ("wwn", 'damage = "1d6"', 'damage = "1W6"', "weapon.fangs.damage", 'write damage = "1d6"'),
    ("wwn", 'damage = "1d6"', 'damage = "six"', "weapon[...].damage", "must be dice, such as 1d8 or 1d8+5"),
    ("hexblade", "die = 6", 'die = "1d6+2"', "weapon.hook.die", "write die = 6"),
    ("hexblade", "die = 6", 'die = "d8"', "weapon.hook.die", "write die = 8"),
    ("hexblade", "die = 6", 'damage = "1d6"', "weapon[...]", "did you mean die?"),
    ("hexblade", "hp = 9", 'hp = "2d8"', "combatant[2].hp", "write hp = 9, the mean of 2d8"),
    ("hexblade", "initiative = 12", 'initiative = "12 (d20)"', "combatant[3].initiative", "write initiative = 12"),
    ("hexblade", "initiative = 12", "multiattack = 2", "combatant[3]", f"unknown field multiattack{ATTACKS}"),
    ("vestige", "agility = 13", 'agility = "13 (quick)"', "combatant[1].agility", "write agility = 13"),
    ("vestige", "health = 9", 'health = "2d6 + 1"', "combatant[1].health", "write health = 8, the mean of 2d6 + 1"),
    ("vestige", "health = 9", "hp = 9", "combatant[1]", "did you mean health?"),
    ("vestige", "might = -1", 'might = "1d8+5"', "weapon.fangs.might", "write might = 9, the mean of 1d8+5"),
    ("vestige", "might = -1", 'might = "−1"', "weapon.fangs.might", "write might = -1"),
    ("vestige", "range = 1", 'range = "1 m"', "weapon.fangs.range", "write range = 1"),
    ("vestige", "health = 9", "attacks_per_round = 2", "combatant[1]", f"unknown field attacks_per_round{ATTACKS}"),
    ("verdigris", "hp = 5", 'hp = "5 (d6)"', "combatant[0].hp", "write hp = 5"),
    ("verdigris", "strength = 4", "attacks = 2", "combatant[0]", f"unknown field attacks{ATTACKS}"),
    ("verdigris", '[[zone]]\nname = "road"', BILLHOOK.format('"1d8+5"'), "weapon.billhook.damage", "write damage = 9"),
    (
        "verdigris",
        '[[zone]]\nname = "road"',
        BILLHOOK.format('"3 (axe)"'),
        "weapon.billhook.damage",
        "write damage = 3",
    ),
    ("wyrd", "power = 8", 'power = "d8"', "combatant[0].power", "write power = 8"),
    ("wyrd", "grace = 8", 'grace = "1d8+1"', "combatant[1].grace", "write grace = 8"),
    ("wyrd", "load = 2", 'load = "2 slots"', "combatant[0].load", "write load = 2"),
    ("wyrd", "# die = 6 ", 'die = "d6" ', "gear.rope.die", "write die = 6"),
    ("wyrd", "load = 2", "attacks = 2", "combatant[0]", f"unknown field attacks{ATTACKS}"),
]


def fail_to_open(text: str) -> Fault:
    """Open a fight of an encounter that cannot be read; return what is said of it."""
    text, content = read_toml(text)
    with pytest.raises(Faulty) as faulty, add_location(Path("block.toml"), text, content):
        begin_fight("block", content, who="gm", seed=None)
    return faulty.value.fault


@pytest.mark.parametrize(("system", "ours", "printed", "field", "says"), PRINTED, ids=[row[2][-40:] for row in PRINTED])
def test_what_a_book_prints_is_refused_with_a_line_that_works(
    system: str, ours: str, printed: str, field: str, says: str
) -> None:
    text = template(load(system))
    assert ours in text
    odd = text.replace(ours, printed, 1)
    fault = fail_to_open(odd)
    assert (fault.file, fault.field) == ("block.toml", field)
    assert says in fault.message
    key = printed.partition(" =")[0] if "\n" not in printed else "damage"
    assert key in odd.splitlines()[fault.line - 1] or odd.splitlines()[fault.line - 1].startswith("[weapon")


@pytest.mark.parametrize(
    ("system", "ours", "printed", "field", "says"),
    [row for row in PRINTED if row[4].startswith("write ") and "\n" not in row[2]],
    ids=[row[2][-40:] for row in PRINTED if row[4].startswith("write ") and "\n" not in row[2]],
)
def test_the_line_that_is_said_to_work_does(system: str, ours: str, printed: str, field: str, says: str) -> None:
    text = template(load(system))
    line = says.removeprefix("write ").partition(", the mean")[0]
    content = tomllib.loads(text.replace(ours, line, 1))
    with add_location(Path("block.toml"), text, content):
        begin_fight("block", content, who="gm", seed=bytes(32))


@pytest.mark.parametrize("value", ["9" * 5000, "d" + "9" * 5000, "9" * 5000 + "d6", "", " ", "d", "+", "²", "1d٣"])
def test_no_value_is_too_odd_to_be_refused(value: str) -> None:
    for ours in ("ac = 12", 'damage = "1d6"'):
        key = ours.partition(" =")[0]
        fault = fail_to_open(template(load("wwn")).replace(ours, f'{key} = "{value}"', 1))
        assert key in fault.field
        assert len(fault.message) < 200
