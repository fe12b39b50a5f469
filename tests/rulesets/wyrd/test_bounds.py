"""The bounds of what can be said, what holds where nothing is said, and the chain of sizes."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec import ValidationError

from affray.engine import Fight, Unusable
from affray.engine.rulesets.wyrd.config import Config
from affray.engine.rulesets.wyrd.encounter.file import Spec
from affray.engine.rulesets.wyrd.ruleset import RULESET
from affray.engine.rulesets.wyrd.sheet import find_larger, find_smaller, hinder_size, list_sizes, mend_size, move_size
from affray.engine.rulesets.wyrd.tables import Piece, gear
from tests.rulesets.wyrd.moments import Scene


@pytest.fixture(autouse=True)
def tables_read_anew() -> None:
    """Read the tables of gear from their files."""
    gear.cache_clear()
    gear()


@pytest.mark.parametrize(
    ("kind", "said", "key", "least", "most"),
    [
        ("harm", {"who": "orc"}, "amount", 0, 999),
        ("harm", {"who": "orc"}, "die", 0, 100),
        ("spell", {"what": "light"}, "scope", 0, 99),
    ],
)
def test_numbers_have_bounds(kind: str, said: dict[str, Any], key: str, least: int, most: int) -> None:
    wanted: Any = RULESET.actions[kind]
    for fits in (least, most):
        made = msgspec.convert({**said, key: fits}, wanted)
        assert (getattr(made, key), made.targets()) == (fits, tuple(said.get("who", "").split()))
    for beyond in (least - 1, most + 1):
        with pytest.raises(ValidationError):
            msgspec.convert({**said, key: beyond}, wanted)


@pytest.mark.parametrize(
    ("fits", "beyond"),
    [
        (["rule harm orc 0 die=4"], ["rule harm orc -1", "rule harm orc 1000"]),
        (["rule harm orc 999"], ["rule harm orc die=-1", "rule harm orc die=101"]),
        (["rule harm orc die=100"], ["rule harm orc 4 die=4", "rule harm orc"]),
        (["mira spell light scope=0"], ["mira spell light scope=-1", "mira spell light scope=100"]),
        (["mira spell light scope=99"], ["mira spell light scope=many", f"mira spell {'x' * 201}"]),
        ([f"mira spell {'x' * 200}"], ["mira spell ''", "mira improvise ''"]),
        ([f"mira improvise {'x' * 200}"], [f"mira improvise {'x' * 201}"]),
        ([f"mira stunt other what={'x' * 200}"], [f"mira stunt other what={'x' * 201}"]),
        (["rule blow orc 1", "rule blow orc 100"], ["rule blow orc 0", "rule blow orc 101", "rule blow orc"]),
        ([f"rule blow orc {';'.join('4' * 9)}"], [f"rule blow orc {';'.join('4' * 10)}"]),
        (["rule end", "rule recover mira weeks=0"], ["rule recover mira weeks=-1", "rule recover mira weeks=1000"]),
        (["rule end", "rule recover mira weeks=999"], ["rule recover mira ability=luck"]),
        (["rule step mira.dagger", "rule grant mira", "rule tag mira.dagger light"], ["rule safe_moment"]),
    ],
)
def test_what_just_fits_is_done_and_what_does_not_is_unusable(fits: list[str], beyond: list[str]) -> None:
    scene = Scene("mira orc", "begin", "rule dice * entered", change={"mira": {"current": {"power": 2}}})
    for one in fits:
        scene.does(one)
    for one in beyond:
        with pytest.raises(Unusable):
            scene.does(one)
    again = Fight("again", scene.fight.ruleset, scene.fight.history)
    assert again.state == scene.fight.state


@pytest.mark.parametrize(
    ("wanted", "said", "key", "least", "most"),
    [
        (RULESET.actions["spell"], {}, "what", 1, 200),
        (RULESET.actions["improvise"], {}, "what", 1, 200),
        (RULESET.actions["stunt"], {"effect": "other"}, "what", 0, 200),
        (Spec, {"side": "a"}, "name", 1, 60),
        (Spec, {"name": "a"}, "side", 1, 60),
    ],
)
def test_words_have_bounds(wanted: Any, said: dict[str, Any], key: str, least: int, most: int) -> None:
    for fits in (least, most):
        assert getattr(msgspec.convert({**said, key: "x" * fits}, wanted), key) == "x" * fits
    for beyond in (least - 1, most + 1):
        if beyond >= 0:
            with pytest.raises(ValidationError):
                msgspec.convert({**said, key: "x" * beyond}, wanted)


@pytest.mark.parametrize(
    ("wanted", "said", "key", "fits", "beyond"),
    [
        (RULESET.rulings["blow"], {"who": "orc"}, "dice", [[1], [100] * 9], [[], [0], [101], [4] * 10]),
        (RULESET.rulings["safe_moment"], {}, "who", [["orc"]], [[]]),
        (Spec, {"name": "a", "side": "b"}, "count", [1, 500], [0, 501]),
        (Spec, {"name": "a", "side": "b"}, "load", [0, 99], [-1, 100]),
        (Spec, {"name": "a", "side": "b"}, "in_hand", [[], ["a", "b"]], [["a", "b", "c"]]),
        (Spec, {"name": "a", "side": "b"}, "hands", [[], ["a", "b"]], [["a", "b", "c"]]),
        (Spec, {"name": "a", "side": "b"}, "power", [1, 2, 20], [0, 3, 21]),
        (Piece, {"name": "a"}, "hands", [0, 2], [-1, 3]),
        (Piece, {"name": "a"}, "slots", [0, 99], [-1, 100]),
        (Piece, {"name": "a"}, "damage", [0, 99], [-1, 100]),
        (Piece, {"name": "a"}, "die", [0, 1, 2, 4, 6, 8, 10, 12, 20], [-1, 3, 5, 7, 9, 11, 13, 19, 21]),
        (Config, {}, "multi_success_min_dice", [2], [1]),
        (Config, {}, "hindrance_floor", [1], [0]),
        (Config, {}, "light_max_die", [0], [-1]),
        (Config, {}, "slots", [0], [-1]),
        (Config, {}, "chain_top", [12, 20], [11, 13, 19, 21]),
        (Config, {}, "chain", [["d1"], ["d2", "d99"]], [[], ["d0"], ["d100"], ["d4", "d2"], ["d4", "d4"]]),
    ],
)
def test_what_is_said_has_bounds(wanted: Any, said: Any, key: str, fits: list[Any], beyond: list[Any]) -> None:
    for one in fits:
        assert (
            msgspec.json.decode(msgspec.json.encode(getattr(msgspec.convert({**said, key: one}, wanted), key))) == one
        )
    for one in beyond:
        with pytest.raises(ValidationError):
            msgspec.convert({**said, key: one}, wanted)


def test_what_nobody_says_is_this() -> None:
    assert msgspec.json.decode(msgspec.json.encode(Config())) == {
        "chain": ["d2", "d4", "d6", "d8", "d10", "d12"],
        "chain_top": 12,
        "npc_gear_wears": True,
        "ability_steps_on_test_1": False,
        "multi_success_min_dice": 2,
        "setback_hits": True,
        "hindrance_floor": 2,
        "light_max_die": 4,
        "slots": 10,
        "shield_sunder": "destroy",
        "leave_melee": "free",
        "reload_takes": "turn",
        "revive_test": "none",
        "npc_morale": True,
        "surprise_roll": "gm",
        "surprise_order": "first_round",
        "power_roll": "with_armor",
        "ammo_die": False,
    }
    spec = Spec(name="a", side="b")
    assert (spec.count, spec.pc, spec.load, spec.fatigue, spec.gear, spec.at) == (1, False, 0, 0, (), "")
    piece = Piece(name="a")
    assert (piece.kind, piece.die, piece.hands, piece.slots, piece.damage, piece.tags) == ("other", 0, 0, 0, 0, ())
    for kind, said, wanted in (
        ("step", {"item": "x"}, {"by": -1}),
        ("grant", {"who": "x"}, {"by": 1, "pool": "actions"}),
        ("tag", {"item": "x", "tag": "light"}, {"present": True}),
        ("harm", {"who": "x"}, {"amount": 0, "die": 0, "ignores_armor": False, "cause": "ruling"}),
        ("recover", {"who": "x"}, {"ability": "power", "healer": False, "weeks": None}),
        ("end", {}, {"victors": ""}),
    ):
        ruled = msgspec.convert(said, RULESET.rulings[kind])
        assert {key: getattr(ruled, key) for key in wanted} == wanted
    for kind, said, wanted in (
        ("spell", {"what": "x"}, {"scope": 1, "push": False, "helper": "", "item": ""}),
        ("move", {}, {"payment": "move", "to": "", "contact": ""}),
        ("wear", {"item": "x"}, {"off": False}),
        ("rest", {}, {"length": "night"}),
        ("engage", {"target": "x"}, {"push": False, "off": ""}),
        ("harm", {"who": "x"}, {"amount": 0, "die": 0, "ignores_armor": False}),
    ):
        action = msgspec.convert(said, RULESET.actions[kind])
        assert {key: getattr(action, key) for key in wanted} == wanted


def test_the_chain_of_sizes() -> None:
    plain, treasure, short = Config(), Config(chain_top=20), Config(chain=("d4", "d8"), hindrance_floor=4)
    assert list_sizes(plain.chain, 12) == (2, 4, 6, 8, 10, 12)
    assert list_sizes(plain.chain, 20) == (2, 4, 6, 8, 10, 12, 20)
    assert [find_smaller(plain, one) for one in (1, 2, 4, 12, 20)] == [0, 0, 2, 10, 12]
    assert [find_larger(plain, one, 12) for one in (2, 10, 12)] == [4, 12, 12]
    assert [find_larger(treasure, one, 20) for one in (12, 20)] == [20, 20]
    assert find_larger(treasure, 12, 12) == 12
    assert [mend_size(short, size, base) for size, base in ((2, 6), (4, 6), (4, 8), (6, 8), (4, 12))] == [4, 6, 8, 8, 8]
    assert [hinder_size(plain, size, by) for size, by in ((2, 1), (4, 1), (4, 2), (8, 2), (8, 9))] == [2, 2, 2, 4, 2]
    assert [hinder_size(short, size, by) for size, by in ((4, 1), (8, 1), (8, 2), (6, 1))] == [4, 4, 4, 4]
    assert [move_size(plain, size, by, 12) for size, by in ((6, -2), (6, -3), (6, -4), (6, 3), (6, 9), (6, 0))] == [
        2,
        0,
        0,
        12,
        12,
        6,
    ]
