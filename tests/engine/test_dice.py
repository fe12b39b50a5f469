"""Every die can be verified from its name and the seed."""

from __future__ import annotations

import hmac
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.engine.integrity.commitment import find_promise
from affray.engine.runtime.dice import DiceSource, EnteredDice, NamedDice, RecordedDice, commitment_of, derive_key
from affray.events import Dice, Faces, Rolled
from tests.engine.fights import SEED, Plan, fights, play_plan


def face(seed: bytes, roll: str, kind: str, item: str, sides: int, index: int) -> int:
    """Work out one face from the description in words, with nothing but the standard library."""

    def word(name: str, at: int) -> int:
        return int.from_bytes(hmac.digest(seed, name.encode(), "sha256")[at : at + 4], "big")

    name = f"{roll}/{kind}{':' + item if item else ''}/d{sides}#"
    drawn, again = word(f"{name}{index // 8}", index % 8 * 4), 0
    while drawn >= 2**32 // sides * sides:
        again += 1
        drawn = word(f"{name}{index}!{again}", 0)
    return drawn % sides + 1


def verify_roll(seed: bytes, roll: str, dice: tuple[Dice, ...]) -> tuple[tuple[int, ...], ...]:
    """Work out a whole roll."""
    return tuple(
        tuple(face(seed, roll, one.kind, one.item, one.sides, nth) for nth in range(one.count)) for one in dice
    )


class Stubbed(NamedDice):
    """Dice with prescribed blocks in place of hashes."""

    def __init__(self, blocks: dict[str, int]) -> None:
        super().__init__(SEED)
        self.blocks = blocks
        self.asked: list[str] = []

    def block(self, name: str) -> bytes:
        block = name.rpartition("/")[2]
        self.asked.append(block)
        return self.blocks[block].to_bytes(4, "big") * 8


NAMES = st.text(min_size=1, max_size=30)
GROUPS = st.builds(
    Dice,
    count=st.integers(1, 20),
    sides=st.integers(1, 2000),
    kind=st.sampled_from(("d20", "skill", "gear")),
    item=st.sampled_from(("", "ilse.bow")),
)


@given(st.binary(min_size=32, max_size=32), NAMES, st.lists(GROUPS, min_size=1, max_size=3).map(tuple))
def test_dice_are_what_an_independent_verifier_works_out(seed: bytes, roll: str, dice: tuple[Dice, ...]) -> None:
    """Twenty lines with the standard library's HMAC come to the same faces."""
    assert NamedDice(seed).faces(roll, dice) == verify_roll(seed, roll, dice)


def test_a_known_roll_never_changes() -> None:
    """These faces are written down for ever: another answer would betray every recorded fight."""
    dice = (Dice(count=3, sides=20, kind="attack"), Dice(count=10, sides=6, kind="gear", item="ilse.bow"))
    assert NamedDice(SEED).faces("1/ilse/1/attack", dice) == ((1, 13, 13), (6, 3, 4, 1, 4, 1, 4, 3, 2, 1))


@given(fights())
def test_every_roll_of_the_engine_in_a_fight_can_be_verified(plan: Plan) -> None:
    """The log names each roll: every face follows from the seed, in every lane of the record."""
    fight = play_plan(plan)
    bound = find_promise(fight.history.recorded).bound
    for one in fight.history.recorded:
        rolled = one.event
        if isinstance(rolled, Rolled) and rolled.source == "engine":
            thrown = [group for group in rolled.dice if group.thrown]
            if not thrown:  # a roll without dice needs no seed
                continue
            assert plan.seed is not None
            dice = tuple(Dice(count=len(g.faces), sides=g.sides, kind=g.kind, item=g.item) for g in thrown)
            assert tuple(group.faces for group in thrown) == verify_roll(
                derive_key(plan.seed, (), bound), rolled.roll, dice
            )


def test_faces_are_equally_likely() -> None:
    """In 60,000 named d6, each face falls 10,000 times, give or take 450: five standard deviations."""
    dice = NamedDice(SEED)
    fallen = Counter(face for nth in range(7500) for face in dice.faces(f"{nth}", (Dice(count=8, sides=6),))[0])
    assert sorted(fallen) == [1, 2, 3, 4, 5, 6]
    assert all(abs(count - 10_000) < 450 for count in fallen.values())


def test_neighbours_in_a_name_do_not_know_each_other() -> None:
    """Pairs of d6 from names that differ in their number alone: each of the 36 falls 1,000 times, give or take 160."""
    dice = NamedDice(SEED)
    d6 = (Dice(count=1, sides=6),)
    fallen = Counter((dice.faces(f"1/ilse/{n}", d6), dice.faces(f"1/ilse/{n + 1}", d6)) for n in range(36_000))
    assert len(fallen) == 36
    assert all(abs(count - 1_000) < 160 for count in fallen.values())


def test_a_word_beyond_the_last_whole_multiple_is_thrown_away() -> None:
    """Otherwise low faces were likelier; the die then takes the first word of the next name that fits."""
    last, over = 2**32 // 6 * 6 - 1, 2**32 // 6 * 6
    assert Stubbed({"d6#0": last}).faces("r", (Dice(count=1, sides=6),)) == ((6,),)
    dice = Stubbed({"d6#0": over, "d6#0!1": 2**32 - 1, "d6#0!2": 7})
    assert dice.faces("r", (Dice(count=1, sides=6),)) == ((2,),)
    assert dice.asked == ["d6#0", "d6#0!1", "d6#0!2"]


def test_a_size_that_divides_all_words_throws_none_away() -> None:
    """For a d8 even the greatest word is accepted."""
    assert Stubbed({"d8#0": 2**32 - 1}).faces("r", (Dice(count=8, sides=8),)) == ((8,) * 8,)


@given(NAMES, st.integers(1, 12), st.integers(2, 20))
def test_one_die_less_renames_no_other(roll: str, count: int, sides: int) -> None:
    """A smaller pool shows the same faces but for the last, and other groups keep theirs."""
    dice = NamedDice(SEED)
    gear = Dice(count=2, sides=6, kind="gear")
    more = dice.faces(roll, (Dice(count=count + 1, sides=sides), gear))
    less = dice.faces(roll, (Dice(count=count, sides=sides), gear))
    assert more[0][:-1] == less[0]
    assert more[1] == less[1]


def test_only_recorded_rolls_of_the_engine_are_shown_again() -> None:
    """Entered faces come from their command, and a roll the log does not have from nowhere."""
    d20 = (Dice(count=1, sides=20),)
    of_engine, entered = (
        Rolled(roll=source, by="ilse", purpose="attack", dice=(Faces(sides=20, faces=(9,)),), total=9, source=source)
        for source in ("engine", "entered")
    )
    dice = RecordedDice({"engine": of_engine, "entered": entered})
    assert dice.faces("engine", d20) == ((9,),)
    assert dice.faces("entered", d20) is None
    assert dice.faces("unheard of", d20) is None


@pytest.mark.parametrize("count", [1, 30])
def test_without_a_seed_every_roll_waits(count: int) -> None:
    """A holder of no key draws no dice."""
    source: DiceSource = EnteredDice()
    assert source.faces("1/ilse/1/attack", (Dice(count=count, sides=20),)) is None


def test_up_to_format_5_the_commitment_is_the_seeds_hash() -> None:
    """SHA-256, as ``sha256sum`` prints it."""
    assert commitment_of(bytes(32)) == "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"


def test_from_format_6_on_the_commitment_covers_the_hash_of_the_opening() -> None:
    assert commitment_of(bytes(32), "ab" * 32) == hmac.new(bytes(32), b"ab" * 32, "sha256").hexdigest()
