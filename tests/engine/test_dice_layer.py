"""An audit's findings about the dice of a log, by event."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from affray.engine.integrity.audit.dice import DiceLayer
from affray.engine.integrity.audit.findings import Findings
from affray.engine.runtime.dice import RANGE, NamedDice, commitment_of
from affray.events import (
    Closed,
    Dice,
    DiceEntered,
    EntropyAdded,
    Event,
    Faces,
    Forked,
    Modifier,
    Previewed,
    Recorded,
    Rolled,
    RoundBegan,
    ShownDice,
)
from tests.engine.histories import OPENED, make_roll

SEED, OTHER = bytes(range(32)), bytes(range(1, 33))
FORKED = Forked(fight="f", parent="p", position=1, commitment=commitment_of(OTHER))
MINE, REAL = replace(OPENED, commitment=commitment_of(SEED)), replace(OPENED, commitment="")

NEW, LOOKED = replace(MINE, format=5, dice_scheme=2), Previewed(position=1, rolls=("1/al/x",))
SHOWN = ShownDice(roll="1/al/x", count=2, sides=6)


def fair(roll: str, seed: bytes = SEED, words: tuple[str, ...] = (), **also: Any) -> Rolled:
    """Return a roll of two dice as they fall under a seed."""
    (faces,) = NamedDice(seed, words).faces(roll, (Dice(count=2, sides=6),))
    fell = (Faces(sides=6, faces=faces),)
    return Rolled(**{"roll": roll, "by": "al", "purpose": "x", "dice": fell, "total": sum(faces), **also})


def run_dice_layer(
    *events: Event, seeds: tuple[bytes, ...] = (SEED,), key: bytes | None = None, whole: bool = True
) -> tuple[Any, ...]:
    """Return the layer, what it found, and what it could not judge; each event is at line ten times its position."""
    found = Findings()
    layer = DiceLayer(found, seeds, key, looks=True)
    for nth, event in enumerate(events, 1):
        layer.check(Recorded(nth, "t", "gm", "c", "", event), 10 * nth)
    missing = list(layer.end(whole=whole))
    return layer.checked, [(one.code, one.position, one.expected, one.found) for one in found.all], missing, found.all


def test_fair_dice_are_counted_as_checked() -> None:
    checked, found, missing, _ = run_dice_layer(MINE, fair("a"), fair("b"), Closed(seed=SEED.hex()))
    assert (found, missing) == ([], [])
    assert (checked.known, checked.checked, checked.unchecked, checked.parents, checked.entered) == (True, 2, 0, 0, 0)


def test_words_join_the_seed_until_another_is_promised() -> None:
    stirred, forked = (
        EntropyAdded(words="salt"),
        Forked(fight="f", parent="p", position=1, commitment=commitment_of(OTHER)),
    )
    _, found, _, _ = run_dice_layer(
        MINE, stirred, fair("a", words=("salt",)), forked, fair("b", OTHER), seeds=(SEED, OTHER)
    )
    assert found == []
    again = replace(forked, commitment=MINE.commitment)
    assert run_dice_layer(MINE, stirred, again, fair("a", words=("salt",)))[1] == []
    assert run_dice_layer(MINE, fair("a", words=("salt",)))[1][0][:2] == ("face", 2)


def test_under_a_secret_seed_nothing_is_checked() -> None:
    forked = Forked(fight="f", parent="p", position=1, commitment=commitment_of(OTHER))
    checked, found, missing, _ = run_dice_layer(MINE, fair("a"), fair("b"), forked, fair("c", OTHER), seeds=())
    assert (found, checked.known, checked.checked, checked.unchecked, checked.parents) == ([], False, 0, 1, 2)
    assert [(one.layer, one.what) for one in missing] == [
        ("dice", "1 roll under a secret seed"),
        ("dice", "2 rolls under the seed of a fight that this one is a fork of"),
    ]
    assert [one.remedy[:8] for one in missing] == ["the key ", "--parent"]
    checked, _, missing, _ = run_dice_layer(MINE, fair("a"), forked, fair("c", OTHER), seeds=(OTHER,))
    assert (checked.known, checked.checked, checked.unchecked, checked.parents, len(missing)) == (True, 1, 0, 1, 1)


def show_faces(roll: str) -> str:
    return " ".join(map(str, fair(roll).dice[0].faces))


def hash_of(seed: bytes) -> str:
    return f"one whose commitment is {commitment_of(seed)}"


PROMISED = f"the seed whose commitment is {commitment_of(SEED)}"
MALFORMED = replace(OPENED, commitment="A" * 64)


@pytest.mark.parametrize(
    ("events", "finding"),
    [
        ((MINE, fair("a"), fair("a")), ("twice", 3, "dice that had not fallen yet", "the dice of a again")),
        (
            (MINE, fair("a"), RoundBegan(round=1), fair("a")),
            ("twice", 4, "dice that had not fallen yet", "the dice of a again"),
        ),
        (
            (MINE, fair("a", reading="wishes")),
            ("reading", 2, "one of sum, highest, lowest, sixes, digits", "wishes"),
        ),
        (
            (MINE, fair("a", total=99)),
            ("total", 2, f"{fair('a').total}: sum of {show_faces('a')}", "99"),
        ),
        (
            (MINE, fair("a", total=99, modifiers=(Modifier(value=2, label="rain"), Modifier(value=-1, label="wind")))),
            (
                "total",
                2,
                f"{fair('a').total + 1}: sum of {show_faces('a')} +2 rain -1 wind",
                "99",
            ),
        ),
        ((MINE, fair("a", dice=(), total=1)), ("total", 2, "0: sum of no die", "1")),
        ((REAL, fair("a")), ("unpromised", 2, "no dice of the engine's, for no seed is promised", "some")),
        (
            (MINE, replace(fair("a"), roll="b")),
            (
                "face",
                2,
                f"{show_faces('b')}, which b comes to under the seed",
                show_faces("a"),
            ),
        ),
        (
            (MINE, Rolled(roll="r", by="al", purpose="x", dice=(Faces(sides=0, faces=(1,)),), total=1)),
            ("face", 2, "no die, which r comes to under the seed", "1"),
        ),
        ((MALFORMED,), ("commitment", 1, "a SHA-256 as 64 figures", "A" * 64)),
        (
            (MINE, Forked(fight="f", parent="p", position=1)),
            ("commitment", 2, "a commitment of its own", "none"),
        ),
        (
            (REAL, Forked(fight="f", parent="p", position=1, commitment=commitment_of(OTHER))),
            ("commitment", 2, "none, as in the fight before it", commitment_of(OTHER)),
        ),
        (
            (MINE, fair("a"), EntropyAdded(words="salt")),
            ("stirred_late", 3, "no words stirred in after the first die fell, at position 2", "“salt”"),
        ),
        (
            (MINE, fair("a"), fair("b"), EntropyAdded(words="salt")),
            ("stirred_late", 4, "no words stirred in after the first die fell, at position 2", "“salt”"),
        ),
        (
            (NEW, LOOKED, EntropyAdded(words="salt")),
            ("stirred_late", 3, "no words stirred in after a preview showed the first die, at position 2", "“salt”"),
        ),
        ((REAL, EntropyAdded(words="salt")), ("no_seed", 2, "no words stirred in, for no seed is promised", "“salt”")),
        ((MINE, EntropyAdded(words="")), ("words", 2, "1 to 200 visible characters", "''")),
        ((MINE, EntropyAdded(words="\u3000")), ("words", 2, "1 to 200 visible characters", repr("\u3000"))),
        ((MINE, EntropyAdded(words="x" * 201)), ("words", 2, "1 to 200 visible characters", repr("x" * 201))),
        ((MINE, Closed(seed=OTHER.hex())), ("seed", 2, PROMISED, hash_of(OTHER))),
        ((MINE, Closed()), ("seed", 2, PROMISED, "none")),
        ((REAL, Closed(seed=SEED.hex())), ("seed", 2, "no seed", hash_of(SEED))),
        (
            (MINE, Closed(seed="no figures")),
            ("seed", 2, PROMISED, "one whose commitment is no hexadecimal number"),
        ),
        (
            (MINE, Closed(seed=SEED.hex().upper())),
            ("spelling", 2, "the seed in small hexadecimal figures", SEED.hex().upper()),
        ),
        (
            (MINE, replace(make_roll("r", 3), source="entered")),
            ("not_entered", 2, "faces entered for r", "none that anybody entered"),
        ),
        (
            (MINE, DiceEntered(roll="s", faces=(3,)), replace(make_roll("r", 3), source="entered")),
            ("not_entered", 3, "faces entered for r", "none that anybody entered"),
        ),
        (
            (MINE, DiceEntered(roll="r", faces=(4,)), replace(make_roll("r", 3), source="entered")),
            ("face", 3, "4, as entered", "3"),
        ),
        (
            (
                MINE,
                DiceEntered(roll="r", faces=(3,)),
                replace(make_roll("r", 3), source="entered"),
                replace(make_roll("s", 3), source="entered"),
            ),
            ("not_entered", 4, "faces entered for s", "none that anybody entered"),
        ),
    ],
)
def test_what_is_wrong_with_dice_is_told_in_full(events: tuple[Event, ...], finding: tuple[str, int, str, str]) -> None:
    _, found, _, all_of_them = run_dice_layer(*events)
    assert finding in found
    assert all((one.layer, one.line) == ("dice", 10 * one.position) for one in all_of_them)


@pytest.mark.parametrize(
    "events",
    [
        (MINE, fair("a"), RoundBegan(round=1), RoundBegan(round=2), fair("a")),
        (MINE, fair("a", dice=(), total=0), EntropyAdded(words="salt")),
        (MINE, EntropyAdded(words="x" * 200)),
        (REAL, Closed()),
        (MINE, Closed(seed=SEED.hex())),
        (REAL, Forked(fight="f", parent="p", position=1)),
        (
            MINE,
            fair("a"),
            Forked(fight="f", parent="p", position=1, commitment=commitment_of(OTHER)),
            EntropyAdded(words="x"),
        ),
        (REAL, DiceEntered(roll="r", faces=(3,)), replace(make_roll("r", 3), source="entered")),
        (replace(MINE, format=4), LOOKED, EntropyAdded(words="as earlier versions allowed")),
        (NEW, LOOKED, FORKED, EntropyAdded(words="into dice that nobody has seen")),
    ],
)
def test_what_is_right_with_dice_is_no_finding(events: tuple[Event, ...]) -> None:
    assert run_dice_layer(*events, seeds=(SEED, OTHER))[1] == []


@pytest.mark.parametrize("sides", [RANGE + 1, 0, -1])
def test_a_die_that_there_is_not_comes_to_nothing(sides: int) -> None:
    fell = Rolled(roll="a", by="al", purpose="x", dice=(Faces(sides=sides, faces=(1,)),), total=1)
    assert run_dice_layer(MINE, fell)[1] == [("face", 2, "no die, which a comes to under the seed", "1")]


def test_what_was_taken_back_can_fall_again() -> None:
    found = Findings()
    layer = DiceLayer(found, (SEED,), None)
    layer.check(Recorded(1, "t", "gm", "c", "", MINE), 1)
    before = layer.restore_point()
    assert before == (frozenset(), frozenset())
    for nth, roll in enumerate("ab", 2):
        layer.check(Recorded(nth, "t", "gm", "c", "", fair(roll)), nth)
    layer.check(Recorded(4, "t", "gm", "c", "", RoundBegan(round=1)), 4)
    assert layer.restore_point() == (frozenset("ab"), frozenset())
    layer.go_back((frozenset("a"), frozenset()))
    layer.check(Recorded(5, "t", "gm", "c", "", fair("b")), 5)
    assert found.all == []
    layer.check(Recorded(6, "t", "gm", "c", "", fair("a")), 6)
    assert [one.code for one in found.all] == ["twice"]


@pytest.mark.parametrize(
    ("opened", "key", "finding"),
    [
        (MINE, SEED, None),
        (MINE, None, None),
        (MINE, OTHER, ("key", 1, PROMISED, f"{hash_of(OTHER)}, kept beside the log")),
        (REAL, OTHER, ("key", 1, "none, for none is promised", f"{hash_of(OTHER)}, kept beside the log")),
    ],
)
def test_a_key_that_lies_beside_a_log_is_its_own(
    opened: Event, key: bytes | None, finding: tuple[str, int, str, str] | None
) -> None:
    assert run_dice_layer(opened, key=key)[1] == ([finding] if finding else [])
    assert run_dice_layer(opened, key=key, whole=False)[1] == [], "nobody knows what is promised at the end"


def make_dice_look(*dice: ShownDice, rolls: tuple[str, ...] = ("1/al/x",)) -> Previewed:
    """Return a look at dice."""
    return Previewed(position=1, rolls=rolls, dice=dice)


@pytest.mark.parametrize(
    "events",
    [
        (MINE, LOOKED, fair("1/al/x")),
        (MINE, fair("1/al/x"), LOOKED),
        (MINE, make_dice_look(SHOWN), fair("1/al/x")),
        (MINE, make_dice_look(SHOWN), make_dice_look(replace(SHOWN, count=3)), make_dice_look(replace(SHOWN, sides=4))),
        (MINE, fair("1/al/x"), make_dice_look(replace(SHOWN, count=3)), make_dice_look(replace(SHOWN, kind="harm"))),
        (MINE, LOOKED, make_dice_look(SHOWN)),
        (MINE, fair("1/al/x", source="entered"), make_dice_look(SHOWN)),
        (MINE, make_dice_look(SHOWN), EntropyAdded(words="late"), make_dice_look(SHOWN)),
        (MINE, make_dice_look(SHOWN), FORKED, make_dice_look(SHOWN)),
        (MINE, make_dice_look(replace(SHOWN, roll="g2:0/first/x:al@a b"), rolls=("g2:0/first/x:al@a b",))),
    ],
)  # fmt: skip
def test_looks_at_dice_that_nobody_had_seen_are_no_finding(events: tuple[Event, ...]) -> None:
    assert [row for row in run_dice_layer(*events)[1] if row[0] == "preview"] == []


OF_DICE = "the rolls of its dice, each once: "


@pytest.mark.parametrize(
    ("events", "due", "found"),
    [
        ((REAL, make_dice_look(SHOWN)), "no look at dice, for no seed is promised", "one"),
        ((MINE, make_dice_look(rolls=())), f"{OF_DICE}one at least", "none"),
        ((MINE, make_dice_look(rolls=("1/al/x", "1/al/x"))), f"{OF_DICE}1/al/x", "1/al/x, 1/al/x"),
        ((MINE, make_dice_look(SHOWN, rolls=("1/al/y",))), f"{OF_DICE}1/al/x", "1/al/y"),
        ((MINE, make_dice_look(SHOWN, rolls=())), f"{OF_DICE}1/al/x", "none"),
        ((MINE, make_dice_look(rolls=("Al cheated",))), "the name of a roll", "“Al cheated”"),
        ((MINE, make_dice_look(replace(SHOWN, roll="x"), rolls=("x",))), "the name of a roll", "“x”"),
        ((MINE, LOOKED, LOOKED), "a roll that was not looked at before", "1/al/x"),
        ((MINE, make_dice_look(SHOWN), LOOKED), "a roll that was not looked at before", "1/al/x"),
        ((MINE, make_dice_look(SHOWN, SHOWN)), "dice that nobody had seen", "2d6 die of 1/al/x"),
        (
            (MINE, make_dice_look(SHOWN), make_dice_look(replace(SHOWN, count=1))),
            "dice that nobody had seen",
            "1d6 die of 1/al/x",
        ),
        ((MINE, fair("1/al/x"), make_dice_look(SHOWN)), "dice that nobody had seen", "2d6 die of 1/al/x"),
        (
            (MINE, FORKED, fair("1/al/x", OTHER), make_dice_look(SHOWN)),
            "dice that nobody had seen",
            "2d6 die of 1/al/x",
        ),
        ((MINE, make_dice_look(replace(SHOWN, count=0))), "1 to 1000 dice of 1 to 1000 sides", "0d6 die of 1/al/x"),
        ((MINE, make_dice_look(replace(SHOWN, sides=0))), "1 to 1000 dice of 1 to 1000 sides", "2d0 die of 1/al/x"),
    ],
)
def test_a_look_that_the_program_never_records_is_found(events: tuple[Event, ...], due: str, found: str) -> None:
    rows = run_dice_layer(*events, seeds=(SEED, OTHER))[1]
    assert ("preview", len(events), due, found) in rows
